# SPDX-License-Identifier: GPL-2.0-only
"""One flow captured whole, up to a size, and with a snap length."""

import re
import struct

FILE_HEADER = 24
RECORD_HEADER = 16


def records(path):
    """Captured and original length of each frame of a pcap file."""
    data = path.read_bytes()
    at = FILE_HEADER
    lengths = []
    while at < len(data):
        captured, original = struct.unpack_from("<II", data, at + 8)
        lengths.append((captured, original))
        at += RECORD_HEADER + captured
    return lengths


def capture(lab, name, settings=None):
    """The frames of the only pcap file, and how many the run says it lacks."""
    result = lab.run(name, settings)
    told = re.findall(r"(\d+) frames left out", result.output + result.messages)
    told += re.findall(r"(\d+) frames left out", " ".join(result.summary.get("notes", [])))
    (file,) = sorted(result.folder.glob("*.pcap"))
    return records(file), int(told[0]) if told else 0


def measure(lab):
    whole, none = capture(lab, "whole")
    limited, left_out = capture(lab, "limited", {"results.pcap_max_bytes": 20000})
    snapped, _ = capture(lab, "snapped", {"results.pcap_snap_bytes": 64})
    return {
        "frames in a whole capture": len(whole),
        "frames said to lack in a whole capture": none,
        "frames in a capture of 20000 bytes": len(limited),
        "those and the frames said to lack": len(limited) + left_out,
        "frames in a capture with a snap length": len(snapped),
        "longest frame with a snap length of 64": max(captured for captured, _ in snapped),
        "original bytes that a snap length hides": sum(o for _, o in whole)
        - sum(o for _, o in snapped),
    }
