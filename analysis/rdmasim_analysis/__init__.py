# SPDX-License-Identifier: GPL-2.0-only
"""Reads result folders of rdmasim: tables, statistics, pictures."""
