# SPDX-License-Identifier: GPL-2.0-only
"""Commands of the page README.md about traces run as they stand there."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RDMASIM_BUILD", TOP / "build-tests")) / "rdmasim"
PAGE = (TOP / "README.md").read_text(encoding="ascii")
COMMANDS = re.findall(r"^    build/rdmasim (trace .*?)(?: +#.*)?$", PAGE, re.MULTILINE)


def test_there_are_commands_for_each_action():
    assert {command.split()[1] for command in COMMANDS} == {"formats", "show", "stats", "convert"}


@pytest.mark.parametrize("command", COMMANDS)
def test_command_runs(tmp_path, command):
    words = [word.replace("results/", f"{tmp_path}/") for word in shlex.split(command)]
    done = subprocess.run(
        [PROGRAM, *words], cwd=TOP, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert not done.stderr
    if "--out" in words:
        assert (Path(words[-1]) / "process-0" / "manifest").exists()


def test_limit_is_the_number_of_lines():
    done = subprocess.run(
        [PROGRAM, "trace", "show", TOP / "scenarios/traces/rc-pingpong", "--limit", "20"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert len(done.stdout.splitlines()) == 20
