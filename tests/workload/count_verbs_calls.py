#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Counts what files of verbs calls hold, without the reader under test.

usage: count_verbs_calls.py FOLDER > data/verbs-calls-counts.csv
Columns: file, what, count, bytes.
"""

import json
import sys
from collections import Counter
from pathlib import Path


def count(path):
    """Counts of one file: what it is, how often it is there, and how many bytes it names."""
    times = Counter()
    size = Counter()
    threads = set()
    for line in path.read_text().splitlines():
        call = json.loads(line)
        event = call["ev"]
        if event in ("start", "end"):
            continue
        threads.add(call["tid"])
        if event in ("post_send", "post_recv", "post_srq_recv"):
            for request in call["wr"]:
                what = f"{event} {request['op']}" if event == "post_send" else event
                times[what] += 1
                size[what] += sum(element[1] for element in request["sge"])
        elif event == "poll_cq":
            times["empty polls"] += call["empty_before"]
            for entry in call["wc"]:
                what = f"completion status {entry['status']} op {entry['op']}"
                times[what] += 1
                size[what] += entry["len"]
        elif event == "modify_qp":
            times[f"modify_qp mask {call['mask']}"] += 1
        elif not event.startswith("reg_mr"):
            times[event] += 1
    times["threads"] = len(threads)
    # ibv_reg_mr calls ibv_reg_mr_iova2: both are there, of one region.
    times["regions"] = len({(call["lkey"], call["addr"], call["len"]) for call in
                            map(json.loads, path.read_text().splitlines())
                            if call["ev"].startswith("reg_mr")})
    return {what: (times[what], size[what]) for what in times if times[what]}


def main():
    print("file,what,count,bytes")
    for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
        for what, (times, size) in sorted(count(path).items()):
            print(f"{path.name},{what},{times},{size}")


main()
