"""Checks decks: kinds and numbers of cards, sizes, needs of the sheet, and shuffling."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import permutations

from targi_dsl.compiler.cards.decks import MOST_CARDS, Deck, Words, by_number, fields, piles_by
from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.lints.asked import names_read
from targi_dsl.compiler.lowering.abilities import all_trees
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.project.written import Written
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.printer import print_deck
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span
from targi_dsl.text.suggestions import suggestion


def unknown_kinds(game: Compilation) -> Iterator[Problem]:
    """Reports cards of a kind that is undeclared (E529) or not allowed in the zone (E531)."""
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


def wrong_numbers(game: Compilation) -> Iterator[Problem]:
    """Reports zones that do not contain each number of their range exactly once (E533)."""
    for zone in _zones(game):
        name = zone.name.text
        deck, line = game.decks.get(name, Deck(())), game.written.decks.get(name)
        if zone.numbered is None or deck.wrong or (game.written.errors.no_cards and line is None):
            continue
        faults = _wrong_numbers(deck, *zone.numbered)
        if not faults:
            continue
        low, high = zone.numbered
        title = f"`{name}` needs each number from {low} to {high} once"
        text = "; ".join(f"{what}: {', '.join(items)}" for what, items in faults.items())
        text, hint = f"{text[:1].upper()}{text[1:]}.", ""
        if line is not None and set(faults) <= {"more than once", "left to chance"}:
            hint = _drawing("1 of each number", line.deck)
            text += " To draw one with each number, write:" * bool(hint)
        label = (Label(zone.name.span, "the rules say it here"),)
        span = line.span if line is not None else game.written.span
        yield Problem("E533", title, span, text, hint, labels=label)


def _wrong_numbers(deck: Deck, low: int, high: int) -> dict[str, list[str]]:
    """The deviations of a deck from having each number once, by sort of deviation."""
    found = by_number(deck.cards)
    faults = defaultdict[str, list[str]](list)
    for number in range(low, min(high, low + MOST_CARDS) + 1):
        least, most = deck.bounds(found.pop(number, ()))
        if (least, most) != (1, 1):
            what = "left to chance" if deck.draws else "more than once"
            faults[what if most else "missing"].append(str(number))
    for at in found.pop(None, ()):
        faults["without a number"].append(deck.cards[at].entry.id)
    for beyond in found:
        faults["too many"].append(str(beyond))
    return faults


def unmet_needs(game: Compilation) -> Iterator[Problem]:
    """Reports decks that do not meet the needs stated in the sheet, and needs that contradict the
    zone (E532).
    """
    zones = {one.name.text: one for one in _zones(game) if one.each is None}
    for name, line in game.written.needs.items():
        deck, zone = game.decks.get(name, Deck(())), zones.get(name)
        if deck.wrong or name in game.written.errors or game.written.errors.no_cards:
            continue
        if zone is None:
            text = "A deck can only be put in a zone without an owner."
            hint = suggestion(name, zones)
            yield Unresolved(
                "E528", f"unknown zone `{name}`", line.zone.span, text, hint, name=name
            )
        elif clash := _clash(line, zone, game.words, deck):
            title = f"no deck can be what `{name}` must be"
            yield Problem("E532", title, line.span, clash)
        else:
            for need in line.needs:
                yield from _unmet(game.written, deck, need, name, game.words)


def _clash(line: n.SheetNeeds, zone: n.Zone, words: Words, deck: Deck) -> str:
    """The contradiction between needs, or with the declaration of the zone; "" if there is none."""
    sizes = dict[int, str]()
    if zone.numbered is not None:
        low, high = zone.numbered
        sizes[high - low + 1] = f"`numbered {low} to {high}`"
    for need in line.needs:
        each = words.values(_kinds(deck), need.each) if need.each is not None else (1,)
        if each and (need.each is None or len(_with(deck, need.each)) == len(deck.cards)):
            size = need.count * len(each)
            cards = f" ({size} cards)" if need.each is not None else ""
            sizes.setdefault(size, f"`{need.span.text}`{cards}")
    demands = [*sizes.values()]
    if sizes and zone.least > min(sizes):
        demands.append(f"`at least {zone.least}`")
    return f"{' and '.join(demands)} cannot both be." if len(demands) > 1 else ""


def _with(deck: Deck, field: n.Word) -> list[int]:
    """The positions of cards with a field."""
    entries = enumerate(card.entry for card in deck.cards)
    return [at for at, entry in entries if field.text in fields(entry)]


def _unmet(
    written: Written, deck: Deck, need: n.DeckNeed, zone: str, words: Words
) -> Iterator[Problem]:
    """The problem of a deck that does not meet a need."""
    piles: dict[str, list[int]] | Problem = {"cards": list(range(len(deck.cards)))}
    if need.each is not None and deck.cards:
        positions = _with(deck, need.each) or range(len(deck.cards))
        entries = tuple(deck.cards[at].entry for at in positions)
        piles = piles_by(need.each, entries, words.type(_kinds(deck), need.each.text), words)
        if not isinstance(piles, Problem):
            piles = {value: [positions[at] for at in pile] for value, pile in piles.items()}
    if isinstance(piles, Problem):
        yield piles
        return
    faults = []
    for value, pile in piles.items():
        least, most = deck.bounds(pile)
        if least != most:
            faults.append(f"{least} to {most} {value}, as chance decides")
        elif lack := need.count - least:
            faults.append(f"{least} {value}, {abs(lack)} {'missing' if lack > 0 else 'too many'}")
    if faults:
        line = written.decks.get(zone)
        hint = ""
        enough = all(len(pile) >= need.count for pile in piles.values())
        if enough and need.each is not None and line is not None:
            hint = _drawing(need.span.text, line.deck)
        label = (Label(need.span, "the game says it here"),) if line is not None else ()
        title, text = f"`{zone}` must have {need.span.text}", f"It has {'; '.join(faults)}."
        span = line.span if line is not None else need.span
        yield Problem("E532", title, span, text, hint, labels=label)


def _drawing(what: str, node: n.DeckExpr) -> str:
    """An expression that draws from this deck, or from what it draws from; "" if it contains other
    draws.
    """
    whole = node.deck if isinstance(node, n.DeckDraw) else node
    is_drawn = any(isinstance(one, n.DeckDraw) for one in whole.walk())
    return "" if is_drawn else f"draw {what} from ({print_deck(whole)})"


def _kinds(deck: Deck) -> dict[str, None]:
    return dict.fromkeys(card.kind for card in deck.cards)


def too_small(game: Compilation) -> Iterator[Problem]:
    """Reports zones with fewer cards than the rules require (E534)."""
    for zone in _zones(game):
        name = zone.name.text
        line, deck = game.written.decks.get(name), game.decks.get(name, Deck(()))
        count = game.decks[deck.rest].left if deck.rest in game.decks else deck.drawn
        elsewhere = game.written.errors.no_cards if line is None else name not in game.decks
        if count >= zone.least or deck.wrong or elsewhere or name in game.written.errors:
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


def _zones(game: Compilation) -> list[n.Zone]:
    return [zone for _, zone in game.context.nodes(n.Zone)]


def taken_twice(game: Compilation) -> Iterator[Problem]:
    """Warns of cards that two decks contain, together more copies than the file has (W949), unless
    it is said how many.
    """
    found = {zone: one for zone, one in game.decks.items() if one.cards and not one.wrong}
    lines = game.written.decks
    for zone, other in permutations(found, 2):
        node, here, there = lines[zone].deck, found[zone], found[other]
        if here.draws and not there.draws:
            continue  # told the other way round
        count, taken = (Counter(one.key for one in deck.cards) for deck in (here, there))
        entries = {one.key: one.entry for one in here.cards}
        said = {(one.of.text, one.name.text) for one in node.every(n.DeckCopies)}
        spare = {one: max(entry.copies - count[one], 0) for one, entry in entries.items()}
        twice = [one for one in entries if one not in said and taken[one] > spare[one]]
        if not twice:
            continue
        left = {one: max(entries[one].copies - taken[one], 0) for one in twice}
        of, card = first = twice[0]
        title = f"`{zone}` and `{other}` have the same cards"
        text = f"The file has {entries[first].copies} of {card}; here are {count[first]}, and"
        text += f" {taken[first]} in `{other}`."
        if there.draws:
            text, hint = f"{text} Write:", f"deck {zone}: the rest of {other}"
        elif len(twice) == len(entries) and not any(left.values()):
            text, hint = f"{text} If that is meant, allow it:", "# allow W949: WHY"
        else:
            text += f" If that is meant, write `without {card} + {count[first]} x {card} of {of}`;"
            text += " if not:"
            whole = print_deck(node) if isinstance(node, n.DeckSet) else f"({print_deck(node)})"
            rest = [f"{left[one]} x {one[1]} of {one[0]}" for one in twice if left[one]]
            without = f"{whole} without {', '.join(one for _, one in twice)}"
            hint = f"deck {zone}: {' + '.join((without, *rest))}"
        labels = (Label(lines[other].span, "they are here, too"),)
        yield Problem("W949", title, node.span, text, hint, labels)
        return


def unshuffled(game: Compilation) -> Iterator[Problem]:
    """Warns of piles that are drawn from in the order of the deck expression (W934): they are never
    shuffled, or only after a draw.
    """
    listed = [one for one in _zones(game) if _is_listed(game, one)]
    if not listed:
        return
    trees = all_trees(game.context)
    shuffled = (one.zone for tree in trees for one in tree.every(n.Shuffle))
    chosen = (one.within for tree in trees for one in tree.every(n.Choose) if one.at_random)
    mixed = {name for one in (*shuffled, *chosen) for name in one.derived(names_read)}
    puts = [one for tree in trees for one in tree.every(n.Put)]
    for put in (*puts, *puts):  # twice, for cards that move on from where they are put
        if not mixed.isdisjoint(put.card.derived(names_read)):
            mixed |= put.place.derived(names_read)
    draws: list[tuple[n.Expr, n.Node, Span]] = []
    drawn = (one for tree in trees for one in tree.every(n.Draw) if not _takes_all(game, one))
    draws += [(one.source, one.place, one.span) for one in drawn]
    draws += [(one.source, one.zone, one.span) for tree in trees for one in tree.every(n.Deal)]
    draws += (one for tree in trees for one in _top_cards_put(tree))
    shuffles = game.context.node(n.Rule, "setup").every(n.Shuffle)
    first = {one.zone.span.text: one.span for one in reversed(shuffles)}
    for zone in listed:
        name = zone.name.text
        for source, to, span in draws:
            is_from = isinstance(source, n.Name) and source.text == name
            at = first.get(name)
            is_early = at is not None and at.home is span.home and span.start < at.start
            if is_from and (is_early or mixed.isdisjoint({name, *to.derived(names_read)})):
                text = "Every game draws the same cards from it, in the order listed. Write before:"
                title = f"`{name}` is {'shuffled too late' if is_early else 'never shuffled'}"
                labels = (Label(span, "cards are drawn here"),)
                hint = f"shuffle {name}"
                yield Problem("W934", title, zone.name.span, text, hint, labels)
                break


def _top_cards_put(tree: n.Node) -> Iterator[tuple[n.Expr, n.Node, Span]]:
    """For each `put` of a top card: the pile, the target and the span."""
    lets = {one.name.text: one.value for one in tree.every(n.Let)}
    for put in tree.every(n.Put):
        match lets.get(put.card.span.text, put.card):
            case n.Unary("top", pile):
                yield pile, put.place, put.span


def _takes_all(game: Compilation, draw: n.Draw) -> bool:
    """Whether a draw takes the whole deck, so that its order does not matter."""
    deck = game.decks.get(draw.source.text) if isinstance(draw.source, n.Name) else None
    number = draw.number.value if isinstance(draw.number, n.Number) else 0
    return deck is not None and number >= len(deck.cards)


def _is_listed(game: Compilation, zone: n.Zone) -> bool:
    """Whether the deck of a zone has different cards in the order of the sheet."""
    deck = game.decks.get(zone.name.text, Deck(()))
    return not deck.draws and len({card.entry.id for card in deck.cards}) > 1
