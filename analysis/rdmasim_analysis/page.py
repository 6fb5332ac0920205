# SPDX-License-Identifier: GPL-2.0-only
"""The command analysis/report: one HTML file with everything in it, style, script and data."""

import argparse
import json
import sys
from html import escape
from pathlib import Path

import numpy

from . import charts, compare, fabric_charts, metrics, sections
from .results import ResultError, load

_ASSETS = Path(__file__).parent / "report_assets"
# In order: what all share, the kinds of figures (any order), the start.
_SCRIPTS = ["core.js", "axes.js", "figure.js", "lines.js", "heat.js", "bars.js", "tree.js",
            "start.js"]
# The figures of a run in the order of the page, and those that take half its width.
RUN_CHARTS = [("slowdown", charts.slowdown), ("slowdown-cdf", charts.slowdown_cdf),
              ("tree", fabric_charts.tree), ("pauses", fabric_charts.pause_map),
              ("queues", fabric_charts.queues), ("queue-map", fabric_charts.queue_map),
              ("rates", charts.rates), ("goodput", charts.goodput),
              ("events", fabric_charts.events), ("buffers", fabric_charts.buffers),
              ("buffer-cdf", fabric_charts.buffer_cdf),
              ("utilisation", fabric_charts.utilisation), ("waits", fabric_charts.waits),
              ("perftest", charts.perftest)]
_PAIRS = [("slowdown", "slowdown-cdf"), ("goodput", "events"), ("buffers", "buffer-cdf")]
_COMPARED_PAIRS = [("slowdown", "slowdown-cdf"), ("queues", "pauses")]
_SIDE_BY_SIDE = 4  # runs of which maps are drawn beside each other


def _plain(value):
    """The Python value of a number of numpy, which what is computed from a table may be."""
    if isinstance(value, numpy.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no place in a page")


class Page:
    """A page in the making: its HTML, and the charts that its figures refer to by number."""

    def __init__(self, title):
        self.title = title
        self.parts = []
        self.charts = []

    def add(self, *parts):
        """Appends HTML."""
        self.parts += parts

    def figures(self, made, pairs=()):
        """Appends {name: chart} as figures; both of a pair at half width if both are there."""
        half = {name for pair in pairs if all(name in made for name in pair) for name in pair}
        self.parts.append('<div class="figures">')
        for name, chart in made.items():
            kind = ' class="half"' if name in half or chart.get("half") else ""
            self.parts.append(f'<figure id="chart-{len(self.charts)}" data-name="{escape(name)}" '
                              f'data-chart="{len(self.charts)}"{kind}></figure>')
            self.charts.append(chart)
        self.parts.append("</div>")

    def text(self):
        """The whole file."""
        scripts = [(_ASSETS / name).read_text(encoding="ascii") for name in _SCRIPTS]
        # "</" would end the element early, wherever it stands in a name.
        data = json.dumps(self.charts, separators=(",", ":"), default=_plain).replace("</", "<\\/")
        return "\n".join([
            '<!DOCTYPE html>', '<html lang="en">', '<head>', '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<link rel="icon" href="data:,">',
            f'<title>{escape(self.title)}</title>',
            f'<style>\n{(_ASSETS / "report.css").read_text(encoding="ascii")}</style>',
            '</head>', '<body>', *self.parts,
            '<footer>Drag along a figure to zoom into it, all figures over time follow; double '
            'click to go back. Click a name to show or hide it, double click for it alone. '
            'Percentiles are nearest-rank: always a value that was measured.</footer>',
            f'<script type="application/json" id="charts">{data}</script>',
            *(f'<script>\n{script}</script>' for script in scripts), '</body>', '</html>', ''])


def run_page(result):
    """The page of one run."""
    page = Page(f"{result.name}: rdmasim")
    page.add(*sections.head(result), *sections.replays([result]), *sections.percentiles(result))
    made = {name: chart for name, draw in RUN_CHARTS if (chart := draw(result)) is not None}
    page.add("<h2>Figures</h2>")
    page.figures(made, _PAIRS)
    page.add(*sections.events(result), *sections.configuration(result))
    return page


def comparison_page(title, results, sweep=None):
    """The page of several runs: differences, curves on each other, maps beside each other."""
    groups = metrics.groups(results)
    page = Page(f"{title}: rdmasim")
    page.add(*sections.comparison_head(title, groups, results, sweep))
    if len(groups) > 1:
        over = compare.sweep(groups) if groups[0].settings else []
        if sweep is not None and over:
            page.add("<h2>Over the swept keys</h2>")
            page.figures({f"sweep-{number}": chart for number, chart in enumerate(over)})
    page.add(*sections.replays(results))
    page.add("<h2>Differences</h2>", *sections.differences(groups))
    drawn = {name: chart for name, draw in compare.ALL.items()
             if (chart := draw(groups)) is not None}
    if drawn:
        page.add("<h2>Figures</h2>")
        page.figures(drawn, _COMPARED_PAIRS)
    beside = [compare.side_by_side(groups, draw) for draw in (
        fabric_charts.pause_map, fabric_charts.queue_map, fabric_charts.utilisation)]
    if len(groups) <= _SIDE_BY_SIDE and any(beside):
        page.add("<h2>Side by side</h2>")
        for made in filter(None, beside):
            page.figures(made)
    page.add(*sections.runs(results, sweep), *sections.common_configuration(results))
    return page


def make(folders):
    """(page, folder beside which it belongs) of result folders, folders of such, or sweeps."""
    results, sweep = [], None
    for folder in folders:
        found, one = load(folder)
        results += found
        sweep = sweep or one
    if len(results) == 1 and sweep is None:
        return run_page(results[0]), results[0].folder
    title = Path(folders[0]).resolve().name if len(folders) == 1 else \
        " and ".join(Path(folder).resolve().name for folder in folders[:3]) + \
        (f" and {len(folders) - 3} more" if len(folders) > 3 else "")
    return comparison_page(title, results, sweep), Path(folders[0])


def main():
    """Returns the exit code: 2 when a folder cannot be read."""
    parser = argparse.ArgumentParser(
        prog="analysis/report",
        description="Makes one HTML file of a run, or a comparison of several (those that differ "
                    "only in the seed become one curve with its confidence interval), or of a "
                    "sweep. The file needs no network.")
    parser.add_argument("folder", nargs="+",
                        help="a result folder, one that holds several, or that of a sweep")
    parser.add_argument("--out", help="the file (default: report.html in the first folder)")
    arguments = parser.parse_args()
    try:
        page, folder = make(arguments.folder)
        target = Path(arguments.out) if arguments.out else folder / "report.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page.text(), encoding="utf-8")
    except (ResultError, OSError) as error:
        print(f"analysis/report: {error}", file=sys.stderr)
        return 2
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
