# SPDX-License-Identifier: GPL-2.0-only
"""The same little incast at each priority."""


def measure(lab):
    finished = paused = dropped = 0
    for priority in range(8):
        summary = lab.run(
            f"{priority}",
            {"pfc.lossless_priorities": priority, "workload.0.priority": priority},
        ).summary
        network = summary["network"]
        finished += summary["flows"]["finished"] == 3
        paused += network["pause_frames_sent"] > 0
        dropped += sum(drop["frames"] for drop in network["dropped"].values())
    return {
        "priorities with all flows finished": finished,
        "priorities that were paused": paused,
        "frames dropped": dropped,
    }
