"""A picture made small, in a process of its own that is run by the path of this file: a picture that is hostile costs
only itself.

`thumbnail.py WIDTH HEIGHT PIXELS RED,GREEN,BLUE < picture`: writes a line with the width and height that it has now,
then its pixels as three bytes each, over that ground where it is not opaque. A picture of more than so many PIXELS is
not unpacked. What is wrong is told on stderr, with exit code 1. Needs Pillow; imports nothing of ours.
"""

from __future__ import annotations

import sys
from io import BytesIO

_FORMATS = ("PNG", "GIF", "JPEG", "WEBP", "BMP")
_MEMORY = 1 << 30


def main() -> int:
    width, height, pixels = map(int, sys.argv[1:4])
    ground = tuple(map(int, sys.argv[4].split(",")))
    _limit_memory()
    try:
        from PIL import Image

        Image.MAX_IMAGE_PIXELS = None
        with Image.open(BytesIO(sys.stdin.buffer.read()), formats=_FORMATS) as opened:
            if opened.width * opened.height > pixels:
                raise ValueError(
                    f"it has {opened.width:,} × {opened.height:,} pixels, too many to be shown here"
                )
            opened.draft("RGB", (2 * width, 2 * height))
            image = opened.convert("RGBA")
        image.thumbnail((width, height))
        shown = Image.new("RGBA", image.size, (*ground, 255))
        shown.alpha_composite(image)
        sys.stdout.buffer.write(b"%d %d\n" % shown.size + shown.convert("RGB").tobytes())
    except Exception as error:
        known = isinstance(error, ValueError | OSError) and "object at" not in f"{error}"
        said = f"{error}" if known else "its bytes make no picture"
        sys.stderr.buffer.write(said.encode("utf-8", "replace"))
        return 1
    return 0


def _limit_memory() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    except (ImportError, ValueError, OSError):
        pass  # there is no such limit here


if __name__ == "__main__":
    sys.exit(main())
