# SPDX-License-Identifier: GPL-2.0-only
"""Measures what a packet-hop costs; one line of JSON for each call."""

import argparse
import json
import pathlib
import re
import statistics
import sys
import tempfile

from .simulator import OK, Simulator

SCENARIOS = pathlib.Path(__file__).resolve().parents[1] / "benchmark"

# Under callgrind a program is some fifty times slower; this is by what it has less to do, and the
# settings that make it so. An instruction count per packet-hop hardly depends on the length.
SHORTER = {
    "a": (1, {}),
    "b": (10, {"workload.0.bytes": "1MB"}),
    "bs": (1, {}),
    "c": (4, {"duration": "2.0005s"}),
    "k16": (10, {"workload.0.bytes": "100KB"}),
    "lossy": (10, {"duration": "5ms"}),
}
WORKLOADS = tuple(SHORTER)

NS_PER_US = 1e3
NS_PER_MS = 1e6
NS_PER_S = 1e9
BYTES_PER_MB = 1e6


class BenchmarkError(Exception):
    """The run cannot be taken for a measurement."""


def parse(words):
    parser = argparse.ArgumentParser(
        prog="validation/benchmark/run",
        description="Runs one workload with `rdmasim run` and prints what it cost as JSON.",
    )
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument(
        "--callgrind",
        action="store_true",
        help="count instructions of the run itself under valgrind, on a shortened workload",
    )
    parser.add_argument(
        "--repeat", type=int, default=1, metavar="n", help="runs; the median of CPU time is told"
    )
    parser.add_argument("--set", action="append", default=[], metavar="key=value", dest="sets")
    parser.add_argument("--program", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    if arguments.repeat < 1:
        parser.error("--repeat needs a number of at least 1")
    for text in arguments.sets:
        if "=" not in text:
            parser.error(f"--set {text}: not of the form key=value")
    return arguments


def run_once(simulator, workload, settings, folder):
    """One run; raises BenchmarkError where its figures would mean nothing."""
    result = simulator.run(SCENARIOS / f"{workload}.yaml", folder, settings, ["--quiet"])
    if result.exit_code != OK:
        raise BenchmarkError(f"exit code {result.exit_code}\n{result.messages}")
    built = result.performance["build_type"]
    if built != "Release":
        raise BenchmarkError(f"a {built} build says nothing of speed; build with Release")
    return result


def percentiles_us(summary):
    """FCT percentiles to the last acknowledgement; without a finished flow, none."""
    values = summary["completion_times"].get("fct_acked_ns")
    if values is None:
        return {f"fct_{name}_us": None for name in ("p50", "p95", "p99")}
    return {f"fct_{name}_us": round(values[name] / NS_PER_US, 3) for name in ("p50", "p95", "p99")}


def describe(workload, results):
    """What one line says of equal runs."""
    summary = results[0].summary
    network = summary["network"]
    performance = results[0].performance
    hops = performance["packet_hops"]
    cpu_s = statistics.median(result.performance["cpu_s"] for result in results)
    peak = max(result.performance["peak_rss_bytes"] for result in results)
    return {
        "workload": workload,
        "packet_hops": hops,
        "events_per_packet_hop": round(performance["events"] / hops, 4),
        "xon_watching_events": performance["departure_events"],
        "ns_cpu_per_packet_hop": round(cpu_s * NS_PER_S / hops, 2),
        "cpu_s": round(cpu_s, 4),
        "peak_rss_mb": round(peak / BYTES_PER_MB, 1),
        "flows_finished": summary["flows"]["finished"],
        **percentiles_us(summary),
        "pauses": network["pause_frames_sent"],
        "drops": sum(reason["frames"] for reason in network["dropped"].values()),
        "marks": network["ecn_marked_frames"],
        "simulated_ms": round(summary["simulated_ns"] / NS_PER_MS, 6),
        "runs": len(results),
    }


def count_instructions(program, workload, settings, scratch):
    """Instructions per packet-hop of Simulator::Run and all that it calls."""
    shorter, changes = SHORTER[workload]
    record = pathlib.Path(scratch) / "callgrind.out"
    valgrind = [
        "valgrind",
        "--tool=callgrind",
        # Counted from the entry of this function to its return: the run without set-up.
        "--toggle-collect=ns3::Simulator::Run()",
        f"--callgrind-out-file={record}",
    ]
    simulator = Simulator(program, under=valgrind, timeout_s=3600)
    result = run_once(simulator, workload, {**changes, **settings}, pathlib.Path(scratch) / "short")
    total = re.search(r"^(?:summary|totals): (\d+)", record.read_text(), re.MULTILINE)
    if total is None or int(total[1]) == 0:
        raise BenchmarkError("callgrind saw no instruction of the run")
    hops = result.performance["packet_hops"]
    return {
        "instructions_per_packet_hop": round(int(total[1]) / hops, 1),
        "callgrind_packet_hops": hops,
        "callgrind_shortened_by": shorter,
    }


def measure(arguments):
    settings = dict(text.split("=", 1) for text in arguments.sets)
    simulator = Simulator(arguments.program)
    with tempfile.TemporaryDirectory() as scratch:
        results = []
        for turn in range(arguments.repeat):
            folder = pathlib.Path(scratch) / str(turn)
            results.append(run_once(simulator, arguments.workload, settings, folder))
        line = describe(arguments.workload, results)
        if any(result.summary != results[0].summary for result in results):
            raise BenchmarkError("equal runs had different results")
        if arguments.callgrind:
            line |= count_instructions(arguments.program, arguments.workload, settings, scratch)
    return line


def main(words):
    arguments = parse(words)
    try:
        print(json.dumps(measure(arguments)))
    except BenchmarkError as error:
        print(f"validation/benchmark/run: {arguments.workload}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
