"""Which shipped games use each sentence of the grammar; `python -m tests.constructs` prints a table."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from targi_dsl import cardfiles
from targi_dsl.text import resources
from targi_dsl.text.decoding import decode
from targi_dsl.text.source import Source
from tests.grammar_use import chunks, grammar

STRINGS = ("cost", "action", "ability")
CHANGED = re.compile(rf' ({"|".join(STRINGS)}) "([^"]*)"')
"""A sentence of a card as a variant changes it."""
LISTS = (
    "colour", "outline", "article", "indefinite", "actor", "by", "line", "parts_of_grid",
    "yes_or_no", "nameless",
)  # fmt: skip
"""Lists of words from which one is chosen: each list counts as one form, not one for each word."""
_TARGI = re.compile("base|expansion|mixed|variants")
_AGREEING = {
    **{f'"{verb}s"': f'"{verb}"' for verb in ("gain", "pay", "lose", "win", "take", "choose", "look")},
    '"does"': '"do"', '"are"': '"is"',
}  # fmt: skip
"""The words that a subject other than you takes: `opponent pays` is the sentence that `pay` is."""
_VARIANT = re.compile(r"_(?:short|thrifty|more|six|fair|all_day|rough|court|lean|mules|[0-9])$")

HEAD = """\
{forms} forms, of which {two} are used by two games or more, {one} by one game, {none} by none. A verb
counts once, whoever it is said to; lists of words that stand in one place are left out.

| construct | forms | used by two games or more | most games that use a form |
|---|---|---|---|
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
            for found in CHANGED.finditer(chunk if chunk.startswith("change card") else ""):
                yield family(source.name), found[1], found[2]
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
    games = defaultdict[str, frozenset[str]](frozenset)
    for name, said in grammar().alternatives.items():
        if said.partition(":")[0] not in LISTS:
            games[_agreeing(said)] |= found[name]
    return {said: those for said, those in games.items() if not _VERB.fullmatch(said)}


_VERB = re.compile(r'part_: "\w+"(?: \| "\w+")?')
"""Of which verb a sentence has one form for you, and one for others."""


def _agreeing(said: str) -> str:
    """A form as it is said to you."""
    for word, yours in _AGREEING.items():
        said = re.sub(rf"(?<![\w]){word}", yours, said)
    said = re.sub(r'\( ("\w+") \| \1 \)', r"\1", said)
    return re.sub(r"^part_\d+", "part_", said).replace("deed: ", "simple: ")


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
    return HEAD.format(**some) + "\n".join(rows) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
