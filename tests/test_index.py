"""The symbol index, cached checks, and cancelled checks."""

from __future__ import annotations

from collections import Counter

import pytest

from targi_dsl.compiler.index import Index, Occurrence
from targi_dsl.compiler.load import Checked, analyse, check
from targi_dsl.compiler.lowering.context import Stopped
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts, shipped
from tests.small_game import FILES, with_change

MODULE, PLANS = "pond/pond.targi", "pond/pond_plans.yaml"


def indexed(files: dict[str, str]) -> Checked:
    return analyse("pond", of_texts(files))


def written(index: Index, file: str, line: int, name: str) -> Occurrence:
    """The one place of a name in a line."""
    (found,) = (
        one
        for one in index.occurrences
        if (one.span.source.name, one.span.line, one.name) == (file, line, name)
    )
    return found


@pytest.mark.parametrize("game", ["base", "bazaar_fair", "base_short", "kuhn_poker"])
def test_every_written_name_of_a_game_stands_for_something(game: str) -> None:
    index = analyse(game).index
    assert len(index.occurrences) > 10
    unknown = [one for one in index.occurrences if one.symbol is None]
    assert [(one.name, one.span.source.name, one.span.line) for one in unknown] == []


def test_a_name_is_known_with_kind_type_declaration_layers_and_uses() -> None:
    index = indexed(FILES).index
    rules = FILES[MODULE].splitlines()
    chosen = rules.index("  place frog on spot") + 1
    spot = written(index, MODULE, chosen, "spot")
    assert spot.symbol is not None and spot.symbol.kind == "local"
    assert spot.symbol.span is not None
    assert spot.symbol.span.line == rules.index("  choose spot in shore") + 1
    shore = index.symbols["space", "shore"]
    assert [origin.module for origin in shore.layers] == ["pond"]
    assert len(index.uses(shore)) == FILES[MODULE].count("shore")


def test_names_in_a_sentence_of_a_card_with_quotation_marks_are_known() -> None:
    """`action: "... may as \\"go down\\" (do slip ...)"`"""
    index = analyse("rope_party").index
    files = {one.span.source.name for one in index.uses(index.symbols["rule", "slip"])}
    assert "cards/rope_party/rope_party_sky.yaml" in files


def test_the_words_of_a_secret_choice_name_its_variable() -> None:
    """`all choose bid in 0..your coins in secret as "bid {bid} coin(s)"`"""
    index = analyse("auction").index
    bids = [one for one in index.occurrences if one.name == "bid"]
    assert {one.symbol for one in bids} == {index.symbols["variable", "bid"]}
    assert max(Counter(one.span.line for one in bids).values()) == 2


def test_a_field_in_braces_in_the_names_of_a_series_is_known() -> None:
    """`name: {en: "{hue} stake", es: "apuesta {hue}", ...}`"""
    index = analyse("five_trails").index
    uses = index.uses(index.symbols["field", "trek.hue"])
    lines = Counter(one.span.line for one in uses if one.span.source.name.endswith(".yaml"))
    assert [*lines.values()] == [1, 4, 1, 4], "`for_each`, and the name in four languages"


def test_names_inside_the_texts_of_cards_are_known() -> None:
    index = indexed(FILES).index
    line = (
        FILES[PLANS]
        .splitlines()
        .index('    ability: "always: build costs 1 pebbles less if sort of plan is newt"')
        + 1
    )
    kinds = {
        name: found.symbol.kind
        for name in ("build", "pebbles", "sort", "newt")
        if (found := written(index, PLANS, line, name)).symbol is not None
    }
    assert kinds == {
        "build": "rule",
        "pebbles": "group of resources",
        "sort": "field",
        "newt": "value",
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("define most_plans: 2", "define most_plans 2"),
        ("  gain 1 pebbles\n", "  gain 1 peebles\n"),
        ("rule setup\n", "rule setup:\n"),
        ("players anna, bert\n", ""),
    ],
)
def test_a_file_with_one_fault_gives_the_index_of_all_else(old: str, new: str) -> None:
    checked = indexed(with_change(MODULE, old, new))
    assert len(checked.problems) == 1
    every = indexed(FILES).index.occurrences
    whole = {(one.name, one.span.source.name) for one in every if one.symbol}
    left = {(one.name, one.span.source.name) for one in checked.index.occurrences if one.symbol}
    gone = {name for name, _ in whole - left}
    assert gone <= {"most_plans", "anna", "bert", "setup"}


def test_a_kept_check_reads_only_what_has_changed() -> None:
    kept = CheckCache()
    first = analyse("pond", of_texts(FILES, kept))
    changed = with_change(MODULE, "define most_plans: 2", "define most_plans: 3")
    before = {id(one) for one in kept.declarations.files[MODULE].parts}
    again = analyse("pond", of_texts(changed, kept))
    new = [one for one in kept.declarations.files[MODULE].parts if id(one) not in before]
    assert first.problems == again.problems == ()
    assert [one.section.text.strip() for one in new] == ["define most_plans: 3"]
    assert check("pond", of_texts(changed, kept))[0] is not None


def test_of_a_card_file_only_the_entries_that_have_changed_are_read_again() -> None:
    kept = CheckCache()
    check("pond", of_texts(FILES, kept))
    before = entries(kept)
    changed = with_change(PLANS, "cost: 3 pebbles", "cost: 2 pebbles")
    assert check("pond", of_texts(changed, kept))[1] == ()
    after = entries(kept)
    assert [text for text in after if "cost: 2 pebbles" in text] == [
        text for text, node in after.items() if before.get(text) is not node
    ]


def entries(kept: CheckCache) -> dict[str, object]:
    return {text: those[0][1] for text, those in kept.entries.files[PLANS].items()}


def test_a_shipped_file_is_read_only_once() -> None:
    one, other = shipped(), of_texts({"rules/dice_race/01_dice_race.targi": "language 2\n"})
    (source,) = one.module("dice_race")
    (own,) = other.module("dice_race")
    assert one.cache_of(source).file(source) is other.cache_of(source).file(source)
    assert len(other.cache_of(own).file(own).parts) == 1


def test_a_check_is_stopped_between_declarations() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 8

    with pytest.raises(Stopped):
        analyse("pond", of_texts(FILES), stop=stop)
