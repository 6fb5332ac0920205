#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Counts nodes and links of htsim's topology files by the arithmetic of its fat-tree.

usage: count_htsim_topology.py FILE.topo...
Prints a row for each file: hosts, tor, agg and core switches, cables. Hosts of a pod over the ports
of a tor are its tors; the uplinks of all hosts' capacity, over speed and oversubscription, are the
tors' uplinks, and over a pod's and an agg's ports its aggs; the same once more for the cores.
"""

import sys
from pathlib import Path


def read(text):
    """The header, and a dictionary for each tier."""
    header, tiers = {}, []
    for line in text.lower().splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "tier":
            tiers.append({"oversubscribed": 1, "bundle": 1})
        (tiers[-1] if tiers else header)[words[0]] = int(words[1])
    return header, tiers


def count(text):
    """Hosts, tors, aggs, cores, cables."""
    header, tiers = read(text)
    hosts = header["nodes"]
    pods = hosts // header["podsize"]
    tors = hosts // tiers[0]["radix_down"]
    speed = [tier["downlink_speed_gbps"] for tier in tiers]
    tor_uplinks = hosts * speed[0] // (speed[1] * tiers[0]["oversubscribed"])
    aggs = tor_uplinks // (pods * tiers[1]["radix_down"]) * pods
    if header["tiers"] == 2:
        return hosts, tors, aggs, 0, hosts + tor_uplinks
    agg_uplinks = tor_uplinks * speed[1] // (speed[2] * tiers[1]["oversubscribed"])
    cores = agg_uplinks // tiers[2]["radix_down"]
    return hosts, tors, aggs, cores, hosts + tor_uplinks + agg_uplinks


for name in sys.argv[1:]:
    print(Path(name).name, *count(Path(name).read_text()))
