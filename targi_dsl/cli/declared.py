"""Everything that the rules of a game declare by name, and its text."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.declarations import with_comments
from targi_dsl.ir.game import Game
from targi_dsl.ir.origins import Origin
from targi_dsl.text.source import Span


def text_of(game: Game, name: str) -> Iterator[str]:
    """The text of everything declared by this name; nothing if there is none."""
    for sort, _, origins in (one for one in declared(game) if one[1] == name):
        yield f"{sort} {name}"
        for origin in origins:
            yield f"  {told(origin)}"
            if origin.span is not None:
                yield from (f"    {line}" for line in with_comments(origin.span))


def named(game: Game) -> list[tuple[str, str, tuple[Origin, ...]]]:
    """Everything to which a rule file gives a name and a text: its sort, its name, its location."""
    found = [
        *(("rule", one.name, one.origins) for one in game.rules),
        *(("define", one.name, one.origins) for one in game.defines),
        *(("forbid", one.name, one.origins) for one in game.forbids),
        *(("score", one.name, one.origins) for one in game.scores),
    ]
    return [
        one for one in found if one[-1] and not {".", " "} & set(one[1])
    ]  # other names are internal


def declared(game: Game) -> list[tuple[str, str, tuple[Origin, ...]]]:
    """`declared`, followed by everything else that modules declare or have removed."""
    texts = named(game)
    there = {(sort, name) for sort, name, _ in texts}
    return texts + [
        (one.sort, one.name, one.origins)
        for one in game.declared
        if (one.sort, one.name) not in there
    ]


def told(origin: Origin) -> str:
    """Which module did what, and where."""
    cites = f" ({'; '.join(origin.cites)})" if origin.cites else ""
    place = f": {placed(origin.span)}" if origin.span is not None else ""
    return f"{origin.text} in {origin.module}{place}{cites}"


def placed(span: Span) -> str:
    """A location as `file:line`."""
    return f"{span.source.name}:{span.line}"
