"""The decks that a sheet lays into zones: which cards they are, and whether they belong there."""

from __future__ import annotations

from targi_dsl.build.changes import Effective, Key
from targi_dsl.build.decks import MOST_CARDS, Deck, DeckCard, deck
from targi_dsl.build.sheets import Written
from targi_dsl.build.world import World
from targi_dsl.problems import Label, Problem, did_you_mean
from targi_dsl.syntax import nodes as n


def decks(written: Written) -> dict[str, Deck]:
    """The deck of each zone that the sheet has one for; problems go into `written`."""
    found = {}
    for zone, line in written.decks.items():
        made = deck(line.deck, written.card_set, written.problems)
        if len(made.cards) > MOST_CARDS:
            text = f"A deck has at most {MOST_CARDS} cards."
            written.problems.append(Problem("E527", f"{len(made.cards)} cards are too many", line.span, text))
            made = Deck(())
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
    """The decks by where they lie before the game: in their zone, or in the boxes that are drawn from."""
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
                written.problems.append(Problem("E529", f"no kind of card `{kind}`", span, text, hint))
            elif wanted not in ("card", kind):
                title = f"`{zone}` holds {wanted}, not {kind}"
                label = (Label(span, "the cards say it here"),)
                text = "A zone says which kind of card lies in it."
                written.problems.append(Problem("E531", title, written.decks[zone].span, text, labels=label))


def twins(written: Written, decks: dict[str, Deck]) -> None:
    """Tells two cards of two sets with one id."""
    first: dict[str, DeckCard] = {}
    for one in decks.values():
        for card in one.cards:
            other = first.setdefault(card.entry.id, card)
            if other.set != card.set:
                title = f"two cards `{card.entry.id}` in one game"
                text = f"One is of set {other.set}, the other of {card.set}; an id names one card of a game."
                label = (Label(other.entry.keys["id"], "the other one"),)
                written.problems.append(Problem("E532", title, card.entry.keys["id"], text, labels=label))


def numbered(written: Written, declared: dict[Key, Effective], decks: dict[str, Deck]) -> None:
    """Tells zones that must hold each number of a range once, and do not."""
    for (_, name), effective in declared.items():
        node = effective.node
        if not isinstance(node, n.Zone) or node.numbered is None:
            continue
        low, high = node.numbered
        deck_ = decks.get(name, Deck(()))
        given = [card.entry.number for card in deck_.cards]
        counts = {number: given.count(number) for number in given if number is not None}
        faults = (
            ("missing", [k for k in range(low, min(high, low + MOST_CARDS) + 1) if k not in counts]),
            ("more than once", sorted(k for k, count in counts.items() if count > 1)),
            ("too many", sorted(k for k in counts if not low <= k <= high)),
        )
        told = [f"{what}: {', '.join(map(str, those))}" for what, those in faults if those]
        told += ["without a number: " + ", ".join(c.entry.id for c in deck_.cards if c.entry.number is None)] * (
            None in given
        )
        told += ["by chance: what is drawn may have any number"] * bool(deck_.draws)
        if told:
            line = written.decks.get(name)
            title = f"`{name}` needs each number from {low} to {high} once"
            label = (Label(node.name.span, "the rules say it here"),)
            text = "; ".join(told) + "."
            span = line.span if line is not None else written.span
            written.problems.append(Problem("E533", title, span, text[:1].upper() + text[1:], labels=label))
