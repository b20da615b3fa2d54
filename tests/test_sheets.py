"""Files of a game: every file that seems to belong to it is read or reported (see also
tests/corpus/decks.txt and sheets.txt).
"""

from __future__ import annotations

from pathlib import Path

from targi_dsl import Asked, load, start
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.language_service import Workspace
from tests.small_game import FILES, RULES, write_to

MODULE, MORE = "pond/pond.targi", "pond/02_more.targi"


def test_a_file_that_cannot_be_read_among_those_of_a_module_is_told(tmp_path: Path) -> None:
    write_to(tmp_path, FILES | {MORE: "language 2\nmodule pond\n"})
    assert check(f"{tmp_path}/pond.targi")[1] == ()
    (tmp_path / MORE).write_bytes(b"language 2\nmodule pond\n# \xff\n")
    (problem,) = check(f"{tmp_path}/pond.targi")[1]
    assert problem.file.endswith(MORE) or (problem.span and problem.span.source.name.endswith(MORE))


def test_what_lies_as_the_shipped_files_do_belongs_together(tmp_path: Path) -> None:
    """A copy of shipped rules is read in place of them, with its cards, and in an editor."""
    folders = {name: "rules" if "/" in name else "rules/games" for name in FILES}
    folders["pond/pond_plans.yaml"] = "cards"
    write_to(tmp_path, {f"{folders[name]}/{name}": text for name, text in FILES.items()})
    sheet, module = tmp_path / "rules/games/pond.targi", tmp_path / "rules" / MODULE
    assert check(str(sheet))[1] == ()
    for path in (module, *(tmp_path / "cards").rglob("*.yaml")):
        assert Workspace().games(str(path)) == (str(sheet),)
    module.write_text(f"{RULES}\nrule more\n  gain 1 fam\n", encoding="utf-8")
    (problem, *_) = check(str(sheet))[1]
    assert problem.span is not None and problem.span.source.name == str(module)


def test_the_first_card_that_a_deck_lists_lies_on_top() -> None:
    order = start(load("pond", of_texts(FILES)), Asked()).cards("plan_pile")
    listed = [card.id for card in load("pond", of_texts(FILES)).cards]
    assert len(order) > 2 and list(order) == [card for card in listed if card in order]
