# SPDX-License-Identifier: GPL-2.0-only
"""Draws charts (their form: charts.py) as pictures; report_assets/ does the same for the page."""

import numpy
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

from . import series, style

_LEGEND = 10  # names in a legend
_TREE_ROWS = 32
_DEPTH_COLOURS = ["#1B1F24", "#D55E00", "#E69F00", "#0072B2", "#56B4E9"]


def _values(numbers):
    return numpy.array([numpy.nan if value is None else value for value in numbers], dtype=float)


def _scale(spec, largest):
    """(divisor, name of the unit) of an axis on which the largest value is drawn."""
    tables = {"ns": style.time_unit, "B": style.byte_unit, "b/s": style.rate_unit}
    if spec["unit"] == "%":
        return 0.01, "%"
    return tables[spec["unit"]](largest) if spec["unit"] in tables else (1.0, "")


def _label(axis, spec, values):
    """Sets label, scale, ticks and limits of an axis; returns its divisor."""
    finite = values[numpy.isfinite(values)]
    log = spec.get("log") and (finite > 0).any()
    # On a logarithmic axis of bytes each tick says its unit; other units stand in the label.
    by, name = (1.0, "") if log and spec["unit"] == "B" else _scale(
        spec, max(finite.max(initial=0), spec.get("high", 0)))
    limits = axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim
    if log:
        (axis.axes.set_xscale if axis.axis_name == "x" else axis.axes.set_yscale)("log")
    axis.set_label_text(f"{spec['label']} ({name})" if name else spec["label"])
    if spec.get("ticks"):
        axis.set_major_locator(FixedLocator([place for place, _ in spec["ticks"]]))
        axis.set_major_formatter(FuncFormatter(
            lambda value, _: dict(map(tuple, spec["ticks"])).get(value, "")))
        axis.set_minor_locator(NullLocator())
        axis.set_tick_params(labelsize=11)
        if len(spec["ticks"]) > 6:
            axis.set_tick_params(rotation=40)
    edges = {side: spec[key] / by for key, side in
             (("low", "left" if axis.axis_name == "x" else "bottom"),
              ("high", "right" if axis.axis_name == "x" else "top")) if key in spec}
    return by, lambda: (limits(**edges), _log_ticks(axis, spec) if log else None)


def _log_ticks(axis, spec):
    if spec.get("ticks"):
        return
    (style.byte_axis if spec["unit"] == "B" else style.plain_log_axis)(axis)
    axis.set_minor_formatter(NullFormatter())


def _look(one, index):
    number = one.get("colour", index)
    look = style.line_style(max(number, 0))
    if number < 0:
        look = {"color": style.GREY if number == -1 else "#000000", "linestyle": "-"}
    if one.get("dash"):
        look["linestyle"] = "--"
    return look


def _draw_lines(axes, view):
    shown = [(index, one) for index, one in enumerate(view["series"]) if not one.get("off")]
    xs = numpy.concatenate([_values(one["x"]) for _, one in shown] or [numpy.zeros(1)])
    ys = numpy.concatenate([_values(one["y"]) for _, one in shown] or [numpy.zeros(1)])
    x_by, finish_x = _label(axes.xaxis, view["x"], xs)
    y_by, finish_y = _label(axes.yaxis, view["y"], ys)
    for index, one in shown:
        look = _look(one, index)
        x, y = _values(one["x"]) / x_by, _values(one["y"]) / y_by
        step = {"drawstyle": "steps-post"} if one.get("style") == "step" else {}
        if one.get("style") == "points":
            axes.plot(x, y, ".", color=look["color"], alpha=0.5, markeredgewidth=0,
                      rasterized=True, label=one["name"])
            continue
        if "low" in one:
            axes.fill_between(x, _values(one["low"]) / y_by, _values(one["high"]) / y_by,
                              step="post" if step else None, color=look["color"], alpha=0.16,
                              linewidth=0)
        axes.plot(x, y, label=one["name"], marker="o" if one.get("marks") else None, markersize=4,
                  **look, **step)
    finish_x()
    finish_y()
    if view.get("name") == view["y"]["label"]:
        axes.set_title(axes.get_ylabel(), fontsize=13)
        axes.set_ylabel("")
    elif view.get("name"):
        axes.set_title(view["name"], fontsize=13)
    return len(shown)


def lines(chart, title):
    """Curves; the views of a chart become panels with one legend."""
    views = chart.get("views", [chart | {"name": ""}])
    columns = 1 if len(views) == 1 else 2
    drawn, panels = style.figure(-(-len(views) // columns), columns, squeeze=False)
    most = 0
    for axes, view in zip(panels.flat, views):
        most = max(most, _draw_lines(axes, view))
    for axes in panels.flat[len(views):]:
        axes.set_visible(False)
    drawn.suptitle(title, x=0.01, ha="left")
    if most > 1:
        handles, names = panels.flat[0].get_legend_handles_labels()
        wide = max(map(len, names))
        # Below the label of the axis, and below ticks that stand askew.
        depth = 0.11 * len(panels) + (0.06 if len(views[0]["x"].get("ticks", ())) > 6 else 0)
        panels[-1, 0].legend(handles[:_LEGEND], names[:_LEGEND], loc="upper left",
                             bbox_to_anchor=(0, -depth),
                             ncol=1 if wide > 40 else 2 if wide > 20 else 4)
    return drawn


def heat(chart, title):
    """A map with time along x."""
    drawn, axes = style.figure()
    values = numpy.array([_values(row) for row in chart["values"]])
    value = chart["value"]
    by, unit = _scale(value, value.get("high", numpy.nanmax(values)))
    x_by, x_unit = style.time_unit(chart["x"]["high"])
    rows = chart["rows"]
    image = axes.imshow(values / by, aspect="auto", interpolation="nearest", cmap="Blues", vmin=0,
                        vmax=value.get("high", numpy.nanmax(values)) / by,
                        extent=(0, chart["x"]["high"] / x_by, len(rows) - 0.5, -0.5))
    axes.set_yticks(range(len(rows)), rows, fontsize=9 if len(rows) > 24 else 12)
    axes.grid(False)
    axes.set_xlabel(f"{chart['x']['label']} ({x_unit})")
    axes.set_title(title)
    drawn.colorbar(image, ax=axes, label=f"{value['label']} ({unit})", pad=0.01)
    return drawn


def bars(chart, title):
    """Horizontal bars, the first on top."""
    drawn, axes = style.figure()
    values = _values(chart["values"])
    value = chart["value"]
    by, unit = _scale(value, value.get("high", values.max()))
    places = numpy.arange(len(values))
    axes.barh(places, values / by, color=style.COLOURS[0])
    axes.set_yticks(places, chart["rows"], fontsize=10 if len(values) > 16 else 12)
    axes.set_ylim(max(len(values), 12) - 0.4, -0.6)
    axes.set_xlim(0, value["high"] / by if "high" in value else None)
    axes.grid(False, axis="y")
    axes.set_xlabel(f"{value['label']} ({unit})")
    axes.set_title(title)
    return drawn


def tree(result, title):
    """The congestion tree at the instant when most ports were paused, as an indented list."""
    instant = series.busiest_instant(result)
    rows = series.tree_rows(result, instant)
    scale, unit = style.time_unit(instant)
    drawn, axes = style.figure()
    shown = rows[:_TREE_ROWS]
    for place, (level, row, root) in enumerate(shown):
        text = f"{series.port_name(*root[:2])} prio {root[2]}: congested egress port"
        if row is not None:
            text = f"{series.port_name(row.node, row.port)} paused by " \
                   f"{series.port_name(row.by_node, row.by_port)}"
        x = 0.02 + 0.05 * level
        axes.plot([x, x], [place - 0.38, place + 0.38], linewidth=5, solid_capstyle="butt",
                  color=_DEPTH_COLOURS[min(level, len(_DEPTH_COLOURS) - 1)])
        axes.text(x + 0.012, place, text, va="center", fontsize=12,
                  fontweight="bold" if row is None else "normal")
    axes.set_ylim(max(len(shown), 16) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.axis("off")
    more = f"; {len(rows) - len(shown)} more rows" if len(rows) > len(shown) else ""
    axes.set_title(f"{title} at {instant / scale:.5g} {unit}, when most ports are paused{more}")
    return drawn


_KINDS = {"lines": lines, "heat": heat, "bars": bars}


def draw(chart, name):
    """The picture of a chart, with the name of what it shows before its title; None for None."""
    if chart is None:
        return None
    return _KINDS[chart["kind"]](chart, f"{name}: {chart['title'].lower()}")
