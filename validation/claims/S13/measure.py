# SPDX-License-Identifier: GPL-2.0-only
"""The ring as it is, with a watchdog, and with routes that go up and down."""

FAILED = 1


def events(result, kind):
    return result.summary["events"].get(kind, 0)


def measure(lab):
    short = lab.run("short", {"duration": "2ms"}, scenario="ring.yaml", exit_code=FAILED)
    long = lab.run("long", {"duration": "1s"}, scenario="ring.yaml", exit_code=FAILED)
    watched = lab.run("watched", {"switch.watchdog.action": "drop"}, scenario="ring.yaml")
    updown = lab.run("updown", scenario="updown.yaml")
    before, after = (run.summary["flows"]["acked_bytes"] for run in (short, long))
    cycle = long.summary["deadlock"].split(",")[0].split(" -> ")
    return {
        "bytes acknowledged after 2 ms": after - before,
        "links in the cycle": len(cycle) - 1,
        "deadlocks found": events(long, "deadlock_found"),
        "flows finished without a watchdog": long.summary["flows"]["finished"],
        "flows finished with a watchdog": watched.summary["flows"]["finished"],
        "frames lost to headroom": watched.summary["network"]["dropped"]["headroom_full"]["frames"],
        "deadlocks with up and down routes": events(updown, "deadlock_found"),
        "flows finished with up and down routes": updown.summary["flows"]["finished"],
    }
