# SPDX-License-Identifier: GPL-2.0-only
"""Pauses and latency of short flows beside incasts, without and with a window."""

import random

from rdmasim_validation.flows import completed_flows, percentile

HOSTS = 320
SENDERS = 60
INCAST_BYTES = 500_000
SHARE = 0.02
HOST_BPS = 100e9
STOP_NS, FULL_STOP_NS = 5e6, 20e6
SHORT_BYTES = 1000
SCHEMES = {"DCQCN": {}, "DCQCN with window": {"transport.window": "153KB"}}


def draw_incasts(stop_ns):
    """Incasts at exponential intervals, each to a random host from random others."""
    draw = random.Random("T24")
    gap_ns = SENDERS * INCAST_BYTES * 8 / (SHARE * HOSTS * HOST_BPS) * 1e9
    lines = ["source,destination,bytes,start_ns"]
    at = draw.expovariate(1 / gap_ns)
    while at < stop_ns:
        receiver, *senders = draw.sample(range(HOSTS), 1 + SENDERS)
        lines += [f"h{sender},h{receiver},{INCAST_BYTES},{at:.0f}" for sender in senders]
        at += draw.expovariate(1 / gap_ns)
    return "\n".join(lines) + "\n"


def paused_share(result):
    """Time paused over time, mean over all directions of all links, percent."""
    shares = [float(row["paused_ns"]) for row in result.table("links.csv")]
    return 100 * sum(shares) / len(shares) / result.summary["simulated_ns"]


def measure(lab):
    stop = FULL_STOP_NS if lab.is_full else STOP_NS
    file = lab.write("incasts.csv", draw_incasts(stop))
    common = {"workload.0.stop": f"{stop:.0f}ns", "duration": f"{stop + 3e6:.0f}ns",
              "workload.1.flows": "", "workload.1.file": file}
    values = {}
    for name, settings in SCHEMES.items():
        result = lab.run(name.replace(" ", "-"), {**settings, **common})
        short = [flow for flow in completed_flows(result)
                 if flow.tag != "incast" and flow.bytes <= SHORT_BYTES]
        values[f"paused, {name}"] = paused_share(result)
        values[f"95th percentile of slowdown, {name}"] = percentile(
            [flow.slowdown for flow in short], 95)
        values[f"95th percentile of latency, {name}"] = percentile(
            [flow.time_us for flow in short], 95)
        lab.series("slowdown", f"measured, {name}",
                   [(percent, percentile([flow.slowdown for flow in short], percent))
                    for percent in range(1, 100)])
    return values
