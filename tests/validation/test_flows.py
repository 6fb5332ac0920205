# SPDX-License-Identifier: GPL-2.0-only
"""Percentiles by size are those of the published figures' own rule, counted by hand."""

import pytest
from rdmasim_validation.flows import CompletedFlow, percentile, slowdown_by_size


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [([4, 1, 3, 2], 50, 2), ([4, 1, 3, 2], 95, 4), ([7], 1, 7), (range(1, 101), 95, 95)],
)
def test_percentile_is_of_nearest_rank(values, percent, expected):
    assert percentile(values, percent) == expected


def test_a_point_stands_for_the_flows_up_to_it():
    # 40 flows: two in each 5 %; the slowdown is the rank, so the larger of the two is the tail.
    flows = [CompletedFlow(100 * n, 0.0, 1.0, float(n), "") for n in range(1, 41)]
    points = slowdown_by_size(flows, 95)
    assert [x for x, _ in points] == list(range(5, 101, 5))
    assert [y for _, y in points] == [2.0 * n for n in range(1, 21)]
