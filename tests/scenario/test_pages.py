# SPDX-License-Identifier: GPL-2.0-only
"""The commands on the page of mechanisms run, and give the figures that the page names."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RDMASIM_BUILD", TOP / "build-tests")) / "rdmasim"
PAGE = (TOP / "scenarios" / "README.md").read_text(encoding="ascii")
COMMANDS = re.findall(r"^    build/rdmasim run (.*)$", PAGE, re.MULTILINE)


def run(words, out):
    done = subprocess.run(
        [PROGRAM, "run", *words.split(), "--quiet", "--out", out],
        cwd=TOP, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads((out / "summary.json").read_text())["network"], done.stderr


def test_there_is_a_command_for_each_mechanism():
    assert len(COMMANDS) >= len(re.findall("^## ", PAGE, re.MULTILINE)) - 1


@pytest.mark.parametrize("words", COMMANDS)
def test_command_runs(tmp_path, words):
    run(words, tmp_path / "out")


@pytest.mark.parametrize(
    ("settings", "pauses"),
    [("congestion.algorithm=none", 235), ("seed=1", 38), ("switch.buffer.alpha=1/64", 343),
     ("switch.buffer.alpha=1", 34)],
)  # fmt: skip
def test_pauses_are_as_the_page_says(tmp_path, settings, pauses):
    network, _ = run(f"scenarios/incast.yaml --set {settings}", tmp_path / "out")
    assert network["pause_frames_sent"] == pauses
    assert re.search(rf"\b{pauses}\s+(pauses|PFC)", PAGE)


def test_headroom_that_is_too_small_is_told_and_drops(tmp_path):
    words = next(words for words in COMMANDS if "headroom" in words)
    network, messages = run(words, tmp_path / "out")
    assert "52504B may still arrive" in messages
    assert round(network["dropped"]["headroom_full"]["frames"], -3) == 34000
