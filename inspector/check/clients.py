"""Which clients are known to break on what a rule finds, and how: as their sources have it. Of all others nothing is
said, neither good nor bad."""

from __future__ import annotations

from collections.abc import Mapping

PAICLI, JAVA, TYPESCRIPT, PYTHON = "PaiCLI", "Java SDK 0.10.0", "TypeScript SDK 1", "Python SDK 2"
CLAUDE = "Claude"
_LIST = "refuses the whole list for one such entry"
_RESULT = "refuses the whole result"
_THROWS = "gives an error in place of the result"
_OVER = "reads nothing more of the server, so that all requests time out"
_DEAF = "waits for the answer until it times out"

CLIENTS: Mapping[str, Mapping[str, str]] = {
    "J01": {JAVA: "reads nothing more over stdio; with WebFlux it ends the event stream"},
    "J03": {TYPESCRIPT: _DEAF, PYTHON: _DEAF},
    "J09": {TYPESCRIPT: _DEAF},
    "J12": {TYPESCRIPT: _DEAF, PYTHON: _DEAF},
    "J22": {TYPESCRIPT: "refuses the whole message", PYTHON: "refuses the whole message"},
    "L01": {TYPESCRIPT: "does not connect", PYTHON: "does not connect"},
    "L03": {TYPESCRIPT: "does not connect", PYTHON: "does not connect", JAVA: "takes nothing but 2024-11-05"},
    "S01": {PAICLI: _OVER, JAVA: _OVER},
    "S03": {PAICLI: _OVER, TYPESCRIPT: _DEAF, JAVA: _OVER},
    "H12": {PAICLI: "does not resume a stream"},
    "H13": {PAICLI: "reads a stream to its end before it looks at the answer in it, for up to 60 s"},
    "H16": {JAVA: "with WebFlux it takes an event of another name for an error, and ends the stream"},
    "H31": {JAVA: "does not connect; with the HTTP client of the JDK it waits 10 s"},
    "H32": {PAICLI: "reads a stream to its end before it looks at the answer in it, for up to 60 s"},
    "H35": {JAVA: "with WebFlux it takes a second one for an error, and ends the stream"},
    "T01": {TYPESCRIPT: _LIST, PYTHON: _LIST, JAVA: f"{_LIST}, if its type is no text"},
    "T04": {TYPESCRIPT: _LIST},
    "T07": {PAICLI: "does not start a server that lists a name twice", CLAUDE: "takes no such name"},
    "T11": {TYPESCRIPT: _THROWS, PYTHON: _THROWS},
    "T12": {TYPESCRIPT: _THROWS, PYTHON: _THROWS},
    "T15": {TYPESCRIPT: _RESULT, PYTHON: _RESULT, JAVA: _RESULT},
    "T16": {TYPESCRIPT: _RESULT},
    "T17": {TYPESCRIPT: _RESULT, PYTHON: _RESULT},
    "R02": {TYPESCRIPT: _RESULT, PYTHON: _RESULT},
    "R11": {PAICLI: "reads the first page only"},
    "R12": {TYPESCRIPT: "refuses the whole page"},
    "N14": {JAVA: "takes text only, and cannot read the message; 2.0.1 neither"},
    "C12": {JAVA: "answers that there is no such method (-32601)", PAICLI: "never answers"},
    "C01": {PAICLI: "never answers"},
}


def broken_by(rule: str) -> tuple[str, ...]:
    """The names of clients, in the order of the alphabet."""
    return tuple(sorted(CLIENTS.get(rule, ())))
