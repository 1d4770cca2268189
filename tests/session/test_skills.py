"""Skills of a server: nothing is read before it is wanted, and nothing is used that is not what was listed."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from live import http

from inspector.base.errors import Failed, Failure
from inspector.protocol import jsonrpc
from inspector.session.answer import Answer
from inspector.session.session import Options
from inspector.session.skills import list_skills, load, read
from inspector.transports.httpd import Request, Response, serve

MAIN, EXTRA = "skill://pdf/SKILL.md", "skill://pdf/FORMS.md"
TEXT = "---\nname: pdf\ndescription: Works with PDF\nlevels: [1, 2]\n---\n\nThe body.\n"
TOLD = {"name": "pdf", "description": "Works with PDF", "levels": [1, 2]}


def described(uri: str, text: str, **more: Any) -> dict[str, Any]:
    data = text.encode()
    return {"uri": uri, "digest": f"sha256:{hashlib.sha256(data).hexdigest()}", "size": len(data)} | more


class Shelf:
    """Serves skills; tests change what is listed and what the files hold."""

    def __init__(self) -> None:
        self.files = {MAIN: {"text": TEXT}, EXTRA: {"blob": "Zm9ybXM="}}
        self.listed: list[Any] = [
            {
                "uri": MAIN,
                "frontmatter": TOLD,
                "resources": [described(MAIN, TEXT), described(EXTRA, "forms")],
            }
        ]
        self.methods: list[str] = []

    async def __call__(self, request: Request) -> Response:
        message = json.loads(request.body)
        method, params = message["method"], message["params"]
        self.methods.append(method)
        result: dict[str, Any] = {"supportedVersions": ["2026-07-28"], "capabilities": {}}
        if method == "skills/list":
            second = "cursor" in params
            result = {"skills": self.listed if second else [7, {"no": "uri"}]} | (
                {} if second else {"nextCursor": "2"}
            )
        elif method == "resources/read":
            result = {"contents": [{"uri": params["uri"], **self.files[params["uri"]]}]}
        body = {"jsonrpc": "2.0", "id": message["id"], "result": {"resultType": "complete", **result}}
        return Response(200, json.dumps(body).encode(), (("Content-Type", "application/json"),))


async def used(shelf: Shelf) -> tuple[str, bytes]:
    """The first skill, loaded, and its other file."""
    async with (
        serve(shelf) as server,
        http(f"{server.url}/mcp", options=Options(connect_timeout=20)) as session,
    ):
        await session.connect()
        listed = await list_skills(session.request)
        (skill,) = listed.skills
        assert [told.partition(" has")[0] for told in listed.warnings] == [
            "entry 0 on page 1 of skills/list", "entry 1 on page 1 of skills/list",
        ]  # fmt: skip
        assert listed.find(EXTRA) is skill and listed.find("skill://other") is None
        assert skill.name == "pdf" and shelf.methods == ["server/discover", "skills/list", "skills/list"]
        return await load(session.request, skill), await read(session.request, skill, EXTRA)


async def test_a_skill_is_loaded_when_it_is_wanted() -> None:
    assert await used(Shelf()) == (TEXT, b"forms")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda shelf: shelf.files[MAIN].update(text=TEXT.replace("body", "BODY")), "another digest"),
        (lambda shelf: shelf.files[MAIN].update(text=TEXT + "more"), "bytes, not"),
        (lambda shelf: shelf.listed[0].update(frontmatter={**TOLD, "name": "pdf", "levels": [1]}), "levels"),
        (lambda shelf: shelf.listed[0].update(frontmatter={**TOLD, "hidden": True}), "hidden"),
        (lambda shelf: shelf.listed[0]["resources"].pop(0), "no digest"),
        (lambda shelf: shelf.listed[0]["resources"][0].update(digest="md5:00"), "unknown kind 'md5'"),
        (lambda shelf: shelf.files[EXTRA].update(blob="!"), "no base64"),
        (lambda shelf: shelf.files[EXTRA].update(blob=None), "no single content"),
    ],
)  # fmt: skip
async def test_what_is_not_as_listed_is_not_used(change: Any, words: str) -> None:
    shelf = Shelf()
    change(shelf)
    with pytest.raises(Failed) as failed:
        await used(shelf)
    assert words in failed.value.failure.message and failed.value.failure.kind == "protocol"


async def test_a_list_without_an_end_is_left_and_a_broken_page_costs_itself() -> None:
    for mode, words in (
        ("endless", "page budget"),
        ("stuck", "loops"),
        ("breaks", "page 2 of skills/list failed"),
    ):

        async def request(method: str, params: dict[str, Any], mode: str = mode) -> Any:
            page = int(params.get("cursor", 0))
            cursor = "1" if mode == "stuck" else str(page + 1)
            if mode == "breaks" and page:
                raise Failed(Failure(kind="stream", message="gone"))
            result = {"skills": [{"uri": f"skill://{page}/SKILL.md"}], "nextCursor": cursor}
            raw = json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()
            return Answer(raw, jsonrpc.read(raw), 0, 0, 0.0)

        listed = await list_skills(request)
        assert listed.skills and len(listed.warnings) == 1 and words in listed.warnings[0]
