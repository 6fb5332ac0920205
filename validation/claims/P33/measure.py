# SPDX-License-Identifier: GPL-2.0-only
"""Thresholds for 100 Gb/s only, links of 400 Gb/s."""


def measure(lab):
    summary = lab.run("scaled").summary
    return {
        "it runs": summary["flows"]["finished"],
        "the note tells the scaled threshold": any(
            "400Gbps" in note and "Kmin 1600KB" in note for note in summary["notes"]
        ),
    }
