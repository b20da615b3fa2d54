"""Messages from pages to the server, validated when they are decoded."""

from __future__ import annotations

from typing import Annotated

from msgspec import DecodeError, Meta, Struct, json

LARGEST = 16_384
"""The most bytes of a message; the connection is closed over a larger one."""

Text = Annotated[str, Meta(max_length=500)]


class Message(Struct, tag_field="is", forbid_unknown_fields=True):
    """A message of a page."""


class Join(Message, tag="join"):
    """The first message: the key of the link, and the language of the reader."""

    key: Text
    language: Text = "en"


class Choose(Message, tag="choose"):
    """A choice by id, in the position with this number."""

    at: int
    id: Annotated[str, Meta(max_length=8_000)]


class Why(Message, tag="why"):
    """Asks why this thing, or what these words mean, cannot be chosen."""

    sort: Text = ""
    id: Text = ""
    words: Text = ""


class Look(Message, tag="look"):
    """Asks for the view after this step."""

    step: int


class Score(Message, tag="score"):
    """Asks for the scores."""


class Rules(Message, tag="rules"):
    """Asks for the rules of play."""


class Hint(Message, tag="hint"):
    """Asks which choice a program would make."""


class Undo(Message, tag="undo"):
    """Requests to undo one's last choice."""


class Agree(Message, tag="agree"):
    """Answers such a request."""

    yes: bool


class Again(Message, tag="again"):
    """Requests another game with the same seats."""


class Form(Message, tag="form"):
    """Asks for the form of a game with these options. (Start page.)"""

    game: Text
    options: Annotated[dict[Text, Text], Meta(max_length=100)]


class Begin(Message, tag="begin"):
    """Begins a game. (Start page.)"""

    game: Text
    seats: Annotated[dict[Text, Text], Meta(max_length=100)]
    options: Annotated[dict[Text, Text], Meta(max_length=100)]


class Seat(Message, tag="seat"):
    """Changes who plays a seat."""

    seat: Text
    player: Text


AtTable = Choose | Why | Look | Score | Rules | Hint | Undo | Agree | Again | Seat
Any = Join | Form | Begin | AtTable

_DECODER = json.Decoder(Any)


def read(data: str | bytes) -> Any | None:
    """The decoded message; None if it is invalid."""
    try:
        found: Any = _DECODER.decode(data)
        return found
    except (DecodeError, RecursionError, UnicodeError):
        return None
