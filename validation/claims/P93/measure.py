# SPDX-License-Identifier: GPL-2.0-only
"""Goodput of one long message against the probability of loss."""

LOSSES = {
    "without loss": "0",
    "loss 1e-6": "0.000001",
    "loss 1e-5": "0.00001",
    "loss 1e-4": "0.0001",
    "loss 1e-3": "0.001",
}


def measure(lab):
    values = {}
    for name, loss in LOSSES.items():
        result = lab.run(name.replace(" ", "-"), {"faults.0.probability": loss})
        values[name] = 1 / float(result.table("flows.csv")[0]["slowdown_delivered"])
    return values
