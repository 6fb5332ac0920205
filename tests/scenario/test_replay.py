# SPDX-License-Identifier: GPL-2.0-only
"""The command 'replay': what the README shows runs, comparisons add up, bad input is refused."""

import csv
import os
import re
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RDMASIM_BUILD", TOP / "build-tests")) / "rdmasim"
README = (TOP / "README.md").read_text(encoding="ascii")
COMMANDS = re.findall(r"^    build/rdmasim replay (.*)$", README, re.MULTILINE)
TRACES = [f"scenarios/traces/rc-pingpong/{name}" for name in ("client", "server")]


def replay(*words):
    return subprocess.run(
        [PROGRAM, "replay", *words],
        cwd=TOP, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def rows(path):
    with open(path, newline="", encoding="ascii") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("words", COMMANDS)
def test_commands_of_the_readme_run(tmp_path, words):
    words = re.sub(r" --out \S+", "", words).split()
    done = replay(*words, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "calibration: " in done.stdout
    differing = re.search("unlike the recorded ones", done.stdout)
    assert differing is None, done.stdout


def test_readme_shows_commands():
    assert len(COMMANDS) >= 3


def test_a_comparison_shows_both_fabrics(tmp_path):
    done = replay(*TRACES, "--fabric", "scenarios/replay.yaml", "--compare",
                  "scenarios/replay-far.yaml", "--mode", "fast", "--out", tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    near = rows(tmp_path / "replay" / "messages.csv")
    far = rows(tmp_path / "replay-far" / "messages.csv")
    table = done.stdout[done.stdout.index("comparison of") :]
    for a, b in zip(near, far, strict=True):
        # Two cables there and two back, each 19 us longer.
        assert float(b["p50_ns"]) - float(a["p50_ns"]) > 4 * 19_000
        assert a["p50_ns"] in table
        assert b["p50_ns"] in table


def posted(*words):
    """{process: what it posts, in order}: kind, opcode and bytes; processes in their order."""
    done = subprocess.run([PROGRAM, "trace", "show", *words], cwd=TOP, capture_output=True,
                          text=True, timeout=300, check=True)  # fmt: skip
    found = re.findall(r" ns  (\S+?)/.* #\d+  POST_SEND (\w+) .*?bytes=(\d+)", done.stdout)
    posts = {}
    for process, opcode, size in found:
        posts.setdefault(process, []).append((opcode, int(size)))
    return posts


@pytest.mark.parametrize("name, count, opcode, size", [
    ("rc-pingpong", [20, 20], "SEND", 4096),  # ibv_rc_pingpong -n 20
    ("write-bw", [50], "RDMA_WRITE", 65536),  # ib_write_bw -n 50
])  # fmt: skip
def test_what_was_recorded_is_on_the_wire_of_the_replay(tmp_path, name, count, opcode, size):
    """Programs of Debian recorded over a device: counts, sizes and order."""
    sides = [f"scenarios/traces/{name}/{side}" for side in ("client", "server")]
    recorded = posted(*sides)
    assert list(recorded.values()) == [[(opcode, size)] * number for number in count]
    done = replay(*sides, "--fabric", "scenarios/replay.yaml", "--set", "results.pcap=h0",
                  "--out", tmp_path / "out")  # fmt: skip
    assert done.returncode == 0, done.stderr
    (capture,) = (tmp_path / "out").glob("*.pcap")
    assert list(posted(capture).values()) == list(recorded.values())
    for row in rows(tmp_path / "out" / "replay.csv"):
        assert (row["other_status"], row["other_opcode"], row["other_length"]) == ("0", "0", "0")
    total = sum(int(row["messages"]) for row in rows(tmp_path / "out" / "messages.csv"))
    assert total == sum(count)


def test_compute_scale_and_map_are_taken(tmp_path):
    names = [row["process"] for row in run_rows(tmp_path / "a")]
    table = tmp_path / "map.csv"
    table.write_text(f"process,host\n{names[0]},h1\n{names[1]},h0\n", encoding="ascii")
    placed = run_rows(tmp_path / "b", "--map", table, "--compute-scale", "0")
    assert [row["host"] for row in placed] == ["h1", "h0"]
    assert all(float(row["compute_ns"]) == 0 for row in placed)


def run_rows(out, *words):
    done = replay(*TRACES, "--fabric", "scenarios/replay.yaml", "--quiet", "--out", out, *words)
    assert done.returncode == 0, done.stderr
    return rows(out / "replay.csv")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no trace"),
        ([*TRACES], "no fabric"),
        ([*TRACES, "--fabric", "missing.yaml"], "missing.yaml"),
        (["missing.trace", "--fabric", "scenarios/replay.yaml"], "missing.trace"),
        ([*TRACES, "--fabric", "scenarios/replay.yaml", "--mode", "slow"], "dependent"),
        ([*TRACES, "--fabric", "scenarios/replay.yaml", "--set", "x"], "--set key=value"),
        ([TRACES[0], "--fabric", "scenarios/replay.yaml"], "which no process of the trace has"),
        ([*TRACES, "--fabric", "scenarios/replay.yaml", "--set", "seed=[1, 2]"], "is one run"),
        ([*TRACES, "--fabric", "scenarios/replay.yaml", "--map", "README.md"], "README.md:"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_and_nothing_is_written(tmp_path, words, message):
    done = replay(*words, "--out", tmp_path / "out")
    assert done.returncode == 2, done.stdout
    assert message in done.stderr
    assert not (tmp_path / "out").exists()
