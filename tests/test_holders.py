"""Resources on spaces and cards and in pools, and their transfer between holders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from targi_dsl import Asked, State, encode, load, observe, play, start, step
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.display.ink import render_line
from targi_dsl.display.scene import scene_of
from targi_dsl.display.screen import screen
from targi_dsl.records.notation import read, write
from targi_dsl.tools.invariants import broken, unreported
from targi_dsl.view.words import Words
from tests.texts import game_text

RULES = game_text("camp.targi")
CARDS = """language: 2
set: chests
kind: chest
cards:
  - {id: oak, number: 1, name: {en: Oak}, worth: 1}
  - {id: elm, number: 2, name: {en: Elm}, worth: 2}
"""
SHEET = 'language 2\ngame camp "Camp"\n  rules camp\n  deck shelf: chests\n'


def texts(setup: str, each: str = "nothing") -> Mapping[str, str]:
    lines = setup.replace("\n", "\n    ")
    return {
        "camp/camp.targi": RULES.replace("SETUP", lines).replace("ROUND", each),
        "camp/chests.yaml": CARDS,
        "camp.targi": SHEET,
    }


def begun(setup: str, each: str = "one of\n      a: nothing\n      b: nothing") -> State:
    return start(load("camp", of_texts(texts(setup, each))), Asked())


def held(state: State) -> dict[str, Any]:
    """All amounts that are not 0, wherever they are."""
    seen = observe(state, "public").describe()
    found: dict[str, Any] = {}
    for name, value in seen["variables"].items():
        many = value if isinstance(value, dict) else {"": value}
        found |= {f"{name} {at}".strip(): number for at, number in many.items() if number}
    for player, amounts in seen["amounts"].items():
        found |= {f"{player} {name}": number for name, number in amounts.items() if number}
    return found


def test_what_changes_is_told_and_holds() -> None:
    state = begun(
        "put 2 beans on field 1\nput 2 beans on field 3",
        "choose s in field where beans on s is more than 0\n    move 1 beans from s to pot",
    )
    after, events = play(state, "round 1")
    texts = [one.text for one in events if one.kind == "amount"]
    assert texts == ["field 1 holds 1 beans", "pot holds 1 beans"]
    assert (broken(after), unreported(state, events, after)) == ([], [])
    assert unreported(state, (), after)


def test_a_position_with_them_is_written_and_read_back() -> None:
    state = begun("put 2 beans on field 1\nput 3 coins on the card oak\nput 4 salt in pot")
    text = write(state)
    assert {"beans on field 1: 2", "coins on oak: 3", "salt of pot: 4"} <= {*text.splitlines()}
    assert read(state.game, text).vector == state.vector
    assert len(encode(observe(state, "ann"))) == len(encode(observe(step(state, "a"), "ann")))


def test_they_are_drawn_where_they_lie() -> None:
    state = begun(
        "put 12 beans on field 2\nput 1 salt on field 2\nput 5 coins on the card oak\n"
        "put the card oak on field 4\nput 3 coins on tent a1 of you\nput 7 coins in till\nput 2 rice in pot"
    )
    lines = screen(scene_of(state, Words(state.game), ("ann",)))
    drawn = "\n".join(render_line(line, colour=False, plain=False) for line in lines)
    for said in ("12 beans", "1 salt", "5 coins", "3 coins", "till 7", "rice of pot 2"):
        assert said in drawn


def test_without_a_layout_a_pool_is_shown_too() -> None:
    files = dict(texts("put 7 coins in till"))
    files["camp/camp.targi"] = files["camp/camp.targi"].partition("layout")[0]
    state = start(load("camp", of_texts(files)), Asked())
    lines = screen(scene_of(state, Words(state.game), ("ann",)))
    assert any("till 7" in render_line(line, colour=False, plain=False) for line in lines)


def test_another_module_has_more_of_a_group_everywhere() -> None:
    files = dict(texts("put 2 salt on field 1"))
    files["tea/tea.targi"] = (
        'language 2\nmodule tea "Tea" based on camp\nextend resource goods: leaves\n'
        "extend rule setup\n  put 3 leaves on field 1\n  move all goods from field 1 to pot\n"
    )
    files["camp.targi"] = SHEET.replace("rules camp", "rules camp + tea")
    state = start(load("camp", of_texts(files)), Asked())
    assert held(state) == {"salt of pot": 2, "leaves of pot": 3}
