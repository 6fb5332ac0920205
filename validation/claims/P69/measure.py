# SPDX-License-Identifier: GPL-2.0-only
"""Names of the columns that hold times."""

import csv
import re

# Words of a name that say that it holds a time or a span of it.
TIME = re.compile(
    r"(^|_)(time|start|end|arrival|departure|connected|duration|delay|latency|queued|paused|rtt"
    r"|fct|window_us|t_min|t_max|t_typical|t_avg|t_stdev|p99|p999|ideal)(_|$)"
)
UNIT = re.compile(r"_(ns|us|ms|s)$")


def measure(lab):
    folder = lab.run("times")
    names = []
    for path in sorted(folder.folder.glob("*.csv")):
        with open(path, newline="", encoding="ascii") as file:
            names += [(path.name, name) for name in next(csv.reader(file))]
    times = [(file, name) for file, name in names if TIME.search(name)]
    bare = [(file, name) for file, name in times if not UNIT.search(name)]
    for file, name in bare:
        print(f"{file}: {name}")
    late = max(float(row["start_ns"]) for row in folder.table("flows.csv"))
    return {
        "columns that hold times": len(times),
        "times without a unit in the name": len(bare),
        "columns in cycles": sum("cycle" in name for _, name in names),
        "nanoseconds of a start at 12.345us": late,
    }
