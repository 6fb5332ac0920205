# SPDX-License-Identifier: GPL-2.0-only
"""The same scenario several times, two at a time."""

import concurrent.futures


def measure(lab):
    def files(name, seed):
        folder = lab.run(name, {"seed": seed}).folder
        return {
            path.name: path.read_bytes() for path in folder.iterdir() if path.name != "run.json"
        }

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        first, second, other = pool.map(files, ("first", "second", "other"), (1, 1, 2))
    assert first.keys() == second.keys()
    return {
        "files that differ": sum(first[name] != second[name] for name in first),
        "files that differ with another seed": sum(
            first[name] != other[name] for name in first if name != "summary.json"
        ),
    }
