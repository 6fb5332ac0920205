# SPDX-License-Identifier: GPL-2.0-only
"""Many flows of odd sizes in each other's way."""


def measure(lab):
    flows = lab.run("loaded").table("flows.csv")
    return {
        "flows": len(flows),
        "least slowdown": min(float(flow["slowdown_delivered"]) for flow in flows),
        "least slowdown at the sender": min(float(flow["slowdown_acked"]) for flow in flows),
    }
