# SPDX-License-Identifier: GPL-2.0-only
"""What pictures show, as arrays: queues, pauses and rates of one result, before anything is drawn.
"""

import numpy

from . import statistics


def port_name(node, port, priority=None):
    """How pictures name a port, or one priority of it."""
    name = f"{node} port {port}"
    return name if priority is None else f"{name} prio {priority}"


def flow_label(result, flow):
    """A flow with its ends, for legends."""
    rows = result.flows[result.flows["flow"] == flow]
    if rows.empty:
        return f"flow {flow}"
    row = rows.iloc[0]
    return f"flow {flow}: {row['source']} to {row['destination']}"


def port_queues(result):
    """{(node, port): (times, bytes)}: what each egress port holds in all priorities together.

    A value holds from its time until the next.
    """
    ports = {}
    for (node, port), rows in result.queues.groupby(["node", "port"], sort=True):
        # Times at which any priority changes, and the sum of what each holds then.
        times = numpy.unique(rows["time_ns"].to_numpy())
        ports[node, port] = times, sum(
            statistics.held_values(one["time_ns"].to_numpy(), one["queue_bytes"].to_numpy(), times)
            for _, one in rows.groupby("priority", sort=True))
    return ports


def held_times(rows, end):
    """(bytes, how long they were held in ns) of the rows of one node in buffers.csv."""
    rows = rows.sort_values("time_ns", kind="stable")
    times = rows["time_ns"].to_numpy()
    lengths = numpy.maximum(numpy.diff(times, append=max(end, times[-1])), 0)
    # The last of equally spaced samples would weigh nothing where the run ends with it.
    if len(lengths) > 1 and lengths[-1] == 0:
        lengths[-1] = lengths[-2]
    return rows["used_bytes"].to_numpy(), lengths


def has_pauses(result):
    """Whether any port was paused, as far as the result knows."""
    tables = (result.pauses, result.pfc)
    return any(table is not None and not table.empty for table in tables)


def pauses(result):
    """{(node, port, priority): [(start, stop)]} of all ports that were paused.

    From pauses.csv; without it, from the PFC frames that were received.
    """
    found = {}
    if result.pauses is not None:
        table = result.pauses.sort_values("start_ns", kind="stable")
        stops = table["end_ns"].fillna(result.end_ns)
        for key, rows in table.groupby(["node", "port", "priority"], sort=True):
            found[key] = list(zip(rows["start_ns"], stops[rows.index]))
        return found
    if result.pfc is None:
        return found
    rates = {}
    if result.links is not None:
        rates = {(row[0], row[1]): row[2] for row in
                 result.links[["from", "from_port", "rate_bps"]].itertuples(index=False)}
    for key, rows in result.pfc.groupby(["node", "port", "priority"], sort=True):
        rows = rows.sort_values("time_ns", kind="stable")
        quanta = rows["quanta"].where(rows["event"] == "pause", 0)
        intervals = statistics.pause_intervals(zip(rows["time_ns"], quanta),
                                               rates.get(key[:2]), result.end_ns)
        if intervals:
            found[key] = intervals
    return found


def paused_at_once(result, edges):
    """How many (port, priority) are paused at once, mean in each bin between edges."""
    return sum((statistics.covered_share(intervals, edges)
                for intervals in pauses(result).values()), numpy.zeros(len(edges) - 1))


def deepest_queue(result, edges):
    """The deepest egress queue of all in each bin between edges, in bytes."""
    maxima = [statistics.bucket_maxima(times, held, edges)
              for times, held in port_queues(result).values()]
    return numpy.max(maxima, axis=0) if maxima else numpy.zeros(len(edges) - 1)


def goodput(result, edges):
    """The goodput of all sampled flows together, the mean in each bin between edges, in b/s.

    A sample of a flow is its mean since the sample before; before its first lies one interval.
    """
    total = numpy.zeros(len(edges))
    steps = numpy.diff(numpy.unique(result.rates["time_ns"]))
    interval = steps.min() if len(steps) else result.rates["time_ns"].iloc[0]
    for _, rows in result.rates.groupby("flow", sort=True):
        rows = rows.sort_values("time_ns", kind="stable")
        times = rows["time_ns"].to_numpy()
        times = numpy.r_[max(0.0, times[0] - interval), times]
        bits = numpy.cumsum(rows["goodput_bps"].to_numpy() * numpy.diff(times))
        total += numpy.interp(edges, times, numpy.r_[0, bits])
    return numpy.diff(total) / numpy.diff(edges)


def fair_shares(result, times):
    """{flow: rates at times} of the flows in rates.csv if shares were max-min fair, or {}.

    The links of hosts are what flows share here, the fabric between them counts as wide enough; a
    flow takes part from its start to its last acknowledgement. Empty when the result lacks links,
    or when a host has several, of which the flow's is not known.
    """
    if result.links is None or result.links.empty:
        return {}
    capacity = {}
    for row in result.links[["from", "to", "rate_bps"]].itertuples(index=False):
        for key in (("out", row[0]), ("in", row[1])):
            capacity.setdefault(key, []).append(float(row[2]))
    flows = result.flows
    hosts = set(flows["source"]) | set(flows["destination"])
    if any(len(capacity.get((way, host), ())) != 1 for way in ("out", "in") for host in hosts):
        return {}
    capacity = {key: rates[0] for key, rates in capacity.items() if key[1] in hosts}
    uses = {row[0]: (("out", row[1]), ("in", row[2])) for row in
            flows[["flow", "source", "destination"]].itertuples(index=False)}
    starts = flows["start_ns"].to_numpy()
    stops = (starts + flows["fct_acked_ns"].fillna(numpy.inf).to_numpy())
    numbers = flows["flow"].to_numpy()
    wanted = set(result.rates["flow"])
    shares = {flow: numpy.full(len(times), numpy.nan) for flow in wanted}
    known = {}
    for index, time in enumerate(times):
        active = tuple(numbers[(starts <= time) & (time < stops)])
        if active not in known:
            known[active] = statistics.fair_rates({flow: uses[flow] for flow in active}, capacity)
        for flow in wanted & set(active):
            shares[flow][index] = known[active][flow]
    return shares


def pause_causes(table):
    """{pause: the pause that caused it} of pauses.csv, without the roots."""
    rows = table.dropna(subset=["cause"])
    return dict(zip(rows["pause"].astype(int), rows["cause"].astype(int)))


def _parents(rows, causes):
    """{pause: the active pause that it hangs below} of active pauses, without the roots.

    That is its nearest cause that is still active; else the pause, if any, that stops the very
    port where its chain began. A link that would close a cycle is left out.
    """
    stopped = {(row.node, row.port, row.priority): pause for pause, row in rows.items()}
    parents = {}
    for pause, row in rows.items():
        parent = causes.get(pause)
        while parent is not None and parent not in rows:
            parent = causes.get(parent)
        if parent is None:
            parent = stopped.get((row.root_node, row.root_port, row.priority))
        above = parent
        while above is not None and above != pause:
            above = parents.get(above)
        if parent is not None and above is None:
            parents[pause] = parent
    return parents


def tree_rows(result, instant):
    """The congestion tree at an instant: (level, row of pauses.csv or None, root) in order of view.

    A root is an egress port where chains begin, as (node, port, priority); it comes at level 0
    with no row. Below it stand, one level deeper each, the ports that are paused because of it.
    """
    table = result.pauses
    stops = table["end_ns"].fillna(numpy.inf)
    rows = {int(row.pause): row for row in
            table[(table["start_ns"] <= instant) & (instant < stops)].itertuples(index=False)}
    parents = _parents(rows, pause_causes(table))
    below = {}
    for pause, row in rows.items():
        root = (row.root_node, row.root_port, row.priority)
        below.setdefault(parents.get(pause, root), []).append(pause)
    found = []

    def visit(pause, level, root):
        found.append((level, rows[pause], root))
        for child in below.get(pause, ()):
            visit(child, level + 1, root)

    for root in sorted(key for key in below if isinstance(key, tuple)):
        found.append((0, None, root))
        for pause in below[root]:
            visit(pause, 1, root)
    return found


def busiest_instant(result):
    """When most ports were paused at once (the first such time), by pauses.csv."""
    table = result.pauses
    starts = table["start_ns"].to_numpy()
    stops = table["end_ns"].fillna(numpy.inf).to_numpy()
    times = numpy.unique(starts)
    paused = (numpy.searchsorted(numpy.sort(starts), times, side="right")
              - numpy.searchsorted(numpy.sort(stops), times, side="right"))
    return float(times[int(paused.argmax())])
