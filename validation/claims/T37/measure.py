# SPDX-License-Identifier: GPL-2.0-only
"""Flows on 16 parallel links, by source port."""

DRAWS = 64
FULL_DRAWS = 400
FLOWS = 1000


def measure(lab):
    flows = ", ".join(["l0 r0 8B 0us"] * FLOWS)
    draws = FULL_DRAWS if lab.is_full else DRAWS
    ratios = []
    for seed in range(1, draws + 1):
        result = lab.run(f"{seed}", {"workload.0.flows": f"[{flows}]", "seed": seed})
        loads = [
            int(link["frames"])
            for link in result.table("links.csv")
            if (link["from"], link["to"]) == ("left", "right")
        ]
        assert sum(loads) == FLOWS
        ratios.append(max(loads) / (FLOWS / len(loads)))
    return {"mean of most over mean load": sum(ratios) / len(ratios)}
