# SPDX-License-Identifier: GPL-2.0-only
"""What a run sent, captured, read back, and replayed."""

import csv
import re
import subprocess


def count(text, kind):
    """Number and bytes of the operations of a kind, of the table of "trace stats"."""
    (found,) = re.findall(rf"^ *{kind} +RDMA_WRITE +(\d+) +(\d+)$", text, re.MULTILINE)
    return [int(number) for number in found]


def measure(lab):
    captured = lab.run("captured")
    (capture,) = captured.folder.glob("*.pcap")
    program = lab.simulator.program
    stats = subprocess.run([program, "trace", "stats", capture], check=True, capture_output=True,
                           text=True).stdout
    messages, size = count(stats, "POST_SEND")
    again = lab.path("again")
    subprocess.run([program, "replay", capture, "--fabric", lab.folder / "scenario.yaml",
                    "--out", again], check=True, capture_output=True)
    with open(again / "messages.csv", newline="", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    return {
        "messages read back": messages,
        "bytes read back": size,
        "completions read back": count(stats, "COMPLETION")[0],
        "messages of the capture replayed": sum(int(row["messages"]) for row in rows),
        "bytes of the capture replayed": sum(int(row["bytes"]) for row in rows),
    }
