# SPDX-License-Identifier: GPL-2.0-only
"""Captures that come back: what was read from one, replayed and captured again, is the same.

Also what a run of our own puts on the wire is what its flows were asked to send.
"""

import csv
import os
import re
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RDMASIM_BUILD", TOP / "build-tests")) / "rdmasim"
CAPTURES = TOP.parent / "shared" / "captures" / "pcap"
DATA = TOP / "tests" / "workload" / "data"

# A line of `trace show`: process, end, what it posts.
POST = re.compile(r"(\S+)/((?:qp|port) [\w-]+) #\d+  POST_SEND (\w+)(.*)$")

# Nothing was answered, or not in the end: the program of the trace does not wait for it, and is over
# before its message is sent.
UNANSWERED = {"rxe_vt_bad_qpn", "rxe_vt_rnr_exceeded", "rxe_wire_retry_exceeded",
              "rxe_wire_retry_exceeded_t12_r7", "siw_vt_bad_rkey_write",
              "siwcrc_vt_bad_rkey_read"}  # fmt: skip
# Transports that are not modelled: `replay` refuses them by name.
OTHER_TRANSPORTS = {"rxe_ib_send_bw_uc_4096", "rxe_ib_send_bw_ud", "rxe_ib_write_bw_uc_4096",
                    "rxe_uc_pingpong_4096", "rxe_ud_pingpong_1024", "rxe_udaddy",
                    "rxe_vt_ud"}  # fmt: skip


def call(*words):
    return subprocess.run([PROGRAM, *words], cwd=TOP, capture_output=True, text=True, timeout=300,
                          check=False)  # fmt: skip


def run(*words):
    done = call(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def messages(capture):
    """Of each end that posts: (opcode, bytes) in its order, by (process, end)."""
    ends = {}
    for line in run("trace", "show", capture).splitlines():
        found = POST.search(line)
        if found:
            size = re.search(r" bytes=(\d+)", found.group(4))
            post = (found.group(3), int(size.group(1)) if size else 0)
            ends.setdefault(found.group(1, 2), []).append(post)
    return ends


def check_replay(capture, folder):
    """Numbers of queue pairs and addresses are others than on the wire that was captured."""
    run("replay", capture, "--fabric", "scenarios/replay.yaml", "--set", "results.pcap=h0:0",
        "--out", folder)  # fmt: skip
    expected = messages(capture)
    assert sum(map(len, expected.values())) > 0
    assert sorted(messages(folder / "h0-0.pcap").values()) == sorted(expected.values())


@pytest.mark.parametrize("name", ["pingpong.pcap", "pingpong-little.pcapng", "pingpong-v1.pcap",
                                  "pingpong-erf.pcap", "iwarp.pcap"])  # fmt: skip
def test_small_captures_come_back(name, tmp_path):
    check_replay(DATA / "traces" / "capture" / name, tmp_path / "out")


def captures_with_messages():
    with open(DATA / "capture-counts.csv", newline="", encoding="ascii") as file:
        names = {row["file"] for row in csv.DictReader(file) if row["what"].startswith("post")}
    return sorted(name for name in names if not name.startswith(("sk_", "oferby")))


@pytest.mark.parametrize("name", captures_with_messages())
def test_captures_of_real_hosts_come_back(name, tmp_path):
    if not CAPTURES.is_dir():
        pytest.skip(f"no captures in {CAPTURES}")
    stem = Path(name).stem
    if stem in UNANSWERED:
        note = "messages whose acknowledgement or response was not captured: "
        assert note in run("trace", "stats", CAPTURES / name)
        return
    if stem in OTHER_TRANSPORTS:
        done = call("replay", CAPTURES / name, "--fabric", "scenarios/replay.yaml")
        assert done.returncode == 2
        assert re.search("U[CD] queue pairs: not modelled", done.stderr)
        return
    check_replay(CAPTURES / name, tmp_path / "out")


def test_a_run_of_our_own_is_read_as_it_was_asked_for(tmp_path):
    (tmp_path / "s.yaml").write_text(
        "topology: {family: star, hosts: 5, rate: 100Gbps}\n"
        "workload: [{pattern: incast, senders: 4, bytes: 150KB}]\n"
        "faults: [{action: drop, to: switch, frames: request, every: 40}]\n", encoding="ascii")
    run("run", tmp_path / "s.yaml", "--set", 'results.pcap="*"', "--out", tmp_path / "out")
    with open(tmp_path / "out" / "flows.csv", newline="", encoding="ascii") as file:
        flows = list(csv.DictReader(file))
    assert len(flows) == 4
    assert sum(int(flow["packets_retransmitted"]) for flow in flows) > 0
    for flow in flows:
        # The only one that this host sends; its address is 10.0.0.(number + 1).
        host = int(flow["source"].strip("h"))
        ends = messages(tmp_path / "out" / f"h{host}-0.pcap")
        posts = [post for (process, _), posts in ends.items()
                 if process == f"10.0.0.{host + 1}" for post in posts]
        assert sum(size for _, size in posts) == int(flow["bytes"])
        assert {opcode for opcode, _ in posts} == {"RDMA_WRITE"}
    # The receiver sees all of them.
    receiver = int(flows[0]["destination"].strip("h"))
    ends = messages(tmp_path / "out" / f"h{receiver}-0.pcap")
    assert sorted(process for process, _ in ends) == sorted(
        f"10.0.0.{int(flow['source'].strip('h')) + 1}" for flow in flows)
    assert sum(size for posts in ends.values() for _, size in posts) == sum(
        int(flow["bytes"]) for flow in flows)
