"""Everything that the rules of a game declare by name, and its text."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.layers.declarations import printed
from targi_dsl.ir.game import Game
from targi_dsl.ir.origins import Origin
from targi_dsl.text.source import Span


def text_of(game: Game, name: str) -> Iterator[str]:
    """The text of everything declared by this name; nothing if there is none."""
    for sort, _, origins in (entry for entry in declared(game) if entry[1] == name):
        yield f"{sort} {name}"
        for origin in origins:
            yield f"  {told(origin)}"
            if origin.span is not None:
                yield from (f"    {line}" for line in printed(origin.span))


def named(game: Game) -> list[tuple[str, str, tuple[Origin, ...]]]:
    """Everything to which a rule file gives a name and a text: its sort, its name, its location."""
    entries = [
        *(("rule", rule.name, rule.origins) for rule in game.rules),
        *(("define", define.name, define.origins) for define in game.defines),
        *(("forbid", forbid.name, forbid.origins) for forbid in game.forbids),
        *(("score", score.name, score.origins) for score in game.scores),
    ]
    return [
        entry for entry in entries if entry[-1] and not {".", " "} & set(entry[1])
    ]  # other names are internal


def declared(game: Game) -> list[tuple[str, str, tuple[Origin, ...]]]:
    """`declared`, followed by everything else that modules declare or have removed."""
    texts = named(game)
    known = {(sort, name) for sort, name, _ in texts}
    return texts + [
        (declaration.sort, declaration.name, declaration.origins)
        for declaration in game.declared
        if (declaration.sort, declaration.name) not in known
    ]


def told(origin: Origin) -> str:
    """Which module did what, and where."""
    cites = f" ({'; '.join(origin.cites)})" if origin.cites else ""
    place = f": {placed(origin.span)}" if origin.span is not None else ""
    return f"{origin.text} in {origin.module}{place}{cites}"


def placed(span: Span) -> str:
    """A location as `file:line`."""
    return f"{span.source.name}:{span.line}"
