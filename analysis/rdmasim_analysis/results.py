# SPDX-License-Identifier: GPL-2.0-only
"""Reading a result folder. Times are in nanoseconds, sizes in bytes, rates in bits per second."""

import json
from pathlib import Path

import pandas

# The columns that statistics and pictures need, by file; a file may have more.
_COLUMNS = {
    "flows": ["flow", "tag", "source", "destination", "bytes", "start_ns", "fct_delivered_ns",
              "fct_acked_ns", "slowdown_delivered", "slowdown_acked", "status",
              "packets_sent", "packets_retransmitted", "timeouts"],
    "links": ["link", "from", "from_port", "to", "to_port", "rate_bps", "utilisation",
              "dropped_frames", "ecn_marked_frames", "paused_ns", "max_queue_bytes"],
    "pfc": ["time_ns", "node", "port", "priority", "event", "quanta"],
    "queues": ["time_ns", "node", "port", "priority", "queue_bytes"],
    "rates": ["time_ns", "flow", "rate_bps", "goodput_bps"],
    "pauses": ["pause", "start_ns", "end_ns", "node", "port", "priority", "by_node", "by_port",
               "cause", "root_node", "root_port", "depth"],
    "marks": ["time_ns", "node", "port", "priority"],
    "drops": ["time_ns", "node", "port", "reason"],
    "utilisation": ["time_ns", "link", "from", "from_port", "to", "to_port", "utilisation"],
    "buffers": ["time_ns", "node", "used_bytes", "watermark_bytes"],
    "lives": ["flow", "psn", "hop", "node", "port", "queued_ns", "paused_ns"],
    "transport": ["time_ns", "event", "flow"],
    "events": ["time_ns", "event", "node", "port", "priority", "detail"],
    "perftest": ["tag", "verb", "test", "source", "destination", "bytes", "t_typical_us",
                 "bw_average_Gbps"],
    "replay": ["process", "host", "completion_ns", "recorded_ns", "error_ns", "ratio",
               "compute_ns", "waiting_ns", "other_status", "other_opcode", "other_length"],
    "messages": ["opcode", "bytes_from", "bytes_to", "messages", "p50_ns", "p95_ns", "p99_ns",
                 "p99_9_ns", "max_ns"],
}
# Names that look like numbers stay text.
_TEXT = {column: str for column in ("tag", "source", "destination", "from", "to", "node", "event",
                                    "status", "verb", "test", "by_node", "root_node", "reason",
                                    "detail", "opcode", "drop_reason", "process", "host")}
# Written only when a scenario asks for them.
_INSTRUMENTS = ("pfc", "queues", "rates", "pauses", "marks", "drops", "utilisation", "buffers",
                "lives", "transport", "events", "perftest", "replay", "messages")


class ResultError(Exception):
    """A folder or file that is not what a run writes."""


class Result:
    """One result folder. A table that the run did not write is None."""

    def __init__(self, folder):
        """Reads all tables; raises ResultError naming the file and what is wrong with it."""
        self.folder = Path(folder)
        self.swept = {}  # of a run of a sweep: the swept keys but the seed, with its values
        self.summary = self._read_summary()
        self.flows = self._read("flows")
        if self.flows is None:
            raise ResultError(f"{self.folder}: no flows.csv: not a result folder")
        self.links = self._read("links")
        for name in _INSTRUMENTS:
            setattr(self, name, self._read(name))

    @property
    def name(self):
        """The name of its folder, by which results of one scenario differ."""
        return self.folder.resolve().name

    @property
    def title(self):
        """The name, and a word if these are not the results of the whole run."""
        return f"{self.name} (partial)" if self.summary.get("partial") else self.name

    @property
    def counted(self):
        """The rows of flows that count for statistics: all, or those of the measurement window."""
        if "in_window" not in self.flows:
            return self.flows
        return self.flows[self.flows["in_window"] == 1]

    @property
    def finished(self):
        """The rows of flows that count and finished."""
        return self.counted[self.counted["status"] == "finished"]

    @property
    def censored(self):
        """How many flows of the window the end of the run cut off; their times are unknown."""
        return int((self.counted["status"] == "running").sum())

    @property
    def parameters(self):
        """{key: value in force} of the configuration, as text; empty without a summary."""
        return {one["key"]: str(one["value"]) for one in self.summary.get("parameters", [])}

    @property
    def end_ns(self):
        """The end of the run; without a summary, the last time that occurs in any table."""
        if "simulated_ns" in self.summary:
            return float(self.summary["simulated_ns"])
        ends = [self.flows["start_ns"].max(),
                (self.flows["start_ns"] + self.flows["fct_acked_ns"]).max(),
                (self.flows["start_ns"] + self.flows["fct_delivered_ns"]).max()]
        ends += [table["time_ns"].max() for table in (self.pfc, self.queues, self.rates)
                 if table is not None]
        return max([end for end in ends if pandas.notna(end)], default=0.0)

    @property
    def active_ns(self):
        """When the last flow ended; the end of the run if some have not."""
        done = self.flows[self.flows["status"] == "finished"]
        if done.empty or len(done) < len(self.flows):
            return self.end_ns
        return float((done["start_ns"] + done["fct_acked_ns"]).max())

    def _read_summary(self):
        path = self.folder / "summary.json"
        if not path.exists():
            return {}
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError as error:
            raise ResultError(f"{path}:{error.lineno}: not JSON: {error.msg}") from error

    def _find(self, name):
        """The file of a table: its usual name, or the first that an instrument was given, or None."""
        path = self.folder / f"{name}.csv"
        if path.exists():
            return path
        instruments = [key.removesuffix(".instrument") for key, value in self.parameters.items()
                       if key.endswith(".instrument") and value == name]
        given = [self.parameters.get(f"{key}.file") for key in instruments]
        return next((self.folder / file for file in given
                     if file and (self.folder / file).exists()), None)

    def _read(self, name):
        path = self._find(name)
        if path is None:
            return None
        try:
            # An empty cell of a column of numbers is no number; one of text is an empty text.
            columns = pandas.read_csv(path, nrows=0).columns
            table = pandas.read_csv(path, dtype=_TEXT, keep_default_na=False,
                                    na_values={column: [""] for column in columns
                                               if column not in _TEXT})
        except (pandas.errors.ParserError, pandas.errors.EmptyDataError, ValueError) as error:
            raise ResultError(f"{path}: {error}") from error
        missing = [column for column in _COLUMNS[name] if column not in table.columns]
        if missing:
            raise ResultError(f"{path}: no column {', '.join(missing)}; "
                              f"got {', '.join(table.columns)}")
        for column in _COLUMNS[name]:
            if column not in _TEXT and table[column].dtype == object and len(table):
                bad = pandas.to_numeric(table[column], errors="coerce").isna()
                row = int(bad.to_numpy().argmax())
                raise ResultError(f"{path}:{row + 2}: {column}: got '{table[column].iloc[row]}', "
                                  f"expected a number")
        return table


class Sweep:
    """The table of a sweep, sweep.csv: a row for each run, with its folder and its status."""

    def __init__(self, folder):
        """Reads the table; raises ResultError when it lacks the columns run and folder."""
        path = Path(folder) / "sweep.csv"
        try:
            self.table = pandas.read_csv(path, dtype=str, keep_default_na=False)
        except (pandas.errors.ParserError, pandas.errors.EmptyDataError) as error:
            raise ResultError(f"{path}: {error}") from error
        missing = [column for column in ("run", "folder") if column not in self.table]
        if missing:
            raise ResultError(f"{path}: no column {', '.join(missing)}; "
                              f"got {', '.join(self.table.columns)}")
        # The swept keys stand between the number of a run and its seed.
        columns = list(self.table.columns)
        keys = columns[1:columns.index("seed")] if "seed" in columns else []
        self.folders = []  # (folder, {key: value}) of runs that hold results
        self.failed = []   # (run, status) of the others
        for row in self.table.to_dict("records"):
            # Relative to the sweep; a sweep that was moved as a whole still finds its runs.
            found = Path(folder) / row["folder"]
            if row["folder"] and (found / "flows.csv").exists():
                self.folders.append((found, {key: row[key] for key in keys}))
            else:
                self.failed.append((row["run"], row.get("status") or "no results"))


def load(folder):
    """(results, Sweep or None) of a result folder, of one that holds several, or of a sweep."""
    folder = Path(folder)
    if not (folder / "sweep.csv").exists():
        return [Result(found) for found in result_folders(folder)], None
    sweep = Sweep(folder)
    if not sweep.folders:
        raise ResultError(f"{folder}: no run of this sweep has results")
    results = []
    for found, values in sweep.folders:
        results.append(Result(found))
        results[-1].swept = values
    return results, sweep


def result_folders(folder):
    """The result folders at or below a folder (a sweep writes one for each combination)."""
    folder = Path(folder)
    if (folder / "flows.csv").exists():
        return [folder]
    found = sorted(path.parent for path in folder.rglob("flows.csv"))
    if not found:
        raise ResultError(f"{folder}: no result folder there: no flows.csv in it or below it")
    return found
