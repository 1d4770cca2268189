"""Cases for the rules of `inspector.check.asking`."""

from __future__ import annotations

from check.conversation import (
    Case,
    answers,
    asks,
    fails,
    message,
    old,
    sent,
    tells,
    wants,
)
from check.samples import ASK_FORM, GIVEN, LINK, SAMPLE, USE

from inspector.check.rules import V24

CASES: dict[str, Case] = {
    "C01": (old(wants("roots/list"), client={}), old(wants("roots/list"))),
    "C12": (old(wants("ping"), version=V24), old(asks("ping"), answers({}), version=V24)),
    "C02": (
        old(wants("elicitation/create", LINK), client={"elicitation": {}}),
        old(wants("elicitation/create", LINK)),
    ),
    "C03": (
        old(
            wants(
                "elicitation/create",
                {
                    "message": "m",
                    "requestedSchema": {"type": "object", "properties": {"a": {"type": "object"}}},
                },
            )
        ),
        old(wants("elicitation/create", ASK_FORM)),
    ),
    "C04": (
        old(
            wants(
                "elicitation/create",
                {
                    "message": "m",
                    "requestedSchema": {"type": "object", "properties": {"password": {"type": "string"}}},
                },
            )
        ),
        old(wants("elicitation/create", ASK_FORM)),
    ),
    "C05": (
        old(wants("elicitation/create", {**LINK, "url": "ftp://example.com"})),
        old(wants("elicitation/create", LINK)),
    ),
    "C06": (
        old(
            wants("elicitation/create", {key: value for key, value in LINK.items() if key != "elicitationId"})
        ),
        old(wants("elicitation/create", LINK), tells("elicitation/complete", {"elicitationId": "e"})),
    ),
    "C07": (
        old(asks("tools/call", {"name": "t"}), fails(-32042)),
        old(asks("tools/call", {"name": "t"}), fails(-32042, data={"elicitations": [LINK]})),
    ),
    "C08": (
        old(wants("sampling/createMessage", {"messages": []})),
        old(wants("sampling/createMessage", SAMPLE)),
    ),
    "C09": (
        old(wants("sampling/createMessage", {**SAMPLE, "messages": [USE]})),
        old(wants("sampling/createMessage", {**SAMPLE, "messages": [USE, GIVEN]})),
    ),
    "C10": (
        old(
            wants("sampling/createMessage", {**SAMPLE, "includeContext": "thisServer"}),
            client={"sampling": {}},
        ),
        old(wants("sampling/createMessage", {**SAMPLE, "includeContext": "thisServer"})),
    ),
    "C11": (
        old(wants("roots/list"), sent(message(id=1, result={"roots": [{"uri": "https://a"}]}))),
        old(wants("roots/list"), sent(message(id=1, result={"roots": [{"uri": "file:///a"}]}))),
    ),
}
