"""Makes variants of shipped games as a designer would, and prints every warning, to be read: does
it tell of something that is wrong?

    python -m bench.alarms                      5 variants of each sheet
    python -m bench.alarms pig base --variants 50

A variant is one change that might be meant: a number one up or down or doubled, two lines of a
block in the other order, a line of a rule left out, a card left out or with another number.
Variants with errors and those that are the same game do not count. Those of a sheet are always the
same.
"""

from __future__ import annotations

import difflib
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import click

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text.diagnostics import Problem, render
from tests.games import ALL
from tests.random_edits import files_of

TRIES = 60
"""Changes that are made for each variant that is wanted."""

Lines = list[str]
_NUMBER = re.compile(r"(?<![\w.\"])(?:[2-9]|[1-9]\d)\b(?!\.\.)")
_STEP = re.compile(r" +(?!where|and|or|otherwise|because|within|plus|except)[a-z]")
_LEFT_OUT = re.compile(r" +(?:forbid|gain|pay|draw|set|shuffle|turn|put|do|take|[a-z_]+ as \")")


@dataclass(frozen=True, slots=True)
class Variant:
    """A valid variant: what was changed, and the warnings about it."""

    sheet: str
    number: int
    change: str
    warnings: tuple[Problem, ...]


def number(lines: Lines, chance: random.Random) -> bool:
    """One number is another."""
    at = _any(lines, chance, lambda line: bool(_NUMBER.search(_code(line))))
    if at is None:
        return False
    found = chance.choice([*_NUMBER.finditer(_code(lines[at]))])
    new = chance.choice([int(found[0]) + 1, int(found[0]) - 1, 2 * int(found[0])])
    lines[at] = lines[at][: found.start()] + str(new) + lines[at][found.end() :]
    return True


def order(lines: Lines, chance: random.Random) -> bool:
    """Two lines of a block in the other order."""

    def fits(at: int) -> bool:
        here, there = lines[at], lines[at + 1]
        after = lines[at + 2] if at + 2 < len(lines) else ""
        alike = _indent(here) == _indent(there) >= _indent(after)
        return bool(_STEP.match(here) and _STEP.match(there)) and alike

    places = [at for at in range(len(lines) - 1) if fits(at)]
    if not places:
        return False
    at = chance.choice(places)
    lines[at : at + 2] = lines[at + 1], lines[at]
    return True


def left_out(lines: Lines, chance: random.Random) -> bool:
    """A line of a rule is left out."""
    at = _any(lines, chance, lambda line: bool(_LEFT_OUT.match(line)))
    if at is None:
        return False
    end = at + 1
    while end < len(lines) and _indent(lines[end]) > _indent(lines[at]):
        end += 1
    del lines[at:end]
    return True


def card(lines: Lines, chance: random.Random) -> bool:
    """A card is left out, or another number stands on it."""
    starts = [at for at, line in enumerate(lines) if line.startswith("  - ")]
    if not starts:
        return False
    if chance.random() < 0.7:
        return number(lines, chance)
    at = chance.choice(starts)
    end = next((one for one in starts if one > at), len(lines))
    del lines[at:end]
    return True


Change = Callable[[Lines, random.Random], bool]
OF_RULES: tuple[Change, ...] = (number, order, left_out)
OF_CARDS: tuple[Change, ...] = (card,)


def variants(sheet: str) -> Iterator[Variant]:
    """The valid variants of a sheet, without end unless it has none."""
    files, kept, met = files_of(sheet), CheckCache(), set[str]()
    same, _ = check(sheet, of_texts(files, kept))
    met.add(same.hash if same else "")
    wasted, made = 0, 0
    while wasted < TRIES:
        chance = random.Random(f"{sheet} {made}")
        name = chance.choice(sorted(files))
        lines = files[name].split("\n")
        change = chance.choice(OF_CARDS if name.endswith(".yaml") else OF_RULES)
        made, wasted = made + 1, wasted + 1
        if not change(lines, chance):
            continue
        text = "\n".join(lines)
        game, problems = check(sheet, of_texts({**files, name: text}, kept))
        if game is None or game.hash in met:
            continue
        met.add(game.hash)
        wasted = 0
        both = files[name].split("\n"), lines
        changed = [*difflib.unified_diff(*both, name, name, n=0, lineterm="")][3:]
        yield Variant(sheet, made - 1, f"{change.__name__} in {name}: {changed}", problems)


def _any(lines: Lines, chance: random.Random, fits: Callable[[str], bool]) -> int | None:
    end = next((at for at, line in enumerate(lines) if line in ("layout", "look")), len(lines))
    found = [at for at, line in enumerate(lines[:end]) if line.startswith(" ") and fits(line)]
    return chance.choice(found) if found else None


def _code(line: str) -> str:
    """A line without its comment."""
    return line.partition("  #")[0].partition(' as "')[0].partition(' because "')[0]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else -1


@click.command()
@click.argument("sheets", nargs=-1)
@click.option("--variants", "wanted", default=5, show_default=True, help="Of each sheet.")
def main(sheets: tuple[str, ...], wanted: int) -> None:
    """Print the warnings about variants."""
    counts, count = Counter[str](), 0
    for sheet in sheets or ALL:
        for one in islice(variants(sheet), wanted):
            count += 1
            counts.update(problem.code for problem in one.warnings)
            if one.warnings:
                click.echo(f"--- {sheet} {one.number}: {one.change}")
                click.echo(render(one.warnings))
    click.echo(f"{count} variants, warnings: {dict(sorted(counts.items()))}")


if __name__ == "__main__":
    main()
