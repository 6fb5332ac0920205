# SPDX-License-Identifier: GPL-2.0-only
"""No flows; some flows."""


def measure(lab):
    messages = lab.refused({"workload.0.file": lab.write("none.txt", "0\n")})
    some = lab.write("some.txt", "3\n" + "0 1 3 100 1000 0.0\n" * 3)
    result = lab.run("some", {"workload.0.file": some})
    return {
        "a scenario without flows is refused": "flow" in messages,
        "rows of flows after success": len(result.table("flows.csv")),
    }
