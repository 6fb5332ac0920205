# SPDX-License-Identifier: GPL-2.0-only
"""Rates of four greedy senders to one receiver over draws of the paths, without and with DCQCN."""

import statistics

from rdmasim_validation.lab import mean_rates_bps, wire_bytes

PAYLOAD = 1024
SENDERS = ("H1", "H2", "H3", "H4")
DRAWS, FULL_DRAWS = 60, 400
# Rates are taken once the first pauses have come: 1 ms is 250 round trips.
PFC_WINDOW_NS = (1e6, 5e6)
CONTROLLED_DRAWS, FULL_CONTROLLED_DRAWS = 4, 20
CONTROLLED = {"congestion.algorithm": "dcqcn", "congestion.parameters": "paper"}
CONTROLLED_WINDOW_NS = (50e6, 250e6)
FRAMING = wire_bytes(PAYLOAD) / PAYLOAD


def flows_by_port(result):
    """How many of the three flows from other racks enter R's rack by each of its two uplinks."""
    links = result.table("links.csv")
    used = [int(row["frames"]) > 10 for row in links
            if row["from"].startswith("leaf") and row["to"] == "tor3"]
    return "one uplink" if sum(used) == 1 else "two uplinks"


def draw(lab, name, seed, window, settings):
    result = lab.run(f"{name}-{seed}", {"seed": seed, **settings})
    rates = mean_rates_bps(result, window, 1e6)
    return [rate / 1e9 for rate in rates], flows_by_port(result)


def jain(rates):
    return sum(rates) ** 2 / (len(rates) * sum(rate**2 for rate in rates))


def draw_boxes(lab, name, draws):
    """Least, median and most of each sender, as the published figure has them."""
    for number, statistic in enumerate((min, statistics.median, max)):
        label = ("least", "median", "most")[number]
        lab.series(name, f"measured, {label}",
                   [(sender, statistic(column))
                    for sender, column in zip(SENDERS, zip(*draws, strict=True), strict=True)])


def measure(lab):
    by_map = {"one uplink": [], "two uplinks": []}
    for seed in range(1, 1 + (FULL_DRAWS if lab.is_full else DRAWS)):
        rates, mapping = draw(lab, "pfc", seed, PFC_WINDOW_NS, {})
        by_map[mapping].append(rates)
    everything = by_map["one uplink"] + by_map["two uplinks"]
    draw_boxes(lab, "PFC only", everything)
    medians = [statistics.median(column) for column in zip(*everything, strict=True)]
    least_h4 = min(rates[3] for rates in everything)
    most_other = max(max(rates[:3]) for rates in everything)

    controlled = []
    settings = {**CONTROLLED, "duration": "251ms"}
    for seed in range(1, 1 + (FULL_CONTROLLED_DRAWS if lab.is_full else CONTROLLED_DRAWS)):
        controlled.append(draw(lab, "dcqcn", seed, CONTROLLED_WINDOW_NS, settings)[0])
    draw_boxes(lab, "DCQCN", controlled)

    def mean_wire(mapping, senders):
        return statistics.mean(statistics.mean(rates[i] for i in senders)
                               for rates in by_map[mapping]) * FRAMING

    return {
        "H4 over H1, medians, PFC only": medians[3] / medians[0],
        "least of H4 over most of the others, PFC only": least_h4 / most_other,
        "H4 with the others on one uplink": mean_wire("one uplink", [3]),
        "the others on one uplink, each": mean_wire("one uplink", [0, 1, 2]),
        "H4 with the others on two uplinks": mean_wire("two uplinks", [3]),
        "the others on two uplinks, mean": mean_wire("two uplinks", [0, 1, 2]),
        "least Jain index, DCQCN": min(jain(rates) for rates in controlled),
        "mean rate, DCQCN": statistics.mean(map(statistics.mean, controlled)),
    }
