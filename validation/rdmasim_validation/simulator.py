# SPDX-License-Identifier: GPL-2.0-only
"""Runs the simulator as a user does, and reads what it leaves behind."""

import csv
import dataclasses
import functools
import json
import pathlib
import subprocess

OK = 0
RUN_FAILED = 1
BAD_INPUT = 2


@dataclasses.dataclass(frozen=True)
class Result:
    """One finished call of the program, with its result folder."""

    exit_code: int
    output: str
    messages: str
    folder: pathlib.Path

    @functools.cached_property
    def summary(self):
        return json.loads((self.folder / "summary.json").read_text())

    @functools.cached_property
    def performance(self):
        return json.loads((self.folder / "run.json").read_text())

    def table(self, name):
        """Rows of a CSV file of the folder, as a list of dictionaries of strings."""
        with open(self.folder / name, newline="", encoding="ascii") as file:
            return list(csv.DictReader(file))


class Simulator:
    """The program, and how it is started."""

    def __init__(self, program, under=(), timeout_s=1800):
        self.program = pathlib.Path(program)
        self.under = list(under)
        self.timeout_s = timeout_s

    def call(self, *words, cwd=None):
        """Runs the program with the words given; returns subprocess.CompletedProcess."""
        return subprocess.run(
            [*self.under, str(self.program), *map(str, words)],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=self.timeout_s,
            check=False,
            cwd=cwd,
        )

    def run(self, scenario, out, settings=None, words=()):
        """Runs a scenario into folder out; settings are what --set takes."""
        sets = [f"--set={key}={value}" for key, value in (settings or {}).items()]
        done = self.call("run", scenario, *sets, *words, "--out", out)
        return Result(done.returncode, done.stdout, done.stderr, pathlib.Path(out))
