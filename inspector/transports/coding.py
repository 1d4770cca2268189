"""Unpacks the content coding of an HTTP body in small pieces, so that a few bytes never become gigabytes at once."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, AsyncIterator

from inspector.base.errors import fail

ACCEPTED = "gzip, deflate"
"""What we say we take: what can be unpacked here."""
PIECE = 1024 * 1024
"""Bytes that are unpacked at once; whoever reads the pieces counts them and stops where it is too much."""

_MAGIC = b"\x1f\x8b"


async def decoded(body: AsyncIterable[bytes], coding: str) -> AsyncIterator[bytes]:
    """The body as it was before `coding`, the value of `Content-Encoding`, in pieces of at most `PIECE` bytes where
    it was packed. Raises Failed: protocol for a coding that we did not offer and for what is not packed as it says,
    stream for a body that ends in the middle."""
    name = coding.strip().lower()
    if name in ("", "identity"):
        async for chunk in body:
            yield chunk
        return
    if name not in ("gzip", "x-gzip", "deflate"):
        raise fail(
            "protocol", f"the body is packed as {name}, which was not asked for", f"we accept {ACCEPTED}"
        )
    packed = b""
    first = True
    unpacker: zlib._Decompress | None = None
    async for chunk in body:
        packed += chunk
        if unpacker is None and name == "deflate" and len(packed) < 2:
            continue
        try:
            while packed:
                if unpacker is None:
                    if not first and not packed.startswith(_MAGIC[: len(packed)]):
                        # Padding behind the last member, which every reader of gzip passes over.
                        packed = b""
                        break
                    unpacker, first = _unpacker(name, packed), False
                piece = unpacker.decompress(packed, PIECE)
                if piece:
                    yield piece
                packed = unpacker.unconsumed_tail
                if unpacker.eof:
                    # A second member may follow the first (RFC 1952, 2.2).
                    packed, unpacker = unpacker.unused_data, None
                elif not packed and len(piece) == PIECE:
                    while piece := unpacker.decompress(b"", PIECE):
                        yield piece
        except zlib.error as error:
            raise fail(
                "protocol", f"the body says that it is {name}, and is not: {error}", "a gateway may change it"
            ) from error
    if unpacker is not None or packed:
        raise fail("stream", f"the {name} body ended in the middle", "the server or a gateway cut it")


def _unpacker(name: str, head: bytes) -> zlib._Decompress:
    if name != "deflate":
        return zlib.decompressobj(16 + zlib.MAX_WBITS)
    # Some send the bare stream, though the standard says that it is wrapped (RFC 9110, 8.4.1.2).
    wrapped = head[0] & 0x0F == 8 and (head[0] << 8 | head[1]) % 31 == 0
    return zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
