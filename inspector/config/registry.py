"""`server.json` of the MCP registry: how a server is got and started, as entries. What a person has to fill in is asked
as an input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector.base.patterns import pattern
from inspector.config.entry import Input, Note

_VARIABLE = pattern(r"\{([^{}]+)\}")
_RUNNERS = {
    "npm": ("npx", ("-y",), "{name}@{version}"),
    "pypi": ("uvx", (), "{name}@{version}"),
    "oci": ("docker", ("run", "-i", "--rm"), "{name}:{version}"),
    "docker": ("docker", ("run", "-i", "--rm"), "{name}:{version}"),
    "nuget": ("dnx", (), "{name}@{version}"),
}
"""By the registry of a package: the program, its words, and how it names a version."""

Keys = tuple[str | int, ...]


class Offer:
    """One way to get at the server: a name, where it stands, and an entry of the usual kind."""

    def __init__(self, name: str, keys: Keys) -> None:
        self.name = name
        self.keys = keys
        self.raw: dict[str, Any] = {}
        self.inputs: dict[str, Input] = {}
        self.notes: list[Note] = []

    def value(self, described: Any) -> str | None:
        """What a described value is: itself, a question, or nothing where it may be left out."""
        if not isinstance(described, dict):
            return described if isinstance(described, str) else None
        fixed = described.get("value")
        if isinstance(fixed, str):
            variables = described.get("variables")
            return self.template(fixed, variables if isinstance(variables, dict) else {})
        name = described.get("name") or described.get("valueHint") or described.get("value_hint")
        return self.ask(name, described) if isinstance(name, str) and name else None

    def template(self, text: str, variables: dict[str, Any]) -> str:
        """A text whose `{name}` are questions, as far as they are declared."""

        def put(found: Any) -> str:
            declared = variables.get(found[1])
            if not isinstance(declared, dict):
                return str(found[0])
            return self.value({"name": found[1], **declared, "isRequired": True}) or ""

        return _VARIABLE.sub(put, text)

    def ask(self, name: str, described: dict[str, Any]) -> str | None:
        default, required = (
            described.get("default"),
            described.get("isRequired", described.get("is_required")),
        )
        if default is None and required is not True:
            self.notes.append(Note("info", "", f"{name} is optional and left out"))
            return None
        choices = described.get("choices")
        options = tuple(map(str, choices)) if isinstance(choices, list) else ()
        secret = described.get("isSecret", described.get("is_secret")) is True
        if default is not None and not secret and not required:
            return str(default)
        about = str(described.get("description") or name)
        self.inputs[name] = Input(name, about, secret, options, None if default is None else str(default))
        return f"${{input:{name}}}"


def offers(value: dict[str, Any]) -> Iterator[Offer]:
    """Every package and remote of a `server.json`, in its order. Never raises for what it holds."""
    base = str(value["name"]).rsplit("/", 1)[-1]
    found = [
        (key, number, item)
        for key in ("packages", "remotes")
        for number, item in enumerate(value.get(key) or ())
    ]
    for key, number, item in found:
        offer = Offer(base, (key, number))
        if not isinstance(item, dict):
            offer.notes.append(Note("error", "", f"{key}[{number}] must be an object"))
        elif key == "packages":
            _package(offer, item, value.get("version"))
        else:
            _remote(offer, item)
        if len(found) > 1:
            kind = (
                _registry(item)
                if key == "packages" and isinstance(item, dict)
                else str(offer.raw.get("type") or key)
            )
            offer.name = f"{base} ({kind})"
        yield offer


def _registry(package: dict[str, Any]) -> str:
    return str(
        package.get("registryType") or package.get("registry_type") or package.get("registry_name") or "?"
    )


def _package(offer: Offer, package: dict[str, Any], version: Any) -> None:
    kind = _registry(package)
    name = package.get("identifier") or package.get("name")
    if kind not in _RUNNERS or not isinstance(name, str) or not name:
        offer.raw = {"type": kind}
        what = (
            f"packages of {kind} are not started here"
            if kind not in _RUNNERS
            else "a package without identifier"
        )
        offer.notes.append(Note("warning", "", what, "write its command line by hand"))
        return
    program, words, form = _RUNNERS[kind]
    version = package.get("version") or (version if kind != "oci" else None)
    named = form.format(name=name, version=version) if version and not _names_version(name, form) else name
    env = _named_values(offer, package.get("environmentVariables", package.get("environment_variables")))
    given = list(_arguments(offer, package.get("runtimeArguments", package.get("runtime_arguments"))))
    if program == "docker":
        given += [word for variable in env for word in ("-e", variable)]
        words = () if given[:1] == ["run"] else words
    else:
        words = tuple(word for word in words if word not in given)
    hint = package.get("runtimeHint", package.get("runtime_hint"))
    arguments = list(_arguments(offer, package.get("packageArguments", package.get("package_arguments"))))
    offer.raw = {
        "command": hint if isinstance(hint, str) and hint else program,
        "args": [*words, *given, named, *arguments],
        "env": env,
    }
    transport = package.get("transport")
    if isinstance(transport, dict) and transport.get("type") not in (None, "stdio"):
        # Such a package is started by hand, and then it listens.
        _remote(offer, transport)
        offer.raw.setdefault("url", "")
        offer.notes.append(
            Note("warning", "", f"its package is started by hand: {' '.join([program, *words, named])}")
        )


def _names_version(name: str, form: str) -> bool:
    """Whether a version stands in the name already, behind its last slash."""
    return form[len("{name}")] in name.rsplit("/", 1)[-1][1:]


def _remote(offer: Offer, remote: dict[str, Any]) -> None:
    variables = remote.get("variables")
    url = remote.get("url")
    kind = remote.get("type") or remote.get("transport_type") or remote.get("transportType")
    text = (
        offer.template(url, variables if isinstance(variables, dict) else {}) if isinstance(url, str) else url
    )
    offer.raw = {"type": kind, "url": text, "headers": _named_values(offer, remote.get("headers"))}


def _named_values(offer: Offer, described: Any) -> dict[str, str]:
    found = {}
    for item in described if isinstance(described, list) else ():
        name = item.get("name") if isinstance(item, dict) else None
        if isinstance(name, str) and name and (value := offer.value(item)) is not None:
            found[name] = value
    return found


def _arguments(offer: Offer, described: Any) -> Iterator[str]:
    for item in described if isinstance(described, list) else ():
        if not isinstance(item, dict):
            continue
        named = item.get("name") if item.get("type") == "named" else None
        has_value = {"value", "default", "valueHint", "value_hint"} & item.keys() or item.get(
            "isRequired"
        ) is True
        if isinstance(named, str) and not has_value:
            yield named
            continue
        hint = item.get("valueHint") or item.get("value_hint") or str(named or "").lstrip("-")
        if (value := offer.value({**item, "name": hint})) is None:
            continue
        if isinstance(named, str):
            yield named
        yield value
