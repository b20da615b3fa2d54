"""The rules as shown at the prompt: all of them, and those in progress."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.cli.card_view import called, card_text
from targi_dsl.cli.declared import declared, text_of
from targi_dsl.cli.first_page import course
from targi_dsl.compiler.layers.declarations import comment_of
from targi_dsl.display.phrases import done_now
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


def being_done(view: View) -> Iterator[str]:
    """The rules in progress, outermost first, each with its comment in the rules."""
    for name, words in done_now(view).items():
        meaning = _comment(view, name)
        yield f"{words}: {meaning}" if meaning else words


def told_of(view: View) -> str:
    """The innermost rule in progress that has a comment, and the comment."""
    steps = (step for step in done_now(view).items() if _comment(view, step[0]))
    name, words = next(reversed([*steps]), ("", ""))
    return f"{words}: {_comment(view, name)}" if name else ""


def _comment(view: View, name: str) -> str:
    """The comment above a rule. Comments are in English, and screens never mix languages."""
    if not view.words.language.is_english:
        return ""
    origins = (
        declared.origins
        for declared in view.game.declared
        if (declared.sort, declared.name) == ("rule", name)
    )
    return comment_of(next(origins, ()))
