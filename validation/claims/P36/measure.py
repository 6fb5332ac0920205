# SPDX-License-Identifier: GPL-2.0-only
"""PFC by a threshold; none with a higher one."""


def measure(lab):
    low = lab.run("low")
    high = lab.run("high", {"switch.buffer.xoff": "2MB"})
    return {
        "pauses": low.summary["network"]["pause_frames_sent"],
        "rows of pfc.csv": len(low.table("pfc.csv")),
        "pauses above the need": high.summary["network"]["pause_frames_sent"],
    }
