"""Passes on the streams of a command and writes each byte down: `witness.py FILE COMMAND...`, to FILE.in and .out."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

file, *command = sys.argv[1:]
process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
assert process.stdin is not None and process.stdout is not None


def move(source: int, target: int, copy: Path) -> None:
    with copy.open("wb", buffering=0) as kept:
        try:
            while data := os.read(source, 65536):
                kept.write(data)
                os.write(target, data)
        except OSError:
            pass
        finally:
            os.close(target)


threading.Thread(target=move, args=(0, process.stdin.fileno(), Path(f"{file}.in")), daemon=True).start()
back = threading.Thread(target=move, args=(process.stdout.fileno(), 1, Path(f"{file}.out")))
back.start()
code = process.wait()
back.join()
os._exit(code)
