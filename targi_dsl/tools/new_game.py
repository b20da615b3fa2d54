"""A new game: a tiny one to start from, or a copy of another under a new name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from targi_dsl.compiler.load import check, load, read
from targi_dsl.compiler.project.discovery import PLAYERS, Project, shipped
from targi_dsl.compiler.project.written import Written, set_words
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_file
from targi_dsl.syntax.grammar import is_name, language
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.edits import Edit, applied
from targi_dsl.text.source import Source, Span

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
    return {f"{name}.targi": _TINY.format(name=name, title=titled(name))}


def titled(name: str) -> str:
    """The title of a game with this name."""
    return name.replace("_", " ").capitalize()


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
        rules = f"  rules {' + '.join(self._used(word) for word in self.sheet.rules)}"
        first, *rest = head.splitlines()
        lines = ("language 2", first, rules, *rest, "")
        modules = dict(self._module(source) for source in sources)
        return {f"{self.name}.targi": "\n".join(lines)} | modules | dict(self._cards())

    def _head(self) -> Iterator[str]:
        """The `game` line and its lines, without the rules."""
        yield f'game {self.name} "{titled(self.name)}"'
        for name, option in self.sheet.options.items():
            value = option if isinstance(option, str) else option.value.text
            yield f"  players {value}" if name == PLAYERS else f"  option {name}: {value}"
        for zone, line in self.sheet.decks.items():
            words = ((word.span, self.sets[word.text]) for word in set_words(line.deck))
            yield f"  deck {zone}: {_replaced(line.deck.span, words)}"
        for name, modules in self.sheet.settled.items():
            order = " then ".join(self.modules[word.text] for word in modules)
            yield f"  settle {name}: {order}"

    def _used(self, module: n.Word) -> str:
        chapters = ", ".join(word.text for word in self.sheet.chapters.get(module.text, ()))
        return self.modules[module.text] + (f" ({chapters})" if chapters else "")

    def _with_head(self, source: Source, head: str) -> str:
        """The only file with rules, turned into a sheet."""
        return _edited(
            source,
            [
                Edit(node.span, head)
                for node in parse_file(source)[0]
                if isinstance(node, n.Module | n.Sheet)
            ],
        )

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
    return applied(edits) if edits else source.text


def _replaced(whole: Span, words: Iterable[tuple[Span, str]]) -> str:
    """The text of a span, on one line, with some parts replaced."""
    text = whole.text
    for span, new in sorted(words, key=lambda word: word[0].start, reverse=True):
        text = text[: span.start - whole.start] + new + text[span.end - whole.start :]
    return " ".join(text.split())
