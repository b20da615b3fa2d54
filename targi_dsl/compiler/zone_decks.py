"""The decks that a sheet lays into zones: which cards they are, and whether they belong there."""

from __future__ import annotations

from collections.abc import Mapping

from targi_dsl.compiler.changes import Effective, Key
from targi_dsl.compiler.deck_fields import Words
from targi_dsl.compiler.decks import MOST_CARDS, Deck, DeckCard, deck
from targi_dsl.compiler.sheets import Written
from targi_dsl.compiler.world import World
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem, did_you_mean


def decks(written: Written, declared: Mapping[Key, Effective]) -> dict[str, Deck]:
    """The deck of each zone that the sheet has one for; problems go into `written`."""
    found = {}
    words = Words.of(declared)
    for zone, line in written.decks.items():
        made = deck(line.deck, written.card_set, words, written.problems)
        if len(made.cards) > MOST_CARDS:
            text = f"A deck has at most {MOST_CARDS} cards."
            written.problems.append(
                Problem("E527", f"{len(made.cards)} cards are too many", line.span, text)
            )
            made = Deck((), wrong=True)
        found[zone] = made
    return found


def is_zone(written: Written, world: World, zone: str) -> bool:
    """Whether a deck can be laid there; told if not."""
    region = world.regions.get(zone)
    if region is not None and region.is_zone and not region.owned:
        return True
    word = written.decks[zone].zone
    zones = [one.name for one in world.regions.values() if one.is_zone and not one.owned]
    text = "Cards are laid into a zone that belongs to nobody."
    near = did_you_mean(zone, zones)
    hint = f"Did you mean `{near}`?" if near else ""
    written.problems.append(Problem("E528", f"unknown zone `{zone}`", word.span, text, hint))
    return False


def box(zone: str, number: int) -> str:
    """The name of a box of cards that are drawn from for a zone."""
    return f"box of {zone} {number + 1}"


def boxes(decks: dict[str, Deck]) -> list[tuple[str, str]]:
    """A box beside each zone that is drawn for, one for each pile to draw from."""
    return [(box(zone, i), "card") for zone, one in decks.items() for i in range(len(one.draws))]


def in_boxes(decks: dict[str, Deck]) -> dict[str, Deck]:
    """The decks by where they lie before the game: in their zone, or in the boxes that are drawn
    from.
    """
    found: dict[str, Deck] = {}
    for zone, one in decks.items():
        if not one.draws:
            found[zone] = one
        for i, draw in enumerate(one.draws):
            found[box(zone, i)] = Deck(tuple(one.cards[p] for p in draw.positions))
    return found


def unknown_kinds(written: Written, world: World, decks: dict[str, Deck]) -> None:
    """Tells cards of a kind that the rules do not have, or that does not lie in that zone."""
    for zone, one in decks.items():
        wanted = world.regions[zone].kind
        for kind in dict.fromkeys(card.kind for card in one.cards):
            span = next(card.kind_span for card in one.cards if card.kind == kind)
            if kind not in world.kinds:
                near = did_you_mean(kind, world.kinds)
                text = f"The rules declare: {', '.join(world.kinds) or 'none'}."
                hint = f"Did you mean `{near}`?" if near else ""
                written.problems.append(
                    Problem("E529", f"no kind of card `{kind}`", span, text, hint)
                )
            elif wanted not in ("card", kind):
                title = f"`{zone}` holds {wanted}, not {kind}"
                label = (Label(span, "the cards say it here"),)
                text = "A zone says which kind of card lies in it."
                written.problems.append(
                    Problem("E531", title, written.decks[zone].span, text, labels=label)
                )


def twins(written: Written, decks: dict[str, Deck]) -> set[str]:
    """Tells cards of two sets with one id, once for each two sets; the zones that it has something
    to say of.
    """
    first: dict[str, tuple[DeckCard, str]] = {}
    found: dict[tuple[str, str], list[tuple[DeckCard, DeckCard]]] = {}
    zones = set[str]()
    for zone, one in decks.items():
        for card in () if one.wrong else one.cards:
            other, there = first.setdefault(card.entry.id, (card, zone))
            if other.set != card.set:
                found.setdefault((other.set, card.set), []).append((other, card))
                zones.update((zone, there))
    for (set_, other_set), pairs in found.items():
        other, card = pairs[0]
        more = len({one.entry.id for one, _ in pairs}) - 1
        title = f"two cards `{card.entry.id}` in one game"
        text = f"One is of set {set_}, the other of {other_set}; an id names one card of a game."
        text += f" So it is with {more} more." if more else ""
        same = any(one.entry.number and one.entry.number == two.entry.number for one, two in pairs)
        text += " Those of the second set take the place of the others by:" if same else ""
        hint = f"{set_} overlaid by {other_set}" if same else ""
        label = (Label(other.entry.keys["id"], "the other one"),)
        written.problems.append(
            Problem("E532", title, card.entry.keys["id"], text, hint, labels=label)
        )
    return zones


def numbered(
    written: Written, declared: Mapping[Key, Effective], decks: dict[str, Deck], told: set[str]
) -> None:
    """Tells zones that must hold each number of a range once, and do not; not again those of which
    more is `told`.
    """
    for (_, name), effective in declared.items():
        node = effective.node
        if not isinstance(node, n.Zone) or node.numbered is None:
            continue
        low, high = node.numbered
        deck_ = decks.get(name, Deck(()))
        if deck_.wrong or name in told:
            continue
        given = [card.entry.number for card in deck_.cards]
        counts = {number: given.count(number) for number in given if number is not None}
        faults = (
            (
                "missing",
                [k for k in range(low, min(high, low + MOST_CARDS) + 1) if k not in counts],
            ),
            ("more than once", sorted(k for k, count in counts.items() if count > 1)),
            ("too many", sorted(k for k in counts if not low <= k <= high)),
        )
        wrong = [f"{what}: {', '.join(map(str, those))}" for what, those in faults if those]
        wrong += [
            "without a number: "
            + ", ".join(c.entry.id for c in deck_.cards if c.entry.number is None)
        ] * (None in given)
        wrong += ["by chance: what is drawn may have any number"] * bool(deck_.draws)
        if wrong:
            line = written.decks.get(name)
            title = f"`{name}` needs each number from {low} to {high} once"
            label = (Label(node.name.span, "the rules say it here"),)
            text = "; ".join(wrong) + "."
            span = line.span if line is not None else written.span
            written.problems.append(
                Problem("E533", title, span, text[:1].upper() + text[1:], labels=label)
            )


def too_small(
    written: Written, world: World, declared: Mapping[Key, Effective], decks: dict[str, Deck]
) -> None:
    """Tells zones that the rules want more cards in than a sheet lays there, or has drawn for them."""
    for (_, name), effective in declared.items():
        node = effective.node
        if not isinstance(node, n.Zone) or name in world.refused:
            continue
        line, laid = written.decks.get(name), decks.get(name, Deck(()))
        count = sum(draw.count for draw in laid.draws) if laid.draws else len(laid.cards)
        lost = (
            written.cardless if line is None else name not in decks
        )  # its deck is in the wrong place, which is told
        if count >= node.least or laid.wrong or lost:
            continue
        if node.each is not None:
            title, text = (
                f"`{name}` belongs to the players",
                "A sheet lays cards only into a zone that belongs to nobody.",
            )
            written.problems.append(
                Problem("E528", title, node.name.span, text, f"Leave out `at least {node.least}`.")
            )
            continue
        title = f"too few cards for `{name}`"
        text = f"The rules need {node.least} at least; the sheet lays {count} there."
        hint = f"{line.span.text} + ..." if line is not None else f"deck {name}: ..."
        label = (Label(node.name.span, "the rules say it here"),)
        span = line.span if line is not None else written.span
        written.problems.append(Problem("E534", title, span, text, hint, labels=label))
