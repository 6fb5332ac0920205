# SPDX-License-Identifier: GPL-2.0-only
"""Completion times of small flows across a dumbbell, for some loads."""

import bisect
import csv
import random

from rdmasim_validation.flows import NS_PER_US, percentile

LOADS = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
FLOWS, FULL_FLOWS = 6000, 40000
# Its 90th percentile lies at the edge of the tolerance: fewer flows would hold or miss by chance.
MORE_FLOWS = {0.4: 24000}
PACKET = 916
PACKET_BITS = 8000  # of a packet on the cable
FULL_LOAD_BPS = 8e9
SMALL_BYTES = 100 * PACKET


def read_sizes(file):
    """Sizes in packets, and the share of flows that are not larger."""
    with open(file, newline="", encoding="ascii") as lines:
        rows = list(csv.reader(line for line in lines if line[0].isdigit()))
    return [float(row[0]) for row in rows], [float(row[1]) for row in rows]


def draw_flows(sizes, shares, load, count):
    """A flow list: random pairs, exponential gaps, sizes by linear interpolation."""
    draw = random.Random(f"T14/{load}")
    mean = sum((a + b) / 2 * (q - p)
               for a, b, p, q in zip(sizes, sizes[1:], shares, shares[1:], strict=False))
    gap_s = mean * PACKET_BITS / (FULL_LOAD_BPS * load)
    lines = ["source,destination,bytes,start_ns"]
    at = 0.0
    for _ in range(count):
        at += draw.expovariate(1 / gap_s)
        share = draw.random()
        i = max(1, bisect.bisect_left(shares, share))
        part = (share - shares[i - 1]) / (shares[i] - shares[i - 1])
        packets = sizes[i - 1] + part * (sizes[i] - sizes[i - 1])
        source, destination = draw.randrange(10), draw.randrange(10)
        lines.append(f"l{source},r{destination},{max(1, round(packets * PACKET))},{at * 1e9:.0f}")
    return "\n".join(lines) + "\n"


def measure(lab):
    sizes, shares = read_sizes(lab.folder / "sizes.csv")
    values = {}
    for load in LOADS:
        count = FULL_FLOWS if lab.is_full else MORE_FLOWS.get(load, FLOWS)
        flows = draw_flows(sizes, shares, load, count)
        file = lab.write(f"flows-{load}.csv", flows)
        result = lab.run(f"load-{load}",
                         {"workload": f"[{{pattern: flow-list, file: {file}}}]"})
        times = [float(row["fct_delivered_ns"]) / NS_PER_US for row in result.table("flows.csv")
                 if int(row["bytes"]) < SMALL_BYTES]
        values[f"median at load {load}"] = percentile(times, 50)
        values[f"90th percentile at load {load}"] = percentile(times, 90)
    for statistic in ("median", "90th percentile"):
        lab.series(statistic, "measured",
                   [(load, values[f"{statistic} at load {load}"]) for load in LOADS])
    return values
