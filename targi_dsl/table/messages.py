"""What pages say to the server: small messages, each checked as it is read."""

from __future__ import annotations

from typing import Annotated

from msgspec import DecodeError, Meta, Struct, json

LARGEST = 16_384
"""Bytes of a message; the server closes the connection over a larger one."""

Text = Annotated[str, Meta(max_length=500)]


class Message(Struct, tag_field="is", forbid_unknown_fields=True):
    """What a page says."""


class Join(Message, tag="join"):
    """The first message: the key of the link, and the language of the reader."""

    key: Text
    language: Text = "en"


class Choose(Message, tag="choose"):
    """A choice, by its id, in the position of this number."""

    at: int
    id: Annotated[str, Meta(max_length=8_000)]


class Why(Message, tag="why"):
    """Why can this thing not be chosen, or what these words mean?"""

    sort: Text = ""
    id: Text = ""
    words: Text = ""


class Look(Message, tag="look"):
    """How was it after this step?"""

    step: int


class Score(Message, tag="score"):
    """What has everybody scored so far?"""


class Rules(Message, tag="rules"):
    """How is the game played?"""


class Hint(Message, tag="hint"):
    """What would the program choose?"""


class Undo(Message, tag="undo"):
    """The wish to return to one's last choice."""


class Agree(Message, tag="agree"):
    """The answer to such a wish."""

    yes: bool


class Again(Message, tag="again"):
    """The wish to play once more, with the same seats."""


class Form(Message, tag="form"):
    """What is filled in to begin this game, with these options? (At the start page.)"""

    game: Text
    options: Annotated[dict[Text, Text], Meta(max_length=100)]


class Begin(Message, tag="begin"):
    """The wish to begin a game. (At the start page.)"""

    game: Text
    seats: Annotated[dict[Text, Text], Meta(max_length=100)]
    options: Annotated[dict[Text, Text], Meta(max_length=100)]


class Seat(Message, tag="seat"):
    """Who plays a seat from now on."""

    seat: Text
    player: Text


AtTable = Choose | Why | Look | Score | Rules | Hint | Undo | Agree | Again | Seat
Any = Join | Form | Begin | AtTable

_DECODER = json.Decoder(Any)


def read(data: str | bytes) -> Any | None:
    """A message; nothing if it is none."""
    try:
        found: Any = _DECODER.decode(data)
        return found
    except (DecodeError, RecursionError, UnicodeError):
        return None
