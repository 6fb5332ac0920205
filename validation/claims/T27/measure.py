# SPDX-License-Identifier: GPL-2.0-only
"""Slowdown of the smallest flows and depth of the queues at two loads."""

from rdmasim_validation.flows import completed_flows, percentile

LOADS = (0.3, 0.5)
SMALL_BYTES = 3000
FULL = {"workload.0.stop": "600ms", "duration": "630ms"}


def measure(lab):
    values = {}
    for load in LOADS:
        settings = {"workload.0.load": load} | (FULL if lab.is_full else {})
        result = lab.run(f"load-{load}", settings)
        small = [flow.slowdown for flow in completed_flows(result) if flow.bytes < SMALL_BYTES]
        values[f"99th percentile of slowdown at {load:.0%}"] = percentile(small, 99)
        lab.series("slowdown", f"measured at {load:.0%}",
                   [(percent, percentile(small, percent)) for percent in range(1, 100)])
        if load == 0.5:
            depths = [int(row["queue_bytes"]) for row in result.table("queues.csv")
                      if row["queue_bytes"] != "0"]
            values["95th percentile of queues at 50%"] = percentile(depths, 95) / 1e6
            values["99th percentile of queues at 50%"] = percentile(depths, 99) / 1e6
    return values
