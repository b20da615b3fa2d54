"""A table of what can be typed at the prompt."""

from __future__ import annotations

from collections.abc import Iterator

import click

from targi_dsl.display.ink import columns
from targi_dsl.text.languages import Language, message

_COMMANDS = (
    (
        message("rules"),
        message("[NAME]"),
        message("the aim and course of the game; or a rule or card as it is written"),
    ),
    (message("how"), "", message("what is being done now, step by step")),
    (message("table"), "", message("the whole table, and what its marks mean")),
    (message("more"), "", message("the next page of the choices")),
    (message("card"), message("NAME"), message("all that is known of a card")),
    (
        message("show"),
        message("NAME"),
        message("what lies in a part of the table, or who has how much; its name alone will do"),
    ),
    (
        message("why"),
        message("[WORDS]"),
        message("why that cannot be chosen now; alone, all that cannot"),
    ),
    (message("hint"), "", message("what the program would choose")),
    (message("advice"), "", message("a hint at every choice, or no more of them")),
    (
        message("picture"),
        message("[FILE]"),
        message("draw the table as you see it, into table.svg or FILE"),
    ),
    (message("score"), "", message("the scores so far, part by part")),
    (message("log"), message("[all]"), message("what happened last, or from the beginning on")),
    (message("undo"), "", message("take back your last choice, and what the others did since")),
    (message("position"), "", message("the position as text")),
    (
        message("save"),
        message("[FILE]"),
        message("say where the game is kept, or keep it in FILE from now on"),
    ),
    (message("quit"), "", message("leave; the game is kept")),
)
HELP, ALL = message("help"), message("all")


def help_page(language: Language, width: int) -> Iterator[str]:
    """The lines of the page, a word and its meaning on each."""
    say = language.say
    yield from _wrapped(
        say(
            "The key of a choice, or words that fit it only, make that choice; `>` marks places "
            "that can be chosen. Instead you can say:"
        ),
        width,
    )
    lines = [
        (f"  {say(word)} {say(what) if what else ''}".rstrip(), say(meaning))
        for word, what, meaning in _COMMANDS
    ]
    room = min(max(columns(word) for word, _ in lines) + 2, width // 2)
    for word, meaning in lines:
        head = word + " " * (room - columns(word) if columns(word) < room else 1)
        yield from _wrapped(meaning, width, head, " " * room)


def _wrapped(text: str, width: int, head: str = "", indent: str = "") -> list[str]:
    return click.wrap_text(text, width, head, indent).splitlines()
