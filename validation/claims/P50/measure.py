# SPDX-License-Identifier: GPL-2.0-only
"""The example of the README; a run long enough for a line of progress."""

import re
import subprocess
import time


def measure(lab):
    start = time.monotonic()
    lab.run("incast", scenario=lab.top / "scenarios" / "incast.yaml")
    first = time.monotonic() - start
    command = [lab.simulator.program, "run", lab.folder / "scenario.yaml", "--out", lab.path("x")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    progress = [line for line in done.stderr.splitlines() if "events" in line]
    return {
        "the first example": first,
        "progress tells time and speed and end": any(
            re.search(r"[0-9.]+ ?(ns|us|ms|s)\b.*events/s.*(left|ETA|to go)", line)
            for line in progress
        ),
    }
