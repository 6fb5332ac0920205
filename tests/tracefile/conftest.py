# SPDX-License-Identifier: GPL-2.0-only
"""The decoder beside the tests is found wherever they are started from."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
