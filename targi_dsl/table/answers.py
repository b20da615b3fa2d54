"""Answers to what pages ask: why not, and what a program would choose."""

from __future__ import annotations

from targi_dsl.api import Choice, choices
from targi_dsl.api.state import State
from targi_dsl.display.choosing import barred_offers, offers_meant
from targi_dsl.explain.why_not import why_not
from targi_dsl.information.observation import observe
from targi_dsl.players import USUAL, player_of
from targi_dsl.table.game import NOT_OFFERED
from targi_dsl.table.messages import Why
from targi_dsl.view.seen import Seen
from targi_dsl.view.words import Words

_EXPLAINED = 6
"""The most answers that one reply explains."""


def reasons(
    state: State, seats: tuple[str, ...], words: Words, asked: Why
) -> list[dict[str, object]]:
    """Why what is asked about cannot be chosen: by a thing on the table, or by words."""
    if len(seats) != 1 or state.seat != seats[0]:
        return [{"answer": "", "reasons": [{"text": words.say("it is not your turn")}]}]
    barred = barred_offers(Seen(observe(state, seats[0]), words))
    thing = asked.sort, asked.id
    found = (
        offers_meant(asked.words, barred)
        if asked.words
        else [one for one in barred if any((on.sort, on.id) == thing for on in one.offer.acts_on)]
    )
    names = [(one.offer.id, one.title) for one in found[:_EXPLAINED]]
    if not names and not asked.words:
        return [{"answer": "", "reasons": [{"text": words.say(NOT_OFFERED)}]}]
    return [
        {"answer": name, "reasons": _reasons(state, id_, words)}
        for id_, name in names or [(asked.words, asked.words)]
    ]


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
