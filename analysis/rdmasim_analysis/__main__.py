# SPDX-License-Identifier: GPL-2.0-only
"""The command analysis/plot."""

import argparse
import sys
from pathlib import Path

from . import figures, metrics, style, text
from .results import ResultError, load


def _arguments():
    parser = argparse.ArgumentParser(
        prog="analysis/plot",
        description="Prints statistics of result folders and draws what the runs recorded: "
                    "slowdown, queues, pauses, rates, buffers, links. Several results are also "
                    "laid on each other; those that differ only in the seed become one curve.")
    parser.add_argument("folder", nargs="+", help="a result folder, or one that holds several")
    parser.add_argument("--out", help="where pictures go (default: figures/ in each result folder;"
                                      " with several results, a folder each below this one)")
    parser.add_argument("--format", default="png,svg", help="png, svg, pdf; several with commas")
    parser.add_argument("--no-pictures", action="store_true", help="statistics only")
    arguments = parser.parse_args()
    arguments.format = arguments.format.split(",")
    unknown = set(arguments.format) - {"png", "svg", "pdf"}
    if unknown:
        parser.error(f"--format: got {', '.join(sorted(unknown))}, expected png, svg, pdf")
    return arguments


def _save(pictures, folder, formats):
    folder.mkdir(parents=True, exist_ok=True)
    for name, drawn in pictures:
        if drawn is None:
            # A picture of an earlier run with the same folder would lie.
            for form in formats:
                (folder / f"{name}.{form}").unlink(missing_ok=True)
            continue
        print(style.save(drawn, folder, name, formats)[0])


def _compare(arguments, results):
    """Several results laid on each other: in --out, or in the one folder that holds them all."""
    if not arguments.out and len(arguments.folder) > 1:
        print("pictures that compare these results: --out says where")
        return
    name = Path(arguments.folder[0]).resolve().name if len(arguments.folder) == 1 else "comparison"
    target = Path(arguments.out or Path(arguments.folder[0]) / "figures")
    made = figures.comparison(metrics.groups(results), name)
    _save(made.items(), target, arguments.format)


def main():
    """Returns the exit code: 2 when a folder cannot be read."""
    arguments = _arguments()
    try:
        results = [result for folder in arguments.folder for result in load(folder)[0]]
        for number, result in enumerate(results):
            print(text.text(result), end="\n\n" if number + 1 < len(results) else "\n")
            if not arguments.no_pictures:
                target = result.folder / "figures"
                if arguments.out:
                    target = Path(arguments.out) / (result.name if len(results) > 1 else "")
                # One by one: each is closed before the next is drawn.
                _save(((name, draw(result)) for name, draw in figures.ALL.items()), target,
                      arguments.format)
        if len(results) > 1 and not arguments.no_pictures:
            _compare(arguments, results)
    except (ResultError, OSError) as error:
        print(f"analysis/plot: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
