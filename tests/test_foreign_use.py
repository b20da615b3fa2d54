"""No sentence of the language exists for one game: games other than Targi use everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import get_args

from msgspec import Struct

from targi_dsl.compiler.project.discovery import shipped
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.text.source import Span
from tests.constructs import LISTS, users
from tests.games import VARIED, compiled
from tests.grammar_use import GRAMMAR, grammar
from tests.rule_coverage import rules_met

TARGI = ("base", "expansion", "mixed", "variants/")
GAMES = tuple(name for name in shipped().games() if not name.startswith(TARGI))


def test_the_other_games_are_at_least_four_of_different_kinds() -> None:
    assert {"tic_tac_toe", "kuhn_poker", "dice_race", "bazaar"} <= set(GAMES)


def test_every_alternative_of_the_grammar_is_used_by_another_game() -> None:
    assert not [said for said, games in users().items() if not games - {"Targi"}]
    lists = {said for said in grammar().alternatives.values() if said.partition(":")[0] in LISTS}
    assert all(re.fullmatch(r'\w+:( "\w+")+', said) for said in lists)


def test_every_alternative_of_the_grammar_is_used_by_two_games() -> None:
    assert not [said for said, games in users().items() if len(games) < 2]


def test_the_alternatives_are_those_of_the_grammar() -> None:
    said = set(grammar().alternatives.values())
    written = re.sub(
        "//.*|^[A-Z_]+:.*", "", GRAMMAR.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert {'simple: "gain" price', 'for_each: "for" "each" owner_name'} <= said
    assert {word for one in said for word in re.findall('"[^"]+"', one)} == set(
        re.findall('"[^"]+"', written)
    )
    assert len(said) > 200


@cache
def kinds_used() -> frozenset[str]:
    return frozenset(kind for name in GAMES for kind in kinds_in(compiled(name)))


def kinds_in(node: object) -> Iterator[str]:
    """The names of all kinds of nodes in a checked game."""
    if isinstance(node, tuple | list):
        for one in node:
            yield from kinds_in(one)
    elif isinstance(node, dict):
        yield from kinds_in(tuple(node.values()))
    elif isinstance(node, Struct) and not isinstance(node, Span):
        yield type(node).__name__
        for name in node.__struct_fields__:
            yield from kinds_in(getattr(node, name))


def test_few_games_have_whatever_any_has() -> None:
    """Those that tests of the engine go through."""
    assert kinds_used() <= {kind for name in VARIED for kind in kinds_in(compiled(name))}


EXCEPTIONS = {
    "Map": "what a definition or a field gives for each card of a set; where things lie is `Places`"
}
"""Kinds that only Targi uses, each with its purpose; three at most."""


def test_every_kind_of_expression_and_statement_is_used_by_another_game() -> None:
    kinds = {
        kind.__name__
        for kind in (*get_args(e.Expr), *get_args(s.Statement), *get_args(e.PriceExpr))
    }
    assert kinds - kinds_used() == set(EXCEPTIONS)


def test_no_rule_of_these_games_is_there_for_show() -> None:
    games = [compiled(name) for name in GAMES]
    missing = {rule.name for game in games for rule in game.rules if rule.body}
    for seed in range(0, 150, 5):  # a few games of each are enough for most
        for game in games:
            if missing & {rule.name for rule in game.rules}:
                missing -= rules_met(game, range(seed, seed + 5))
    assert not missing
