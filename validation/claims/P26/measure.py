# SPDX-License-Identifier: GPL-2.0-only
"""One receiver, 255 senders."""


def measure(lab):
    summary = lab.run("incast").summary
    dropped = summary["network"]["dropped"].values()
    return {
        "flows finished": summary["flows"]["finished"],
        "frames dropped": sum(drop["frames"] for drop in dropped),
    }
