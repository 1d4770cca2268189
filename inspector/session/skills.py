"""Skills that a server offers (SEP-2640): listed without a look at their files, loaded when they are wanted, and no
file used that is not what the list said."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from inspector.base.errors import Failed, fail
from inspector.base.patterns import pattern
from inspector.protocol.listing import json_type

if TYPE_CHECKING:
    from inspector.session.dispatcher import Answer
    from inspector.session.session import Session

_PAGES = 100
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


async def list_skills(session: Session) -> list[Skill]:
    """All skills, on all pages; entries without a URI are passed over. Reads no file. Raises Failed."""
    skills: list[Skill] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        answer = await session.request("skills/list", {} if cursor is None else {"cursor": cursor})
        result = _result(answer)
        entries = result.get("skills")
        if not isinstance(entries, list):
            raise fail(
                "protocol",
                f"skills/list answered {json_type(entries)} in place of a list",
                "see the raw frame",
            )
        skills += [
            _skill(entry)
            for entry in entries
            if isinstance(entry, dict) and isinstance(entry.get("uri"), str)
        ]
        following = result.get("nextCursor")
        if not isinstance(following, str) or following == cursor:
            break
        cursor = following
    return skills


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


async def load(session: Session, skill: Skill) -> str:
    """The text of its SKILL.md. Raises Failed where it is not what the list said: then nothing of the skill may be
    used."""
    text = (await read(session, skill, skill.uri)).decode("utf-8", "replace")
    found = _frontmatter(text)
    for name in sorted(found.keys() | skill.frontmatter.keys(), key=str):
        if found.get(name) != skill.frontmatter.get(name):
            raise _differs(
                skill.uri,
                f"its frontmatter says {found.get(name)!r:.80} for {name}, not {skill.frontmatter.get(name)!r:.80}",
            )
    return text


async def read(session: Session, skill: Skill, uri: str) -> bytes:
    """One file of a skill, checked against the size and the digest of the list. Raises Failed."""
    listed = skill.files.get(uri)
    if listed is None or listed.digest is None:
        raise _differs(uri, "the list has no digest for it")
    data = _data(_result(await session.request("resources/read", {"uri": uri})), uri)
    if listed.size is not None and len(data) != listed.size:
        raise _differs(uri, f"it has {len(data)} bytes, not {listed.size}")
    algorithm, _, expected = listed.digest.partition(":")
    if algorithm != "sha256":
        raise _differs(uri, f"its digest is of the unknown kind {algorithm!r:.40}")
    if hashlib.sha256(data).hexdigest() != expected.lower():
        raise _differs(uri, "its content has another digest")
    return data


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
