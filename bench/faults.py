"""Makes faulty files of everything shipped, and holds what is told about them to what was done.

    python -m bench.faults             3,000 faults, and the figures
    python -m bench.faults --count 300 --show

A fault is a slip of one of the kinds of `slips.yaml`, or a name misspelt where it is used: a letter
left out, doubled, changed, or two of them swapped. Kinds and places are fixed before anything is
checked: each kind is made at several places, spread over all possible ones in all files. `alive`
counts the names outside the faulty declaration whose hover, definitions and completion are as
before. Exits with 1 if a figure is not reached.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import groupby
from operator import attrgetter
from random import Random

from msgspec import Struct

from bench.slips import FRESH, KINDS, Kind, is_in_comment, text_of
from targi_dsl.compiler.index import Index, Occurrence
from targi_dsl.compiler.load import read
from targi_dsl.compiler.project.discovery import shipped
from targi_dsl.language_service import Workspace, completions, definitions, hover, path_of
from targi_dsl.syntax import sections
from targi_dsl.syntax.grammar import language
from targi_dsl.text.diagnostics import Problem, apply_edits, render
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen

LEAST = {"told": 1.0, "file": 0.98, "line": 0.97, "suggestion": 0.95, "repairs": 1.0, "alive": 0.99}
"""The figures to reach, as parts of all."""
MOST_EACH = 1.05
"""The most problems that a fault may have, on average."""
MISSPELT = 0.4
"""The part of all faults that are misspelt names."""
LOOKED_AT = 5
"""The names that are looked at in each faulty game."""
_SHORTEST = 4  # the letters of a name that is misspelt


class Fault(Frozen):
    """A faulty text of a file, in a game that reads it. line: the first that differs. meant: the
    name that is misspelt, if it is one.
    """

    game: str
    file: str
    kind: str
    text: str
    line: int
    meant: str = ""


class Told(Struct):
    """What is told of a fault: by figure, whether it is as it should be."""

    fault: Fault
    problems: tuple[Problem, ...]
    holds: dict[str, bool]
    alive: tuple[int, int]


# ---- the faults ----


@cache
def games() -> Mapping[str, str]:
    """For each shipped file the smallest game that it says something in."""
    found = dict[str, tuple[int, str]]()
    for game in sorted(shipped().games()):
        written = read(game, shipped())
        declarations = (one for those in written.modules.values() for one in those.declarations)
        files = {one.span.source.name for one in declarations}
        files |= {name for name in written.files() if name.endswith(".yaml")}
        files |= {one.name for one in written.sheets}
        for name in files:
            found[name] = min(found.get(name, (len(files), game)), (len(files), game))
    return {name: game for name, (_, game) in sorted(found.items())}


def faults(count: int, seed: int = 1) -> list[Fault]:
    """So many faults, by game and file."""
    every, chance = (*KINDS, *FRESH), Random(seed)
    names = [*_misspelt(chance)]
    chosen = chance.sample(names, round(count * MISSPELT))
    share = Fraction(count - len(chosen), sum(kind.times for kind in every))
    made, owed = list[Fault](), Fraction()
    for kind in every:
        owed += kind.times * share
        slips = _slips(kind, int(owed))
        owed -= len(slips)  # what cannot be made of one kind is made of the next
        made += slips
    return sorted((*made, *chosen), key=attrgetter("game", "file", "line"))


def _slips(kind: Kind, times: int) -> list[Fault]:
    """A slip of a kind at so many places, spread over all, or at all of them."""
    places = [
        (name, match)
        for name in games()
        if re.fullmatch(kind.files, name)
        for match in re.finditer(kind.pattern, text_of(name))
        if not is_in_comment(text_of(name), match) and kind.written(match) != match[0]
    ]
    times = min(times, len(places))
    chosen = [places[at * len(places) // times] for at in range(times)]
    return [_fault(name, *match.span(), kind.written(match), kind.name) for name, match in chosen]


def _fault(name: str, start: int, end: int, new: str, kind: str, meant: str = "") -> Fault:
    before = text_of(name)
    after = before[:start] + new + before[end:]
    lines = zip(before.split("\n"), after.split("\n"), strict=False)
    line = next(at for at, (old, new) in enumerate(lines, 1) if old != new)
    return Fault(games()[name], name, kind, after, line, meant)


def _misspelt(chance: Random) -> Iterator[Fault]:
    """Every use of a name, misspelt so that it is no other name."""
    seen = set[tuple[str, int]]()
    for game in sorted({*games().values()}):
        index = _index(game)
        known = {own for _, name in index.symbols for own in (name, name.rpartition(".")[2])}
        known |= {*index.words()}
        for one in index.occurrences:
            place = one.span.source.name, one.span.start
            is_use = one.symbol is not None and one.symbol.kind not in ("local", "module")
            if not is_use or place in seen or games().get(place[0]) != game:
                continue
            seen.add(place)
            assert one.symbol is not None
            home = one.symbol.span
            written = one.span.text
            if home is None or home.start == one.span.start or len(written) < _SHORTEST:
                continue
            if written != one.symbol.name.rpartition(".")[2] or one.symbol.kind == "answer":
                continue
            if _is_one_more(one.span):
                continue
            new = _slip(written, chance)
            if new not in known and new not in language().keywords:
                yield _fault(place[0], one.span.start, one.span.end, new, "a name", written)


def _is_one_more(name: Span) -> bool:
    """Whether this declares a prohibition, of which several may have one name."""
    line = name.source.line(name.line)
    return line.lstrip().startswith(f"forbid {name.text}:")


def _slip(word: str, chance: Random) -> str:
    at = chance.randrange(1, len(word) - 1)
    match chance.randrange(4):
        case 0:
            return word[:at] + word[at + 1 :]
        case 1:
            return word[:at] + word[at] + word[at:]
        case 2:
            return word[:at] + chance.choice("aeiourstln") + word[at + 1 :]
        case _:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


@cache
def _before(game: str) -> Workspace:
    """A workspace that has checked a game without faults."""
    workspace = Workspace()
    workspace.check(path_of(f"rules/games/{game}.targi"))
    return workspace


def _index(game: str) -> Index:
    """The names in a game without faults."""
    index = _before(game).index(path_of(f"rules/games/{game}.targi"))
    assert index is not None
    return index


# ---- what is told about them ----


def reports(made: Iterable[Fault]) -> Iterator[Told]:
    """What is told of each fault, in their order."""
    for game, those in groupby(made, attrgetter("game")):
        sheet, workspace = path_of(f"rules/games/{game}.targi"), _before(game).with_texts({})
        before = _index(game).occurrences
        workspace.check(sheet)
        for fault in those:
            path = path_of(fault.file)
            workspace.edit(path, fault.text)
            yield _report(workspace, sheet, path, fault, before)
            workspace.edit(path, None)


def _report(
    workspace: Workspace, sheet: str, path: str, fault: Fault, before: tuple[Occurrence, ...]
) -> Told:
    workspace.choose(path, sheet)
    every = workspace.check(sheet).problems
    told = tuple(one for one in every if one.severity == "error")
    files = {path_of(one.span.source.name) for one in told if one.span is not None}
    lines = {
        line
        for one in told
        if one.span is not None and path_of(one.span.source.name) == path
        for line in (one.span.line, one.span.end_line)
    }
    holds = {"told": bool(told), "file": files == {path}, "line": fault.line in lines}
    if fault.meant:
        holds["suggestion"] = any(
            fault.meant in (edit.new for edit in one.edits)
            or re.search(rf"\b{fault.meant}\b", one.hint) is not None
            for one in told
        )
    if mending := [one for one in told if one.edits]:
        holds["repairs"] = all(_mends(workspace, sheet, one, told) for one in mending[:1])
    return Told(fault, told, holds, _alive(workspace, path, fault, before))


def _mends(workspace: Workspace, sheet: str, one: Problem, told: tuple[Problem, ...]) -> bool:
    """Whether the game has fewer errors after a repair, and none if it had one."""
    mended = workspace.with_texts({path_of(one.edits[0].span.source.name): apply_edits(one.edits)})
    left = [one for one in mended.check(sheet).problems if one.severity == "error"]
    return len(left) < len(told)


def _alive(
    workspace: Workspace, path: str, fault: Fault, before: tuple[Occurrence, ...]
) -> tuple[int, int]:
    """How many names outside the faulty declaration are answered as before, and of how many."""
    old = text_of(fault.file)
    first, last = _declaration(old, fault)
    grown = len(fault.text) - len(old)
    names = [
        one
        for one in before
        if one.symbol is not None
        and one.symbol.kind != "local"
        and not (one.span.source.name == fault.file and first <= one.span.start < last)
    ]
    sample = Random(fault.line).sample(names, min(LOOKED_AT, len(names)))
    alive = 0
    for one in sample:
        file = path_of(one.span.source.name)
        is_behind = one.span.source.name == fault.file and one.span.start >= last
        at = one.span.start + (grown if is_behind else 0)
        assert one.symbol is not None
        known = hover(workspace, file, at)
        own = one.symbol.name.rpartition(".")[2]
        offered = {item.text for item in completions(workspace, file, at).items}
        is_new = one.symbol.span is not None and one.symbol.span.start == one.span.start
        alive += (
            known is not None
            and (known.kind, known.name) == (one.symbol.kind, one.symbol.name)
            and (one.symbol.span is None or bool(definitions(workspace, file, at)))
            and (is_new or one.span.text in offered or own != one.span.text)
        )
    return alive, len(sample)


def _declaration(text: str, fault: Fault) -> tuple[int, int]:
    """The part of a file that may be lost with a fault: a declaration, or a card."""
    at = sum(map(len, text.splitlines(keepends=True)[: fault.line - 1]))
    if fault.file.endswith(".yaml"):
        begins = [0, *(one.start() for one in re.finditer(r"^  - ", text, re.MULTILINE))]
    else:
        begins = [begin for begin, _ in sections(text)]
    first = max((begin for begin in begins if begin <= at), default=0)
    return first, min((begin for begin in begins if begin > at), default=len(text))


# ---- figures ----


def figures(found: Iterable[Told]) -> dict[str, tuple[int, int]]:
    """For each figure, how many hold, and of how many; `problems` has all problems instead."""
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    problems, every, alive = 0, 0, Counter[bool]()
    for one in found:
        problems, every = problems + len(one.problems), every + 1
        for name, holds in one.holds.items():
            counts[name][holds] += 1
        alive += Counter({True: one.alive[0], False: one.alive[1] - one.alive[0]})
    counts["alive"] = alive
    return {
        **{name: (of[True], of.total()) for name, of in counts.items()},
        "problems": (problems, every),
    }


def lacking(found: Mapping[str, tuple[int, int]], spared: int = 0) -> list[str]:
    """The figures that are not reached; in a small sample so many of each may be `spared`, for a
    part of which is less than one.
    """
    wrong = [
        name
        for name, least in LEAST.items()
        if found[name][0] + spared * (least < 1) < least * found[name][1]
    ]
    each = found["problems"][0] / found["problems"][1]
    return wrong + ["problems"] * (not 1 <= each <= MOST_EACH)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="whatever does not hold")
    given = parser.parse_args()
    every = list[Told]()
    for one in reports(faults(given.count, given.seed)):
        every.append(one)
        wrong = [name for name, holds in one.holds.items() if not holds]
        wrong += ["problems"] * (len(one.problems) > 1) + ["alive"] * (one.alive[0] < one.alive[1])
        if given.show and wrong:
            fault = one.fault
            line = fault.text.split("\n")[fault.line - 1].strip()
            sys.stdout.write(f"{' '.join(wrong)} | {fault.kind} | {fault.game}, {fault.file}:")
            sys.stdout.write(f"{fault.line}: {line}\n{render(one.problems[:3])}\n\n")
    found = figures(every)
    for name, (part, of) in found.items():
        sys.stdout.write(f"{name:10} {part:6} of {of:6}  {100 * part / max(of, 1):.1f} %\n")
    missing = lacking(found)
    sys.stdout.write(f"not reached: {', '.join(missing) or 'none'}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
