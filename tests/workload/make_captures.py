# SPDX-License-Identifier: GPL-2.0-only
"""Writes the small captures in data/traces/capture: the same packets in every form there is.

usage: make_captures.py PINGPONG.pcap IWARP.pcap FOLDER

PINGPONG.pcap is RoCEv2 over IPv4 in Ethernet, as tcpdump writes it (captures/pcap of
rxe_rc_pingpong_events: five SENDs of 64 bytes each way); IWARP.pcap is copied as it is.
"""

import struct
import sys
import zlib
from pathlib import Path

ETHERNET, RAW, COOKED, ERF, INFINIBAND, COOKED_2 = 1, 101, 113, 197, 247, 276
GRH_NEXT_BTH = 0x1b


def read(path):
    """(microseconds, bytes) of each frame of a little-endian pcap file."""
    data, offset, frames = path.read_bytes(), 24, []
    while offset < len(data):
        seconds, micros, captured = struct.unpack_from("<III", data, offset)
        frames.append((seconds * 1000000 + micros, data[offset + 16:offset + 16 + captured]))
        offset += 16 + captured
    return frames


def pcap(frames, link=ETHERNET, order="<", nano=False, snap=262144):
    out = struct.pack(order + "IHHiIII", 0xa1b23c4d if nano else 0xa1b2c3d4, 2, 4, 0, 0, snap, link)
    for micros, frame in frames:
        fraction = micros % 1000000 * (1000 if nano else 1)
        kept = frame[:snap]
        out += struct.pack(order + "IIII", micros // 1000000, fraction, len(kept), len(frame)) + kept
    return out


def block(order, kind, body):
    body += bytes(-len(body) % 4)
    length = struct.pack(order + "I", len(body) + 12)
    return struct.pack(order + "I", kind) + length + body + length


def option(order, code, value):
    return struct.pack(order + "HH", code, len(value)) + value + bytes(-len(value) % 4)


def section(order):
    return block(order, 0x0a0d0d0a, struct.pack(order + "IHHq", 0x1a2b3c4d, 1, 0, -1))


def interface(order, link, *options):
    body = struct.pack(order + "HHI", link, 0, 0) + b"".join(options)
    return block(order, 1, body + (option(order, 0, b"") if options else b""))


def enhanced(order, number, units, frame):
    return block(order, 6, struct.pack(order + "IIIII", number, units >> 32, units & 0xffffffff,
                                       len(frame), len(frame)) + frame)


def pcapng(frames, order):
    """Interface 0 in nanoseconds, 1 in units of 2^-20 s and 100 s later, by turns; a name block."""
    out = section(order) + interface(order, ETHERNET, option(order, 9, b"\x09"))
    out += interface(order, ETHERNET, option(order, 2, b"eth1"), option(order, 9, b"\x94"),
                     option(order, 14, struct.pack(order + "q", 100)))
    out += block(order, 4, struct.pack(order + "HH", 0, 0))
    for i, (micros, frame) in enumerate(frames):
        # Rounded up: what was a microsecond stays one.
        units = micros * 1000 if i % 2 == 0 else -(-(micros - 100000000) * (1 << 20) // 1000000)
        out += enhanced(order, i % 2, units, frame)
    return out


def two_sections(frames):
    """Half of the frames in each of two sections, of either byte order."""
    half = len(frames) // 2
    out = b""
    for order, part in (("<", frames[:half]), (">", frames[half:])):
        out += section(order) + interface(order, ETHERNET)
        out += b"".join(enhanced(order, 0, micros, frame) for micros, frame in part)
    return out


def simple(frames):
    """Blocks without times."""
    out = section("<") + interface("<", ETHERNET)
    return out + b"".join(block("<", 3, struct.pack("<I", len(frame)) + frame)
                          for _, frame in frames)


def icrc(packet, masked):
    """Of a packet from its first header on, without ICRC; masked: bytes that count as ones."""
    covered = bytearray(packet)
    for offset, bits in masked:
        covered[offset] |= bits
    return struct.pack("<I", zlib.crc32(covered))


def global_route(frame):
    """The packet with a global route header in place of IPv4 and UDP; without ICRC."""
    transport = frame[42:-4]
    gids = b"".join(bytes(10) + b"\xff\xff" + frame[start:start + 4] for start in (26, 30))
    head = struct.pack(">IHBB", 0x60000000, len(transport) + 4, GRH_NEXT_BTH, 64)
    return head + gids + transport


GRH_MASK = [(0, 0x0f), (1, 0xff), (2, 0xff), (3, 0xff), (7, 0xff)]


def roce_v1(frame):
    packet = global_route(frame)
    masked = [(8 + offset, bits) for offset, bits in GRH_MASK] + [(8 + 44, 0xff)]
    return frame[:12] + b"\x89\x15" + packet + icrc(b"\xff" * 8 + packet, masked)


def local_route(frame, is_global):
    """An InfiniBand packet; LIDs are the last bytes of the IPv4 addresses."""
    packet = global_route(frame) if is_global else frame[42:-4]
    words = (8 + len(packet) + 4) // 4
    head = struct.pack(">BBHHH", 0x30, 0x50 | (3 if is_global else 2), frame[33], words, frame[29])
    if is_global:
        masked = [(offset, 0xff) for offset in range(8)] + [(8 + 44, 0xff)]
        masked += [(8 + offset, bits) for offset, bits in GRH_MASK]
    else:
        masked = [(0, 0xf0), (8 + 4, 0xff)]
    return head + packet + icrc(head + packet, masked) + b"\x00\x00"  # VCRC


def erf(micros, frame):
    packet = local_route(frame, False)
    stamp = (micros // 1000000 << 32) | (micros % 1000000 << 32) // 1000000
    head = struct.pack("<Q", stamp) + struct.pack(">BBHHH", 0x80 | 21, 4, 16 + 8 + len(packet), 0,
                                                  len(packet))
    return head + b"\x07" + bytes(7) + packet  # with an extension header


def vlan(frame, tags):
    return frame[:12] + tags + frame[12:]


def main():
    pingpong, iwarp, folder = map(Path, sys.argv[1:])
    frames = read(pingpong)
    every = lambda change: [(micros, change(frame)) for micros, frame in frames]
    files = {
        "pingpong.pcap": pcap(frames),
        "pingpong-nano-big.pcap": pcap(frames, order=">", nano=True),
        "pingpong-little.pcapng": pcapng(frames, "<"),
        "pingpong-big.pcapng": pcapng(frames, ">"),
        "pingpong-sections.pcapng": two_sections(frames),
        "pingpong-simple.pcapng": simple(frames),
        "pingpong-vlan.pcap": pcap(every(lambda f: vlan(f, b"\x81\x00\x60\x05"))),
        "pingpong-two-vlans.pcap": pcap(every(lambda f: vlan(f, b"\x88\xa8\x00\x05\x81\x00\x60\x06"))),
        "pingpong-raw.pcap": pcap(every(lambda f: f[14:]), RAW),
        "pingpong-cooked.pcap": pcap(every(lambda f: bytes(14) + f[12:]), COOKED),
        "pingpong-cooked-2.pcap": pcap(every(lambda f: f[12:14] + bytes(18) + f[14:]), COOKED_2),
        "pingpong-v1.pcap": pcap(every(roce_v1)),
        "pingpong-local.pcap": pcap(every(lambda f: local_route(f, False)), INFINIBAND),
        "pingpong-global.pcap": pcap(every(lambda f: local_route(f, True)), INFINIBAND),
        "pingpong-erf.pcap": pcap([(micros, erf(micros, frame)) for micros, frame in frames], ERF),
        "pingpong-cut.pcap": pcap(frames, snap=60),
        "pingpong-port.pcap": pcap(every(lambda f: f[:36] + b"\x26\x0d" + f[38:])),
        "iwarp.pcap": iwarp.read_bytes(),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)


main()
