"""The verbs of a game: start, choices, play, result. Everything else builds on this package."""

from targi_dsl.api import pickling  # registers the small pickles of states and games
from targi_dsl.api.events import PUBLIC, Event
from targi_dsl.api.offers import Choice, Thing, choices, step, weights
from targi_dsl.api.playing import Policy, begin, play, rollout, start, uniform
from targi_dsl.api.results import Result, result
from targi_dsl.api.tables import ActionTable, Traits, actions, traits

__all__ = [
    "PUBLIC",
    "ActionTable",
    "Choice",
    "Event",
    "Policy",
    "Result",
    "Thing",
    "Traits",
    "actions",
    "begin",
    "choices",
    "pickling",
    "play",
    "result",
    "rollout",
    "start",
    "step",
    "traits",
    "uniform",
    "weights",
]
