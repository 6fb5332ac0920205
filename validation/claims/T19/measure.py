# SPDX-License-Identifier: GPL-2.0-only
"""Slowdown of all flows, by their size."""

from rdmasim_validation.flows import completed_flows, tail_by_tick

FULL = {"workload.0.stop": "12ms", "duration": "20ms"}
TICKS = {
    10: "324", 20: "400", 30: "500", 40: "600", 50: "700",
    60: "1K", 70: "7K", 80: "46K", 90: "120K", 100: "10M",
}


def measure(lab):
    result = lab.run("run", FULL if lab.is_full else {})
    return tail_by_tick(lab, completed_flows(result), TICKS)
