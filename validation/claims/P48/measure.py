# SPDX-License-Identifier: GPL-2.0-only
"""SIGINT and SIGKILL in the middle of a long run."""

import json
import signal
import subprocess
import time

from rdmasim_validation.lab import MeasureError

PATIENCE_S = 60


def stop_with(lab, name, number):
    """Starts a run, sends it a signal once it simulates, returns its folder."""
    out = lab.path(name)
    log = open(lab.path(f"{name}.log"), "wb")
    with log, subprocess.Popen(
        [lab.simulator.program, "run", lab.folder / "scenario.yaml", "--out", out],
        stdout=log, stderr=log, stdin=subprocess.DEVNULL,
    ) as process:
        end = time.monotonic() + PATIENCE_S
        # It simulates when it tells its progress.
        while b"events" not in lab.path(f"{name}.log").read_bytes():
            if process.poll() is not None or time.monotonic() > end:
                process.kill()
                raise MeasureError(f"{name}: no progress was told")
            time.sleep(0.05)
        process.send_signal(number)
        process.wait(PATIENCE_S)
    return out


def measure(lab):
    interrupted = stop_with(lab, "interrupted", signal.SIGINT)
    summary = json.loads((interrupted / "summary.json").read_text())
    rows = (interrupted / "flows.csv").read_text().splitlines()
    killed = stop_with(lab, "killed", signal.SIGKILL)
    return {
        "marked partial after Ctrl-C": summary["partial"] and bool(summary["partial_reason"]),
        "rows of flows after Ctrl-C": len(rows) - 1,
        "summary after a kill": (killed / "summary.json").exists(),
    }
