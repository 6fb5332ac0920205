# SPDX-License-Identifier: GPL-2.0-only
"""Holds the simulator against known values (claims) and against the clock (benchmark)."""
