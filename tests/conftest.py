"""Lets tests share helpers as tests.NAME: with --import-mode=importlib no folder is searched by
itself.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
