"""Waits for a key at the terminal."""

from __future__ import annotations

import sys
import time
from select import select

if sys.platform != "win32":
    import termios
    import tty


def wait_for_key(seconds: float) -> None:
    """Waits for a time, or until a key is pressed. What is typed meanwhile is discarded."""
    if sys.platform == "win32":
        time.sleep(seconds)
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        select([keyboard], [], [], seconds)
    finally:
        termios.tcsetattr(keyboard, termios.TCSAFLUSH, before)
