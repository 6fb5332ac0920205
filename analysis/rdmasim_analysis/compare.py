# SPDX-License-Identifier: GPL-2.0-only
"""Figures that lay several runs on each other (the form: charts.py).

Runs that differ in their seeds are one curve: the mean over the seeds, with its 95 % confidence
interval by Student's distribution as a band. A distribution is that of all their flows together.
"""

import numpy

from . import metrics, series, statistics
from .charts import (PERCENTILES, axis, bin_ticks, distribution, numbers, share_axis,
                     slowdown_axis, tenths, time_axis)

_GRID = 300     # points of a mean curve over time
_SHOWN = 8      # groups shown at first
_SEEDS = "Lines are means over the seeds, bands their 95 % confidence intervals (t distribution)."
# The metrics that are drawn over a swept key, if any run has them.
_SWEPT = ["slowdown p50", "slowdown p99", "slowdown p99.9", "FCT p99",
          "goodput of finished flows", "last flow ended", "frames dropped", "frames marked (ECN)",
          "time paused, all ports", "deepest queue", "busiest link"]


def _seeds_note(groups):
    return _SEEDS if any(len(group.results) > 1 for group in groups) else ""


def _mean_curve(name, x, runs, index):
    """The mean of equally long arrays, one for each run, with its interval if there are several."""
    pairs = numpy.array([statistics.confidence(column) for column in numpy.array(runs).T])
    made = {"name": name, "x": numbers(x, 7), "y": numbers(pairs[:, 0], 5), "colour": index,
            "off": index >= _SHOWN}
    if not numpy.isnan(pairs[:, 1]).all():
        made["low"] = numbers(pairs[:, 0] - pairs[:, 1], 5)
        made["high"] = numbers(pairs[:, 0] + pairs[:, 1], 5)
    return made


def slowdown(groups):
    """A percentile of slowdown by tenths of all flows, a curve for each group."""
    pooled = numpy.concatenate([result.finished["bytes"].to_numpy()
                                for group in groups for result in group.results])
    bins = tenths(pooled)
    if len(bins) < 3:
        return None
    uppers = numpy.array([pooled[members].max() for members in bins])
    ticks = bin_ticks(pooled, bins)
    views = []
    for percent in PERCENTILES:
        drawn = []
        for index, group in enumerate(groups):
            runs = [_percentile_by_bin(result, uppers, percent) for result in group.results]
            if not numpy.isnan(runs).all():
                drawn.append({**_mean_curve(group.label, numpy.arange(len(bins)) + 0.5, runs,
                                            index), "marks": True})
        if drawn:
            views.append({"name": f"p{percent:g}", "series": drawn, "y": slowdown_axis(),
                          "x": axis("flow size (largest of each bin)", ticks=ticks, low=0,
                                    high=len(bins))})
    note = "A bin holds a tenth of the flows of all runs. " + _seeds_note(groups)
    return {"kind": "lines", "title": "Slowdown by flow size", "views": views,
            "note": note} if views else None


def _percentile_by_bin(result, uppers, percent):
    flows = result.finished.dropna(subset=["slowdown_delivered"])
    place = numpy.searchsorted(uppers, flows["bytes"].to_numpy())
    values = flows["slowdown_delivered"].to_numpy()
    return [statistics.percentile(values[place == k], percent)
            if numpy.count_nonzero(place == k) >= statistics.needed(percent) else numpy.nan
            for k in range(len(uppers))]


def slowdown_cdf(groups):
    """Distribution of slowdown, flows of all seeds together."""
    drawn = []
    for index, group in enumerate(groups):
        values = numpy.concatenate([result.finished["slowdown_delivered"].dropna().to_numpy()
                                    for result in group.results])
        if len(values):
            drawn.append(distribution(group.label, values, colour=index, off=index >= _SHOWN))
    return {"kind": "lines", "title": "Distribution of slowdown", "note": "",
            "x": axis("FCT slowdown", log=True), "y": share_axis("flows up to it"),
            "series": drawn} if drawn else None


def _over_time(groups, title, label, curves):
    """Means over time of what curves(result, edges) gives for each bin, or None."""
    end = max(result.active_ns for group in groups for result in group.results)
    edges = numpy.linspace(0, end, _GRID + 1)
    drawn = []
    for index, group in enumerate(groups):
        runs = [curves(result, edges) for result in group.results]
        runs = [run for run in runs if run is not None]
        if runs:
            drawn.append(_mean_curve(group.label, edges[:-1], runs, index) | {"style": "step"})
    return {"kind": "lines", "title": title, "x": time_axis(end), "series": drawn,
            "y": axis(*label, low=0), "note": _seeds_note(groups)} if drawn else None


def _queue(result, edges):
    return None if result.queues is None else series.deepest_queue(result, edges)


def _paused(result, edges):
    if result.pauses is None and result.pfc is None:
        return None
    return series.paused_at_once(result, edges)


def _goodput(result, edges):
    if result.rates is None or result.rates.empty:
        return None
    return series.goodput(result, edges)


def queues(groups):
    """The deepest queue of all over time."""
    return _over_time(groups, "Deepest egress queue", ("bytes queued", "B"), _queue)


def pauses(groups):
    """How many transmitters are paused at once."""
    chart = _over_time(groups, "Transmitters paused at once", ("ports and priorities",), _paused)
    if chart and all(value == 0 for one in chart["series"] for value in one["y"]):
        return None
    return chart


def goodput(groups):
    """The goodput of all sampled flows over time."""
    return _over_time(groups, "Goodput of all sampled flows", ("sum of goodput", "b/s"), _goodput)


def buffer_cdf(groups):
    """Distribution of buffer use over the samples of all switches."""
    drawn = []
    for index, group in enumerate(groups):
        held = [series.held_times(rows, result.active_ns) for result in group.results
                if result.buffers is not None and not result.buffers.empty
                for _, rows in result.buffers.groupby("node")]
        if held:
            values, times = (numpy.concatenate(parts) for parts in zip(*held))
            drawn.append(distribution(group.label, values, times, colour=index,
                                      off=index >= _SHOWN))
    return {"kind": "lines", "title": "Distribution of buffer use",
            "note": "All switches together.",
            "x": axis("bytes in use", "B", low=0), "y": share_axis("time up to it"),
            "series": drawn} if drawn else None


def _swept_axis(texts, label):
    """(axis, {text: place}): by value if all are quantities of one kind, else one step each."""
    texts = list(dict.fromkeys(texts))
    read = metrics.quantities(texts)
    if read is None:
        return (axis(label, low=-0.5, high=len(texts) - 0.5,
                     ticks=[[place, text] for place, text in enumerate(texts)]),
                {text: place for place, text in enumerate(texts)})
    unit, values = read
    wide = min(values) > 0 and max(values) > 20 * min(values)
    return axis(label, unit, log=wide), dict(zip(texts, values))


def _sweep_views(groups, key, keys):
    """A view for each metric over one key; a line for each combination of the other keys."""
    place_axis, places = _swept_axis([group.settings[key] for group in groups],
                                     key)
    lines = {}
    for group in groups:
        rest = ", ".join(f"{metrics.short(other, keys)}={group.settings[other]}"
                         for other in keys if other != key) or "mean over seeds"
        lines.setdefault(rest, []).append(group)
    values = {id(group): [{one.name: one for one in metrics.of_run(result)}
                          for result in group.results] for group in groups}
    views = []
    for name in _SWEPT:
        drawn = []
        for index, (rest, members) in enumerate(lines.items()):
            members = sorted(members, key=lambda group: places[group.settings[key]])
            runs = [statistics.confidence([run[name].value for run in values[id(group)]])
                    for group in members]
            means, halves = numpy.array(runs).T
            one = {"name": rest, "x": numbers([places[group.settings[key]] for group in members]),
                   "y": numbers(means), "marks": True, "colour": index, "off": index >= _SHOWN}
            if not numpy.isnan(halves).all():
                one |= {"low": numbers(means - halves), "high": numbers(means + halves)}
            drawn.append(one)
        if any(value not in (None, 0) for one in drawn for value in one["y"]):
            unit = next(iter(values.values()))[0][name].unit
            views.append({"name": name, "x": place_axis, "y": axis(name, unit, low=0),
                          "series": drawn})
    return views


def sweep(groups):
    """For each key in which groups differ, the metrics over its values."""
    keys = list(groups[0].settings) if groups else []
    found = []
    for key in keys:
        views = _sweep_views(groups, key, keys)
        if views:
            found.append({"kind": "lines", "title": f"Over {key}", "views": views,
                          "note": _seeds_note(groups)})
    return found


def side_by_side(groups, draw):
    """{name: chart} of the first run of each group, on equal axes; {} without any.

    draw: makes the chart of one result, a map or bars.
    """
    made = {}
    missing = []
    for number, group in enumerate(groups):
        chart = draw(group.results[0])
        if chart is None:
            missing.append(group.name)
            continue
        seed = group.results[0].summary.get("seed")
        which = f", seed {seed}" if len(group.results) > 1 else ""
        chart |= {"title": f"{chart['title']}: {group.name}{which}", "half": True}
        made[f"{draw.__name__}-{number}"] = chart
    if not made:
        return {}
    value_high = float(max(numpy.max(chart["values"]) for chart in made.values()))
    time_high = max((chart["x"]["high"] for chart in made.values() if "x" in chart), default=0)
    for chart in made.values():
        chart["value"].setdefault("high", value_high)
        if "x" in chart:
            chart["x"] |= {"high": time_high, "group": f"time of {draw.__name__}"}
    if missing:
        chart["note"] += f" Nothing to show for {', '.join(missing)}."
    return made


ALL = {"slowdown": slowdown, "slowdown-cdf": slowdown_cdf, "goodput": goodput, "queues": queues,
       "pauses": pauses, "buffer-cdf": buffer_cdf}
