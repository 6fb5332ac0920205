# SPDX-License-Identifier: GPL-2.0-only
"""Counts marks at both ends."""


def measure(lab):
    network = lab.run("marks").summary["network"]
    marks = network["ecn_marked_frames"]
    return {"marks": marks, "marks that did not arrive": marks - network["ce_arrivals"]}
