"""`targi show`: what a game consists of, and where each part is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from textwrap import dedent, wrap

import click

from targi_dsl.api import start
from targi_dsl.cli import arguments
from targi_dsl.cli.first_page import decks as decks_of
from targi_dsl.cli.first_page import (
    declared,
    first_page,
    location,
    named_declarations,
    origin_words,
    text_of,
)
from targi_dsl.cli.first_page import options as options_of
from targi_dsl.cli.output import put
from targi_dsl.cli.summary import draw
from targi_dsl.compiler import translations
from targi_dsl.compiler.load import load
from targi_dsl.display.parts import beside_cards
from targi_dsl.display.scene import scene_of
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.declarations import CardInfo, FieldValue, heading, in_one_line
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import WIDTH, Problem, Problems
from targi_dsl.text.suggestions import suggestion
from targi_dsl.view.words import Words


def _completions(context: click.Context, parameter: click.Parameter, prefix: str) -> list[str]:
    """Completes lists, and after `rule` and `card` names of the game."""
    words: Iterable[str] = (*_LISTS, "card", "rule")
    typed = context.params.get("what") or ()
    if typed and typed[-1] in ("rule", "card"):
        with suppress(Problems):
            game = load(str(context.params.get("name")))
            cards = (card.id for card in game.cards)
            words = cards if typed[-1] == "card" else (name for _, name, _ in declared(game))
            words = [*words]
    return [word for word in dict.fromkeys(words) if word.startswith(prefix)]


@click.command("show")
@arguments.game()
@click.argument(
    "what",
    metavar="[rules|cards|decks|options|parts|NAME|card NAME|rule NAME]",
    nargs=-1,
    shell_complete=_completions,
)
@click.option(
    "--origins",
    is_flag=True,
    help="With rules: of everything declared, what each module did to it.",
)
@arguments.options
@arguments.decks
@arguments.language
@arguments.svg
def command(
    name: str,
    what: tuple[str, ...],
    origins: bool,
    options: Mapping[str, str],
    decks: Mapping[str, str],
    language: str,
    svg: Path | None,
    seen_by: str,
) -> None:
    """Show what a game is about and how it goes; or its rules, its cards, its decks, its options,
    all its parts, or one card or rule.

    The name of a zone, a set or a kind of card lists the cards that are in it, or start there, and
    that of a region or space what lies there after the setup; any other name shows where it is
    declared, or the card.

    Definitions, prohibitions and parts of the score count as rules. Each is shown with its file
    and line, the modules that changed it, and the sources it cites. --svg draws the first position.
    """
    lists: dict[str, Callable[[Game], Iterator[str]]] = {
        "rules": _origins if origins else _rules,
        "cards": _cards,
        "options": _options,
        "decks": decks_of,
        "parts": _overview,
    }
    single: dict[str, Callable[[Game, str], Iterator[str]]] = {"card": _card, "rule": _rule}
    game = partial(load, name, options=options, decks=decks)
    match what:
        case ():
            lines = first_page(game(), name)
        case (topic,) if topic in lists:
            lines = lists[topic](game())
        case (topic, wanted) if topic in single:
            lines = single[topic](game(), wanted)
        case (topic,) if topic in single:
            raise click.UsageError(f"'{topic}' needs a name.")
        case (topic,):
            lines = _group(game(), topic)
        case _:
            raise click.UsageError(f"'{' '.join(what)}' is none of: {_WORDS}.")
    if svg is not None:
        arguments.check_observer(game(), seen_by)
        draw(start(game()), seen_by, translations.of_game(game(), name, language), svg)
        return
    for line in lines:
        put(line)


_LISTS = ("rules", "cards", "decks", "options", "parts")
_WORDS = ", ".join([*_LISTS, "a name", "card NAME", "rule NAME"])


# ---- lists ----


def _overview(game: Game) -> Iterator[str]:
    yield f"{game.title} ({game.name}), rules {game.hash}"
    yield ""
    of = {
        wanted: [
            (name, origins) for sort, name, origins in named_declarations(game) if sort == wanted
        ]
        for wanted in ("rule", "forbid")
    }
    groups = {name: [game.resources[one] for one in members] for name, members in game.groups}
    parts = (
        ("players", game.players),
        ("options", [f"{name}={value}" for name, value in game.options]),
        ("resources", game.resources),
        ("groups", [f"{name}: {', '.join(members)}" for name, members in groups.items()]),
        ("values", [f"{name}: {', '.join(members)}" for name, members in game.values]),
        ("spaces", _counts(place.region for place in game.places if not place.is_zone)),
        ("zones", dict.fromkeys(place.region for place in game.places if place.is_zone)),
        ("pieces", _counts(piece.kind for piece in game.pieces)),
        ("cards", _counts(game.kinds[card.kind] for card in game.cards)),
        ("rules", [name for name, origins in of["rule"] if origins[-1].module != "cards"]),
        ("definitions", [define.name for define in game.defines]),
        ("prohibitions", [name for name, _ in of["forbid"]]),
        ("score", dict.fromkeys(part.name for part in game.scores)),
    )
    for name, items in parts:
        if items:
            text = ("; " if name in ("groups", "values") else ", ").join(items)
            yield click.wrap_text(text, 100, f"{name + ':':14}", " " * 14)


def _counts(names: Iterable[str]) -> list[str]:
    return [f"{count} {name}" for name, count in Counter(names).items()]


def _rules(game: Game) -> Iterator[str]:
    for sort, name, origins in named_declarations(game):
        where = "; ".join(origin_words(origin) for origin in origins)
        yield f"{heading(sort, name)}  {where}"


def _origins(game: Game) -> Iterator[str]:
    """All declarations with what each module did, newest first."""
    for sort, name, origins in declared(game):
        yield heading(sort, name)
        yield from (f"  {origin_words(origin)}" for origin in origins)


def _cards(game: Game) -> Iterator[str]:
    for kind, kind_name in enumerate(game.kinds):
        cards = [card for card in game.cards if card.kind == kind]
        if cards:
            yield f"{kind_name}: {len(cards)}"
        yield from (_card_line(game, card) for card in cards)


def _card_line(game: Game, card: CardInfo) -> str:
    """A card on one line: id, names, fields, start, file."""
    values = ", ".join(f"{name} {_value(game, name, value)}" for name, value in card.fields.items())
    begin = game.places[card.start].name if card.start >= 0 else "nowhere"
    where = f"  {location(card.span)}" if card.span is not None else ""
    facts = [_english(card.names), *[values] * bool(values), f"begins in {begin}{where}"]
    return f"  {card.id}  {'; '.join(facts)}"


def _group(game: Game, wanted: str) -> Iterator[str]:
    """The cards of a zone, region, set or kind; or the declaration or card with that name."""
    cards = [card for card in game.cards if wanted in _groups(game, card)]
    regions = list(dict.fromkeys(place.region for place in game.places))
    spaces = list(dict.fromkeys(place.label for place in game.places if not place.is_zone))
    if cards and any(place.drawn_for == wanted for place in game.places):
        yield f"{wanted}: {dict(game.decks)[wanted]}, by chance when the game begins, out of:"
        yield from (_card_line(game, card) for card in cards)
    elif cards:
        yield f"{wanted}: {len(cards)}"
        yield from (_card_line(game, card) for card in cards)
    elif wanted in regions or wanted in spaces:
        yield from _region(game, wanted)
    elif wanted in (names := [name for _, name, _ in declared(game)]):
        yield from _rule(game, wanted)
    elif any(wanted in (card.id, card.entry) for card in game.cards):
        yield from _card(game, wanted)
    else:
        sets = dict.fromkeys(card.set for card in game.cards)
        raise _unknown(
            game, "part", wanted, [*_LISTS, *regions, *spaces, *sets, *game.kinds, *names]
        )


def _groups(game: Game, card: CardInfo) -> set[str]:
    """The groups of a card: its set, kind and zone."""
    names = {card.set, game.kinds[card.kind]}
    if card.start >= 0:
        place = game.places[card.start]
        names |= {place.region, place.drawn_for} - {""}
    return names


def _region(game: Game, wanted: str) -> Iterator[str]:
    """The contents of places after setup, as far as they do not depend on chance."""
    states, words = [start(game, Seed(seed)) for seed in range(2)], Words(game)
    scenes = [(one, scene_of(one, words)) for one in states]
    cards = {card.id: card for card in game.cards}
    yield f"{wanted}, after the setup:"
    for place in (one.name for one in game.places if wanted in (one.region, one.label)):
        first, other = ((one.cards(place), beside_cards(scene, place)) for one, scene in scenes)
        laid, beside = first
        if first == other:
            yield f" {place}: {', '.join(beside) or 'empty' * (not laid)}".rstrip()
            yield from (_card_line(game, cards[card]) for card in laid)
        else:
            kinds = _counts(game.kinds[cards[card].kind] for card in laid)
            yield f" {place}: {', '.join([*kinds, *beside])}, by chance"


def _value(game: Game, name: str, value: FieldValue) -> str:
    """A field as written."""
    members = next((members for known, members in game.values if known == name), ())
    if isinstance(value, int) and 0 <= value < len(members):
        return members[value]
    return in_one_line(value)


def _english(texts: Mapping[str, str]) -> str:
    return texts.get("en") or next(iter(texts.values()), "")


def _options(game: Game) -> Iterator[str]:
    yield from options_of(game)
    if not game.options:
        yield f"{game.title} has no options."


# ---- single items ----


def _card(game: Game, wanted: str) -> Iterator[str]:
    of_sets = {card.same: card for card in reversed(game.cards) if wanted in (card.id, card.entry)}
    by_name = {_english(card.names).casefold(): card for card in reversed(game.cards)}
    if not of_sets and wanted.casefold() not in by_name:
        known = [one for card in game.cards for one in (card.id, _english(card.names))]
        raise _unknown(game, "card", wanted, known)
    for card in [*reversed(of_sets.values())] or [by_name[wanted.casefold()]]:
        yield from _facts(game, card)


def _facts(game: Game, card: CardInfo) -> Iterator[str]:
    yield f"card {card.id}, a {game.kinds[card.kind]} of {card.set}: {_english(card.names)}"
    if card.texts:
        yield from wrap(_english(card.texts), WIDTH, initial_indent="  ", subsequent_indent="  ")
    if card.span is not None:
        text = dedent(" " * (card.span.column - 1) + card.span.text)
        yield f"  {location(card.span)}"
        yield from (f"    {line}" for line in text.splitlines())
    yield from (f"  changed in {location(one)}: {one.text}" for one in card.changes)
    for ability in game.abilities:
        if ability.card == game.cards.index(card):
            yield f"  ability: {ability.text}"
            if ability.missing:
                yield f"    It has no effect here: this game has no `{ability.missing}`."


def _rule(game: Game, wanted: str) -> Iterator[str]:
    if not (text := [*text_of(game, wanted)]):
        raise _unknown(game, "rule", wanted, [name for _, name, _ in declared(game)])
    yield from text


def _unknown(game: Game, sort: str, wanted: str, known: Iterable[str]) -> Exception:
    hint = suggestion(wanted, known, f"`targi show {game.name} parts` lists what there is.")
    text = f"{game.title} has no {sort} of that name."
    return Problems([Problem("E213", f"unknown {sort} `{wanted}`", None, text, hint)])
