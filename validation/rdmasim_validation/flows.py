# SPDX-License-Identifier: GPL-2.0-only
"""Statistics of completed flows, cut as the published figures cut them."""

import dataclasses
import math

NS_PER_US = 1e3


@dataclasses.dataclass(frozen=True)
class CompletedFlow:
    bytes: int
    start_ns: float
    time_us: float  # to the last acknowledgement
    slowdown: float  # that time over the one alone on the network
    tag: str


def completed_flows(result, from_ns=0.0, to_ns=math.inf):
    """Flows of a run that have finished and started in a window, by size."""
    flows = [
        CompletedFlow(int(row["bytes"]), float(row["start_ns"]),
                      float(row["fct_acked_ns"]) / NS_PER_US, float(row["slowdown_acked"]),
                      row["tag"])
        for row in result.table("flows.csv")
        if row["status"] == "finished" and from_ns <= float(row["start_ns"]) < to_ns
    ]
    return sorted(flows, key=lambda flow: flow.bytes)


def percentile(values, percent):
    """Nearest rank: always one of the values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def slowdown_by_size(flows, percent, step=5):
    """
    Pairs of x and a percentile of the slowdown: x % of the flows are not larger.

    A point stands for the flows between x - step and x percent, as in the figures of HPCC.
    """
    points = []
    for x in range(step, 101, step):
        part = flows[(x - step) * len(flows) // 100 : x * len(flows) // 100]
        points.append((x, percentile([flow.slowdown for flow in part], percent)))
    return points


def tail_by_tick(lab, flows, ticks):
    """The two curves of a figure of HPCC, and values of the upper at ticks: x to the size there."""
    tail = slowdown_by_size(flows, 95)
    lab.series("95th percentile", "measured", tail)
    lab.series("median", "measured", slowdown_by_size(flows, 50))
    return {f"95th percentile at {ticks[x]}": value for x, value in tail if x in ticks}
