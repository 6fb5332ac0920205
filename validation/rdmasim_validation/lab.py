# SPDX-License-Identifier: GPL-2.0-only
"""What a claim's measure.py gets: the simulator, places for files, and common measurements."""

import pathlib
import re
import subprocess
import time

from .series import read_series
from .simulator import OK, Simulator

PATIENCE_S = 60
POLL_S = 0.05


class MeasureError(Exception):
    """A measurement that could not be made."""


class Lab:
    """The workbench of one claim."""

    def __init__(self, claim, program, test_folder, scratch, is_full):
        self.folder = claim.folder
        self.is_full = is_full
        self.top = pathlib.Path(__file__).resolve().parents[2]
        self.simulator = Simulator(program)
        self._reference_file = claim.reference_file
        self._test_folder = test_folder
        self._scratch = scratch
        self.measured = []  # rows of series.csv: figure, series, x, y

    def path(self, name):
        """A path in a folder of this measurement's own."""
        self._scratch.mkdir(parents=True, exist_ok=True)
        return self._scratch / name

    def write(self, name, text):
        """Writes a file into that folder; returns its path."""
        path = self.path(name)
        path.write_text(text, encoding="ascii")
        return path

    def run(self, name, settings=None, scenario="scenario.yaml", words=(), exit_code=OK):
        """Runs a scenario of the claim's folder; the exit code must be the one given."""
        result = self.simulator.run(
            self.folder / scenario, self.path(name), settings, ["--quiet", *words]
        )
        if result.exit_code != exit_code:
            raise MeasureError(
                f"run {name}: exit code {result.exit_code}, not {exit_code}: "
                f"{first_line(result.messages)}"
            )
        return result

    def refused(self, settings=None, scenario="scenario.yaml", words=()):
        """
        Runs a scenario that must be refused.

        Returns its messages; raises if it was not refused as bad input, or left anything behind.
        """
        out = self.path("refused")
        result = self.simulator.run(self.folder / scenario, out, settings, words)
        if result.exit_code != 2 or out.exists():
            raise MeasureError(
                f"not refused: exit code {result.exit_code}, results: {out.exists()}: "
                f"{first_line(result.messages)}"
            )
        return result.messages

    def stop(self, name, signal_number, scenario="scenario.yaml"):
        """
        Starts a long run and sends it a signal once it has told its progress.

        Returns its result folder, which may lack files, and what it told until it ended.
        """
        log = self.path(f"{name}.log")
        command = [self.simulator.program, "run", self.folder / scenario, "--out", self.path(name)]
        with open(log, "wb") as file, subprocess.Popen(
            command, stdout=file, stderr=file, stdin=subprocess.DEVNULL
        ) as process:
            end = time.monotonic() + PATIENCE_S
            while b"events/s" not in log.read_bytes():
                if process.poll() is not None or time.monotonic() > end:
                    process.kill()
                    raise MeasureError(f"run {name}: no progress was told")
                time.sleep(POLL_S)
            process.send_signal(signal_number)
            process.wait(PATIENCE_S)
        return self.path(name), log.read_text(errors="replace")

    def reference(self, figure, series):
        """The published points of one series, from reference.csv, as x (a text) to y."""
        points = {row.x: float(row.y) for row in read_series(self._reference_file)
                  if (row.figure, row.series) == (figure, series)}
        if not points:
            raise MeasureError(f"{self._reference_file.name}: no series {series!r} in {figure!r}")
        return points

    def series(self, figure, name, points):
        """Keeps a measured series for the report: pairs of x (a number or a text) and y."""
        self.measured += [(figure, name, x, y) for x, y in points]

    def passed_tests(self, binary, pattern):
        """How many unit tests of a binary passed, of those that a filter chooses, and failed."""
        done = subprocess.run(
            [str(self._test_folder / binary), f"--gtest_filter={pattern}"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=600,
            check=False,
        )
        ran = re.search(r"^\[=+\] (\d+) tests? from .* ran\.", done.stdout, re.MULTILINE)
        good = re.search(r"^\[  PASSED  \] (\d+) tests?\.", done.stdout, re.MULTILINE)
        if ran is None or good is None:
            raise MeasureError(f"{binary} did not finish: {first_line(done.stderr)}")
        return int(good[1]), int(ran[1]) - int(good[1])


def first_line(messages):
    """What a person is told of many messages; there is one line for each value."""
    lines = messages.strip().splitlines()
    return f"{lines[0]} ({len(lines)} lines)" if len(lines) > 1 else messages.strip()


def wire_bytes(payload, extended_header=0):
    """
    Bytes that a RoCEv2 packet over IPv4 takes of a cable, preamble and gap included.

    Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4; preamble and delimiter 8, gap 12.
    """
    pad = -payload % 4
    return max(62 + extended_header + payload + pad, 64) + 20


def mean_queue_bytes(result, node, port, window_ns, interval_ns):
    """
    Mean over time of what waits at a port of a switch, from the samples in queues.csv.

    A sample without a row found nothing waiting. window_ns is a pair; its start does not count.
    """
    start, end = window_ns
    total = sum(
        int(row["queue_bytes"])
        for row in result.table("queues.csv")
        if row["node"] == node
        and int(row["port"]) == port
        and start < float(row["time_ns"]) <= end
    )
    return total / ((end - start) / interval_ns)


def mean_rates_bps(result, window_ns, interval_ns):
    """Mean goodput of each flow that was sampled, from the rates in rates.csv, by flow number."""
    start, end = window_ns
    sums = {}
    for row in result.table("rates.csv"):
        if start < float(row["time_ns"]) <= end:
            flow = int(row["flow"])
            sums[flow] = sums.get(flow, 0) + int(row["goodput_bps"])
    samples = (end - start) / interval_ns
    return [sums[flow] / samples for flow in sorted(sums)]
