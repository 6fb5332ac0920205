# SPDX-License-Identifier: GPL-2.0-only
"""Slowdown of all flows, and of those of at least one bandwidth-delay product."""

import statistics

from rdmasim_validation.flows import percentile

WARM_UP_NS = 5e6
BDP_BYTES = 104000
FULL = {"workload.0.stop": "100ms", "duration": "120ms"}


def slowdowns(result):
    """
    Bytes and slowdown of each flow that started after the warm-up.

    Acknowledgements go first in that simulator and never wait: a flow's time is what its data took
    and the ideal time of one acknowledgement.
    """
    flows = []
    for row in result.table("flows.csv"):
        if row["status"] == "finished" and float(row["start_ns"]) > WARM_UP_NS:
            ideal = float(row["ideal_acked_ns"])
            back = ideal - float(row["ideal_delivered_ns"])
            flows.append((int(row["bytes"]), (float(row["fct_delivered_ns"]) + back) / ideal))
    return flows


def measure(lab):
    flows = slowdowns(lab.run("run", FULL if lab.is_full else {}))
    everything = [slowdown for _, slowdown in flows]
    large = [slowdown for size, slowdown in flows if size >= BDP_BYTES]
    values = {
        "mean, all": statistics.mean(everything),
        "99th percentile, all": percentile(everything, 99),
        "mean, large": statistics.mean(large),
        "99th percentile, large": percentile(large, 99),
    }
    lab.series("slowdown", "measured", values.items())
    return values
