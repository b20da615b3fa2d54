"""Measures how long a command takes to start: seconds beyond those of an empty Python script.

    python bench/startup.py

The fastest of many runs counts. `--help` should stay below 0.08 s, a check of the base game below
six times the time to load its libraries.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import click

ROOT = Path(__file__).parent.parent
RUNS = 20
COMMANDS = {
    "nothing": ("-c", "pass"),
    "the libraries": ("-c", "import lark, yaml, click"),
    "targi --help": ("cli.py", "--help"),
    "targi validate base": ("cli.py", "validate", "base"),
}


def seconds(arguments: tuple[str, ...]) -> float:
    """The fastest of the runs."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], capture_output=True, check=True, cwd=ROOT)
        times.append(time.perf_counter() - began)
    return min(times)


@click.command()
def main() -> None:
    """Prints the time that each takes."""
    nothing = seconds(COMMANDS["nothing"])
    for name, arguments in COMMANDS.items():
        click.echo(f"{name:22} {seconds(arguments) - nothing:6.3f} s")


if __name__ == "__main__":
    main()
