# SPDX-License-Identifier: GPL-2.0-only
"""Statistics of results: plain arrays in, plain arrays out; nothing here draws or reads files."""

import math

import numpy


def percentile(values, percent):
    """The nearest-rank percentile: the smallest value that percent of all values do not exceed.

    It is always a value that was measured. NaN for no values.
    """
    ordered = numpy.sort(numpy.asarray(values, dtype=float))
    if len(ordered) == 0:
        return float("nan")
    # Rounded first: 0.95 * 20 is 19.000000000000004 in binary.
    rank = int(numpy.ceil(round(percent * len(ordered) / 100, 9)))
    return float(ordered[max(rank, 1) - 1])


def needed(percent):
    """How many values make a percentile more than their maximum: 20 for p95, 100 for p99."""
    return int(round(100 / (100 - percent)))


def bin_count(values):
    """Into how many bins so many flows are divided: at least 100 in each when that gives three
    bins, at least 20 otherwise; 0 when there are too few for either."""
    for least in (needed(99), needed(95)):
        if values >= 3 * least:
            return min(values // least, 20)
    return 0


def equal_count_bins(sizes, bins):
    """Divides flows by size into at most so many bins of about equal numbers of flows.

    Flows of one size are never divided: a bin takes whole sizes until it holds its share, and what
    is left at the end without making a share joins the last bin. Returns a list of index arrays, by
    increasing size.
    """
    sizes = numpy.asarray(sizes)
    order = numpy.argsort(sizes, kind="stable")
    share = len(sizes) // max(bins, 1)
    found = []
    start = 0
    for stop in [*(numpy.flatnonzero(numpy.diff(sizes[order])) + 1), len(order)]:
        if stop - start >= share:
            found.append(order[start:stop])
            start = stop
    if start < len(order):
        found[-1] = numpy.r_[found[-1], order[start:]]
    return found


def quantile_bins(sizes, bins):
    """Divides flows by size at the quantiles 1/bins, 2/bins, ... of their number.

    Flows of one size are never divided: a cut moves up to the next size, and a bin that this leaves
    empty does not exist. Returns a list of index arrays, by increasing size.
    """
    sizes = numpy.asarray(sizes)
    order = numpy.argsort(sizes, kind="stable")
    borders = numpy.r_[numpy.flatnonzero(numpy.diff(sizes[order])) + 1, len(order)]
    wanted = numpy.ceil(numpy.arange(1, bins + 1) * len(order) / bins)
    cuts = numpy.unique(borders[numpy.searchsorted(borders, wanted)])
    return numpy.split(order, cuts[:-1]) if len(order) else []


def pause_intervals(events, rate_bps, end_ns):
    """The intervals in which one priority of one port is paused.

    A pause lasts its quanta, of 512 bit times each (IEEE 802.3 Annex 31B), from its
    reception; a further pause replaces what is left, a resume ends it.

    events: (time_ns, quanta) in order of time; quanta 0 is a resume. rate_bps: the link's rate, by
    which pauses expire; None if unknown. end_ns: the end of the run. Returns [(start, stop)] in ns.
    """
    found = []
    start = None
    until = 0.0
    for time, quanta in events:
        if start is not None and until < time:
            found.append((start, until))
            start = None
        if quanta > 0:
            start = time if start is None else start
            until = time + quanta * 512e9 / rate_bps if rate_bps else numpy.inf
        elif start is not None:
            found.append((start, time))
            start = None
    if start is not None:
        found.append((start, min(until, end_ns)))
    return found


def covered_share(intervals, edges):
    """The share, 0 to 1, of each bin between edges that disjoint, ordered intervals cover."""
    edges = numpy.asarray(edges, dtype=float)
    if not intervals:
        return numpy.zeros(len(edges) - 1)
    corners = numpy.asarray(intervals, dtype=float).ravel()
    lengths = numpy.diff(corners, prepend=corners[0])
    lengths[2::2] = 0.0  # the gaps
    covered = numpy.interp(edges, corners, numpy.cumsum(lengths))
    return numpy.diff(covered) / numpy.diff(edges)


def held_values(times, values, at):
    """What a quantity that changes at given times is at other times; 0 before the first."""
    times = numpy.asarray(times)
    if len(times) == 0:
        return numpy.zeros(len(at))
    index = numpy.searchsorted(times, at, side="right") - 1
    return numpy.where(index >= 0, numpy.asarray(values, dtype=float)[numpy.maximum(index, 0)], 0.0)


def bucket_maxima(times, values, edges):
    """The largest value that a step function takes in each bin between edges.

    times, in order, are those at which it steps to values; it is 0 before the first.
    """
    edges = numpy.asarray(edges, dtype=float)
    result = held_values(times, values, edges[:-1])
    index = numpy.searchsorted(edges, times, side="right") - 1
    inside = (index >= 0) & (index < len(result))
    numpy.maximum.at(result, index[inside], numpy.asarray(values, dtype=float)[inside])
    return result


def thinned(times, values, edges):
    """The points of a curve, no more than its first, least, greatest and last in each bin.

    Curves of no more points than that stay as they are; a drawn line looks the same as long as a
    bin is not wider than a pixel. Returns (times, values).
    """
    times = numpy.asarray(times, dtype=float)
    values = numpy.asarray(values, dtype=float)
    if len(times) <= 4 * (len(edges) - 1):
        return times, values
    bins = numpy.searchsorted(edges, times, side="right")
    # Within each bin, by value: the first and last of that order are its extremes.
    order = numpy.lexsort((values, bins))
    first = numpy.flatnonzero(numpy.diff(bins[order], prepend=bins[order[0]] - 1))
    last = numpy.r_[first[1:], len(order)] - 1
    borders = numpy.flatnonzero(numpy.diff(bins))
    kept = numpy.unique(numpy.r_[0, borders, borders + 1, len(times) - 1,
                                 order[first], order[last]])
    return times[kept], values[kept]


def student_t(share, freedom):
    """The t below which, in absolute value, Student's distribution lies with a probability.

    The distribution is summed as Abramowitz and Stegun, Handbook of Mathematical Functions,
    26.7.3 and 26.7.4 give it for whole degrees of freedom, and inverted by halving.
    """
    def inside(angle):
        cosine, sine = math.cos(angle), math.sin(angle)
        if freedom % 2 == 0:
            term, total = 1.0, 1.0
            for k in range(1, freedom // 2):
                term *= (2 * k - 1) / (2 * k) * cosine ** 2
                total += term
            return sine * total
        term, total = cosine, cosine if freedom > 1 else 0.0
        for k in range(1, (freedom - 1) // 2):
            term *= 2 * k / (2 * k + 1) * cosine ** 2
            total += term
        return 2 / math.pi * (angle + sine * total)

    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < share else (low, middle)
    return math.tan((low + high) / 2) * math.sqrt(freedom)


def confidence(values, share=0.95):
    """(mean, half width of its confidence interval) of independent values, normally distributed.

    The half width is NaN for fewer than two values, both are for none. NaN values do not count.
    """
    values = numpy.asarray(values, dtype=float)
    values = values[~numpy.isnan(values)]
    if len(values) == 0:
        return float("nan"), float("nan")
    if values.min() == values.max():
        # Not left to rounding: the mean of equal numbers may differ from them.
        return float(values[0]), 0.0 if len(values) > 1 else float("nan")
    mean = float(values.mean())
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return mean, student_t(share, len(values) - 1) * error


def fair_rates(flows, capacity):
    """Max-min fair rates (Bertsekas and Gallager, Data Networks, section 6.5.2).

    flows: {name: the resources it uses}; capacity: {resource: rate}. All rates grow together; when
    a resource is full, those that use it stop. Returns {name: rate}.
    """
    rates = {}
    left = dict(capacity)
    open_flows = {name: list(used) for name, used in flows.items()}
    while open_flows:
        users = {}
        for used in open_flows.values():
            for resource in used:
                users[resource] = users.get(resource, 0) + 1
        if not users:
            return rates | {name: float("inf") for name in open_flows}
        share, full = min((left[resource] / count, resource) for resource, count in users.items())
        for name in [name for name, used in open_flows.items() if full in used]:
            rates[name] = share
            for resource in open_flows.pop(name):
                left[resource] -= share
    return rates
