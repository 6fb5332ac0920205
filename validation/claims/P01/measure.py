# SPDX-License-Identifier: GPL-2.0-only
"""The same stream with a notification point that is slow, and one that is not."""


def cell_size(result):
    """What the output says of the size of cells."""
    values = {entry["key"]: entry["value"] for entry in result.summary["parameters"]}
    return values["switch.buffer.cell"]


def measure(lab):
    slow = lab.run("slow", {"nic.cnp_delay": "55us"})
    fast = lab.run("fast")
    both = [slow.summary["network"], fast.summary["network"]]
    queues = [int(row["max_queue_bytes"]) for row in fast.table("links.csv")]
    return {
        "pauses with 55 us": both[0]["pause_frames_sent"],
        "CNPs with 55 us": both[0]["cnps_sent"],
        "pauses with 0 us": both[1]["pause_frames_sent"],
        "highest queue with 0 us in KB": max(queues) / 1000,
        "frames dropped": sum(
            drop["frames"] for network in both for drop in network["dropped"].values()
        ),
        "cell size that the output states": cell_size(slow),
    }
