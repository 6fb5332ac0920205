# SPDX-License-Identifier: GPL-2.0-only
"""A folder below a file, which not even root can make."""


def measure(lab):
    out = lab.write("file", "") / "results"
    done = lab.simulator.call("run", lab.folder / "scenario.yaml", "--quiet", "--out", out)
    lines = done.stderr.strip().splitlines()
    return {
        "exit code": done.returncode,
        "lines of message": len(lines),
        "the folder is named": str(out) in done.stderr,
    }
