# SPDX-License-Identifier: GPL-2.0-only
"""Names of all columns of a run, beside the table of results in README."""

import csv
import re


def documented(readme):
    """Names in backquotes in the row of each file."""
    rows = {}
    for line in readme.splitlines():
        cells = line.split("|")
        if len(cells) >= 4:
            for file in re.findall(r"`([\w.-]+\.csv)`", cells[1]):
                rows[file] = set(re.findall(r"`([^`]+)`", "|".join(cells[2:])))
    return rows


def headers(folder):
    """The first line of each table of a folder."""
    names = {}
    for path in sorted(folder.glob("*.csv")):
        with open(path, newline="", encoding="ascii") as file:
            names[path.name] = next(csv.reader(file), [])
    return names


def measure(lab):
    known = documented((lab.top / "README.md").read_text(encoding="utf-8"))
    tables = headers(lab.run("all").folder)
    missing = [f"{file}: {name}" for file, names in tables.items() for name in names
               if name not in known.get(file, ())]
    for name in missing:
        print(name)
    return {
        "tables written": len(tables),
        "tables without a line of names": sum(
            not names or not all(re.fullmatch(r"[A-Za-z]\w*", name) for name in names)
            for names in tables.values()
        ),
        "columns that README does not name": len(missing),
    }
