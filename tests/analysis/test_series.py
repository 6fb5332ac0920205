# SPDX-License-Identifier: GPL-2.0-only
"""What figures show, worked out by hand; runs as groups."""

import json

import numpy
import pytest
import synthetic

from rdmasim_analysis import charts, compare, fabric_charts, metrics, page, sections, series
from rdmasim_analysis.results import Result, ResultError, load


def link(number, source, target, rate=100_000_000_000):
    """Rows of links.csv: both directions of a cable."""
    rest = [rate, "1000.000", 0, 0, 0, 0, 0, 0, 0, 0, 0]
    return [[number, source, 0, target, number, *rest], [number, target, number, source, 0, *rest]]


@pytest.fixture(name="incast")
def _incast(tmp_path):
    """Two senders to h2 at 100 Gb/s, the second from 20 us on; times: ideal * 2 + 2 us."""
    rows = [synthetic.flow(number, 500_000, 2.0, start) for number, start in ((0, 0), (1, 20_000))]
    for row, source in zip(rows, ("h0", "h1")):
        row[2:4] = source, "h2"
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, rows)
    synthetic.write(tmp_path, "links", synthetic.LINK_COLUMNS, [
        row for number in range(3) for row in link(number, f"h{number}", "s")])
    synthetic.write(tmp_path, "rates", synthetic.RATE_COLUMNS, [
        [10_000, 0, 10 ** 11, 0], [20_000, 0, 10 ** 11, 8 * 10 ** 10],
        [30_000, 0, 5 * 10 ** 10, 4 * 10 ** 10], [30_000, 1, 5 * 10 ** 10, 2 * 10 ** 10]])
    return Result(tmp_path)


def test_goodput_is_conserved(incast):
    # Each sample is the mean of the 10 us before it: 0, 80, then 40 + 20 Gb/s.
    assert series.goodput(incast, [0, 10_000, 20_000, 30_000]) == pytest.approx([0, 8e10, 6e10])
    # A bin across samples has their mean, weighted: half of 80, half of 60.
    assert series.goodput(incast, [15_000, 25_000]) == pytest.approx([7e10])


def test_fair_shares(incast):
    # Alone 100 Gb/s, then both share the link to h2. The first ends at 2 * (4 + 40) + 2 = 90 us.
    shares = series.fair_shares(incast, [0, 19_999, 20_000, 89_999, 90_000])
    assert shares[0][:4] == pytest.approx([1e11, 1e11, 5e10, 5e10])
    assert numpy.isnan(shares[0][4])
    assert shares[1][2:] == pytest.approx([5e10, 5e10, 1e11])


def test_no_fair_share_when_the_path_is_unknown(incast):
    # A second cable of h2: which of the two its flows use is not recorded.
    more = incast.links.iloc[4:].assign(from_port=1)
    incast.links = incast.links._append(more)
    assert series.fair_shares(incast, [0]) == {}
    assert [view["name"] for view in charts.rates(incast)["views"]] == ["rate limit", "goodput"]


def test_what_rates_hold_decides_the_views(tmp_path):
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [synthetic.flow(0, 1000, 2.0)])
    columns = [*synthetic.RATE_COLUMNS, "window_bytes", "in_flight_bytes", "rtt_ns", "alpha",
               "cnps"]
    synthetic.write(tmp_path, "rates", columns, [[100, 0, 9, 9, "", 5, 4000, "", 0],
                                                 [200, 0, 9, 9, "", 6, "", "", 1]])
    chart = charts.rates(Result(tmp_path))
    assert [(view["name"], view["y"]["unit"]) for view in chart["views"]] == [
        ("rate limit", "b/s"), ("goodput", "b/s"), ("in flight", "B"), ("round trip", "ns"),
        ("CNPs", "")]
    assert chart["views"][3]["series"][0]["y"] == [4000, None]


def test_pauses_of_instruments_are_taken_before_frames(tmp_path):
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [synthetic.flow(0, 1000, 2.0)])
    synthetic.write(tmp_path, "pauses", synthetic.PAUSE_COLUMNS, [
        [0, "5.000", "9.000", "a", 1, 3, "b", 2, "", "b", 4, 0],
        [1, "20.000", "", "a", 1, 3, "b", 2, "", "b", 4, 0]])
    synthetic.write(tmp_path, "pfc", synthetic.PFC_COLUMNS, [[0, "z", 0, 3, "pause", 9, "b"]])
    (tmp_path / "summary.json").write_text('{"simulated_ns": 50.0}')
    assert series.pauses(Result(tmp_path)) == {("a", 1, 3): [(5, 9), (20, 50)]}
    assert series.paused_at_once(Result(tmp_path), [0, 10, 50]) == pytest.approx([0.4, 0.75])


def tree(tmp_path, rows, instant):
    """(level, port of the row) of the tree at an instant."""
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [synthetic.flow(0, 1000, 2.0)])
    synthetic.write(tmp_path, "pauses", synthetic.PAUSE_COLUMNS, rows)
    return [(level, row.node if row else root[0]) for level, row, root in
            series.tree_rows(Result(tmp_path), instant)]


def test_the_tree_follows_causes(tmp_path):
    rows = [[0, 0, 100, "b", 0, 3, "r", 1, "", "r", 9, 0],
            [1, 10, 100, "c", 0, 3, "b", 1, 0, "r", 9, 1],
            [2, 20, 200, "d", 0, 3, "c", 1, 1, "r", 9, 2],
            [3, 20, 30, "e", 0, 3, "q", 1, "", "q", 7, 0]]
    assert tree(tmp_path, rows, 5) == [(0, "r"), (1, "b")]
    assert tree(tmp_path, rows, 25) == [(0, "q"), (1, "e"), (0, "r"), (1, "b"), (2, "c"), (3, "d")]
    # A pause outlives its causes: it hangs below the root that it is of.
    assert tree(tmp_path, rows, 150) == [(0, "r"), (1, "d")]
    # A pause ends at its end, not after it.
    assert tree(tmp_path, rows, 200) == []


def test_the_tree_when_a_root_is_stopped_itself(tmp_path):
    # When b paused c, b's port 5 was not paused; now it is, by r: c waits for r.
    rows = [[0, 0, 100, "c", 0, 3, "b", 1, "", "b", 5, 0],
            [1, 10, 100, "b", 5, 3, "r", 1, "", "r", 9, 0]]
    assert tree(tmp_path, rows, 5) == [(0, "b"), (1, "c")]
    assert tree(tmp_path, rows, 20) == [(0, "r"), (1, "b"), (2, "c")]


def test_the_tree_of_a_deadlock(tmp_path):
    # Three switches in a ring, each paused by the next for the sake of its own paused port: nothing
    # is lost, the last link of the ring is the one that is cut.
    rows = [[k, k, "", f"s{k}", 1, 3, f"s{(k + 1) % 3}", 0, "", f"s{(k + 1) % 3}", 1, 0]
            for k in range(3)]
    assert tree(tmp_path, rows, 50) == [(0, "s0"), (1, "s2"), (2, "s1"), (3, "s0")]


def test_the_use_of_links_is_conserved(tmp_path):
    # Half used for 100 ns, unused for the next 100 ns: both halves of the map say so.
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [
        synthetic.flow(0, 1000, 1.0, status="running")])
    synthetic.write(tmp_path, "utilisation", synthetic.UTILISATION_COLUMNS, [
        [100, 0, "a", 0, "b", 0, 10, 0.5], [200, 0, "a", 0, "b", 0, 0, 0.0]])
    (tmp_path / "summary.json").write_text('{"simulated_ns": 200.0}')
    chart = fabric_charts.utilisation(Result(tmp_path))
    assert chart["rows"] == ["a port 0 to b"]
    half = len(chart["values"][0]) // 2
    assert chart["values"][0][:half] == [0.5] * half
    assert chart["values"][0][half:] == [0] * half


def test_a_distribution_ends_at_the_largest():
    drawn = charts.distribution("x", [3, 1, 2, 2])
    assert list(zip(drawn["x"], drawn["y"])) == [(1, 0), (1, 0.25), (2, 0.5), (2, 0.75), (3, 1)]
    # Of many values those at the end stay, where p99.9 is read.
    long = charts.distribution("x", range(1, 100_001))
    assert len(long["x"]) < 1500
    assert (long["x"][-1], long["y"][-1]) == (100_000, 1)
    assert 99_900 in long["x"] or min(abs(value - 99_900) for value in long["x"]) < 20


def test_a_distribution_over_time(tmp_path):
    # 5 B for 90 ns, then 9 B for 10 ns.
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [
        synthetic.flow(0, 1000, 1.0, status="running")])
    synthetic.write(tmp_path, "buffers", synthetic.BUFFER_COLUMNS,
                    [[0, "s", 5, 0, 0, 5], [90, "s", 9, 0, 0, 9]])
    (tmp_path / "summary.json").write_text('{"simulated_ns": 100.0}')
    line, = fabric_charts.buffer_cdf(Result(tmp_path))["series"]
    assert list(zip(line["x"], line["y"])) == [(5, 0), (5, 0.9), (9, 1)]


def test_rows_of_maps_are_in_natural_order():
    assert sorted(["leaf10 port 2", "leaf2 port 11", "leaf2 port 3"], key=fabric_charts.natural) \
        == ["leaf2 port 3", "leaf2 port 11", "leaf10 port 2"]


@pytest.mark.parametrize("texts, expected", [
    (["1us", "2ms"], ("ns", [1e3, 2e6])), (["25Gbps", "100Gbps"], ("b/s", [25e9, 100e9])),
    (["1MB", "1MiB"], ("B", [1e6, 2 ** 20])), (["1%", "20%"], ("%", [0.01, 0.2])),
    (["0.5", "2"], ("", [0.5, 2])), (["dcqcn", "none"], None), (["1us", "5"], None),
    (["1us", "1MB"], None), (["1.2.3"], None)])
def test_quantities(texts, expected):
    read = metrics.quantities(texts)
    assert read == (expected if expected is None else (expected[0], pytest.approx(expected[1])))


def described(tmp_path, folder, seed, **settings):
    """A small result with settings."""
    folder = tmp_path / folder
    synthetic.write(folder, "flows", synthetic.FLOW_COLUMNS,
                    [synthetic.flow(n, 1000, 1.0 + seed + n) for n in range(4)])
    synthetic.describe(folder, seed, **settings)
    return Result(folder)


def test_groups(tmp_path):
    results = [described(tmp_path, f"{algorithm}{seed}", seed, congestion__algorithm=algorithm,
                         name=algorithm, **({"congestion__gain": "1"} if algorithm == "a" else {}))
               for algorithm in ("a", "b") for seed in (1, 2)]
    made = metrics.groups(results)
    # Neither the name nor a key that only one algorithm has is what they are named by.
    assert [(group.label, [result.name for result in group.results]) for group in made] == [
        ("algorithm=a (2 seeds)", ["a1", "a2"]), ("algorithm=b (2 seeds)", ["b1", "b2"])]
    assert [group.settings for group in made] == [{"congestion.algorithm": "a"},
                                                  {"congestion.algorithm": "b"}]


def test_results_without_a_summary_are_never_one_group(tmp_path):
    for name in ("a", "b"):
        synthetic.write(tmp_path / name, "flows", synthetic.FLOW_COLUMNS,
                        [synthetic.flow(0, 1000, 2.0)])
    assert [group.label for group in metrics.groups([Result(tmp_path / name) for name in "ab"])] \
        == ["a", "b"]


def test_metrics_of_a_run(tmp_path):
    result = described(tmp_path, "r", 1)
    values = {one.name: one.value for one in metrics.of_run(result)}
    # Slowdowns 2, 3, 4, 5; the last flow ends after 5 * (4000 + 80) + 2000 ns.
    assert (values["slowdown p50"], values["slowdown p99"]) == (3, 5)
    assert values["last flow ended"] == pytest.approx(22_400)
    assert values["goodput of finished flows"] == pytest.approx(4 * 8000 / 22_400 * 1e9)
    assert numpy.isnan(values["deepest queue"])


def test_a_metric_over_a_swept_key(tmp_path):
    results = [described(tmp_path, f"{rate}-{seed}", seed, topology__rate=rate)
               for rate in ("100Gbps", "25Gbps") for seed in (1, 2, 3)]
    chart, = compare.sweep(metrics.groups(results))
    view = next(view for view in chart["views"] if view["name"] == "slowdown p50")
    line, = view["series"]
    # Slowdowns are 1 + seed + 0 to 3, their nearest-rank medians 3, 4, 5: mean 4,
    # standard deviation 1, and 4.303 / sqrt(3) around the mean.
    assert line["x"] == [25e9, 100e9]
    assert line["y"] == [4, 4]
    assert line["high"] == pytest.approx([4 + 4.303 / 3 ** 0.5] * 2, abs=1e-3)


def test_a_sweep_is_read_by_its_table(tmp_path):
    for run, algorithm in enumerate(("a", "b")):
        described(tmp_path / "runs", str(run), 1, congestion__algorithm=algorithm)
    synthetic.write(tmp_path, "sweep", ["run", "fabric", "seed", "folder", "status", "flows"],
                    [[0, "x", 1, "runs/0", "ok", 4], [1, "y", 1, "runs/1", "failed", 4],
                     [2, "z", 1, "runs/2", "not-run", ""]])
    results, sweep = load(tmp_path)
    assert sweep.failed == [("2", "not-run")]
    # By its own keys, whatever the configurations say.
    assert [group.label for group in metrics.groups(results)] == ["fabric=x", "fabric=y"]
    synthetic.write(tmp_path, "sweep", ["run", "status"], [[0, "ok"]])
    with pytest.raises(ResultError, match="no column folder; got run, status"):
        load(tmp_path)


def test_the_table_of_differences(tmp_path):
    results = [described(tmp_path, f"{rate}-{seed}", seed, topology__rate=rate)
               for rate, seeds in (("25Gbps", (1, 2)), ("100Gbps", (4, 5))) for seed in seeds]
    text = "".join(sections.differences(metrics.groups(results)))
    # Medians 3 and 4, and 6 and 7: means 3.5 and 6.5; deviation 0.7071, 12.706 / sqrt(2) of it.
    assert ("<td>slowdown p50</td><td>3.5 \u00b1 6.353</td>"
            "<td>6.5 \u00b1 6.353 (+85.7 %)</td>") in text
    # What is the same in all is without a change; what no run has is no row.
    assert "<td>flows finished</td><td>4 \u00b1 0</td><td>4 \u00b1 0</td>" in text
    assert "deepest queue" not in text


@pytest.mark.parametrize("summary, kind, sentence", [
    ({"partial": True, "partial_reason": "Ctrl-C"}, "bad",
     "Partial: the run was cut short (Ctrl-C)."),
    ({"broken_invariants": ["bytes at s"]}, "bad", "Broken invariant: bytes at s"),
    ({"warnings": ["headroom"]}, "warn", "Warning: headroom"),
    ({"network": {"dropped": {"buffer_full": {"frames": 3}, "no_route": {"frames": 1},
                              "bad_icrc": {"frames": 0}}}}, "warn",
     "4 frames dropped: 3 buffer full, 1 no route.")])
def test_the_verdict_says_what_went_wrong(tmp_path, summary, kind, sentence):
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [synthetic.flow(0, 1000, 2.0)])
    (tmp_path / "summary.json").write_text(json.dumps(summary), encoding="ascii")
    assert (kind, sentence) in sections.verdict(Result(tmp_path))


def test_the_verdict_counts_flows(tmp_path):
    statuses = ["finished", "running", "running", "failed:RETRY_EXC_ERR", "not-started"]
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [
        synthetic.flow(n, 1000, 2.0, status=status) for n, status in enumerate(statuses)])
    lines = sections.verdict(Result(tmp_path))
    assert lines[:4] == [
        ("warn", "1 of 5 flows finished."), ("bad", "1 flow failed: RETRY_EXC_ERR."),
        ("warn", "2 flows still running at the end: censored, in no percentile."),
        ("warn", "1 flow did not start.")]


def test_names_are_text_in_the_page():
    made = "".join(sections.table(["<b>"], [["</script>"]], "a & b"))
    assert "<b>" not in made and "</script>" not in made
    assert "a &amp; b" in made


def test_a_page_takes_what_numpy_computes():
    """Whether a mean is a number of Python or of numpy is up to what else is installed."""
    made = page.Page("any")
    made.figures({"any": {"log": numpy.bool_(True), "rows": numpy.int64(3), "y": numpy.float64(.5)}})
    assert '[{"log":true,"rows":3,"y":0.5}]' in made.text()
    made.figures({"other": {"y": object()}})
    with pytest.raises(TypeError, match="object has no place"):
        made.text()


def test_a_table_is_found_by_the_name_that_its_instrument_was_given(incast):
    (incast.folder / "rates.csv").rename(incast.folder / "speed.csv")
    assert Result(incast.folder).rates is None
    (incast.folder / "summary.json").write_text(json.dumps({"parameters": [
        {"key": "instruments.2.instrument", "value": "queues"},
        {"key": "instruments.2.file", "value": "depth.csv"},
        {"key": "instruments.3.instrument", "value": "rates"},
        {"key": "instruments.3.file", "value": "speed.csv"}]}), encoding="utf-8")
    found = Result(incast.folder)
    assert found.rates["rate_bps"].tolist() == incast.rates["rate_bps"].tolist()
    assert found.queues is None  # its file is not there


REPLAY = ("process,host,completion_ns,recorded_ns,error_ns,ratio,compute_ns,waiting_ns,"
          "other_status,other_opcode,other_length\n")
MESSAGES = "opcode,bytes_from,bytes_to,messages,p50_ns,p95_ns,p99_ns,p99_9_ns,max_ns\n"


def test_a_replay_is_a_table_of_its_processes_and_one_of_its_messages(incast):
    assert not sections.replays([incast])
    (incast.folder / "replay.csv").write_text(
        REPLAY + "rank 0,h0,1500.000,1000.000,500.000,1.5,0.000,700.000,1,0,2\n"
        + "7,h1,800.000,,,,0.000,0.000,0,0,0\n", encoding="ascii")
    (incast.folder / "messages.csv").write_text(
        MESSAGES + "SEND,2049,4096,3,10.000,20.000,20.000,20.000,20.000\n", encoding="ascii")
    (incast.folder / "summary.json").write_text(json.dumps({"applications": [
        {"ended": True, "failure": ""}, {"ended": True, "failure": "no peer"}]}), encoding="utf-8")
    found = Result(incast.folder)
    page = "".join(sections.replays([found]))
    cells = ["rank 0", "h0", "1.5 us", "1 us", "+500 ns", "1.5", "0 ns", "700 ns", "3"]
    assert "".join(f"<td{' class=text' if n < 2 else ''}>{cell}</td>"
                   for n, cell in enumerate(cells)) in page
    # A schedule has no recorded times, and a process may be named by a number.
    assert "<td class=text>7</td>" in page and page.count("<td>-</td>") == 3
    assert "<td class=text>2.05 kB to 4.1 kB</td><td>3</td><td>10 ns</td>" in page
    assert f"<td class=text>{found.title}</td>" in "".join(sections.replays([found, incast]))
    assert ("bad", "1 of 2 applications done.") in sections.verdict(found)
