# SPDX-License-Identifier: GPL-2.0-only
"""Figures as data, for the page and for pictures: what is drawn, with labels and units.

A chart is a dict that JSON can hold:

  kind    "lines", "heat", "bars" or "tree" (see report_assets/ and drawing.py, which draw it)
  title, note    text above and below; the note says what was left out or thinned
  x, y    axes of lines: {label, unit, log, low, high, group, ticks}. unit is "ns", "B", "b/s", "%"
          (values 0 to 1) or "" (plain); charts of a group zoom together; ticks: [[value, text]]
  series  of lines: {name, x, y, style ("line", "step": a value holds until the next, "points"),
          low, high (a band), colour (its number), dash, off (hidden at first)}
  rows, values, value    of maps and bars: names, numbers (a list for each row of a map, of equal
          parts of the time from 0 to until) and what they are: {label, unit, high}
  views   instead of x, y, series: a list of {name, x, y, series}, of which one is shown

Values are nanoseconds, bytes, bits per second. None stands where there is no value.
"""

import numpy

from . import series, statistics

PERCENTILES = (50, 95, 99, 99.9)
MAP_COLUMNS = 480   # of a heat map
MAP_ROWS = 40
BUCKETS = 1200      # of a curve, above which it is thinned to minimum and maximum of each
LINES = 8           # drawn one by one
POINTS = 2000       # of a scatter


def numbers(values, digits=6):
    """A list for JSON: so many significant digits, whole numbers without a point, NaN as None."""
    found = []
    for value in numpy.asarray(values, dtype=float):
        if not numpy.isfinite(value):
            found.append(None)
            continue
        rounded = float(f"{value:.{digits}g}")
        found.append(int(rounded) if rounded == int(rounded) else rounded)
    return found


def axis(label, unit="", **options):
    """An axis; options that are None are left out."""
    return {"label": label, "unit": unit,
            **{key: value for key, value in options.items() if value is not None}}


def time_axis(end):
    """The axis of simulated time, which all figures of a result share."""
    return axis("time", "ns", low=0, high=float(end), group="time")


def curve(name, times, values, end, **options):
    """A series over time, thinned when long."""
    times, values = statistics.thinned(times, values, numpy.linspace(0, end, BUCKETS + 1))
    # Times to a millionth of the run: more than any screen shows.
    step = max(end / 1e6, 1e-3)
    return {"name": name, "x": numbers(numpy.round(numpy.asarray(times) / step) * step, 9),
            "y": numbers(values, 5), **options}


def thinned_note(*lengths):
    """A sentence if curves of so many points are thinned."""
    if max(lengths, default=0) <= 4 * BUCKETS:
        return ""
    return (f"Up to {max(lengths)} samples a line: each 1/{BUCKETS} of the time shows its first, "
            "least, greatest and last.")


def size_text(value, digits=3):
    """A byte count in a few characters: 950 B, 1.5 kB, 30 MB."""
    for scale, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= scale:
            return f"{_plain(value / scale, digits)} {name}"
    return f"{_plain(value, digits)} B"


def _plain(value, digits):
    """So many significant digits and no exponent: 1.5, 30, 950."""
    return f"{float(f'{value:.{digits}g}'):g}"


def bin_ticks(sizes, bins):
    """The ticks of an axis with a step for each bin, at its middle the largest size in it."""
    return [[place + 0.5, size_text(sizes[members].max(), 2)]
            for place, members in enumerate(bins)]


def tenths(sizes):
    """Flows in order of size, a tenth in each bin, as the figures of Li et al. (HPCC, SIGCOMM 2019,
    figure 11) are ticked. Nothing for fewer than 20 flows: a bin of one has no percentiles."""
    return statistics.quantile_bins(sizes, 10) if len(sizes) >= 20 else []


def decades(sizes):
    """Flows by size, four bins to each power of ten: [(middle, members)], empty bins left out."""
    sizes = numpy.asarray(sizes, dtype=float)
    places = numpy.floor(4 * numpy.log10(numpy.maximum(sizes, 1))).astype(int)
    return [(10 ** ((place + 0.5) / 4), numpy.flatnonzero(places == place))
            for place in numpy.unique(places)]


def _percentile_series(values, bins, middles):
    """A series for each percentile; a bin with too few flows for one has a gap there."""
    found = []
    for index, percent in enumerate(PERCENTILES):
        heights = [statistics.percentile(values[members], percent)
                   if len(members) >= statistics.needed(percent) else numpy.nan
                   for members in bins]
        if not all(numpy.isnan(heights)):
            found.append({"name": f"p{percent:g}", "x": numbers(middles), "y": numbers(heights),
                          "marks": True, "colour": index})
    return found


def _scatter(sizes, values):
    shown = numpy.argsort(sizes, kind="stable")[::max(1, -(-len(sizes) // POINTS))]
    return {"name": "a flow", "x": numbers(sizes[shown]), "y": numbers(values[shown], 4),
            "style": "points", "colour": -1}


def slowdown_axis(**options):
    """The axis of slowdown; no slowdown is below 1."""
    return axis("FCT slowdown", log=True, low=1, **options)


def slowdown(result):
    """Percentiles of slowdown against flow size, by tenths of the flows and by size."""
    flows = result.finished.dropna(subset=["slowdown_delivered"])
    if flows.empty or flows["bytes"].nunique() < 2:
        return None
    sizes = flows["bytes"].to_numpy()
    values = flows["slowdown_delivered"].to_numpy()
    views = []
    bins = tenths(sizes)
    if len(bins) > 2:
        views.append({"name": "a tenth of the flows each", "y": slowdown_axis(),
                      "x": axis("flow size (largest of each bin)", ticks=bin_ticks(sizes, bins),
                                low=0, high=len(bins)),
                      "series": _percentile_series(values, bins, numpy.arange(len(bins)) + 0.5)})
    by_size = decades(sizes)
    views.append({"name": "by size", "x": axis("flow size", "B", log=True), "y": slowdown_axis(),
                  "series": [_scatter(sizes, values),
                             *_percentile_series(values, [members for _, members in by_size],
                                                 [middle for middle, _ in by_size])]})
    return {"kind": "lines", "title": "Slowdown by flow size", "views": views,
            "note": "Time to delivery of the last bit over the same alone on the network. "
                    "Percentiles are nearest-rank; one that would be the maximum of its bin "
                    "(p99 of fewer than 100 flows) is left out."}


def distribution(name, values, weights=None, **options):
    """A step curve of the share of values up to each; each counts by its weight if there is one."""
    values = numpy.asarray(values, dtype=float)
    order = numpy.argsort(values, kind="stable")
    ordered = values[order]
    held = numpy.ones(len(values)) if weights is None else numpy.asarray(weights, float)[order]
    shares = numpy.cumsum(held) / held.sum()
    kept = numpy.arange(len(ordered))
    if len(ordered) > BUCKETS:
        # At even shares, and closer at the upper end, where the last are what is looked for.
        wanted = numpy.unique(numpy.r_[numpy.linspace(0, 1, BUCKETS // 2),
                                       1 - numpy.geomspace(1 / len(ordered), 1, BUCKETS // 2)])
        kept = numpy.unique(numpy.searchsorted(shares, wanted - 1e-9).clip(0, len(ordered) - 1))
    return {"name": name, "x": numbers(numpy.r_[ordered[:1], ordered[kept]]),
            "y": numbers(numpy.r_[0, shares[kept]]), "style": "step", **options}


def share_axis(label):
    """The axis of a cumulative share."""
    return axis(label, "%", low=0, high=1)


def slowdown_cdf(result):
    """Distribution of slowdown by tag."""
    flows = result.finished.dropna(subset=["slowdown_delivered"])
    if flows.empty:
        return None
    tags = sorted(flows["tag"].unique(), key=lambda tag: -(flows["tag"] == tag).sum())
    drawn = [distribution(f"{tag or 'flows'} ({len(rows)})", rows["slowdown_delivered"])
             for tag, rows in ((tag, flows[flows["tag"] == tag]) for tag in tags[:LINES])]
    more = f"{len(tags) - LINES} more tags are left out." if len(tags) > LINES else ""
    # A logarithmic axis within one power of two would have no ticks to read.
    wide = bool(flows["slowdown_delivered"].max() > 4 * flows["slowdown_delivered"].min())
    return {"kind": "lines", "title": "Distribution of slowdown", "note": more,
            "x": axis("FCT slowdown", log=wide), "y": share_axis("flows up to it"),
            "series": drawn}


# The columns of rates.csv that are drawn when they hold anything: label, unit, title of the view.
_RATE_VIEWS = [("rate_bps", "rate limit", "b/s"), ("goodput_bps", "goodput", "b/s"),
               ("window_bytes", "window", "B"), ("in_flight_bytes", "in flight", "B"),
               ("rtt_ns", "round trip", "ns"), ("alpha", "alpha", ""), ("cnps", "CNPs", "")]


def _fair_series(result, shown, times, end):
    """The fair share of the flows shown: one line if they agree, else one each, hidden at first."""
    shares = series.fair_shares(result, times)
    lines = {}
    for flow in shown:
        values = shares.get(flow)
        if values is None or numpy.isnan(values).all():
            return []
        lines[flow] = values
    held = numpy.array(list(lines.values()))
    present = ~numpy.isnan(held).all(axis=0)
    widest, least = (extreme(held[:, present], axis=0) for extreme in (numpy.nanmax, numpy.nanmin))
    if numpy.all(widest <= least * 1.001):
        common = numpy.full(len(times), numpy.nan)
        common[present] = widest
        return [curve("fair share", times, common, end, style="step", dash=True, colour=-2)]
    return [curve("fair share (each)", times, values, end, style="step", dash=True, colour=index,
                  off=True) for index, values in enumerate(lines.values())]


def rates(result):
    """What senders did over time: rate, goodput, and whatever else was sampled, of some flows."""
    table = result.rates
    if table is None or table.empty:
        return None
    sizes = result.flows.set_index("flow")["bytes"]
    flows = sorted(table["flow"].unique(), key=lambda flow: (-sizes.get(flow, 0), flow))
    shown = flows[:LINES]
    end = result.active_ns
    rows = {flow: table[table["flow"] == flow].sort_values("time_ns", kind="stable")
            for flow in shown}
    times = numpy.unique(table["time_ns"])
    times = times[::max(1, len(times) // BUCKETS)]
    fair = _fair_series(result, shown, times, end)
    views = []
    for column, label, unit in _RATE_VIEWS:
        if column not in table or not table[column].notna().any():
            continue
        drawn = [curve(series.flow_label(result, flow), rows[flow]["time_ns"], rows[flow][column],
                       end, colour=index) for index, flow in enumerate(shown)]
        views.append({"name": label, "x": time_axis(end), "y": axis(label, unit, low=0),
                      "series": drawn + (fair if unit == "b/s" else [])})
    note = [f"The {len(shown)} largest of {len(flows)} flows." if len(flows) > LINES else "",
            "Fair share: max-min fair over the links of the hosts (the fabric counts as wide "
            "enough) among the flows that are active then." if fair else "",
            thinned_note(*(len(one) for one in rows.values()))]
    return {"kind": "lines", "title": "Rates of flows", "views": views,
            "note": " ".join(filter(None, note))}


def goodput(result):
    """The sum of the goodput of all sampled flows."""
    if result.rates is None or result.rates.empty:
        return None
    end = result.active_ns
    # A bin is no finer than the samples: they are means between each other.
    samples = result.rates["time_ns"].nunique()
    edges = numpy.linspace(0, end, max(2, min(samples, 400)) + 1)
    sampled = result.rates["flow"].nunique()
    which = "all flows" if sampled == len(result.flows) else f"{sampled} sampled flows"
    return {"kind": "lines", "title": f"Goodput of {which}",
            "note": f"Mean in each 1/{len(edges) - 1} of the time.",
            "x": time_axis(end), "y": axis("sum of goodput", "b/s", low=0),
            "series": [{"name": which, "x": numbers(edges[:-1], 7), "style": "step",
                        "y": numbers(series.goodput(result, edges), 5)}]}


def perftest(result):
    """Latency and bandwidth against the size of a message, a line for each verb."""
    table = result.perftest
    if table is None or table.empty:
        return None
    views = []
    for column, label, unit, factor in (("t_typical_us", "typical latency", "ns", 1e3),
                                        ("bw_average_Gbps", "bandwidth", "b/s", 1e9)):
        rows = table.dropna(subset=[column])
        if rows.empty:
            continue
        # What tells lines apart: the verb, and the tag and the hosts where they differ.
        keys = ["verb"] + [key for key in ("tag", "source", "destination")
                           if rows[key].nunique() > 1]
        drawn = []
        for name, line in rows.groupby(rows[keys].agg(" ".join, axis=1), sort=False):
            line = line.sort_values("bytes", kind="stable")
            drawn.append({"name": name, "x": numbers(line["bytes"]), "marks": True,
                          "y": numbers(line[column] * factor)})
        views.append({"name": label, "x": axis("message size", "B", log=True),
                      "y": axis(label, unit, log=True), "series": drawn})
    return {"kind": "lines", "title": "perftest", "views": views,
            "note": "Typical latency of write and send is half a round trip, of read and atomics "
                    "a whole one."} if views else None
