# SPDX-License-Identifier: GPL-2.0-only
"""One of two flows meets a cable that loses everything."""


def measure(lab):
    topology = lab.write(
        "lossy.txt",
        "4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 100Gbps 1us 1\n",
    )
    result = lab.run("lossy", {"topology.file": topology}, exit_code=1)
    return {
        "exit code": result.exit_code,
        "the failed flow is named": "from 0 to 2" in result.messages
        and "from 0 to 1" not in result.messages,
        "flows that finished": result.summary["flows"]["finished"],
    }
