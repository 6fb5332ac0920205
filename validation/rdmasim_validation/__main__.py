# SPDX-License-Identifier: GPL-2.0-only
"""Measures claims and tells, a line for each value, whether they hold."""

import argparse
import concurrent.futures
import fnmatch
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from .claims import ClaimError, read_claims
from .lab import Lab, MeasureError
from .series import write_series

CLAIMS = pathlib.Path(__file__).resolve().parents[1] / "claims"
PROCESSES = 2

HOLDS = "holds"
MISSES = "misses"
MISSES_UNBOUND = "misses (not binding)"
FAILED = "no measurement"
TESTS_PASSED = "tests passed"


def parse(words):
    parser = argparse.ArgumentParser(
        prog="validation/run",
        description="Holds the simulator against known values: claim, reference, ours, tolerance, "
        "verdict. Exit code 1 if one whose reference is exact misses, or was not measured.",
    )
    parser.add_argument("claims", nargs="*", metavar="claim", help="id or pattern; all without one")
    parser.add_argument("--full", action="store_true", help="longer runs, more checks")
    parser.add_argument("--dir", type=pathlib.Path, default=CLAIMS, dest="folder", metavar="FOLDER",
                        help="folder of the claims, a folder each; validation/claims without it")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER",
                        help="keep what was measured, for validation/report, and all results")
    parser.add_argument("--list", action="store_true", help="only show claims and their sources")
    parser.add_argument("--binaries", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--program", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--tests", type=pathlib.Path, help=argparse.SUPPRESS)
    return parser.parse_args(words)


def choose(claims, patterns):
    """The claims that patterns name; raises ClaimError for one that names none."""
    chosen = {}
    for pattern in patterns or ["*"]:
        found = [name for name in claims if fnmatch.fnmatchcase(name, pattern)]
        if not found:
            raise ClaimError(f"no claim {pattern!r}; there are: {' '.join(claims)}")
        chosen |= {name: claims[name] for name in found}
    return [chosen[name] for name in sorted(chosen)]


def load_measure(claim):
    """The function measure(lab) of a claim's measure.py."""
    name = f"measure_{claim.id}"
    spec = importlib.util.spec_from_file_location(name, claim.measure_file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.measure


def measure(claim, lab):
    """Values by name of check."""
    values = load_measure(claim)(lab) if claim.measure_file.exists() else {}
    if claim.tests is not None:
        passed, failed = lab.passed_tests(claim.tests["binary"], claim.tests["filter"])
        if failed:
            raise MeasureError(f"{failed} of {passed + failed} tests failed")
        values[TESTS_PASSED] = passed
    return values


def show(value):
    """A number with the digits that matter; anything else as it is."""
    return f"{value:.7g}" if isinstance(value, float) else str(value)


def judge(claim, values, is_full):
    """A line of text and a verdict for each check."""
    checks = [check for check in claim.checks if is_full or not check.full_only]
    unknown = values.keys() - {check.name for check in claim.checks}
    missing = {check.name for check in checks} - values.keys()
    if unknown or missing:
        raise MeasureError(f"measured {sorted(unknown)} beyond the checks, not {sorted(missing)}")
    for check in checks:
        ours = values[check.name]
        verdict = HOLDS
        if not check.holds(ours):
            verdict = MISSES if check.is_binding else MISSES_UNBOUND
        unit = f" {check.unit}" if check.unit else ""
        yield (
            f"{claim.id:<4} {check.name}: reference {show(check.reference)}{unit} ({check.grade}), "
            f"ours {show(ours)}{unit}, tolerance {check.tolerance}, {verdict}"
        ), verdict


def examine(claim, arguments, scratch):
    """All lines and verdicts of a claim; what goes wrong on the way is one of them."""
    lab = Lab(claim, arguments.program, arguments.tests, scratch / claim.id, arguments.full)
    start = time.monotonic()
    values, error_text = {}, ""
    try:
        values = measure(claim, lab)
        lines = list(judge(claim, values, arguments.full))
    except (MeasureError, OSError, subprocess.TimeoutExpired, ArithmeticError, LookupError,
            TypeError, ValueError) as error:
        error_text = f"{type(error).__name__}: {error}"
        lines = [(f"{claim.id:<4} {claim.title}: {error_text}, {FAILED}", FAILED)]
    if arguments.keep:
        write_series(lab.path("series.csv"), lab.measured)
        measured = {"full": arguments.full, "error": error_text, "values": values,
                    "seconds": round(time.monotonic() - start, 1)}
        lab.write("measured.json", json.dumps(measured, indent=2) + "\n")
    return lines


def examine_all(claims, arguments, scratch):
    """Measures claims, some at a time, and prints each when those before it are done."""
    verdicts = []
    with concurrent.futures.ProcessPoolExecutor(PROCESSES) as pool:
        futures = [pool.submit(examine, claim, arguments, scratch) for claim in claims]
        for future in futures:
            for line, verdict in future.result():
                print(line, flush=True)
                verdicts.append(verdict)
    return verdicts


def main(words):
    arguments = parse(words)
    try:
        claims = choose(read_claims(arguments.folder), arguments.claims)
    except (ClaimError, OSError) as error:
        print(f"validation/run: {error}", file=sys.stderr)
        return 2
    if arguments.binaries:
        print(*sorted({claim.tests["binary"] for claim in claims if claim.tests}), sep="\n")
        return 0
    if arguments.list:
        for claim in claims:
            print(f"{claim.id:<4} {claim.title} [{claim.grade}: {claim.source}]")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep.resolve() if arguments.keep else pathlib.Path(scratch)
        verdicts = examine_all(claims, arguments, folder)
    bad = sum(verdict in (MISSES, FAILED) for verdict in verdicts)
    print(f"{len(verdicts) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
