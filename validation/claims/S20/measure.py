# SPDX-License-Identifier: GPL-2.0-only
"""perftest between two ideal interfaces on a cable of one metre."""


def measure(lab):
    rows = lab.run("ideal").table("perftest.csv")
    values = {f"{row['verb']} us": float(row["t_typical_us"])
              for row in rows if row["test"] == "lat"}
    return values | {"write Gb/s": float(row["bw_average_Gbps"])
                     for row in rows if row["test"] == "bw"}
