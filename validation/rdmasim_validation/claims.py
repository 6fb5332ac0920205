# SPDX-License-Identifier: GPL-2.0-only
"""Claims: what the simulator must reproduce, as folders with a claim.yaml each."""

import dataclasses
import pathlib
import re

import yaml

# How sure a reference value is. A miss of one that is not binding is told, and no failure.
GRADES = {
    "E1": "stated in the text, or the authors' own data",
    "E2": "digitised from a figure",
    "E3": "read off a figure by eye",
    "E4": "a closed form, or computed from the source's equations",
    "E5": "second-hand",
}
BINDING_GRADES = ("E1", "E4")

CLAIM_KEYS = {"id", "title", "source", "grade", "checks"}
OPTIONAL_CLAIM_KEYS = {"tests", "note", "choices", "reduced", "misses", "measured_full", "figures"}
CHECK_KEYS = {"name", "reference", "tolerance", "reason"}
OPTIONAL_CHECK_KEYS = {"unit", "full_only", "grade", "must_hold"}
TEST_KEYS = {"binary", "filter"}
FIGURE_KEYS = {"name", "x", "y"}
OPTIONAL_FIGURE_KEYS = {"logarithmic", "caption"}
LOGARITHMIC = ("x", "y", "xy")
TEXT_KEYS = ("note", "choices", "reduced", "misses", "measured_full")
TOLERANCE = re.compile(r"exact|at least|at most|\+- ?(\d+(?:\.\d+)?) ?(%?)")


class ClaimError(Exception):
    """A claim that is written wrongly."""


@dataclasses.dataclass(frozen=True)
class Check:
    """One value that a claim names."""

    name: str
    reference: object  # a number or a text
    tolerance: str  # "exact", "at least", "at most", "+- 15 %", "+- 0.02"
    reason: str  # where the reference comes from, and why the tolerance is what it is
    unit: str = ""
    full_only: bool = False
    grade: str = ""  # where it is another than that of the claim
    must_hold: bool | None = None  # where it is not the grade that decides; the reason says why

    @property
    def is_binding(self):
        return self.grade in BINDING_GRADES if self.must_hold is None else self.must_hold

    def limits(self):
        """Lowest and highest value that holds; None where there is no bound, or no number."""
        if type(self.reference) not in (int, float):
            return None, None
        if self.tolerance == "at least":
            return self.reference, None
        if self.tolerance == "at most":
            return None, self.reference
        allowed = self._allowed()
        return self.reference - allowed, self.reference + allowed

    def holds(self, ours):
        if self.tolerance == "exact":
            return type(ours) in self._comparable() and ours == self.reference
        if self.tolerance == "at least":
            return ours >= self.reference
        if self.tolerance == "at most":
            return ours <= self.reference
        return abs(ours - self.reference) <= self._allowed()

    def _allowed(self):
        number, percent = TOLERANCE.fullmatch(self.tolerance).groups()
        return float(number or 0) * (abs(self.reference) / 100 if percent else 1)

    def _comparable(self):
        """True is no 1: a measurement that answers with another kind of value is a mistake."""
        numbers = (int, float)
        return numbers if type(self.reference) in numbers else (type(self.reference),)


@dataclasses.dataclass(frozen=True)
class Figure:
    """A picture of a claim: measured series over published ones."""

    name: str
    x: str  # label with unit
    y: str
    logarithmic: str = ""  # axes: "", "x", "y" or "xy"
    caption: str = ""


@dataclasses.dataclass(frozen=True)
class Claim:
    """A claim with where it comes from."""

    id: str
    title: str
    source: str
    grade: str
    checks: tuple
    folder: pathlib.Path
    tests: dict | None  # binary and filter of unit tests that show it, or a part of it
    note: str = ""
    choices: str = ""  # what the source leaves open, how it was filled, and why
    reduced: str = ""  # how the form that runs without --full differs, and why it still means the same
    misses: str = ""  # what explains values outside their tolerance, with the experiment that shows it
    measured_full: str = ""  # what the long form gave
    figures: tuple = ()

    @property
    def reference_file(self):
        """The published points of the figures; need not exist."""
        return self.folder / "reference.csv"

    @property
    def measure_file(self):
        """The script that measures what the program can show; need not exist if there are tests."""
        return self.folder / "measure.py"


def _check_keys(where, found, needed, optional):
    missing = sorted(needed - found.keys())
    unknown = sorted(found.keys() - needed - optional)
    if missing or unknown:
        raise ClaimError(f"{where}: missing keys {missing}, unknown keys {unknown}")


def _read_check(where, data, grade):
    _check_keys(where, data, CHECK_KEYS, OPTIONAL_CHECK_KEYS)
    check = Check(**{"grade": grade, **data})
    where = f"{where}, check {check.name!r}"
    if check.grade not in GRADES:
        raise ClaimError(f"{where}: grade {check.grade!r}, known: {', '.join(GRADES)}")
    if not TOLERANCE.fullmatch(check.tolerance):
        raise ClaimError(f"{where}: tolerance {check.tolerance!r}")
    is_number = type(check.reference) in (int, float)
    if not is_number and check.tolerance != "exact":
        raise ClaimError(f"{where}: only a number can have the tolerance {check.tolerance!r}")
    if check.must_hold not in (None, True, False):
        raise ClaimError(f"{where}: must_hold {check.must_hold!r}, not true or false")
    if not str(check.reason).strip():
        raise ClaimError(f"{where}: no reason")
    return check


def _read_figure(where, data):
    _check_keys(f"{where}, figures", data, FIGURE_KEYS, OPTIONAL_FIGURE_KEYS)
    figure = Figure(**data)
    if figure.logarithmic not in ("", *LOGARITHMIC):
        raise ClaimError(
            f"{where}, figure {figure.name!r}: logarithmic {figure.logarithmic!r}, "
            f"known: {', '.join(LOGARITHMIC)}"
        )
    return figure


def read_claim(folder):
    """Reads the claim of a folder; raises ClaimError with what is wrong."""
    file = folder / "claim.yaml"
    try:
        data = yaml.safe_load(file.read_text(encoding="ascii"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ClaimError(f"{file}: {error}") from error
    if not isinstance(data, dict):
        raise ClaimError(f"{file}: not a map")
    _check_keys(file, data, CLAIM_KEYS, OPTIONAL_CLAIM_KEYS)
    if data["id"] != folder.name:
        raise ClaimError(f"{file}: id {data['id']!r} in a folder of another name")
    if data["grade"] not in GRADES:
        raise ClaimError(f"{file}: grade {data['grade']!r}, known: {', '.join(GRADES)}")
    tests = data.get("tests")
    if tests is not None:
        _check_keys(f"{file}, tests", tests, TEST_KEYS, set())
    if tests is None and not (folder / "measure.py").exists():
        raise ClaimError(f"{file}: needs a measure.py beside it, or tests")
    checks = tuple(_read_check(file, check, data["grade"]) for check in data["checks"])
    names = [check.name for check in checks]
    if not names or len(set(names)) != len(names):
        raise ClaimError(f"{file}: no checks, or two of one name")
    return Claim(
        id=data["id"],
        title=data["title"],
        source=data["source"],
        grade=data["grade"],
        checks=checks,
        folder=folder,
        tests=tests,
        figures=tuple(_read_figure(file, figure) for figure in data.get("figures", [])),
        **{key: data.get(key, "") for key in TEXT_KEYS},
    )


def read_claims(folder):
    """All claims below a folder, by id; raises ClaimError with all that is wrong."""
    claims = {}
    errors = []
    for entry in sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir()):
        try:
            claims[entry.name] = read_claim(entry)
        except ClaimError as error:
            errors.append(str(error))
    if errors:
        raise ClaimError("\n".join(errors))
    return claims
