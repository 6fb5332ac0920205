# SPDX-License-Identifier: GPL-2.0-only
"""The pictures of one result. Each function returns a figure, or None if there is nothing to show.

The most important lines are drawn one by one; all others together in grey, so that a picture of a
thousand flows or ports reads like one of five.
"""

import numpy

from . import charts, compare, drawing, fabric_charts, series, statistics, style
from .charts import PERCENTILES

_LINES = 6       # drawn one by one
_BUCKETS = 1500  # of time, about one for each pixel
_MAP_ROWS = 24   # of the map of pauses
# The panels of a picture over a swept key; the page has more.
_SWEPT = ("slowdown p50", "slowdown p99", "goodput of finished flows", "frames dropped",
          "time paused, all ports", "deepest queue")
_MARKERS = "os^Dv"


def slowdown(result):
    """FCT slowdown: percentiles against flow size, and its distribution by tag."""
    flows = result.finished.dropna(subset=["slowdown_delivered"])
    if flows.empty:
        return None
    several_sizes = flows["bytes"].nunique() > 1
    if not several_sizes:
        drawn, distribution = style.figure()
    else:
        drawn, (by_size, distribution) = style.figure(
            1, 2, sharey=True, gridspec_kw={"width_ratios": [2.2, 1]})
        _slowdown_by_size(by_size, flows)
    _slowdown_distribution(distribution, flows)
    unfinished = len(result.counted) - len(result.finished)
    left = f", {unfinished} not finished" if unfinished else ""
    sizes = "" if several_sizes else f" of {style.short_bytes(flows['bytes'].iloc[0])} each"
    drawn.suptitle(f"{result.title}: slowdown of {len(flows)} finished flows{sizes}{left}",
                   x=0.01, ha="left")
    return drawn


def _slowdown_by_size(axes, flows):
    sizes = flows["bytes"].to_numpy()
    values = flows["slowdown_delivered"].to_numpy()
    bins = statistics.equal_count_bins(sizes, statistics.bin_count(len(flows)))
    # Points behind the lines: all of up to 3000, else an even sample in order of size.
    shown = numpy.argsort(sizes, kind="stable")[::max(1, len(sizes) // 3000)]
    strong = len(bins) < 2
    axes.plot(sizes[shown], values[shown], ".", color=style.COLOURS[0] if strong else style.GREY,
              markersize=9 if strong else 5, alpha=0.8 if strong else 0.5, rasterized=True,
              markeredgewidth=0, label="a flow")
    if not strong:
        smallest = min(len(members) for members in bins)
        middles = [numpy.median(sizes[members]) for members in bins]
        for index, percent in enumerate(PERCENTILES):
            if smallest >= statistics.needed(percent):
                axes.plot(middles, [statistics.percentile(values[members], percent)
                                    for members in bins],
                          marker="o", markersize=4, label=f"p{percent:g}",
                          **style.line_style(index))
        axes.set_title(f"{len(bins)} size bins of {smallest} or more flows", fontsize=13)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.95)  # no slowdown is below 1
    style.byte_axis(axes.xaxis)
    style.plain_log_axis(axes.yaxis)
    axes.set_xlabel("flow size")
    axes.set_ylabel("FCT slowdown (delivered time / ideal)")
    axes.legend(loc="best")


def _slowdown_distribution(axes, flows):
    tags = sorted(flows["tag"].unique(), key=lambda tag: -(flows["tag"] == tag).sum())
    for index, tag in enumerate(tags[:_LINES]):
        values = numpy.sort(flows.loc[flows["tag"] == tag, "slowdown_delivered"])
        share = numpy.arange(1, len(values) + 1) / len(values)
        name = f"{tag or 'flows'} ({len(values)})"
        axes.step(numpy.r_[values[0], values] if _along_x(axes) else numpy.r_[0, share],
                  numpy.r_[0, share] if _along_x(axes) else numpy.r_[values[0], values],
                  where="post" if _along_x(axes) else "pre", label=name, **style.line_style(index))
    if len(tags) > _LINES:
        axes.plot([], [], " ", label=f"(+ {len(tags) - _LINES} more tags)")
    if _along_x(axes):
        axes.set_xlabel("FCT slowdown (delivered time / ideal)")
        axes.set_ylabel("share of flows")
        axes.set_ylim(0, 1.02)
    else:
        axes.set_xlabel("share of flows")
        axes.set_xlim(0, 1.02)
        axes.set_title("distribution", fontsize=13)
    axes.legend(loc="best")


def _along_x(axes):
    """Whether slowdown lies along x: not when it shares the y axis of the panel beside it."""
    return len(axes.figure.axes) == 1


def queue_depth(result):
    """Queue depth over time of the busiest ports, priorities added; the others as their maximum."""
    table = result.queues
    if table is None or table.empty:
        return None
    end = result.active_ns
    edges = numpy.linspace(0, end, _BUCKETS + 1)
    ports = {key: statistics.bucket_maxima(times, held, edges)
             for key, (times, held) in series.port_queues(result).items()}
    order = sorted(ports, key=lambda key: (-ports[key].max(), -ports[key].mean(), key))
    bytes_scale, bytes_name = style.byte_unit(max(values.max() for values in ports.values()))
    time_scale, time_name = style.time_unit(end)
    drawn, axes = style.figure()
    # A queue below 1 % of the deepest would be a line along the axis.
    shown = [key for key in order[:_LINES] if ports[key].max() >= 0.01 * ports[order[0]].max()]
    others = order[len(shown):]
    if others:
        largest = numpy.max([ports[key] for key in others], axis=0)
        axes.stairs(largest / bytes_scale, edges / time_scale, fill=True, color=style.GREY,
                    alpha=0.4, label=f"largest of all others ({len(others)})")
    for index, key in enumerate(shown):
        axes.stairs(ports[key] / bytes_scale, edges / time_scale, baseline=None,
                    label=f"{series.port_name(*key)} (max {style.short_bytes(ports[key].max())})",
                    linewidth=1.6, **style.line_style(index))
    axes.set_xlim(0, end / time_scale)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"time ({time_name})")
    axes.set_ylabel(f"queue depth ({bytes_name})")
    axes.set_title(f"{result.title}: egress queue depth, "
                   f"{len(shown)} deepest of {len(order)} ports that queued")
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.09), ncol=2)
    return drawn


def pause_time(result):
    """Ports paused over time, and a map of the share of time each was paused.

    A pause counts from its reception; paused_ns of links.csv begins when the port has reacted.
    """
    pauses = series.pauses(result)
    if not pauses:
        return None
    total = {key: sum(stop - start for start, stop in pauses[key]) for key in pauses}
    order = sorted(pauses, key=lambda key: (-total[key], key))
    end = result.active_ns
    edges = numpy.linspace(0, end, 241)
    share = {key: statistics.covered_share(pauses[key], edges) for key in order}
    rows = [share[key] for key in order[:_MAP_ROWS]]
    names = [series.port_name(*key) for key in order[:_MAP_ROWS]]
    others = order[_MAP_ROWS:]
    if others:
        rows.append(numpy.mean([share[key] for key in others], axis=0))
        names.append(f"mean of {len(others)} others")
    time_scale, time_name = style.time_unit(end)

    drawn, (count, chart) = style.figure(2, 1, sharex=True,
                                         gridspec_kw={"height_ratios": [1, 2.4]})
    count.stairs(numpy.sum(list(share.values()), axis=0), edges / time_scale, fill=True,
                 color=style.COLOURS[0])
    count.set_ylabel("paused at once\n(mean)")
    count.set_title(f"{result.title}: {len(order)} port priorities were paused, "
                    f"{sum(total.values()) / time_scale:.4g} {time_name} "
                    "from PAUSE to resume in all")
    image = chart.imshow(100 * numpy.array(rows), aspect="auto", interpolation="nearest",
                         cmap="Blues", vmin=0, vmax=100,
                         extent=(0, end / time_scale, len(rows) - 0.5, -0.5))
    chart.set_yticks(range(len(names)), names, fontsize=11 if len(names) > 12 else 13)
    chart.grid(False)
    chart.set_xlabel(f"time ({time_name})")
    drawn.colorbar(image, ax=chart, label="time paused (%)", pad=0.01)
    return drawn


def rates(result):
    """Rate of the largest flows over time, the others as a band; above, the sum of all goodput."""
    table = result.rates
    if table is None or table.empty:
        return None
    sizes = result.flows.set_index("flow")["bytes"]
    flows = sorted(table["flow"].unique(), key=lambda flow: (-sizes.get(flow, 0), flow))
    time_scale, time_name = style.time_unit(table["time_ns"].max())
    end = result.active_ns
    edges = numpy.linspace(0, end, max(2, min(table["time_ns"].nunique(), 400)) + 1)
    total = series.goodput(result, edges)
    drawn, (above, axes) = style.figure(2, 1, sharex=True,
                                        gridspec_kw={"height_ratios": [1, 2.2]})
    scale, name = style.rate_unit(total.max())
    above.stairs(total / scale, edges / time_scale, color="black", linewidth=1.8)
    above.set_ylabel(f"sum of goodput\n({name})")
    above.set_ylim(bottom=0)
    above.set_title(f"{result.title}: rate of {len(flows)} flows")

    scale, name = style.rate_unit(table["rate_bps"].max())
    others = flows[_LINES:]
    if others:
        # The sample that ends a flow has rate 0; it says nothing about those still sending.
        sending = table[table["flow"].isin(others) & (table["rate_bps"] > 0)]
        rest = sending.groupby("time_ns", sort=True)["rate_bps"]
        low, middle, high = (rest.quantile(share, interpolation="nearest") / scale
                             for share in (0.05, 0.5, 0.95))
        axes.fill_between(low.index / time_scale, low, high, color=style.GREY, alpha=0.35,
                          linewidth=0, label=f"p5 to p95 of the other {len(others)} flows")
        axes.plot(middle.index / time_scale, middle, color=style.GREY, label="their median")
    for index, flow in enumerate(flows[:_LINES]):
        rows = table[table["flow"] == flow].sort_values("time_ns", kind="stable")
        axes.plot(rows["time_ns"] / time_scale, rows["rate_bps"] / scale,
                  label=_flow(result, flow), linewidth=1.4, **style.line_style(index))
    _fair_share(axes, result, end, (time_scale, scale))
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"time ({time_name})")
    axes.set_ylabel(f"sending rate of a flow ({name})")
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.13), ncol=2)
    return drawn


def _fair_share(axes, result, end, scales):
    """The max-min fair share over the links of hosts, if it is the same for all flows drawn."""
    chart = charts.rates(result)
    for one in chart["views"][0]["series"]:
        if one["name"] == "fair share":
            x, y = (numpy.array([numpy.nan if value is None else value for value in one[key]],
                                dtype=float) / scale for key, scale in zip("xy", scales))
            axes.step(x, y, where="post", color="black", linestyle="--", linewidth=1.4,
                      label="fair share (host links)")


def perftest(result):
    """Latency and bandwidth against the size of a message, a line for each verb."""
    table = result.perftest
    if table is None:
        return None
    panels = [(column, label) for column, label in
              (("t_typical_us", "typical latency (us)"), ("bw_average_Gbps", "bandwidth (Gb/s)"))
              if table[column].notna().any()]
    if not panels:
        return None
    drawn, all_axes = style.figure(1, len(panels), squeeze=False)
    for axes, (column, label) in zip(all_axes[0], panels):
        rows = table.dropna(subset=[column])
        # What tells lines apart: the verb, and the tag and the hosts where they differ.
        keys = ["verb"] + [key for key in ("tag", "source", "destination")
                           if rows[key].nunique() > 1]
        names = rows[keys].agg(" ".join, axis=1)
        for index, (name, line) in enumerate(rows.groupby(names, sort=False)):
            line = line.sort_values("bytes", kind="stable")
            # Lines of verbs that cost the same lie on each other: the ones below show as larger.
            axes.plot(line["bytes"], line[column], marker=_MARKERS[index % len(_MARKERS)],
                      markersize=max(4, 10 - 2 * index), fillstyle="none", label=name,
                      **style.line_style(index))
        axes.set_xscale("log")
        axes.set_yscale("log")
        style.byte_axis(axes.xaxis)
        style.plain_log_axis(axes.yaxis)
        axes.set_xlabel("message size")
        axes.set_ylabel(label)
        axes.legend(loc="best")
    drawn.suptitle(f"{result.title}: perftest, typical latency of write and send is half a round "
                   "trip, of read and atomics a whole one", x=0.01, ha="left", fontsize=14)
    return drawn


def _flow(result, flow):
    rows = result.flows[result.flows["flow"] == flow]
    if rows.empty:
        return f"flow {flow}"
    row = rows.iloc[0]
    size = style.short_bytes(row["bytes"])
    return f"flow {flow}: {row['source']} to {row['destination']}, {size}"


def _tree(result):
    if result.pauses is None or result.pauses.empty:
        return None
    return drawing.tree(result, f"{result.title}: congestion tree")


def _chart(make):
    return lambda result: drawing.draw(make(result), result.title)


# The file of each picture of a result.
ALL = {"slowdown": slowdown, "queues": queue_depth, "queue-map": _chart(fabric_charts.queue_map),
       "pauses": pause_time, "tree": _tree, "rates": rates,
       "buffers": _chart(fabric_charts.buffers), "buffer-cdf": _chart(fabric_charts.buffer_cdf),
       "utilisation": _chart(fabric_charts.utilisation), "events": _chart(fabric_charts.events),
       "waits": _chart(fabric_charts.waits), "perftest": perftest}


def comparison(groups, name):
    """{file: picture} of several runs laid on each other (groups: metrics.groups)."""
    made = {f"compare-{file}": drawing.draw(draw(groups), name)
            for file, draw in compare.ALL.items()}
    if len(groups) > 1 and groups[0].settings:
        for number, chart in enumerate(compare.sweep(groups)):
            chart["views"] = [view for view in chart["views"] if view["name"] in _SWEPT]
            made[f"compare-over-{number}"] = drawing.draw(chart, name)
    return made
