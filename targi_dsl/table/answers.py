"""Answers to what pages ask: why not, and what a program would choose."""

from __future__ import annotations

from targi_dsl.api import Choice, choices
from targi_dsl.api.state import State
from targi_dsl.explain.why_not import why_not
from targi_dsl.information.observation import observe
from targi_dsl.players import USUAL, player_of
from targi_dsl.table.messages import Why
from targi_dsl.view.offers import Answers
from targi_dsl.view.seen import Seen
from targi_dsl.view.shape import Offer
from targi_dsl.view.words import Words

_EXPLAINED = 6
"""The most answers that one reply explains."""


def reasons(
    state: State, seats: tuple[str, ...], words: Words, asked: Why
) -> list[dict[str, object]]:
    """Why what is asked about cannot be chosen: by a thing on the table, or by words."""
    if len(seats) != 1 or state.seat != seats[0]:
        return [{"answer": "", "reasons": [{"text": words.say("it is not your turn")}]}]
    answers = Answers(Seen(observe(state, seats[0]), words))
    found = [one for one in answers.barred() if _is_meant(one, asked)][:_EXPLAINED]
    names = [(one.id, f"{one.label} {one.name or one.thing}".strip()) for one in found]
    if not names:
        names = [(asked.words or asked.id, asked.words or asked.id)]
    return [{"answer": name, "reasons": _reasons(state, id_, words)} for id_, name in names]


def _is_meant(offer: Offer, asked: Why) -> bool:
    if asked.words:
        said = asked.words.casefold().split()
        known = f"{offer.label} {offer.name} {offer.short} {offer.id}".casefold().split()
        return all(any(one.startswith(word) for one in known) for word in said)
    return any((ref.sort, ref.id) == (asked.sort, asked.id) for ref in offer.acts_on)


def _reasons(state: State, id_: str, words: Words) -> list[dict[str, object]]:
    found = why_not(state, id_, words)
    return [
        {"text": one.text, "lifted": [*one.lifts, one.lasts] if one.lasts else [*one.lifts]}
        for one in found
    ]


def adviser(state: State, seat: str) -> Choice:
    """What the usual player would choose for a seat."""
    return player_of(USUAL, len(state.option_ids), seat).choose(
        observe(state, seat), choices(state)
    )
