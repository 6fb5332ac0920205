# SPDX-License-Identifier: GPL-2.0-only
"""
Series of points as CSV, published ones (reference.csv of a claim) and measured ones (series.csv).

Columns are figure, series, x, y; lines that begin with # say where the points come from. x is a
number or a text (a tick of an axis without a scale).
"""

import csv
import dataclasses

COLUMNS = ("figure", "series", "x", "y")


@dataclasses.dataclass(frozen=True)
class Point:
    figure: str
    series: str
    x: str
    y: str


def read_series(file):
    """All points of a file, in its order; none if there is no file."""
    if not file.exists():
        return []
    with open(file, newline="", encoding="ascii") as lines:
        table = csv.DictReader(line for line in lines if not line.startswith("#"))
        return [Point(**{name: row[name] for name in COLUMNS}) for row in table]


def write_series(file, rows):
    """Writes rows of figure, series, x, y."""
    with open(file, "w", newline="", encoding="ascii") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def source_lines(file):
    """What the comments of a file say of the origin of its points."""
    if not file.exists():
        return []
    text = file.read_text(encoding="ascii")
    return [line.lstrip("# ") for line in text.splitlines() if line.startswith("#")]
