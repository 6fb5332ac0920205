# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics without switches."""


def measure(lab):
    two = lab.run("two", {"workload.0.flows": "h0 h1 1MB 0us"})
    ring = ", ".join(f"h{i} h{(i + 1) % 8} 1MB 0us" for i in range(8))
    mesh = lab.run(
        "mesh",
        {"topology": "{family: full-mesh, hosts: 8}", "workload.0.flows": f"[{ring}]"},
    )
    # Four hosts, two cables: 0 - 1 and 2 - 3, in the format of the HPCC simulator.
    lab.write("apart.txt", "4 0 2\n\n0 1 100Gbps 1us 0\n2 3 100Gbps 1us 0\n")
    messages = lab.refused({
        "topology": f"{{family: hpcc-file, file: {lab.path('apart.txt')}}}",
        "workload.0.flows": "0 3 1MB 0us",
    })
    return {
        "flows of two hosts back to back": two.summary["flows"]["finished"],
        "flows of a full mesh of 8 hosts": mesh.summary["flows"]["finished"],
        "both hosts without a path are named": "host 3 cannot be reached from host 0" in messages,
    }
