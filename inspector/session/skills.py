"""Skills that a server offers (SEP-2640): listed without a look at their files, loaded when they are wanted, and no
file used that is not what the list said."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from inspector.base.errors import Failed, fail
from inspector.base.patterns import pattern
from inspector.base.text import quoted
from inspector.protocol.listing import json_type

if TYPE_CHECKING:
    from inspector.session.answer import Answer

Request: TypeAlias = "Callable[[str, dict[str, Any]], Awaitable[Answer]]"

_PAGES = 100
_NO_DIGEST = "the list has no digest for it"
_FRONTMATTER = pattern(r"(?s)\A---\r?\n(.*?)^---\s*$", 8)


@dataclass(frozen=True, slots=True)
class File:
    """One file of a skill, as the list describes it. `digest` is `sha256:` and hexadecimal digits."""

    uri: str
    digest: str | None
    size: int | None


@dataclass(slots=True)
class Skill:
    """One entry of `skills/list`. `uri` is that of its SKILL.md, `frontmatter` what the list says stands in there."""

    uri: str
    frontmatter: dict[str, Any]
    files: dict[str, File] = field(default_factory=dict)

    @property
    def name(self) -> str:
        name = self.frontmatter.get("name")
        return name if isinstance(name, str) else self.uri


@dataclass(slots=True)
class Skills:
    """What `skills/list` gave on all pages. `warnings` say what of it could not be used, and where it may go on."""

    skills: list[Skill] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def find(self, uri: str) -> Skill | None:
        """The skill that a file belongs to."""
        return next((skill for skill in self.skills if uri == skill.uri or uri in skill.files), None)


async def list_skills(request: Request) -> Skills:
    """All skills, on all pages; entries without a URI are passed over. Reads no file. Raises Failed where not even the
    first page can be read."""
    listed = Skills()
    cursor: str | None = None
    seen: set[str] = set()
    for page in range(_PAGES):
        try:
            result = _result(await request("skills/list", {} if cursor is None else {"cursor": cursor}))
            entries = result.get("skills")
            if not isinstance(entries, list):
                said = f"skills/list answered {json_type(entries)} in place of a list"
                raise fail("protocol", said, "see the raw frame")
        except Failed as failed:
            if page == 0:
                raise
            told = (
                f"page {page + 1} of skills/list failed: {failed.failure.message}; the list may be incomplete"
            )
            listed.warnings.append(told)
            return listed
        for index, entry in enumerate(entries):
            if isinstance(entry, dict) and isinstance(entry.get("uri"), str):
                listed.skills.append(_skill(entry))
            else:
                listed.warnings.append(f"entry {index} on page {page + 1} of skills/list has no URI")
        following = result.get("nextCursor")
        if not isinstance(following, str):
            return listed
        if following in seen:
            listed.warnings.append(
                f"repeated cursor after page {page + 1}: {quoted(following, 80)}; skills/list loops"
            )
            return listed
        seen.add(following)
        cursor = following
    listed.warnings.append(f"page budget of {_PAGES} used up; skills/list may go on")
    return listed


def _skill(entry: dict[str, Any]) -> Skill:
    told, listed = entry.get("frontmatter"), entry.get("resources")
    skill = Skill(entry["uri"], told if isinstance(told, dict) else {})
    for part in listed if isinstance(listed, list) else []:
        if isinstance(part, dict) and isinstance(uri := part.get("uri"), str):
            digest, size = part.get("digest"), part.get("size")
            skill.files[uri] = File(
                uri, digest if isinstance(digest, str) else None, size if type(size) is int else None
            )
    return skill


async def load(request: Request, skill: Skill) -> str:
    """The text of its SKILL.md. Raises Failed where it is not what the list said: then nothing of the skill may be
    used."""
    return (await read(request, skill, skill.uri)).decode("utf-8", "replace")


async def read(request: Request, skill: Skill, uri: str) -> bytes:
    """One file of a skill. Raises Failed where it is not what the list said; without a digest it is not asked for."""
    listed = skill.files.get(uri)
    if listed is None or listed.digest is None:
        raise _differs(uri, _NO_DIGEST)
    data = data_of(await request("resources/read", {"uri": uri}), uri)
    if misfits := compare(skill, uri, data):
        raise _differs(uri, misfits[0])
    return data


def data_of(answer: Answer, uri: str) -> bytes:
    """The bytes of the one content of an answer to `resources/read`. Raises Failed."""
    return _data(_result(answer), uri)


def compare(skill: Skill, uri: str, data: bytes) -> list[str]:
    """How a file that was read differs from what the list said of it: size, digest, and the frontmatter of SKILL.md."""
    listed = skill.files.get(uri)
    misfits: list[str] = []
    if listed is not None and listed.size is not None and len(data) != listed.size:
        misfits.append(f"it has {len(data)} byte{'' if len(data) == 1 else 's'}, not {listed.size}")
    if listed is None or listed.digest is None:
        misfits.append(_NO_DIGEST)
    else:
        algorithm, _, expected = listed.digest.partition(":")
        if algorithm != "sha256":
            misfits.append(f"its digest is of the unknown kind {quoted(algorithm, 40)}")
        elif hashlib.sha256(data).hexdigest() != expected.lower():
            misfits.append("its content has another digest")
    if uri == skill.uri:
        found = _frontmatter(data.decode("utf-8", "replace"))
        misfits += [
            f"its frontmatter says {quoted(found.get(name), 80)} for {name}, "
            f"not {quoted(skill.frontmatter.get(name), 80)}"
            for name in sorted(found.keys() | skill.frontmatter.keys(), key=str)
            if found.get(name) != skill.frontmatter.get(name)
        ]
    return misfits


def _differs(uri: str, why: str) -> Failed:
    hint = "nothing of this skill is used; its list and its files do not belong together"
    return fail("protocol", f"{uri} is not what skills/list said: {why}", hint)


def _result(answer: Answer) -> dict[str, Any]:
    if answer.failure is not None:
        raise Failed(answer.failure)
    return answer.result if isinstance(answer.result, dict) else {}


def _data(result: dict[str, Any], uri: str) -> bytes:
    contents = result.get("contents")
    part = contents[0] if isinstance(contents, list) and len(contents) == 1 else None
    if isinstance(part, dict) and isinstance(text := part.get("text"), str):
        return text.encode("utf-8", "surrogatepass")
    if isinstance(part, dict) and isinstance(blob := part.get("blob"), str):
        try:
            return base64.b64decode(blob, validate=True)
        except ValueError as error:
            raise fail("protocol", f"{uri} is no base64: {error}", "see the raw frame") from error
    raise fail("protocol", f"resources/read of {uri} gave no single content", "see the raw frame")


def body_of(text: str) -> str:
    """A SKILL.md without its frontmatter."""
    match = _FRONTMATTER.match(text.removeprefix("\ufeff"))
    return text.removeprefix("\ufeff")[match.end() :].lstrip("\r\n") if match is not None else text


def _frontmatter(text: str) -> dict[str, Any]:
    match = _FRONTMATTER.match(text.removeprefix("\ufeff"))
    if match is None:
        return {}
    import yaml

    try:
        value = yaml.safe_load(match.group(1))
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
