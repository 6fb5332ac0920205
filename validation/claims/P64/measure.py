# SPDX-License-Identifier: GPL-2.0-only
"""What links.csv says without being asked."""

VALUES = ("wire_bytes", "utilisation", "paused_ns", "max_queue_bytes", "pause_frames_received")
BUFFER_BYTES = 4e6


def measure(lab):
    links = lab.run("incast").table("links.csv")
    (neck,) = [row for row in links if row["to"] == "h0"]
    return {
        "directions of links without one of the values": sum(
            row.get(value, "") == "" for row in links for value in VALUES
        ),
        "bytes of the bottleneck": int(neck["wire_bytes"]),
        "utilisation of the bottleneck": float(neck["utilisation"]),
        "senders that were paused": sum(
            row["to"] == "switch" and float(row["paused_ns"]) > 0 for row in links
        ),
        "largest queue of the bottleneck over the buffer": int(neck["max_queue_bytes"])
        / BUFFER_BYTES,
    }
