# SPDX-License-Identifier: GPL-2.0-only
"""Mean backlog and rates of N flows once they have settled."""

from rdmasim_validation.lab import mean_queue_bytes, mean_rates_bps, wire_bytes

SETTLED_NS = 200e6
END_NS = 2600e6
FULL_END_NS = 6200e6
INTERVAL_NS = 20e3
PAYLOAD = 916
LINE_BPS = 40e9
# The same slope as 1 % at 200 KB, (200 - 5) KB / 0.01, up to probability 1.
DRAWN_ON = {"switch.marking.kmax": "19505KB", "switch.marking.pmax": 1}
RUNS = [(flows, ", RED line drawn on", DRAWN_ON) for flows in (2, 4, 8, 10)]
RUNS += [(flows, "", {}) for flows in (2, 4, 8)]


def measure(lab):
    values = {}
    worst = 0.0
    end = FULL_END_NS if lab.is_full else END_NS
    window = (SETTLED_NS, end)
    # Goodput when the line is full of packets.
    share = LINE_BPS * PAYLOAD / wire_bytes(PAYLOAD)
    for flows, how, marking in RUNS:
        settings = {"topology.hosts": flows + 1, "duration": f"{round(end / 1e6)}ms", **marking}
        result = lab.run(f"N{flows}{how}".replace(" ", "-"), settings)
        waiting = mean_queue_bytes(result, "switch", 0, window, INTERVAL_NS)
        # The packet on the wire is half gone, on the average.
        backlog = waiting + wire_bytes(PAYLOAD) / 2
        values[f"backlog of {flows} flows{how}"] = backlog / 1e3
        for rate in mean_rates_bps(result, window, INTERVAL_NS):
            worst = max(worst, abs(rate * flows / share - 1) * 100)
    values["most that a rate is off C/N"] = worst
    return values
