# SPDX-License-Identifier: GPL-2.0-only
"""Two pairs of hosts over one cable between two switches, against one pair."""


def measure(lab):
    def times(name, flows):
        table = lab.run(name, {"workload.0.flows": flows}).table("flows.csv")
        return [float(flow["fct_delivered_ns"]) for flow in table]

    alone = times("alone", "l0 r0 10MB 0us")[0]
    first, second = times("together", "[l0 r0 10MB 0us, l1 r1 10MB 0us]")
    return {
        "time together over time alone": (first + second) / 2 / alone,
        "difference of the two": abs(first - second) / alone * 100,
    }
