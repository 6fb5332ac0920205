# SPDX-License-Identifier: GPL-2.0-only
"""Goodput of one flow over the rate of loss, for loops of two lengths and two timeouts."""

from rdmasim_validation.lab import wire_bytes

LOSSES = (1e-5, 1e-4, 1e-3, 2e-3, 4e-3, 1e-2)
PAYLOAD = 1024
NAK_BYTES = 74  # with the preamble, without the gap
GAP_BYTES = 12
LINE_BPS = 40e9
BYTE_NS = 8e9 / LINE_BPS
PACKET_NS = wire_bytes(PAYLOAD) * BYTE_NS
# Delay of each of the two cables, ns, and code of the ACK timeout: 4.096 us x 2^code.
CASES = {
    "short loop": (1e3, 8),
    "long loop": (16e3, 8),
    "long loop, long timeout": (16e3, 14),
}
PACKETS = {1e-5: 4e6, 1e-4: 1.5e6, 4e-3: 1.5e6, 1e-2: 3e6}
USUAL_PACKETS = 5e5
LONG_PACKETS = 4e6


def efficiency(loss, delay_ns, timeout_code):
    """The share of the line that is left, see the note of the claim."""
    loop_ns = 4 * delay_ns + 2 * (wire_bytes(PAYLOAD) - GAP_BYTES) * BYTE_NS + 2 * NAK_BYTES * BYTE_NS
    wasted = 1 + loop_ns / PACKET_NS + 0.5
    silent = 4096 * 2**timeout_code / PACKET_NS
    return (1 - loss) / (1 - loss + loss * wasted + loss**2 * silent)


def throughput(lab, case, loss):
    delay, code = CASES[case]
    packets = LONG_PACKETS if code > 8 else PACKETS.get(loss, USUAL_PACKETS)
    duration = packets * PACKET_NS * (5 if lab.is_full else 1)
    settings = {"faults.0.probability": f"{loss:.5f}", "topology.delay": f"{delay:.0f}ns",
                "transport.timeout": code, "duration": f"{duration:.0f}ns"}
    flow = lab.run(f"{case.replace(', ', '-').replace(' ', '-')}-{loss}", settings).summary["flows"]
    return flow["acked_bytes"] / (duration / PACKET_NS * PAYLOAD)


def measure(lab):
    values = {}
    for case in CASES:
        computed = dict.fromkeys(LOSSES)
        measured = dict.fromkeys(LOSSES)
        for loss in LOSSES:
            computed[loss] = efficiency(loss, *CASES[case])
            measured[loss] = throughput(lab, case, loss)
        lab.series(case, "measured", measured.items())
        lab.series(case, "computed", computed.items())
        if case == "long loop, long timeout":
            values[f"{case}: at 0.1 %"] = measured[1e-3]
            values[f"{case}: at 1 %"] = measured[1e-2]
        else:
            values[f"{case}: most that it is off the computed"] = max(
                abs(measured[loss] / computed[loss] - 1) * 100 for loss in LOSSES
            )
    return values
