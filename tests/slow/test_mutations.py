"""Rule and card files with words changed at random are reported as problems or play; they never
cause an internal error.
"""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Iterator

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.cardfiles import read_cards
from targi_dsl.compiler.load import check, read
from targi_dsl.compiler.project.discovery import Project, folder_of, of_texts, shipped
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.ir.game import Game
from targi_dsl.syntax import parse_file
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problem, Problems, render
from targi_dsl.text.source import Source
from tests.small_game import FILES

NUMBER = 250
CHUNKS = 4
SHIPPED_NUMBER = 50
SHIPPED_CHUNKS = 4
LONGEST = 10
"""Seconds of computing that a check may take."""
_WORDS = re.compile(r"[a-z_]+|[0-9]+|[^\sa-z0-9_]")
_COMMENT = re.compile(r"#.*|^ *(?:name|source): \{.*", re.MULTILINE)
"""Text that does not affect play: a slip in it shows nothing."""


def mutated(stream: Stream) -> dict[str, str]:
    """The small game with one or two words replaced by others of its words, dropped or doubled."""
    files = dict(FILES)
    pool = [word for text in files.values() for word in _WORDS.findall(text)]
    for _ in range(1 + stream.below(2)):
        name = list(files)[stream.below(len(files))]
        spots = list(_WORDS.finditer(files[name]))
        if not spots:
            continue
        spot = spots[stream.below(len(spots))]
        alike = (
            [word for word in pool if word.isdigit() == spot.group().isdigit()]
            if stream.below(4)
            else pool
        )
        other = alike[stream.below(len(alike))]
        new = (other, other, other, "", f"{spot.group()} {other}")[stream.below(5)]
        files[name] = files[name][: spot.start()] + new + files[name][spot.end() :]
    return files


def slipped(stream: Stream, text: str) -> str:
    """The text with a single slip: a word replaced by another of the file, left out, doubled,
    swapped or misspelt.
    """
    comments = [found.span() for found in _COMMENT.finditer(text)]
    spots = [
        one
        for one in _WORDS.finditer(text)
        if not any(start <= one.start() < end for start, end in comments)
    ]
    spot, other = spots[stream.below(len(spots))], spots[stream.below(len(spots))]
    word = spot.group()
    letter = stream.below(len(word))
    match stream.below(5):
        case 0:
            new = other.group()
        case 1:
            new = ""
        case 2:
            new = f"{word} {word}"
        case 3:
            new = (
                word[:letter] + word[letter] * 2 + word[letter + 1 :]
                if stream.below(2)
                else word[:-1]
            )
        case _:
            first, second = sorted((spot, other), key=lambda one: one.start())
            between = text[first.end() : max(first.end(), second.start())]
            return (
                text[: first.start()]
                + second.group()
                + between
                + first.group()
                + text[second.end() :]
            )
    return text[: spot.start()] + new + text[spot.end() :]


@functools.cache
def shipped_texts() -> dict[str, Source]:
    """Every shipped rule, card and sheet file, each as one Source, so that what has been parsed of
    it is recognized.
    """
    kinds = (("rules", ".targi"), ("cards", ".yaml"))
    names = [
        f"{folder}/{name}" for folder, suffix in kinds for name in resources.names(folder, suffix)
    ]
    return {name: Source(name, (resources.read(name) or b"").decode()) for name in names}


@functools.cache
def games_of_files() -> dict[str, str]:
    """For every shipped file a game that it belongs to, the first one that has it."""
    found: dict[str, str] = {}
    for name in sorted(shipped().games()):
        written = read(name)
        for word in _decks(name):
            for source in shipped().card_set(word):
                found.setdefault(source.name, name)
        for source in written.sources:
            found.setdefault(source.name, name)
        sheet = shipped().game(name)
        assert sheet is not None
        found[sheet.name] = name
    assert found.keys() == shipped_texts().keys()
    return found


def _decks(game: str) -> Iterator[str]:
    """The card sets that a game has cards of."""
    loaded, _ = check(game)
    assert loaded is not None
    yield from dict.fromkeys(card.set for card in loaded.cards)


def faults_of_slip(seed: int) -> str:
    """What is wrong with the messages about a shipped file with one slip in it; nothing if it is
    reported well, or plays.
    """
    stream = Stream(seed)
    names = sorted(shipped_texts())
    name = names[stream.below(len(names))]
    changed = Source(name, slipped(stream, shipped_texts()[name].text))
    shelves = Project(
        (folder_of(names, lambda one: changed if one == name else shipped_texts()[one]),)
    )
    sheet = games_of_files()[name]
    before = time.process_time()
    game, problems = check(sheet, shelves)
    took = time.process_time() - before
    render(problems)
    if took > LONGEST:
        return f"{name}: {took:.1f} s"
    # A game that has another name now is not found: nothing in a file is wrong.
    lost = [one for one in problems if one.span is None and not one.file and one.code != "E422"]
    if lost:
        return f"{name}: not located:\n{render(lost)}"
    if game is None:
        return "" if problems else f"{name}: refused without a word"
    return render(played(game, seed, 8))


def played(game: Game, seed: int, moves: int) -> list[Problem]:
    """Any failure in this number of moves that the rules do not explain."""
    stream = Stream(seed)
    try:
        state = start(game, Seed(seed))
        for _ in range(moves):
            if state.seat is None:
                break
            offered = choices(state)
            state, _ = play(state, offered[stream.below(len(offered))])
        result(state)
    except Problems as fault:
        return [one for one in fault.problems if not one.code.startswith("E6")]
    return []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_changed_file_is_refused_or_plays(chunk: int) -> None:
    good = 0
    faults: list[Problem] = []
    for seed in range(chunk * NUMBER, (chunk + 1) * NUMBER):
        files = mutated(Stream(seed))
        game, problems = check("pond", of_texts(files))
        render(problems)
        assert game is not None or problems, seed
        if game is None:
            continue
        good += 1
        faults += played(game, seed, 60)
    assert faults == [], render(faults)
    assert good > NUMBER // 50


@pytest.mark.parametrize("chunk", range(SHIPPED_CHUNKS))
def test_a_slip_in_a_shipped_file_is_told_or_plays(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Files that are not changed are parsed once; what is kept is never altered.
    monkeypatch.setattr("targi_dsl.compiler.project.sheets.parse_file", functools.cache(parse_file))
    monkeypatch.setattr("targi_dsl.compiler.project.sheets.read_cards", functools.cache(read_cards))
    for seed in range(chunk * SHIPPED_NUMBER, (chunk + 1) * SHIPPED_NUMBER):
        assert faults_of_slip(seed) == "", seed
