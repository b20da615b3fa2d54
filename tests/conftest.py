"""Lets tests share helpers as tests.NAME: --import-mode=importlib adds no folder to the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
