# SPDX-License-Identifier: GPL-2.0-only
"""TCP, UDP and RoCE in one capture: tshark knows each of them, and finds no checksum wrong."""

import csv
import shutil
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]

SCENARIO = """
name: mixed
description: all kinds of frames on one cable
topology: {family: star, hosts: 4, rate: 100Gbps, delay: 1us}
congestion: {algorithm: dcqcn}
switch: {marking: {policy: step, threshold: 20KB}}
workload:
  - {pattern: incast, sources: [h1, h2], receiver: h0, bytes: 100KB}
  - {pattern: tcp, sources: [h1, h3], destinations: h0, bytes: 500KB, congestion: dctcp}
  - {pattern: udp, sources: h2, destinations: h0, bytes: 100KB, rate: 20Gbps, linger: 10us}
results: {pcap: "h0"}
"""


@pytest.fixture(name="results", scope="module")
def run(tmp_path_factory):
    programs = [path for path in TOP.glob("build*/rdmasim") if path.is_file()]
    if not programs:
        pytest.skip("no build*/rdmasim: nothing is built")
    program = max(programs, key=lambda path: path.stat().st_mtime)
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "mixed.yaml").write_text(SCENARIO)
    subprocess.run([program, "run", "mixed.yaml", "--out", "out"], cwd=folder, check=True,
                   capture_output=True, timeout=120)
    return folder / "out"


def dissect(pcap, *fields):
    """A tuple of the fields of each frame, as tshark prints them."""
    if not shutil.which("tshark"):
        pytest.skip("no tshark")
    command = ["tshark", "-n", "-r", pcap, "-T", "fields", "-E", "occurrence=f",
               "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE",
               "-o", "udp.check_checksum:TRUE"]
    for field in fields:
        command += ["-e", field]
    lines = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    return [tuple(line.split("\t")) for line in lines.stdout.splitlines()]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_tshark_knows_each_kind(results):
    frames = dissect(results / "h0-0.pcap", "ip.proto", "udp.dstport", "tcp.dstport",
                     "infiniband.bth.opcode", "_ws.malformed")
    assert not any(frame[4] for frame in frames)
    roce = [frame for frame in frames if frame[3]]
    assert roce and all(frame[:2] == ("17", "4791") for frame in roce)
    tcp = [frame for frame in frames if frame[0] == "6"]
    ports = {row["destination_port"] for row in rows(results / "tcp.csv")}
    assert len(ports) == 2
    assert ports == {frame[2] for frame in tcp} & ports
    # Every segment that was sent has arrived here, with or without data.
    udp = [frame for frame in frames if frame[0] == "17" and not frame[3]]
    [stream] = rows(results / "udp.csv")
    assert len(udp) == int(stream["received_datagrams"]) == 68  # 100000 / 1472, rounded up
    assert {frame[1] for frame in udp} == {stream["destination_port"]}


def test_all_checksums_fit_marked_or_not(results):
    frames = dissect(results / "h0-0.pcap", "ip.checksum.status", "tcp.checksum.status",
                     "udp.checksum.status", "ip.dsfield.ecn", "ip.src", "tcp.len")
    assert {frame[0] for frame in frames} == {"1"}  # good
    assert {frame[1] for frame in frames} == {"", "1"}
    assert {frame[2] for frame in frames} <= {"", "1", "3"}  # 3: none, as RoCEv2 has it
    marked = [frame for frame in frames if frame[1] and frame[3] == "3"]
    assert marked and all(frame[5] == "1448" for frame in marked if int(frame[5]) > 1000)
    # 10.0.0.2 is h1.
    assert {"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"} == {frame[4] for frame in frames}


def test_everything_arrived(results):
    for row in rows(results / "tcp.csv"):
        assert (row["status"], row["received_bytes"], row["wrong_bytes"]) == (
            "finished", "500000", "0")
    assert all(row["status"] == "finished" for row in rows(results / "flows.csv"))


@pytest.mark.parametrize("workload, words", [
    ("{pattern: tcp, bytes: 0B}", ["bytes", "never ends"]),
    ("{pattern: tcp, congestion: cubik}", ["congestion", "cubic"]),
    ("{pattern: udp, sources: h9}", ["sources", "h9"]),
])
def test_bad_input_is_refused(tmp_path, workload, words):
    programs = [path for path in TOP.glob("build*/rdmasim") if path.is_file()]
    if not programs:
        pytest.skip("no build*/rdmasim: nothing is built")
    program = max(programs, key=lambda path: path.stat().st_mtime)
    (tmp_path / "bad.yaml").write_text(
        f"topology: {{family: star, hosts: 3}}\nworkload: [{workload}]\n")
    done = subprocess.run([program, "run", "bad.yaml"], cwd=tmp_path, capture_output=True,
                          text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert all(word in done.stderr for word in [*words, "bad.yaml:2"])
