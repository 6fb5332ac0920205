# SPDX-License-Identifier: GPL-2.0-only
"""The words and tables of the page, as HTML."""

from html import escape

import numpy

from . import metrics, statistics
from .charts import PERCENTILES, size_text

_TIMES = [(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")]
_RATES = [(1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"), (1.0, "b/s")]
_EVENT_ROWS = 200
# Settings that the head names when the summary has them, in this order.
_KEY_SETTINGS = ("topology.family", "topology.rate", "congestion.algorithm", "transport.policy",
                 "switch.buffer.size", "switch.marking.policy", "pfc.enabled")


def quantity(value, unit):
    """A value with its unit in a few characters; units as in charts.py."""
    if value is None or numpy.isnan(value):
        return "-"
    if unit == "%":
        return f"{100 * value:.3g} %"
    if unit == "B":
        return size_text(value)
    if unit in ("ns", "b/s"):
        table = _TIMES if unit == "ns" else _RATES
        scale, name = next(((scale, name) for scale, name in table if value >= scale), table[-1])
        return f"{value / scale:.4g} {name}"
    return f"{value:.0f}" if value == int(value) else f"{value:.4g}"


def _count(number, singular, plural=None):
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def table(heads, rows, caption="", text_columns=()):
    """A table that scrolls by itself when it is wide; cells are escaped."""
    def cells(tag, row):
        # A head may wrap, which takes an element of its own; a cell does not.
        open_text, close_text = ("<span>", "</span>") if tag == "th" else ("", "")
        return "".join(f'<{tag}{" class=text" if place in text_columns else ""}>'
                       f'{open_text}{escape(str(cell))}{close_text}</{tag}>'
                       for place, cell in enumerate(row))
    # Above the table, not in it: a wide table would make it wide, too.
    made = [f'<p class="note">{escape(caption)}</p>' if caption else "",
            f'<div class="wide"><table><thead><tr>{cells("th", heads)}</tr></thead><tbody>']
    made += [f"<tr>{cells('td', row)}</tr>" for row in rows]
    return ["\n".join(made), "</tbody></table></div>"]


def _facts(pairs):
    return ['<dl class="facts">',
            *(f"<div><dt>{escape(name)}</dt><dd>{escape(str(value))}</dd></div>"
              for name, value in pairs if value not in (None, "")), "</dl>"]


def _verdict_list(lines):
    return ['<ul class="verdict">',
            *(f'<li class="{kind}">{escape(text)}</li>' for kind, text in lines), "</ul>"]


def head(result):
    """What was run, and how it went."""
    summary = result.summary
    parameters = result.parameters
    size = [f"{summary['hosts_and_switches']} nodes" if "hosts_and_switches" in summary else "",
            f"{summary['links']} links" if "links" in summary else ""]
    pairs = [("scenario", ", ".join(summary.get("scenario_files", [])) or summary.get("name")),
             ("seed", summary.get("seed")),
             ("rdmasim", summary.get("version")), ("ns-3", summary.get("ns3_version")),
             ("simulated", quantity(result.end_ns, "ns")),
             ("network", ", ".join(filter(None, size)))]
    pairs += [(key.replace(".", " "), parameters.get(key)) for key in _KEY_SETTINGS]
    description = summary.get("description", "")
    return [f"<h1>{escape(result.title)}</h1>",
            f'<p class="soft">{escape(description)}</p>' if description else "",
            *_facts(pairs), *_verdict_list(verdict(result)), *_set_by_hand(summary)]


def _set_by_hand(summary):
    """The settings that do not have their defaults."""
    rows = [(one["key"], one["value"], one["origin"]) for one in summary.get("parameters", [])
            if one.get("origin") != "default" and one["key"] not in ("name", "description")]
    if not rows:
        return []
    return [f"<details><summary>{_count(len(rows), 'setting')} made by the scenario"
            "</summary>", *table(("key", "value", "from"), rows, text_columns=(0, 1, 2)),
            "</details>"]


def verdict(result):
    """[(kind, sentence)] on how a run went; kinds are good, bad, warn and plain."""
    summary = result.summary
    lines = []
    if summary.get("partial"):
        reason = summary.get("partial_reason", "")
        lines.append(("bad", f"Partial: the run was cut short{f' ({reason})' if reason else ''}."))
    lines += _flow_verdict(result)
    for broken in summary.get("broken_invariants", []):
        lines.append(("bad", f"Broken invariant: {_sentence(broken)}"))
    if summary and not summary.get("broken_invariants"):
        lines.append(("good", "No invariant is broken: bytes in are bytes delivered, dropped and "
                              "in flight."))
    reasons = metrics.dropped(result)
    if reasons:
        parts = ", ".join(f"{count} {reason.replace('_', ' ')}"
                          for reason, count in sorted(reasons.items(), key=lambda one: -one[1]))
        lines.append(("warn", f"{_count(sum(reasons.values()), 'frame')} dropped: {parts}."))
    values = {one.name: one.value for one in metrics.of_run(result)}
    if not reasons:
        count = values["frames dropped"]
        lines.append(("warn" if count > 0 else "plain",
                      f"{_count(int(count), 'frame')} dropped." if count == count else
                      "Drops are not recorded."))
    lines.append(("plain", _traffic_sentence(values)))
    lines += [("warn", f"Warning: {_sentence(text)}") for text in summary.get("warnings", [])]
    lines += [("plain", _sentence(text)) for text in summary.get("notes", [])]
    return lines


def _sentence(text):
    return text if isinstance(text, str) else ", ".join(f"{k}: {v}" for k, v in text.items()) \
        if isinstance(text, dict) else str(text)


def _traffic_sentence(values):
    parts = [("PAUSE frames sent", "PAUSE frames"), ("frames marked (ECN)", "ECN marks"),
             ("packets retransmitted", "packets retransmitted"), ("timeouts", "timeouts")]
    text = [f"{values[name]:.0f} {words}" for name, words in parts if values[name] == values[name]]
    paused = values["time paused, all ports"]
    if paused > 0:
        text.append(f"ports paused for {quantity(paused, 'ns')} in all")
    return ", ".join(text) + "."


def _flow_verdict(result):
    counted = result.counted
    states = counted["status"].value_counts()
    finished = int(states.get("finished", 0))
    failed = states[[name for name in states.index if name.startswith("failed")]]
    programs = result.summary.get("applications", [])
    ended = sum(one["ended"] and not one["failure"] for one in programs)
    lines = [("good" if finished == len(counted) else "warn",
              f"{finished} of {_count(len(counted), 'flow')} finished.")] \
        if len(counted) or not programs else []
    if programs:
        lines.append(("good" if ended == len(programs) else "bad",
                      f"{ended} of {_count(len(programs), 'application')} done."))
    for name, count in failed.items():
        lines.append(("bad", f"{_count(int(count), 'flow')} {name.replace(':', ': ')}."))
    if result.censored:
        lines.append(("warn", f"{_count(result.censored, 'flow')} still running at the end: "
                              "censored, in no percentile."))
    waiting = int(states.get("not-started", 0))
    if waiting:
        lines.append(("warn", f"{_count(waiting, 'flow')} did not start."))
    outside = len(result.flows) - len(counted)
    if outside:
        lines.append(("plain", f"{_count(outside, 'flow')} started outside the measurement window "
                               "and count for no percentile."))
    return lines


def percentiles(result):
    """Times and slowdown of all, of each tag and of each range of sizes."""
    flows = result.finished.dropna(subset=["slowdown_delivered", "fct_delivered_ns"])
    if flows.empty:
        return []
    rows = [("all finished", flows)]
    tags = sorted(flows["tag"].unique())
    if 1 < len(tags) <= 12:
        rows += [(f"tag {tag or '(none)'}", flows[flows["tag"] == tag]) for tag in tags]
    bins = statistics.equal_count_bins(flows["bytes"].to_numpy(),
                                       min(5, statistics.bin_count(len(flows))))
    for members in bins if len(bins) > 1 else []:
        part = flows.iloc[members]
        low, high = (size_text(part["bytes"].agg(edge)) for edge in ("min", "max"))
        rows.append((low if low == high else f"{low} to {high}", part))
    names = [f"p{percent:g}" for percent in PERCENTILES]
    heads = ["flows", "count", f"FCT {names[0]}", *names[1:], "max",
             f"slowdown {names[0]}", *names[1:], "max"]
    made = []
    for name, part in rows:
        cells = [name, len(part)]
        for column, unit in (("fct_delivered_ns", "ns"), ("slowdown_delivered", "")):
            for percent in (*PERCENTILES, 100):
                enough = percent == 100 or len(part) >= statistics.needed(percent)
                value = statistics.percentile(part[column], percent) if enough else numpy.nan
                cells.append(quantity(value, unit))
        made.append(cells)
    return ["<h2>Percentiles</h2>", *table(
        heads, made, "To delivery of the last bit. A dash: too few flows for that percentile to be "
                     "more than the maximum.")]


def replays(results):
    """When the processes of replayed traces ended, and how long their messages took, run by run."""
    return [*_replay_table(
        results, "replay", "Replay", ("process", "host", "completion", "recorded", "error", "ratio",
                                      "computing", "waiting", "other completions"), _process_cells,
        "Ratio: completion over that of the recording. Other completions have another status, "
        "opcode or length than the recorded ones."),
            *_replay_table(
        results, "messages", "Messages", ("opcode", "bytes", "count", "p50", "p95", "p99", "p99.9",
                                          "max"), _message_cells,
        "From the post to the completion.")]


def _replay_table(results, name, title, heads, make_cells, caption):
    """A row of each run for each row of its table of that name; nothing without any."""
    having = [result for result in results if getattr(result, name) is not None]
    if not having:
        return []
    several = len(results) > 1
    rows = [((result.title,) if several else ()) + make_cells(row) for result in having
            for row in getattr(result, name).itertuples(index=False)]
    return [f"<h2>{title}</h2>", *table((("run",) if several else ()) + heads, rows, caption,
                                        range(3 if several else 2))]


def _process_cells(row):
    times = [quantity(value, "ns") for value in (row.completion_ns, row.recorded_ns)]
    # Not recorded, or later than the recording: a dash, and a plus.
    error = "-" if row.error_ns != row.error_ns else \
        ("-" if row.error_ns < 0 else "+") + quantity(abs(row.error_ns), "ns")
    others = row.other_status + row.other_opcode + row.other_length
    return (row.process, row.host, *times, error, quantity(row.ratio, ""),
            quantity(row.compute_ns, "ns"), quantity(row.waiting_ns, "ns"), _whole(others))


def _message_cells(row):
    sizes = size_text(row.bytes_to) if row.bytes_from == row.bytes_to else \
        f"{size_text(row.bytes_from)} to {size_text(row.bytes_to)}"
    return (row.opcode, sizes, _whole(row.messages),
            *(quantity(getattr(row, f"{name}_ns"), "ns")
              for name in ("p50", "p95", "p99", "p99_9", "max")))


def events(result):
    """What happened by the clock: timeline, watchdog, deadlocks."""
    if result.events is None or result.events.empty:
        return []
    shown = result.events.head(_EVENT_ROWS)
    more = len(result.events) - len(shown)
    rows = [(quantity(row.time_ns, "ns"), row.event, row.node, _whole(row.port),
             _whole(row.priority), row.detail) for row in shown.itertuples(index=False)]
    return ["<h2>Events</h2>", *table(("time", "event", "node", "port", "priority", "detail"), rows,
                                      f"The first {_EVENT_ROWS}; {more} more." if more else "",
                                      (1, 2, 5))]


def _whole(value):
    """A whole number, or nothing where the cell was empty."""
    return "" if value != value else int(value)


def configuration(result):
    """Every parameter in force, folded."""
    rows = [(one["key"], one["value"], one.get("origin", ""))
            for one in result.summary.get("parameters", [])]
    if not rows:
        return []
    return ["<h2>Configuration</h2>",
            f"<details><summary>All {len(rows)} parameters in force</summary>",
            *table(("key", "value", "from"), rows, text_columns=(0, 1, 2)), "</details>"]


def comparison_head(title, groups, results, sweep):
    """What is compared, and whether each run went well."""
    versions = sorted({str(result.summary.get("version", "unknown")) for result in results})
    seeds = sorted({result.summary.get("seed") for result in results} - {None})
    pairs = [("runs", len(results)), ("configurations", len(groups)),
             ("seeds", ", ".join(map(str, seeds[:8])) + (", ..." if len(seeds) > 8 else "")),
             ("rdmasim", ", ".join(versions)),
             ("differ in", ", ".join(groups[0].settings) if groups[0].settings else "")]
    lines = []
    if sweep is not None:
        failed = sweep.failed
        lines.append(("bad" if failed else "good",
                      f"{len(sweep.table) - len(failed)} of {_count(len(sweep.table), 'run')} of "
                      "the sweep have results."))
        lines += [("bad", f"Run {run}: {status}.") for run, status in failed[:20]]
        if len(failed) > 20:
            lines.append(("bad", f"and {len(failed) - 20} more."))
    trouble = [(result, kind, text) for result in results for kind, text in verdict(result)
               if kind in ("bad", "warn") and not text.startswith("Warning")]
    lines += [(kind, f"{result.name}: {text}") for result, kind, text in trouble[:12]]
    if len(trouble) > 12:
        lines.append(("warn", f"and {len(trouble) - 12} more lines of this kind."))
    if not trouble:
        lines.append(("good", "In all runs all flows finished, nothing was dropped, no invariant "
                              "is broken."))
    return [f"<h1>{escape(title)}</h1>", *_facts(pairs), *_verdict_list(lines)]


def differences(groups):
    """A row for each metric, a column for each group: mean, confidence interval, change."""
    shown = groups[:12]
    runs = [[metrics.of_run(result) for result in group.results] for group in shown]
    rows = []
    for place, metric in enumerate(runs[0][0]):
        pairs = [statistics.confidence([run[place].value for run in group]) for group in runs]
        if all(mean == 0 or mean != mean for mean, _ in pairs):
            continue
        cells = [metric.name]
        for number, (mean, half) in enumerate(pairs):
            text = quantity(mean, metric.unit)
            if half == half:
                text += f" \u00b1 {quantity(half, metric.unit)}"
            text += _change(pairs[0][0], mean) if number else ""
            cells.append(text)
        rows.append(cells)
    caption = "A percentile of few flows is their maximum (p99: of fewer than 100). "
    caption += "Mean over seeds \u00b1 half of its 95 % confidence interval (t distribution). " \
        if any(len(group.results) > 1 for group in groups) else ""
    if len(shown) > 1:
        caption += "In brackets the change from the first column. "
    if len(groups) > len(shown):
        caption += f"The first {len(shown)} of {len(groups)} configurations."
    return table(["", *(group.label for group in shown)], rows, caption)


def _change(base, mean):
    """How a mean differs from that of the first column, in brackets; nothing if it does not."""
    if not base or base != base or mean != mean or mean == base:
        return ""
    ratio = mean / base
    return f" ({ratio:.3g} times)" if ratio >= 10 else f" ({100 * (ratio - 1):+.3g} %)"


def runs(results, sweep):
    """Every run in a row, folded."""
    keys = metrics.telling(results)
    rows = []
    for result in results:
        values = {one.name: one for one in metrics.of_run(result)}
        rows.append([result.name, result.summary.get("seed", "-"),
                     *(result.parameters.get(key, "-") for key in keys),
                     *(quantity(values[name].value, values[name].unit) for name in
                       ("flows finished", "flows not finished", "slowdown p50", "slowdown p99",
                        "frames dropped", "time paused, all ports"))])
    heads = ["run", "seed", *keys, "finished", "not finished", "slowdown p50", "p99", "dropped",
             "paused"]
    missing = [[run, *["-"] * (len(heads) - 2), status] for run, status in sweep.failed] \
        if sweep else []
    return ["<h2>Runs</h2>", f"<details><summary>All {len(rows) + len(missing)} runs</summary>",
            *table(heads, rows + missing), "</details>"]


def common_configuration(results):
    """What all runs have in common, folded."""
    keys = set(metrics.differing(results)) | {"seed"}
    rows = [(key, value) for key, value in results[0].parameters.items() if key not in keys]
    if not rows:
        return []
    return [f"<details><summary>{len(rows)} parameters that are equal in all runs</summary>",
            *table(("key", "value"), rows, text_columns=(0, 1)), "</details>"]
