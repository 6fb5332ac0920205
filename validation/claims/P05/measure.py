# SPDX-License-Identifier: GPL-2.0-only
"""One incast under two congestion controls, and one that needs none."""

NEVER_ACTED = "congestion control never acted"


def warns(result):
    return any(NEVER_ACTED in warning for warning in result.summary["warnings"])


def measure(lab):
    controlled = lab.run("dcqcn")
    alone = lab.run("none", {"congestion.algorithm": "none"})
    single = lab.run("single", {"workload.0.senders": 1})
    tables = [(result.folder / "flows.csv").read_bytes() for result in (controlled, alone)]
    applied = {row["key"]: row["value"] for row in controlled.summary["parameters"]}
    return {
        "flows end at other times": tables[0] != tables[1],
        "a run without marks warns": warns(single),
        "a run with marks does not": not warns(controlled),
        "a run without congestion control does not": not warns(alone),
        "the applied increase period": applied["congestion.increase_period"],
        "the applied Kmin": applied["switch.marking.kmin"],
    }
