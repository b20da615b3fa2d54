"""Pictures of positions: they show what they should, and no more than the observer knows.

After a change of the drawing, the rules or the words, look at the pictures and then record them
again with `python -m tests.test_pictures`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import targi_dsl.cli as commands
from targi_dsl import PUBLIC, Seed, State, Stream, choices, load, observe, picture, sample
from targi_dsl import start as begin
from targi_dsl import step as after
from targi_dsl.compiler import translations
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.display.picture.cards import drawn_face
from targi_dsl.display.picture.svg import text_width
from targi_dsl.display.scene import scene_of
from targi_dsl.records import Record, read, read_record_file, recap, replay, write
from targi_dsl.view.words import Words
from tests.games import compiled
from tests.texts import game_file, game_text

ROOT = Path(__file__).parent.parent
RECORDED = ROOT / "tests" / "snapshots" / "pictures.json"
IN_README = ROOT / "docs" / "pictures" / "base.svg"

MOVES = {
    "expansion": 60,
    "connect_four": 12,
    "reversi": 20,
    "hex": 20,
    "nine_mens_morris": 16,
    "kalah": 9,
    "five_trails": 30,
    "lamplighters": 20,
    "liars_dice": 3,
}
"""After how many choices each game is drawn; of base there is a record."""
TEN = ("base", *MOVES)
BASE = ROOT / "tests" / "snapshots" / "picture_base.yaml"


def position(name: str) -> State:
    """The position that is drawn of a game."""
    game = compiled(name)
    if name not in MOVES:
        return replay(game, read(read_record_file(str(BASE))))
    state = begin(game, Seed(3))
    stream = Stream(3)
    for _ in range(MOVES[name]):
        if offered := choices(state):
            busy = [choice for choice in offered if not choice.declines] or offered
            state = after(state, busy[stream.below(len(busy))])
    return state


def drawn(name: str) -> str:
    state = position(name)
    return picture(observe(state, state.game.players[0]))


def digest(svg: str) -> str:
    return hashlib.sha256(svg.encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", TEN)
def test_a_picture_is_as_it_was_looked_at(name: str) -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert digest(drawn(name)) == recorded[name], "look at it, then: python -m tests.test_pictures"


def test_the_picture_in_the_readme_is_of_this_program() -> None:
    assert "(docs/pictures/base.svg)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert IN_README.read_text(encoding="utf-8") == drawn("base")


@pytest.mark.parametrize("name", TEN)
def test_a_picture_is_well_formed_and_needs_nothing_from_outside(name: str) -> None:
    svg = drawn(name)
    tags = {one.tag.rpartition("}")[2] for one in ElementTree.fromstring(svg).iter()}
    assert tags <= {"svg", "title", "style", "g", "rect", "circle", "path", "polygon", "text"}
    assert svg.count("http") == 1 and "nan" not in svg and "inf" not in svg.replace("info", "")


@pytest.mark.parametrize("name", ["base", "five_trails", "lamplighters", "liars_dice"])
def test_positions_that_an_observer_cannot_tell_apart_have_one_picture(name: str) -> None:
    state = position(name)
    for seat in (*state.game.players, PUBLIC):
        seen = observe(state, seat)
        others = [sample(seen, Stream(seed)) for seed in range(3)]
        assert any(one.vector != state.vector for one in others) or not (
            seen.unknown or seen.hidden
        )
        assert {picture(observe(one, seat)) for one in others} == {picture(seen)}


RULES = game_text("shed.targi")
CARDS = """language: 2
set: planks
kind: plank
cards:
"""


def shed() -> State:
    cards = "".join(
        f"  - {{id: plank_{at}, name: {{en: 'Plank <{at}>'}}, wood: {wood}}}\n"
        for at, wood in enumerate(("oak", "fir", "oak", "fir", "oak"))
    )
    head, _, rules = RULES.partition("module shed\n")
    texts = {
        "shed.targi": head,
        "shed/shed.targi": f"language 2\nmodule shed\n{rules}",
        "planks.yaml": CARDS + cards,
    }
    return begin(load("shed", of_texts(texts)), Seed(0))


def texts_of(svg: str) -> list[str]:
    return [
        one.text or "" for one in ElementTree.fromstring(svg).iter() if one.tag.endswith("text")
    ]


def texts_at(part: ElementTree.Element, x: float = 0, y: float = 0) -> Iterator[list[float]]:
    """Where each text of a drawing is: left, top, right, bottom."""
    for one in part:
        if one.tag == "g":
            across, down = re.findall(r"[-.\d]+", one.attrib["transform"])
            yield from texts_at(one, x + float(across), y + float(down))
        elif one.tag == "text":
            size, base = float(one.attrib["font-size"]), y + float(one.attrib["y"])
            wide = float(one.get("textLength", text_width(one.text or "", size, bold=True)))
            left = x + float(one.get("x", 0)) - (wide / 2 if "text-anchor" in one.attrib else 0)
            yield [left, base - 0.72 * size, left + wide, base]


@pytest.mark.parametrize(
    ("name", "code"),
    [("bazaar_fair", "fr"), ("expansion", "pl"), ("gem_market", "es"), ("five_trails", "en")],
)
def test_no_text_on_a_card_is_cut_and_none_lies_on_another(name: str, code: str) -> None:
    words = Words(compiled(name), translations.of_game(compiled(name), name, code))
    scene = scene_of(begin(words.game), words, ())
    for face in scene.game.cards.values():
        drawn = drawn_face(scene, face, 26)
        assert "…" not in drawn.body, face.name
        found = [*texts_at(ElementTree.fromstring(f"<g>{drawn.body}</g>"))]
        for at, (left, top, right, bottom) in enumerate(found):
            assert left >= 0 and top >= 0, face.name
            assert right <= drawn.width and bottom <= drawn.height, face.name
            for other in found[at + 1 :]:
                beside = right < other[0] + 1 or other[2] < left + 1
                assert beside or bottom < other[1] + 1 or other[3] < top + 1, face.name


def test_the_number_of_a_space_is_seen_beside_what_stands_there() -> None:
    said = {one.text for one in ElementTree.fromstring(drawn("base")).iter()}
    assert {*map(str, range(1, 17))} <= said


def test_one_of_a_thing_has_its_mark_as_many_have() -> None:
    assert not [said for said in texts_of(drawn("base")) if "date," in said or said == "+1 date"]


def test_all_that_stands_on_a_space_is_drawn_or_counted() -> None:
    state = begin(load(game_file("heaps")), Seed(0))
    said = texts_of(picture(observe(state, PUBLIC)))
    assert {"6", "7"} <= {*said} and said.count("crop rye") == 2


@pytest.mark.parametrize("has_cards", [False, True])
def test_five_values_of_a_space_are_drawn_wherever_it_is(has_cards: bool) -> None:
    regions = ("fence", "bowl", "plot")
    kept = [(f"v{at}_{region}", region) for region in regions for at in range(5)]
    values = [
        f"variable {name} for each {region}: 0 to 99, starts as {at}"
        for at, (name, region) in enumerate(kept, 20)
    ]
    rules = FIVE_VALUES.replace("\nplayers", f"{LOAVES}\nplayers") if has_cards else FIVE_VALUES
    texts = {"five.targi": "\n".join((rules, *values, "")), "loaves.yaml": LOAF}
    svg = picture(observe(begin(load("five", of_texts(texts)), Seed(0)), "ann"))
    said = {one.rpartition(" ")[2] for one in texts_of(svg)}
    assert {str(at) for at, _ in enumerate(kept, 20)} <= said
    cells = re.findall(r'height="([\d.]+)"[^>]*stroke-dasharray="4 4"', svg)
    assert bool(cells) is has_cards
    assert all(float(high) > 5 * 11 for high in cells), "none stands on the cell above"


FIVE_VALUES = """language 2
game five "Five"
players ann, ben
space yard: grid 2 by 2
space fence: edges of yard
space bowl: row of 2
space plot for each player: row of 2
look
  bowl: shape pit
layout
  table fence
  table bowl
  each player
    table plot
rule setup
  nothing
rule round
  end game
score x: 1"""
LOAVES = """
  deck pile: loaves
card loaf
zone pile: loaf, face down"""
LOAF = """language: 2
set: loaves
kind: loaf
cards:
  - {id: rye, name: {en: Rye}}
"""


def test_the_spaces_that_a_card_names_are_on_its_face() -> None:
    said = texts_of(picture(observe(begin(load(game_file("trips")), Seed(0)), PUBLIC)))
    assert {"aloa, coco bay", "b1, b2", "1, 3"} <= {*said}


def test_the_name_of_a_space_stands_above_the_pieces_there() -> None:
    drawn = picture(observe(begin(load(game_file("trips")), Seed(0)), PUBLIC))
    here, there = (
        float(found[1])
        for name in ("aloa", "bari")
        if (found := re.search(rf'y="([\d.]+)"[^>]*>{name}<', drawn))
    )
    assert here < there - 10


def test_whatever_a_game_says_is_text_and_no_markup() -> None:
    svg = picture(observe(shed(), "ann"))
    assert "<Shed> & co" in texts_of(svg) and "<Shed>" not in svg


def test_a_zone_that_the_layout_leaves_out_is_drawn_while_cards_lie_there() -> None:
    assert "bench" in texts_of(picture(observe(shed(), PUBLIC)))


def test_a_hand_is_drawn_for_its_owner_only() -> None:
    state = shed()
    own, others = (picture(observe(state, seat)) for seat in ("ann", PUBLIC))
    assert texts_of(own).count("oak") + texts_of(own).count("fir") > texts_of(others).count(
        "oak"
    ) + texts_of(others).count("fir")


# ---- commands, and the story of a record ----


def run(*arguments: str) -> tuple[int, str, str]:
    with CliRunner().isolation() as (out, err, _):
        code = commands.run(arguments)
    return code, out.getvalue().decode(), err.getvalue().decode()


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Record, str]:
    """A record of eleven choices."""
    game = compiled("five_trails")
    state, ids = begin(game, Seed(1)), list[str]()
    while len(ids) < 11:
        ids.append(choices(state)[0].id)
        state = after(state, ids[-1])
    seats = dict.fromkeys(game.players, "human")
    record = Record(game.name, game.hash, dict(game.options), 1, seats, tuple(ids), {})
    file = tmp_path / "game.yaml"
    file.write_text(write(record), encoding="utf-8")
    return record, str(file)


def test_replay_draws_any_position_of_a_record_through_any_eyes(
    saved: tuple[Record, str], tmp_path: Path
) -> None:
    state = begin(compiled("five_trails"), Seed(1))
    for choice in saved[0].choices[:4]:
        state = after(state, choice)
    out = tmp_path / "table.svg"
    for seat, said in (("hanna", ["--seen-by", "hanna"]), (PUBLIC, [])):
        code, *_ = run("replay", saved[1], "--to", "4", "--svg", str(out), *said)
        assert code == 0
        assert out.read_text(encoding="utf-8") == picture(observe(state, seat))


@pytest.mark.parametrize("code", translations.languages())
def test_show_draws_the_first_position_in_the_language(tmp_path: Path, code: str) -> None:
    game, out = compiled("kalah"), tmp_path / "table.svg"
    assert run("show", "kalah", "--svg", str(out), "--lang", code) == (0, "", "")
    said = translations.of_game(game, "kalah", code)
    assert out.read_text(encoding="utf-8") == picture(observe(begin(game), PUBLIC), said)


def test_a_seat_that_there_is_not_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    out = tmp_path / "table.svg"
    code, _, err = run("show", "kalah", "--svg", str(out), "--seen-by", "south_")
    assert code == 2 and "Did you mean 'south'?" in err and not out.exists()


def test_a_game_is_told_round_by_round(saved: tuple[Record, str]) -> None:
    code, out, _ = run("replay", saved[1])
    heads = [line for line in out.splitlines() if line.startswith("── round ")]
    assert code == 0 and heads == [f"── round {number}" for number in range(1, 7)]


def test_a_recap_has_what_a_seat_knew_round_by_round(saved: tuple[Record, str]) -> None:
    game, record = compiled("five_trails"), saved[0]
    rounds = recap(game, record, "hanna")
    assert [one.number for one in rounds] == [*range(7)]
    assert json.dumps([one.data() for one in rounds])
    drawn_by = [
        {event.what for event in one.events if event.to == "hand of oskar" and event.kind == "move"}
        for one in (rounds[0], recap(game, record, "oskar")[0])
    ]
    assert drawn_by[0] == {"?trek"} != drawn_by[1]
    with pytest.raises(ValueError, match="no player"):
        recap(game, record, "nobody")


if __name__ == "__main__":
    found = {name: digest(drawn(name)) for name in TEN}
    RECORDED.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    IN_README.write_text(drawn("base"), encoding="utf-8")
