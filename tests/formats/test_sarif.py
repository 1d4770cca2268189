"""SARIF logs, as far as the schema of OASIS goes for what we write."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from inspector.formats.sarif import Kind, Result, document
from inspector.schema.validate import Checker

TEXT = some.text(max_size=30)
LEVELS = some.sampled_from(["error", "warning", "note"])
KINDS = some.lists(
    some.builds(Kind, TEXT, TEXT, LEVELS), min_size=1, max_size=4, unique_by=lambda kind: kind.id
)
FILES = some.sampled_from(["", "a.mcprec", "a%20b.mcprec", "file:///a/b.mcprec"])

MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
RULE = {
    "type": "object", "required": ["id"], "additionalProperties": False,
    "properties": {
        "id": {"type": "string"}, "shortDescription": MESSAGE, "helpUri": {"type": "string", "minLength": 1},
        "defaultConfiguration": {"properties": {"level": {"enum": ["none", "note", "warning", "error"]}}},
    },
}  # fmt: skip
PLACE = {
    "type": "object", "additionalProperties": False,
    "properties": {
        "logicalLocations": {"type": "array", "items": {"required": ["fullyQualifiedName"]}},
        "physicalLocation": {
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {"properties": {"uri": {"type": "string", "pattern": "^[^ \\\\]*$"}}},
                "region": {"properties": {"startLine": {"type": "integer", "minimum": 1}}},
            },
        },
    },
}  # fmt: skip
RESULT = {
    "type": "object", "required": ["message"], "additionalProperties": False,
    "properties": {
        "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": -1}, "message": MESSAGE,
        "level": {"enum": ["none", "note", "warning", "error"]}, "locations": {"type": "array", "items": PLACE},
    },
}  # fmt: skip
DRIVER = {
    "required": ["name"],
    "properties": {"rules": {"type": "array", "uniqueItems": True, "items": RULE}},
}
LOG = {
    "type": "object", "required": ["version", "runs"], "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string"}, "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": {
            "required": ["tool"], "additionalProperties": False,
            "properties": {
                "tool": {"required": ["driver"], "properties": {"driver": DRIVER}},
                "results": {"type": "array", "items": RESULT},
            },
        }},
    },
}  # fmt: skip
"""What the schema asks of the members that are written; where it allows others, those are not written."""


@given(KINDS, some.data())
def test_every_log_has_the_shape_that_the_schema_asks_for(kinds: list[Kind], data: some.DataObject) -> None:
    ids = some.sampled_from([kind.id for kind in kinds])
    places = some.lists(TEXT, max_size=3)
    results = data.draw(
        some.lists(some.builds(Result, ids, LEVELS, TEXT, places, FILES, some.integers(0, 9)))
    )
    log = document(kinds, results)
    assert Checker(LOG).check(log).errors == []
    (run,) = log["runs"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
