# SPDX-License-Identifier: GPL-2.0-only
"""Sizes without a unit, or in cells; and one pause by its quanta and by its time."""


def cell_size(result):
    """What the output says of the size of cells."""
    values = {entry["key"]: entry["value"] for entry in result.summary["parameters"]}
    return values["switch.buffer.cell"]


def measure(lab):
    bare = lab.refused({"switch.buffer.xoff": "1040"})
    cells = lab.refused({"switch.buffer.xoff": "1040cells"})
    result = lab.run("pause")
    events = result.table("pfc.csv")
    pause = next(row for row in events if row["event"] == "pause")
    resume = next(row for row in events if row["event"] == "resume")
    link = next(row for row in result.table("links.csv") if row["from"] == pause["node"])
    between = float(resume["time_ns"]) - float(pause["time_ns"])
    return {
        "bare number refused": "unit is missing" in bare,
        "unknown unit names the known ones": "KiB" in cells,
        "cell size that the output states": cell_size(result),
        "quanta of the pause": int(pause["quanta"]),
        "time between PAUSE and resume beyond the paused time in ns": between
        - float(link["paused_ns"]),
    }
