# SPDX-License-Identifier: GPL-2.0-only
"""Makes the package under analysis/ importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "analysis"))
