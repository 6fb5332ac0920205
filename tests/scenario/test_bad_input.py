# SPDX-License-Identifier: GPL-2.0-only
"""Bad input: exit code 2, one clear line for each error with its place, and nothing written."""

import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]

TOPOLOGY = "topology: {family: star, hosts: 3}\n"
WORKLOAD = "workload: [{pattern: incast, bytes: 1KB}]\n"

# HPCC files: two hosts around switch 2; one flow.
HPCC_TOPOLOGY = "3 1 2\n2\n0 2 100Gbps 0.001ms 0\n1 2 100Gbps 0.001ms 0\n"
HPCC_FLOWS = "1\n0 1 3 100 1000 0.001\n"
HPCC_CONFIG = """TOPOLOGY_FILE topology.txt
FLOW_FILE flow.txt
CC_MODE 1
HAS_WIN 0
KMAX_MAP 1 {rate} 1600
KMIN_MAP 1 {rate} 400
PMAX_MAP 1 {rate} 0.2
"""


@pytest.fixture(name="program", scope="module")
def find_program():
    programs = [path for path in TOP.glob("build*/rdmasim") if path.is_file()]
    if not programs:
        pytest.skip("no build*/rdmasim: nothing is built")
    return max(programs, key=lambda path: path.stat().st_mtime)


def refuse(program, folder, *words):
    """Runs a command that must fail on its input; what it said."""
    before = sorted(folder.iterdir())
    result = subprocess.run(
        [program, *words], capture_output=True, text=True, check=False, cwd=folder, timeout=60
    )
    assert result.returncode == 2, result.stdout + result.stderr
    assert result.stdout == ""
    assert sorted(folder.iterdir()) == before
    return result.stderr


# name: (scenario, what must be said)
SCENARIOS = {
    "unknown key": (
        TOPOLOGY + "topolgy: 1\n" + WORKLOAD,
        ["s.yaml:2: topolgy: unknown key", "did you mean 'topology'?"],
    ),
    "unknown key in a group": (
        TOPOLOGY + "switch: {bufer: {size: 1MB}}\n" + WORKLOAD,
        ["s.yaml:2: switch.bufer: unknown key", "did you mean 'buffer'?"],
    ),
    "unknown fault": (
        TOPOLOGY + WORKLOAD + "faults: [{action: dropp, from: h0}]\n",
        ["s.yaml:3: faults.0.action: unknown name", "did you mean 'drop'?"],
    ),
    "words of a fault": (
        TOPOLOGY + WORKLOAD + "faults:\n  - action: drop\n    from: h0\n    psn: [1, x]\n",
        ["s.yaml:6: faults.0.psn: not such a number; got 'x'", "0 .. 16777215"],
    ),
    "fault on no cable": (
        TOPOLOGY + WORKLOAD + "faults: [{action: mark, from: h0, to: h1}]\n",
        ["s.yaml:3: faults.0.action: the fault is on no cable; got 'from h0, to h1'"],
    ),
    "unknown action of the timeline": (
        TOPOLOGY + WORKLOAD + "timeline: [{at: 1ms, action: link_down, from: h0}]\n",
        ["s.yaml:3: timeline.0.action: unknown name", "did you mean 'link-down'?"],
    ),
    "unknown node of the timeline": (
        TOPOLOGY + WORKLOAD + "timeline:\n  - {at: 1ms, action: link-up, link: 0}\n"
        "  - {at: 1ms, action: link-down, from: h7}\n",
        ["s.yaml:5: timeline.1.from: there is no such node; got 'h7'", "h0, h1, h2"],
    ),
    "rate of the timeline": (
        TOPOLOGY + WORKLOAD + "timeline: [{at: 1ms, action: rate-change, link: 0}]\n",
        ["s.yaml:3: timeline.0.rate: the key is missing", "10Mbps .. 1.6Tbps"],
    ),
    "what cannot change during a run": (
        TOPOLOGY + WORKLOAD
        + "timeline: [{at: 1ms, action: set, key: switch.buffer.size, value: 1MB}]\n",
        ["s.yaml:3: timeline.0.key: nothing that can change during a run", "switch.buffer.alpha"],
    ),
    "wrong unit": (
        "topology: {family: star, hosts: 3, rate: 100GB}\n" + WORKLOAD,
        ["s.yaml:1: topology.rate: unknown unit 'GB'", "100Gbps"],
    ),
    "missing unit": (
        "topology: {family: star, hosts: 3, delay: 5}\n" + WORKLOAD,
        ["s.yaml:1: topology.delay: the unit is missing", "such as 10us"],
    ),
    "wrong type": (
        "topology: {family: star, hosts: many}\n" + WORKLOAD,
        ["s.yaml:1: topology.hosts: not a whole number; got 'many'"],
    ),
    "duplicate key": (
        TOPOLOGY + "seed: 1\nseed: 2\n" + WORKLOAD,
        ["s.yaml:3: seed: the key stands twice"],
    ),
    "empty file": ("", ["s.yaml: the file is empty"]),
    "malformed YAML": ("topology: {family: star\n", ["s.yaml:", "malformed YAML"]),
    "missing group": (TOPOLOGY, ["s.yaml: workload: the key is missing"]),
    "zero hosts": (
        "topology: {family: star, hosts: 0}\n" + WORKLOAD,
        ["s.yaml:1: topology.hosts: out of range; got '0'"],
    ),
    "absurd number of hosts": (
        "topology: {family: star, hosts: 4000000000}\n" + WORKLOAD,
        ["s.yaml:1: topology", "4000000001"],
    ),
    "absurd bytes": (
        TOPOLOGY + "workload: [{pattern: incast, bytes: 99999999TB}]\n",
        ["s.yaml:2: workload.0.bytes"],
    ),
    "too many senders": (
        TOPOLOGY + "workload: [{pattern: incast, senders: 3}]\n",
        ["s.yaml:2: workload.0.senders", "at most 2 of 3 hosts"],
    ),
    "unknown host": (
        TOPOLOGY + "workload: [{pattern: incast, receiver: h9}]\n",
        ["s.yaml:2: workload.0.receiver", "h9"],
    ),
    "missing topology file": (
        "topology: {family: hpcc-file, file: nowhere.txt}\n" + WORKLOAD,
        ["nowhere.txt"],
    ),
    "missing HPCC configuration": ("hpcc: {config: nowhere.txt}\n", ["nowhere.txt"]),
    "unknown priority": (
        TOPOLOGY + "pfc: {lossless_priorities: [3, 12]}\n" + WORKLOAD,
        ["s.yaml:2: pfc.lossless_priorities", "12"],
    ),
    "thresholds out of order": (
        TOPOLOGY + "switch: {marking: {kmin: 2MB}}\n" + WORKLOAD,
        ["s.yaml:2: switch.marking.kmin", "Kmin is above Kmax"],
    ),
    "unknown acknowledgement policy": (
        TOPOLOGY + "transport: {ack: sometimes}\n" + WORKLOAD,
        ["s.yaml:2: transport.ack", "sometimes"],
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenarios(program, tmp_path, name):
    text, said = SCENARIOS[name]
    (tmp_path / "s.yaml").write_text(text, encoding="ascii")
    errors = refuse(program, tmp_path, "check", "s.yaml")
    for part in said:
        assert part in errors
    assert "internal error" not in errors


# name: (file, its content, what must be said)
HPCC = {
    "link speed without parameters": (
        "config.txt",
        HPCC_CONFIG.format(rate=25000000000),
        ["config.txt:6", "a link speed of the topology has no marking parameters", "100Gbps"],
    ),
    "unknown key": (
        "config.txt",
        HPCC_CONFIG.format(rate=100000000000) + "BUFER_SIZE 32\n",
        ["config.txt:8", "BUFER_SIZE", "BUFFER_SIZE"],
    ),
    "missing flow file": (
        "config.txt",
        HPCC_CONFIG.format(rate=100000000000).replace("flow.txt", "nowhere.txt"),
        ["config.txt:2", "nowhere.txt"],
    ),
    "fewer links than announced": (
        "topology.txt",
        HPCC_TOPOLOGY.replace("3 1 2", "3 1 5", 1),
        ["topology.txt", "5", "2"],
    ),
    "malformed rate": (
        "topology.txt",
        HPCC_TOPOLOGY.replace("100Gbps", "100Gbpz", 1),
        ["topology.txt:3", "100Gbpz"],
    ),
    "fewer flows than announced": ("flow.txt", "2\n0 1 3 100 1000 0.001\n", ["flow.txt", "2"]),
    "malformed flow line": ("flow.txt", "1\n0 1 3 100 many 0.001\n", ["flow.txt:2", "many"]),
    "flow of a switch": ("flow.txt", "1\n0 2 3 100 1000 0.001\n", ["flow.txt:2"]),
    "host without a path": (
        "topology.txt",
        "4 2 2\n2 3\n0 2 100Gbps 0.001ms 0\n1 3 100Gbps 0.001ms 0\n",
        ["0", "1", "path"],
    ),
}


@pytest.mark.parametrize("name", HPCC)
def test_hpcc_files(program, tmp_path, name):
    files = {
        "config.txt": HPCC_CONFIG.format(rate=100000000000),
        "topology.txt": HPCC_TOPOLOGY,
        "flow.txt": HPCC_FLOWS,
    }
    file, text, said = HPCC[name]
    files[file] = text
    for path, content in files.items():
        (tmp_path / path).write_text(content, encoding="ascii")
    errors = refuse(program, tmp_path, "check", "--hpcc", "config.txt")
    for part in said:
        assert part in errors
    assert "internal error" not in errors


def test_missing_scenario(program, tmp_path):
    assert "nowhere.yaml: no such file" in refuse(program, tmp_path, "run", "nowhere.yaml")


def test_all_errors_come_at_once(program, tmp_path):
    (tmp_path / "s.yaml").write_text(
        "topology: {family: stra}\nseed: x\nnic: {profil: ideal}\n"
        "workload: [{pattern: incast, bytes: 1}]\n",
        encoding="ascii",
    )
    errors = refuse(program, tmp_path, "check", "s.yaml", "--set", "pfc.enabld=false")
    assert [line.split(":")[0] for line in errors.splitlines()] == ["--set"] + ["s.yaml"] * 4


COMMANDS = {
    "unknown command": (["runn"], "did you mean 'run'?"),
    "unknown option": (["run", "s.yaml", "--sed", "1"], "unknown option; got '--sed'"),
    "no scenario": (["run"], "no scenario"),
    "unknown kind": (["list", "congstion"], "did you mean 'congestion'?"),
    "unknown name": (["list", "congestion", "dcqn"], "did you mean 'dcqcn'?"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(program, tmp_path, name):
    words, said = COMMANDS[name]
    assert said in refuse(program, tmp_path, *words)
