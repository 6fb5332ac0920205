# SPDX-License-Identifier: GPL-2.0-only
"""A congestion control that was built outside of the tree is loaded, listed, explained and run."""

import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
MARK = b"rdmasim plugin of "

SCENARIO = """topology: {family: star, hosts: 5, rate: 100Gbps}
workload: [{pattern: incast, senders: 4, bytes: 50KB}]
"""


@pytest.fixture(name="program", scope="module")
def find_program():
    programs = [path for path in TOP.glob("build*/rdmasim") if path.is_file()]
    if not programs:
        pytest.skip("no build*/rdmasim: nothing is built")
    return max(programs, key=lambda path: path.stat().st_mtime)


@pytest.fixture(name="plugin", scope="module")
def build_plugin(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("plugin")
    for command in (
        ["cmake", "-G", "Ninja", "-S", TOP / "examples/plugin", "-B", folder,
         f"-Drdmasim_DIR={program.parent}"],
        ["cmake", "--build", folder],
    ):
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        assert result.returncode == 0, result.stdout + result.stderr
    return folder / "line-share.so"


def call(program, folder, *words):
    return subprocess.run(
        [program, *words], capture_output=True, text=True, check=False, cwd=folder, timeout=120
    )


def test_it_is_listed_with_its_keys(program, plugin, tmp_path):
    result = call(program, tmp_path, "list", "congestion", "line-share", "--plugin", plugin)
    assert result.returncode == 0, result.stderr
    expected = TOP / "examples/plugin/line-share.expected"
    assert result.stdout == expected.read_text(encoding="ascii")
    assert call(program, tmp_path, "list", "congestion", "line-share").returncode == 2


def test_it_runs_as_the_algorithm_that_it_equals(program, plugin, tmp_path):
    # A quarter of 100 Gb/s is the fixed rate of 25 Gb/s.
    (tmp_path / "s.yaml").write_text(SCENARIO, encoding="ascii")
    runs = {
        "own": ["--plugin", plugin, "--set", "congestion={algorithm: line-share, share: 1/4}"],
        "built-in": ["--set", "congestion={algorithm: fixed-rate, rate: 25Gbps}"],
    }
    for out, words in runs.items():
        result = call(program, tmp_path, "run", "s.yaml", "--out", out, *words)
        assert result.returncode == 0, result.stderr
    for file in ("flows.csv", "links.csv"):
        assert (tmp_path / "own" / file).read_bytes() == (tmp_path / "built-in" / file).read_bytes()


def test_a_scenario_names_it_and_a_sweep_uses_it(program, plugin, tmp_path):
    (tmp_path / "line-share.so").write_bytes(plugin.read_bytes())
    (tmp_path / "s.yaml").write_text(
        SCENARIO
        + "plugins: [./line-share.so]\nsweep: {congestion.algorithm: [line-share, none]}\n",
        encoding="ascii",
    )
    result = call(program, TOP, "run", tmp_path / "s.yaml", "--out", tmp_path / "o")
    assert result.returncode == 0, result.stderr
    assert "2 of 2 runs ended well" in result.stdout
    assert (tmp_path / "o/runs/000-line-share/summary.json").exists()


def test_a_plugin_of_another_program_is_refused_before_its_code_runs(program, plugin, tmp_path):
    data = plugin.read_bytes()
    place = data.index(MARK) + len(MARK)
    (tmp_path / "old.so").write_bytes(data[:place] + b"0123456789abcdef" + data[place + 16 :])
    (tmp_path / "none.so").write_bytes(b"no library")
    (tmp_path / "half.so").write_bytes(data[: place + 16])
    (tmp_path / "s.yaml").write_text(SCENARIO, encoding="ascii")
    for file, said in {
        "old.so": "built for another rdmasim; got 'old.so for 0123456789abcdef'",
        "none.so": "not a plugin; got 'none.so'",
        "half.so": "the plugin is no whole shared library; got 'half.so'",
        "nowhere.so": "no such file; got 'nowhere.so'",
    }.items():
        result = call(program, tmp_path, "check", "s.yaml", "--plugin", file)
        assert result.returncode == 2
        assert "--plugin: plugins: " in result.stderr
        assert said in result.stderr
    (tmp_path / "s.yaml").write_text(SCENARIO + "plugins: nowhere.so\n", encoding="ascii")
    result = call(program, tmp_path, "check", "s.yaml")
    assert result.returncode == 2
    assert "s.yaml:3: plugins: no such file" in result.stderr
