# SPDX-License-Identifier: GPL-2.0-only
"""What runs of a moment say about their routes."""

WARNING = "routes can deadlock"


def cycles(result):
    """The links of each cycle that was told of."""
    lines = [line for line in result.summary["warnings"] if line.startswith(WARNING)]
    return [line.split(": ")[1].split(" -> ")[:-1] for line in lines]


def measure(lab):
    directed = lab.run("directed", {"duration": "1us"}, scenario="ring.yaml")
    ring = lab.run("ring", {"topology.switches": "4", "duration": "1us"}, scenario="plain.yaml")
    tree = lab.run("tree", {"topology": "{family: fat-tree, k: 4}", "duration": "1us"},
                   scenario="plain.yaml")
    lossy = lab.run("lossy", {"pfc.enabled": "false", "duration": "1us"}, scenario="ring.yaml")
    return {
        "links listed for a ring of 3": len(cycles(directed)[0]),
        "links listed for a ring of 4": len(cycles(ring)[0]),
        "warnings for a fat-tree": len(cycles(tree)),
        "warnings without a lossless class": len(cycles(lossy)),
    }
