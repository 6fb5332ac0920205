# SPDX-License-Identifier: GPL-2.0-only
"""Files whose first line promises more than they hold."""


def measure(lab):
    flows = lab.write("flows.txt", "5\n" + "0 1 3 100 1000 0.0\n" * 3)
    good = lab.write("good.txt", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")
    bad = lab.write("bad.txt", "3 1 7\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")
    of_flows = lab.refused({"topology.file": good, "workload.0.file": flows})
    of_links = lab.refused({"topology.file": bad, "workload.0.file": flows})
    return {
        "both numbers of flows are told": "5" in of_flows and "3" in of_flows,
        "both numbers of links are told": "7" in of_links and "2" in of_links,
    }
