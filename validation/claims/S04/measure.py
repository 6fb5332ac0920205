# SPDX-License-Identifier: GPL-2.0-only
"""One flow of more packets than PSNs, and more flows than 16 bits count."""


def measure(lab):
    long = lab.run("long").table("flows.csv")[0]
    many = lab.run("many", scenario="many.yaml").table("flows.csv")
    return {
        "packets of one flow": int(long["packets_sent"]),
        "status": long["status"],
        "flows between two hosts that finished": sum(row["status"] == "finished" for row in many),
    }
