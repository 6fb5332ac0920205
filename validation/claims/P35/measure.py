# SPDX-License-Identifier: GPL-2.0-only
"""A flow at a rate of its own, and one that obeys no marks among two that do."""


def measure(lab):
    result = lab.run("run")
    rows = {row["tag"]: row for row in result.table("flows.csv")}
    applied = {row["key"]: row["value"] for row in result.summary["parameters"]}
    return {
        "time of the limited flow": float(rows["limited"]["fct_delivered_ns"]) / 1e3,
        "notifications of the free flow": int(rows["free"]["cnps_received"]),
        "notifications of a controlled flow": int(rows["controlled"]["cnps_received"]),
        "the free flow is first": float(rows["free"]["fct_delivered_ns"])
        < float(rows["controlled"]["fct_delivered_ns"]),
        "rate in the summary": applied["workload.0.rate"],
        "congestion control in the summary": applied["workload.1.congestion"],
    }
