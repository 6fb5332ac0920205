# SPDX-License-Identifier: GPL-2.0-only
"""SIGINT and SIGKILL in the middle of a long run."""

import json
import signal


def measure(lab):
    interrupted, _ = lab.stop("interrupted", signal.SIGINT)
    summary = json.loads((interrupted / "summary.json").read_text())
    rows = (interrupted / "flows.csv").read_text().splitlines()
    killed, _ = lab.stop("killed", signal.SIGKILL)
    return {
        "marked partial after Ctrl-C": summary["partial"] and bool(summary["partial_reason"]),
        "rows of flows after Ctrl-C": len(rows) - 1,
        "summary after a kill": (killed / "summary.json").exists(),
    }
