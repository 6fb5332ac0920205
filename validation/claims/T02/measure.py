# SPDX-License-Identifier: GPL-2.0-only
"""Rates of two greedy flows, and when the late one stays near its share."""

from rdmasim_validation.lab import mean_rates_bps, wire_bytes

INTERVAL_NS = 20e3
END_NS = 200e6
STEP_NS = 20e6
SHARE_BPS = 20e9
PAYLOAD = 916


def measure(lab):
    result = lab.run("two")

    def rates_bps(window):
        """What the flows take of the cable: the model knows no headers."""
        framing = wire_bytes(PAYLOAD) / PAYLOAD
        return [rate * framing for rate in mean_rates_bps(result, window, INTERVAL_NS)]

    early, late = rates_bps((50e6, END_NS))
    settled = END_NS
    start = END_NS - STEP_NS
    while start >= 10e6:
        rate = rates_bps((start, start + STEP_NS))[1]
        if abs(rate / SHARE_BPS - 1) > 0.1:
            break
        settled = start
        start -= STEP_NS
    return {
        "rate of the late flow": late / 1e9,
        "rate of the early flow": early / 1e9,
        "settled": settled / 1e6,
    }
