"""Checks of a game as a whole. To add one, write a function here and add it to `CHECKS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from targi_dsl.compiler.cards.decks import MOST_CARDS, Deck, DeckCard
from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.lints import cards, rounds, unpayable
from targi_dsl.compiler.lowering.abilities import sentences
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import OUTCOME, RuleInfo
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span
from targi_dsl.text.suggestions import suggestion


def unknown_kinds(game: Compilation) -> Iterator[Problem]:
    """Reports cards of a kind that is not declared, or not allowed in the zone."""
    written, symbols, decks = game.written, game.symbols, game.decks
    for zone, one in decks.items():
        wanted = symbols.regions[zone].kind
        cards = decks[one.rest].cards if one.rest in decks else one.cards
        for kind in dict.fromkeys(card.kind for card in cards):
            span = next(card.kind_span for card in cards if card.kind == kind)
            if kind not in symbols.kinds:
                text = f"The rules declare: {', '.join(symbols.kinds) or 'none'}."
                title, hint = f"no kind of card `{kind}`", suggestion(kind, symbols.kinds)
                yield Unresolved("E529", title, span, text, hint, name=kind)
            elif wanted not in ("card", kind):
                title = f"`{zone}` holds {wanted}, not {kind}"
                label = (Label(span, "the cards say it here"),)
                text = "Put these cards in another zone, or declare the zone for any kind: `card`."
                yield Problem("E531", title, written.decks[zone].span, text, labels=label)


Pair = tuple[DeckCard, DeckCard]


def _of_two_sets(game: Compilation) -> tuple[dict[tuple[str, str], list[Pair]], set[str]]:
    """The cards of two sets that share an id, for each pair of sets, and their zones."""
    first: dict[str, tuple[DeckCard, str]] = {}
    found: dict[tuple[str, str], list[Pair]] = {}
    zones = set[str]()
    for zone, one in game.decks.items():
        for card in () if one.wrong else one.cards:
            other, there = first.setdefault(card.entry.id, (card, zone))
            if other.set != card.set:
                found.setdefault((other.set, card.set), []).append((other, card))
                zones.update((zone, there))
    return found, zones


def twins(game: Compilation) -> Iterator[Problem]:
    """Reports cards of two sets that share an id, once for each pair of sets."""
    for (set_, other_set), pairs in _of_two_sets(game)[0].items():
        other, card = pairs[0]
        more = len({one.entry.id for one, _ in pairs}) - 1
        title = f"two cards `{card.entry.id}` in one game"
        text = f"One is in set {set_}, the other in {other_set}; in a game an id must be unique."
        text += f" The same applies to {more} more." if more else ""
        same = any(one.entry.number and one.entry.number == two.entry.number for one, two in pairs)
        text += (
            " To replace the cards of the first set by those of the second, write:" if same else ""
        )
        hint = f"{set_} overlaid by {other_set}" if same else ""
        label = (Label(other.entry.keys["id"], "the other one"),)
        yield Problem("E532", title, card.entry.keys["id"], text, hint, labels=label)


def check_numbers(game: Compilation) -> Iterator[Problem]:
    """Reports zones that should contain each number of a range once and do not."""
    twice = _of_two_sets(game)[1]
    for zone in _zones(game):
        deck = game.decks.get(zone.name.text, Deck(()))
        if zone.numbered is None or deck.wrong or zone.name.text in twice:
            continue
        if game.written.errors.no_cards and zone.name.text not in game.written.decks:
            continue
        if faults := list(_wrong_numbers(deck, *zone.numbered)):
            line = game.written.decks.get(zone.name.text)
            low, high = zone.numbered
            title = f"`{zone.name.text}` needs each number from {low} to {high} once"
            label = (Label(zone.name.span, "the rules say it here"),)
            text = "; ".join(faults) + "."
            span = line.span if line is not None else game.written.span
            yield Problem("E533", title, span, text[:1].upper() + text[1:], labels=label)


def _wrong_numbers(deck: Deck, low: int, high: int) -> Iterator[str]:
    """The problems with the cards' numbers, each of which must occur once."""
    given = [card.entry.number for card in deck.cards]
    counts = {number: given.count(number) for number in given if number is not None}
    wanted = range(low, min(high, low + MOST_CARDS) + 1)
    for what, those in (
        ("missing", [number for number in wanted if number not in counts]),
        ("more than once", sorted(number for number, count in counts.items() if count > 1)),
        ("too many", sorted(number for number in counts if not low <= number <= high)),
        ("without a number", [card.entry.id for card in deck.cards if card.entry.number is None]),
    ):
        if those:
            yield f"{what}: {', '.join(map(str, those))}"
    if deck.draws:
        yield "drawn by chance, so its number is not known"


def too_small(game: Compilation) -> Iterator[Problem]:
    """Reports zones with fewer cards than the rules require."""
    for zone in _zones(game):
        name = zone.name.text
        line, laid = game.written.decks.get(name), game.decks.get(name, Deck(()))
        count = game.decks[laid.rest].left if laid.rest in game.decks else laid.drawn
        elsewhere = game.written.errors.no_cards if line is None else name not in game.decks
        if count >= zone.least or laid.wrong or elsewhere or name in game.written.errors:
            continue
        if zone.each is not None:
            title = f"`{name}` belongs to the players"
            text = "A deck can only be put in a zone without an owner."
            yield Problem(
                "E528", title, zone.name.span, text, f"Leave out `at least {zone.least}`."
            )
            continue
        title = f"too few cards for `{name}`"
        text = f"The rules need {zone.least} at least; the sheet lays {count} there."
        hint = f"{line.span.text} + ..." if line is not None else f"deck {name}: ..."
        label = (Label(zone.name.span, "the rules say it here"),)
        span = line.span if line is not None else game.written.span
        yield Problem("E534", title, span, text, hint, labels=label)


def _zones(game: Compilation) -> Iterator[n.Zone]:
    """The zones that the rules declare."""
    for one in game.layers.effective.values():
        if isinstance(one.node, n.Zone):
            yield one.node


_LEFT_TO_CHOOSE = (n.OneOf, n.AnyOrder, n.May, n.Times)
_ASKING = (n.Choose, n.Pay)


def mandatory(game: Compilation) -> Iterator[Problem]:
    """Each rule that is optional in all other calls, and that a module makes mandatory."""
    nodes = [one for module in game.written.modules.values() for one in module.declarations]
    added = [
        step
        for node in nodes
        if isinstance(node, n.ExtendRule) and node.anchor is None
        for step in node.body
        if isinstance(step, n.Do) and _is_asking(game, step.rule.text)
    ]
    left, must = _calls((*nodes, *sentences(game.context)) if added else ())
    for step in added:
        name = step.rule.text
        if left.get(name) and must.get(name) == {step.span}:
            text = f"Elsewhere {name} is optional; here it is mandatory. To make it optional:"
            title, hint = f"`{name}` is mandatory here", f"may: {step.span.text}"
            yield Problem("W908", title, step.span, text, hint, "warning")


def _is_asking(game: Compilation, name: str) -> bool:
    """Whether a rule itself asks for a choice or a payment."""
    there = game.layers.effective.get(("rule", name))
    body = there.node.body if there is not None and isinstance(there.node, n.Rule) else ()
    return any(isinstance(one, _ASKING) for one in body)


def _calls(nodes: tuple[n.Node, ...]) -> tuple[dict[str, set[Span]], dict[str, set[Span]]]:
    """Where each rule is optional, and where it is mandatory."""
    left, must = dict[str, set[Span]](), dict[str, set[Span]]()
    for node in nodes:
        within = {
            part.span
            for one in node.walk()
            if isinstance(one, _LEFT_TO_CHOOSE) or _offers(one)
            for part in one.walk()
            if isinstance(part, n.Do)
        }
        for part in node.walk():
            if isinstance(part, n.Do):
                there = left if part.span in within else must
                there.setdefault(part.rule.text, set()).add(part.span)
    return left, must


def _offers(node: n.Node) -> bool:
    """`extend rule R after PART offering`"""
    return isinstance(node, n.ExtendRule) and any(
        isinstance(one, n.Alternative) for one in node.body
    )


def unused_parameters(game: Compilation) -> Iterator[Problem]:
    """Warns of parameters that are never read. A definition that only names something has them for
    modules that replace it.
    """
    made, numbers = game.finished, game.context.tables
    if made is None:
        return
    for (sort, name), one in game.layers.effective.items():
        match one.node:
            case n.Define(params=params, value=value) if params and not isinstance(value, n.Name):
                parted: object = made.defines[numbers.define_numbers[name]].value
            case n.Rule(params=params) if params:
                parted = _of_rule(made, made.rules[numbers.rule_numbers[name]])
            case _:
                continue
        read = {local.slot for local in parts(parted, e.Local)}
        for slot, param in enumerate(params, 1):
            if slot not in read:
                what = "the rule does" if sort == "rule" else "is defined"
                text = f"It makes no difference to what {what}. Use it, or leave it out."
                title = f"`{param.name.text}` is never used"
                yield Problem("W916", title, param.span, text, severity="warning")


def _of_rule(game: Game, rule: RuleInfo) -> object:
    """What reads the parameters of a rule: its body, its words, and what changes its payments."""
    numbers = (rule.wording, *(way.wording for way in rule.every(s.Alternative)))
    words = (game.wordings[one] for one in numbers if one != NOTHING)
    terms = (game.terms[one.terms] for one in rule.every(s.Pay) if one.terms != NOTHING)
    return rule.body, tuple(words), tuple(terms)


class Check(NamedTuple):
    """A check with the codes of its problems, and whether it is only meaningful for a game without
    errors: what seems to be missing may appear once an error is fixed.
    """

    codes: tuple[str, ...]
    run: Callable[[Compilation], Iterator[Problem]]
    of_sound_games: bool = False

    @property
    def warns(self) -> bool:
        """Whether its problems are warnings, which an error that is found first may explain."""
        return self.codes[0].startswith("W")


def abilities_without_effect(game: Compilation) -> Iterator[Problem]:
    """A card from another game's deck may refer to things that this game lacks."""
    ctx = game.context
    for ability, word in ctx.without_effect:
        card = ctx.cards.entries[ctx.tables.abilities[ability].card]
        text = f"`{word.text}` is not part of this game, so this ability never does anything."
        title = f"`{card.entry.id}` has no effect here"
        yield Problem("W901", title, word.span, text, severity="warning")


def never_ends(game: Compilation) -> Iterator[Problem]:
    """Rounds go on until a rule says `end game`."""
    rules = game.context.tables.rules
    if not any(rule.every(s.EndGame) for rule in rules if rule is not None):
        text = "Rounds are repeated until a rule says `end game`, and none does."
        title, span = "the game never ends", game.written.span
        yield Problem("W902", title, span, text, "end game", "warning")


def no_outcome(game: Compilation) -> Iterator[Problem]:
    """Reports a game in which nobody can win or lose (E214)."""
    if not game.scores and OUTCOME not in game.context.tables.variables:
        text = "There is no `score`, and no rule says who wins or loses."
        resources = game.symbols.resources
        hint = f"score points: your {resources[0]}" if resources else "everybody wins"
        yield Problem("E214", "the game has no outcome", game.written.span, text, hint)


def _of_finished(problems: Callable[[Game], Iterator[Problem]]) -> Callable[..., Iterator[Problem]]:
    """A check of the finished game; of a game with errors there is none."""
    return lambda game: iter(()) if game.finished is None else problems(game.finished)


CHECKS = (
    Check(("E529", "E531"), unknown_kinds),
    Check(("E532",), twins),
    Check(("E533",), check_numbers),
    Check(("E528", "E534"), too_small),
    Check(("E214",), no_outcome, of_sound_games=True),
    Check(("E216",), _of_finished(rounds.nobodys_turn), of_sound_games=True),
    Check(("W901",), abilities_without_effect, of_sound_games=True),
    Check(("W902",), never_ends, of_sound_games=True),
    Check(("W902",), _of_finished(rounds.endless), of_sound_games=True),
    Check(("W903",), _of_finished(rounds.out_of_range), of_sound_games=True),
    Check(("W904",), _of_finished(cards.leaks), of_sound_games=True),
    Check(("W905",), cards.impossible_kinds, of_sound_games=True),
    Check(("W907",), _of_finished(cards.without_effect), of_sound_games=True),
    Check(("W908",), mandatory, of_sound_games=True),
    Check(("W910",), cards.stale_texts, of_sound_games=True),
    Check(("W915",), _of_finished(rounds.unreached), of_sound_games=True),
    Check(("W916",), unused_parameters, of_sound_games=True),
    Check(("W913", "W914"), _of_finished(unpayable.warnings), of_sound_games=True),
)
