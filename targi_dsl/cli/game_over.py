"""Why a game ended, in the words of its rules."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.api.naming import Naming
from targi_dsl.cli.rule_lines import when
from targi_dsl.compiler.layers.declarations import step_at
from targi_dsl.explain.ending import causes
from targi_dsl.records import Step
from targi_dsl.text.source import Span


def how_it_ended(names: Naming, last: Step | None) -> Iterator[str]:
    """Why this step was the last: the card that ended the game; or the comment on the line that
    ended it, or on a call that led there; otherwise its condition. Where the comment has no
    translation nothing is said, since screens never mix languages.
    """
    cards = {card.entry: number for number, card in enumerate(names.game.cards)}
    for rule, span in causes(last.before, last.choice) if last is not None else ():
        if rule in cards:
            yield names.say("The card {card} ends the game.", card=names.card(cards[rule]))
            return
        if said := reason(span):
            yield from _said(names, said)
            return


def _said(names: Naming, said: str) -> Iterator[str]:
    word = names.language.word(said)
    if names.language.is_english or word != said:
        yield names.say("End of the game: {reason}.", reason=word)


def reason(span: Span) -> str:
    """The comment on a line of a rule or on its condition; otherwise the condition itself."""
    step = step_at(span)
    return "" if step is None else step.comment() or when(step)
