# SPDX-License-Identifier: GPL-2.0-only
"""One flow of more bytes than 32 bits hold."""


def measure(lab):
    flow = lab.run("long").table("flows.csv")[0]
    return {
        "bytes delivered of 5 GiB": int(flow["bytes"]) if flow["status"] == "finished" else 0,
        "packets sent": int(flow["packets_sent"]),
        "goodput against the ideal": float(flow["slowdown_delivered"]),
    }
