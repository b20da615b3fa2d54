"""A check that has kept what did not change finds what a check of everything finds."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from targi_dsl.compiler.load import analyse, check
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.syntax.parser import sections
from targi_dsl.text import resources
from tests.random_edits import edits, files_of, found, outcome
from tests.small_game import FILES

MODULE = "pond/pond.targi"
OF_THE_EXPANSION = re.compile(r"(rules/|cards/)?(base|expansion|games)/.*|cards/[^/]*")


def test_every_declaration_of_a_small_game_can_be_edited() -> None:
    kept, text = CheckCache(), FILES[MODULE]
    whole = found("pond", FILES, kept)
    for at, (start, end) in enumerate(sections(text)):
        without_its_end = text[:end].rstrip().rpartition(" ")[0] + "\n\n" + text[end:]
        moved = text[:start] + "# A line above.\n" + text[start:]
        files = {**FILES, MODULE: moved if at % 3 == 0 else without_its_end}
        assert found("pond", files, kept) == found("pond", files, CheckCache()), text[start:end]
    assert found("pond", FILES, kept) == whole


def test_edits_of_a_large_game_leave_nothing_behind() -> None:
    files = {
        f"{top}/{name}": (resources.read(f"{top}/{name}") or b"").decode()
        for top, suffix in (("rules", ".targi"), ("cards", ".yaml"))
        for name in resources.names(top, suffix)
        if OF_THE_EXPANSION.fullmatch(name)
    }
    kept = CheckCache()
    rules = [name for name in files if name.endswith(".targi")]
    for at, name in enumerate(rules):
        if at % 12 == 0:
            analyse("expansion", of_texts(files, kept))
        files[name] = files[name].replace(" 4", " 3", 1) + "\n# The end.\n"
    fresh = CheckCache()
    assert found("expansion", files, kept) == found("expansion", files, fresh)
    games = [check("expansion", of_texts(files, one))[0] for one in (kept, fresh)]
    assert games[0] and games[1] and games[0].hash == games[1].hash


@pytest.mark.parametrize(("game", "count"), [("kalah", 30), ("nine_mens_morris", 15), ("base", 4)])
def test_random_edits_leave_nothing_behind(game: str, count: int) -> None:
    files, kept = files_of(game), CheckCache()
    for at, edited in enumerate(islice(edits(files, count), count)):
        assert outcome(game, edited, kept) == outcome(game, edited, CheckCache()), at
