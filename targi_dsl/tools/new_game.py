"""A new game: a tiny one to start from, a copy of another under a new name, or a variant with
comments that explain it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from targi_dsl.cardfiles import plain
from targi_dsl.compiler.cards.decks import DeckCard, Words
from targi_dsl.compiler.layers.changes import Layers, blocks
from targi_dsl.compiler.layers.combine import combine
from targi_dsl.compiler.load import check, load, read
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
    """The text of a tiny game in one file, by file name. Raises Problems if the name is not
    allowed.
    """
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
    """Raises Problems if the game of a sheet would have errors with these files in place."""
    _, problems = check(str(sheet), {str(path): text for path, text in texts.items()})
    if any(problem.severity == "error" for problem in problems):
        raise Problems(problems)


def copy(name: str, like: str) -> dict[str, str]:
    """The texts of a copy of a game, by file name: its sheet, its modules and its cards, under
    names of their own. Raises Problems if it cannot be copied.
    """
    load(like)
    sheet = read(like)
    check_name(name, sheet.project)
    return _Copy(name, sheet).texts()


class _Copy:
    """A game that is copied: its modules and card sets are named after the new game."""

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
            return {f"{self.name}.targi": self._with_head(source, head)} | dict(self._cards())
        rules = f"  rules {' + '.join(self._copy_name(word) for word in self.sheet.rules)}"
        first, *rest = head.splitlines()
        lines = ("language 2", first, rules, *rest, "")
        modules = dict(self._module(source) for source in sources)
        return {f"{self.name}.targi": "\n".join(lines)} | modules | dict(self._cards())

    def _head(self) -> Iterator[str]:
        """The `game` line and its lines, without the rules."""
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
        """The only file with rules, turned into a sheet."""
        nodes = (node for node in parse_file(source)[0] if isinstance(node, n.Module | n.Sheet))
        return _edited(source, [Edit(node.span, head) for node in nodes])

    def _module(self, source: Source) -> tuple[str, str]:
        """A file of a module, or the rules of a sheet turned into one."""
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
                case _:
                    pass
        file = f"{name}/{PurePosixPath(source.name.replace(chr(92), '/')).name}"
        return file, _edited(source, edits)

    def _cards(self) -> Iterator[tuple[str, str]]:
        for old, new in self.sets.items():
            for source in self.sheet.project.card_set(old):
                text = re.sub(rf"(?m)^(set:\s*){old}\b", rf"\g<1>{new}", source.text)
                yield f"{self.name}/{new}.yaml", text


def _edited(source: Source, edits: list[Edit]) -> str:
    return apply_edits(edits) if edits else source.text


def _replace_parts(whole: Span, words: Iterable[tuple[Span, str]]) -> str:
    """The text of a span, on one line, with some parts replaced."""
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

    def rules(self) -> Iterator[n.Rule]:
        for declared in self.layers.effective.values():
            if isinstance(declared.node, n.Rule):
                yield declared.node


def variant(name: str, based_on: str) -> dict[str, str]:
    """The texts of a new variant of a sheet, by file name. Raises Problems if there
    cannot be one.
    """
    game, sheet = load(based_on), read(based_on)
    check_name(name, sheet.project)
    layers, _ = combine(tuple(sheet.modules.values()), sheet.settled, sheet.cites)
    base = _Draft(name, title_of(name), sheet, layers, game)
    card = _card(base)
    texts = {f"{name}.targi": _sheet(base, card), f"{name}/{name}.targi": _module(base)}
    if card is not None:
        texts[f"{name}/{name}_cards.yaml"] = _cards(base, card[1])
    return {file: "\n".join([*lines, ""]) for file, lines in texts.items()}


# ---- the sheet ----


def _sheet(base: _Draft, card: tuple[str, DeckCard] | None) -> Iterator[str]:
    sheet = base.written
    yield "language 2"
    yield f"# {base.title}: say here in one sentence what it changes."
    yield "#"
    yield "# A game sheet says which rules, cards and options make a game. This one has everything"
    yield "# that its base has, except where a line below says otherwise. Its own rules are in"
    yield f"# {base.name}/{base.name}.targi."
    yield "# Lines that begin with # are for people. Remove the # from an example to make it count."
    yield "# Then, in this folder:"
    file = f"{base.name}.targi"
    commands = (
        (f"targi validate {file}", "reports what is wrong"),
        (f"targi diff {sheet.name} {file}", "shows everything it changes"),
        (f"targi play {file}", "plays it"),
    )
    widest = max(len(command) for command, _ in commands)
    yield from (f"#   {command:{widest}}   {what}" for command, what in commands)
    yield ""
    yield f'game {base.name} "{base.title}" based on {sheet.name}'
    yield f"  rules {base.name}"
    if card is not None:
        zone = card[0]
        yield ""
        what = "in place of the one with its number" if card[1].entry.number else "more"
        yield f"# Other cards: here one card {what}, from {base.name}/{base.name}_cards.yaml."
        deck = print_deck(sheet.decks[zone].deck)
        old = f"({deck}) overlaid by" if card[1].entry.number else f"{deck} +"
        yield f"#  deck {zone}: {old} {base.name}_cards"
    for (sort, name), declared in base.layers.effective.items():
        if sort == "option" and isinstance(declared.node, n.Option):
            chosen = dict(base.game.options)[name]
            other = next(word.text for word in declared.node.values if word.text != chosen)
            yield ""
            yield f"# An option: {' or '.join(word.text for word in declared.node.values)}."
            yield f"#  option {name}: {other}"


# ---- the module ----


def _module(base: _Draft) -> Iterator[str]:
    name = base.name
    based_on = ", ".join(dict.fromkeys(word.text for word in base.written.rules))
    yield "language 2"
    yield f'module {name} "{base.title}" based on {based_on}'
    yield ""
    yield "# A module changes the modules it is based on, by name: it sets, replaces, extends,"
    yield f"# removes and adds. `targi show {base.written.name} rules` lists all names, and"
    yield f"# `targi show {base.written.name} rule NAME` shows one."
    yield "# Lines with # right in front are examples that work: remove the #."
    yield ""
    yield "# ---- set: definitions say how much or how many ----"
    yield ""
    yield from _definitions(base)
    yield ""
    yield "# ---- replace: this takes the place of the whole declaration ----"
    yield ""
    yield from _commented(_replacement(base))
    yield ""
    yield "# ---- extend: more at the end of a rule, or `before` or `after` one of its parts ----"
    yield ""
    yield "#extend rule setup"
    gain = [f"#    gain 1 {resource}" for resource in base.game.resources[:1]]
    yield from ("#  each player", *gain) if gain else ("#  nothing",)
    yield ""
    yield "# ---- remove: as if it had never been there ----"
    yield ""
    yield from _commented(_removal(base))
    yield ""
    yield "# ---- add: something of your own, under a new name ----"
    yield ""
    yield f"#score {name}_bonus: 1"


def _definitions(base: _Draft) -> Iterator[str]:
    numbers = list[str]()
    for (_, name), declared in base.layers.effective.items():
        match declared.node:
            case n.Define(params=(), value=n.Number(value), span=span):
                place = f"{span.source.name}:{span.line}"
                numbers.append(f"replace define {name}: {value}   # {place}")
            case _:
                pass
    if not numbers:
        yield "# These are new; `replace define` changes one that exists already."
        yield f"define {base.name}_gift: 1"
        yield f"score {base.name}_gift: {base.name}_gift"
        return
    # The last one is about the end of the game rather than its components, so any number works.
    *others, last = numbers
    yield "# These are unchanged; write other numbers. After each is the place that explains it."
    yield from (f"#{line}" for line in others)
    yield last


def _replacement(base: _Draft) -> tuple[str, ...]:
    """A short rule of the game, copied to be changed."""
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


def _removal(base: _Draft) -> tuple[str, ...]:
    """A prohibition that no card refers to, or a part of the score."""
    texts = " ".join(ability.text for ability in base.game.abilities)
    for rule in base.rules():
        for block in blocks(rule.body):
            for part in block:
                if isinstance(part, n.Forbid) and part.name.text not in texts:
                    return (f"remove forbid {part.name.text}",)
    scores = [name for sort, name in base.layers.effective if sort == "score"]
    if len(scores) > 1:
        return (f"remove score {scores[-1]}",)
    return (" (This game has nothing that could simply be removed.)",)


def _commented(lines: tuple[str, ...]) -> Iterator[str]:
    yield from (f"#{line}" for line in lines)


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


def _cards(base: _Draft, like: DeckCard) -> Iterator[str]:
    yield "# Cards of your own. A game has them if a `deck` of its sheet names their set."
    yield f"# This one is like {like.entry.id} of {like.set}; look at it with:"
    yield f"#   targi show {base.written.name} card {like.entry.id}"
    yield "language: 2"
    yield f"set: {base.name}_cards"
    yield f"kind: {like.kind}"
    yield "source: invented"
    yield "cards:"
    yield f"  - id: {base.name}_card"
    if like.entry.number is not None:
        yield f"    number: {like.entry.number}"
    yield f"    name: {{en: {base.title}}}"
    for key, value in like.entry.fields.items():
        yield f"    {key}: {json.dumps(plain(value), ensure_ascii=False)}"
