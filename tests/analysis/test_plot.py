# SPDX-License-Identifier: GPL-2.0-only
"""The command on whole result folders: its text, its pictures, its answers to bad input."""

import matplotlib.image
import numpy
import pytest
import synthetic

from rdmasim_analysis import __main__, charts, figures, metrics, style, text
from rdmasim_analysis.results import Result, ResultError, result_folders

PICTURES = {"slowdown", "queues", "queue-map", "pauses", "rates", "utilisation", "perftest"}
INSTRUMENTED = {"tree", "buffers", "buffer-cdf", "events", "waits"}


def plot(monkeypatch, *arguments):
    """Runs analysis/plot in this process; returns its exit code."""
    monkeypatch.setattr("sys.argv", ["plot", *map(str, arguments)])
    return __main__.main()


def drawn_share(path):
    """The share of a picture's pixels that are not white."""
    pixels = matplotlib.image.imread(path)
    return numpy.mean(numpy.any(pixels[:, :, :3] < 0.98, axis=2))


def labels(figure):
    """The legend texts of all panels of a figure."""
    return [text.get_text() for axes in figure.axes if axes.get_legend()
            for text in axes.get_legend().get_texts()]


def test_all_pictures(tmp_path, monkeypatch, capsys):
    folder = synthetic.make(tmp_path / "thousand")
    assert plot(monkeypatch, folder) == 0
    for name in PICTURES:
        png = folder / "figures" / f"{name}.png"
        assert matplotlib.image.imread(png).shape[:2] == (800, 1200)
        # Axes and text alone are some 2 % of the pixels.
        assert 0.03 < drawn_share(png) < 0.9, name
        assert "<svg" in png.with_suffix(".svg").read_text(encoding="utf-8")
    assert "1000 flows: 990 finished, 10 running" in capsys.readouterr().out


def test_pictures_of_what_instruments_write(tmp_path, monkeypatch):
    folder = synthetic.instrument(synthetic.make(tmp_path / "r", flows=50, ports=3, rated=3))
    assert plot(monkeypatch, folder, "--format", "png") == 0
    assert {path.stem for path in (folder / "figures").iterdir()} == PICTURES | INSTRUMENTED
    for name in INSTRUMENTED:
        assert 0.02 < drawn_share(folder / "figures" / f"{name}.png") < 0.9, name


def test_the_picture_of_the_tree(tmp_path):
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [synthetic.flow(0, 1000, 2.0)])
    synthetic.write(tmp_path, "pauses", synthetic.PAUSE_COLUMNS, synthetic.pause_tree(1, 1, 2))
    figure = figures.ALL["tree"](Result(tmp_path))
    # Of one wave that begins at 100 us: the leaf, after 20 us its first host, 5 us later the other.
    assert figure.axes[0].get_title("left").startswith(
        f"{tmp_path.name}: congestion tree at 125 us")
    assert [(text.get_text(), round(text.get_position()[0], 3)) for text in figure.axes[0].texts] \
        == [("spine0 port 0 prio 3: congested egress port", 0.032),
            ("leaf0 port 8 paused by spine0 port 1", 0.082),
            ("h0 port 0 paused by leaf0 port 0", 0.132),
            ("h1 port 0 paused by leaf0 port 1", 0.132)]
    style.matplotlib.pyplot.close(figure)


def test_several_results_are_compared(tmp_path):
    results = []
    for algorithm in ("dcqcn", "none"):
        for seed in (1, 2):
            folder = synthetic.make(tmp_path / f"{algorithm}{seed}", flows=100, ports=3, rated=3,
                                    seed=seed)
            synthetic.describe(folder, seed, congestion__algorithm=algorithm)
            results.append(Result(folder))
    drawn = figures.comparison(metrics.groups(results), "both")
    assert {name for name, figure in drawn.items() if figure} == {
        "compare-slowdown", "compare-slowdown-cdf", "compare-goodput", "compare-queues",
        "compare-pauses", "compare-over-0"}
    # A curve and its band for each algorithm, not for each run.
    axes = drawn["compare-goodput"].axes[0]
    assert [line.get_label() for line in axes.lines] == ["algorithm=dcqcn (2 seeds)",
                                                         "algorithm=none (2 seeds)"]
    assert len(axes.collections) == 2
    for name, figure in drawn.items():
        if figure:
            path = style.save(figure, tmp_path, name, ["png"])[0]
            assert 0.02 < drawn_share(path) < 0.9, name


def test_the_window_decides_which_flows_count(tmp_path):
    # Ideal of 100 kB: 12 us. Of slowdowns 1 to 4 those in the window are 3 and 4; one is censored.
    rows = [[*synthetic.flow(n, 100_000, 1 + n), int(n > 1)] for n in range(4)]
    rows.append([*synthetic.flow(4, 100_000, 1, status="running"), 1])
    synthetic.write(tmp_path, "flows", [*synthetic.FLOW_COLUMNS, "in_window"], rows)
    result = Result(tmp_path)
    assert result.censored == 1
    lines = text.text(result).splitlines()
    assert lines[2] == ("measurement window: 3 flows count, 2 started outside; "
                        "1 censored (running at the end)")
    assert lines[4].split()[:5] == ["all", "finished", "2", "36", "us"]


def test_pictures_of_equal_results_are_equal(tmp_path, monkeypatch):
    for name in ("a/r", "b/r"):
        plot(monkeypatch, synthetic.make(tmp_path / name, flows=70, ports=3, rated=3))
    for name in PICTURES:
        for form in ("png", "svg"):
            one, other = (tmp_path / side / "r/figures" / f"{name}.{form}" for side in "ab")
            assert one.read_bytes() == other.read_bytes(), one


def test_no_clutter(tmp_path):
    result = Result(synthetic.make(tmp_path / "r"))
    for name, draw in figures.ALL.items():
        figure = draw(result)
        if figure is None:
            assert name in INSTRUMENTED
            continue
        assert len(labels(figure)) <= 8, name
        assert sum(len(axes.lines) for axes in figure.axes) <= 16, name
        # A row of the map of queues has 16 of the 800 pixels.
        most = charts.MAP_ROWS if name == "queue-map" else 26
        assert all(len(axes.get_yticklabels()) <= most for axes in figure.axes), name
        style.matplotlib.pyplot.close(figure)


def test_queue_lines_are_the_deepest_ports(tmp_path):
    # Two priorities of port 1 add up to 70 kB at 20 ns: deeper than port 0 with its 60 kB.
    rows = [[0, "s", 0, 3, 60_000], [10, "s", 1, 3, 40_000], [20, "s", 1, 4, 30_000],
            [30, "s", 1, 3, 0], [40, "s", 0, 3, 0], [50, "s", 1, 4, 0]]
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [synthetic.flow(0, 1000, 2.0)])
    synthetic.write(tmp_path, "queues", synthetic.QUEUE_COLUMNS, rows)
    figure = figures.queue_depth(Result(tmp_path))
    assert labels(figure) == ["s port 1 (max 70 kB)", "s port 0 (max 60 kB)"]
    style.matplotlib.pyplot.close(figure)


def test_idle_ports_and_idle_time_are_left_out(tmp_path):
    # 0.9 kB is below 1 % of 100 kB. The flow ends at 2 * (4000 + 80) + 2000 ns; the run at 1 ms.
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [synthetic.flow(0, 1000, 2.0)])
    synthetic.write(tmp_path, "queues", synthetic.QUEUE_COLUMNS,
                    [[0, "s", 0, 3, 100_000], [0, "s", 1, 3, 900], [10, "s", 0, 3, 0]])
    (tmp_path / "summary.json").write_text('{"simulated_ns": 1000000.0}')
    figure = figures.queue_depth(Result(tmp_path))
    assert labels(figure) == ["largest of all others (1)", "s port 0 (max 100 kB)"]
    assert figure.axes[0].get_xlim()[1] == pytest.approx(10.160)
    style.matplotlib.pyplot.close(figure)


def test_pauses_expire_by_the_rate_of_the_port(tmp_path):
    # 1000 quanta: 5.12 us at 100 Gb/s, 20.48 us at 25 Gb/s; the second is cut by its resume.
    link = [0, "a", 0, "b", 0, 100_000_000_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    synthetic.write(tmp_path, "links", synthetic.LINK_COLUMNS,
                    [link, [0, "b", 0, "a", 0, 25_000_000_000, *link[6:]]])
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [synthetic.flow(0, 10 ** 6, 2.0)])
    synthetic.write(tmp_path, "pfc", synthetic.PFC_COLUMNS, [
        [0, "a", 0, 3, "pause", 1000, "x"], [0, "b", 0, 3, "pause", 1000, "x"],
        [8000, "a", 0, 3, "resume", 0, "x"], [9000, "b", 0, 3, "resume", 0, "x"]])
    figure = figures.pause_time(Result(tmp_path))
    title = figure.axes[0].get_title("left")
    assert title.endswith("2 port priorities were paused, 14.12 us from PAUSE to resume in all")
    assert [text.get_text() for text in figure.axes[1].get_yticklabels()] == [
        "b port 0 prio 3", "a port 0 prio 3"]
    style.matplotlib.pyplot.close(figure)


def test_the_end_of_a_flow_is_no_rate_of_the_others(tmp_path):
    # Flows 6 and 7 are beyond the six largest. At 20 ns flow 7 has ended: the band is flow 6 alone.
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS,
                    [synthetic.flow(n, 10_000 - n, 2.0) for n in range(8)])
    synthetic.write(tmp_path, "rates", synthetic.RATE_COLUMNS,
                    [[time, n, 0 if (time, n) == (20, 7) else (n + 1) * 10 ** 9, 0]
                     for time in (10, 20) for n in range(8)])
    figure = figures.rates(Result(tmp_path))
    median = next(line for line in figure.axes[1].lines if line.get_label() == "their median")
    assert list(median.get_ydata())[1] == pytest.approx(7)
    style.matplotlib.pyplot.close(figure)


def test_perftest_draws_what_was_measured_against_size(tmp_path):
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [])
    rows = [row for verb in ("write", "fetch-add") for size in (8, 4)
            for row in synthetic.perftest(verb, size)]
    synthetic.write(tmp_path, "perftest", synthetic.PERFTEST_COLUMNS,
                    [row for row in rows if row[2] == "lat"])
    figure = figures.perftest(Result(tmp_path))
    assert [axes.get_ylabel() for axes in figure.axes] == ["typical latency (us)"]
    assert labels(figure) == ["write", "fetch-add"]
    line = figure.axes[0].lines[0]
    assert list(line.get_xdata()) == [4, 8]
    assert list(line.get_ydata()) == [1.00032, 1.00064]
    assert figure.axes[0].get_xscale() == figure.axes[0].get_yscale() == "log"
    style.matplotlib.pyplot.close(figure)
    synthetic.write(tmp_path, "perftest", synthetic.PERFTEST_COLUMNS, rows)
    figure = figures.perftest(Result(tmp_path))
    assert [axes.get_ylabel() for axes in figure.axes] == ["typical latency (us)",
                                                           "bandwidth (Gb/s)"]
    style.matplotlib.pyplot.close(figure)
    synthetic.write(tmp_path, "perftest", synthetic.PERFTEST_COLUMNS, [])
    assert figures.perftest(Result(tmp_path)) is None


def test_one_size_shows_the_distribution_only(tmp_path):
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS,
                    [synthetic.flow(n, 64_000, 1 + n) for n in range(4)])
    figure = figures.slowdown(Result(tmp_path))
    assert [axes.get_xlabel() for axes in figure.axes] == ["FCT slowdown (delivered time / ideal)"]
    style.matplotlib.pyplot.close(figure)


def test_text(tmp_path):
    # Ideal of 100 kB in synthetic.flow: 4000 + 8000 ns; slowdowns 1, 2, 3, 4: median 24 us.
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS,
                    [synthetic.flow(n, 100_000, 1 + n) for n in range(4)]
                    + [synthetic.flow(4, 100_000, 1, status="failed:RETRY_EXC_ERR")])
    synthetic.write(tmp_path, "links", synthetic.LINK_COLUMNS, [
        [0, "a", 0, "b", 1, 10 ** 11, 0, 5, 5, 0.25, 2, 7, 0, 0, 1500, 3000],
        [0, "b", 1, "a", 0, 10 ** 11, 0, 5, 5, 0.5, 1, 0, 0, 0, 0, 2000]])
    lines = text.text(Result(tmp_path)).splitlines()
    assert lines[1] == "5 flows: 1 failed:RETRY_EXC_ERR, 4 finished"
    assert lines[3].split() == ["all", "finished", "4", "24", "us", "48", "us", "48", "us", "48",
                                "us", "2.00", "4.00", "4.00", "4.00"]
    assert lines[4:] == [
        "busiest link: b to a, 50.0 %", "deepest queue: 3 kB at a port 0",
        "dropped 3 frames, retransmitted 0 packets, 0 timeouts; marked 7 frames",
        "paused: 1 of 2 link directions, 1500 ns in all"]


def test_partial_results_say_so(tmp_path):
    folder = synthetic.make(tmp_path / "r", flows=5, ports=1, rated=1)
    assert Result(folder).title == "r"
    (folder / "summary.json").write_text('{"partial": true, "simulated_ns": 12.5}')
    result = Result(folder)
    assert result.end_ns == 12.5
    assert text.text(result).startswith("r (partial), ")
    figure = figures.queue_depth(result)
    assert figure.axes[0].get_title("left").startswith("r (partial): ")
    style.matplotlib.pyplot.close(figure)


def test_nothing_finished(tmp_path, monkeypatch, capsys):
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS,
                    [synthetic.flow(0, 1000, 1, status="running")])
    for name in ("links", "pfc", "queues"):
        synthetic.write(tmp_path, name, getattr(synthetic, {
            "links": "LINK_COLUMNS", "pfc": "PFC_COLUMNS", "queues": "QUEUE_COLUMNS"}[name]), [])
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/rates.png").write_bytes(b"of an earlier run")
    assert plot(monkeypatch, tmp_path) == 0
    assert "1 flows: 1 running" in capsys.readouterr().out
    assert list((tmp_path / "figures").iterdir()) == []


def test_a_sweep_is_found_below(tmp_path, monkeypatch):
    for name in ("a", "b"):
        synthetic.make(tmp_path / "sweep" / name, flows=5, ports=1, rated=1)
    assert [folder.name for folder in result_folders(tmp_path / "sweep")] == ["a", "b"]
    assert plot(monkeypatch, tmp_path / "sweep", "--out", tmp_path / "out", "--format", "png") == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.is_dir()) == [
        "a", "b"]
    assert (tmp_path / "out/a/slowdown.png").exists()


@pytest.mark.parametrize("spoil, message", [
    (lambda folder: (folder / "flows.csv").unlink(), "not a result folder"),
    (lambda folder: (folder / "flows.csv").write_text("flow,tag\n0,x\n"), "no column source"),
    (lambda folder: (folder / "flows.csv").write_text(""), "flows.csv"),
    (lambda folder: (folder / "summary.json").write_text('{\n"seed": ,\n}'), "summary.json:2"),
    (lambda folder: (folder / "pfc.csv").write_text(
        ",".join(synthetic.PFC_COLUMNS) + "\n1.0,a,0,3,pause,9,x\nsoon,a,0,3,resume,0,x\n"),
     "pfc.csv:3: time_ns: got 'soon', expected a number"),
])
def test_bad_folder(tmp_path, monkeypatch, capsys, spoil, message):
    folder = synthetic.make(tmp_path / "r", flows=5, ports=1, rated=1)
    spoil(folder)
    with pytest.raises(ResultError, match=message.split(":")[0]):
        Result(folder)
    assert plot(monkeypatch, folder) == 2
    if message != "not a result folder":
        assert message in capsys.readouterr().err
