"""A progress line."""

from __future__ import annotations

import sys
import time

from targi_dsl.cli.output import put_over

_EVERY = 0.2
"""Seconds between updates."""


class Progress:
    """A line on standard error that is overwritten; only on a terminal."""

    def __init__(self, games: int) -> None:
        self.games, self.began, self.last = games, time.monotonic(), 0.0
        self.is_shown = sys.stderr.isatty()

    def show(self, done: int) -> None:
        """Shows the number of games, their rate, and the time left."""
        now = time.monotonic()
        if not self.is_shown or now - self.last < _EVERY:
            return
        self.last = now
        rate = done / max(now - self.began, 1e-6)
        left = _duration((self.games - done) / rate) if done else "?"
        line = f"{done:,} of {self.games:,} games, {_rate(rate)}, {left} left"
        put_over(line)

    def clear(self) -> None:
        """Removes the line."""
        if self.is_shown and self.last:
            put_over("")


def _rate(rate: float) -> str:
    return f"{rate:,.0f} a second" if rate >= 10 else f"{rate * 60:,.0f} a minute"


def _duration(seconds: float) -> str:
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {left} s" if minutes else f"{left} s"
