# SPDX-License-Identifier: GPL-2.0-only
"""Utilisation of parallel links under many flows."""


def measure(lab):
    flows = ", ".join(
        f"l{i} r{i} 10MB 0us" for i in range(4) for _ in range(64)
    )
    links = lab.run("parallel", {"workload.0.flows": f"[{flows}]"}).table("links.csv")
    shares = [
        float(link["utilisation"])
        for link in links
        if (link["from"], link["to"]) == ("left", "right")
    ]
    assert len(shares) == 4
    return {
        "least share of a link": min(shares),
        "throughput of the four": sum(shares) / len(shares),
    }
