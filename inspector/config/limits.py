"""What an entry says about when and how far it is used: switched off or not, timeouts, tools that are left out."""

from __future__ import annotations

from typing import Any

from inspector.base.patterns import pattern
from inspector.base.text import quoted
from inspector.config.entry import Entry
from inspector.config.shapes import kind_of

SWITCHES = ("disabled", "enabled")
_TIMEOUTS: tuple[tuple[str, str, float], ...] = (
    ("startup_timeout_ms", "connect_timeout", 0.001),
    ("startup_timeout_sec", "connect_timeout", 1.0),
    ("connectionTimeout", "connect_timeout", 0.001),
    ("tool_timeout_sec", "request_timeout", 1.0),
    ("timeout", "", 0.0),
)
"""What each is of, and its unit in seconds; `timeout` is what the client says. The last one of a kind counts."""
TIMEOUTS = tuple(key for key, _, _ in _TIMEOUTS)
_DURATION = pattern(
    r"(?i)P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$|(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$"
)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}

_SHOWN = ("enabled_tools", "includeTools", "allowedTools", "available_tools", "tools")
_HIDDEN = ("disabled_tools", "excludeTools", "disabledTools", "disallowedTools")
_APPROVED = ("autoApprove", "alwaysAllow")
FILTERS = (*_SHOWN, *_HIDDEN, *_APPROVED, "trust")


def read_switch(entry: Entry, fields: dict[str, Any]) -> None:
    """Either word counts, but for a client that knows one of them only."""
    known = entry.dialect.off
    for key in (key for key in SWITCHES if known is not None and key != known and key in fields):
        entry.note("warning", key, f"{key} is ignored by {entry.dialect.label}, which reads {known}")
    disabled = flag(entry, "disabled", fields.get("disabled")) if known != "enabled" else False
    enabled = flag(entry, "enabled", fields.get("enabled")) if known != "disabled" else True
    entry.enabled = not disabled and enabled is not False


def flag(entry: Entry, key: str, value: Any) -> bool | None:
    """A truth, however it is spelled; None where it is none."""
    found = _flag_of(value)
    if value is not None and not isinstance(value, bool):
        reading = "ignored" if found is None else f"taken as {str(found).lower()}"
        entry.note("warning", key, f"{key} must be true or false; {quoted(value, 40)} is {reading}")
    return found


def _flag_of(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    words = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
    return words.get(str(value).strip().lower())


def read_timeouts(entry: Entry, fields: dict[str, Any]) -> None:
    for key, attribute, factor in _TIMEOUTS:
        value = fields.get(key)
        if value is None:
            continue
        if key == "timeout" and isinstance(value, dict):
            # opencode 2 has one for each thing.
            _take(entry, "timeout.startup", "connect_timeout", value.get("startup"), 0.0)
            _take(entry, "timeout.execution", "request_timeout", value.get("execution"), 0.0)
            continue
        of = attribute or ("connect_timeout" if entry.dialect.startup else "request_timeout")
        _take(entry, key, of, value, factor)


def _take(entry: Entry, key: str, attribute: str, value: Any, factor: float) -> None:
    if value is None:
        return
    seconds = _seconds(entry, key, value, factor)
    if seconds is None or not 0 < seconds < 1e9:
        entry.note("warning", key, f"{key} is no number of seconds; ignored")
    else:
        setattr(entry, attribute, seconds)
        if key == "timeout" and entry.dialect.id in ("cline", "roo") and not 1 <= seconds <= 3600:
            said = (
                f"{entry.dialect.label} takes 1 to 3600 seconds here; {seconds:g} makes it refuse the entry"
            )
            entry.note("warning", key, said)


def _seconds(entry: Entry, key: str, value: Any, factor: float) -> float | None:
    if isinstance(value, str) and (found := _DURATION.match(value.strip())):
        days, hours, minutes, seconds, plain, unit = found.groups()
        if plain is None:
            parts = zip((days, hours, minutes, seconds), (86400.0, 3600.0, 60.0, 1.0), strict=True)
            return sum(float(part) * each for part, each in parts if part)
        if unit is not None:
            return float(plain) * _UNITS[unit.lower()]
        value = float(plain)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value * (factor or _unit(entry, key, value))


def _unit(entry: Entry, key: str, value: float) -> float:
    unit = entry.dialect.unit
    if unit == "guess":
        unit = "ms" if value >= 1000 else "s"
        entry.note("info", key, f"no unit is agreed on for timeout; read as {value:g} {unit}")
    return 0.001 if unit == "ms" else 1.0


def read_filters(entry: Entry, fields: dict[str, Any]) -> None:
    """What is hidden stays so, whatever else names it."""
    shown = [name for key in _SHOWN if (name := _names(entry, key, fields)) is not None]
    entry.hidden_tools = [name for key in _HIDDEN for name in _names(entry, key, fields) or ()]
    entry.approved_tools = [name for key in _APPROVED for name in _names(entry, key, fields) or ()]
    if fields.get("trust") is True:
        entry.approved_tools = ["*"]
    listed = [name for names in shown for name in names]
    if entry.dialect.id == "copilot" and fields.get("tools") == []:
        entry.note(
            "warning", "tools", "Copilot CLI takes an empty list for none of the tools", 'write ["*"] for all'
        )
    # Goose writes an empty list, and Copilot a star, for all of them.
    if listed and "*" not in listed:
        entry.shown_tools = [name for name in listed if name not in entry.hidden_tools]
        if both := [name for name in listed if name in entry.hidden_tools]:
            entry.note("warning", "", f"{', '.join(both)}: both let in and left out; it is left out")


def _names(entry: Entry, key: str, fields: dict[str, Any]) -> list[str] | None:
    """The names of a list; None where there is none. Codex has an object of settings by tool as `tools`."""
    value = fields.get(key)
    if value is None or isinstance(value, dict):
        return None
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        entry.note("warning", key, f"{key} must be a list of names, not {kind_of(value)}; ignored")
        return None
    return value
