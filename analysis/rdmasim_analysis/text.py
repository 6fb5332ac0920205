# SPDX-License-Identifier: GPL-2.0-only
"""A result as a few lines of text."""

import numpy

from . import statistics, style

_HEADER = f"{'flows':24} {'count':>7} {'FCT p50':>10} {'p95':>10} {'p99':>10} {'max':>10}" \
          f" {'slowdown p50':>13} {'p95':>7} {'p99':>7} {'max':>7}"


def _time(nanoseconds):
    scale, name = style.time_unit(nanoseconds)
    return f"{nanoseconds / scale:.4g} {name}"


def _row(name, flows):
    times = flows["fct_delivered_ns"]
    slowdowns = flows["slowdown_delivered"]
    cells = [_time(statistics.percentile(times, percent)) for percent in (50, 95, 99, 100)]
    ratios = [f"{statistics.percentile(slowdowns, percent):.2f}" for percent in (50, 95, 99, 100)]
    return f"{name:24} {len(flows):7} " + " ".join(f"{cell:>10}" for cell in cells) \
        + f" {ratios[0]:>13} " + " ".join(f"{ratio:>7}" for ratio in ratios[1:])


def _flow_lines(result):
    flows = result.finished.dropna(subset=["fct_delivered_ns"])
    states = result.flows["status"].value_counts()
    counts = ", ".join(f"{count} {status}" for status, count in sorted(states.items()))
    lines = [f"{len(result.flows)} flows: {counts or 'none'}"]
    outside = len(result.flows) - len(result.counted)
    if outside:
        lines.append(f"measurement window: {len(result.counted)} flows count, {outside} started "
                     f"outside; {result.censored} censored (running at the end)")
    if flows.empty:
        return lines
    lines += [_HEADER, _row("all finished", flows)]
    tags = sorted(flows["tag"].unique())
    if 1 < len(tags) <= 10:
        lines += [_row(f"  tag {tag}", flows[flows["tag"] == tag]) for tag in tags]
    bins = statistics.equal_count_bins(flows["bytes"].to_numpy(),
                                       min(5, statistics.bin_count(len(flows))))
    if len(bins) > 1:
        for members in bins:
            part = flows.iloc[members]
            low, high = (style.short_bytes(part["bytes"].agg(edge)) for edge in ("min", "max"))
            lines.append(_row(f"  {low}" if low == high else f"  {low} to {high}", part))
    return lines


def _link_lines(result):
    links = result.links
    if links is None or links.empty:
        return []
    worst = links.sort_values("max_queue_bytes", ascending=False, kind="stable").iloc[0]
    busiest = links.sort_values("utilisation", ascending=False, kind="stable").iloc[0]
    retransmitted = int(result.flows["packets_retransmitted"].sum())
    paused = int(numpy.count_nonzero(links["paused_ns"] > 0))
    return [
        f"busiest link: {busiest['from']} to {busiest['to']}, {100 * busiest['utilisation']:.1f} %",
        f"deepest queue: {style.short_bytes(worst['max_queue_bytes'])} at {worst['from']} "
        f"port {worst['from_port']}",
        f"dropped {int(links['dropped_frames'].sum())} frames, retransmitted {retransmitted} "
        f"packets, {int(result.flows['timeouts'].sum())} timeouts; marked "
        f"{int(links['ecn_marked_frames'].sum())} frames",
        f"paused: {paused} of {len(links)} link directions, "
        f"{_time(float(links['paused_ns'].sum()))} in all",
    ]


def text(result):
    """The statistics of a result: flows by tag and size, and what happened on the links.

    FCT is the time to delivery of a flow's last bit; percentiles are nearest-rank.
    """
    return "\n".join([f"{result.title}, times to delivery of the last bit", *_flow_lines(result),
                      *_link_lines(result)])
