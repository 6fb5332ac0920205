# SPDX-License-Identifier: GPL-2.0-only
"""Statistics against values worked out by hand."""

import numpy
import pytest

from rdmasim_analysis import statistics


@pytest.mark.parametrize("values, percent, expected", [
    ([3, 1, 2], 50, 2),            # rank ceil(1.5) = 2 of 1 2 3
    ([4, 1, 3, 2], 50, 2),         # rank 2
    (range(1, 101), 99, 99),       # rank 99
    (range(1, 101), 95, 95),
    (range(1, 102), 99, 100),      # rank ceil(99.99) = 100
    (range(1, 21), 95, 19),        # rank 19, although 0.95 * 20 is above 19 in binary
    ([7], 99, 7),
    ([5, 6], 0, 5),
    ([5, 6], 100, 6),
])
def test_percentile(values, percent, expected):
    assert statistics.percentile(list(values), percent) == expected


def test_percentile_of_nothing():
    assert numpy.isnan(statistics.percentile([], 50))


def test_needed():
    assert (statistics.needed(50), statistics.needed(95), statistics.needed(99)) == (2, 20, 100)


@pytest.mark.parametrize("flows, bins", [
    (0, 0), (59, 0), (60, 3), (299, 14), (300, 3), (1000, 10), (100_000, 20)])
def test_bin_count(flows, bins):
    assert statistics.bin_count(flows) == bins


def test_equal_count_bins():
    sizes = [50, 10, 40, 20, 30, 60]
    bins = statistics.equal_count_bins(sizes, 3)
    assert [[sizes[i] for i in members] for members in bins] == [[10, 20], [30, 40], [50, 60]]


def test_equal_count_bins_keeps_a_size_together():
    # Four of seven flows have one size: they stay in one bin.
    sizes = [1, 5, 5, 5, 5, 9, 10]
    bins = statistics.equal_count_bins(sizes, 3)
    assert [[sizes[i] for i in members] for members in bins] == [[1, 5, 5, 5, 5], [9, 10]]
    # Shares of 7 // 2 = 3: what is left of the third joins the second.
    bins = statistics.equal_count_bins([1, 2, 3, 4, 5, 6, 7], 2)
    assert [list(members) for members in bins] == [[0, 1, 2], [3, 4, 5, 6]]
    assert [len(members) for members in statistics.equal_count_bins([7] * 50, 5)] == [50]


def test_quantile_bins():
    sizes = [50, 10, 40, 20, 30, 60]
    bins = statistics.quantile_bins(sizes, 3)
    assert [[sizes[i] for i in members] for members in bins] == [[10, 20], [30, 40], [50, 60]]
    # The first third ends within the flows of size 5: the cut moves behind them, where the second
    # third has ended, too.
    sizes = [1, 5, 5, 5, 5, 9]
    bins = statistics.quantile_bins(sizes, 3)
    assert [[sizes[i] for i in members] for members in bins] == [[1, 5, 5, 5, 5], [9]]
    assert [len(members) for members in statistics.quantile_bins(range(1003), 10)] == [
        101, 100, 100, 101, 100, 100, 101, 100, 100, 100]  # cuts at ceil(100.3 k)
    assert statistics.quantile_bins([], 10) == []


def test_thinned_keeps_extremes_and_ends():
    times = numpy.arange(1000)
    values = numpy.zeros(1000)
    values[137], values[733] = 9, -7
    kept, shown = statistics.thinned(times, values, numpy.linspace(0, 1000, 11))
    assert len(kept) <= 40
    assert (kept[0], kept[-1]) == (0, 999)
    assert list(numpy.diff(kept) > 0) == [True] * (len(kept) - 1)
    assert dict(zip(kept, shown))[137] == 9
    assert dict(zip(kept, shown))[733] == -7
    # Few points stay as they are.
    assert list(statistics.thinned([3, 1], [2, 5], [0, 1])[0]) == [3, 1]


@pytest.mark.parametrize("share, freedom, expected", [
    # Table of the t distribution, e.g. Abramowitz and Stegun, table 26.10.
    (0.95, 1, 12.706), (0.95, 2, 4.303), (0.95, 3, 3.182), (0.95, 4, 2.776), (0.95, 9, 2.262),
    (0.95, 10, 2.228), (0.95, 30, 2.042), (0.95, 120, 1.980), (0.99, 5, 4.032), (0.9, 1, 6.314)])
def test_student_t(share, freedom, expected):
    assert statistics.student_t(share, freedom) == pytest.approx(expected, abs=5e-4)


def test_confidence():
    # Mean 2, standard deviation 1, three values: 4.303 / sqrt(3).
    mean, half = statistics.confidence([1, 2, 3, float("nan")])
    assert mean == 2
    assert half == pytest.approx(4.303 / 3 ** 0.5, abs=1e-3)
    # Three times 0.1 is not 0.3 in binary; a spread of 1e-17 would be none.
    assert statistics.confidence([0.1, 0.1, 0.1]) == (0.1, 0.0)
    mean, half = statistics.confidence([5])
    assert mean == 5 and numpy.isnan(half)
    assert all(numpy.isnan(statistics.confidence([])))


def test_fair_rates():
    # Bertsekas and Gallager, Data Networks, section 6.5.2: flow 1 crosses links a, b; flow 2 a;
    # flow 3 b. With capacities 1 and 2, a gives 1/2 to each of its flows, b the rest to flow 3.
    assert statistics.fair_rates({1: "ab", 2: "a", 3: "b"}, {"a": 1.0, "b": 2.0}) == {
        1: 0.5, 2: 0.5, 3: 1.5}
    assert statistics.fair_rates({}, {"a": 1.0}) == {}


def test_pause_ends_by_resume():
    assert statistics.pause_intervals([(100.0, 65535), (350.0, 0)], 100e9, 1e6) == [(100.0, 350.0)]


def test_pause_expires():
    # 1000 quanta of 512 bit times at 100 Gb/s: 1000 * 5.12 ns = 5120 ns.
    assert statistics.pause_intervals([(0.0, 1000), (9000.0, 0)], 100e9, 1e6) == [(0.0, 5120.0)]


def test_pause_is_refreshed():
    # The second pause, at 4000 ns, lasts until 4000 + 5120 ns.
    assert statistics.pause_intervals([(0.0, 1000), (4000.0, 1000)], 100e9, 1e6) == [(0.0, 9120.0)]


def test_pause_after_expiry_is_another():
    assert statistics.pause_intervals([(0.0, 1000), (6000.0, 1000), (7000.0, 0)], 100e9, 1e6) == [
        (0.0, 5120.0), (6000.0, 7000.0)]


def test_pause_ends_with_the_run():
    assert statistics.pause_intervals([(10.0, 65535)], 100e9, 50.0) == [(10.0, 50.0)]
    assert statistics.pause_intervals([(10.0, 1)], None, 5000.0) == [(10.0, 5000.0)]


def test_resume_alone_is_no_pause():
    assert statistics.pause_intervals([(10.0, 0)], 100e9, 50.0) == []


def test_covered_share():
    # Bins of 10: [2, 7) covers half of the first; [15, 25) half of the second and third.
    share = statistics.covered_share([(2, 7), (15, 25)], [0, 10, 20, 30, 40])
    assert share == pytest.approx([0.5, 0.5, 0.5, 0.0])
    assert statistics.covered_share([], [0, 1, 2]) == pytest.approx([0, 0])
    assert statistics.covered_share([(0, 40)], [0, 10, 40]) == pytest.approx([1, 1])


def test_held_values():
    held = statistics.held_values([10, 20], [5, 0], [0, 10, 15, 20, 99])
    assert held == pytest.approx([0, 5, 5, 0, 0])
    assert statistics.held_values([], [], [1, 2]) == pytest.approx([0, 0])


def test_bucket_maxima():
    # The step to 9 at 12 lasts until 13 and is still the maximum of [10, 20); 4 is held into
    # [20, 30), until 0 at 21.
    maxima = statistics.bucket_maxima([1, 12, 13, 21], [3, 9, 4, 0], [0, 10, 20, 30, 40])
    assert maxima == pytest.approx([3, 9, 4, 0])
