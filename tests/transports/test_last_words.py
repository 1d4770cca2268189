"""What the last words of a dying server ask for, as languages, package runners, shells and containers write them."""

from __future__ import annotations

import pytest

from inspector.transports.remedies import after_death
from inspector.transports.stderr import StderrTail

RUST = (
    "thread 'main' panicked at src/main.rs:10:45:\nAPI_KEY must be set: NotPresent\nnote: run with `RUST_X=1`"
)
ZOD = '[\n  {\n    "received": "undefined",\n    "path": [\n      "LINEAR_KEY"\n    ],\n    "message": "Required"\n  }'
PYDANTIC = "ValidationError: 1 validation error for Settings\nnotes_key\n  Field required [type=missing]"
LIBRARY = "error while loading shared libraries: libssl.so: cannot open shared object file: No such file or directory"
IMAGE = "Error response from daemon: pull access denied for mcp/nope, repository does not exist or may require a login"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("Error: Please set the A_TOKEN environment variable", "set A_TOKEN"),
        ("  File \"<frozen os>\", line 685, in __getitem__\nKeyError: 'A_TOKEN'", "set A_TOKEN"),
        ('key not found: "A_TOKEN" (KeyError)', "set A_TOKEN"),
        ("panic: environment variable A_URL must be set\n\ngoroutine 1 [running]:\nmain.main()", "set A_URL"),
        ("you need to export A_TOKEN before starting", "set A_TOKEN"),
        ("No API key found. Set A_KEY or pass api_key", "set A_KEY"),
        ("bash: line 1: A_TOKEN: unbound variable", "set A_TOKEN"),
        ("Missing environment variables:\n    A_TOKEN: undefined", "set A_TOKEN"),
        ("\x1b[31mERROR\x1b[0m \x1b[1mA_KEY\x1b[0m is required", "set A_KEY"),
        ("Umgebungsvariable A_KEY fehlt", "speaks of A_KEY"),
        (RUST, "set API_KEY"),
        (ZOD, "it lacks LINEAR_KEY"),
        (PYDANTIC, "it lacks notes_key"),
        ("Error: missing API key", "give it what it asks for"),
        ("NoCredentialsError: Unable to locate credentials", "give it what it asks for"),
        ("Error: Bad credentials", "is not accepted"),
        ("AxiosError: Request failed with status code 401", "is not accepted"),
        ("cannot import name 'FastMCP' from 'mcp.server'", "mcp.server is installed in another version"),
        ("SyntaxError: Cannot use import statement outside a module", "start the built file"),
        ("UnsupportedClassVersionError: compiled by a more recent version of the Java Runtime", "a version of its"),
        ("npm error code ETARGET\nnpm error notarget No matching version found for a@9.", "not in this version"),
        ("error: GET https://registry.example/nopkg - 404", "the registry does not have it"),
        ("error: Failed to spawn: `notes`\n  Caused by: No such file or directory (os error 2)", "--from PACKAGE"),
        ("env: 'node': No such file or directory", "there is no node on its PATH"),
        ("'npx' is not recognized as an internal or external command,\noperable program or batch", "no npx on its"),
        (LIBRARY, "a library of the system"),
        ("./notes: /lib/libc.so.6: version `GLIBC_2.38' not found (required by ./notes)", "a library of the system"),
        ("exec /entrypoint.sh: exec format error", "another processor"),
        ("error during connect: the docker daemon is not running", "start Docker"),
        ("permission denied while trying to connect to the Docker daemon socket", "the group docker"),
        (IMAGE, "name and tag of the image"),
        ("the input device is not a TTY", "take -t out"),
        ("Bind for 0.0.0.0:8080 failed: port is already allocated", "another process has its port"),
        ("Web server failed to start. Port 8080 was already in use.", "another process has its port"),
        ("x509: certificate signed by unknown authority", "does not trust a certificate"),
        ("Error: certificate has expired", "the clock of this machine"),
        ("tunneling socket could not be established, cause=connect ECONNREFUSED 127.0.0.1:3128", "see HTTP_PROXY"),
        ("dial tcp: lookup api.example.com: no such host", "reach the network"),
        ("ENOSPC: System limit for number of file watchers reached", "max_user_watches"),
        ("flag provided but not defined: -stdio", "its args are not what it takes"),
        ("unknown flag: --gpu\nSee 'docker run --help'.", "its args are not what it takes"),
        ("sqlite3.OperationalError: database is locked", "another process holds"),
        ("fatal error: runtime: out of memory", "ran out of memory"),
        ("Error: EROFS: read-only file system, mkdir '/x'", "correct the permissions"),
        ("Error: Unable to access jarfile server.jar", "a path that it was given"),
    ],
)  # fmt: skip
def test_what_they_ask_for(words: str, hint: str) -> None:
    assert hint in told(words)


@pytest.mark.parametrize(
    "words",
    [
        "LOG_LEVEL set to debug\nError: boom",
        "NODE_ENV=production\nsomething odd happened",
        'TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string. Received undefined',
        "token bucket initialised\nAssertionError",
        "RuntimeError: Already running asyncio in this thread",
    ],
)
def test_what_asks_for_nothing_gets_no_advice(words: str) -> None:
    assert told(words) in (
        "its words above are all it said; run it by hand",
        "its last stderr lines say more",
    )


def test_the_line_that_says_why_goes_before_what_stands_around_it() -> None:
    assert "set A_TOKEN" in told(
        "npm warn EBADENGINE Unsupported engine {\nA_TOKEN is not set\nstopping workers"
    )


@pytest.mark.parametrize(
    ("code", "hint"),
    [(137, "where memory ran out"), (139, "crashed"), (143, "ended it"), (127, "did not find")],
)
def test_without_words_the_exit_code_speaks(code: int, hint: str) -> None:
    assert hint in after_death([], None, code, None)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (RUST, "API_KEY must be set: NotPresent"),
        ("error: Failed to spawn: `notes`\n  Caused by: No such file or directory (os error 2)",
         "error: Failed to spawn: `notes`"),
        ("Executable doesn't exist at /a\n╔═══╗\n║ x ║\n╚═══╝", "Executable doesn't exist at /a"),
        ("unknown flag: --gpu\nSee 'docker run --help'.", "unknown flag: --gpu"),
    ],
)  # fmt: skip
def test_the_line_that_says_why(words: str, reason: str) -> None:
    assert heard(words).reason() == reason


def heard(words: str) -> StderrTail:
    tail = StderrTail()
    tail.feed(words.encode() + b"\n")
    return tail


def told(words: str) -> str:
    tail = heard(words)
    return after_death(tail.last(), tail.reason(), 1, None)
