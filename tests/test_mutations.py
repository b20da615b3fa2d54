"""Rule and card files with words changed at random: told as problems, or played; never an error of ours."""

from __future__ import annotations

import re

import pytest

from targi_dsl.build.library import of_texts
from targi_dsl.build.load import check
from targi_dsl.chance import Seed, Stream
from targi_dsl.face import choices, play, result, start
from targi_dsl.problems import Problem, Problems, render
from tests.small_game import FILES

NUMBER = 250
CHUNKS = 4
_WORDS = re.compile(r"[a-z_]+|[0-9]+|[^\sa-z0-9_]")


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
        alike = [word for word in pool if word.isdigit() == spot.group().isdigit()] if stream.below(4) else pool
        other = alike[stream.below(len(alike))]
        new = (other, other, other, "", f"{spot.group()} {other}")[stream.below(5)]
        files[name] = files[name][: spot.start()] + new + files[name][spot.end() :]
    return files


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_changed_file_is_refused_or_plays(chunk: int) -> None:
    played = 0
    faults: list[Problem] = []
    for seed in range(chunk * NUMBER, (chunk + 1) * NUMBER):
        files = mutated(Stream(seed))
        game, problems = check("pond", of_texts(files))
        render(problems)
        assert game is not None or problems, seed
        if game is None:
            continue
        played += 1
        stream = Stream(seed)
        try:
            state = start(game, Seed(seed))
            for _ in range(60):
                if state.seat is None:
                    break
                offered = choices(state)
                state, _ = play(state, offered[stream.below(len(offered))])
            result(state)
        except Problems as fault:
            faults += [one for one in fault.problems if not one.code.startswith("E6")]
    assert faults == [], render(faults)
    assert played > NUMBER // 50
