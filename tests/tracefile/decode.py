# SPDX-License-Identifier: GPL-2.0-only
"""Reads the trace format as model/tracefile/README.md describes it, by nothing else."""

import struct
from pathlib import Path

KINDS = ["NONE", "POST_SEND", "POST_RECEIVE", "POST_SHARED_RECEIVE", "COMPLETION", "EMPTY_POLLS",
         "ARM", "CQ_EVENT", "ACK_CQ_EVENTS", "CONTROL", "MESSAGE", "MESSAGE_RECEIVE", "COMPUTE"]
FIELDS = ["duration", "wr_id", "object", "bytes", "local_address", "remote_address", "count",
          "flags", "opcode", "other", "immediate", "elements", "remote_qp", "local_key", "rkey",
          "status", "result", "compare_add", "swap", "dependencies_needed"]
SIGNED = {"duration", "result"}
NONE = 0xFFFFFFFF
# Of each detail the types of its fields: u unsigned, i signed, g GID, s text.
DETAILS = ["", "sg", "uuuuuuu", "uu", "uuuu", "uuuuuuuuuuuu", "u" * 24 + "gi", "uguuu", "uuiugguu",
           "uuu"]


def crc32c(data):
    """Bit by bit, by the polynomial of RFC 3720."""
    state = 0xFFFFFFFF
    for byte in data:
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ (0x82F63B78 if state & 1 else 0)
    return state ^ 0xFFFFFFFF


class Cursor:
    """Takes numbers off the front of bytes."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def bytes(self, count):
        assert self.at + count <= len(self.data)
        self.at += count
        return self.data[self.at - count:self.at]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.bytes(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def zigzag(self):
        value = self.varint()
        return -(value >> 1) - 1 if value & 1 else value >> 1


def manifest(folder):
    """The lines of a manifest: of a key that stands several times, all values."""
    lines = (Path(folder) / "manifest").read_text().splitlines()
    assert lines[0] == "rdmasim-trace: 1"
    keys = {}
    for line in lines:
        key, _, value = line.partition(": ")
        keys.setdefault(key, []).append(value)
    return keys


def thread_file(path):
    """Header and operations of a thread file, times in ticks."""
    data = Path(path).read_bytes()
    assert data[:8] == b"\x89RDMTRC\n"
    version, order, length, number, rate, origin, crc = struct.unpack_from("<HBBIQqI", data, 8)
    name = data[36:36 + length]
    assert version == 1 and crc == crc32c(data[:32] + name)
    operations = []
    at = 36 + length
    while at < len(data):
        marker, size, count, first, crc = struct.unpack_from("<4sIIQI", data, at)
        payload = data[at + 24:at + 24 + size]
        assert marker == b"TBLK" and first == len(operations)
        assert crc == crc32c(data[at + 4:at + 20] + payload)
        operations += block(payload, count, first)
        at += 24 + size
    return {"order": order, "number": number, "rate": rate, "origin": origin,
            "name": name.decode()}, operations


def block(payload, count, first):
    """The operations of a block's payload."""
    cursor = Cursor(payload)
    last = {}
    time = 0
    operations = []
    for number in range(first, first + count):
        head = cursor.bytes(1)[0]
        kind = head & 0x0F
        time += cursor.zigzag()
        values = last.setdefault(kind, [NONE if f in ("object", "other") else 0 for f in FIELDS])
        mask = cursor.varint() if head & 0x10 else 0
        for bit in range(len(FIELDS)):
            if mask >> bit & 1:
                values[bit] = (values[bit] + cursor.zigzag()) % 2**64
        operation = {"kind": KINDS[kind], "time": time}
        for field, value in zip(FIELDS, values):
            operation[field] = value - 2**64 if field in SIGNED and value >> 63 else value
        operation["dependencies"] = dependencies(cursor, number) if head & 0x20 else []
        if KINDS[kind] == "CONTROL":
            operation["control"] = control(cursor)
        operations.append(operation)
    assert cursor.at == len(payload)
    return operations


def dependencies(cursor, number):
    """What an operation waits for: thread, whether its start is enough, operation."""
    found = []
    for _ in range(cursor.varint()):
        thread = cursor.varint()
        found.append((thread >> 1, thread & 1, number - cursor.zigzag()))
    return found


def control(cursor):
    """Verb, kind of object, and the values of the detail."""
    verb, kind, detail = cursor.bytes(3)
    take = {"u": cursor.varint, "i": cursor.zigzag, "g": lambda: cursor.bytes(16),
            "s": lambda: cursor.bytes(cursor.varint())}
    return verb, kind, detail, [take[letter]() for letter in DETAILS[detail]]
