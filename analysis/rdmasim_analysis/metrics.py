# SPDX-License-Identifier: GPL-2.0-only
"""A run as a few figures, and runs as groups: what comparisons and reports are made of."""

import re
from dataclasses import dataclass, field

import numpy

from . import statistics

# What two runs of the same experiment may differ in.
_NOT_THE_EXPERIMENT = {"seed"}
_SCALES = {"": ("", 1), "%": ("%", 0.01),
           "ps": ("ns", 1e-3), "ns": ("ns", 1), "us": ("ns", 1e3), "ms": ("ns", 1e6),
           "s": ("ns", 1e9), "bps": ("b/s", 1), "b/s": ("b/s", 1), "B": ("B", 1)}
for _letter, _factor in (("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)):
    _SCALES |= {f"{_letter}bps": ("b/s", _factor), f"{_letter}b/s": ("b/s", _factor),
                f"{_letter}B": ("B", _factor)}
_SCALES |= {"KiB": ("B", 2 ** 10), "MiB": ("B", 2 ** 20), "GiB": ("B", 2 ** 30)}


@dataclass
class Metric:
    """One figure of a run: its name, its unit (as in charts.py) and its value."""

    name: str
    unit: str
    value: float


def dropped(result):
    """{reason: frames} of the frames that were dropped, as the summary counts them."""
    counts = result.summary.get("network", {}).get("dropped", {})
    return {reason: one["frames"] for reason, one in counts.items() if one["frames"]}


def _network(result, name, column=None):
    """A total of the summary; without one, the sum of a column of links.csv."""
    network = result.summary.get("network", {})
    if name in network:
        return float(network[name])
    if column is None or result.links is None:
        return float("nan")
    return float(result.links[column].sum())


def of_run(result):
    """The metrics of one run, in order; a value that the run does not have is NaN."""
    flows = result.finished.dropna(subset=["slowdown_delivered"])
    done = flows["slowdown_delivered"].to_numpy()
    links = result.links if result.links is not None and not result.links.empty else None
    found = [Metric(f"slowdown p{percent:g}", "", statistics.percentile(done, percent))
             for percent in (50, 95, 99, 99.9)]
    found += [Metric(f"FCT p{percent:g}", "ns",
                     statistics.percentile(flows["fct_delivered_ns"], percent))
              for percent in (50, 99)]
    active = result.active_ns
    bits = 8.0 * result.finished["bytes"].sum()
    found += [
        Metric("last flow ended", "ns", active),
        Metric("goodput of finished flows", "b/s", bits / active * 1e9 if active else numpy.nan),
        Metric("flows finished", "", float(len(result.finished))),
        Metric("flows not finished", "", float(len(result.counted) - len(result.finished))),
        Metric("frames dropped", "", _dropped_frames(result)),
        Metric("frames marked (ECN)", "", _network(result, "ecn_marked_frames",
                                                   "ecn_marked_frames")),
        Metric("packets retransmitted", "", float(result.flows["packets_retransmitted"].sum())),
        Metric("timeouts", "", float(result.flows["timeouts"].sum())),
        Metric("PAUSE frames sent", "", _network(result, "pause_frames_sent")),
        Metric("time paused, all ports", "ns", _network(result, "paused_ns", "paused_ns")),
        Metric("deepest queue", "B", float(links["max_queue_bytes"].max()) if links is not None
               else numpy.nan),
        Metric("busiest link", "%", float(links["utilisation"].max()) if links is not None
               else numpy.nan)]
    return found


def _dropped_frames(result):
    if "dropped" in result.summary.get("network", {}):
        return float(sum(dropped(result).values()))
    return _network(result, "", "dropped_frames")


@dataclass
class Group:
    """Runs that differ in their seeds only."""

    name: str
    results: list
    settings: dict = field(default_factory=dict)  # the keys in which groups differ

    @property
    def label(self):
        """The name, with the number of seeds when there are several."""
        count = len(self.results)
        return self.name if count == 1 else f"{self.name} ({count} seeds)"


def differing(results):
    """The keys of the configuration, but for the seed, whose values are not the same in all."""
    keys = sorted({key for result in results for key in result.parameters} - _NOT_THE_EXPERIMENT)
    return [key for key in keys
            if len({result.parameters.get(key) for result in results}) > 1]


def telling(results):
    """Of the differing keys those by which runs are named: not what follows from another choice.

    A key follows from another when some run lacks it or when it comes from a parameter set.
    """
    keys = differing(results)
    derived = {one["key"] for result in results for one in result.summary.get("parameters", [])
               if one.get("origin", "").startswith("parameter set")}
    chosen = [key for key in keys if key not in derived and key not in ("name", "description")
              and all(key in result.parameters for result in results)]
    return chosen or keys


def groups(results):
    """Results as groups of equal configurations, in order of their first; without a recorded
    configuration each result is its own group. The runs of a sweep differ by its keys."""
    of_sweep = all(result.swept for result in results)
    values = [result.swept if of_sweep else result.parameters for result in results]
    keys = list(results[0].swept) if of_sweep else differing(results)
    found = {}
    for number, (result, own) in enumerate(zip(results, values)):
        mark = tuple(own.get(key) for key in keys) if own else number
        found.setdefault(mark, []).append((result, own))
    made = []
    named_by = keys if of_sweep else telling(results)
    for pairs in found.values():
        members = [result for result, _ in pairs]
        settings = {key: pairs[0][1].get(key, "-") for key in named_by}
        label = ", ".join(f"{short(key, named_by)}={value}" for key, value in settings.items())
        if not label or len(settings) > 3:
            label = members[0].name
        made.append(Group(label, members, settings))
    names = [group.name for group in made]
    for group in made:
        if names.count(group.name) > 1:
            group.name = f"{group.name} ({group.results[0].name})"
    return made


def short(key, keys):
    """The last word of a key, or the whole key when another ends in the same word."""
    last = key.rsplit(".", 1)[-1]
    return key if [other.rsplit(".", 1)[-1] for other in keys].count(last) > 1 else last


def quantities(texts):
    """(unit, values) if all texts are numbers of one kind of unit (10us, 1ms; 100Gbps), or None."""
    found = []
    kinds = set()
    for text in texts:
        match = re.fullmatch(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([A-Za-z/%]*)\s*", str(text))
        if not match or match.group(2) not in _SCALES:
            return None
        kind, factor = _SCALES[match.group(2)]
        kinds.add(kind)
        try:
            found.append(float(match.group(1)) * factor)
        except ValueError:
            return None
    return (kinds.pop(), found) if len(kinds) == 1 else None
