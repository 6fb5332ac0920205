# SPDX-License-Identifier: GPL-2.0-only
"""Latency of short flows without and with a window."""

from rdmasim_validation.flows import completed_flows, percentile

SHORT_BYTES = 1000
FULL = {"workload.0.stop": "12ms", "duration": "16ms"}
SCHEMES = {"DCQCN": {}, "DCQCN with window": {"transport.window": "153KB"}}


def measure(lab):
    values = {}
    for name, settings in SCHEMES.items():
        result = lab.run(name.replace(" ", "-"), settings | (FULL if lab.is_full else {}))
        times = [flow.time_us for flow in completed_flows(result) if flow.bytes <= SHORT_BYTES]
        values[f"95th percentile, {name}"] = percentile(times, 95)
        lab.series("latency", f"measured, {name}",
                   [(percent, percentile(times, percent)) for percent in range(1, 100)])
    return values
