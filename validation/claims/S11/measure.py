# SPDX-License-Identifier: GPL-2.0-only
"""One flow alone on the fabric."""


def measure(lab):
    flow = lab.run("lone").table("flows.csv")[0]
    return {
        "delivered": float(flow["fct_delivered_ns"]),
        "ideal": float(flow["ideal_delivered_ns"]),
        "slowdown": float(flow["slowdown_delivered"]),
        "slowdown at the sender": float(flow["slowdown_acked"]),
    }
