from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.uritemplate import BadTemplate, Expression, UriTemplate, Variable, parse

VALUES: dict[str, Any] = {
    "count": ["one", "two", "three"],
    "dom": ["example", "com"],
    "dub": "me/too",
    "hello": "Hello World!",
    "half": "50%",
    "var": "value",
    "who": "fred",
    "base": "http://example.com/home/",
    "path": "/foo/bar",
    "list": ["red", "green", "blue"],
    "keys": {"semi": ";", "dot": ".", "comma": ","},
    "v": "6",
    "x": "1024",
    "y": "768",
    "empty": "",
    "empty_keys": {},
    "undef": None,
}

# What RFC 6570, section 3.2 says of each kind of expansion.
EXPANSIONS = {
    "{count}": "one,two,three", "{count*}": "one,two,three", "{/count}": "/one,two,three",
    "{/count*}": "/one/two/three", "{;count}": ";count=one,two,three", "{;count*}": ";count=one;count=two;count=three",
    "{?count}": "?count=one,two,three", "{?count*}": "?count=one&count=two&count=three",
    "{&count*}": "&count=one&count=two&count=three",
    "{var}": "value", "{hello}": "Hello%20World%21", "{half}": "50%25", "O{empty}X": "OX", "O{undef}X": "OX",
    "{x,y}": "1024,768", "{x,hello,y}": "1024,Hello%20World%21,768", "?{x,empty}": "?1024,", "?{x,undef}": "?1024",
    "?{undef,y}": "?768", "{var:3}": "val", "{var:30}": "value", "{list}": "red,green,blue",
    "{list*}": "red,green,blue", "{keys}": "semi,%3B,dot,.,comma,%2C", "{keys*}": "semi=%3B,dot=.,comma=%2C",
    "{+var}": "value", "{+hello}": "Hello%20World!", "{+half}": "50%25", "{base}index":
    "http%3A%2F%2Fexample.com%2Fhome%2Findex", "{+base}index": "http://example.com/home/index", "O{+empty}X": "OX",
    "O{+undef}X": "OX", "{+path}/here": "/foo/bar/here", "here?ref={+path}": "here?ref=/foo/bar",
    "up{+path}{var}/here": "up/foo/barvalue/here", "{+x,hello,y}": "1024,Hello%20World!,768",
    "{+path,x}/here": "/foo/bar,1024/here", "{+path:6}/here": "/foo/b/here", "{+list}": "red,green,blue",
    "{+list*}": "red,green,blue", "{+keys}": "semi,;,dot,.,comma,,", "{+keys*}": "semi=;,dot=.,comma=,",
    "{#var}": "#value", "{#hello}": "#Hello%20World!", "{#half}": "#50%25", "foo{#empty}": "foo#",
    "foo{#undef}": "foo", "{#x,hello,y}": "#1024,Hello%20World!,768", "{#path,x}/here": "#/foo/bar,1024/here",
    "{#path:6}/here": "#/foo/b/here", "{#list*}": "#red,green,blue", "{#keys}": "#semi,;,dot,.,comma,,",
    "{#keys*}": "#semi=;,dot=.,comma=,",
    "{.who}": ".fred", "{.who,who}": ".fred.fred", "{.half,who}": ".50%25.fred", "www{.dom*}": "www.example.com",
    "X{.var}": "X.value", "X{.empty}": "X.", "X{.undef}": "X", "X{.var:3}": "X.val", "X{.list}": "X.red,green,blue",
    "X{.list*}": "X.red.green.blue", "X{.keys}": "X.semi,%3B,dot,.,comma,%2C",
    "X{.keys*}": "X.semi=%3B.dot=..comma=%2C", "X{.empty_keys}": "X", "X{.empty_keys*}": "X",
    "{/who}": "/fred", "{/who,who}": "/fred/fred", "{/half,who}": "/50%25/fred", "{/who,dub}": "/fred/me%2Ftoo",
    "{/var}": "/value", "{/var,empty}": "/value/", "{/var,undef}": "/value", "{/var,x}/here": "/value/1024/here",
    "{/var:1,var}": "/v/value", "{/list}": "/red,green,blue", "{/list*}": "/red/green/blue",
    "{/list*,path:4}": "/red/green/blue/%2Ffoo", "{/keys}": "/semi,%3B,dot,.,comma,%2C",
    "{/keys*}": "/semi=%3B/dot=./comma=%2C",
    "{;who}": ";who=fred", "{;half}": ";half=50%25", "{;empty}": ";empty", "{;v,empty,who}": ";v=6;empty;who=fred",
    "{;v,bar,who}": ";v=6;who=fred", "{;x,y}": ";x=1024;y=768", "{;x,y,empty}": ";x=1024;y=768;empty",
    "{;x,y,undef}": ";x=1024;y=768", "{;hello:5}": ";hello=Hello", "{;list}": ";list=red,green,blue",
    "{;list*}": ";list=red;list=green;list=blue", "{;keys}": ";keys=semi,%3B,dot,.,comma,%2C",
    "{;keys*}": ";semi=%3B;dot=.;comma=%2C",
    "{?who}": "?who=fred", "{?half}": "?half=50%25", "{?x,y}": "?x=1024&y=768", "{?x,y,empty}": "?x=1024&y=768&empty=",
    "{?x,y,undef}": "?x=1024&y=768", "{?var:3}": "?var=val", "{?list}": "?list=red,green,blue",
    "{?list*}": "?list=red&list=green&list=blue", "{?keys}": "?keys=semi,%3B,dot,.,comma,%2C",
    "{?keys*}": "?semi=%3B&dot=.&comma=%2C",
    "{&who}": "&who=fred", "{&half}": "&half=50%25", "?fixed=yes{&x}": "?fixed=yes&x=1024",
    "{&x,y,empty}": "&x=1024&y=768&empty=", "{&x,y,undef}": "&x=1024&y=768", "{&var:3}": "&var=val",
    "{&list}": "&list=red,green,blue", "{&keys}": "&keys=semi,%3B,dot,.,comma,%2C",
    "{&keys*}": "&semi=%3B&dot=.&comma=%2C",
}  # fmt: skip


@pytest.mark.parametrize(("template", "uri"), EXPANSIONS.items())
def test_expansions_of_the_rfc(template: str, uri: str) -> None:
    assert parse(template).expand(VALUES) == uri


@pytest.mark.parametrize(
    ("template", "column"),
    [
        ("a{", 1), ("a}b", 1), ("{a{b}", 2), ("{}", 1), ("{=a}", 1), ("{|a}", 1), ("{a:}", 2), ("{a:0}", 2),
        ("{a:12345}", 2), ("{a*:3}", 3), ("{a b}", 2), ("{a,}", 3), ("{,a}", 1), ("{?}", 2), ("{a-b}", 2), ("{é}", 1),
        ("{a..b}", 2), ("{a.}", 2), ("{%zz}", 1), ("x{a}{b", 4), ("{a:3*}", 4), ("{a}}", 3), ("{+}", 2),
    ],
)  # fmt: skip
def test_a_bad_template_points_at_the_place(template: str, column: int) -> None:
    with pytest.raises(BadTemplate) as caught:
        parse(template)
    assert caught.value.column == column and caught.value.message


def test_variables_come_once_and_in_their_order() -> None:
    template = parse("repo://{owner}/{+path*}{?ref,owner}{&a.b_1,%20c:5}")
    assert list(template.variables()) == ["owner", "path", "ref", "a.b_1", "%20c"]
    expression, variable = template.variables()["path"]
    assert expression == Expression("+", (variable,)) and variable == Variable("path", explode=True)
    assert template.variables()["%20c"][1].prefix == 5
    assert parse("plain://uri").variables() == {}


def test_literals_are_copied_and_made_fit_for_a_uri() -> None:
    assert parse("a b/é?x=%20%&<>").expand({}) == "a%20b/%C3%A9?x=%20%25&%3C%3E"


def test_odd_values() -> None:
    assert parse("{a}").expand({"a": "\ud800é漢"}) == "%3F%C3%A9%E6%BC%A2"
    assert parse("{a:2}").expand({"a": "é漢x"}) == "%C3%A9%E6%BC%A2"
    assert parse("{+a}").expand({"a": "50%25 %zz"}) == "50%25%20%25zz"
    assert parse("{a}{?a*}").expand({"a": []}) == ""
    assert parse("{?a*}").expand({"a": ["", "b"]}) == "?a=&a=b"


NOISE = st.text(st.sampled_from("{}{}+#./;?&=,*:abc019_%é \x00\ud800-"), max_size=30) | st.text()


@given(NOISE, st.dictionaries(st.sampled_from("abc"), st.text() | st.lists(st.text(), max_size=3)))
def test_any_text_is_read_or_refused(text: str, values: dict[str, Any]) -> None:
    try:
        template = parse(text)
    except BadTemplate as bad:
        assert 0 <= bad.column <= len(text)
        return
    uri = template.expand(values)
    assert uri.isascii() and not set(uri) & set(' <>"{}|\\^`\n')


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_simple_value_can_be_read_back(value: str) -> None:
    uri = UriTemplate(("x://", Expression("", (Variable("a"),)))).expand({"a": value})
    assert unquote(uri) == "x://" + value and quote(value, safe="") == uri.removeprefix("x://")
