# SPDX-License-Identifier: GPL-2.0-only
"""One list of flows in several orders, under one name."""


def measure(lab):
    pairs = [(i % 16, (i % 16 + 1 + i // 16 % 15) % 16) for i in range(999)]
    lines = [f"{a} {b} 3 100 {1000 + 7 * i} 2.0" for i, (a, b) in enumerate(pairs)]
    lines.append(lines[0])
    # A stride that has no factor in common with the number of lines visits each once.
    shuffled = [lines[i * 7 % len(lines)] for i in range(len(lines))]
    assert len(lines) == 1000 and sorted(shuffled) == sorted(lines)
    found = []
    for name, order in (("given", lines), ("reversed", lines[::-1]), ("shuffled", shuffled)):
        file = lab.write("flows.txt", f"{len(order)}\n" + "\n".join(order) + "\n")
        folder = lab.run(name, {"workload.0.file": file}).folder
        found.append({
            path.name: path.read_bytes() for path in folder.iterdir() if path.name != "run.json"
        })
    given = found[0]
    return {
        "files that differ": sum(
            given[name] != other[name] for other in found[1:] for name in given
        )
    }
