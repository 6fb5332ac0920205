# SPDX-License-Identifier: GPL-2.0-only
"""Drops and what came of them, from two tables of one run."""

import collections


def measure(lab):
    result = lab.run("lossy")
    drops = result.table("drops.csv")
    events = result.table("transport.csv")
    again = {(row["flow"], row["psn"]) for row in events if row["event"] == "retransmission"}
    failed = {row["flow"] for row in events if row["event"] == "error_completion"}
    needed = [
        row
        for row in drops
        if row["opcode"].startswith("RC RDMA WRITE") and row["reason"] != "duplicate"
    ]
    forgotten = [
        row
        for row in needed
        if (row["flow"], row["psn"]) not in again and row["flow"] not in failed
    ]
    network = result.summary["network"]
    kinds = collections.Counter(row["event"] for row in events)
    reasons = collections.Counter(row["reason"] for row in drops)
    pairs = [
        (kinds["retransmission"], network["packets_retransmitted"]),
        (kinds["timeout"], network["timeouts"]),
        (kinds["nak_received"], network["naks_received"]),
    ]
    pairs += [(reasons[name], drop["frames"]) for name, drop in network["dropped"].items()]
    return {
        "dropped packets": len(needed),
        "dropped packets without another attempt or an error": len(forgotten),
        "rows that the summary counts otherwise": sum(a != b for a, b in pairs),
    }
