# SPDX-License-Identifier: GPL-2.0-only
"""The example of the README; a run that is long enough for a line of progress."""

import re
import signal
import time

TIME_SPEED_END = re.compile(r"[0-9.]+ ?(ns|us|ms|s)\b.*events/s.*(left|ETA|to go)")


def measure(lab):
    start = time.monotonic()
    lab.run("incast", scenario=lab.top / "scenarios" / "incast.yaml")
    first = time.monotonic() - start
    _, told = lab.stop("long", signal.SIGINT)
    return {
        "the first example": first,
        "progress tells time and speed and end": bool(TIME_SPEED_END.search(told)),
    }
