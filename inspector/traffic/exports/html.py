"""One page that loads nothing: its policy lets in our own style and script by their hashes, and nothing else. Foreign
text is made visible and escaped, and is never markup."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape

from inspector.base.text import bytes_size, clip, duration, visible, visible_block
from inspector.traffic import show
from inspector.traffic.exports.source import Source
from inspector.traffic.rows import Row

_STYLE = """
:root{color-scheme:light dark;--back:#fff;--text:#1c2024;--dim:#60646c;--line:#e0e1e6;--code:#f6f7f9;
--out:#0b68cb;--in:#18794e;--bad:#c62a2f;--mark:#fff3c4}
@media (prefers-color-scheme:dark){:root{--back:#111315;--text:#e6e8eb;--dim:#9ba1a6;--line:#2b2f31;--code:#1a1d1e;
--out:#70b8ff;--in:#5bb98b;--bad:#ff8589;--mark:#3f3000}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:14px/1.5 system-ui,sans-serif}
header{position:sticky;top:0;background:var(--back);border-bottom:1px solid var(--line);padding:.8rem 1rem}
h1{font-size:1.1rem;margin:0 0 .3rem}
p{margin:.2rem 0;color:var(--dim);overflow-wrap:anywhere}
p.loud{color:var(--bad);font-weight:600}
input{width:100%;max-width:40rem;padding:.4rem .6rem;font:inherit;color:inherit;background:var(--code);
border:1px solid var(--line);border-radius:6px}
main{padding:.5rem 1rem 3rem}
details{border-bottom:1px solid var(--line)}
details details{border:0;border-left:3px solid var(--line);margin:.2rem 0 .2rem 1rem;padding-left:.5rem}
summary{cursor:pointer;padding:.25rem 0;font-family:ui-monospace,monospace;font-size:13px;overflow-wrap:anywhere}
summary:hover{background:var(--code)}
summary i{font-style:normal;color:var(--dim)}
.c2s>summary b{color:var(--out)}.s2c>summary b{color:var(--in)}.bad>summary b,.bad>summary u{color:var(--bad)}
u{text-decoration:none}
pre{margin:.3rem 0 .6rem;padding:.6rem .8rem;background:var(--code);border-radius:6px;overflow:auto;max-height:40rem;
font:12.5px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
[hidden]{display:none}
"""
_SCRIPT = """
const box=document.querySelector('input'),count=document.querySelector('output');
const rows=[...document.querySelectorAll('main>details')];
function filter(){const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);let shown=0;
for(const row of rows){const text=row.textContent.toLowerCase();
row.hidden=!words.every(word=>text.includes(word));shown+=!row.hidden}
count.textContent=shown+' of '+rows.length}
box.addEventListener('input',filter);filter();
"""


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


_HEAD = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src {_hash(_STYLE)}; \
script-src {_hash(_SCRIPT)}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">
<title>MCP recording</title><style>{_STYLE}</style></head>
"""


def pieces(source: Source) -> Iterator[bytes]:
    yield (_HEAD + "<body><header>\n" + "".join(_about(source)) + "</header>\n<main>\n").encode()
    rows = set(source.rows)
    for number in source.rows:
        row = source.row(number)
        is_answer = row.kind in ("response", "error")
        if not (is_answer and row.peer in rows):
            yield "".join(_exchange(source, row)).encode("utf-8", "backslashreplace")
    yield f"</main>\n<script>{_SCRIPT}</script></body></html>\n".encode()


def _about(source: Source) -> Iterator[str]:
    base = source.traffic.base_time
    created = time.strftime(" of %Y-%m-%d %H:%M:%S", time.localtime(base)) if base else ""
    yield f"<h1>MCP recording{created}</h1>\n"
    for session in sorted(source.traffic.sessions):
        facts = source.facts(session)
        command, info = facts.get("command"), facts.get("serverInfo")
        where = " ".join(map(str, command)) if type(command) is list else facts.get("url", "")
        name = f"{info.get('name')} {info.get('version')}" if type(info) is dict else ""
        told = (
            source.traffic.label(session),
            facts.get("transport"),
            where,
            name,
            facts.get("protocolVersion"),
        )
        yield f"<p>{_text(' · '.join(str(part) for part in told if part))}</p>\n"
    for note in source.traffic.notes:
        yield f"<p>▲ {_text(note)}</p>\n"
    if source.redaction is None:
        yield "<p class=loud>Secrets were not masked: this page may hold some.</p>\n"
    yield '<p><input type="search" placeholder="filter: words that a frame holds" aria-label="filter"> '
    yield f"<output></output></p><noscript><p>{len(source.rows)} frames</p></noscript>\n"


def _exchange(source: Source, row: Row) -> Iterator[str]:
    """A frame, with its answer inside where it has one."""
    answer = None
    if row.kind == "request" and row.peer is not None and row.state not in ("pending", "cancelled"):
        answer = source.row(row.peer)
    last = answer or row
    bad = last.kind in ("error", "invalid") or last.state in ("tool error", "unknown", "duplicate")
    yield f'<details class="{row.channel}{" bad" if bad else ""}">'
    yield _summary(source, row, answer)
    if answer is None:
        yield _frame(source, row)
    else:
        for part in (row, answer):
            yield f'<details open class="{part.channel}">{_summary(source, part, None)}{_frame(source, part)}</details>'
    yield "</details>\n"


def _summary(source: Source, row: Row, answer: Row | None) -> str:
    moment = show.clock(source.traffic.base_time + row.time)
    parts = [
        f"<i>{row.number} {moment} {_text(clip(row.server, 40))}</i>",
        f"<b>{show.ARROWS[row.channel]} {_text(show.outcome(row))}</b>",
    ]
    if answer is not None:
        told = answer.summary if answer.kind == "response" else f"error {answer.summary}"
        took = duration(row.took) if row.took is not None else ""
        parts += [f"<u>{show.ARROWS[answer.channel]} {_text(told)}</u>", f"<i>{took}</i>"]
    else:
        parts.append(f"<i>{bytes_size(row.size)}</i>")
    if row.note:
        parts.append(f"<mark>{_text(show.note(row))}</mark>")
    return f"<summary>{' '.join(parts)}</summary>"


def _frame(source: Source, row: Row) -> str:
    return f"<pre>{escape(visible_block(source.pretty(row.number)))}</pre>"


def _text(text: str) -> str:
    return escape(visible(text))
