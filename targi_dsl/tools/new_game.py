"""New games: a tiny one, a copy of another under a new name, or a commented variant."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from targi_dsl.cardfiles import plain
from targi_dsl.compiler.cards.decks import DeckCard, Words
from targi_dsl.compiler.layers.changes import Layers, forbids
from targi_dsl.compiler.layers.combine import combine
from targi_dsl.compiler.load import load, read, require
from targi_dsl.compiler.project.discovery import PLAYERS, Project, shipped
from targi_dsl.compiler.project.written import Written, set_words
from targi_dsl.compiler.symbols.decks import decks
from targi_dsl.ir.game import Game
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_file
from targi_dsl.syntax.grammar import is_name, language
from targi_dsl.syntax.printer import print_deck, print_declaration
from targi_dsl.text.diagnostics import Edit, Problem, Problems, apply_edits
from targi_dsl.text.languages import words_of
from targi_dsl.text.source import Source, Span
from targi_dsl.text.structs import Frozen

_TINY = """\
language 2
# A tiny game to begin with: change a line, check it, play it. The lines that begin with # are
# for people.
game {name} "{title}"

# Who plays, in the order of their seats.
players red, blue

# What players have any number of.
resource stones

# What is remembered on the table.
variable heap: 0 to 21, starts as 21

# A number that you may want to change.
define most: 3

# Done once, before the first round.
rule setup
  each player: gain 1 stones

# Done again and again, until the game is over.
rule round
  each player
    do turn

rule turn
  choose taken in 1..most where taken is at most heap
  set heap to heap - taken
  gain (taken) stones
  if heap is 0: you win

# What is shown on the screen.
layout
  line heap
  each player
    line your stones
"""


def tiny(name: str) -> dict[str, str]:
    """The files of a tiny game, text by name. Raises Problems if the name is not allowed."""
    check_name(name, shipped())
    return {f"{name}.targi": _TINY.format(name=name, title=title_of(name))}


def title_of(name: str) -> str:
    """The title of a game with this name."""
    return words_of(name).capitalize()


def check_name(name: str, project: Project) -> None:
    """Raises Problems if a new game cannot have this name."""
    if not is_name(name) or name in language().reserved:
        text = (
            "A name has small letters, digits and underscores, begins with a letter, and is not a"
            " word of the language."
        )
        raise Problems([Problem("E425", f"`{name}` cannot be a name", None, text)])
    if name in (*project.games(), *project.names("module")):
        text = "There is already a game or a module of that name."
        raise Problems([Problem("E426", f"`{name}` is taken", None, text, "Choose another name.")])


def check_game(sheet: Path, texts: Mapping[Path, str]) -> None:
    """Raises Problems if a sheet would have errors with these files."""
    require(str(sheet), {str(path): text for path, text in texts.items()})


def copy(name: str, like: str) -> dict[str, str]:
    """The files of a copy of a game, text by name: its sheet, modules, cards and catalogues under
    new names. Raises Problems if it cannot be copied.
    """
    require(like)
    sheet = read(like)
    check_name(name, sheet.project)
    return _Copy(name, sheet).texts()


class _Copy:
    """A game being copied: modules and card sets are renamed after the new game."""

    def __init__(self, name: str, sheet: Written) -> None:
        self.name, self.sheet = name, sheet
        words = (word for line in sheet.decks.values() for word in set_words(line.deck))
        self.sets = self._renamed({word.text: word for word in words})
        self.modules = self._renamed(sheet.modules)

    def _renamed(self, names: Iterable[str]) -> dict[str, str]:
        old = self.sheet.name
        return {
            name: self.name if name == old else f"{self.name}_{name.removeprefix(f'{old}_')}"
            for name in names
        }

    def texts(self) -> dict[str, str]:
        """The texts by file name, the sheet first."""
        head, sources = "\n".join(self._head()), self.sheet.sources
        if len(sources) == 1:
            (source,) = sources
            return {f"{self.name}.targi": self._with_head(source, head)} | self._others()
        rules = f"  rules {' + '.join(self._copy_name(word) for word in self.sheet.rules)}"
        first, *rest = head.splitlines()
        lines = ("language 2", first, rules, *rest, "")
        modules = dict(self._module(source) for source in sources)
        return {f"{self.name}.targi": "\n".join(lines)} | modules | self._others()

    def _head(self) -> Iterator[str]:
        """The `game` line and its indented lines, without `rules`."""
        yield f'game {self.name} "{title_of(self.name)}"'
        for name, option in self.sheet.options.items():
            value = option if isinstance(option, str) else option.value.text
            yield f"  players {value}" if name == PLAYERS else f"  option {name}: {value}"
        for zone, line in self.sheet.decks.items():
            words = ((word.span, self.sets[word.text]) for word in set_words(line.deck))
            yield f"  deck {zone}: {_replace_parts(line.deck.span, words)}"
        for name, modules in self.sheet.settled.items():
            order = " then ".join(self.modules[word.text] for word in modules)
            yield f"  settle {name}: {order}"

    def _copy_name(self, module: n.Word) -> str:
        chapters = ", ".join(word.text for word in self.sheet.chapters.get(module.text, ()))
        return self.modules[module.text] + (f" ({chapters})" if chapters else "")

    def _with_head(self, source: Source, head: str) -> str:
        """The only file with rules, made the sheet."""
        nodes = (node for node in parse_file(source)[0] if isinstance(node, n.Module | n.Sheet))
        return _edited(source, [Edit(node.span, head) for node in nodes])

    def _module(self, source: Source) -> tuple[str, str]:
        """A file of a module; the rules of a sheet become a module."""
        module = self.sheet.sources[source]
        name = self.modules[module]
        edits = list[Edit]()
        for node in parse_file(source)[0]:
            match node:
                case n.Module():
                    named = (node.name, *node.based_on)
                    edits += (Edit(word.span, self.modules[word.text]) for word in named)
                case n.Sheet():
                    bases = [self.modules[word.text] for word in self.sheet.own[module].based_on]
                    based_on = f" based on {', '.join(bases)}" if bases else ""
                    edits.append(Edit(node.span, f"module {name}{based_on}"))
        file = f"{name}/{PurePosixPath(source.name.replace(chr(92), '/')).name}"
        return file, _edited(source, edits)

    def _others(self) -> dict[str, str]:
        """The cards, and the catalogues of the modules."""
        project = self.sheet.project
        catalogues = (
            (f"{new}/{code}.po", source.text)
            for old, new in self.modules.items()
            for code, source in project.catalogues(old)
        )
        return dict((*self._cards(), *sorted(catalogues)))

    def _cards(self) -> Iterator[tuple[str, str]]:
        for old, new in self.sets.items():
            for source in self.sheet.project.card_set(old):
                text = re.sub(rf"(?m)^(set:\s*){old}\b", rf"\g<1>{new}", source.text)
                yield f"{self.name}/{new}.yaml", text


def _edited(source: Source, edits: list[Edit]) -> str:
    return apply_edits(edits) if edits else source.text


def _replace_parts(whole: Span, words: Iterable[tuple[Span, str]]) -> str:
    """The text of a span on one line, with parts replaced."""
    text = whole.text
    for span, new in sorted(words, key=lambda word: word[0].start, reverse=True):
        text = text[: span.start - whole.start] + new + text[span.end - whole.start :]
    return " ".join(text.split())


class _Draft(Frozen):
    name: str
    title: str
    written: Written
    layers: Layers
    game: Game


def variant(name: str, based_on: str) -> dict[str, str]:
    """The files of a new variant of a sheet, text by name. Raises Problems if that is
    impossible.
    """
    game, sheet = load(based_on), read(based_on)
    check_name(name, sheet.project)
    layers, _ = combine(tuple(sheet.modules.values()), sheet.settled, sheet.cites)
    base = _Draft(name, title_of(name), sheet, layers, game)
    card = _card(base)
    texts = {f"{name}.targi": _sheet(base, card), f"{name}/{name}.targi": _module(base)}
    if card is not None:
        texts[f"{name}/{name}_cards.yaml"] = _cards(base, card[1])
    return texts


# ---- the sheet ----


def _sheet(base: _Draft, card: tuple[str, DeckCard] | None) -> str:
    name, based_on = base.name, base.written.name
    commands = {
        f"targi validate {name}.targi": "reports what is wrong",
        f"targi diff {based_on} {name}.targi": "shows everything it changes",
        f"targi play {name}.targi": "plays it",
    }
    widest = max(map(len, commands))
    what_to_do = "\n".join(f"#   {one:{widest}}   {what}" for one, what in commands.items())
    examples = "".join(f"\n{one}\n" for one in (*_deck(base, card), *_options(base)))
    return f"""\
language 2
# {base.title}: say here in one sentence what it changes.
#
# A game sheet says which rules, cards and options make a game. This one has everything
# that its base has, except where a line below says otherwise. Its own rules are in
# {name}/{name}.targi.
# Lines that begin with # are for people. Remove the # from an example to make it count.
# Then, in this folder:
{what_to_do}

game {name} "{base.title}" based on {based_on}
  rules {name}
{examples}"""


def _deck(base: _Draft, card: tuple[str, DeckCard] | None) -> Iterator[str]:
    if card is not None:
        zone, number = card[0], card[1].entry.number
        what = "in place of the one with its number" if number else "more"
        deck = print_deck(base.written.decks[zone].deck)
        old = f"({deck}) overlaid by" if number else f"{deck} +"
        yield (
            f"# Other cards: here one card {what}, from {base.name}/{base.name}_cards.yaml."
            f"\n#  deck {zone}: {old} {base.name}_cards"
        )


def _options(base: _Draft) -> Iterator[str]:
    chosen = dict(base.game.options)
    for (_, name), declared in base.layers.effective.items():
        if isinstance(declared.node, n.Option):
            values = [word.text for word in declared.node.values]
            other = next(value for value in values if value != chosen[name])
            yield f"# An option: {' or '.join(values)}.\n#  option {name}: {other}"


# ---- the module ----


def _module(base: _Draft) -> str:
    based_on = ", ".join(dict.fromkeys(word.text for word in base.written.rules))
    gain = [f"    gain 1 {resource}" for resource in base.game.resources[:1]]
    addition = ("  each player", *gain) if gain else ("  nothing",)
    return f"""\
language 2
module {base.name} "{base.title}" based on {based_on}

# A module changes the modules it is based on, by name: it sets, replaces, extends,
# removes and adds. `targi show {base.written.name} rules` lists all names, and
# `targi show {base.written.name} rule NAME` shows one.
# Lines with # right in front are examples that work: remove the #.

# ---- set: definitions say how much or how many ----

{_definitions(base)}

# ---- replace: this takes the place of the whole declaration ----

{_commented(*_replacement(base))}

# ---- extend: more at the end of a rule, or `before` or `after` one of its parts ----

{_commented("extend rule setup", *addition)}

# ---- remove: as if it had never been there ----

{_commented(_removal(base))}

# ---- add: something of your own, under a new name ----

#score {base.name}_bonus: 1
"""


def _definitions(base: _Draft) -> str:
    numbers = list[str]()
    for (_, name), declared in base.layers.effective.items():
        match declared.node:
            case n.Define(params=(), value=n.Number(value), span=span):
                place = f"{span.source.name}:{span.line}"
                numbers.append(f"replace define {name}: {value}   # {place}")
    if not numbers:
        return f"""\
# These are new; `replace define` changes one that exists already.
define {base.name}_gift: 1
score {base.name}_gift: {base.name}_gift"""
    # The last number concerns the end of the game rather than components, so any other works.
    *others, last = numbers
    head = "# These are unchanged; write other numbers. After each is the place that explains it."
    return "\n".join((head, *(f"#{line}" for line in others), last))


def _replacement(base: _Draft) -> tuple[str, ...]:
    """A short rule of the game, to be changed."""
    candidates = []
    for (sort, _), declared in base.layers.effective.items():
        lines = print_declaration(declared.node)
        if sort == "rule" and all(
            origin.how in ("declared", "replaced") and not origin.forbid
            for origin in declared.origins
        ):
            candidates.append(lines)
    first, *rest = min(candidates, key=lambda lines: (len(lines) < 2, len(lines)))
    return (f"replace {first}", *rest)


def _removal(base: _Draft) -> str:
    """A prohibition that no card refers to, or a part of the score."""
    texts = " ".join(ability.text for ability in base.game.abilities)
    for declared in base.layers.effective.values():
        for part in forbids(declared.node):
            if part.name.text not in texts:
                return f"remove forbid {part.name.text}"
    scores = [name for sort, name in base.layers.effective if sort == "score"]
    if len(scores) > 1:
        return f"remove score {scores[-1]}"
    return " (This game has nothing that could simply be removed.)"


def _commented(*lines: str) -> str:
    return "\n".join(f"#{line}" for line in lines)


# ---- the cards ----


def _card(base: _Draft) -> tuple[str, DeckCard] | None:
    """A zone to which a card can be added, and its card with the most fields; a zone whose cards
    have no numbers if there is one.
    """
    candidates = [
        (zone, max(deck.cards, key=lambda card: len(card.entry.fields)))
        for zone, deck in decks(base.written, base.layers, Words.of(base.layers.effective)).items()
        if deck.cards
    ]
    return min(candidates, key=lambda pair: pair[1].entry.number is not None, default=None)


def _cards(base: _Draft, like: DeckCard) -> str:
    entry = like.entry
    fields = [] if entry.number is None else [f"number: {entry.number}"]
    fields.append(f"name: {{en: {base.title}}}")
    for key, value in entry.fields.items():
        fields.append(f"{key}: {json.dumps(plain(value), ensure_ascii=False)}")
    its_fields = "\n".join(f"    {field}" for field in fields)
    return f"""\
# Cards of your own. A game has them if a `deck` of its sheet names their set.
# This one is like {entry.id} of {like.set}; look at it with:
#   targi show {base.written.name} card {entry.id}
language: 2
set: {base.name}_cards
kind: {like.kind}
source: invented
cards:
  - id: {base.name}_card
{its_fields}
"""
