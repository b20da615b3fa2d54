"""The texts of a game that people read while it is played: everything to be translated."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler import line_comments
from targi_dsl.compiler.project import Project
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import CardInfo
from targi_dsl.ir.game import Game
from targi_dsl.ir.layout import LayoutItem
from targi_dsl.ir.outcomes import OUTCOME
from targi_dsl.ir.walk import parts
from targi_dsl.ir.wordings import DEAL, PLAIN
from targi_dsl.text.catalogues import Catalogue, Key, read_catalogue
from targi_dsl.text.languages import AMOUNT

_NUMBER = "number"
"""The field of a card that is never shown."""


def vocabulary(game: Game, language: str) -> tuple[Key, ...]:
    """Each text once, with its context; for cards, the texts that their files lack in
    the language.
    """
    amounts = (*game.resources, *(name for name, _ in game.groups))
    texts = [
        *((AMOUNT, _spoken(game.singular(name))) for name in amounts),
        *(("", text) for text in _texts(game)),
        *(("", text) for card in game.cards for text in _of_card(card, language)),
    ]
    return tuple(dict.fromkeys(key for key in texts if key[1]))


def catalogues(project: Project, module: str, code: str) -> Iterator[Catalogue]:
    """The catalogue of a module in one language, if it has one."""
    for language, source in project.catalogues(module):
        if language == code:
            yield read_catalogue(source)


def missing(game: Game, found: tuple[Catalogue, ...], language: str) -> tuple[Key, ...]:
    """The texts of a game that none of its catalogues has. Titles are names, which may stay
    untranslated.
    """
    known = {one.key for catalogue in found for one in catalogue.entries if one.forms}
    known.add(("", game.title))
    return tuple(key for key in vocabulary(game, language) if key not in known)


def _texts(game: Game) -> Iterator[str]:
    yield game.title
    yield from map(_spoken, game.players)
    yield from _declared(game)
    yield from (text for text in game.called.values())
    for wording in game.wordings:
        yield from [wording.phrase.text] if wording.phrase is not None else []
        yield from (lead.phrase.text for lead in wording.leads)
    yield from _answers(game)
    yield from (one.reason for one in game.forbids if isinstance(one.reason, str))
    yield from (tie.text for tie in game.ties)
    yield from _fields(game)
    yield from line_comments.of_ends(game)


def _declared(game: Game) -> Iterator[str]:
    """Declared things that people read by name."""
    lines = [found for part in game.layout for found in parts(part, LayoutItem)]
    variables = {one.name for one in lines if one.what == "variable"}
    shown = (one for one in game.places if not one.is_box)
    regions = {one.region: "zone" if one.is_zone else "space" for one in shown}
    entries = {card.entry for card in game.cards}
    named = [
        *(("resource", name) for name in game.resources),
        *(("resource", name) for name, _ in game.groups),
        *(("card", name) for name in game.kinds),
        *((sort, name) for name, sort in regions.items()),
        *(("pool", one.pool) for one in game.variables if one.pool),
        *(("piece", one.kind) for one in game.pieces),
        *(("variable", name) for name in variables),
        *(("score", one.name) for one in game.scores if one.name not in entries),
    ]
    yield from (_spoken(name) for sort, name in named if f"{sort} {name}" not in game.called)
    yield from (_spoken(one.name) for one in game.abilities if one.card == NOTHING)
    for name, members in game.values:
        yield from map(_spoken, (name, *members) if name != OUTCOME else ())


def _answers(game: Game) -> Iterator[str]:
    """Answers without words, and the rules that ask without words."""
    own = {card.entry for card in game.cards} | {one.name for one in game.abilities}
    for rule in game.rules:
        if rule.part_of:
            continue
        asked = list(parts(rule.body, s.Ask))
        ways = [way for one in asked for way in one.alternatives]
        names = [way.label for way in ways if not _is_worded(game, way.wording)]
        names += [rule.name] * (bool(asked or rule.opens) and not _is_worded(game, rule.wording))
        for name in names:
            if name not in own and name not in PLAIN and not DEAL.fullmatch(_spoken(name)):
                yield _spoken(name)


def _is_worded(game: Game, number: int) -> bool:
    return number != NOTHING and game.wordings[number].phrase is not None


def _fields(game: Game) -> Iterator[str]:
    """The names of fields that are shown with their values, and the members of lists."""
    known = {name for _, members in game.values for name in members}
    for card in game.cards:
        for key, value in card.fields.items():
            if isinstance(value, int) and key != _NUMBER:
                yield _spoken(key)
            elif isinstance(value, tuple) and known.issuperset(value):
                yield from map(_spoken, (key, *value))


def _of_card(card: CardInfo, language: str) -> Iterator[str]:
    if language not in card.names:
        yield card.names.get("en") or card.id
    if language not in card.texts:
        yield card.texts.get("en", "")


def _spoken(name: str) -> str:
    return name.replace("_", " ")
