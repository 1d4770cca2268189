"""README.md and the pages of docs/, read as data: their code blocks, and what a reader would run of them.

What a block is, stands behind its fence. `sh` holds commands, `console` commands behind `$ ` and what they print; a
line `…` stands for any lines, `…` in a line for anything. Commands end with 0 unless the comment behind them names
another exit code. `json`, `yaml` and `toml` say what they are (`config`, `settings`, ...), and a file name where later
commands of the page use the file. `<!-- not run: REASON -->` before a block says why nothing of it can be run here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "sample-configs" / "README.md"])

_FENCE = re.compile(r"^( *)(```+)([^\n]*)\n(.*?)^\1\2 *$", re.M | re.S)
_NOT_RUN = re.compile(r"<!-- not run: (.+) -->\n\s*$")
_COMMENT = re.compile(r"(?:^|\s)#\s.*$")
_CODE = re.compile(r"#\s+exit code (\d+)")
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


@dataclass(frozen=True, slots=True)
class Step:
    """A command, the lines that it is said to print (None: nothing is said), and its exit code."""

    line: int
    command: str
    code: int | None = None
    shown: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """`kind` is what the fence says behind the language, `file` the name of the file that the block is to be."""

    page: Path
    line: int
    language: str
    kind: str
    file: str
    text: str
    not_run: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    def steps(self) -> list[Step]:
        return list(_sh(self) if self.language == "sh" else _console(self))


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        words = match[3].split()
        body = "\n".join(line.removeprefix(match[1]) for line in match[4].split("\n"))
        reason = _NOT_RUN.search(text, 0, match.start())
        named = [word for word in words[1:] if "." in word]
        yield Block(
            page,
            text.count("\n", 0, match.start()) + 1,
            words[0] if words else "",
            next((word for word in words[1:] if "." not in word), ""),
            named[0] if named else "",
            body,
            reason[1] if reason else "",
        )


def prose(page: Path) -> str:
    """The text without its blocks, the lines kept."""
    return _FENCE.sub(lambda match: "\n" * match[0].count("\n"), page.read_text(encoding="utf-8"))


def inline(page: Path) -> list[tuple[int, str]]:
    """What stands between backticks, with its line."""
    text = prose(page)
    return [(text.count("\n", 0, match.start()) + 1, match[1]) for match in _INLINE.finditer(text)]


def _sh(block: Block) -> Iterator[Step]:
    begun = ""
    for number, line in enumerate(block.text.split("\n")):
        if line.endswith("\\"):
            begun += line[:-1]
        elif command := _COMMENT.sub("", begun + line).strip():
            yield Step(block.line + 1 + number, command, _code(line))
            begun = ""


def _console(block: Block) -> Iterator[Step]:
    command, at, code = "", 0, None
    shown: list[str] = []
    for number, line in enumerate([*block.text.rstrip("\n").split("\n"), "$ "]):
        if line.startswith("$ "):
            if command:
                yield Step(at, command, code, tuple(shown))
            command, at, code = _COMMENT.sub("", line[2:]).strip(), block.line + 1 + number, _code(line)
            shown = []
        else:
            assert command, f"{block.place}: begins without a command"
            shown.append(line.rstrip())


def _code(line: str) -> int | None:
    comment = _COMMENT.search(line)
    found = _CODE.search(comment[0]) if comment else None
    return int(found[1]) if found else None


_VARIES = (
    (re.compile(r"^ *\d+(?=  \d\d:)"), "ROW"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?"), "TIME"),
    (re.compile(r"\b\d\d:\d\d:\d\d(\.\d+)?"), "TIME"),
    (re.compile(r"\b\d+(\.\d+)? (ms|s)\b"), "SPAN"),
    (re.compile(r"(?<=127\.0\.0\.1:)\d+"), "PORT"),
    (re.compile(r"(?<![-.\w])\d{3,7}(?![-.\w])"), "N"),
    (re.compile(r"\b\d+(\.\d+)? (B|KiB|MiB)\b"), "SIZE"),
    (re.compile(r"(?<=PROMPTS)  FINDINGS(?=  )|(?<= )\d+ info(?=  )"), ""),
    (re.compile(r"[ \t]+"), " "),
)


def plain(line: str) -> str:
    """A printed line without what is different each time: times, ports, process ids, widths of columns, and whether
    the end of a process that ends at once was in time to be found odd."""
    for pattern, word in _VARIES:
        line = pattern.sub(word, line)
    return line.strip()


def differs(shown: tuple[str, ...], printed: str) -> str:
    """The first shown line that was not printed where it stands; empty where all is well."""
    wanted = [plain(line) for line in shown if line.strip()]
    real = [plain(line) for line in printed.split("\n") if line.strip()]
    at, free = 0, False
    for line in wanted:
        if line == "…":
            free = True
            continue
        fits = re.compile(".*".join(map(re.escape, line.split("…"))))
        while at < len(real) and free and not fits.fullmatch(real[at]):
            at += 1
        if at == len(real) or not fits.fullmatch(real[at]):
            return line
        at, free = at + 1, False
    return "" if free or at == len(real) else f"(nothing more is shown, but printed was: {real[at]})"
