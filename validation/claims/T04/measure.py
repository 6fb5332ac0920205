# SPDX-License-Identifier: GPL-2.0-only
"""Use of the receiver's link and depth of its queue, for some numbers of senders."""

from rdmasim_validation.flows import percentile

SENDERS = (1, 2, 4, 8, 12, 16, 19)
FULL_SENDERS = range(1, 20)
LINE_GBPS = 40
INTERVAL_NS = 20e3
SETTLED_NS = 100e6
END_NS = 400e6


def queue_samples(result):
    """Bytes that wait for the receiver, at all samples once settled; one without a row found 0."""
    found = [
        int(row["queue_bytes"])
        for row in result.table("queues.csv")
        if row["node"] == "switch" and row["port"] == "0" and float(row["time_ns"]) > SETTLED_NS
    ]
    return found + [0] * (round((END_NS - SETTLED_NS) / INTERVAL_NS) - len(found))


def measure(lab):
    throughput, queue = [], []
    for senders in FULL_SENDERS if lab.is_full else SENDERS:
        result = lab.run(f"{senders}", {"workload.0.senders": senders})
        down = next(row for row in result.table("links.csv") if row["to"] == "h0")
        throughput.append((senders, float(down["utilisation"]) * LINE_GBPS))
        queue.append((senders, percentile(queue_samples(result), 95) / 1e3))
    lab.series("throughput", "measured", throughput)
    lab.series("95th percentile of the queue", "measured", queue)
    return {
        "least throughput": min(rate for _, rate in throughput),
        "more senders make a longer queue": all(
            more[1] > less[1] for less, more in zip(queue, queue[1:], strict=False)
        ),
        "largest 95th percentile of the queue": max(depth for _, depth in queue),
    }
