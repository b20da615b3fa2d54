"""Games as text: one format for saves and transcripts, written, read and replayed.

A record is a YAML file that fits schema/record.json: a header that says what was played, then the
id of every choice, one a line.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as changed
from functools import cache
from pathlib import Path
from typing import Any

from targi_dsl import cardfiles, resources
from targi_dsl.api import Choice, Event, choices, play, start
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.state import State
from targi_dsl.ir.model import Game
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import write_file
from targi_dsl.text.source import Source, Span
from targi_dsl.text.suggestions import suggestion

FORMAT = 1
LANGUAGE = 1


@dataclass(frozen=True, slots=True)
class Record:
    """What was played, by whom, and the ids of all choices; `spans` has the place of each key, and
    of each choice.

    decks: what the zones held for which the sheet was not followed, said as in a sheet. expected:
    of a record that was changed after it was written, the check that it should have.
    """

    game: str
    rules: str
    options: Mapping[str, str]
    seed: int
    seats: Mapping[str, str]
    choices: tuple[str, ...]
    decks: Mapping[str, str] = field(default_factory=dict)
    spans: Mapping[str | int, Span] = field(default_factory=dict, repr=False, compare=False)
    expected: str = field(default="", repr=False, compare=False)


def write(record: Record) -> str:
    """The record as text; reading it gives an equal record."""
    header: tuple[tuple[str, str], ...] = (
        ("format", str(FORMAT)),
        ("language", str(LANGUAGE)),
        ("game", _scalar(record.game)),
        ("rules", _scalar(record.rules)),
        ("options", _pairs(record.options)),
        *([("decks", _pairs(record.decks))] if record.decks else []),
        ("seed", str(record.seed)),
        ("seats", _pairs(record.seats)),
        ("length", str(len(record.choices))),
        ("check", _scalar(_check(record))),
        ("choices", "" if record.choices else "[]"),
    )
    lines = [f"{key}: {value}".rstrip() for key, value in header]
    return "\n".join([*lines, *(f"- {_scalar(choice)}" for choice in record.choices), ""])


def _check(record: Record) -> str:
    """A few letters that change with anything in the record. A record written by hand needs none."""
    said = [
        record.game,
        record.rules,
        dict(record.options),
        record.seed,
        dict(record.seats),
        *record.choices,
    ]
    if record.decks:
        said.append(dict(record.decks))
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:8]


def save(path: Path, record: Record) -> None:
    """Writes the record to a file, whole or not at all; raises Problems if that cannot be done."""
    write_file(path, write(record))


def read(source: Source) -> Record:
    """The record that a file holds; raises Problems if it holds none, or a damaged or newer one.

    That it was changed after it was written is told when it is replayed, unless a fault is met that
    says more.
    """
    if not _OPENING.search(source.text):
        raise Problems([_foreign(source)])
    node, faults = cardfiles.read_yaml(source)
    if isinstance(node, cardfiles.Mapping) and (newer := _newer(node)):
        raise Problems(newer)
    if node is not None and not faults:
        faults = cardfiles.validate(node, _schema())
    if faults:
        raise Problems(
            changed(one, code="E702", title=f"damaged record: {one.title}") for one in faults
        )
    assert isinstance(node, cardfiles.Mapping), "the schema wants a mapping"
    data: Any = cardfiles.plain(node)
    if data["length"] != len(data["choices"]):
        raise Problems([_wrong_length(node, data["length"], len(data["choices"]))])
    spans: dict[str | int, Span] = {key: value.span for key, value in node.entries.items()}
    listed = node.entries["choices"]
    if isinstance(listed, cardfiles.Sequence):
        spans.update((number, item.span) for number, item in enumerate(listed.items))
    kept = {key: data[key] for key in ("game", "rules", "options", "seed", "seats")}
    record = Record(
        **kept, choices=tuple(data["choices"]), decks=data.get("decks", {}), spans=spans
    )
    check = _check(record)
    return changed(record, expected=check) if data.get("check", check) != check else record


@dataclass(frozen=True, slots=True)
class Step:
    """One choice of a record carried out: the position before it, the choice, what happened, the
    position after it.
    """

    before: State
    choice: Choice
    events: tuple[Event, ...]
    after: State

    @property
    def was_asked(self) -> bool:
        """Whether there was anything to choose."""
        return len(choices(self.before)) > 1


def begun(game: Game, record: Record) -> State:
    """The position before the first choice; raises Problems if the record is not one of this game."""
    if record.rules != game.hash:
        raise Problems([_outdated(game, record)])
    if tuple(record.seats) != game.players:
        raise Problems([_other_seats(game, record)])
    return start(game, Seed(record.seed))


def steps(game: Game, record: Record) -> Iterator[Step]:
    """The record's choices carried out one by one; raises Problems at the first that cannot be.

    A record that was changed after it was written raises Problems after the last, if nothing else
    is wrong.
    """
    before = begun(game, record)
    for number, wanted in enumerate(record.choices):
        if before.seat is None:
            raise Problems([_too_long(record, number)])
        offered = {choice.id: choice for choice in choices(before)}
        if wanted not in offered:
            raise Problems([_no_such_choice(record, number, tuple(offered))])
        after, events = play(before, offered[wanted])
        yield Step(before, offered[wanted], tuple(events), after)
        before = after
    if record.expected:  # last, since every other fault tells more
        raise Problems([_changed_since(record)])


def replay(game: Game, record: Record) -> State:
    """The position at the end of the record; raises Problems if the record is not one of this game."""
    state = begun(game, record)
    for step in steps(game, record):
        state = step.after
    return state


_OPENING = re.compile(r"^(format|choices)[ \t]*:", re.MULTILINE)
_PLAIN = re.compile(r"[a-z][a-z0-9_]*( [a-z0-9_]+)*")
_NOT_PLAIN = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
"""Words that this program or another reader of YAML takes for something else than a text."""


def _scalar(text: str) -> str:
    # What JSON writes in quotes, YAML reads in quotes.
    return text if _PLAIN.fullmatch(text) and text not in _NOT_PLAIN else json.dumps(text)


def _pairs(values: Mapping[str, str]) -> str:
    return (
        "{" + ", ".join(f"{_scalar(key)}: {_scalar(value)}" for key, value in values.items()) + "}"
    )


@cache
def _schema() -> dict[str, Any]:
    data = resources.read("schema/record.json")
    if data is None:
        raise FileNotFoundError("schema/record.json is not shipped with this program")
    schema: dict[str, Any] = json.loads(data)
    return schema


def _foreign(source: Source) -> Problem:
    text = "A record begins with a line `format: 1` and has its choices under `choices:`."
    return Problem(
        "E701", "not a record", source.span(0, 0), text, "Check that this is the file you meant."
    )


def _newer(node: cardfiles.Mapping) -> list[Problem]:
    found = []
    for key, known in (("format", FORMAT), ("language", LANGUAGE)):
        given = node.entries.get(key)
        if (
            isinstance(given, cardfiles.Scalar)
            and isinstance(given.value, int)
            and given.value > known
        ):
            text = f"this record has {key} {given.value}; this program reads {key} {known}."
            found.append(
                Problem(
                    "E703", "newer record", given.span, text, "Use a newer version of the program."
                )
            )
    return found


def _wrong_length(node: cardfiles.Mapping, said: int, found: int) -> Problem:
    are, there_are = ("is" if number == 1 else "are" for number in (said, found))
    text = f"{_choices(said)} {are} said to follow, and there {there_are} {found}: some were lost or added."
    hint = f"If the choices are right, write `length: {found}`."
    return Problem("E702", "damaged record: wrong length", node.entries["length"].span, text, hint)


def _changed_since(record: Record) -> Problem:
    text = "something in this record was changed after it was written, and it does not tell what."
    hint = f"If that was you, delete this line, or write `check: {_scalar(record.expected)}`."
    return Problem(
        "E702", "damaged record: changed since it was written", record.spans["check"], text, hint
    )


def _outdated(game: Game, record: Record) -> Problem:
    text = (
        f"the rules of {game.name} have changed since, or their options: they are now {game.hash}."
    )
    hint = f"Play it with the rules it was made with; or see whether it can be played by these: `rules: {game.hash}`"
    return Problem("E704", "record of other rules", record.spans.get("rules"), text, hint)


def _other_seats(game: Game, record: Record) -> Problem:
    text = f"the seats of {game.name} are {', '.join(game.players)}, in this order."
    strangers = iter([who for seat, who in record.seats.items() if seat not in game.players])
    seats = {
        player: record.seats.get(player) or next(strangers, "random") for player in game.players
    }
    hint = f"Write `seats: {_pairs(seats)}`."
    return Problem("E705", "other seats", record.spans.get("seats"), text, hint)


def _no_such_choice(record: Record, number: int, offered: tuple[str, ...]) -> Problem:
    wanted = record.choices[number]
    shown = ", ".join(f"`{one}`" for one in offered[:_SHOWN]) + (
        ", ..." if len(offered) > _SHOWN else ""
    )
    text = f"after {_choices(number)} there may be: {shown}."
    hint = suggestion(wanted, offered)
    return Problem("E706", f"impossible choice `{wanted}`", record.spans.get(number), text, hint)


def _choices(number: int) -> str:
    return f"{number} choice{'' if number == 1 else 's'}"


_SHOWN = 12
"""Choices that a message lists."""


def _too_long(record: Record, number: int) -> Problem:
    text = f"the game is over after {_choices(number)}, and the record goes on."
    return Problem(
        "E707",
        "choice after the end",
        record.spans.get(number),
        text,
        "Delete it and what follows.",
    )
