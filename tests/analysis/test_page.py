# SPDX-License-Identifier: GPL-2.0-only
"""The page of analysis/report, as a browser shows it."""

import browser
import pytest
import synthetic

from rdmasim_analysis import page

SETTINGS = {"congestion__algorithm": "dcqcn", "topology__rate": "100Gbps"}
RUN_FIGURES = {"slowdown", "slowdown-cdf", "tree", "pauses", "queues", "queue-map", "rates",
               "goodput", "events", "buffers", "buffer-cdf", "utilisation", "waits", "perftest"}

pytestmark = pytest.mark.skipif(browser.PROGRAM is None, reason="chromium is not installed")


def make(folder, **settings):
    """A result folder with everything that a run can write."""
    seed = settings.pop("seed", 1)
    synthetic.make(folder, flows=600, ports=8, rated=5, seed=seed)
    synthetic.instrument(folder, seed)
    synthetic.describe(folder, seed, **(SETTINGS | settings))
    return folder


def report(monkeypatch, out, *folders):
    """Runs analysis/report in this process; returns the file."""
    monkeypatch.setattr("sys.argv", ["report", *map(str, folders), "--out", str(out)])
    assert page.main() == 0
    return out


@pytest.fixture(scope="module", name="chromium")
def _chromium(tmp_path_factory):
    with browser.Browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="module", name="one_run")
def _one_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        return report(patch, folder / "page.html", make(folder / "r"))


def check_page(chromium, path, figures):
    """Opens a page at both widths: all figures drawn, no complaint, no request, no overflow."""
    for width in (1280, 390):
        chromium.open(path, width)
        assert chromium.complaints() == []
        assert chromium.requests() == []
        drawn = chromium.value("Object.fromEntries([...document.querySelectorAll('figure')].map("
                               "(one) => [one.dataset.name, Number(one.dataset.drawn)]))")
        assert set(drawn) == figures
        assert all(marks > 0 for marks in drawn.values()), drawn
        assert chromium.value("document.documentElement.dataset.ready") == str(len(figures))
        assert chromium.value("document.documentElement.scrollWidth") <= width
        # Nothing sticks out of its figure either, whether it would scroll or not.
        assert chromium.value("[...document.querySelectorAll('figure')].filter((one) => "
                              "one.scrollWidth > one.clientWidth).map((one) => "
                              "one.dataset.name)") == []


def test_the_page_of_a_run(chromium, one_run):
    check_page(chromium, one_run, RUN_FIGURES)


def test_a_page_names_no_other_file(one_run):
    text = one_run.read_text(encoding="utf-8")
    # The name space of SVG is a name, not an address that anything loads.
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "src=" not in text
    assert len(text) < 2_000_000


def test_every_label_is_inside_its_figure(chromium, one_run):
    for width in (1280, 390):
        chromium.open(one_run, width)
        assert chromium.value(
            "[...document.querySelectorAll('.plot > svg')].flatMap((svg) => {"
            "  const frame = svg.getBoundingClientRect();"
            "  return [...svg.querySelectorAll('text')].filter((text) => {"
            "    const box = text.getBoundingClientRect();"
            "    return box.left < frame.left - 1 || box.right > frame.right + 1 ||"
            "           box.top < frame.top - 1 || box.bottom > frame.bottom + 1;"
            "  }).map((text) => svg.getAttribute('aria-label') + ': ' + text.textContent);"
            "})") == []


def test_no_two_labels_overlap(chromium, one_run):
    for width in (1280, 390):
        chromium.open(one_run, width)
        # Boxes have empty rims: three pixels in each direction do not touch.
        assert chromium.value(
            "[...document.querySelectorAll('.plot > svg')].flatMap((svg) => {"
            "  const boxes = [...svg.querySelectorAll('text')].map((text) =>"
            "    [text.getBoundingClientRect(), text.textContent]);"
            "  return boxes.flatMap(([a, name], k) => boxes.slice(k + 1).filter(([b]) =>"
            "    a.left + 3 < b.right && b.left + 3 < a.right &&"
            "    a.top + 3 < b.bottom && b.top + 3 < a.bottom).map(([, other]) =>"
            "      `${svg.getAttribute('aria-label')}: ${name} / ${other}`));"
            "})") == []


def place(chromium, name, share):
    """A place in a figure's plot: so far along its x axis, in the middle of its height."""
    chromium.value(f"document.querySelector('figure[data-name={name}]').scrollIntoView()")
    left, right, middle = chromium.value(
        f"(() => {{ const at = Report.figures.find((one) => one.element.dataset.name === '{name}');"
        "const frame = at.svg.getBoundingClientRect();"
        "return [frame.left + at.box.left, frame.left + at.box.right,"
        "        frame.top + (at.box.top + at.box.bottom) / 2]; })()")
    return left + share * (right - left), middle


def test_hover_shows_values_with_units(chromium, one_run):
    chromium.open(one_run)
    chromium.mouse("Moved", *place(chromium, "queues", 0.2))
    tip = "document.querySelector('figure[data-name=queues] .tip')"
    assert chromium.value(f"getComputedStyle({tip}).display") == "block"
    # A fifth of the 10 ms of the run; the plot is wide enough for three digits.
    assert chromium.value(f"{tip}.firstChild.textContent").startswith("time: 2")
    assert chromium.value(f"{tip}.firstChild.textContent").endswith(" ms")
    assert " kB" in chromium.value(f"{tip}.textContent")


def test_a_drag_zooms_all_figures_over_time(chromium, one_run):
    chromium.open(one_run)
    start = place(chromium, "queues", 0.25)
    stop = place(chromium, "queues", 0.75)
    chromium.mouse("Moved", *start)
    chromium.mouse("Pressed", *start, pressed=True)
    chromium.mouse("Moved", *stop, pressed=True)
    chromium.mouse("Released", *stop)
    ranges = chromium.value("Object.fromEntries(Report.figures.map((one) => "
                            "[one.element.dataset.name, one.range]))")
    over_time = {"queues", "queue-map", "pauses", "tree", "rates", "goodput", "buffers", "events",
                 "utilisation"}
    assert {name for name, zoom in ranges.items() if zoom} == over_time
    assert ranges["pauses"] == pytest.approx([2.5e6, 7.5e6], rel=0.01)
    chromium.value("document.querySelector('figure[data-name=pauses] .reset').click()")
    assert chromium.value("Report.figures.every((one) => one.range === null)")


def test_the_legend_hides_a_series(chromium, one_run):
    chromium.open(one_run)
    figure = "document.querySelector('figure[data-name=buffers]')"
    before = chromium.value(f"Number({figure}.dataset.drawn)")
    chromium.value(f"{figure}.querySelector('.legend button').click()")
    # Three switches with the same number of samples each.
    assert chromium.value(f"Number({figure}.dataset.drawn)") == before * 2 / 3
    assert chromium.value(f"{figure}.querySelector('.legend button')"
                          ".getAttribute('aria-pressed')") == "false"


def test_the_views_of_a_figure(chromium, one_run):
    chromium.open(one_run)
    figure = "document.querySelector('figure[data-name=rates]')"
    assert chromium.value(f"{figure}.innerText").count("goodput") == 1
    chromium.value(f"{figure}.querySelectorAll('.view')[1].click()")
    assert "goodput (Gb/s)" in chromium.value(f"[...{figure}.querySelectorAll('text.title')].map("
                                              "(one) => one.textContent).join()")


def test_the_tree_at_an_instant(chromium, one_run):
    chromium.open(one_run)
    rows = "[...document.querySelectorAll('.tree .row')].map((one) => one.textContent)"
    # The instant with most pauses: three leaves and the twelve hosts below them.
    shown = chromium.value(rows)
    assert shown[0] == "spine0 port 0 prio 3: congested egress port"
    assert len(shown) == 1 + 3 + 12
    assert shown[1].startswith("leaf0 port 8 paused by spine0 port 1 for ")
    assert shown[2].startswith("h0 port 0 paused by leaf0 port 0 for ")
    margins = "[...document.querySelectorAll('.tree .row')].map((one) => one.style.marginLeft)"
    assert chromium.value(margins)[:3] == ["0px", "26px", "52px"]
    # The first instant of all: leaf0 alone. By the slider, as a user does.
    slider = "document.querySelector('figure[data-name=tree] input')"
    chromium.value(f"{slider}.value = 0; {slider}.dispatchEvent(new Event('input'))")
    assert chromium.value(rows) == [
        "spine0 port 0 prio 3: congested egress port",
        "leaf0 port 8 paused by spine0 port 1 for 0 ns of 200 us"]
    assert chromium.value("document.querySelector('figure[data-name=tree] output').textContent") \
        == "100 us"


def test_the_tree_after_the_cause_has_ended(chromium, one_run):
    # leaf0 is paused from 100 to 300 us, its hosts to 310 us: between these they hang below the
    # root, and so does leaf1 with its hosts, paused to 310 us and 320 us.
    chromium.open(one_run)
    tree = "Report.figures.find((one) => one.element.dataset.name === 'tree').spec"
    rows = chromium.value(f"treeRows({tree}, 305e3).map((row) => [row.level, row.k === null ? null "
                          f": {tree}.names[{tree}.pauses.port[row.k]]])")
    assert rows == [
        [0, None], *([1, f"h{host} port 0"] for host in range(4)), [1, "leaf1 port 8"],
        *([2, f"h{host} port 0"] for host in range(4, 8)), [1, "leaf2 port 8"],
        *([2, f"h{host} port 0"] for host in range(8, 12))]
    assert chromium.value(f"treeRows({tree}, 450e3)") == []


def test_the_tree_of_a_deadlock(chromium, tmp_path, monkeypatch):
    # The ring of test_series.py.
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS, [synthetic.flow(0, 1000, 2.0)])
    synthetic.write(tmp_path, "pauses", synthetic.PAUSE_COLUMNS, [
        [k, k, "", f"s{k}", 1, 3, f"s{(k + 1) % 3}", 0, "", f"s{(k + 1) % 3}", 1, 0]
        for k in range(3)])
    chromium.open(report(monkeypatch, tmp_path / "p.html", tmp_path))
    assert chromium.value("[...document.querySelectorAll('.tree .row')].map((one) => "
                          "one.textContent.split(' port')[0])") == ["s0", "s2", "s1", "s0"]


def test_figures_without_their_file_are_left_out(chromium, tmp_path, monkeypatch):
    synthetic.write(tmp_path, "flows", synthetic.FLOW_COLUMNS,
                    [synthetic.flow(n, 1000 * (n + 1), 2.0 + n) for n in range(5)])
    check_page(chromium, report(monkeypatch, tmp_path / "p.html", tmp_path),
               {"slowdown", "slowdown-cdf"})


def test_a_million_samples(chromium, tmp_path, monkeypatch):
    # 100 ports, 10 000 samples each: the page stays small and says what it thinned.
    import numpy
    import pandas
    synthetic.make(tmp_path, flows=50, ports=4, rated=2)
    times = numpy.arange(0, 10_000) * 1000.0
    draw = numpy.random.default_rng(1)
    pandas.concat([pandas.DataFrame({
        "time_ns": times, "node": f"s{port // 10}", "port": port % 10, "priority": 3,
        "queue_bytes": draw.integers(1, 10 ** 6, len(times))}) for port in range(100)]).to_csv(
            tmp_path / "queues.csv", index=False)
    out = report(monkeypatch, tmp_path / "p.html", tmp_path)
    assert out.stat().st_size < 3_000_000
    chromium.open(out)
    assert chromium.complaints() == []
    note = chromium.value("document.querySelector('figure[data-name=queues] .note').textContent")
    assert note.startswith("The 8 deepest of 100 ports that queued. Up to 10000 samples a line")


def test_runs_that_differ_in_the_seed_are_one_curve(chromium, tmp_path, monkeypatch):
    folders = [make(tmp_path / f"{algorithm}-{seed}", seed=seed, congestion__algorithm=algorithm)
               for algorithm in ("dcqcn", "none") for seed in (1, 2, 3)]
    out = report(monkeypatch, tmp_path / "p.html", *folders)
    check_page(chromium, out, {
        "slowdown", "slowdown-cdf", "goodput", "queues", "pauses", "buffer-cdf",
        *(f"{name}-{number}" for name in ("pause_map", "queue_map", "utilisation")
          for number in (0, 1))})
    legend = chromium.value("[...document.querySelectorAll('figure[data-name=slowdown] .legend "
                            "span')].map((one) => one.textContent)")
    assert legend == ["algorithm=dcqcn (3 seeds)", "algorithm=none (3 seeds)"]
    assert chromium.value("document.body.innerText").count("95 % confidence interval") >= 2


def sweep(folder):
    """The folder of a sweep over the rate, two seeds each; one run has failed."""
    rows = []
    for number, (rate, seed) in enumerate((rate, seed) for rate in ("25Gbps", "100Gbps")
                                          for seed in (1, 2)):
        make(folder / "runs" / str(number), seed=seed, topology__rate=rate)
        rows.append([number, rate, seed, f"runs/{number}", "ok"])
    rows.append([4, "400Gbps", 1, "runs/4", "crashed"])
    synthetic.write(folder, "sweep", ["run", "topology.rate", "seed", "folder", "status"], rows)
    return folder


def test_a_sweep(chromium, tmp_path, monkeypatch):
    out = report(monkeypatch, tmp_path / "p.html", sweep(tmp_path / "sweep"))
    chromium.open(out)
    assert chromium.complaints() == []
    text = chromium.value("document.body.innerText")
    assert "4 of 5 runs of the sweep have results." in text
    assert "Run 4: crashed." in text
    assert chromium.value("Report.figures[0].spec.title") == "Over topology.rate"
    # By value, not by name: 25 Gb/s is left of 100 Gb/s on an axis of rates.
    assert chromium.value("Report.figures[0].data.series[0].x") == [25e9, 100e9]
    assert chromium.value("Report.figures[0].data.x.unit") == "b/s"
    assert chromium.value("Report.figures[0].data.series[0].low.length") == 2
