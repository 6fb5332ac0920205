# SPDX-License-Identifier: GPL-2.0-only
"""The look of all pictures: colours, sizes, axes with units."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot  # noqa: E402  (the backend is chosen first)
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: E402

# Okabe and Ito's palette, which readers with colour vision deficiencies tell apart; without its
# yellow, which is too light for lines on white.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"]
GREY = "#8C8C8C"
# Lines beyond the palette repeat its colours in another dash.
DASHES = ["-", "--", ":"]

_PARAMETERS = {
    "figure.figsize": (12, 8),
    "figure.dpi": 100,
    "figure.constrained_layout.use": True,
    "font.size": 13,
    "axes.titlesize": 15,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E3E3E3",
    "lines.linewidth": 1.8,
    "legend.frameon": False,
    "legend.fontsize": 12,
    # Equal results give equal files.
    "svg.hashsalt": "rdmasim",
}
_TIME_UNITS = [(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")]
_BYTE_UNITS = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")]
_RATE_UNITS = [(1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"), (1.0, "b/s")]


def line_style(index):
    """Colour and dash of the line with a number."""
    return {"color": COLOURS[index % len(COLOURS)],
            "linestyle": DASHES[index // len(COLOURS) % len(DASHES)]}


def _unit(units, largest):
    return next(((scale, name) for scale, name in units if largest >= 2 * scale), units[-1])


def time_unit(largest_ns):
    """(divisor, name) of the unit in which times up to this many ns read best."""
    return _unit(_TIME_UNITS, largest_ns)


def byte_unit(largest):
    """(divisor, name) for byte counts up to this one."""
    return _unit(_BYTE_UNITS, largest)


def rate_unit(largest_bps):
    """(divisor, name) for rates up to this one."""
    return _unit(_RATE_UNITS, largest_bps)


def short_bytes(value):
    """A byte count as text of a few characters: 950 B, 1.5 kB, 30 MB."""
    scale, name = next(((s, n) for s, n in _BYTE_UNITS if value >= s), _BYTE_UNITS[-1])
    return f"{value / scale:.3g} {name}"


def byte_axis(axis):
    """Labels a logarithmic axis of byte counts at each power of ten, and at 2 and 5 when few."""
    low, high = sorted(axis.get_view_interval())
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 300 * low else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: short_bytes(value)))
    axis.set_minor_formatter(NullFormatter())


def plain_log_axis(axis):
    """Labels a logarithmic axis of ratios with plain numbers (1, 2, 5, 10)."""
    low, high = sorted(axis.get_view_interval())
    few = (1, 1.5, 2, 3, 4, 5, 7) if high < 8 * low else (1, 2, 5) if high < 300 * low else (1,)
    axis.set_major_locator(LogLocator(subs=few))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def figure(rows=1, columns=1, **options):
    """A new figure and its axes, in the common look."""
    matplotlib.rcParams.update(_PARAMETERS)
    return matplotlib.pyplot.subplots(rows, columns, **options)


def save(drawn, folder, name, formats):
    """Writes a figure in each format and closes it; returns the paths."""
    metadata = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
    paths = []
    for form in formats:
        path = folder / f"{name}.{form}"
        drawn.savefig(path, metadata=metadata.get(form))
        paths.append(path)
    matplotlib.pyplot.close(drawn)
    return paths
