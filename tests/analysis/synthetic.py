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

PAUSE_COLUMNS = ("pause,start_ns,end_ns,node,port,priority,by_node,by_port,cause,root_node,"
                 "root_port,depth").split(",")
MARK_COLUMNS = "time_ns,node,port,priority,flow,psn,queue_bytes".split(",")
DROP_COLUMNS = "time_ns,node,port,priority,reason,flow,psn,frame_bytes".split(",")
UTILISATION_COLUMNS = "time_ns,link,from,from_port,to,to_port,wire_bytes,utilisation".split(",")
BUFFER_COLUMNS = ("time_ns,node,used_bytes,shared_bytes,headroom_bytes,"
                  "watermark_bytes").split(",")
LIFE_COLUMNS = ("flow,psn,opcode,attempt,hop,node,port,arrival_ns,start_ns,departure_ns,queued_ns,"
                "paused_ns,queue_bytes,marked,drop_reason").split(",")
TRANSPORT_COLUMNS = "time_ns,event,flow,psn,detail".split(",")
EVENT_COLUMNS = "time_ns,event,node,port,priority,detail".split(",")


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
    describe(folder, seed)
    return folder


def describe(folder, seed=1, end=1e7, **settings):
    """Writes the summary of a run: its seed and settings (with dots for double underscores)."""
    parameters = [{"key": "seed", "value": str(seed), "origin": "default"}]
    parameters += [{"key": key.replace("__", "."), "value": str(value), "origin": "--set"}
                   for key, value in settings.items()]
    (folder / "summary.json").write_text(json.dumps({
        "seed": seed, "partial": False, "simulated_ns": end, "version": "0.1",
        "broken_invariants": [], "parameters": parameters}), encoding="ascii")


def pause_tree(waves=20, leaves=3, hosts=4):
    """Rows of pauses.csv: in each wave spine0 port 0 is the root, leaves are paused, then hosts."""
    rows = []
    for wave in range(waves):
        start = 1e5 + wave * 4e5
        for leaf in range(leaves):
            cause = len(rows)
            begin = start + leaf * 1e4
            rows.append([cause, f"{begin:.3f}", f"{begin + 2e5:.3f}", f"leaf{leaf}", 8, 3, "spine0",
                         leaf + 1, "", "spine0", 0, 0])
            for host in range(hosts):
                at = begin + 2e4 + host * 5e3
                # The last wave does not end before the run does.
                stop = "" if wave == waves - 1 else f"{begin + 2.1e5:.3f}"
                rows.append([len(rows), f"{at:.3f}", stop, f"h{leaf * hosts + host}", 0, 3,
                             f"leaf{leaf}", host, cause, "spine0", 0, 1])
    return rows


def instrument(folder, seed=1, samples=200, end=1e7):
    """Adds every file that only a scenario with instruments writes."""
    draw = numpy.random.default_rng(seed)
    times = numpy.linspace(0, end, samples + 1)[1:]
    write(folder, "pauses", PAUSE_COLUMNS, pause_tree())
    marks = numpy.sort(draw.uniform(0, end, 5 * samples))
    write(folder, "marks", MARK_COLUMNS, [[f"{time:.3f}", "leaf0", 1, 3, 5, 17, 250_000]
                                          for time in marks])
    write(folder, "drops", DROP_COLUMNS, [[f"{time:.3f}", "leaf0", 1, 3, "buffer_full", 5, 18, 1082]
                                          for time in marks[::40]])
    write(folder, "transport", TRANSPORT_COLUMNS, [[f"{time:.3f}", "retransmission", 5, 18, ""]
                                                   for time in marks[::20]])
    write(folder, "events", EVENT_COLUMNS, [["5000000.000", "link-down", "leaf0", 8, "",
                                             "<cut> by the timeline"]])
    write(folder, "utilisation", UTILISATION_COLUMNS, [
        [f"{time:.3f}", link, f"leaf{link}", 8, "spine0", link, 1000,
         f"{abs(numpy.sin(time / 2e6 + link)):.6f}"] for time in times for link in range(4)])
    write(folder, "buffers", BUFFER_COLUMNS, [
        [f"{time:.3f}", f"leaf{node}", used := int(1e6 * (1 + numpy.sin(time / 1e6 + node))),
         used // 2, 0, used + 20_000] for time in times for node in range(3)])
    write(folder, "lives", LIFE_COLUMNS, [
        [5, psn, "RC_SEND_ONLY", 0, hop, node, 1, 100, 300, 400, 200 + 100 * hop, 50, 1082, 0, ""]
        for psn in range(10) for hop, node in enumerate(("h5", "leaf0", "spine0"))])
    return folder
