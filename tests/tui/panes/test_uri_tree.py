from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inspector.tui.panes.uri_tree import Entry, UriTree, matching, segments

URIS = st.text(st.sampled_from("abx:/?#{}.é"), max_size=25) | st.text(max_size=20)


def tree_of(*uris: str) -> UriTree:
    tree = UriTree()
    tree.plant([Entry(str(number), uri) for number, uri in enumerate(uris)])
    return tree


def shown(tree: UriTree) -> list[str]:
    return [
        "  " * row.depth + row.text + ("" if row.kind == "entry" else f" ({row.count})")
        for row in tree.rows()
    ]


def test_what_uris_have_in_common_stands_once() -> None:
    tree = tree_of("file:///home/a/x.txt", "file:///home/a/y.txt", "file:///home/b/z.txt", "other://x")
    assert shown(tree) == [
        "file:///home/ (3)",
        "  a/ (2)",
        "    x.txt",
        "    y.txt",
        "  b/z.txt",
        "other://x",
    ]


def test_branches_close_and_open_and_what_is_hidden_is_revealed() -> None:
    tree = tree_of("x://a/1", "x://a/2", "x://b")
    tree.closed.add("x://a/")
    assert shown(tree) == ["x:// (3)", "  a/ (2)", "  b"]
    tree.reveal("1")
    assert shown(tree) == ["x:// (3)", "  a/ (2)", "    1", "    2", "  b"]


def test_a_long_list_begins_with_its_branches_closed() -> None:
    tree = tree_of(*(f"x://{number % 10}/{number}" for number in range(1000)))
    assert len(shown(tree)) == 11 and shown(tree)[1] == "  0/ (100)"


@given(URIS)
def test_segments_joined_are_the_uri(uri: str) -> None:
    assert "".join(segments(uri)) == uri


@given(st.lists(URIS, max_size=20))
def test_every_entry_has_its_line(uris: list[str]) -> None:
    rows = list(tree_of(*uris).rows())
    assert sorted(row.entry.key for row in rows if row.entry is not None) == sorted(
        map(str, range(len(uris)))
    )
    assert all(row.entry is None or row.entry.uri.endswith(row.text) for row in rows)


@given(
    st.lists(URIS, max_size=10), st.text(st.sampled_from("abx: /é"), min_size=1, max_size=6).filter(str.strip)
)
def test_a_filter_finds_what_holds_its_words(uris: list[str], query: str) -> None:
    entries = [Entry(str(number), uri) for number, uri in enumerate(uris)]
    found = {row.entry.key for row in matching(entries, query) if row.entry is not None}
    wanted = {
        entry.key
        for entry in entries
        if all(word in entry.uri.casefold() for word in query.casefold().split())
    }
    assert wanted <= found


def test_the_beginning_of_a_name_comes_first() -> None:
    entries = [Entry("1", "x://abc/late"), Entry("2", "x://d/abc"), Entry("3", "x://a-b-c")]
    assert [row.path for row in matching(entries, "abc")] == ["x://d/abc", "x://abc/late", "x://a-b-c"]
