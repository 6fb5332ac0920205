# SPDX-License-Identifier: GPL-2.0-only
"""One flow into a host that takes half of what its link brings."""


def goodput(result):
    row = result.table("flows.csv")[0]
    return int(row["bytes"]) * 8 / float(row["fct_delivered_ns"])


def measure(lab):
    pfc = lab.run("pfc")
    link = lab.run("link", {"pfc.mode": "link-pause"})
    lossy = lab.run("lossy", {"pfc.mode": "none", "workload.0.bytes": "1MB"})
    pauses = sum(
        int(row["pause_frames_sent"]) for row in pfc.table("links.csv") if row["from"] == "h0"
    )
    network = pfc.summary["network"]
    return {
        "goodput in Gb/s": goodput(pfc),
        "pauses of the interface": pauses,
        "frames dropped": sum(drop["frames"] for drop in network["dropped"].values()),
        "goodput with link pause in Gb/s": goodput(link),
        "frames that ran over without flow control": lossy.summary["network"]["dropped"][
            "rx_overflow"
        ]["frames"],
    }
