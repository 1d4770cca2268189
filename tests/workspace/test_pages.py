"""Pages that are shown to a browser: at addresses of their own, in a box, and only as long as they are kept."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from inspector.workspace.pages import Pages


async def get(url: str, host: str | None = None, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    head = f"{method} {parts.path} HTTP/1.1\r\nHost: {host or parts.netloc}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode())
    top, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    first, *lines = top.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split()[1]), headers, body


async def test_a_page_is_served_as_it_is_under_its_policy() -> None:
    pages = Pages()
    try:
        url = await pages.show(b"<p>\xc3\xa9</p>", "sandbox; default-src 'none'")
        assert url.startswith("http://127.0.0.1:") and len(urlsplit(url).path) > 30
        status, headers, body = await get(url)
        assert (status, body) == (200, b"<p>\xc3\xa9</p>")
        assert headers["content-security-policy"] == "sandbox; default-src 'none'"
        assert (
            headers["content-type"] == "text/html; charset=utf-8" and headers["cache-control"] == "no-store"
        )
        assert headers["x-content-type-options"] == "nosniff" and "camera=()" in headers["permissions-policy"]
        assert (await get(url.rsplit("/", 1)[0] + "/"))[0] == 404
        assert (await get(url, method="POST"))[0] == 404
        assert (await get(url, host="evil.example"))[0] == 403
    finally:
        await pages.close()


async def test_the_newest_pages_are_kept_and_none_after_the_end() -> None:
    pages = Pages()
    urls = [await pages.show(str(number).encode(), "sandbox") for number in range(9)]
    assert len(set(urls)) == 9
    assert (await get(urls[0]))[0] == 404 and (await get(urls[8]))[2] == b"8"
    await pages.close()
    try:
        await get(urls[8])
    except ConnectionError:
        pass
    else:
        raise AssertionError("it still listens")
