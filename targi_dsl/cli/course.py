"""The rules in progress in a game, from the whole round down to the question."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.layers.declarations import comment_of
from targi_dsl.display.phrases import done_now
from targi_dsl.display.view import View


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
