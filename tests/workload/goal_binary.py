#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the binary form of a GOAL schedule, as LogGOPSim's txt2bin lays it out.

usage: goal_binary.py RING.goal FOLDER
Writes FOLDER/ring.bin, and damaged ones into FOLDER/bad. The layout is that of Parser.hpp: magic
number 4223 (8 bytes), ranks (4), highest cpu and nic (1 each), begin and end of each rank counted
from behind the magic number (8 each); a rank: operations, roots (4 each), the roots (4 each), 39
bytes an operation, and the lists of those that wait for it.
"""

import re
import struct
import sys
from pathlib import Path

STATEMENT = re.compile(
    r"(?:(?P<label>\w+)\s*:)?\s*(?P<kind>send|recv|calc)\s+(?P<amount>\d+)\s*b?"
    r"(?:\s+(?:to|from)\s+(?P<peer>\d+))?(?P<options>(?:\s+(?:tag|cpu|nic)\s+\d+)*)\s*$")
REQUIREMENT = re.compile(r"(\w+)\s+(i?requires)\s+(\w+)\s*$")


def parse(text):
    """A rank is its operations, and who waits for the end and for the start of each."""
    text = re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    ranks = []
    for number, block in re.findall(r"rank\s+(\d+)\s*\{(.*?)\}", text, re.S):
        operations, labels, waits = [], {}, []
        for line in block.splitlines():
            statement = STATEMENT.match(line.strip())
            requirement = REQUIREMENT.match(line.strip())
            if statement:
                options = dict(re.findall(r"(\w+)\s+(\d+)", statement["options"]))
                if statement["label"]:
                    labels[statement["label"]] = len(operations)
                operations.append({
                    "kind": {"send": 1, "recv": 2, "calc": 3}[statement["kind"]],
                    "peer": int(statement["peer"] or 0),
                    "size": int(statement["amount"]),
                    **{key: int(options.get(key, 0)) for key in ("tag", "cpu", "nic")},
                    "ends": [], "starts": [], "count": 0})
            elif requirement:
                waits.append(requirement.groups())
        for step, kind, on in waits:
            operations[labels[step]]["count"] += 1
            lists = operations[labels[on]]["starts" if kind == "irequires" else "ends"]
            lists.append(labels[step])
        ranks.append((int(number), operations))
    return [operations for number, operations in sorted(ranks)]


def encode_rank(operations):
    """Counts, roots, operations, appendix."""
    roots = [i for i, operation in enumerate(operations) if operation["count"] == 0]
    data = struct.pack(f"<II{len(roots)}I", len(operations), len(roots), *roots)
    appendix = []
    for o in operations:
        data += struct.pack("<IbIQIBB", o["count"], o["kind"], o["peer"], o["size"], o["tag"],
                            o["cpu"], o["nic"])
        for waiting in (o["ends"], o["starts"]):
            data += struct.pack("<II", len(waiting), len(appendix))
            appendix += waiting
    return data + struct.pack(f"<{len(appendix)}I", *appendix)


def encode(ranks):
    """The whole file."""
    every = [operation for operations in ranks for operation in operations]
    head = struct.pack("<IBB", len(ranks), max(o["cpu"] for o in every),
                       max(o["nic"] for o in every))
    at = len(head) + 16 * len(ranks)
    jumps, bodies = b"", b""
    for operations in ranks:
        body = encode_rank(operations)
        jumps += struct.pack("<QQ", at, at + len(body))
        at += len(body)
        bodies += body
    return struct.pack("<Q", 4223) + head + jumps + bodies


def main():
    """Writes the files."""
    good = encode(parse(Path(sys.argv[1]).read_text()))
    folder = Path(sys.argv[2])
    (folder / "ring.bin").write_bytes(good)
    rank0 = 14 + 3 * 16  # the first rank begins behind header and jump table
    roots = struct.unpack_from("<I", good, rank0 + 4)[0]
    first = rank0 + 8 + 4 * roots  # its first operation
    changes = {
        "used-up": (0, struct.pack("<Q", 2342)),
        "ranks": (8, struct.pack("<I", 2**31)),
        "outside": (14, struct.pack("<Q", 2**40)),
        "many-operations": (rank0, struct.pack("<I", 2**32 - 1)),
        "kind": (first + 4, b"\x07"),
        "peer": (first + 5, struct.pack("<I", 3)),
        "any-tag": (first + 17, b"\xff\xff\xff\xff"),
        "list": (first + 27, struct.pack("<I", 10**6)),
        "dependencies": (first, struct.pack("<I", 2)),
    }
    for name, (at, new) in changes.items():
        (folder / "bad" / f"{name}.bin").write_bytes(good[:at] + new + good[at + len(new):])
    (folder / "bad" / "cut.bin").write_bytes(good[:-3])
    (folder / "bad" / "header.bin").write_bytes(good[:11])


if __name__ == "__main__":
    main()
