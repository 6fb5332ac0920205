# SPDX-License-Identifier: GPL-2.0-only
"""Result folders as a run writes them, made from a seed: the input of the tests of analysis."""

import csv
import json

import numpy

FLOW_COLUMNS = ("flow,tag,source,destination,source_port,destination_port,priority,bytes,start_ns,"
                "fct_delivered_ns,fct_acked_ns,ideal_delivered_ns,ideal_acked_ns,"
                "slowdown_delivered,slowdown_acked,status,packets_sent,packets_retransmitted,"
                "naks_received,timeouts,cnps_received").split(",")
LINK_COLUMNS = ("link,from,from_port,to,to_port,rate_bps,delay_ns,frames,wire_bytes,utilisation,"
                "dropped_frames,ecn_marked_frames,pause_frames_sent,pause_frames_received,"
                "paused_ns,max_queue_bytes").split(",")
PFC_COLUMNS = "time_ns,node,port,priority,event,quanta,sender".split(",")
QUEUE_COLUMNS = "time_ns,node,port,priority,queue_bytes".split(",")
RATE_COLUMNS = "time_ns,flow,rate_bps,goodput_bps".split(",")
PERFTEST_COLUMNS = ("tag,verb,test,source,destination,bytes,iterations,t_min_us,t_max_us,"
                    "t_typical_us,t_avg_us,t_stdev_us,p99_us,p999_us,bw_peak_MiBps,"
                    "bw_average_MiBps,bw_average_Gbps,message_rate_Mpps,window_us").split(",")


def write(folder, name, columns, rows):
    """Writes one table."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / f"{name}.csv", "w", newline="", encoding="ascii") as stream:
        csv.writer(stream, lineterminator="\n").writerows([columns, *rows])


def flow(number, size, slowdown, start=0.0, tag="background", status="finished"):
    """A row of flows.csv: 100 Gb/s and 4 us of path; times only when finished."""
    ideal = 4000 + size * 0.08
    done = status == "finished"
    times = [f"{value:.3f}" if done else "" for value in
             (ideal * slowdown, ideal * slowdown + 2000, ideal, ideal + 2000)]
    ratios = [f"{slowdown:.6f}" if done else "", f"{1 + (slowdown - 1) * 0.9:.6f}" if done else ""]
    return [number, tag, f"h{number % 32}", f"h{(number * 7 + 1) % 32}", 49152 + number % 16384,
            4791, 3, size, f"{start:.3f}", *times, *ratios, status, size // 1000 + 1, 0, 0, 0, 0]


def perftest(verb, size):
    """Rows of perftest.csv of one verb and size: 1 us and 100 Gb/s."""
    latency = f"{1 + size * 8e-5:.6f}"
    gigabits = size * 8e-3 / (0.1 + size * 8e-5)
    labels = ["perftest", verb]
    return [[*labels, "lat", "h0", "h1", size, 10, *[latency] * 4, "0.000000", *[latency] * 2,
             *[""] * 5],
            [*labels, "bw", "h0", "h1", size, 10, *[""] * 7, f"{gigabits * 119.2:.6f}",
             f"{gigabits * 119.2:.6f}", f"{gigabits:.6f}", "1.000000", "10.000000"]]


def make(folder, flows=1000, ports=40, rated=30, seed=1):
    """A folder of so many flows with sizes over nearly four decades, ports and flows with rates."""
    draw = numpy.random.default_rng(seed)
    sizes = numpy.exp(draw.uniform(numpy.log(500), numpy.log(3e6), flows)).astype(int)
    slowdowns = 1 + draw.exponential(0.3 + sizes ** 0.12, flows)
    starts = numpy.sort(draw.uniform(0, 5e6, flows))
    rows = [flow(n, int(sizes[n]), slowdowns[n], starts[n],
                 "incast" if n % 10 == 0 else "background",
                 "running" if n % 100 == 99 else "finished") for n in range(flows)]
    write(folder, "flows", FLOW_COLUMNS, rows)

    links = []
    for port in range(ports):
        links.append([port, f"leaf{port // 16}", port % 16, f"h{port}", 0, 100_000_000_000,
                      "1000.000", 90000, 94_000_000, f"{draw.uniform(0.1, 0.95):.6f}", 0, 120, 3, 5,
                      "120000.000", int(draw.uniform(1e3, 9e5))])
    write(folder, "links", LINK_COLUMNS, links)

    # A row for each sample of a queue that is not empty, and for the first at which it is again.
    queues = []
    held = [0] * ports
    for time in range(0, 10_000_000, 10_000):
        for port in range(ports):
            level = 4e5 * numpy.sin(time / 1e6 + port) / (1 + port / 4)
            level = max(0, int(level + draw.normal(0, level / 20))) if level > 0 else 0
            if level or held[port]:
                queues.append([f"{time}.000", f"leaf{port // 16}", port % 16, 3, level])
            held[port] = level
    write(folder, "queues", QUEUE_COLUMNS, queues)

    pauses = []
    for port in range(ports):
        time = float(draw.uniform(0, 5e6))
        for _ in range(60 // (1 + port // 4) + 1):
            length = float(draw.uniform(5e3, 6e4))
            where = [f"leaf{port // 16}", port % 16, 3]
            pauses.append((time, [f"{time:.3f}", *where, "pause", 65535, "spine0"]))
            pauses.append((time + length, [f"{time + length:.3f}", *where, "resume", 0, "spine0"]))
            time += length + float(draw.uniform(1e3, 8e4))
    write(folder, "pfc", PFC_COLUMNS, [row for _, row in sorted(pauses, key=lambda pair: pair[0])])

    rates = []
    for time in range(0, 10_000_000, 50_000):
        for number in range(rated):
            fair = 100e9 / rated
            rate = fair * (1 + 2 * numpy.exp(-time / 2e6)) * draw.uniform(0.7, 1.3)
            rates.append([f"{time}.000", number, int(min(rate, 100e9)), int(0.95 * fair)])
    write(folder, "rates", RATE_COLUMNS, rates)
    write(folder, "perftest", PERFTEST_COLUMNS,
          [row for verb in ("write", "read") for power in range(1, 24)
           for row in perftest(verb, 2 ** power)])
    (folder / "summary.json").write_text(json.dumps({"seed": seed, "partial": False,
                                                  "simulated_ns": 1e7}), encoding="ascii")
    return folder
