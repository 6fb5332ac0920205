# SPDX-License-Identifier: GPL-2.0-only
"""Figures of the fabric as data (the form: charts.py): queues, pauses, buffers, links, events."""

import re

import numpy

from . import series, statistics
from .charts import (LINES, MAP_COLUMNS, MAP_ROWS, axis, curve, distribution, numbers,
                     share_axis, thinned_note, time_axis)

_TREE_PAUSES = 20_000
_LEAST = 0.03  # of the largest value: a colour that cannot be told from white


def natural(name):
    """A key by which leaf2 comes before leaf10."""
    return [(int(part), "") if part.isdigit() else (0, part)
            for part in re.split(r"(\d+)", str(name))]


def _map(title, rows, end, value, least=0.0):
    """A heat map over time of {name: values}; the MAP_ROWS largest, in order of name.

    Rows that nowhere reach the share `least` of the largest value are left out: they look empty.
    """
    order = sorted(rows, key=lambda name: (-numpy.max(rows[name]), -numpy.mean(rows[name]), name))
    bound = least * numpy.max(rows[order[0]])
    shown = sorted([name for name in order[:MAP_ROWS] if numpy.max(rows[name]) >= bound],
                   key=natural)
    left = len(order) - len(shown)
    return {"kind": "heat", "title": title, "x": time_axis(end), "value": value, "rows": shown,
            "until": float(end),
            "values": [numbers(rows[name], 3) for name in shown],
            "note": f"The {len(shown)} largest; {left} more are left out." if left else ""}


def _join(*notes):
    return " ".join(filter(None, notes))


def queues(result):
    """Depth of the deepest egress queues over time."""
    if result.queues is None or result.queues.empty:
        return None
    ports = series.port_queues(result)
    end = result.active_ns
    order = sorted(ports, key=lambda key: (-ports[key][1].max(), -ports[key][1].mean(), key))
    drawn = [curve(series.port_name(*key), *ports[key], end, style="step")
             for key in order[:LINES]]
    note = f"The {LINES} deepest of {len(order)} ports that queued." if len(order) > LINES else ""
    return {"kind": "lines", "title": "Egress queue depth", "x": time_axis(end),
            "y": axis("bytes queued", "B", low=0), "series": drawn,
            "note": _join(note, thinned_note(*(len(ports[key][0]) for key in order[:LINES])))}


def queue_map(result):
    """Queue depth over (port, time)."""
    if result.queues is None or result.queues.empty:
        return None
    end = result.active_ns
    edges = numpy.linspace(0, end, MAP_COLUMNS + 1)
    rows = {series.port_name(*key): statistics.bucket_maxima(times, held, edges)
            for key, (times, held) in series.port_queues(result).items()}
    chart = _map("Egress queues by port", rows, end, {"label": "bytes queued", "unit": "B"},
                 _LEAST)
    chart["note"] = _join(f"A cell is the deepest of 1/{MAP_COLUMNS} of the time.", chart["note"])
    return chart


def pause_map(result):
    """Share of time paused over (port and priority, time)."""
    paused = series.pauses(result) if series.has_pauses(result) else {}
    if not paused:
        return None
    end = result.active_ns
    edges = numpy.linspace(0, end, MAP_COLUMNS + 1)
    rows = {series.port_name(*key): statistics.covered_share(intervals, edges)
            for key, intervals in paused.items()}
    chart = _map("Paused transmitters", rows, end,
                 {"label": "time paused", "unit": "%", "high": 1})
    chart["note"] = _join(f"A cell is the share of 1/{MAP_COLUMNS} of the time.", chart["note"])
    return chart


def tree(result):
    """Which port pauses whom, at every instant: all pauses with their causes."""
    table = result.pauses
    if table is None or table.empty:
        return None
    note = ("A port stands below the pause that caused its own, or that stops the port where its "
            "chain began.")
    if len(table) > _TREE_PAUSES:
        # The longest; a shorter one between two of them is skipped by the drawing.
        length = table["end_ns"].fillna(result.end_ns) - table["start_ns"]
        kept = numpy.sort(numpy.argsort(-length.to_numpy(), kind="stable")[:_TREE_PAUSES])
        note += f" The {_TREE_PAUSES} longest of {len(table)} pauses."
        table = table.iloc[kept]
    names = {}

    def name(node, port):
        text = series.port_name(node, port if isinstance(port, int) or port != port else int(port))
        return names.setdefault(text, len(names))

    columns = {key: [] for key in ("pause", "start", "stop", "port", "by", "root", "priority")}
    for row in table.itertuples(index=False):
        columns["port"].append(name(row.node, row.port))
        columns["by"].append(name(row.by_node, row.by_port))
        columns["root"].append(name(row.root_node, row.root_port))
    causes = series.pause_causes(result.pauses)
    columns |= {"pause": numbers(table["pause"], 12), "start": numbers(table["start_ns"], 9),
                "stop": numbers(table["end_ns"], 9), "priority": numbers(table["priority"]),
                "cause": [causes.get(int(pause)) for pause in table["pause"]]}
    end = result.active_ns
    edges = numpy.linspace(0, end, MAP_COLUMNS + 1)
    count = series.paused_at_once(result, edges)
    return {"kind": "tree", "title": "Congestion tree", "note": note, "names": list(names),
            "pauses": columns, "instant": series.busiest_instant(result), "x": time_axis(end),
            "y": axis("paused at once", low=0),
            "series": [{"name": "ports paused", "x": numbers(edges[:-1], 7),
                        "y": numbers(count, 4), "style": "step"}]}


def buffers(result):
    """What each switch's buffer held over time: the highest of each sample."""
    table = result.buffers
    if table is None or table.empty:
        return None
    end = result.active_ns
    groups = sorted(table.groupby("node"), key=lambda pair: -pair[1]["watermark_bytes"].max())
    drawn = [curve(node, rows["time_ns"], rows["watermark_bytes"], end)
             for node, rows in groups[:LINES]]
    return {"kind": "lines", "title": "Packet buffers", "x": time_axis(end),
            "y": axis("highest since the last sample", "B", low=0), "series": drawn,
            "note": _join(f"The {LINES} fullest of {len(groups)} nodes." if len(groups) > LINES
                          else "", thinned_note(*(len(rows) for _, rows in groups)))}


def buffer_cdf(result):
    """Distribution over time of what each buffer holds."""
    table = result.buffers
    if table is None or table.empty:
        return None
    groups = sorted(table.groupby("node"), key=lambda pair: -pair[1]["used_bytes"].max())
    return {"kind": "lines", "title": "Distribution of buffer use", "note": "",
            "x": axis("bytes in use", "B", low=0), "y": share_axis("time up to it"),
            "series": [distribution(node, *series.held_times(rows, result.active_ns))
                       for node, rows in groups[:LINES]]}


def utilisation(result):
    """Use of links over (link direction, time); without samples, the mean of each as bars."""
    table = result.utilisation
    if table is None or table.empty:
        return _utilisation_bars(result)
    end = result.active_ns
    edges = numpy.linspace(0, end, MAP_COLUMNS + 1)
    rows = {}
    for key, samples in table.groupby(["from", "from_port", "to"], sort=True):
        samples = samples.sort_values("time_ns", kind="stable")
        # A sample is the mean of the interval before it: the integral is exact at the samples.
        times = numpy.r_[0, samples["time_ns"]]
        used = numpy.r_[0, numpy.cumsum(samples["utilisation"] * numpy.diff(times))]
        share = numpy.diff(numpy.interp(edges, times, used)) / numpy.diff(edges)
        rows[f"{key[0]} port {key[1]} to {key[2]}"] = numpy.clip(share, 0, 1)
    chart = _map("Use of links", rows, end, {"label": "utilisation", "unit": "%", "high": 1},
                 _LEAST)
    chart["note"] = _join("Mean over each cell, of what the wire carries with framing.",
                          chart["note"])
    return chart


def _utilisation_bars(result):
    links = result.links
    if links is None or links.empty or links["utilisation"].max() <= 0:
        return None
    # A direction that carries acknowledgements only would be a bar too short to see.
    links = links[links["utilisation"] >= 0.01 * links["utilisation"].max()]
    links = links.sort_values("utilisation", ascending=False, kind="stable").head(24)
    return {"kind": "bars", "title": "Use of links",
            "value": {"label": "mean utilisation", "unit": "%", "high": 1},
            "rows": [f"{row[0]} port {row[1]} to {row[2]}" for row in
                     links[["from", "from_port", "to"]].itertuples(index=False)],
            "values": numbers(links["utilisation"], 4),
            "note": f"Mean over the whole run; the {len(links)} busiest of "
                    f"{len(result.links)} directions."}


def _counts(result, groups):
    """A series for each (name, times): events in each bin of time."""
    end = result.active_ns
    edges = numpy.linspace(0, end, 241)
    return [{"name": f"{name} ({len(times)})", "x": numbers(edges[:-1], 7), "style": "step",
             "y": numbers(numpy.histogram(times, edges)[0])} for name, times in groups]


def events(result):
    """Marks, drops by reason and what the transport did, counted over time."""
    groups = []
    if result.marks is not None and not result.marks.empty:
        groups.append(("ECN marks", result.marks["time_ns"]))
    for table, column, kind in ((result.drops, "reason", "dropped: "),
                                (result.transport, "event", "")):
        if table is not None and not table.empty:
            groups += [(f"{kind}{name}", rows["time_ns"])
                       for name, rows in table.groupby(column, sort=True)]
    if not groups:
        return None
    groups.sort(key=lambda pair: -len(pair[1]))
    return {"kind": "lines", "title": "Marks, drops, retransmissions",
            "x": time_axis(result.active_ns), "y": axis("events in 1/240 of the time", low=0),
            "series": _counts(result, groups[:LINES]),
            "note": f"The {LINES} most frequent kinds." if len(groups) > LINES else ""}


def waits(result):
    """Where the followed packets waited: mean time queued and paused at each port."""
    table = result.lives
    if table is None or table.empty:
        return None
    mean = table.groupby(["node", "port"], sort=True)[["queued_ns", "paused_ns"]].mean()
    mean = mean[mean["queued_ns"] > 0.001 * mean["queued_ns"].max()]
    if mean.empty:
        return None
    mean = mean.sort_values("queued_ns", ascending=False, kind="stable").head(24)
    return {"kind": "bars", "title": "Where followed packets waited",
            "value": {"label": "mean time queued", "unit": "ns"},
            "rows": [series.port_name(node, int(port)) for node, port in mean.index],
            "values": numbers(mean["queued_ns"], 4),
            "note": f"Mean over {len(table)} hops of the packets in lives.csv, pauses included."}
