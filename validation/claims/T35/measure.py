# SPDX-License-Identifier: GPL-2.0-only
"""The same loss under two ways of going back."""

MESSAGE = 4 << 20


def measure(lab):
    livelock = lab.run(
        "go-back-0", {"transport.policy": "go-back-0", "duration": "10ms"}
    )
    flow = livelock.table("flows.csv")[0]
    sender = next(row for row in livelock.table("links.csv") if row["from"] == flow["source"])
    repaired = lab.run("go-back-N").table("flows.csv")[0]
    return {
        "goodput of go-back-0": 0 if flow["fct_delivered_ns"] == "" else MESSAGE,
        "link use of go-back-0": float(sender["utilisation"]),
        "goodput of go-back-N": 1 / float(repaired["slowdown_delivered"]),
    }
