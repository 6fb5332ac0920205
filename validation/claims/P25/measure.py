# SPDX-License-Identifier: GPL-2.0-only
"""Many connections at one host; many ports at one switch."""


def measure(lab):
    rows = "\n".join(["h0,h1,1000,0"] * 100_000)
    file = lab.write("many.csv", f"source,destination,bytes,start_us\n{rows}\n")
    many = lab.run("many", {"workload.0.flows": "", "workload.0.file": file})
    ring = ", ".join(f"h{i} h{(i + 512) % 1024} 10KB 0us" for i in range(1024))
    wide = lab.run("wide", {"topology.hosts": 1024, "workload.0.flows": f"[{ring}]"})
    return {
        "flows of one host that finished": many.summary["flows"]["finished"],
        "flows through a switch of 1024 ports that finished": wide.summary["flows"]["finished"],
    }
