"""Neovim at the language server: problems, completion and a new name, without a screen."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import ROOT
from tests.small_game import FILES, write_to
from tests.texts import FOLDER


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_tells_problems_completes_and_renames(tmp_path: Path) -> None:
    write_to(tmp_path)
    program = json.dumps([sys.executable, str(ROOT / "cli.py")])
    subprocess.run(
        ["nvim", "--headless", "--clean",
         "--cmd", f"let g:targi_command = {program}",
         "--cmd", f"luafile {ROOT}/editors/neovim/targi.lua",
         "pond/pond.targi", "-c", f"luafile {FOLDER}/session.lua", "-c", "cquit"],
        cwd=tmp_path, check=True, timeout=240, capture_output=True,
    )  # fmt: skip
    told = json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))
    line = FILES["pond/pond.targi"].split("\n").index("  gain 1 pebbles") + 1
    assert told["problem"] == ["E201", line]
    assert "pebbles" in told["completions"] and "rule" not in told["completions"]
    rules, cards = (
        (tmp_path / f"pond/{name}").read_text("utf-8") for name in ("pond.targi", "pond_plans.yaml")
    )
    assert "rule raise\n" in rules and "do raise\n" in rules
    assert "always: raise costs" in cards
