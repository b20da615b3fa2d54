"""Random edits of one line, and everything that a check of the edited game tells."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from targi_dsl.compiler.index import Symbol
from targi_dsl.compiler.load import analyse, check, read
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts, shipped
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Span

_WORD = re.compile(r"[a-z_]+")
_NUMBER = re.compile(r"\d+")


def files_of(game: str) -> dict[str, str]:
    """The files of a shipped game, by path."""
    names = dict.fromkeys(read(game, shipped()).files())
    return {name: (resources.read(name) or b"").decode() for name in names}


def edits(files: Mapping[str, str], seed: int) -> Iterator[dict[str, str]]:
    """The files after one edit after another. Most edits are undone by the next, some stay."""
    chance = random.Random(seed)
    now = dict(files)
    while True:
        name = chance.choice(sorted(now))
        after = {**now, name: edited(now[name], chance)}
        yield after
        fate = chance.random()
        now = after if fate < 0.1 else dict(files) if fate < 0.2 else now
        if fate < 0.7:
            yield now


def edited(text: str, chance: random.Random) -> str:
    """The text with one random edit: of a line, or of a name or number everywhere."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    if chance.random() < 0.1:  # a name or a number, wherever it stands
        old = chance.choice(_WORD.findall(text) or ["-"])
        new: str = chance.choice([f"{old}_b", *map(str, _WORD.findall(text))])
        return re.sub(rf"\b{old}\b", new, text)
    match chance.randrange(8):
        case 0 | 1:
            lines[at] = _NUMBER.sub(str(chance.randrange(12)), lines[at], count=1)
        case 2 | 3:
            lines[at] = _swapped_word(lines[at], chance.choice(lines), chance)
        case 4:
            del lines[at]
        case 5:
            lines.insert(chance.randrange(len(lines)), lines[at])
        case 6:
            lines.insert(at, "# A line above.")
        case 7:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
    return "\n".join(lines)


def _swapped_word(line: str, other: str, chance: random.Random) -> str:
    """The line with one of its words replaced by a word of another line."""
    here, there = list(_WORD.finditer(line)), _WORD.findall(other)
    if not here or not there:
        return line
    word, new = chance.choice(here), str(chance.choice(there))
    return line[: word.start()] + new + line[word.end() :]


# ---- what a check tells ----


def place(span: Span | None) -> tuple[str, int, int] | None:
    return None if span is None else (span.source.name, span.start, span.end)


def meant(symbol: Symbol | None) -> object:
    if symbol is None:
        return None
    layers = [(one.module, one.how, place(one.span), one.cites) for one in symbol.layers]
    return symbol.kind, symbol.name, place(symbol.span), layers


def told(problems: tuple[Problem, ...]) -> list[object]:
    return [plain(one) for one in problems]


def found(name: str, files: Mapping[str, str], kept: CheckCache) -> object:
    """All problems and the index."""
    checked = analyse(name, of_texts(files, kept))
    occurrences = [
        (one.name, place(one.span), one.type, meant(one.symbol))
        for one in checked.index.occurrences
    ]
    return told(checked.problems), occurrences


def outcome(name: str, files: Mapping[str, str], kept: CheckCache) -> object:
    """All problems, the index, and the game unless it has errors."""
    try:
        return found(name, files, kept), plain(check(name, of_texts(files, kept))[0])
    except Problems as error:
        return told(error.problems)


def plain(value: object, known: dict[int, object] | None = None) -> object:
    """A value with the places of its spans, and its objects as tuples."""
    known = {} if known is None else known
    if id(value) not in known:
        known[id(value)] = _plain(value, known)
    return known[id(value)]


def _plain(value: object, known: dict[int, object]) -> object:
    if isinstance(value, Span):
        return place(value)
    if isinstance(value, Struct):
        names = value.__struct_fields__
        return type(value).__name__, *(plain(getattr(value, name), known) for name in names)
    if isinstance(value, Mapping):
        return "mapping", *((key, plain(one, known)) for key, one in value.items())
    if isinstance(value, tuple | list):
        return tuple(plain(one, known) for one in value)
    return value
