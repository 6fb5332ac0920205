# SPDX-License-Identifier: GPL-2.0-only
"""The command analysis/plot."""

import argparse
import sys
from pathlib import Path

from . import figures, report, style
from .results import Result, ResultError, result_folders


def _arguments():
    parser = argparse.ArgumentParser(
        prog="analysis/plot",
        description="Prints statistics of result folders and draws slowdown, queue depth, pauses "
                    "and rates, as far as the run recorded them.")
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


def _draw(result, folder, formats):
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in figures.ALL.items():
        drawn = draw(result)
        if drawn is None:
            # A picture of an earlier run with the same folder would lie.
            for form in formats:
                (folder / f"{name}.{form}").unlink(missing_ok=True)
            continue
        print(style.save(drawn, folder, name, formats)[0])


def main():
    """Returns the exit code: 2 when a folder cannot be read."""
    arguments = _arguments()
    try:
        folders = [found for folder in arguments.folder for found in result_folders(folder)]
        for number, folder in enumerate(folders):
            result = Result(folder)
            print(report.text(result), end="\n\n" if number + 1 < len(folders) else "\n")
            if not arguments.no_pictures:
                target = folder / "figures"
                if arguments.out:
                    target = Path(arguments.out) / (result.name if len(folders) > 1 else "")
                _draw(result, target, arguments.format)
    except (ResultError, OSError) as error:
        print(f"analysis/plot: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
