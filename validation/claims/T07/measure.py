# SPDX-License-Identifier: GPL-2.0-only
"""Median rate of the victim over draws of the paths, by the number of far senders."""

import statistics

from rdmasim_validation.lab import mean_rates_bps

DRAWS, FULL_DRAWS = 100, 400
# Until then buffers of 12 MB fill, one behind the other; from 5 ms on rates are constant.
PFC_WINDOW_NS = (6e6, 9e6)
CONTROLLED_DRAWS, FULL_CONTROLLED_DRAWS = 24, 100
CONTROLLED = {"congestion.algorithm": "dcqcn", "congestion.parameters": "paper"}
CONTROLLED_WINDOW_NS = (30e6, 80e6)
FAR = {0: [], 1: ["h10"], 2: ["h10", "h11"]}


def victim_gbps(lab, name, far, window, settings):
    sources = ", ".join(["h0", "h1", "h2", "h3", *FAR[far]])
    result = lab.run(name, {"workload.0.sources": f"[{sources}]", **settings})
    tags = [row["tag"] for row in result.table("flows.csv")]
    return mean_rates_bps(result, window, 1e6)[tags.index("victim")] / 1e9


def medians(lab, name, draws, window, settings):
    """By number of far senders."""
    result = []
    for far in FAR:
        rates = [victim_gbps(lab, f"{name}-{far}-{seed}", far, window, {**settings, "seed": seed})
                 for seed in range(1, 1 + draws)]
        result.append((far, statistics.median(rates)))
    lab.series("victim", name, result)
    return dict(result)


def measure(lab):
    alone = medians(lab, "PFC only", FULL_DRAWS if lab.is_full else DRAWS, PFC_WINDOW_NS, {})
    settings = {**CONTROLLED, "duration": "81ms"}
    controlled = medians(lab, "DCQCN", FULL_CONTROLLED_DRAWS if lab.is_full else CONTROLLED_DRAWS,
                         CONTROLLED_WINDOW_NS, settings)
    return {
        "PFC only, no far sender": alone[0],
        "PFC only, one far sender": alone[1],
        "PFC only, two far senders": alone[2],
        "PFC only, each far sender costs the victim": alone[0] > alone[1] > alone[2],
        "DCQCN, no far sender": controlled[0],
        "DCQCN, two far senders": controlled[2],
        "DCQCN, two far senders over none": controlled[2] / controlled[0],
    }
