# SPDX-License-Identifier: GPL-2.0-only
"""Tests of tests/conformance/run that need no build."""

import subprocess
from pathlib import Path

import yaml

RUN = Path(__file__).resolve().parent / "run"

LOG = """# post vm1: rdma statistic show link rxe0/1
# server (vm2, 10.0.0.2): vt -s --timeout 14
# client (vm1, 10.0.0.1): env A=/b C=d vt -c 10.0.0.2 --timeout 14 '&W:10' 'drain'
# wire rules: [{"dir": "ab", "match": {"opcode": [10]}, "n": [1], "act": "drop"}]
# client rc 0 server rc 0
## client output
me: qpn 0x82 psn 0x123456
1795973239.758784 post &W:10 wr_id 1 rc 0
1795973240.028094 send wr_id 1 status 0 (success) opcode 1 len 10 vend 0x0 imm 0x0 flags 0x0
final qp state 3

## server output
listening
final qp state 3  buf[0..7] 6465666768696a6b
"""


def run(*arguments):
    """The result of a call."""
    return subprocess.run([RUN, *arguments], capture_output=True, text=True, check=False)


def test_describes_a_log(tmp_path):
    """Command lines without their environment, the wire's rules, and what is compared of output."""
    log = tmp_path / "one.log"
    log.write_text(LOG)
    described = run("--describe", log)
    assert described.returncode == 0
    assert yaml.safe_load(described.stdout) == {
        "client": "vt -c 10.0.0.2 --timeout 14 '&W:10' 'drain'",
        "server": "vt -s --timeout 14",
        "wire": [{"dir": "ab", "match": {"opcode": [10]}, "n": [1], "act": "drop"}],
        "client_output": "send wr_id 1 status 0 (success) opcode 1 len 10 vend 0x0 imm 0x0 "
                         "flags 0x0\nfinal qp state 3\n",
        "server_output": "final qp state 3  buf[0..7] 6465666768696a6b\n",
    }


def test_describes_a_log_without_faults_and_output(tmp_path):
    """Keys that say nothing are left out."""
    log = tmp_path / "one.log"
    log.write_text("# server (vm2): rping -s\n# client (vm1): rping -c\n# wire rules: []\n")
    assert yaml.safe_load(run("--describe", log).stdout) == {"client": "rping -c",
                                                             "server": "rping -s"}


def test_unknown_option_is_an_error():
    """argparse answers with its usage."""
    assert run("--no-such-option").returncode == 2
