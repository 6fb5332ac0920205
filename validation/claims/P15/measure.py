# SPDX-License-Identifier: GPL-2.0-only
"""Goodput of a lone flow at several speeds."""

from rdmasim_validation.lab import wire_bytes

PAYLOAD = 4096


def measure(lab):
    shares = []
    for gbps in (100, 400, 800, 1600):
        flow = lab.run(
            f"{gbps}G", {"topology.rate": f"{gbps}Gbps" if gbps < 1000 else "1.6Tbps"}
        ).table("flows.csv")[0]
        goodput = int(flow["bytes"]) * 8 / float(flow["fct_delivered_ns"])
        shares.append(goodput / (gbps * PAYLOAD / wire_bytes(PAYLOAD)))
    return {"least share of the payload bound": min(shares)}
