# SPDX-License-Identifier: GPL-2.0-only
"""The report stands alone, shows every claim, and puts points where they belong."""

import json
import re

import pytest
import yaml
from rdmasim_validation import chart, report
from rdmasim_validation.claims import Figure
from rdmasim_validation.series import Point, write_series

CHECKS = [
    {"name": "good", "reference": 5, "tolerance": "exact", "reason": "five"},
    {"name": "off", "reference": 5, "tolerance": "+- 10 %", "reason": "five", "grade": "E3"},
    {"name": "bad", "reference": 5, "tolerance": "at most", "reason": "five", "unit": "Gb/s"},
]


@pytest.fixture
def tree(tmp_path):
    """A claim with a figure, and what a measurement of it left."""
    claim = tmp_path / "claims" / "C1"
    claim.mkdir(parents=True)
    (claim / "claim.yaml").write_text(yaml.safe_dump({
        "id": "C1", "title": "a < b", "source": "arithmetic", "grade": "E4", "checks": CHECKS,
        "misses": "seven is not five",
        "figures": [{"name": "curve", "x": "load", "y": "time in us", "logarithmic": "x"}],
    }))  # fmt: skip
    (claim / "measure.py").write_text("def measure(lab):\n    return {}\n")
    write_series(claim / "reference.csv", [("curve", "published", 0.1, 2), ("curve", "published", 1, 3)])
    kept = tmp_path / "kept" / "C1"
    kept.mkdir(parents=True)
    write_series(kept / "series.csv", [("curve", "ours", 0.1, 2.5), ("curve", "ours", 1, 3.5)])
    values = {"good": 5, "off": 7.0, "bad": 6}
    (kept / "measured.json").write_text(json.dumps({"values": values, "error": "", "full": False}))
    return tmp_path


def make(tree):
    out = tree / "out" / "report.html"
    code = report.main(["--dir", str(tree / "claims"), "--kept", str(tree / "kept"), "--out", str(out)])
    assert code == 0
    return out.read_text()


def test_page_needs_no_other_file(tree):
    page = make(tree)
    assert not re.search(r"(src|href)=[\"'](?!#)", page) and "http" not in page and "@import" not in page


def test_page_shows_values_verdicts_and_explanations(tree):
    page = make(tree)
    assert "a &lt; b" in page and "seven is not five" in page
    assert "1 of 3" in page
    rows = re.findall(r"<tr><td>(good|off|bad)<small>.*?</tr>", page)
    assert rows == ["good", "off", "bad"]
    # The claim has its worst verdict, in the table at the top and in its heading.
    assert page.count(">misses<") == 3 and page.count(">misses, not binding<") == 1


def test_figure_has_all_points_of_both(tree):
    page = make(tree)
    assert page.count("<title>published: ") == 2 and page.count("<title>ours: ") == 2
    assert "time in us" in page


def test_claim_without_a_measurement_says_so(tree):
    (tree / "kept" / "C1" / "measured.json").unlink()
    assert "nothing was kept of this claim" in make(tree)


def test_folder_that_is_not_there_is_refused(tree, capsys):
    assert report.main(["--dir", str(tree / "claims"), "--kept", str(tree / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_logarithmic_axis_gives_each_decade_the_same_room():
    axis = chart.Axis([1e-5, 1e-2], True, (0, 300))
    assert [round(axis.place(x)) for x in (1e-5, 1e-4, 1e-3, 1e-2)] == [0, 100, 200, 300]
    assert [label for _, label in axis.ticks()] == ["1e-5", "1e-4", "0.001", "0.01"]


def test_linear_axis_has_round_ticks():
    axis = chart.Axis([0, 93], False, (0, 100))
    assert [label for _, label in axis.ticks()] == ["0", "20", "40", "60", "80"]


def test_names_are_spread_in_their_order():
    points = [Point("f", "s", name, "1") for name in ("one", "two")]
    picture = chart.draw_figure(Figure("f", "x", "y"), points, [])
    assert picture.index(">one<") < picture.index(">two<")
    assert picture.count("<circle") == 2 + 1  # and one of the legend
