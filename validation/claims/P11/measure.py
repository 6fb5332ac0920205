# SPDX-License-Identifier: GPL-2.0-only
"""The same message over one switch and over three."""


def measure(lab):
    near, far = (
        float(lab.run(name, {"workload.0.flows": flow}).table("flows.csv")[0]["fct_delivered_ns"])
        for name, flow in (("near", "h0 h1 1MiB 0us"), ("far", "h0 h4 1MiB 0us"))
    )
    return {"time of two more switches": round(far - near, 6)}
