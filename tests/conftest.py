"""Lets tests share helpers as tests.NAME: --import-mode=importlib adds no folder to the path.

Undoes what `nohup` and a shell's `&` do: they ignore signals, and programs started by tests would
inherit that.
"""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

for number, action in (
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGINT, signal.default_int_handler),
):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, action)
