# SPDX-License-Identifier: GPL-2.0-only
"""Rates of two greedy flows under four sets of parameters."""

from rdmasim_validation.lab import mean_rates_bps

INTERVAL_NS = 1e6
STEP_NS = 50e6
START_NS = 1000e6
END_NS = 2500e6
FULL_END_NS = 10500e6

STRAWMAN = {
    "congestion.increase_bytes": "150KB",
    "congestion.increase_period": "1500us",
    "congestion.alpha_gain": "1/16",
}
CUT_OFF = {"switch.marking.kmin": "40KB", "switch.marking.kmax": "40KB", "switch.marking.pmax": 1}
PARAMETERS = {
    "strawman": STRAWMAN | CUT_OFF,
    "fast timer": CUT_OFF,
    "RED": STRAWMAN,
    "fast timer and RED": {},
}


def measure(lab):
    end = FULL_END_NS if lab.is_full else END_NS
    values = {}
    for name, settings in PARAMETERS.items():
        result = lab.run(
            name.replace(" ", "-"), {**settings, "duration": f"{round(end / 1e6)}ms"}
        )
        first, second = mean_rates_bps(result, (START_NS, end), INTERVAL_NS)
        values[f"gap with {name}"] = abs(first - second) / 1e9
        start = 500e6
        points = []
        while start < end:
            rates = mean_rates_bps(result, (start, start + STEP_NS), INTERVAL_NS)
            points.append(((start + STEP_NS) / 1e6, *[rate / 1e9 for rate in rates]))
            start += STEP_NS
        for flow in (1, 2):
            lab.series(name, f"flow {flow}", [(row[0], row[flow]) for row in points])
    return values
