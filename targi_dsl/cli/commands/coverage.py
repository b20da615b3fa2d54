"""`targi coverage`: what of a game random games use, and what they never do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import wraps
from html import escape
from math import inf
from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.output import html_page, put, put_document
from targi_dsl.cli.progress import Progress
from targi_dsl.compiler.load import load
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.files import read_file, write_file
from targi_dsl.tools.coverage import Coverage, Item, RandomGames, shares, trace_games, unused

MOST_GAMES = 100_000
MOST_ELEMENTS = 10_000_000
"""The limit of visited elements after which no further game begins, unless a number of games is
given: about half a minute.
"""
_WORDS = {
    "rule": "rules",
    "statement": "statements",
    "branch": "sides of branches",
    "prohibition": "prohibitions",
    "ability": "abilities",
    "card": "cards",
    "option": "values of options",
}


def random_games(usual: int) -> arguments.Decorator:
    """A decorator for commands that trace random games, with their default number."""

    def with_options(command: arguments.Command) -> arguments.Command:
        @arguments.game()
        @click.option(
            "--games",
            metavar="N",
            callback=arguments.whole_number(1, MOST_GAMES),
            help=f"The number of random games; by default {usual}, or fewer if they take long.",
        )
        @arguments.seed("The seed of the first game; the next game has one more.")
        @arguments.options
        @arguments.decks
        @wraps(command)
        def with_games(
            name: str,
            games: int | None,
            seed: int | None,
            options: Mapping[str, str],
            decks: Mapping[str, str],
            **rest: object,
        ) -> object:
            game, first = load(name, options=options, decks=decks), seed or 0
            seeds = _shown(range(first, first + (games or usual)))
            played = trace_games(game, seeds, MOST_ELEMENTS if games is None else inf)
            return command(games=played, **rest)

        return with_games

    return with_options


def _shown(seeds: Sequence[int]) -> Iterator[int]:
    """The seeds of games, with a progress line."""
    progress = Progress(len(seeds))
    for done, seed in enumerate(seeds):
        progress.show(done)
        yield seed
    progress.clear()


@click.command("coverage")
@random_games(100)
@arguments.file("--html", "Write the rules, coloured by what is used, to FILE.")
@arguments.as_json
def command(games: RandomGames, html: Path | None, as_json: bool) -> None:
    """Play random games and show what of a game they never use: rules, statements, branches,
    prohibitions, abilities and cards. `targi test --coverage` shows the same of rule tests.
    """
    if html is not None:
        write_file(html, page(title_of(games), games.covered))
    if as_json:
        put_document(
            {
                "game": games.game.name,
                "games": games.played,
                "left": games.left,
                **coverage_document(games.covered),
            }
        )
    else:
        put("\n".join([*left_lines(games), *coverage_lines(games.covered)]))


def title_of(games: RandomGames) -> str:
    """The game, and the number of random games."""
    return f"{games.game.title}, {arguments.count_of(games.played, 'random game')}"


def left_lines(games: RandomGames) -> Iterator[str]:
    """A note about games that were not played."""
    if games.left:
        number, all_ = arguments.count_of(games.played, "game"), games.played + games.left
        yield f"stopped after {number}, which take long; to play more: --games {all_}"


def coverage_lines(covered: Coverage) -> Iterator[str]:
    """The shares by sort, and all unused items."""
    for sort, (used, number) in shares(covered).items():
        yield f"{_WORDS[sort]:20} {used:5} of {number:5}  {used / number:7.1%}"
    yield ""
    yield from unused_lines(covered)


def unused_lines(covered: Coverage) -> Iterator[str]:
    """The unused items by file and line."""
    items = unused(covered)
    yield f"never used: {len(items) or 'nothing'}"
    yield from (f"  {describe(item)}" for item in items)


def describe(item: Item) -> str:
    """An item in words, with its place."""
    sort = "the condition" if item.sort == "branch" else item.sort
    words = f"{sort} {item.name}".strip()
    return f"{item.file}:{item.line}  {words}" if item.file else words


def coverage_document(covered: Coverage) -> Mapping[str, object]:
    """The coverage as data for JSON."""
    return {
        "shares": {
            sort: {"used": used, "number": number}
            for sort, (used, number) in shares(covered).items()
        },
        "items": [
            {
                "sort": item.sort,
                "name": item.name,
                "file": item.file or None,
                "line": item.line or None,
                "times": times,
            }
            for item, times in sorted(covered.items())
        ],
    }


# ---- the page ----

_STYLE = """\
body { font: 15px/1.4 system-ui, sans-serif; margin: 1rem auto; max-width: 70rem;
  padding: 0 .8rem; color: #222 }
h2 { overflow-wrap: anywhere } pre { font-size: .85rem; line-height: 1.35; overflow-x: auto }
pre span { display: inline-block; min-width: 100% }
.used { background: #e3f4e3 } .partly { background: #fdf3cf } .never { background: #fbdada }
i { float: right; color: #666; font-style: normal; padding-left: 1rem }"""


def page(title: str, covered: Coverage) -> str:
    """A page with the files, each line coloured: used, partly used, unused."""
    lines = defaultdict[str, dict[int, list[int]]](lambda: defaultdict(list))
    for item, times in covered.items():
        if item.file:
            lines[item.file][item.line].append(times)
    rules_first = sorted(lines.items(), key=lambda one: (one[0].endswith(".yaml"), one[0]))
    files = "\n".join(_file(name, counts) for name, counts in rules_first)
    summary = escape("\n".join(coverage_lines(covered)))
    return html_page(title, _STYLE, f"<pre>{summary}</pre>\n{files}")


def _file(name: str, counts: Mapping[int, list[int]]) -> str:
    rows = list[str]()
    for number, text in enumerate(_text(name).splitlines(), 1):
        times = counts.get(number, [])
        state = "" if not times else "used" if all(times) else "partly" if any(times) else "never"
        count = f"<i>{max(times)}</i>" if times else ""
        rows.append(f'<span class="{state}">{count}{number:4}  {escape(text)}</span>')
    lines = "\n".join(rows)
    return f"<h2>{escape(name)}</h2>\n<pre>\n{lines}\n</pre>"


def _text(name: str) -> str:
    """The current text of a file, shipped or not; empty if it is gone."""
    if (data := resources.read(name)) is not None:
        return data.decode()
    try:
        return read_file(name).text
    except Problems:
        return ""
