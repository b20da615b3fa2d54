"""The format of a record: a YAML file by schema/record.json, with a header and the ids of all
choices, one per line.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import field
from msgspec.structs import replace as changed

from targi_dsl import cardfiles
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import read_file
from targi_dsl.text.source import Source, Span
from targi_dsl.text.structs import Noted
from targi_dsl.text.version import __version__

FORMAT = 2
LANGUAGE = 2

MOST_CHOICES = 20_000
"""The most choices of a game; one with more is taken for endless."""

LARGEST_RECORD = 20_000_000
"""The largest file in bytes: enough for that many choices."""


class Record(Noted):
    """What was played, by whom, and the ids of all choices.

    rules: the hash of the program. seed: None if outcomes of chance are listed among the choices.
    decks: overridden deck expressions by zone. position: the initial position as text, "" for the
    start. version: of targi_dsl when it was written. spans: of each key and choice. expected: the
    checksum that the record should have, if choices were changed after it was written.
    """

    notes = ("version", "spans", "expected")
    game: str
    rules: str
    options: Mapping[str, str]
    seed: int | None
    seats: Mapping[str, str]
    choices: tuple[str, ...]
    decks: Mapping[str, str] = field(default_factory=dict)
    position: str = ""
    version: str = __version__
    spans: Mapping[str | int, Span] = field(default_factory=dict)
    expected: str = ""


# ---- writing ----


def write(record: Record) -> str:
    """The record as text; reading the text gives an equal record."""
    choices = (f"- {_scalar(choice)}" for choice in record.choices)
    return "\n".join([*_header(record), *choices, ""])


def _header(record: Record) -> Iterator[str]:
    yield f"format: {FORMAT}"
    yield f"version: {_scalar(record.version)}"
    yield f"language: {LANGUAGE}"
    yield f"game: {_scalar(_printable(record.game))}"
    yield f"rules: {_scalar(record.rules)}"
    yield f"options: {_pairs(record.options)}"
    if record.decks:
        yield f"decks: {_pairs(record.decks)}"
    if record.seed is not None:
        yield f"seed: {record.seed}"
    yield f"seats: {_pairs(record.seats)}"
    if record.position:
        yield from ("position: |", *(f"  {line}" for line in record.position.splitlines()))
    yield f"length: {len(record.choices)}"
    yield f"check: {_scalar(_check(record))}"
    yield "choices:" if record.choices else "choices: []"


def _check(record: Record) -> str:
    """A checksum, half of it of the header, half of the choices. Records written by hand need none.
    It does not cover the hash of the rules, which is a checksum itself.
    """
    header: list[str | int | None] = [record.version, record.game, record.seed]
    if record.position:
        header.append(record.position)
    pairs = [sorted(part.items()) for part in (record.options, record.decks)]
    parts = ([*header, *pairs, list(record.seats.items())], list(record.choices))
    return "".join(hashlib.sha256(json.dumps(part).encode()).hexdigest()[:8] for part in parts)


_PLAIN = re.compile(r"[a-z][a-z0-9_]*( [a-z0-9_]+)*")
_NOT_PLAIN = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
"""Words that YAML readers would not read as text."""


def _scalar(text: str) -> str:
    if _PLAIN.fullmatch(text) and text not in _NOT_PLAIN:
        return text
    # YAML reads what JSON writes in quotes, unless a character is escaped as a surrogate pair
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in quoted)


def _pairs(values: Mapping[str, str]) -> str:
    pairs = (f"{_scalar(key)}: {_scalar(value)}" for key, value in values.items())
    return "{" + ", ".join(pairs) + "}"


_BYTES = "bytes:"
"""Marks a path with unprintable characters; its bytes follow in hexadecimal."""


def _printable(path: str) -> str:
    return path if path.isprintable() else _BYTES + path.encode("utf-8", "surrogatepass").hex()


def _from_printable(path: str) -> str:
    written = path.removeprefix(_BYTES)
    if written == path or not re.fullmatch("([0-9a-f]{2})+", written):
        return path
    return bytes.fromhex(written).decode("utf-8", "surrogatepass")


# ---- reading ----


def read_record_file(name: str) -> Source:
    """The text of a record file. Raises Problems if it cannot be read."""
    return read_file(name, LARGEST_RECORD)


def read(source: Source) -> Record:
    """The record in a file. Raises Problems if the file is not a record, is damaged, or has another
    version of the format. A choice that was changed by hand is only reported when the record is
    replayed, if nothing more specific is wrong.
    """
    if not _OPENING.search(source.text):
        raise Problems([_foreign(source)])
    node, faults = cardfiles.read_yaml(source)
    if isinstance(node, cardfiles.Mapping) and (others := list(_of_other_versions(node))):
        raise Problems(others)
    if node is not None and not faults:
        faults = cardfiles.validate(node, cardfiles.shipped_schema("record"))
    if faults or not isinstance(node, cardfiles.Mapping):
        raise Problems(
            changed(fault, code="E702", title=f"damaged record: {fault.title}") for fault in faults
        )
    return _record(node)


_OPENING = re.compile(r"^(format|choices)[ \t]*:", re.MULTILINE)


def _record(node: cardfiles.Mapping) -> Record:
    """The record in a mapping that conforms to the schema; its length and checksum are checked."""
    data: Any = cardfiles.plain(node)
    spans: dict[str | int, Span] = {key: value.span for key, value in node.entries.items()}
    listed = node.entries["choices"]
    if isinstance(listed, cardfiles.Sequence):
        spans.update((number, item.span) for number, item in enumerate(listed.items))
    record = Record(
        _from_printable(data["game"]),
        data["rules"],
        data["options"],
        data.get("seed"),
        data["seats"],
        tuple(data["choices"]),
        data.get("decks", {}),
        data.get("position", ""),
        data.get("version", ""),
        spans,
    )
    if data["length"] != len(record.choices):
        raise Problems([_wrong_length(record, data["length"])])
    check = _check(record)
    written = data.get("check", check)
    half = len(check) // 2
    expected = check if written != check else ""
    if written[:half] != check[:half]:
        raise Problems([changed_since(record, expected, "above the choices")])
    return changed(record, expected=expected)


# ---- problems of a file ----


def _foreign(source: Source) -> Problem:
    text = f"A record begins with `format: {FORMAT}` and lists its choices under `choices:`."
    hint = "Check that this is the file you meant."
    return Problem("E701", "not a record", source.span(0, 0), text, hint)


def _of_other_versions(node: cardfiles.Mapping) -> Iterator[Problem]:
    for key, known in (("format", FORMAT), ("language", LANGUAGE)):
        entry = node.entries.get(key)
        if not isinstance(entry, cardfiles.Scalar) or not isinstance(entry.value, int):
            continue
        text = f"This record has {key} {entry.value}; this program reads {key} {known}."
        if entry.value > known:
            hint = "Use a newer version of the program."
            yield Problem("E703", "newer record", entry.span, text, hint)
        elif 0 < entry.value < known:
            why = "Rules and choices have been renamed since, so it cannot be converted."
            hint = "Replay it with the version that wrote it."
            yield Problem("E708", "record of an earlier version", entry.span, f"{text} {why}", hint)


def _wrong_length(record: Record, stated: int) -> Problem:
    actual = len(record.choices)
    are, there_are = ("is" if number == 1 else "are" for number in (stated, actual))
    text = (
        f"{count_text(stated)} {are} said to follow, and there {there_are} {actual}: some were "
        "lost or added."
    )
    hint = f"If the choices are right, write `length: {actual}`."
    return Problem("E702", "damaged record: wrong length", record.spans["length"], text, hint)


def changed_since(record: Record, expected: str, where: str) -> Problem:
    """The problem that the record was changed by hand."""
    title = "damaged record: changed since it was written"
    text = f"Something {where} was changed after this record was written."
    hint = f"If that was you, delete this line, or write `check: {_scalar(expected)}`."
    return Problem("E702", title, record.spans["check"], text, hint)


def pairs_line(key: str, values: Mapping[str, str]) -> str:
    """A header line with pairs."""
    return f"{key}: {_pairs(values)}"


def count_text(number: int) -> str:
    return f"{number} choice{'' if number == 1 else 's'}"
