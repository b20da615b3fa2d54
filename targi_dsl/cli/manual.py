"""The rules as shown at the prompt."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.cli.card_view import called, card_text
from targi_dsl.cli.declared import declared, text_of
from targi_dsl.cli.first_page import course
from targi_dsl.display.view import View
from targi_dsl.text.suggestions import did_you_mean


def manual(view: View, name: str) -> Iterator[str]:
    """The aim and course of the game; or, for a name, a card or everything declared by it."""
    say = view.words.say
    if not view.words.language.is_english:
        yield say("The rules are written in English:")
    wanted = "_".join(name.casefold().split())
    if not name:
        yield from course(view.game, view.columns)
    elif text := [*text_of(view.game, wanted)]:
        yield from text
    elif called(view.words, name):
        yield from card_text(view, name)
    else:
        yield say("No rule and no card is called `{name}`.", name=name)
        if meant := did_you_mean(wanted, [name for _, name, _ in declared(view.game)]):
            yield say("Did you mean `{meant}`?", meant=meant)
