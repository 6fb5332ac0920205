# SPDX-License-Identifier: GPL-2.0-only
"""Slowdown of short flows with PFC, and without it under go-back-N."""

from rdmasim_validation.flows import completed_flows, percentile

SHORT_BYTES = 1000
FULL = {"workload.0.stop": "12ms", "duration": "16ms"}
SCHEMES = {"PFC": {}, "go-back-N": {"pfc.enabled": "false"}}


def measure(lab):
    values = {}
    for name, settings in SCHEMES.items():
        result = lab.run(name, settings | (FULL if lab.is_full else {}))
        short = [flow.slowdown for flow in completed_flows(result) if flow.bytes <= SHORT_BYTES]
        values[f"95th percentile, {name}"] = percentile(short, 95)
    lab.series("slowdown", "measured",
               [(name, values[f"95th percentile, {name}"]) for name in SCHEMES])
    values["go-back-N over PFC"] = (
        values["95th percentile, go-back-N"] / values["95th percentile, PFC"]
    )
    return values
