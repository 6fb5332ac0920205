#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Counts what schedules, flow lists and connection matrices hold, without the readers under test.

usage: count_schedules.py SAMPLES > data/schedule-counts.csv
Columns: file, what, count, bytes (of messages), or nanoseconds (of computations and starts).
A dependency is one operation that waits for one other. A file that contradicts itself (a2a.cm: its
header announces more than it holds) is counted by its lines.
"""

import re
import sys
from decimal import Decimal
from pathlib import Path


def count_goal(text):
    """One statement a line; a message and a receive need each other's rank as a connection."""
    rank = None
    rows = {"processes": [int(re.search(r"num_ranks (\d+)", text).group(1)), 0]}
    for line in text.splitlines():
        words = line.replace(":", " ").split()
        if words[:1] == ["rank"]:
            rank = words[1]
        for name, what in (("send", "messages"), ("recv", "receives"), ("calc", "computations")):
            if name in words:
                amount = int(words[words.index(name) + 1].rstrip("b"))
                row = rows.setdefault(what, [0, 0])
                row[0] += 1
                row[1] += amount
                if name != "calc":
                    rows.setdefault("pairs", set()).add((rank, words[words.index(name) + 3]))
        if "requires" in words or "irequires" in words:
            rows.setdefault("dependencies", [0, 0])[0] += 1
    rows["connections"] = [len(rows.pop("pairs", ())), 0]
    return rows


def count_matrix(text):
    """A line with an arrow is a flow; one that a trigger starts waits for those that fire it."""
    rows = {"messages": [0, 0], "starts": [0, 0]}
    fired, started = {}, []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["Nodes"]:
            rows["processes"] = [int(words[1]), 0]
        if not words or "->" not in words[0]:
            continue
        value = dict(zip(words[1::2], words[2::2]))
        rows["messages"][0] += 1
        rows["messages"][1] += int(value["size"])
        rows["starts"][0] += value.get("start", "0") != "0"
        rows["starts"][1] += int(value.get("start", "0")) // 1000
        for what in ("send_done_trigger", "recv_done_trigger"):
            if what in value:
                fired[value[what]] = fired.get(value[what], 0) + 1
        if "trigger" in value:
            started.append(value["trigger"])
    rows["connections"] = [rows["messages"][0], 0]
    rows["dependencies"] = [sum(fired.get(trigger, 0) for trigger in started), 0]
    return rows


def count_flows(text):
    """The first line counts the flows; size and start are the last two columns."""
    lines = text.splitlines()
    flows = [line.split() for line in lines[1:1 + int(lines[0])]]
    starts = [int(Decimal(flow[-1]) * 10**9) for flow in flows]
    return {
        "processes": [len({end for flow in flows for end in flow[:2]}), 0],
        "messages": [len(flows), sum(int(flow[-2]) for flow in flows)],
        "connections": [len(flows), 0],
        "starts": [sum(start != 0 for start in starts), sum(starts)],
    }


FILES = {
    "goal/*.goal": count_goal,
    "htsim/*.cm": count_matrix,
    "benchmark/*.cm": count_matrix,
    "hpcc/flow.txt": count_flows,
    "ns3-datacenter/flow-*.txt": count_flows,
    "benchmark/*_flow.txt": count_flows,
}


def main():
    """Prints the table."""
    folder = Path(sys.argv[1])
    print("file,what,count,amount")
    for pattern, count in FILES.items():
        for path in sorted(folder.glob(pattern)):
            for what, numbers in sorted(count(path.read_text()).items()):
                if numbers != [0, 0]:
                    print(path.relative_to(folder), what, *numbers, sep=",")


if __name__ == "__main__":
    main()
