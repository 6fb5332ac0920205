# SPDX-License-Identifier: GPL-2.0-only
"""Goodput of a near and a far flow, and the watermarks of the queue that they share."""

import statistics

from rdmasim_validation.lab import mean_rates_bps

INTERVAL_NS = 100e3
SETTLED_NS = 200e6
END_NS = 2000e6
FULL_END_NS = 10000e6
STEP_NS = 100e6  # the time over which a watermark is taken


def measure(lab):
    end = FULL_END_NS if lab.is_full else END_NS
    result = lab.run("run", {"duration": f"{(end + INTERVAL_NS) / 1e3:.0f}us"})
    near, far = mean_rates_bps(result, (SETTLED_NS, end), INTERVAL_NS)
    deepest = {}
    for row in result.table("queues.csv"):
        step = int(float(row["time_ns"]) // STEP_NS)
        if row["port"] == "0" and SETTLED_NS < float(row["time_ns"]) < end:
            deepest[step] = max(deepest.get(step, 0), int(row["queue_bytes"]))
    points = []
    start = 0.0
    while start < end:
        rates = mean_rates_bps(result, (start, start + STEP_NS), INTERVAL_NS)
        points.append(((start + STEP_NS) / 1e6, *[rate / 1e9 for rate in rates]))
        start += STEP_NS
    lab.series("goodput", "near", [(time, rate) for time, rate, _ in points])
    lab.series("goodput", "far", [(time, rate) for time, _, rate in points])
    lab.series("watermark", "measured",
               [((step + 1) * STEP_NS / 1e6, depth / 1e6) for step, depth in deepest.items()])
    return {
        "goodput of the near sender": near / 1e9,
        "goodput of the far sender": far / 1e9,
        "far over near": far / near,
        "watermark of the queue": statistics.mean(deepest.values()) / 1e6,
    }
