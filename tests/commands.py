"""The command line, called by tests in this process or in a separate one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner

import targi_dsl.cli as commands

ROOT = Path(__file__).parent.parent


class Done:
    """The exit code of a command, and what it printed."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def document(self) -> Any:
        """The one JSON document on standard output: sorted keys, one newline."""
        document = json.loads(self.out)
        assert self.out == json.dumps(document, sort_keys=True) + "\n"
        return document


def targi(*arguments: str, answers: str = "") -> Done:
    """The command line, in this process."""
    with CliRunner().isolation(answers) as (out, err, _):
        code = commands.run(arguments)
    return Done(code, out.getvalue().decode(), err.getvalue().decode())


def process(*arguments: str, answers: str = "", cwd: Path = ROOT, **environment: str) -> Done:
    """The command line, in a separate process."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *arguments],
        input=answers,
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **environment},
    )
    return Done(done.returncode, done.stdout, done.stderr)
