"""Nothing in targi_dsl depends on a game: it contains no word, name or number of one."""

from __future__ import annotations

import ast
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import get_args

import pytest
from msgspec import Struct

from targi_dsl import cardfiles
from targi_dsl.api import choices, play, result, start
from targi_dsl.cli import COMMANDS, module_of
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import Project, of_texts
from targi_dsl.compiler.symbols.table import TYPE_WORDS
from targi_dsl.engine.chance import Seed
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.game import Game
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import (
    blanks,
    parse_ability,
    parse_action,
    parse_cost,
    parse_file,
    parse_value,
)
from targi_dsl.syntax.grammar import is_cell
from targi_dsl.text import resources
from targi_dsl.text.decoding import decode
from targi_dsl.text.source import Embedded, Source, Span
from tests.architecture import text_of, tree_of
from tests.games import VARIED, compiled

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "targi_dsl"
MODULES = sorted(PACKAGE.rglob("*.py"))

# ---- names ----

OWN = {"setup", "round", "number", "next", "previous"} | (
    {*TYPE_WORDS} - {"cost", "action", "ability"}
)
"""Names to which the language itself gives a meaning: a game that uses them means that."""

STRINGS = {"ability": parse_ability, "action": parse_action, "cost": parse_cost}
"""How the texts of a card are read, by the type of their field."""

DECLARING = (
    *(n.Module, n.Sheet, n.Players, n.Resources, n.Values, n.Field, n.CardKind),
    *(n.Space, n.Zone, n.Piece, n.Variable, n.SpaceSet, n.Relation, n.Option),
    *(n.FreeExchange, n.ScorePart, n.Standing, n.Rule, n.Define, n.Forbid, n.Alternative),
)


def parts(node: object) -> Iterator[object]:
    """A node and everything in it."""
    if isinstance(node, tuple):
        for part in node:
            yield from parts(part)
    elif isinstance(node, Struct) and not isinstance(node, Span):
        yield node
        for name in node.__struct_fields__:
            yield from parts(getattr(node, name))


def declared_in(tree: object) -> Iterator[str]:
    """Every name that a rule file declares."""
    for node in parts(tree):
        if isinstance(node, DECLARING):
            for key in ("name", "names", "group", "members", "values", "label"):
                value = getattr(node, key, None)
                for word in value if isinstance(value, tuple) else (value,):
                    if isinstance(word, n.Word):
                        yield word.text


def named_in(tree: object) -> Iterator[tuple[str, Span]]:
    """Every name in a rule file or in a text of a card, and where it occurs."""
    for node in parts(tree):
        match node:
            case n.Word() | n.Name():
                yield node.text, node.span
            case n.Type(name=name) if name and name not in TYPE_WORDS:
                at = node.span.text.rindex(name) + node.span.start
                yield name, Span(node.span.source, at, at + len(name))


class Shipped:
    """All shipped rules and cards as written; every name they declare, with a file that does; the
    nonsense for it.
    """

    def __init__(self) -> None:
        self.rules = [
            decode(name, resources.read(name) or b"") for name in self._names("rules", ".targi")
        ]
        self.cards = [
            decode(name, resources.read(name) or b"") for name in self._names("cards", ".yaml")
        ]
        trees = [parse_file(source)[0] for source in self.rules]
        self.types = {
            node.name.text: node.type.name
            for node in parts(tuple(trees))
            if isinstance(node, n.Field)
        }
        self.names = {
            name: source.name
            for source, tree in zip(self.rules, trees, strict=True)
            for name in declared_in(tree)
        }
        for source in self.cards:
            file, _ = cardfiles.read_cards(source)
            assert file is not None, source.name
            self.names.update(
                dict.fromkeys((file.set, *(card.id for card in file.cards)), source.name)
            )
        known = sorted(name for name in {*self.names} - OWN if not is_cell(name))
        numbers = random.Random(1).sample(range(len(known)), len(known))
        self.nonsense = {name: f"zqz{number}" for name, number in zip(known, numbers, strict=True)}

    def _names(self, folder: str, suffix: str) -> list[str]:
        return [f"{folder}/{name}" for name in resources.names(folder, suffix)]

    def renamed(self) -> Project:
        """The same rules and cards in nonsense."""
        texts = {
            self._path(source.name): self._written(source, self._named_in_rules(source))
            for source in self.rules
        }
        texts |= {
            self._path(source.name): self._written(source, self._named_in_cards(source))
            for source in self.cards
        }
        return of_texts(texts)

    def _path(self, name: str) -> str:
        """A path that names the same in nonsense."""
        path = PurePosixPath(name)
        folders = [self.nonsense.get(part, part) for part in path.parts[:-1]]
        number, _, chapter = path.stem.rpartition("_") if path.stem[0].isdigit() else ("", "", "")
        stem = f"{number}_{self.nonsense.get(chapter, chapter)}" if number else path.stem
        return "/".join([*folders, self.nonsense.get(stem, stem) + path.suffix])

    def _written(self, source: Source, named: Iterator[tuple[str, Span]]) -> str:
        text = source.text
        places = {(span.start, span.end): name for name, span in named if name in self.nonsense}
        for (begin, end), name in sorted(places.items(), reverse=True):
            assert text[begin:end] == name
            text = text[:begin] + self.nonsense[name] + text[end:]
        return text

    def _named_in_rules(self, source: Source) -> Iterator[tuple[str, Span]]:
        tree = parse_file(source)[0]
        yield from _named_in_sentences(tree)
        for node in parts(tree):
            if isinstance(node, n.FieldChange) and self.types.get(node.name.text) in STRINGS:
                for word in node.values:
                    first, last = word.span.first + 1, word.span.last - 1
                    said = Embedded(word.span.home, word.text[1:-1], range(first, last + 1))
                    yield from named_in(STRINGS[self.types[node.name.text]](said)[0])

    def _named_in_cards(self, source: Source) -> Iterator[tuple[str, Span]]:
        file, _ = cardfiles.read_cards(source)
        assert file is not None
        for key in ("set", "kind"):
            yield from self._value(file.node.entries[key])
        for card in file.cards:
            yield from self._value(card.node.entries["id"])
            yield from self._named_in_series(card)
            origin = card.node.entries.get("source")
            yield from origin.keys.items() if isinstance(origin, cardfiles.Mapping) else ()
            for key, value in card.fields.items():
                yield key, card.keys[key]
                for one in value.items if isinstance(value, cardfiles.Sequence) else (value,):
                    yield from self._said(key, one)

    def _named_in_series(self, card: cardfiles.CardEntry) -> Iterator[tuple[str, Span]]:
        """The fields of a series, and the locations of their braces in its words."""
        told, names = (card.node.entries.get(key) for key in ("for_each", "name"))
        texts = [told, *(names.entries.values() if isinstance(names, cardfiles.Mapping) else ())]
        for one in texts if told is not None else ():
            if isinstance(one, cardfiles.Scalar):
                for found in re.finditer("[a-z_]+", str(one.value)):
                    yield found[0], one.text.span(*found.span())

    def _value(self, node: cardfiles.Node) -> Iterator[tuple[str, Span]]:
        if isinstance(node, cardfiles.Scalar) and isinstance(node.value, str):
            yield node.value, node.text.span(0, len(node.value))

    def _said(self, key: str, node: cardfiles.Node) -> Iterator[tuple[str, Span]]:
        if self.types.get(key) in STRINGS and isinstance(node, cardfiles.Scalar):
            yield from _named_in_sentences(STRINGS[self.types[key]](node.text)[0])
        else:
            yield from self._value(node)


def _named_in_sentences(tree: object) -> Iterator[tuple[str, Span]]:
    """The names in a tree, and those in braces in its words for people."""
    yield from named_in(tree)
    for node in parts(tree):
        if isinstance(node, n.Wording | n.Shown) and node.text is not None:
            for blank in blanks(node.text):
                yield from named_in(parse_value(blank)[0])


@cache
def shipped() -> Shipped:
    return Shipped()


@cache
def nonsense() -> Project:
    return shipped().renamed()


# ---- words ----

WORDS = re.compile(
    r"robber|\braids?\b|tribe|tribal|noble|caravan|silversmith|trader|\bgoods\b|\bdates\b|\bsalt\b|pepper|\bgold\b|\bwater\b"
    r"|\bdunes?\b|targia|tuareg|oasis|camel|\bfata\b|morgana",
    re.IGNORECASE,
)


def test_no_word_of_one_game_stands_in_the_engine() -> None:
    assert WORDS.search("the robber") and not WORDS.search("a piece")
    assert [
        f"{name_of(path)}:{number}: {line.strip()}"
        for path in (*MODULES, *PACKAGE.rglob("*.lark"))
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if WORDS.search(line)
    ] == []


# ---- literals ----


def docstrings(tree: ast.AST) -> set[ast.AST]:
    """Strings that are statements."""
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def constants(path: Path) -> Iterator[ast.Constant]:
    tree = tree_of(text_of(path))
    told = docstrings(tree)
    return (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in told)


def exported(path: Path) -> set[str]:
    """The names that a module lists in `__all__`: those of its own functions and classes."""
    for node in tree_of(text_of(path)).body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=names)):
                return {str(ast.literal_eval(name)) for name in names}
    return set()


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


GRAMMAR = (PACKAGE / "syntax" / "grammar.lark").read_text(encoding="utf-8")
OWN_WORDS: dict[str, str] = {
    "setup": "the rule that is done once",
    "round": "the rule that is done again and again",
    "next": "the neighbour of a space or a player",
    "previous": "the neighbour of a space or a player",
    "rest": "a group of a pattern in `reading`",
    "targi": "the name of the command",
    "answer": "what the index calls a labelled alternative",
    "drawn": "what `mix` calls the sheet of what it has drawn",
    "base": "the game that is played when none is named",
    "points": "what the parts of a score bring",
    "shared": "wins of several players at once",
    "level": "what SARIF calls how severe a result is",
    "same": "what an experiment says of a difference that does not matter",
    "seeds": "where the chance of each of many games begins",
    "ladder": "the experiment in which players are rated against each other",
}
"""Words that a game may also use as names, each with its meaning here."""


def words_of_the_language() -> set[str]:
    """The keywords of the language, and the names of sentences in its grammar."""
    sentences = {
        name
        for pair in re.findall(r"^[?!]?(\w+):|-> (\w+)$", GRAMMAR, re.MULTILINE)
        for name in pair
    }
    return {*re.findall(r'"([a-z]+)"', GRAMMAR), *sentences, *OWN_WORDS}


def foreign(path: Path, names: Mapping[str, str]) -> Iterator[str]:
    """The literals of a module that are names of a game and not also words of the module itself."""
    own = exported(path)
    for node in constants(path):
        if isinstance(node.value, str) and node.value in names and node.value not in own:
            yield f"{name_of(path)}:{node.lineno}: {node.value!r}, of {names[node.value]}"


def test_no_name_that_a_game_declares_stands_in_the_engine() -> None:
    known = words_of_the_language()
    names = {name: file for name, file in shipped().names.items() if name not in known}
    assert [found for path in MODULES for found in foreign(path, names)] == []


# ---- renaming ----


def trace(game: Game, seed: int) -> Iterator[str]:
    """Every choice that there was and every choice made in one game by chance, and how it ended."""
    chance = random.Random(seed)
    state = start(game, Seed(seed))
    while state.seat is not None:
        offered = choices(state)
        choice = offered[chance.randrange(len(offered))]
        yield f"{state.seat}: {choice.id}, of {', '.join(one.id for one in offered)}"
        state, _ = play(state, choice)
    yield str(result(state))


def in_words(text: str, back: Mapping[str, str]) -> str:
    """The text with the original names in place of the nonsense words."""
    return re.sub(r"zqz[0-9]+", lambda found: back[found[0]], text)


@pytest.mark.parametrize("name", VARIED)
def test_a_game_with_other_names_is_the_same_game(name: str) -> None:
    names = shipped().nonsense
    back = {word: name for name, word in names.items()}
    original, renamed = compiled(name), load(names[name], nonsense())
    assert renamed.players == tuple(names[player] for player in original.players)
    assert [in_words(line, back) for line in trace(renamed, 1)] == list(trace(original, 1))


# ---- budget ----


def test_the_model_has_at_most_66_kinds_of_nodes_and_none_with_more_than_four_parts() -> None:
    kinds = (*get_args(e.Expr), *get_args(s.Statement))
    assert len(kinds) <= 66
    parts_of = {
        kind: {*kind.__struct_fields__} - {"span", "type", "is_loss", "is_told"} for kind in kinds
    }
    assert not {kind.__name__ for kind in kinds if len(parts_of[kind]) > 4}


# ---- start-up ----

LATE = {
    "lark", "yaml", "targi_dsl.compiler", "targi_dsl.engine", "targi_dsl.syntax",
    "targi_dsl.text.diagnostics",
}  # fmt: skip


def test_help_imports_nothing_but_click() -> None:
    code = (
        "import sys; from targi_dsl.cli import run; run(['--help']); print(*sys.modules,"
        " file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert "validate" in done.stdout
    assert not LATE & set(done.stderr.split())


LIBRARIES = {"ctypes", "jsonschema", "multiprocessing", "yaml"}
"""What is imported only to read a card file, and for generated C or several processes."""


def test_no_command_imports_a_library_that_few_runs_need() -> None:
    modules = ", ".join(f"targi_dsl.cli.commands.{module_of(name)}" for name in COMMANDS)
    code = f"import sys, {modules}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert not LIBRARIES & set(done.stdout.split())
