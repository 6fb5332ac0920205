# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios over scenarios, the measurement window, and what explain and list say of them."""

import csv
import json
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]

BASE = """name: base
topology:
  family: star
  hosts: 5
  rate: 100Gbps
workload:
  - {pattern: incast, senders: 4, bytes: 50KB}
"""
VARIANT = """extends: below/base.yaml
topology:
  rate: 25Gbps
workload+:
  - {pattern: incast, senders: 2, bytes: 10KB, start: 5ms, tag: late}
"""


@pytest.fixture(name="program", scope="module")
def find_program():
    programs = [path for path in TOP.glob("build*/rdmasim") if path.is_file()]
    if not programs:
        pytest.skip("no build*/rdmasim: nothing is built")
    return max(programs, key=lambda path: path.stat().st_mtime)


@pytest.fixture(name="folder")
def write_files(tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "below/base.yaml").write_text(BASE, encoding="ascii")
    (tmp_path / "variant.yaml").write_text(VARIANT, encoding="ascii")
    return tmp_path


def call(program, folder, *words):
    result = subprocess.run(
        [program, *words], capture_output=True, text=True, check=False, cwd=folder, timeout=120
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_every_value_knows_its_file(program, folder):
    call(program, folder, "run", "variant.yaml", "--set", "topology.delay=2us", "--quiet")
    summary = json.loads((folder / "results/variant/summary.json").read_text())
    origins = {item["key"]: (item["value"], item["origin"]) for item in summary["parameters"]}
    assert origins["topology.hosts"] == ("5", "below/base.yaml:4")
    assert origins["topology.rate"] == ("25Gbps", "variant.yaml:3")
    assert origins["topology.delay"] == ("2us", "--set")
    assert origins["workload.0.senders"] == ("4", "below/base.yaml:7")
    assert origins["workload.1.senders"] == ("2", "variant.yaml:5")
    assert origins["name"] == ("variant", "default")
    assert summary["scenario_files"] == ["below/base.yaml", "variant.yaml"]


def test_explain_for_programs_and_for_what_changed(program, folder):
    explained = json.loads(call(program, folder, "explain", "variant.yaml", "--json"))
    changed = json.loads(call(program, folder, "explain", "variant.yaml", "--json", "--changed"))
    assert all({"key", "value", "origin", "type", "help"} <= set(p) for p in explained["parameters"])
    assert changed["parameters"] == [
        one for one in explained["parameters"] if one["origin"] != "default"
    ]
    assert {one["key"] for one in changed["parameters"]} == {
        "topology.family", "topology.hosts", "topology.rate", "workload.0.pattern",
        "workload.0.senders", "workload.0.bytes", "workload.1.pattern", "workload.1.tag",
        "workload.1.senders", "workload.1.bytes", "workload.1.start",
    }
    lines = call(program, folder, "explain", "variant.yaml", "--changed").splitlines()
    rate = next(line for line in lines if line.startswith("topology.rate"))
    assert rate.split()[1:3] == ["25Gbps", "variant.yaml:3"]
    # columns: all origins begin at the same place
    table = lines[: lines.index("")]
    assert len({line.index(".yaml:") - len(line.split(".yaml:")[0].split()[-1]) for line in table}) == 1


def test_only_the_window_counts(program, folder):
    call(program, folder, "run", "variant.yaml", "--out", "o", "--quiet",
         "--set", "window.warm_up=1ms")
    rows = list(csv.DictReader(open(folder / "o/flows.csv")))
    assert list(rows[0])[-1] == "in_window"
    assert [row["in_window"] for row in rows] == ["0"] * 4 + ["1"] * 2
    summary = json.loads((folder / "o/summary.json").read_text())
    assert summary["window"]["counted"] == 2
    assert summary["window"]["outside"] == 4
    slowdowns = sorted(float(row["slowdown_delivered"]) for row in rows[4:])
    assert summary["completion_times"]["finished"] == 2
    assert summary["completion_times"]["slowdown_delivered"]["max"] == pytest.approx(
        slowdowns[1], abs=1e-6
    )


def test_lists_know_every_name(program, folder):
    overview = call(program, folder, "list")
    for word in ("congestion", "transport.policy", "nic.profile", "engine.simulator",
                 "window.warm_up", "sweep", "extends", "plugins", "duration"):
        assert word in overview
    assert "connectx" in call(program, folder, "list", "transport.policy")
    assert "go-back-0" in call(program, folder, "explain", "variant.yaml")
    assert "generic-100g" in call(program, folder, "list", "profile")
    assert "congestion:\nalgorithm: dcqcn" in call(program, folder, "list", "dcqcn")
    assert "9ms" in call(program, folder, "list", "window")
    result = subprocess.run(
        [program, "list", "dcqn"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert "did you mean 'dcqcn'?" in result.stderr


def test_an_unknown_policy_is_told_with_the_known(program, folder):
    result = subprocess.run(
        [program, "check", "variant.yaml", "--set", "transport.policy=conectx"],
        capture_output=True, text=True, check=False, cwd=folder,
    )
    assert result.returncode == 2
    assert "did you mean 'connectx'?" in result.stderr
