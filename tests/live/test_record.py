# SPDX-License-Identifier: GPL-2.0-only
"""Programs are recorded over a device of tests, and traces compared with what the programs did.

The device (fake-*.cc) is loaded before libibverbs, so that programs of Debian run as they are.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]

# Kinds of operations and values of enumerations: model/tracefile/operation.h and infiniband/verbs.h.
SEND, RECEIVE, SHARED_RECEIVE, COMPLETION, EMPTY, ARM, EVENT, ACK, CONTROL = range(1, 10)
CREATE, MODIFY, DESTROY, CM = range(1, 5)
DEVICE, DOMAIN, REGION, WINDOW, CHANNEL, QUEUE, SRQ, QUEUE_PAIR = range(1, 9)
WR_WRITE, WR_WRITE_IMM, WR_SEND, WR_SEND_IMM, WR_READ, WR_SWAP, WR_ADD = range(7)
WR_BIND, WR_SEND_INV = 8, 9
WC_SEND, WC_WRITE, WC_READ, WC_SWAP, WC_ADD, WC_BIND = range(6)
WC_RECV, WC_RECV_IMM = 128, 129
SIGNALED, SOLICITED, INLINE = 2, 4, 8


@pytest.fixture(name="build", scope="module")
def find_build():
    """The build folder with the newest libraries."""
    named = os.environ.get("RDMASIM_BUILD")
    folders = [Path(named).resolve()] if named else list(TOP.glob("build*"))
    folders = [folder for folder in folders
               if all((folder / name).is_file() for name in
                      ("rdmasim", "librdmasim-record.so", "live-fake-verbs.so", "live-exercise"))]
    if not folders:
        pytest.skip("no build folder with the recorder and its tests")
    return max(folders, key=lambda folder: (folder / "rdmasim").stat().st_mtime)


class Recording:
    """The traces below a folder: a list of operations for each process and thread."""

    def __init__(self, build, folder):
        self.processes = {}
        for process in sorted(folder.iterdir() if folder.exists() else []):
            self.processes[process.name] = [
                self.read(build, file)
                for file in sorted(process.glob("*.rdt"), key=lambda file: int(file.stem))]

    @staticmethod
    def read(build, file):
        result = subprocess.run([build / "live-print-trace", file], capture_output=True, text=True,
                                check=False, timeout=60)
        assert result.returncode == 0, result.stderr
        return [json.loads(line) for line in result.stdout.splitlines()]

    def only(self):
        """The operations of the only thread of the only process."""
        (threads,) = self.processes.values()
        (operations,) = threads
        return operations


def environment(build, tmp_path, **more):
    return {**os.environ, "LD_PRELOAD": str(build / "live-fake-verbs.so"),
            "FAKE_VERBS_FABRIC": str(tmp_path / "fabric"), **more}


def record_command(build, out, *words):
    return [str(build / "rdmasim"), "record", "--out", str(out), "--", *map(str, words)]


def exercise(build, tmp_path, scenario):
    """Records a scenario of exercise.cc; what it printed, as numbers, and the trace."""
    result = subprocess.run(
        record_command(build, tmp_path / "trace", build / "live-exercise", scenario),
        env=environment(build, tmp_path), capture_output=True, text=True, check=False, timeout=120)
    return result, [int(word) for word in result.stdout.split()], \
        Recording(build, tmp_path / "trace")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_listening(port, server):
    """Looks into the system's tables: a probe by a connection would be the server's first."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            if re.search(rf":{port:04X} [0-9A-F]+:0000 0A ", Path(table).read_text()):
                return
        time.sleep(0.02)
    pytest.fail(f"nobody listens on {port}: {server.communicate(timeout=10)[0]}")


def run_two(build, tmp_path, words):
    """Records a program as server and as client; its outputs and operations, server first."""
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    port = free_port()
    words = [*words, "-d", "fake0", "-p", str(port)]
    sides = []
    for name, address in (("server", "10.0.0.2"), ("client", "10.0.0.1")):
        if sides:
            wait_until_listening(port, sides[0])
        sides.append(subprocess.Popen(
            record_command(build, tmp_path / name, *words, *(["127.0.0.1"] if sides else [])),
            env=environment(build, tmp_path, FAKE_VERBS_ADDRESS=address),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    outputs = [side.communicate(timeout=120)[0] for side in sides]
    assert [side.returncode for side in sides] == [0, 0], outputs
    return outputs, [Recording(build, tmp_path / name).only() for name in ("server", "client")]


def of_kind(operations, kind, **values):
    return [o for o in operations
            if o["kind"] == kind and all(o[key] == value for key, value in values.items())]


def controls(operations, verb, kind):
    return [o for o in operations if o["kind"] == CONTROL and (o["verb"], o["on"]) == (verb, kind)]


def check_order(operations):
    """Times never run backwards, and each completion has its post before it."""
    times = [o["time"] for o in operations]
    assert times == sorted(times)
    posted = Counter()
    for operation in operations:
        if operation["kind"] in (SEND, RECEIVE):
            posted[operation["object"], operation["kind"]] += 1
        elif operation["kind"] == COMPLETION:
            kind = RECEIVE if operation["opcode"] >= WC_RECV else SEND
            posted[operation["object"], kind] -= 1
            assert posted[operation["object"], kind] >= 0


@pytest.mark.parametrize("option", [[], ["-e"], ["-N"]])
def test_ping_pong(build, tmp_path, option):
    """ibv_rc_pingpong: -n exchanges of -s bytes, -r receives posted again when few are left."""
    outputs, sides = run_two(build, tmp_path,
                             ["ibv_rc_pingpong", "-g", "0", "-n", "30", "-s", "2000", "-r", "40",
                              *option])
    for output, side in zip(outputs, sides):
        assert re.search(r"120000 bytes in .*\n30 iters in ", output)
        check_order(side)
        sends = of_kind(side, SEND)
        assert len(sends) == 30
        assert {(o["opcode"], o["bytes"], o["wr_id"]) for o in sends} == {(WR_SEND, 2000, 2)}
        assert {(o["elements"], o["flags"] & SIGNALED) for o in sends} == {(1, SIGNALED)}
        entries = of_kind(side, COMPLETION, status=0)
        assert Counter(o["opcode"] for o in entries) == {WC_SEND: 30, WC_RECV: 30}
        assert {o["bytes"] for o in entries if o["opcode"] == WC_RECV} == {2000}
        assert len(of_kind(side, RECEIVE)) >= 40
        # What it printed of both ends is what it asked of the device.
        (device,) = controls(side, CREATE, DEVICE)
        (pair,) = controls(side, CREATE, QUEUE_PAIR)
        local, remote = re.findall(r"QPN 0x(\w+), PSN 0x(\w+), GID ::ffff:10\.0\.0\.(\d)", output)
        states = {o["state"]: o for o in controls(side, MODIFY, QUEUE_PAIR)}
        assert list(states) == [1, 2, 3]  # INIT, RTR, RTS
        assert pair["number"] == int(local[0], 16)
        assert states[2]["destination_qp"] == int(remote[0], 16)
        assert states[2]["receive_psn"] == int(remote[1], 16)
        assert states[3]["send_psn"] == int(local[1], 16)
        assert device["name"] == "fake0"
        assert {o["other"] for kind in (DOMAIN, REGION, QUEUE, QUEUE_PAIR)
                for o in controls(side, CREATE, kind)} == {device["object"]}
        assert device["gid"].endswith("ffff0a00000" + local[2])
        assert states[2]["destination"].endswith("ffff0a00000" + remote[2])
        events = of_kind(side, EVENT)
        acknowledged = sum(o["count"] for o in of_kind(side, ACK))
        assert len(events) == acknowledged
        assert bool(events) == ("-e" in option) and bool(of_kind(side, ARM)) == ("-e" in option)


def test_the_gid_that_is_used(build, tmp_path):
    """The device is recorded with its first GID, and with the second when that comes into use."""
    _, sides = run_two(build, tmp_path, ["ibv_rc_pingpong", "-g", "1", "-n", "3"])
    for side, number in zip(sides, (2, 1)):
        (device,) = controls(side, CREATE, DEVICE)
        (changed,) = controls(side, MODIFY, DEVICE)
        assert device["gid"].endswith(f"ffff0a0000{number:02x}")
        assert changed["gid"].endswith(f"ffff0a0000{number + 100:02x}")
        assert changed["object"] == device["object"]
        ready = [o for o in controls(side, MODIFY, QUEUE_PAIR) if o["state"] == 2]
        assert ready[0]["time"] <= changed["time"]
    manifests = [path.read_text() for path in tmp_path.glob("client/*/manifest")]
    assert re.findall(r"^gid: .*:0a00:(\w+)$", manifests[0], re.MULTILINE) == ["0001", "0065"]


@pytest.mark.parametrize("program, opcode, completion, sizes", [
    ("ib_write_bw", WR_WRITE, WC_WRITE, 4096),
    ("ib_read_lat", WR_READ, WC_READ, 1024),
    ("ib_send_lat", WR_SEND, WC_SEND, 64),
    ("ib_send_bw", WR_SEND, WC_SEND, 5000),
    ("ib_write_lat", WR_WRITE, WC_WRITE, 32),
    ("ib_atomic_bw", WR_ADD, WC_ADD, 8),
    ("ib_atomic_lat", WR_ADD, WC_ADD, 8),
])
def test_perftest(build, tmp_path, program, opcode, completion, sizes):
    """perftest: as many requests of that size as it says in its table."""
    words = [program, "-F", "-n", "20", *([] if "atomic" in program else ["-s", str(sizes)])]
    outputs, (server, client) = run_two(build, tmp_path, words)
    assert re.search(rf"^ {sizes} +20 ", outputs[1], re.M), outputs[1]
    sends = of_kind(client, SEND)
    assert len(sends) == 20
    assert {(o["opcode"], o["bytes"], o["result"]) for o in sends} == {(opcode, sizes, 0)}
    check_order(server)
    check_order(client)
    answers = 20 if program in ("ib_send_lat", "ib_write_lat") else 0
    assert len(of_kind(server, SEND)) == answers
    if opcode == WR_SEND:
        assert len(of_kind(server, COMPLETION, opcode=WC_RECV, bytes=sizes)) == 20
    else:
        # The remote address and key are those of the peer's region, as it printed them.
        (region,) = controls(server, CREATE, REGION)
        assert {o["rkey"] for o in sends} == {region["rkey"]}
        printed = re.findall(r"RKey 0x(\w+) VAddr 0x(\w+)", outputs[1])
        if printed:  # not by those for atomics
            assert int(printed[1][0], 16) == region["rkey"]
            assert sends[0]["remote"] == int(printed[1][1], 16)
        inside = range(region["address"], region["address"] + region["length"])
        assert all(o["remote"] in inside for o in sends)
    signalled = [o for o in sends if o["flags"] & SIGNALED]
    taken = of_kind(client, COMPLETION, opcode=completion, status=0)
    assert len(taken) == len(signalled) >= 1
    assert [o["wr_id"] for o in taken] == [o["wr_id"] for o in signalled]


def test_shared_receive_queue_of_debians_program(build, tmp_path):
    """ibv_srq_pingpong: 3 queue pairs, one receive queue."""
    _, sides = run_two(build, tmp_path,
                       ["ibv_srq_pingpong", "-g", "0", "-q", "3", "-n", "12", "-r", "32"])
    for side in sides:
        pairs = controls(side, CREATE, QUEUE_PAIR)
        (queue,) = controls(side, CREATE, SRQ)
        assert len(pairs) == 3 and {o["srq"] for o in pairs} == {queue["object"]}
        assert len(of_kind(side, SHARED_RECEIVE, object=queue["object"])) >= 32
        received = Counter(o["object"] for o in of_kind(side, COMPLETION, opcode=WC_RECV))
        assert set(received) == {o["object"] for o in pairs}
        # The program ends when it has counted 12 of each; it may have posted one more of a pair.
        sent = len(of_kind(side, COMPLETION, opcode=WC_SEND))
        assert 12 <= sent <= len(of_kind(side, SEND)) <= sent + len(pairs)


def run_rping(build, folder):
    """Records both ends, each into a folder of its name; their results and what they printed."""
    port = free_port()
    words = ["-C", "5", "-S", "100", "-V", "-p", str(port), "-a", "127.0.0.1"]
    sides = {}
    for name, option in (("server", "-s"), ("client", "-c")):
        sides[name] = subprocess.Popen(
            record_command(build, folder / name, "rping", option, *words),
            env=environment(build, folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)
        if name == "server":
            wait_until_listening(port, sides[name])
    outputs = {name: side.communicate(timeout=60)[0] for name, side in sides.items()}
    return {name: side.returncode for name, side in sides.items()}, outputs


def test_rping(build, tmp_path):
    """rping: -C times the client sends twice and the server reads, sends, writes and sends.

    Queue pairs are made and moved by rdma_cm; it takes completions in a thread of its own.
    """
    if shutil.which("rping") is None:
        pytest.skip("rping is not installed")
    folder = tmp_path
    for attempt in range(5):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        codes, outputs = run_rping(build, folder)
        # The client closes the channel on which its own thread waits, which sometimes notices.
        if "rdma_get_cm_event: Bad file descriptor" not in outputs["client"]:
            break
    assert codes == {"server": 0, "client": 0}, outputs
    posts = {"server": {WR_READ: 5, WR_WRITE: 5, WR_SEND: 10}, "client": {WR_SEND: 10}}
    # RESOLVE_ADDR 1, RESOLVE_ROUTE 2, BIND 3, LISTEN 4, CONNECT 5, ACCEPT 6, DISCONNECT 8
    calls = {"server": [3, 4, 6, 8], "client": [1, 2, 5, 8]}
    # CONNECT_REQUEST 4, ESTABLISHED 9, DISCONNECTED 10; ADDR_RESOLVED 0, ROUTE_RESOLVED 2
    events = {"server": [4, 9, 10], "client": [0, 2, 9, 10]}
    for name in outputs:
        (threads,) = Recording(build, folder / name).processes.values()
        everything = [o for thread in threads for o in thread]
        takers = [i for i, thread in enumerate(threads) if of_kind(thread, COMPLETION)]
        posters = [i for i, thread in enumerate(threads) if of_kind(thread, SEND)]
        assert len(takers) == len(posters) == 1 and takers != posters
        assert Counter(o["opcode"] for o in of_kind(everything, SEND)) == posts[name]
        assert {o["bytes"] for o in of_kind(everything, SEND, opcode=WR_SEND)} == {16}
        assert {o["bytes"] for o in of_kind(everything, SEND) if o["opcode"] != WR_SEND} <= {100}
        received = of_kind(everything, COMPLETION, opcode=WC_RECV, status=0)
        assert len(received) == 10
        # The last receive is flushed, with nothing of what then is not defined.
        (flushed,) = of_kind(everything, COMPLETION, status=5)
        assert (flushed["opcode"], flushed["bytes"]) == (0, 0)
        steps = [o for o in everything if o["kind"] == CONTROL and o["verb"] == CM]
        assert sorted(o["call"] for o in steps if o["call"] != 9) == calls[name]
        # The client ends without waiting for its last event.
        came = [o["event"] for o in steps if o["call"] == 9]
        assert came in (events[name], events[name][:3])
        (pair,) = controls(everything, CREATE, QUEUE_PAIR)
        assert {o["qp"] for o in steps if o["call"] in (5, 6)} == {pair["object"]}
        changes = sorted(controls(everything, MODIFY, QUEUE_PAIR), key=lambda o: o["time"])
        assert [o["state"] for o in changes][:4] == [1, 2, 3, 6]  # INIT, RTR, RTS, ERR
        # What rdma_cm did within a call stands behind the call, and its time is not before it.
        for thread in threads:
            times = [o["time"] for o in thread]
            assert times == sorted(times)


def test_opcodes_with_all_that_they_carry(build, tmp_path):
    """The figures are those of Opcodes() in exercise.cc."""
    result, (remote, lkey, rkey, entries), trace = exercise(build, tmp_path, "opcodes")
    assert result.returncode == 0, result.stderr
    operations = trace.only()
    sends = of_kind(operations, SEND)
    assert [o["wr_id"] for o in sends] == [1, 2, 3, 4, 5, 6, 7]
    write, immediate, send, read, swap, add, invalidate = sends
    assert (write["opcode"], write["elements"], write["bytes"]) == (WR_WRITE, 3, 1108)
    assert (write["remote"], write["rkey"], write["lkey"]) == (remote, rkey, lkey)
    assert write["local"] == remote - 32768
    assert (immediate["opcode"], immediate["elements"]) == (WR_WRITE_IMM, 2)
    assert (immediate["bytes"], immediate["immediate"]) == (108, 0xa1b2c3d4)
    assert immediate["remote"] == remote + 8
    assert (send["opcode"], send["immediate"]) == (WR_SEND_IMM, 77)
    assert send["flags"] == SIGNALED | SOLICITED | INLINE
    assert (read["opcode"], read["bytes"], read["remote"]) == (WR_READ, 100, remote)
    assert (swap["opcode"], swap["remote"], swap["rkey"]) == (WR_SWAP, remote, rkey)
    assert (swap["compare_add"], swap["swap"]) == (0x1111111122222222, 0x3333333344444444)
    assert (add["opcode"], add["compare_add"], add["swap"]) == (WR_ADD, 0x55, 0)
    assert (invalidate["opcode"], invalidate["rkey"]) == (WR_SEND_INV, 0xbeef)
    # The three that came in one call have one time, the others later ones.
    times = [o["time"] for o in sends]
    assert times[0] == times[1] == times[2] < times[3] < times[4] < times[5] < times[6]
    taken = of_kind(operations, COMPLETION)
    assert len(taken) == entries == 10
    assert {o["wr_id"]: o["opcode"] for o in taken} == {
        1: WC_WRITE, 2: WC_WRITE, 3: WC_SEND, 4: WC_READ, 5: WC_SWAP, 6: WC_ADD, 7: WC_SEND,
        101: WC_RECV_IMM, 102: WC_RECV, 103: WC_RECV}
    received = {o["wr_id"]: o for o in taken if o["wr_id"] > 100}
    assert [received[i]["immediate"] for i in (101, 102, 103)] == [0xa1b2c3d4, 77, 0xbeef]
    assert [received[i]["flags"] for i in (101, 102, 103)] == [2, 2, 8]  # WITH_IMM, WITH_INV
    first, second = controls(operations, CREATE, QUEUE_PAIR)
    assert {o["object"] for o in sends} == {first["object"]}
    assert {o["object"] for o in received.values()} == {second["object"]}
    assert {o["remote_qp"] for o in received.values()} == {first["number"]}


def test_requests_behind_the_refused_one_are_none(build, tmp_path):
    result, (error, refused), trace = exercise(build, tmp_path, "refused")
    assert result.returncode == 0, result.stderr
    sends = of_kind(trace.only(), SEND)
    assert refused == 8  # the queue holds eight
    assert [o["wr_id"] for o in sends] == list(range(9))
    assert [o["result"] for o in sends] == [0] * 8 + [error]


def test_shared_receive_queue(build, tmp_path):
    result, (entries,), trace = exercise(build, tmp_path, "shared")
    assert result.returncode == 0, result.stderr
    operations = trace.only()
    (queue,) = controls(operations, CREATE, SRQ)
    assert queue["max_requests"] == 32
    posted = of_kind(operations, SHARED_RECEIVE)
    assert [(o["wr_id"], o["object"], o["bytes"]) for o in posted] == [
        (1, queue["object"], 512), (2, queue["object"], 512)]
    (limit,) = controls(operations, MODIFY, SRQ)
    assert limit["limit"] == 5
    received = of_kind(operations, COMPLETION, opcode=WC_RECV)
    assert entries == 4 and [o["wr_id"] for o in received] == [1, 2]
    assert len({o["object"] for o in received}) == 2
    assert len(controls(operations, DESTROY, QUEUE_PAIR)) == 2
    assert len(controls(operations, DESTROY, SRQ)) == 1


def test_extended_queues_and_posts(build, tmp_path):
    """ibv_start_poll and ibv_wr_*; the program itself asked for no field of an entry."""
    result, (remote, empty, found), trace = exercise(build, tmp_path, "extended")
    assert result.returncode == 0, result.stderr
    operations = trace.only()
    immediate, send, add = of_kind(operations, SEND)
    assert (immediate["opcode"], immediate["wr_id"]) == (WR_WRITE_IMM, 1)
    assert (immediate["bytes"], immediate["immediate"]) == (600, 4711)
    assert immediate["remote"] == remote
    assert (send["opcode"], send["wr_id"], send["bytes"]) == (WR_SEND, 2, len("inline") + 1)
    assert send["flags"] & INLINE
    assert (add["opcode"], add["wr_id"], add["compare_add"]) == (WR_ADD, 3, 5)
    taken = of_kind(operations, COMPLETION)
    assert len(taken) == found == 5
    assert sorted((o["wr_id"], o["opcode"], o["bytes"]) for o in taken) == [
        (1, WC_WRITE, 600), (2, WC_SEND, 7), (3, WC_ADD, 8),
        (201, WC_RECV_IMM, 600), (202, WC_RECV, 7)]
    first, second = controls(operations, CREATE, QUEUE_PAIR)
    assert {o["object"] for o in taken if o["wr_id"] < 100} == {first["object"]}
    assert {o["object"] for o in taken if o["wr_id"] > 100} == {second["object"]}
    assert [o["count"] for o in of_kind(operations, EMPTY)] == [empty] == [1]


def test_memory_windows(build, tmp_path):
    result, (key, entries), trace = exercise(build, tmp_path, "windows")
    assert result.returncode == 0, result.stderr
    operations = trace.only()
    (window,) = controls(operations, CREATE, WINDOW)
    (bind,) = of_kind(operations, SEND)
    assert (bind["opcode"], bind["wr_id"], bind["rkey"]) == (WR_BIND, 5, key)
    assert (bind["other"], bind["bytes"]) == (window["object"], 4096)
    assert entries == len(of_kind(operations, COMPLETION, opcode=WC_BIND)) == 1
    assert len(controls(operations, DESTROY, WINDOW)) == 1


def test_regions(build, tmp_path):
    """One call that uses another inside the library is one operation."""
    result, keys, trace = exercise(build, tmp_path, "regions")
    assert result.returncode == 0, result.stderr
    operations = trace.only()
    first, second = controls(operations, CREATE, REGION)
    assert [first["lkey"], second["lkey"]] == keys
    assert (first["length"], second["length"]) == (65536, 256)
    (changed,) = controls(operations, MODIFY, REGION)
    assert (changed["object"], changed["length"]) == (first["object"], 128)
    assert [o["object"] for o in controls(operations, DESTROY, REGION)] == [
        second["object"], first["object"]]


def test_a_forked_child_has_a_trace_of_its_own(build, tmp_path):
    result, (child, code), trace = exercise(build, tmp_path, "fork")
    assert (result.returncode, code) == (0, 7), result.stderr
    assert "2 processes, 2 threads" in result.stderr
    ((own,),) = [threads for name, threads in trace.processes.items()
                 if name.endswith(f"-{child}")]
    ((parents,),) = [threads for name, threads in trace.processes.items()
                     if not name.endswith(f"-{child}")]
    assert [o["wr_id"] for o in of_kind(parents, SEND)] == [1, 4]
    assert [o["wr_id"] for o in of_kind(own, SEND)] == [2, 3]
    # First what it has from its parent, with the same numbers; then its own.
    inherited = controls(parents, CREATE, QUEUE_PAIR)
    pairs = controls(own, CREATE, QUEUE_PAIR)
    assert [o["number"] for o in pairs[:2]] == [o["number"] for o in inherited]
    assert len(pairs) == 4 and len({o["object"] for o in pairs}) == 4
    assert [o["state"] for o in own if o["kind"] == CONTROL and o["verb"] == MODIFY][:6] == [
        1, 2, 3, 1, 2, 3]
    assert {o["object"] for o in of_kind(own, SEND)} == {pairs[2]["object"]}


def test_threads_that_end_and_new_ones(build, tmp_path):
    """Three rounds of four threads, which send 1, 11, 21 and 31 messages."""
    result, _, trace = exercise(build, tmp_path, "threads")
    assert result.returncode == 0, result.stderr
    (threads,) = trace.processes.values()
    counts = Counter(len(of_kind(thread, SEND)) for thread in threads)
    assert counts == {1: 3, 11: 3, 21: 3, 31: 3}
    for thread in threads:
        assert len(of_kind(thread, COMPLETION)) == 2 * len(of_kind(thread, SEND))
        check_order(thread)
    pairs = [o["object"] for thread in threads for o in controls(thread, CREATE, QUEUE_PAIR)]
    assert len(set(pairs)) == len(pairs) == 24


@pytest.mark.parametrize("scenario, code", [("running-exit", 3), ("running-_exit", 4),
                                            ("running-quick", 5)])
def test_a_program_that_ends_while_threads_run(build, tmp_path, scenario, code):
    """All that was done before the end was asked for is there."""
    result, (sent,), trace = exercise(build, tmp_path, scenario)
    assert result.returncode == code, result.stderr
    assert len(of_kind(trace.only(), SEND)) >= sent >= 100
    (manifest,) = (tmp_path / "trace").glob("*/manifest")
    assert manifest.read_text().endswith("closed: yes\n")


def test_a_killed_program_leaves_what_was_written(build, tmp_path):
    """It sends at least 100 messages, and a second later is killed; 50 ms of them may be lost."""
    result, (sent,), trace = exercise(build, tmp_path, "killed")
    assert result.returncode == 128 + 9
    assert len(of_kind(trace.only(), SEND)) >= sent
    (manifest,) = (tmp_path / "trace").glob("*/manifest")
    assert "closed" not in manifest.read_text()
    assert "\nthread: 0 program 0.rdt " in manifest.read_text()


def test_many_operations_are_all_there(build, tmp_path):
    result, (count,), trace = exercise(build, tmp_path, "many")
    assert result.returncode == 0, result.stderr
    operations = trace.only()
    sends = of_kind(operations, SEND)
    assert [o["wr_id"] for o in sends] == [i * 0x123456789 for i in range(count)]
    assert len(of_kind(operations, COMPLETION, opcode=WC_RECV)) == count


def test_a_file_that_may_not_grow(build, tmp_path):
    """One message; the program's own result is as without the recorder."""
    result, (count,), trace = exercise(build, tmp_path, "limited")
    assert (result.returncode, count) == (0, 20000)
    assert result.stderr.count("nothing more is recorded, the program goes on") == 1
    sends = of_kind(trace.only(), SEND)
    assert 100 <= len(sends) < count
    assert [o["wr_id"] for o in sends] == [i * 0x123456789 for i in range(len(sends))]


def test_a_full_disk(build, tmp_path):
    if os.getuid() != 0:
        pytest.skip("only root may mount")
    disk = tmp_path / "trace"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], check=False,
                      capture_output=True).returncode != 0:
        pytest.skip("cannot mount here")
    try:
        result, (count,), trace = exercise(build, tmp_path, "many")
        assert (result.returncode, count) == (0, 20000), result.stderr
        assert result.stderr.count("the program goes on: No space left on device") == 1
        sends = of_kind(trace.only(), SEND)
        assert 100 <= len(sends) < count
        assert [o["wr_id"] for o in sends] == [i * 0x123456789 for i in range(len(sends))]
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_folder_that_cannot_be_made(build, tmp_path):
    (tmp_path / "file").write_text("")
    result = subprocess.run(
        record_command(build, tmp_path / "file/below", build / "live-exercise", "windows"),
        env=environment(build, tmp_path), capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 0 and len(result.stdout.split()) == 2
    assert result.stderr.count("the program goes on: Not a directory") == 1


def test_a_program_that_loads_the_library_itself(build, tmp_path):
    """As NCCL: dlopen and dlvsym. Without the library that stands in, nothing is seen of it."""
    out = tmp_path / "trace"
    result = subprocess.run(record_command(build, out, build / "live-loads-verbs"),
                            env=environment(build, tmp_path), capture_output=True, text=True,
                            check=False, timeout=60)
    assert (result.returncode, result.stdout) == (0, "0\n"), result.stderr
    operations = Recording(build, out).only()
    assert [(o["verb"], o["on"]) for o in of_kind(operations, CONTROL)] == [
        (CREATE, DEVICE), (CREATE, DOMAIN), (CREATE, QUEUE)]
    assert [o["count"] for o in of_kind(operations, EMPTY)] == [1]
    alone = subprocess.run(
        [build / "live-loads-verbs"], capture_output=True, text=True, check=False, timeout=60,
        env=environment(build, tmp_path, RDMASIM_RECORD_OUT=str(tmp_path / "none"),
                        LD_PRELOAD=f"{build}/librdmasim-record.so:{build}/live-fake-verbs.so"))
    assert alone.returncode == 1 and not (tmp_path / "none").exists()


def test_the_stand_in_has_all_symbols_and_versions(build):
    """Of the library that is installed, as another tool than the build's reads them."""
    if shutil.which("objdump") is None:
        pytest.skip("no objdump")

    def exported(file):
        lines = subprocess.run(["objdump", "-T", file], capture_output=True, text=True,
                               check=True).stdout
        return {tuple(line.split()[-2:]) for line in lines.splitlines()
                if "IBVERBS_" in line and "*UND*" not in line}

    found = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    real = re.search(r"libibverbs\.so\.1 .*=> (\S+)", found).group(1)
    own = exported(build / "librdmasim-ibverbs.so")
    assert len(exported(real)) > 100
    assert {name for name in own if name[1] != "rdmasim_stand_in_find"} == exported(real)


def test_direct_verbs_are_warned_of_once(build, tmp_path):
    result, _, trace = exercise(build, tmp_path, "direct")
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("the program drives the device itself") == 1
    assert len(controls(trace.only(), CREATE, QUEUE_PAIR)) == 2


def test_the_libraries_need_only_the_c_library(build):
    for library in ("librdmasim-record.so", "librdmasim-ibverbs.so"):
        listing = subprocess.run(["ldd", build / library], capture_output=True, text=True,
                                 check=True).stdout
        names = {line.split()[0] for line in listing.splitlines()}
        assert {Path(name).name.split(".")[0] for name in names} <= {
            "linux-vdso", "libc", "libdl", "ld-linux-x86-64", "ld-linux-aarch64"}


def test_exit_codes_and_messages_of_the_command(build, tmp_path):
    def call(*words):
        return subprocess.run([build / "rdmasim", "record", *words], capture_output=True,
                              text=True, check=False, timeout=60, cwd=tmp_path)

    assert call("--", "sh", "-c", "exit 5").returncode == 5
    assert call("--", "sh", "-c", "kill -9 $$").returncode == 128 + 9
    assert "nothing recorded" in call("--", "true").stderr
    assert not (tmp_path / "rdmasim-trace").exists()
    missing = call("--", "./no-such-program")
    assert missing.returncode == 127 and "no-such-program" in missing.stderr
    assert call().returncode == 2
    # What was to be loaded before is still, between the two libraries.
    shown = subprocess.run(
        [build / "rdmasim", "record", "--out", "x", "--", "sh", "-c",
         "echo $LD_PRELOAD; echo $RDMASIM_RECORD_OUT"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env={**os.environ, "LD_PRELOAD": str(build / "live-fake-verbs.so")}).stdout.split()
    assert shown == [":".join(str(build / name) for name in
                              ("librdmasim-record.so", "live-fake-verbs.so",
                               "librdmasim-ibverbs.so")), str(tmp_path / "x")]


def test_a_signal_to_the_command_ends_the_program(build, tmp_path):
    command = subprocess.Popen(
        record_command(build, tmp_path / "trace", "sh", "-c", "echo $$; exec sleep 100"),
        stdout=subprocess.PIPE, text=True)
    program = int(command.stdout.readline())
    command.terminate()
    assert command.wait(timeout=60) == 128 + 15
    assert not Path(f"/proc/{program}").exists()


def test_the_page_says_how(build, tmp_path):
    """The commands of README.md, with this machine as both; their folders are one trace."""
    page = (TOP / "README.md").read_text(encoding="ascii")
    commands = re.findall(r"^    build/rdmasim (record .*?)(?: +#.*)?$", page, re.MULTILINE)
    assert len(commands) == 2
    if shutil.which("ib_write_bw") is None:
        pytest.skip("ib_write_bw is not installed")
    port = free_port()
    sides = []
    for command, address in zip(commands, ("10.0.0.2", "10.0.0.1")):
        words = command.split()
        place = words.index("--")
        words[place:] = ["127.0.0.1" if word == "server" else word for word in words[place:]]
        if sides:
            wait_until_listening(port, sides[0])
        sides.append(subprocess.Popen(
            [build / "rdmasim", *words, "-p", str(port), "-n", "50"], cwd=tmp_path,
            env=environment(build, tmp_path, FAKE_VERBS_ADDRESS=address),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    outputs = [side.communicate(timeout=120)[0] for side in sides]
    assert [side.returncode for side in sides] == [0, 0], outputs
    command = re.search(r"`build/rdmasim (trace stats traces/[^`]*)`", page).group(1)
    result = subprocess.run([build / "rdmasim", *command.split()], cwd=tmp_path,
                            capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 0, result.stderr
    # Fifty messages of 64 KiB, which is perftest's default.
    assert re.search(r"^ +POST_SEND +RDMA_WRITE +50 +3276800$", result.stdout, re.MULTILINE)
    assert "2 processes, 2 threads" in result.stdout
