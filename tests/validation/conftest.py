# SPDX-License-Identifier: GPL-2.0-only
"""Makes the package under validation/ importable, and names the program under test."""

import os
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "validation"))


@pytest.fixture
def build():
    """The build folder under test."""
    return Path(os.environ.get("RDMASIM_BUILD", TOP / "build-tests"))


@pytest.fixture
def program(build):
    assert (build / "rdmasim").exists(), f"no program in {build}; RDMASIM_BUILD names the folder"
    return build / "rdmasim"
