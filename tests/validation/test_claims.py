# SPDX-License-Identifier: GPL-2.0-only
"""Claims are well-formed, name their sources, and can fail."""

import json
import shutil

import pytest
import yaml
from rdmasim_validation import __main__ as runner
from rdmasim_validation.claims import Check, ClaimError, read_claim, read_claims
from rdmasim_validation.series import read_series, source_lines

from conftest import TOP

CLAIMS = sorted(path.parent for path in (TOP / "validation" / "claims").glob("*/claim.yaml"))


@pytest.mark.parametrize("folder", CLAIMS, ids=lambda folder: folder.name)
def test_claim_is_well_formed_and_every_number_has_a_source(folder):
    claim = read_claim(folder)
    assert claim.title and len(claim.source) > 10
    for check in claim.checks:
        assert len(check.reason) > 10, check.name
    if claim.measure_file.exists():
        assert callable(runner.load_measure(claim))
    if claim.tests is not None:
        part = claim.tests["binary"].removeprefix("test-")
        assert list((TOP / "tests" / part).glob("*-test.cc")), claim.tests["binary"]


@pytest.mark.parametrize("folder", CLAIMS, ids=lambda folder: folder.name)
def test_published_points_belong_to_figures_and_name_their_source(folder):
    claim = read_claim(folder)
    points = read_series(claim.reference_file)
    assert {point.figure for point in points} <= {figure.name for figure in claim.figures}
    for point in points:
        assert float(point.y) == float(point.y), point
    assert source_lines(claim.reference_file) or not points


def test_there_are_claims():
    assert len(CLAIMS) >= 25


def make_claim(folder, measure="def measure(lab):\n    return {'x': 5.0}\n", **changes):
    """A folder of claims with one, C1, that holds; changes to its keys are written over it."""
    data = {
        "id": "C1",
        "title": "five is five",
        "source": "arithmetic",
        "grade": "E4",
        "checks": [{"name": "x", "reference": 5, "tolerance": "exact", "reason": "five"}],
    }
    data |= changes
    data = {key: value for key, value in data.items() if value is not None}
    claim = folder / "C1"
    claim.mkdir()
    (claim / "claim.yaml").write_text(yaml.safe_dump(data))
    if measure:
        (claim / "measure.py").write_text(measure)
    return folder


def one_check(**changes):
    check = {"name": "x", "reference": 5, "tolerance": "exact", "reason": "five"}
    return [{**check, **changes}]


@pytest.mark.parametrize(
    "changes",
    [
        {"source": None},
        {"grade": "E9"},
        {"id": "C2"},
        {"checks": []},
        {"surprise": 1},
        {"checks": one_check(reason="")},
        {"checks": one_check(tolerance="roughly")},
        {"checks": one_check(reference="five", tolerance="at least")},
        {"checks": one_check() + one_check()},
        {"tests": {"binary": "test-x"}},
        {"checks": one_check(grade="E9")},
        {"checks": one_check(must_hold="perhaps")},
        {"figures": [{"name": "f", "x": "time"}]},
        {"figures": [{"name": "f", "x": "time", "y": "rate", "logarithmic": "z"}]},
    ],
    ids=str,
)
def test_malformed_claim_is_refused(tmp_path, changes):
    with pytest.raises(ClaimError, match="C1"):
        read_claims(make_claim(tmp_path, **changes))


def test_well_formed_claim_is_read(tmp_path):
    claims = read_claims(make_claim(tmp_path))
    assert list(claims) == ["C1"] and claims["C1"].checks[0].reference == 5


def test_claim_without_a_measurement_is_refused(tmp_path):
    with pytest.raises(ClaimError, match="measure.py"):
        read_claims(make_claim(tmp_path, measure=""))


@pytest.mark.parametrize(
    ("reference", "tolerance", "ours", "holds"),
    [
        (5, "exact", 5, True),
        (5, "exact", 5.0, True),
        (5, "exact", 5.0000001, False),
        (1, "exact", True, False),
        (True, "exact", True, True),
        ("a", "exact", "b", False),
        (5, "at least", 5, True),
        (5, "at least", 4.9, False),
        (5, "at most", 5, True),
        (5, "at most", 5.1, False),
        (200, "+- 15 %", 230, True),
        (200, "+- 15 %", 230.1, False),
        (200, "+- 15 %", 169.9, False),
        (1.2, "+- 0.02", 1.215, True),
        (1.2, "+- 0.02", 1.225, False),
        (5, "+- 1", float("nan"), False),
    ],
)
def test_tolerances(reference, tolerance, ours, holds):
    assert Check("x", reference, tolerance, "why").holds(ours) is holds


def run(folder, program, *words):
    return runner.main(
        ["--dir", str(folder), "--program", str(program), "--tests", str(program.parent), *words]
    )


@pytest.mark.parametrize(
    ("changes", "measure", "code", "told"),
    [
        ({}, "return {'x': 5.0}", 0, "holds"),
        ({}, "return {'x': 6.0}", 1, "misses"),
        ({"grade": "E3"}, "return {'x': 6.0}", 0, "not binding"),
        ({"checks": one_check(grade="E3")}, "return {'x': 6.0}", 0, "not binding"),
        ({"checks": one_check(must_hold=False)}, "return {'x': 6.0}", 0, "not binding"),
        ({"grade": "E3", "checks": one_check(must_hold=True)}, "return {'x': 6.0}", 1, "misses"),
        ({}, "return {'y': 5.0}", 1, "no measurement"),
        ({}, "return {}", 1, "no measurement"),
        ({}, "return {'x': 1 / 0}", 1, "no measurement"),
    ],
)
def test_verdict_decides_the_exit_code(tmp_path, program, capsys, changes, measure, code, told):
    folder = make_claim(tmp_path, f"def measure(lab):\n    {measure}\n", **changes)
    assert run(folder, program) == code
    assert told in capsys.readouterr().out


def test_binaries_of_chosen_claims_are_named(tmp_path, program, capsys):
    tests = {"binary": "test-x", "filter": "*"}
    assert run(make_claim(tmp_path, tests=tests), program, "--binaries") == 0
    assert capsys.readouterr().out.split() == ["test-x"]


MEASURE_WITH_SERIES = """
def measure(lab):
    reference = lab.reference("curve", "published")
    lab.series("curve", "ours", [(x, y + 1) for x, y in reference.items()])
    return {"x": 5.0}
"""


def test_measured_series_and_values_are_kept(tmp_path, program):
    figures = [{"name": "curve", "x": "load", "y": "time"}]
    folder = make_claim(tmp_path, MEASURE_WITH_SERIES, figures=figures)
    (folder / "C1" / "reference.csv").write_text(
        "# from nowhere\nfigure,series,x,y\ncurve,published,1,2.5\ncurve,published,2,3.5\n"
    )
    kept = tmp_path / "kept"
    assert run(folder, program, "--keep", str(kept)) == 0
    points = read_series(kept / "C1" / "series.csv")
    assert [(p.figure, p.series, p.x, float(p.y)) for p in points] == [
        ("curve", "ours", "1", 3.5), ("curve", "ours", "2", 4.5)
    ]  # fmt: skip
    measured = json.loads((kept / "C1" / "measured.json").read_text())
    assert measured["values"] == {"x": 5.0} and measured["error"] == ""


def test_unknown_claim_is_refused_with_the_known_ones(tmp_path, program, capsys):
    assert run(make_claim(tmp_path), program, "C7") == 2
    assert "C1" in capsys.readouterr().err


def copy_of_a_real_claim(tmp_path, old, new):
    """The lone WRITE, with one text of its claim replaced."""
    shutil.copytree(TOP / "validation" / "claims" / "S11", tmp_path / "S11")
    file = tmp_path / "S11" / "claim.yaml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    return tmp_path


def test_real_claim_holds(tmp_path, program, capsys):
    folder = copy_of_a_real_claim(tmp_path, "exact", "exact")
    assert run(folder, program) == 0
    assert capsys.readouterr().out.count(" holds") == 5  # four figures, and its tests


def test_real_claim_with_a_wrong_reference_fails(tmp_path, program, capsys):
    folder = copy_of_a_real_claim(tmp_path, "reference: 92692.64", "reference: 92692.65")
    assert run(folder, program) == 1
    assert "misses" in capsys.readouterr().out


def test_failing_and_missing_unit_tests_are_no_success(tmp_path, program, capsys):
    tests = {"binary": "no-such-binary", "filter": "*"}
    check = one_check(name="tests passed", reference=1, tolerance="at least")
    folder = make_claim(tmp_path, measure="", tests=tests, checks=check)
    assert run(folder, program) == 1
    assert "no measurement" in capsys.readouterr().out
