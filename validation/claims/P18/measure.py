# SPDX-License-Identifier: GPL-2.0-only
"""When each class is paused first."""


def measure(lab):
    result = lab.run("classes")
    first = {}
    for row in result.table("pfc.csv"):
        if row["event"] == "pause":
            first.setdefault(row["priority"], float(row["time_ns"]) / 1000)
    dropped = result.summary["network"]["dropped"]
    return {
        "classes that were paused": len(first),
        "first pauses apart in us": max(first.values()) - min(first.values()),
        "first pause in us": min(first.values()),
        "frames dropped": sum(drop["frames"] for drop in dropped.values()),
    }
