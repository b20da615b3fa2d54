"""What a build does besides packing: the parser of the grammar is made, and shipped as data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TableHook(BuildHookInterface[Any]):
    """Writes targi_dsl/syntax/grammar.table before the wheel is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, str(Path(self.root)))
        from targi_dsl.syntax import grammar

        grammar.language()
