# SPDX-License-Identifier: GPL-2.0-only
"""A flow above 4 GiB, one with more packets than there are PSNs, more flows than 16 bits count."""

PSNS = 2**24


def measure(lab):
    big = lab.run("big", {"workload.0.flows": "h0 h1 5GiB 0us"})
    small = {"transport.path_mtu": 256, "transport.ack": "last"}
    long = lab.run("long", {"workload.0.flows": f"h0 h1 {(PSNS + 10) * 256}B 0us", **small})
    long_flow = long.table("flows.csv")[0]
    rows = "\n".join(f"h0,h1,64,{i}" for i in range(65600))
    file = lab.write("many.csv", f"source,destination,bytes,start_us\n{rows}\n")
    many = lab.run("many", {"workload.0.flows": "", "workload.0.file": file})
    return {
        "bytes of a 5 GiB flow": big.summary["flows"]["delivered_bytes"],
        "packets of a long flow": int(long_flow["packets_sent"])
        - int(long_flow["packets_retransmitted"]),
        "flows of one pair that finished": many.summary["flows"]["finished"],
    }
