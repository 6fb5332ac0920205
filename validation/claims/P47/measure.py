# SPDX-License-Identifier: GPL-2.0-only
"""What a result folder says of its origin, and whether a scenario made of it gives the same again."""

import re


def measure(lab):
    summary = lab.run("run").summary
    parameters = {row["key"]: row["value"] for row in summary["parameters"]}
    repeated = lab.run("again").summary
    return {
        "when the incast starts": parameters["workload.0.start"],
        "seed": summary["seed"],
        "commit is a hash": re.fullmatch(r"(.*-g)?[0-9a-f]{7,40}(-dirty)?", summary["commit"])
        is not None,
        "version is told": re.fullmatch(r"\d+\.\d+", summary["version"]) is not None,
        "each parameter has an origin": all(row["origin"] for row in summary["parameters"]),
        "equal again": repeated == summary,
    }
