"""The rules in progress in a game, from the whole round down to the question."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.declarations import remark_of
from targi_dsl.display.phrases import done_now
from targi_dsl.display.view import View


def being_done(view: View) -> Iterator[str]:
    """The rules in progress, outermost first, each with its remark in the rules."""
    for name, words in done_now(view).items():
        meaning = _remark(view, name)
        yield f"{words}: {meaning}" if meaning else words


def told_of(view: View) -> str:
    """The innermost rule in progress that has a remark, and the remark."""
    steps = (step for step in done_now(view).items() if _remark(view, step[0]))
    name, words = next(reversed([*steps]), ("", ""))
    return f"{words}: {_remark(view, name)}" if name else ""


def _remark(view: View, name: str) -> str:
    """The remark above a rule. Remarks are in English, and screens never mix languages."""
    if not view.words.language.is_english:
        return ""
    origins = (
        declared.origins
        for declared in view.game.declared
        if (declared.sort, declared.name) == ("rule", name)
    )
    return remark_of(next(origins, ()))
