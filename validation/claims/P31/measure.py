# SPDX-License-Identifier: GPL-2.0-only
"""One sweep by 1, 2 and 8 processes, and one that is continued."""

import json
import shutil


def contents(folder):
    """Every file but those that tell of the machine, by its path below the folder."""
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "run.json"
    }


def differences(one, other):
    """How many files are in one of two folders only, or have other bytes."""
    return sum(one.get(path) != other.get(path) for path in one.keys() | other.keys())


def lacks_origin(run):
    """Whether a run's summary does not say from what it came."""
    summary = json.loads((run / "summary.json").read_text(encoding="ascii"))
    keys = {parameter["key"] for parameter in summary["parameters"]}
    return not ({"seed", "congestion.algorithm", "topology.rate"} <= keys
                and summary["version"] and "seed" in summary)


def measure(lab):
    files = {}
    for jobs in (1, 2, 8):
        lab.run(str(jobs), words=["--jobs", str(jobs)])
        files[jobs] = contents(lab.path(str(jobs)))
    runs = sorted((lab.path("8") / "runs").iterdir())
    shutil.rmtree(runs[3])
    (runs[7] / "exit.json").unlink()
    lab.run("8", words=["--jobs", "2"])
    return {
        "runs": len(runs),
        "files that differ between 1 and 2 processes": differences(files[1], files[2]),
        "files that differ between 1 and 8 processes": differences(files[1], files[8]),
        "files that differ after continuing": differences(files[1], contents(lab.path("8"))),
        "runs without seed version or configuration": sum(map(lacks_origin, runs)),
    }
