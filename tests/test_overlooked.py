"""Every unknown name is reported at once, whatever other fault it stands beside or below."""

from __future__ import annotations

import pytest

from targi_dsl.compiler.load import _request
from targi_dsl.compiler.pipeline import CHECKING
from targi_dsl.compiler.project.discovery import shipped
from targi_dsl.compiler.recovery import faults


@pytest.mark.parametrize("game", sorted(shipped().names("game")))
def test_no_name_of_a_shipped_game_would_be_reported(game: str) -> None:
    compilation = _request(game, None).compile(CHECKING)
    before = list(compilation.written.problems)
    faults.report_hidden(compilation)
    assert compilation.written.problems == before
