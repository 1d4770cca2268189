"""Runs a command and says last on stderr what it cost: milliseconds until it ended, of processor time, and MiB of the
largest of its processes. `python cost.py SECONDS COMMAND...`; ends as the command did."""

import os
import resource
import signal
import subprocess
import sys
import time

began = time.perf_counter()
process = subprocess.Popen(
    sys.argv[2:],
    stdin=subprocess.DEVNULL,
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
    start_new_session=True,
)
try:
    code = process.wait(float(sys.argv[1]))
except subprocess.TimeoutExpired:
    os.killpg(process.pid, signal.SIGKILL)
    code = process.wait() or 1
took = (time.perf_counter() - began) * 1000
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(took, (used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss / 1024, file=sys.stderr)
sys.exit(1 if code else 0)
