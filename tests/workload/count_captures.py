# SPDX-License-Identifier: GPL-2.0-only
"""Counts the messages in captures, from what others decoded, without the reader under test.

usage: count_captures.py CAPTURES SAMPLES > data/capture-counts.csv

CAPTURES holds pcap/NAME.pcap and decoded/NAME.txt, a line for each packet, from the decoder that
came with the captures; SAMPLES holds *.pcap, which tshark decodes. Columns: file, what, count,
bytes. What: ends; post OPCODE; receive; completion OPCODE STATUS, as numbers of ibv_wr_opcode,
ibv_wc_opcode and ibv_wc_status.
"""

import re
import struct
import subprocess
import sys
import zlib
from collections import Counter, defaultdict, namedtuple
from pathlib import Path

Packet = namedtuple("Packet", "source target service name qp psn bytes length answer source_qp")
WR = {"WRITE": 0, "WRITE_IMM": 1, "SEND": 2, "SEND_IMM": 3, "READ": 4, "CMP_SWAP": 5,
      "FETCH_ADD": 6, "SEND_INV": 9}
WC = {0: 1, 1: 1, 2: 0, 3: 0, 4: 2, 5: 3, 6: 4, 9: 0}
# The decoder takes frames above 1500 bytes for cut ones, and stopped in the midst of the other.
NOT_WHOLE = ("rxe_vt_mtu2048", "siw_cm_peer_killed")
ERRORS = {"INVALID_REQUEST": 9, "REMOTE_ACCESS_ERR": 10, "REMOTE_OP_ERR": 11, 0x61: 9, 0x62: 10,
          0x63: 11}
LINE = re.compile(r"^\s*(\d+)\s+[\d.]+ (\S+)>(\S+) (RC|UC|UD) (\w+) qp=(\w+) psn=(\w+)(.*)$")
TCP = re.compile(r"^\s*\d+\s+[\d.]+ (\S+)>(\S+) TCP (\S+) seq=(-?\d+) ack=(-?\d+)")
FPDU = re.compile(r"^\s+FPDU at (\d+) ulpdu_len=(\d+) pad=(\d) DDP (.)(.) .* (WRITE|SEND\w*|READ_\w+|"
                  r"TERMINATE) ctl=.*?plen=(\d+)(?:.* size=(\d+))?.* crc=(\w+)")


def value(text, name, base=10, default=0):
    found = re.search(rf"\b{name}=(\w+)", text)
    return int(found.group(1), base) if found else default


# Who is right about a packet's bytes: the decoder does not look at the ICRC.


def bad_frames(path):
    """Numbers of the RoCEv2 frames whose ICRC is wrong."""
    data = path.read_bytes()
    offset, frame, bad = 24, 0, set()
    while offset + 16 <= len(data):
        captured, original = struct.unpack_from("<II", data, offset + 8)
        bytes_ = bytearray(data[offset + 16:offset + 16 + captured])
        offset += 16 + captured
        frame += 1
        if captured < original or bytes_[12:14] != b"\x08\x00" or bytes_[36:38] != b"\x12\xb7":
            continue
        end = 14 + struct.unpack_from(">H", bytes_, 16)[0]
        icrc = bytes(bytes_[end - 4:end])
        for masked in (15, 22, 24, 25, 40, 41, 46):
            bytes_[masked] = 0xff
        if struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes_[14:end - 4])) != icrc:
            bad.add(frame)
    return bad


def decoded_packets(text, pcap):
    """The packets of a decoded file; a run of equal ones is one line there."""
    bad = bad_frames(pcap)
    for line in text.splitlines():
        found = LINE.match(line)
        if not found:
            continue
        frame, source, target, service, name, qp, psn, rest = found.groups()
        if int(frame) in bad:
            continue
        answer = None
        if "AETH" in rest:
            kind = re.search(r"AETH (\w+) ?(\w+)?", rest)
            answer = kind.group(2) if kind.group(1) == "NAK" else kind.group(1)
        run = re.search(r"up to psn (\w+)", rest)
        count = ((int(run.group(1), 16) - int(psn, 16)) & 0xffffff) + 1 if run else 1
        for i in range(count):
            yield Packet(source, target, service, name, int(qp, 16),
                         (int(psn, 16) + i) & 0xffffff, value(rest, "plen"), value(rest, "len"),
                         answer, value(rest, "sqp", 0))


FIELDS = ("infiniband.lrh.slid infiniband.lrh.dlid ip.src ip.dst udp.length infiniband.lrh.pktlen "
          "infiniband.lrh.lnh infiniband.bth.opcode infiniband.bth.padcnt infiniband.bth.destqp "
          "infiniband.bth.psn infiniband.deth.srcqp infiniband.reth.dmalen").split()
NAMES = {0x00: "RC SEND_FIRST", 0x01: "RC SEND_MIDDLE", 0x02: "RC SEND_LAST",
         0x03: "RC SEND_LAST_IMM", 0x04: "RC SEND_ONLY", 0x05: "RC SEND_ONLY_IMM",
         0x06: "RC WRITE_FIRST", 0x07: "RC WRITE_MIDDLE", 0x08: "RC WRITE_LAST",
         0x0c: "RC READ_REQ", 0x0d: "RC READ_RESP_FIRST", 0x0e: "RC READ_RESP_MIDDLE",
         0x0f: "RC READ_RESP_LAST", 0x11: "RC ACK", 0x64: "UD SEND_ONLY"}
EXTENDED = {0x03: 4, 0x05: 4, 0x06: 16, 0x0c: 16, 0x0d: 4, 0x0f: 4, 0x11: 4, 0x64: 8}


def run_tshark(path, fields, *options):
    """A dictionary for each frame, by the last part of the fields' names."""
    command = ["tshark", "-n", "-r", str(path), *options, "-T", "fields", "-E", "occurrence=f"]
    for field in fields:
        command += ["-e", field]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        yield dict(zip((field.split(".")[-1] for field in fields), line.split("\t")))


def tshark_packets(path):
    """The packets of a capture by tshark, of the opcodes that the samples have."""
    # One of the samples sends from UDP port 69.
    for row in run_tshark(path, FIELDS, "-d", "udp.port==4791,infiniband", "--disable-protocol",
                          "tftp"):
        if not row["opcode"]:
            continue
        number = {name: int(text, 0) if text and name not in ("src", "dst") else 0
                  for name, text in row.items()}
        opcode = number["opcode"]
        service, name = NAMES[opcode].split()
        if row["pktlen"]:  # words from the local route header to the ICRC
            network = 4 * number["pktlen"] - 8 - (40 if number["lnh"] == 3 else 0)
        else:
            network = number["length"] - 8
        size = network - 12 - EXTENDED.get(opcode, 0) - number["padcnt"] - 4
        yield Packet(row["slid"] or row["src"], row["dlid"] or row["dst"], service, name,
                     number["destqp"], number["psn"], size, number["dmalen"],
                     "ACK" if opcode == 0x11 else None, number["srcqp"])


def tshark_iwarp(path):
    """What the decoder writes of an iWARP capture, by tshark, where a segment holds one FPDU."""
    names = ["WRITE", "READ_REQ", "READ_RESP", "SEND", "SEND_INV", "SEND", "SEND_INV", "TERMINATE"]
    fields = ("frame.number ip.src ip.dst tcp.seq tcp.ack iwarp_mpa.key.req iwarp_mpa.key.rep "
              "iwarp_mpa.ulpdulength iwarp_mpa.pad iwarp_ddp.tagged_flag iwarp_ddp.last_flag "
              "iwarp_rdma.opcode iwarp_rdma.rdmardsz").split()
    lines = []
    for row in run_tshark(path, fields):
        if not row["seq"]:
            continue
        at = int(row["seq"]) - 1
        lines.append(f" {row['number']} 0.0 {row['src']}>{row['dst']} TCP A seq={at} "
                     f"ack={int(row['ack']) - 1}")
        if row["req"] or row["rep"]:
            lines.append(f"   MPA key={row['req'] and 'Req' or 'Rep'} Frame A(p2p)=0")
        if row["ulpdulength"]:
            length, tagged = int(row["ulpdulength"]), row["tagged_flag"] == "1"
            lines.append(f"   FPDU at {at} ulpdu_len={length} pad={-(length + 2) % 4} "
                         f"DDP {'T' if tagged else 'U'}{'L' if row['last_flag'] == '1' else '-'} "
                         f"dv=1 {names[int(row['opcode'], 0)]} ctl=0 "
                         f"plen={length - (14 if tagged else 18)} "
                         f"size={row['rdmardsz'] or 0} crc=zero")
    return "\n".join(lines)


class Direction:
    """Requests to one queue pair, and what was answered to them."""

    def __init__(self, service, mtu):
        self.service, self.mtu = service, mtu
        self.first = None
        self.parts = {}      # by packet number
        self.acked = -1
        self.answered = {}   # response packets that came in order, by READ
        self.refused = {}    # last packets that have to come again
        self.error = None

    def number(self, psn):
        if self.first is None:
            self.first = psn
        return ((psn - self.first + (1 << 23)) & 0xffffff) - (1 << 23)

    def request(self, packet):
        number = self.number(packet.psn)
        self.parts.setdefault(number, packet)
        self.refused.pop(number, None)

    def messages(self):
        """(first, last, opcode, bytes) of whole messages, in order."""
        found, start, size, read_end = [], None, 0, None
        for number in sorted(self.parts):
            packet = self.parts[number]
            if read_end is not None and number <= read_end:
                continue  # a READ that asks again for its rest
            operation, place = split(packet.name)
            if operation in ("READ", "CMP_SWAP", "FETCH_ADD"):
                span = max(1, -(-packet.length // self.mtu)) if operation == "READ" else 1
                read_end = number + span - 1
                found.append((number, read_end, WR[operation],
                              packet.length if operation == "READ" else 8))
                continue
            if place in ("FIRST", "ONLY"):
                start, size = (number, packet), 0
            if start is None:
                continue
            size += packet.bytes
            if place in ("LAST", "ONLY"):
                is_write = operation.startswith("WRITE")
                found.append((start[0], number, WR[operation],
                              start[1].length if is_write else size))
                start = None
        return found


def split(name):
    """("SEND_IMM", "LAST") of "SEND_LAST_IMM"."""
    if name in ("READ_REQ", "CMP_SWAP", "FETCH_ADD"):
        return name.replace("_REQ", ""), "ONLY"
    operation, place, *more = name.split("_")
    return "_".join([operation, *more]), place


def pair(packets):
    """Which queue pair's requests a response answers: {(from, to, qp): qp of the requests}."""
    newest, votes = {}, defaultdict(Counter)
    for packet in packets:
        key = (packet.source, packet.target, packet.qp)
        if packet.answer is None and not packet.name.startswith(("READ_RESP", "ATOMIC")):
            newest[key] = packet.psn
            continue
        distances = [(abs(((packet.psn - psn + (1 << 23)) & 0xffffff) - (1 << 23)), other[2])
                     for other, psn in newest.items()
                     if other[:2] == (packet.target, packet.source)]
        if distances:
            votes[key][min(distances)[1]] += 1
    return {key: counter.most_common(1)[0][0] for key, counter in votes.items()}


def is_response(packet):
    return packet.name == "ACK" or packet.name.startswith(("READ_RESP", "ATOMIC_ACK"))


def answer(direction, packet):
    """What a response tells of requests: what has arrived, what was answered, what was refused."""
    number = direction.number(packet.psn)
    if packet.name != "ACK":
        direction.acked = max(direction.acked, number - 1)
        direction.answered.setdefault(number, True)
        return
    if packet.answer == "ACK":
        direction.acked = max(direction.acked, number)
        return
    direction.acked = max(direction.acked, number - 1)
    for first, last, opcode, _ in direction.messages():
        if last >= number and opcode in (1, 2, 3, 9):
            direction.refused[last] = True
    if packet.answer in ERRORS:
        direction.error = (number, ERRORS[packet.answer])


def count_queue_pairs(packets, counts):
    """RC and UC."""
    packets = [packet for packet in packets if packet.service != "UD"]
    mtu = max([packet.bytes for packet in packets
               if packet.name.split("_")[-1] in ("FIRST", "MIDDLE")] or [1 << 31])
    peers = pair(packets)
    directions = {}
    for packet in packets:
        if not is_response(packet):
            key = (packet.source, packet.target, packet.qp)
            directions.setdefault(key, Direction(packet.service, mtu)).request(packet)
            continue
        peer = peers.get((packet.source, packet.target, packet.qp))
        direction = directions.get((packet.target, packet.source, peer))
        if direction:
            answer(direction, packet)
    answered = {(key[1], key[0], peer) for key, peer in peers.items()}
    for key, direction in directions.items():
        count_direction(direction, key in answered, counts)
    flows = Counter()
    for source, target, _ in {(p.source, p.target, p.qp) for p in packets}:
        flows[source, target] += 1
    # A connection has two ends; one that nothing is sent to is an end, too.
    counts["ends"][0] += sum(2 * max(flows[a, b], flows[b, a]) for a, b in
                             {tuple(sorted(pair)) for pair in flows})


def count_direction(direction, has_answers, counts):
    is_reliable = direction.service == "RC"
    is_blocked = False
    for first, last, opcode, size in direction.messages():
        add(counts, f"post {opcode}", size)
        if opcode in (1, 2, 3, 9) and (last not in direction.refused or last <= direction.acked):
            add(counts, "receive", size)
        is_answered = (all(number in direction.answered for number in range(first, last + 1))
                       if opcode in (4, 5, 6) else last <= direction.acked)
        status = 0
        if direction.error and last >= direction.error[0]:
            status = direction.error[1] if first <= direction.error[0] else 5
            is_answered = True
        is_blocked = is_blocked or (is_reliable and not (has_answers and is_answered))
        if not is_blocked:
            add(counts, f"completion {WC[opcode]} {status}", size)


def count_datagrams(packets, counts):
    ends = set()
    for packet in packets:
        if packet.service != "UD" or packet.qp <= 1 or packet.source_qp <= 1:
            continue
        opcode = 3 if packet.name.endswith("_IMM") else 2
        ends.add((packet.source, packet.source_qp))
        add(counts, f"post {opcode}", packet.bytes)
        add(counts, "completion 0 0", packet.bytes)
        if packet.qp != 0xffffff:
            ends.add((packet.target, packet.qp))
            add(counts, "receive", packet.bytes + 40)  # with the global route header
    counts["ends"][0] += len(ends)


def add(counts, what, size):
    counts[what][0] += 1
    counts[what][1] += size


def count_iwarp(text, counts):
    """FPDUs of a decoded file: each once, at its place in the stream."""
    streams, starts, acks, source = defaultdict(dict), {}, Counter(), None
    for line in text.splitlines():
        tcp, fpdu = TCP.match(line), FPDU.match(line)
        if tcp:
            source = (tcp.group(1), tcp.group(2))
        if tcp and "A" in tcp.group(3):
            acks[source[::-1]] = max(acks[source[::-1]], int(tcp.group(5)))
        elif "MPA key=" in line:
            starts[source] = line
        elif fpdu and fpdu.group(9) != "BAD":
            streams[source].setdefault(int(fpdu.group(1)), fpdu.groups())
    counts["ends"][0] += len({frozenset(flow) for flow in starts}) * 2
    for flow, units in list(streams.items()):
        count_stream(flow, units, starts, (acks[flow], streams[flow[::-1]]), counts)


def count_stream(flow, units, starts, answers, counts):
    acknowledged, back = answers
    reply = starts.get(flow[::-1], "")
    is_peer_to_peer = "Rep Frame" in reply and "A(p2p)=1" in reply
    reads = sum(unit[5] == "READ_RESP" and unit[4] == "L" for unit in back.values())
    size, sends, is_blocked = 0, 0, False
    for i, (offset, unit) in enumerate(sorted(units.items())):
        _, ulpdu, pad, _, last, name, payload, wanted, _ = unit
        if is_peer_to_peer and i == 0 and int(payload) == 0:
            continue  # it tells that the peer is ready
        if name in ("READ_RESP", "TERMINATE"):
            continue
        opcode = {"WRITE": 0, "READ_REQ": 4}.get(name, 9 if "INV" in name else 2)
        size = int(wanted) if name == "READ_REQ" else size + int(payload)
        if last != "L":
            continue
        add(counts, f"post {opcode}", size)
        if opcode in (2, 9):
            add(counts, "receive", size)
        end = offset + 2 + int(ulpdu) + int(pad) + 4
        sends += 1
        if opcode == 4:
            is_answered, reads = reads > 0, reads - 1
        else:
            is_answered = end <= acknowledged
        is_blocked = is_blocked or not is_answered
        if not is_blocked:
            add(counts, f"completion {WC[opcode]} 0", size)
        size = 0


def report(name, packets, text=""):
    counts = defaultdict(lambda: [0, 0])
    packets = list(packets)
    count_queue_pairs(packets, counts)
    count_datagrams(packets, counts)
    count_iwarp(text, counts)
    for what, (times, size) in sorted(counts.items()):
        if times or what == "ends":
            print(f"{name},{what},{times},{size}")


def main():
    captures, samples = map(Path, sys.argv[1:])
    print("file,what,count,bytes")
    for path in sorted((captures / "pcap").glob("*.pcap")):
        text = (captures / "decoded" / f"{path.stem}.txt").read_text()
        packets = decoded_packets(text, path)
        if path.stem in NOT_WHOLE:
            text, packets = tshark_iwarp(path), tshark_packets(path)
        report(path.name, packets, text)
    for path in sorted(samples.glob("*.pcap")):
        report(path.name, tshark_packets(path))


main()
