# SPDX-License-Identifier: GPL-2.0-only
"""Slowdown of all flows, by their size."""

from rdmasim_validation.flows import completed_flows, tail_by_tick

FULL = {"workload.0.stop": "40ms", "duration": "60ms"}
TICKS = {
    10: "6.7K", 20: "20K", 30: "30K", 40: "50K", 50: "73K",
    60: "200K", 70: "1M", 80: "2M", 90: "5M", 100: "30M",
}


def measure(lab):
    result = lab.run("run", FULL if lab.is_full else {})
    return tail_by_tick(lab, completed_flows(result), TICKS)
