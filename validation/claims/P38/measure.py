# SPDX-License-Identifier: GPL-2.0-only
"""Numbers without a unit, and rates in bytes."""

BARE = {
    "topology.rate": "100",
    "topology.delay": "1",
    "workload.0.bytes": "10000",
    "duration": "1",
}


def measure(lab):
    refused = [key for key, value in BARE.items() if "unit" in lab.refused({key: value})]
    bytes_per_second = lab.refused({"topology.rate": "12.5GB/s"})
    link = lab.run("right").table("links.csv")[0]
    return {
        "bare numbers refused": len(refused),
        "bytes per second refused": "Gbps" in bytes_per_second,
        "rate of 100Gbps in b/s": int(link["rate_bps"]),
    }
