# SPDX-License-Identifier: GPL-2.0-only
"""1000 flows of one bandwidth-delay product into one host at one instant."""


def measure(lab):
    # 100 Gb/s x 4 us of round trip = 50 KB.
    flows = ", ".join(f"h{1 + i % 143} h0 50KB 0us" for i in range(1000))
    settings = {"workload.0.flows": f"[{flows}]"}
    summary = lab.run("large", settings).summary
    small = lab.run("small", {"switch.buffer.size": "8MB", **settings})
    network = summary["network"]
    return {
        "flows finished": summary["flows"]["finished"],
        "frames dropped with 20 MB": sum(drop["frames"] for drop in network["dropped"].values()),
        "pauses": network["pause_frames_sent"],
        "warnings with 20 MB": len(summary["warnings"]),
        "the port is named that may drop with 8 MB": any(
            "headroom" in line and "switch/0" in line for line in small.messages.splitlines()
        ),
    }
