# SPDX-License-Identifier: GPL-2.0-only
"""Memory of many flows, and the size of a table: told, written, and cut."""

import re


def measure(lab):
    million = lab.run("million", scenario="million.yaml")
    told = lab.simulator.call("check", lab.folder / "scenario.yaml").stdout
    megabytes = float(re.search(r"utilisation\.csv: up to about ([0-9.]+) MB", told)[1])
    written = (lab.run("whole").folder / "utilisation.csv").stat().st_size
    cut = lab.run("cut", {"instruments.0.max_bytes": "100KB"})
    cut_bytes = (cut.folder / "utilisation.csv").stat().st_size
    return {
        "flows that finished": million.summary["flows"]["finished"],
        "peak memory of a million flows in GB": million.performance["peak_rss_bytes"] / 1e9,
        "size told over size written": megabytes * 1e6 / written,
        "bytes of a file of at most 100 KB": cut_bytes,
        "bytes that the cap leaves unused": 100_000 - cut_bytes,
        "warnings of the full file": sum(
            "utilisation.csv: max_bytes" in line for line in cut.summary["warnings"]
        ),
    }
