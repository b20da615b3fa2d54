"""docs/constructs.md: which shipped games use each sentence of the grammar.

python -m tests.constructs > docs/constructs.md
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from targi_dsl import cardfiles, resources
from targi_dsl.text.decoding import decode
from targi_dsl.text.source import Source
from tests.grammar_use import chunks, grammar

STRINGS = ("cost", "action", "ability")
LISTS = ("colour", "outline")
"""Lists of words from which one is chosen: each list counts as one form, not one for each word."""
_TARGI = re.compile("base|expansion|mixed|variants")
_VARIANT = re.compile(r"_(?:short|more|six|fair|all_day|rough|court|[0-9])$")

HEAD = """\
# Constructs and the games that use them

Every production of the grammar, and how many shipped games say it. Variants of a game count as that game, and so do Targi's modules. This page is
computed (`python -m tests.constructs`), and a test holds it against the grammar and the games.

A *construct* is a rule of the grammar, a *form* one of its alternatives or optional parts. {forms} forms, of which {two} are used by two
games or more, {one} by one game, {none} by none. The lists of colours and shapes are left out.

| construct | forms | used by two games or more | most games that use a form |
|---|---|---|---|
"""
ONE = """
## Forms that one game uses

Most are one operator, verb form or order of a sentence of which two or more games use another: all comparisons of a deck belong together, as do `a`, `an` and
`no` before a field, and a verb with and without its `s`. A few stand alone, and each has a meaning no other sentence has: `with diagonals`,
`hex N by M` and `N spots` (a board has one shape), `settle`, `replace forbid` and `change card` (a variant is what needs them), `everybody wins` (players who win together).

| form | game |
|---|---|
"""


def family(name: str) -> str:
    """The game that a shipped file belongs to."""
    top = re.split(r"[/.]", name.removeprefix("games/"))[0]
    return "Targi" if _TARGI.match(top) else _VARIANT.sub("", top)


def sources(folder: str, suffix: str) -> Iterator[Source]:
    """The shipped texts of a folder."""
    for name in resources.names(folder, suffix):
        yield decode(name, resources.read(f"{folder}/{name}") or b"")


def sentences() -> Iterator[tuple[str, str, str]]:
    """Everything the games contain: the game, the start symbol, the text."""
    for source in sources("rules", ".targi"):
        for chunk in chunks(source.text):
            yield family(source.name), "declaration", chunk
    for source in sources("cards", ".yaml"):
        file, _ = cardfiles.read_cards(source)
        assert file is not None, source.name
        for card in file.cards:
            for key, value in card.fields.items():
                for one in value.items if isinstance(value, cardfiles.Sequence) else (value,):
                    if key in STRINGS and isinstance(one, cardfiles.Scalar):
                        yield family(source.name), key, str(one.value)


@cache
def users() -> Mapping[str, frozenset[str]]:
    """The games that use each form."""
    found = defaultdict[str, set[str]](set)
    for game, start, text in sentences():
        for name in grammar().used_in(start, text):
            found[name].add(game)
    alternatives = grammar().alternatives.items()
    return {
        said: frozenset(found[name])
        for name, said in alternatives
        if said.partition(":")[0] not in LISTS
    }


def page() -> str:
    """The whole page."""
    by_construct = defaultdict[str, list[frozenset[str]]](list)
    for said, games in users().items():
        construct = said.partition(":")[0]
        by_construct["optional parts" if construct.startswith("part_") else construct].append(games)
    counts = [len(games) for games in users().values()]
    some = {
        "forms": len(counts), "two": sum(count > 1 for count in counts),
        "one": counts.count(1), "none": counts.count(0),
    }  # fmt: skip
    rows = [
        f"| {construct} | {len(each)} | {sum(len(one) > 1 for one in each)} | {max(map(len, each))} |"
        for construct, each in by_construct.items()
    ]
    alone = [
        f"| `{_form(said)}` | {', '.join(games) or 'none'} |"
        for said, games in users().items()
        if len(games) < 2
    ]
    return HEAD.format(**some) + "\n".join(rows) + "\n" + ONE + "\n".join(alone) + "\n"


def _form(said: str) -> str:
    return re.sub(r"^part_\d+: ", "", said).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(page())
