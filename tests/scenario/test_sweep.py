# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps: all combinations, whatever the number of processes; continued, interrupted, refused."""

import csv
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]

BASE = """topology: {family: star, hosts: 5, rate: 100Gbps}
workload: [{pattern: incast, senders: 4, bytes: 50KB}]
"""
SWEEP = BASE + """sweep:
  congestion.algorithm: [dcqcn, none]
  workload.0: {senders: [2, 4]}
  seed: [1, 2, 3]
"""


@pytest.fixture(name="program", scope="module")
def find_program():
    programs = [path for path in TOP.glob("build*/rdmasim") if path.is_file()]
    if not programs:
        pytest.skip("no build*/rdmasim: nothing is built")
    return max(programs, key=lambda path: path.stat().st_mtime)


def call(program, folder, *words):
    return subprocess.run(
        [program, *words], capture_output=True, text=True, check=False, cwd=folder, timeout=300
    )


def rows(folder):
    with open(folder / "sweep.csv", newline="", encoding="ascii") as file:
        return list(csv.DictReader(file))


def contents(folder):
    """Every file of a sweep but those that tell of the machine."""
    return {
        path.relative_to(folder): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "run.json"
    }


@pytest.fixture(name="scenario")
def write_scenario(tmp_path):
    (tmp_path / "s.yaml").write_text(SWEEP, encoding="ascii")
    return tmp_path


def test_every_combination_is_a_row_and_a_folder(program, scenario):
    result = call(program, scenario, "run", "s.yaml", "--out", "o")
    assert result.returncode == 0, result.stderr
    table = rows(scenario / "o")
    # 2 x 2 x 3, the last key fastest
    assert [(row["congestion.algorithm"], row["workload.0.senders"], row["seed"]) for row in table] == [
        (algorithm, senders, seed)
        for algorithm in ("dcqcn", "none")
        for senders in ("2", "4")
        for seed in ("1", "2", "3")
    ]
    assert list(table[0])[:6] == [
        "run", "congestion.algorithm", "workload.0.senders", "seed", "folder", "status",
    ]
    for row in table:
        summary = json.loads((scenario / "o" / row["folder"] / "summary.json").read_text())
        parameters = {item["key"]: item for item in summary["parameters"]}
        assert parameters["congestion.algorithm"]["value"] == row["congestion.algorithm"]
        assert parameters["congestion.algorithm"]["origin"] == "s.yaml:4"
        assert summary["seed"] == int(row["seed"])
        assert row["status"] == "ok"
        assert int(row["finished"]) == int(row["workload.0.senders"]) == summary["flows"]["total"]
        assert int(row["censored"]) == 0
        percentiles = summary["completion_times"]["slowdown_delivered"]
        assert float(row["slowdown_delivered_p99"]) == pytest.approx(percentiles["p99"], abs=1e-6)
        links = list(csv.DictReader(open(scenario / "o" / row["folder"] / "links.csv")))
        assert int(row["max_queue_bytes"]) == max(
            int(link["max_queue_bytes"]) for link in links if link["from"] == "switch"
        )
    plan = json.loads((scenario / "o" / "sweep.json").read_text())
    assert plan["keys"] == ["congestion.algorithm", "workload.0.senders", "seed"]
    assert [run["folder"] for run in plan["runs"]] == [row["folder"] for row in table]
    assert table[7]["folder"] == "runs/007-none-senders2-seed2"


def test_results_do_not_depend_on_the_number_of_processes(program, scenario):
    for jobs in ("1", "2", "8"):
        result = call(program, scenario, "run", "s.yaml", "--out", jobs, "--jobs", jobs)
        assert result.returncode == 0, result.stderr
    one = contents(scenario / "1")
    assert len(one) > 12 * 5
    assert contents(scenario / "2") == one
    assert contents(scenario / "8") == one


def test_a_run_of_a_sweep_is_the_same_run_alone(program, scenario):
    call(program, scenario, "run", "s.yaml", "--out", "o")
    (scenario / "alone.yaml").write_text(
        BASE + "congestion: {algorithm: none}\nseed: 2\n", encoding="ascii"
    )
    call(program, scenario, "run", "alone.yaml", "--out", "alone", "--set", "workload.0.senders=2")
    for file in ("flows.csv", "links.csv"):
        alone = (scenario / "alone" / file).read_bytes()
        assert (scenario / "o/runs/007-none-senders2-seed2" / file).read_bytes() == alone


def test_lists_in_options(program, scenario):
    (scenario / "b.yaml").write_text(BASE, encoding="ascii")
    result = call(program, scenario, "run", "b.yaml", "--out", "o", "--set", "topology.rate=[25Gbps, 100Gbps]")
    assert result.returncode == 0, result.stderr
    assert [row["topology.rate"] for row in rows(scenario / "o")] == ["25Gbps", "100Gbps"]
    # The hosts of a workload are a list themselves: one run.
    (scenario / "c.yaml").write_text(BASE.replace("senders: 4, ", ""), encoding="ascii")
    result = call(
        program, scenario, "run", "c.yaml", "--out", "p", "--set", "workload.0.sources=[h1, h2]"
    )
    assert result.returncode == 0, result.stderr
    assert not (scenario / "p" / "sweep.csv").exists()
    # An option takes the place of the file's list.
    result = call(program, scenario, "run", "s.yaml", "--out", "q", "--seed", "9",
                  "--set", "congestion.algorithm=none", "--set", "workload.0.senders=[1, 3]")
    assert result.returncode == 0, result.stderr
    assert [(row["workload.0.senders"], row["seed"]) for row in rows(scenario / "q")] == [
        ("1", "9"), ("3", "9")
    ]


def test_zipped_keys_change_together(program, tmp_path):
    (tmp_path / "s.yaml").write_text(
        BASE
        + "sweep:\n  zip:\n    topology.rate: [25Gbps, 50Gbps]\n"
        + "    workload.0.bytes: [25KB, 50KB]\n  seed: [1, 2]\n",
        encoding="ascii",
    )
    result = call(program, tmp_path, "run", "s.yaml", "--out", "o")
    assert result.returncode == 0, result.stderr
    assert [
        (row["topology.rate"], row["workload.0.bytes"], row["seed"]) for row in rows(tmp_path / "o")
    ] == [
        ("25Gbps", "25KB", "1"), ("25Gbps", "25KB", "2"),
        ("50Gbps", "50KB", "1"), ("50Gbps", "50KB", "2"),
    ]


def test_only_missing_runs_are_made(program, scenario):
    call(program, scenario, "run", "s.yaml", "--out", "o")
    whole = contents(scenario / "o")
    folder = scenario / "o" / "runs"
    names = sorted(path.name for path in folder.iterdir())
    (folder / names[2] / "exit.json").unlink()
    (folder / names[5] / "summary.json").unlink()
    (folder / names[5] / "flows.csv.part").write_text("half", encoding="ascii")
    times = {name: (folder / name / "flows.csv").stat().st_mtime_ns for name in names}
    result = call(program, scenario, "run", "s.yaml", "--out", "o")
    assert result.returncode == 0, result.stderr
    assert "10 of 12 runs are there already" in result.stderr
    changed = [n for n in names if (folder / n / "flows.csv").stat().st_mtime_ns != times[n]]
    assert changed == [names[2], names[5]]
    assert contents(scenario / "o") == whole


def test_another_sweep_does_not_mix_in(program, scenario):
    call(program, scenario, "run", "s.yaml", "--out", "o")
    before = contents(scenario / "o")
    changed = ("run", "s.yaml", "--out", "o", "--set", "workload.0.bytes=60KB")
    result = call(program, scenario, *changed)
    assert result.returncode == 2
    assert "the folder holds another sweep" in result.stderr
    assert contents(scenario / "o") == before
    result = call(program, scenario, *changed, "--restart")
    assert result.returncode == 0, result.stderr
    assert contents(scenario / "o") != before


def test_a_bad_run_stops_no_other(program, tmp_path):
    # 4 senders need 5 hosts: of the combinations, that of 3 hosts and 4 senders is none; each value
    # is good with the first of the other key.
    (tmp_path / "s.yaml").write_text(
        BASE + "sweep: {topology.hosts: [5, 3], workload.0.senders: [2, 4]}\n", encoding="ascii"
    )
    result = call(program, tmp_path, "run", "s.yaml", "--out", "o")
    assert result.returncode == 1
    assert "run 003-hosts3-senders4: bad-input" in result.stderr
    assert [row["status"] for row in rows(tmp_path / "o")] == ["ok", "ok", "ok", "bad-input"]
    assert rows(tmp_path / "o")[3]["finished"] == ""
    said = (tmp_path / "o/runs/003-hosts3-senders4/messages.txt").read_text()
    assert "s.yaml:3: workload.0.senders" in said


BAD = {
    "unknown key": ("sweep: {workload.0.sender: [1, 2]}", "s.yaml:3: workload.0.sender: unknown key"),
    "bad value": ("sweep: {seed: [1, x]}", "s.yaml:3: seed: not a whole number; got 'x'"),
    "no values": ("sweep: {seed: []}", "s.yaml:3: sweep.seed: a list without values"),
    "no keys": ("sweep: 3", "s.yaml:3: sweep: not a group of keys"),
    "twice": ("sweep: {seed: [1], zip: {seed: [2]}}", "sweep.seed: the key stands twice"),
    "lengths": (
        "sweep: {zip: {seed: [1, 2], workload.0.senders: [1]}}",
        "s.yaml:3: sweep.zip: the lists are not of equal length",
    ),
    "list at the place of a value": ("seed: [1, 2]", "below 'sweep:'"),
    "list at the place of an attribute": ("pfc: {enabled: [true, false]}", "below 'sweep:'"),
    "too many": (
        "sweep: {seed: [%s], workload.0.priority: [%s], workload.0.destination_port: [%s]}"
        % tuple([", ".join(map(str, range(50)))] * 3),
        "sweep: too many combinations",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_sweeps_are_refused_before_anything_runs(program, tmp_path, name):
    text, said = BAD[name]
    (tmp_path / "s.yaml").write_text(BASE + text + "\n", encoding="ascii")
    for command in ("check", "run"):
        result = call(program, tmp_path, command, "s.yaml")
        assert result.returncode == 2, result.stdout
        assert said in result.stderr
        assert "internal error" not in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.yaml"]


def test_check_and_explain_tell_of_the_sweep(program, scenario):
    for command in ("check", "explain"):
        result = call(program, scenario, command, "s.yaml")
        assert result.returncode == 0, result.stderr
        assert "sweep: 12 runs" in result.stdout
        assert "workload.0.senders    2, 4" in result.stdout


def test_ctrl_c_ends_all_and_the_next_call_continues(program, tmp_path):
    (tmp_path / "s.yaml").write_text(
        BASE + "sweep: {workload.0.bytes: [10KB, 4GB, 5GB], seed: [1, 2]}\n", encoding="ascii"
    )
    command = [program, "run", "s.yaml", "--out", "o", "--jobs", "2"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        marks = [tmp_path / "o/runs" / f"00{i}-bytes10KB-seed{i + 1}" / "exit.json" for i in (0, 1)]
        deadline = time.monotonic() + 120
        while not all(mark.exists() for mark in marks) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.0)
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "interrupted: the same command makes the runs that are missing" in errors
    statuses = [row["status"] for row in rows(tmp_path / "o")]
    assert statuses == ["ok", "ok", "interrupted", "interrupted", "not-run", "not-run"]
    result = call(program, tmp_path, "check", "s.yaml")
    assert result.returncode == 0
