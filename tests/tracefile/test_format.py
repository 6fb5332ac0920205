# SPDX-License-Identifier: GPL-2.0-only
"""What the program reads is what a reader gets that knows the format's description only."""

import collections
import os
import re
import subprocess
from pathlib import Path

import decode
import pytest

TOP = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RDMASIM_BUILD", TOP / "build-tests")) / "rdmasim"
FOLDERS = sorted(path.parent for path in (TOP / "scenarios" / "traces").glob("**/manifest"))
LINE = re.compile(r"^ *(-?\d+) ns  .* #(\d+)  (\w+)(.*)$")


def trace(*words):
    done = subprocess.run(
        [PROGRAM, "trace", *words], cwd=TOP, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def read(folder):
    """All operations of a folder, with times in nanoseconds since the origin."""
    keys = decode.manifest(folder)
    operations = []
    for line in keys["thread"]:
        header, thread = decode.thread_file(folder / line.split()[2])
        rate = int(keys.get("clock_ticks_per_second", [header["rate"]])[-1])
        origin = int(keys.get("clock_origin_ticks", [header["origin"]])[-1])
        for number, operation in enumerate(thread):
            operation["number"] = number
            operation["time"] = (operation["time"] - origin) * 10**9 // rate
            operation["duration"] = operation["duration"] * 10**9 // rate
        operations += thread
    return operations


def test_there_are_traces():
    assert len(FOLDERS) >= 2


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: str(f.relative_to(TOP)))
def test_show_is_what_the_description_gives(folder):
    expected = collections.Counter()
    for it in read(folder):
        expected[it["time"], it["number"], it["kind"], it["wr_id"], it["bytes"], it["count"],
                 it["duration"], it["remote_address"]] += 1
    shown = collections.Counter()
    for line in trace("show", folder).splitlines():
        time, number, kind, rest = LINE.match(line).groups()
        # Details of CONTROL have fields of the same names; their operation's own come first.
        values = {}
        for name, value in re.findall(r" (\w+)=(\S+)", rest):
            values.setdefault(name, int(value, 0) if re.match(r"-?(0x)?[0-9a-f]+$", value) else 0)
        own = kind != "CONTROL"
        shown[int(time), int(number), kind, values.get("wr_id", 0),
              values.get("bytes", 0) if own else 0, values.get("count", 0),
              values.get("duration_ns", 0), values.get("remote_address", 0)] += 1
    assert expected
    assert shown == expected


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: str(f.relative_to(TOP)))
def test_stats_are_the_sums(folder):
    operations = read(folder)
    text = trace("stats", folder)
    assert f"1 process, {len(decode.manifest(folder)['thread'])} thread" in text
    sent = [it["bytes"] for it in operations if it["kind"] in ("POST_SEND", "MESSAGE")]
    assert f" {len(operations)} operations, {sum(sent)} bytes sent" in text
    for kind, count in collections.Counter(it["kind"] for it in operations).items():
        rows = re.findall(rf"^  {kind}  +\S.*?  +(\d+)  +\d+$", text, re.MULTILINE)
        assert sum(map(int, rows)) == count, kind
    if sent:
        sent.sort()
        last = re.findall(r"^  (\d+) +(\d+) +(\d+) +\d+ +\d+ +\d+ +(\d+)$", text, re.MULTILINE)[0]
        middle = sent[(len(sent) + 1) // 2 - 1]
        assert list(map(int, last)) == [len(sent), sent[0], middle, sent[-1]]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: str(f.relative_to(TOP)))
def test_what_is_converted_is_the_same(folder, tmp_path):
    out = tmp_path / "out"
    trace("convert", folder, "--out", out)
    process = out / "process-0"
    assert [p.name for p in out.iterdir()] == ["process-0"]
    key = lambda it: (it["number"], it["time"], it["kind"])  # noqa: E731
    assert sorted(read(process), key=key) == sorted(read(folder), key=key)
