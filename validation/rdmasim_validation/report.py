# SPDX-License-Identifier: GPL-2.0-only
"""Makes one HTML file of kept measurements: ours over the published values, claim by claim."""

import argparse
import html
import json
import pathlib
import sys

from .__main__ import CLAIMS, choose, show
from .chart import draw_band, draw_figure
from .claims import GRADES, ClaimError, read_claims
from .series import read_series, source_lines

STYLE = pathlib.Path(__file__).with_name("report.css")

HOLDS, MISSES, TOLD, FAILED = "holds", "misses", "misses, not binding", "not measured"
TEXTS = {
    "misses": "What explains the misses",
    "note": "Note",
    "choices": "What the source leaves open",
    "reduced": "The short form",
    "measured_full": "The long form gave",
}


def parse(words):
    parser = argparse.ArgumentParser(
        prog="validation/report",
        description="Measures claims and makes one HTML file of them, which needs no network.",
    )
    parser.add_argument("claims", nargs="*", metavar="claim", help="id or pattern; all without one")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results/validation.html"),
                        help="the file; results/validation.html without it")
    parser.add_argument("--kept", type=pathlib.Path, metavar="FOLDER",
                        help="take what validation/run --keep FOLDER left, and measure nothing")
    parser.add_argument("--full", action="store_true", help="measure the long forms")
    parser.add_argument("--dir", type=pathlib.Path, default=CLAIMS, dest="folder", metavar="FOLDER",
                        help="folder of the claims; validation/claims without it")
    return parser.parse_args(words)


def read_measured(claim, kept):
    """What validation/run --keep left of a claim; an error in its place if nothing."""
    file = kept / claim.id / "measured.json"
    if not file.exists():
        return {"error": "nothing was kept of this claim", "values": {}, "full": False}
    return json.loads(file.read_text(encoding="ascii"))


def verdict(check, values):
    if check.name not in values:
        return FAILED
    if check.holds(values[check.name]):
        return HOLDS
    return MISSES if check.is_binding else TOLD


def checks_shown(claim, measured):
    return [check for check in claim.checks if measured["full"] or not check.full_only]


def verdict_of_claim(claim, measured):
    """The worst of its checks."""
    found = {verdict(check, measured["values"]) for check in checks_shown(claim, measured)}
    if measured["error"]:
        return FAILED
    return next(each for each in (FAILED, MISSES, TOLD, HOLDS) if each in found)


def mark(text):
    return f'<span class="verdict {text.split(",")[0].replace(" ", "-")}{"-told" * ("," in text)}">{text}</span>'


def summary_row(claim, measured):
    shown = checks_shown(claim, measured)
    good = sum(verdict(check, measured["values"]) == HOLDS for check in shown)
    grades = ", ".join(sorted({check.grade for check in claim.checks}))
    return (f'<tr><td><a href="#{claim.id}">{claim.id}</a></td><td>{html.escape(claim.title)}</td>'
            f"<td>{grades}</td><td>{good} of {len(shown)}</td>"
            f"<td>{mark(verdict_of_claim(claim, measured))}</td></tr>")


def show_short(value):
    """A measured value as a table shows it; validation/run prints it with all its digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) and abs(value) < 1e4 else show(value)


def check_row(check, values):
    ours = values.get(check.name)
    is_number = type(ours) in (int, float) and ours == ours
    unit = f" {html.escape(check.unit)}" if check.unit else ""
    band = draw_band(*check.limits(), ours) if is_number else ""
    value = "" if ours is None else show_short(ours) + unit
    return (f"<tr><td>{html.escape(check.name)}<small>{html.escape(check.reason)}</small></td>"
            f"<td>{html.escape(show_short(check.reference))}{unit}</td><td>{check.grade}</td>"
            f"<td>{check.tolerance}</td><td>{value}</td><td>{band}</td>"
            f"<td>{mark(verdict(check, values))}</td></tr>")


def section(claim, measured, kept):
    published = read_series(claim.reference_file)
    series = read_series(kept / claim.id / "series.csv")
    figures = "".join(
        draw_figure(figure, [p for p in published if p.figure == figure.name],
                    [p for p in series if p.figure == figure.name])
        for figure in claim.figures
    )
    rows = "".join(check_row(check, measured["values"]) for check in checks_shown(claim, measured))
    texts = "".join(
        f"<p><b>{title}.</b> {html.escape(getattr(claim, key))}</p>"
        for key, title in TEXTS.items() if getattr(claim, key)
    )
    points = source_lines(claim.reference_file)
    origin = f"<p><b>Published points.</b> {html.escape(' '.join(points))}</p>" if points else ""
    error = f'<p class="error">{html.escape(measured["error"])}</p>' if measured["error"] else ""
    return (
        f'<section id="{claim.id}"><h2>{claim.id} {html.escape(claim.title)} '
        f"{mark(verdict_of_claim(claim, measured))}</h2>"
        f'<p class="source">{html.escape(claim.source)}</p>{error}'
        f'<div class="figures">{figures}</div>'
        '<div class="wide"><table><thead><tr><th>value</th><th>reference</th><th>grade</th>'
        "<th>tolerance</th><th>ours</th><th>ours in what is allowed</th><th></th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>{texts}{origin}</section>"
    )


def make_page(claims, kept):
    measured = {claim.id: read_measured(claim, kept) for claim in claims}
    counts = {}
    for claim in claims:
        for check in checks_shown(claim, measured[claim.id]):
            found = verdict(check, measured[claim.id]["values"])
            counts[found] = counts.get(found, 0) + 1
    told = ", ".join(f"{counts[each]} {each}" for each in (HOLDS, MISSES, TOLD, FAILED)
                     if each in counts)
    form = "long" if any(each["full"] for each in measured.values()) else "short"
    grades = "; ".join(f"{grade}: {meaning}" for grade, meaning in GRADES.items())
    rows = "".join(summary_row(claim, measured[claim.id]) for claim in claims)
    sections = "".join(section(claim, measured[claim.id], kept) for claim in claims)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>rdmasim against known values</title><style>{STYLE.read_text()}</style></head><body>"
        f"<h1>rdmasim against known values</h1><p>{len(claims)} claims in their {form} forms; of "
        f"their values, {told}.</p><p class=\"source\">Grades of a reference: {html.escape(grades)}. "
        "A miss of E1 or E4 is a failure, of another grade it is told and explained.</p>"
        "<div class=\"wide\"><table><thead><tr><th></th><th>claim</th><th>grades</th>"
        f"<th>values that hold</th><th></th></tr></thead><tbody>{rows}</tbody></table></div>"
        f"{sections}</body></html>\n"
    )


def main(words):
    arguments = parse(words)
    try:
        claims = choose(read_claims(arguments.folder), arguments.claims)
        if arguments.kept is None or not arguments.kept.is_dir():
            raise ClaimError(f"no folder of kept measurements: {arguments.kept}")
    except (ClaimError, OSError) as error:
        print(f"validation/report: {error}", file=sys.stderr)
        return 2
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(make_page(claims, arguments.kept), encoding="utf-8")
    print(arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
