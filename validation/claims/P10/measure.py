# SPDX-License-Identifier: GPL-2.0-only
"""Counts core switches that get frames."""


def measure(lab):
    flows = ", ".join(f"h{i % 4} h{4 + i // 4 % 4} 1000B 0us" for i in range(1000))

    def cores(name, seed):
        settings = {"workload.0.flows": f"[{flows}]", "switch.path.seed": seed}
        return len({
            link["to"]
            for link in lab.run(name, settings).table("links.csv")
            # Upwards out of the first pod, whose aggregation switches are agg0 and agg1.
            if link["from"] in ("agg0", "agg1")
            and link["to"].startswith("core")
            and int(link["frames"]) > 0
        })

    return {
        "cores with a seed for each switch": cores("per-switch", "per-switch"),
        "cores with equal seeds": cores("equal", "equal"),
    }
