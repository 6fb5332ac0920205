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
OPTIONAL_CLAIM_KEYS = {"tests", "note"}
CHECK_KEYS = {"name", "reference", "tolerance", "reason"}
OPTIONAL_CHECK_KEYS = {"unit", "full_only"}
TEST_KEYS = {"binary", "filter"}
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

    def holds(self, ours):
        if self.tolerance == "exact":
            return type(ours) in self._comparable() and ours == self.reference
        if self.tolerance == "at least":
            return ours >= self.reference
        if self.tolerance == "at most":
            return ours <= self.reference
        number, percent = TOLERANCE.fullmatch(self.tolerance).groups()
        allowed = float(number) * (abs(self.reference) / 100 if percent else 1)
        return abs(ours - self.reference) <= allowed

    def _comparable(self):
        """True is no 1: a measurement that answers with another kind of value is a mistake."""
        numbers = (int, float)
        return numbers if type(self.reference) in numbers else (type(self.reference),)


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

    @property
    def measure_file(self):
        """The script that measures what the program can show; need not exist if there are tests."""
        return self.folder / "measure.py"

    @property
    def is_binding(self):
        return self.grade in BINDING_GRADES


def _check_keys(where, found, needed, optional):
    missing = sorted(needed - found.keys())
    unknown = sorted(found.keys() - needed - optional)
    if missing or unknown:
        raise ClaimError(f"{where}: missing keys {missing}, unknown keys {unknown}")


def _read_check(where, data):
    _check_keys(where, data, CHECK_KEYS, OPTIONAL_CHECK_KEYS)
    check = Check(**data)
    where = f"{where}, check {check.name!r}"
    if not TOLERANCE.fullmatch(check.tolerance):
        raise ClaimError(f"{where}: tolerance {check.tolerance!r}")
    is_number = type(check.reference) in (int, float)
    if not is_number and check.tolerance != "exact":
        raise ClaimError(f"{where}: only a number can have the tolerance {check.tolerance!r}")
    if not str(check.reason).strip():
        raise ClaimError(f"{where}: no reason")
    return check


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
    checks = tuple(_read_check(file, check) for check in data["checks"])
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
        note=data.get("note", ""),
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
