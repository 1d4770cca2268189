"""What came, went and changed in a list that was read again."""

from typing import Any

from inspector.base.errors import Failure
from inspector.session.listings import Listing
from inspector.workspace.relisted import ListChanges


def _tool(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"}, **more}


def _took(changes: ListChanges, *entries: Any, kind: Any = "tools") -> str:
    """What is said last, after these entries were listed."""
    changes.took(kind, Listing(kind, list(entries)))
    return str(changes.changes[-1]) if changes.changes else ""


def test_what_is_new_gone_or_otherwise_is_told_by_name_and_member() -> None:
    changes = ListChanges()
    assert _took(changes, _tool("a"), _tool("b"), _tool("c")) == ""
    assert _took(changes, _tool("c"), _tool("a"), _tool("b")) == ""  # only the order
    told = _took(changes, _tool("a", description="d"), _tool("c"), _tool("new"))
    assert told == "tools: + new; − b; ~ a (description)"
    last = changes.changes[-1]
    assert [len(last.before), len(last.after)] == [3, 3] and changes.count == 1
    assert _took(changes, *(_tool(f"t{number}") for number in range(9))).startswith(
        "tools: + t0, t1, t2, t3 and 5"
    )


def test_other_lists_and_failures_are_no_change_of_this_one() -> None:
    changes = ListChanges()
    _took(changes, _tool("a"))
    _took(changes, {"name": "p"}, kind="prompts")
    changes.took("tools", Listing("tools", failure=Failure(kind="io", message="gone")))
    assert changes.count == 0
    assert _took(changes) == "tools: − a"


def test_of_two_with_one_name_the_first_counts_and_odd_entries_are_told_by_their_place() -> None:
    changes = ListChanges()
    _took(changes, _tool("a"), _tool("a", description="second"))
    assert _took(changes, _tool("a")) == ""
    assert _took(changes, _tool("a"), 5) == "tools: + entry 1"
    for number in range(30):
        _took(changes, _tool("a"), number)
    assert len(changes.changes) < 10 < changes.count
