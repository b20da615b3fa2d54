"""Removes every named thing of a game in turn: some test that cites the same fact must fail.

    python bench/removals.py base

A thing is a rule (its body becomes `nothing`), a prohibition (its condition becomes `no`), a score
part or a tie-break (deleted), a layer over another module's rule (deleted), a card's ability or a
standing one (deleted), the action of a card (becomes `nothing`), or a value of an option (replaced
by another wherever it would be chosen). If other rules or cards need part of a rule, that part
remains. Texts are changed where shipped files are read, so every way to load a game is affected,
and line numbers stay the same.

Pytest collects the tests of one folder once. Then a process is forked for each removal: it changes
the text, clears the caches of the tests, and runs the tests that cite a fact of the thing,
likeliest first, up to the first that fails. That test must pass when nothing is removed, and must
not inspect the model. The exit code is 1 when something survives, cites no fact, or leaves no
game to test.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import random
import re
import select
import signal
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import click
import pytest
from _pytest.runner import runtestprotocol
from msgspec import Struct

from targi_dsl.cardfiles import CardEntry, Scalar, Sequence, read_cards
from targi_dsl.compiler import load as loading
from targi_dsl.compiler.project import discovery
from targi_dsl.compiler.project.discovery import shipped
from targi_dsl.compiler.project.sheets import read_game
from targi_dsl.compiler.project.written import Written
from targi_dsl.ir.game import Game
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_ability, parse_file
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.source import Source, Span

ROOT = Path(__file__).parent.parent
FACTS = ROOT / "docs/facts.md"
CITE = re.compile(r"\b[BXAC][0-9]{1,2}\b")
ROW = re.compile(r"^\| ([BXAC][0-9]{1,2}) \|.*\|([^|]*)\|$", re.MULTILINE)
INSIDES = re.compile(
    r"\.(hash|origins|rules|defines|forbids|triggers|prices|options|fields|cards\b(?!\())"
)
"""What a counting test must not refer to: it would notice a removal without playing."""
PATIENCE = 60
"""Seconds for one removal: a game that never ends counts as failed."""

# ---- things ----


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing of a game: its location, the facts it implements, and how to remove it.

    texts: its file without it; the first version with which the game can be loaded is used. With
    `option` (its name, a value, the other value) no text changes.
    """

    kind: str
    name: str
    span: Span
    facts: tuple[str, ...]
    texts: tuple[str, ...] = ()
    option: tuple[str, str, str] | None = None

    @property
    def file(self) -> str:
        return self.span.source.name

    @property
    def label(self) -> str:
        return f"{self.kind} {self.name}"


def things(name: str) -> list[Thing]:
    """Everything of a game that can be removed; for a game based on another, only what it adds or
    changes.
    """
    library = shipped()
    sheet = library.game(name)
    if sheet is None:
        raise click.ClickException(f"there is no game {name}")
    written = read_game(library, sheet, {})
    own = _own_modules(written, name)
    known = _Known(written)
    removable = list(_of_sheets(written, sheet))
    for source, module in written.sources.items():
        if module in own:
            for node in parse_file(source)[0]:
                removable += _of_declaration(written, node)
    kinds = {
        node.name.text: node
        for text in written.modules.values()
        for node in _card_kinds(text.declarations)
    }
    for source in _card_sources(written, own_only=_base_sets(name)):
        removable += _of_cards(source, kinds, known)
    return removable


class _Known:
    """The facts of definitions and prohibitions, which an ability that changes one of them
    implements too.

    They are its own facts, and those of the rules and cards that mention it.
    """

    def __init__(self, written: Written) -> None:
        self.facts: dict[str, list[str]] = {}
        declared = [node for text in written.modules.values() for node in text.declarations]
        for node in declared:
            for declaration in (node, *_forbids(node)):
                if isinstance(declaration, n.Define | n.Forbid):
                    self.facts[declaration.name.text] = [
                        *_told(declaration.name.text),
                        *written.cites(node.span),
                    ]
        for node in declared:
            if isinstance(node, n.Rule):
                self._note(node.span.text, [*_told(node.name.text), *written.cites(node.span)])
        for source in _card_sources(written, set()):
            file, _ = read_cards(source)
            for card in file.cards if file is not None else ():
                self._note(card.span.text, _cited_at(card))

    def _note(self, text: str, facts: Iterable[str]) -> None:
        for name in {*re.findall(r"[a-z_]+", text)} & self.facts.keys():
            self.facts[name] += facts

    def of(self, text: str) -> list[str]:
        """The facts of everything that a text mentions."""
        return [fact for name in re.findall(r"[a-z_]+", text) for fact in self.facts.get(name, ())]


def _own_modules(written: Written, name: str) -> set[str]:
    """The modules of a game that are not in the game it is based on."""
    base = _base(name)
    return set(written.modules) - (set(_written(base).modules) if base else set())


def _base_sets(name: str) -> set[str]:
    base = _base(name)
    return {source.name for source in _card_sources(_written(base), set())} if base else set()


def _base(name: str) -> str:
    """The game that a game is based on, or ""."""
    sheet = shipped().game(name)
    assert sheet is not None, name
    sheets = [node for node in parse_file(sheet)[0] if isinstance(node, n.Sheet)]
    return sheets[0].based_on.text if sheets and sheets[0].based_on is not None else ""


def _written(name: str) -> Written:
    library = shipped()
    sheet = library.game(name)
    assert sheet is not None, name
    return read_game(library, sheet, {})


def _card_kinds(declarations: tuple[Any, ...]) -> Iterator[n.CardKind]:
    for node in declarations:
        plain = _plain(node)
        if isinstance(plain, n.CardKind):
            yield plain


def _plain(node: Any) -> Any:
    """What is declared, or what replaces another module's declaration."""
    return node.what if isinstance(node, n.Replace) else node


def _card_sources(written: Written, own_only: set[str]) -> list[Source]:
    """The card files of the decks, except those named."""
    sets = [
        word.text
        for deck in written.decks.values()
        for word in _parts(deck.deck)
        if isinstance(word, n.Word) and any(written.project.card_set(word.text))
    ]
    sources = [source for name in dict.fromkeys(sets) for source in written.project.card_set(name)]
    return [source for source in sources if source.name not in own_only]


def _of_sheets(written: Written, sheet: Source) -> Iterator[Thing]:
    """The option lines of a sheet."""
    for node in parse_file(sheet)[0]:
        if isinstance(node, n.Sheet):
            for line in node.lines:
                if isinstance(line, n.SheetOption):
                    facts = (*_told(line.option.text), *written.cites(line.span))
                    yield _cut(
                        "sheet's option",
                        line.option.text,
                        line.span,
                        facts or written.cites(node.span),
                    )


def _of_declaration(written: Written, node: Any) -> Iterator[Thing]:
    """What can be removed from one declaration."""
    cites = written.cites(node.span)
    match node:
        case n.Rule():
            facts = _facts(
                *_told(node.name.text),
                *cites,
                *(fact for p in _forbids(node) for fact in _told(p.name.text)),
            )
            yield _cut("rule", node.name.text, _cover(node.body), facts, *_bodies(node))
        case n.ExtendRule():
            yield _cut(
                "extension of rule",
                node.rule.text,
                node.span,
                _facts(*_told(node.rule.text), *cites),
            )
        case n.ExtendNames():
            pass  # other names for things that are declared elsewhere
        case n.Replace(what=n.Option() as option):
            yield from _values(option, cites)
        case n.Replace(what=n.Tie()):
            yield _cut("replacement of tie-break", "tie", node.span, _facts(*_told("tie"), *cites))
        case n.Replace(what=n.Rule() | n.Define() | n.ScorePart() | n.SpaceSet() as what):
            kind = {n.Rule: "rule", n.Define: "define", n.ScorePart: "score", n.SpaceSet: "set"}[
                type(what)
            ]
            yield _cut(
                f"replacement of {kind}",
                what.name.text,
                node.span,
                _facts(*_told(what.name.text), *cites),
            )
        case n.Remove():
            facts = _facts(*_told(node.name.text), *cites)
            yield _cut(f"removal of {node.what.text}", node.name.text, node.span, facts)
        case n.ScorePart():
            yield _cut("score", node.name.text, node.span, _facts(*_told(node.name.text), *cites))
        case n.Tie():
            yield _cut("tie-break", "tie", node.span, _facts(*_told("tie"), *cites))
        case n.Standing():
            kind = "trigger" if _is_trigger(node.ability) else "ability"
            yield _cut(kind, node.name.text, node.span, _facts(*_told(node.name.text), *cites))
        case n.FreeExchange():
            yield _cut(
                "exchange", node.name.text, node.span, _facts(*_told(node.name.text), *cites)
            )
        case n.Option():
            yield from _values(node, cites)
    for forbid in _forbids(node):
        facts = _facts(*_told(forbid.name.text), *_own_line(forbid.span)) or _facts(*cites)
        because = forbid.span.source.text[forbid.condition.span.end : forbid.span.end].strip()
        yield _cut(
            "prohibition",
            forbid.name.text,
            forbid.span,
            facts,
            f"forbid {forbid.name.text}: no {because}".rstrip(),
        )


def _values(node: n.Option, cites: tuple[str, ...]) -> Iterator[Thing]:
    """Each value of an option, with the value that replaces it."""
    facts = _facts(*_told(node.name.text), *cites)
    for value, other in permutations(node.values, 2):
        name = f"{node.name.text}: {value.text}" + (
            f", as {other.text}" if len(node.values) > 2 else ""
        )
        yield Thing(
            "value", name, value.span, facts, option=(node.name.text, value.text, other.text)
        )


def _bodies(node: n.Rule) -> Iterator[str]:
    """What may replace the body of a rule: `nothing` with the names of its prohibitions, or one of
    its statements.
    """
    indent = "\n" + " " * (node.body[0].span.column - 1)
    yield indent.join([*(f"forbid {forbid.name.text}: no" for forbid in _forbids(node)), "nothing"])
    for statement in node.body:
        yield statement.span.text


def _cover(block: n.Block) -> Span:
    return Span(block[0].span.source, block[0].span.start, block[-1].span.end)


def _forbids(node: object) -> list[n.Forbid]:
    return [part for part in _parts(node) if isinstance(part, n.Forbid)]


def _own_line(span: Span) -> tuple[str, ...]:
    """The facts that a line cites."""
    line = span.source.line(span.line)
    return tuple(CITE.findall(line))


def _cut(kind: str, name: str, span: Span, facts: tuple[str, ...], *instead: str) -> Thing:
    """The thing, and the text of its file with a replacement or nothing in its place; the lines
    after it keep their numbers.
    """
    text, lines = span.source.text, span.text.count("\n")
    texts = [
        text[: span.start]
        + replacement
        + "\n" * (lines - replacement.count("\n"))
        + text[span.end :]
        for replacement in instead or ("",)
    ]
    return Thing(kind, name, span, _facts(*facts), tuple(texts))


def _of_cards(source: Source, kinds: Mapping[str, n.CardKind], known: _Known) -> Iterator[Thing]:
    """The abilities and actions of the cards of a file."""
    file, problems = read_cards(source)
    assert file is not None, problems
    head = tuple(
        CITE.findall(
            "".join(line for line in source.text.splitlines(True)[:20] if line.startswith("#"))
        )
    )
    types = (
        {field.name.text: field.type.name for field in kinds[file.kind].fields}
        if file.kind in kinds
        else {}
    )
    for card in file.cards:
        own = _cited_at(card) or head
        for field, value in card.fields.items():
            match types.get(field), value:
                case "action", Scalar():
                    yield _cut(
                        "action",
                        card.id,
                        value.span,
                        own,
                        '"nothing"',
                        '"one of (nothing | nothing)"',
                    )
                case "ability", Scalar():
                    both = Span(source, card.keys[field].start, value.span.end)
                    yield _ability(card.id, value, both, own, known)
                case "ability", Sequence(items=items):
                    for number, item in enumerate(items, 1):
                        assert isinstance(item, Scalar)
                        dash = source.text.rindex("-", 0, item.span.start)
                        yield _ability(
                            f"{card.id}.{number}",
                            item,
                            Span(source, dash, item.span.end),
                            own,
                            known,
                        )


def _cited_at(card: CardEntry) -> tuple[str, ...]:
    """The facts of a card: those of its name, and those in its comments."""
    lines = (
        card.span.source.line(number) for number in range(card.span.line, card.span.end_line + 1)
    )
    comments = " ".join(line.partition(" #")[2] for line in lines)
    return _facts(*_told(card.id), *CITE.findall(comments))


def _ability(name: str, value: Scalar, span: Span, facts: tuple[str, ...], known: _Known) -> Thing:
    node, _ = parse_ability(value.text)
    facts = _facts(*facts, *known.of(str(value.value)))
    return _cut(
        "trigger" if node is not None and _is_trigger(node) else "ability", name, span, facts
    )


def _is_trigger(node: n.Ability) -> bool:
    return any(isinstance(scope, n.When) for scope in node.scopes)


def _parts(node: object) -> Iterator[object]:
    if isinstance(node, tuple):
        for part in node:
            yield from _parts(part)
    elif isinstance(node, Struct) and not isinstance(node, Span | type):
        yield node
        for name in node.__struct_fields__:
            yield from _parts(getattr(node, name))


# ---- facts ----


def _facts(*facts: str) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(facts), key=lambda fact: (fact[0], int(fact[1:]))))


@cache
def _names_in_facts() -> dict[str, list[str]]:
    """The facts that docs/facts.md assigns to a name."""
    facts: dict[str, list[str]] = {}
    for fact, told_by in ROW.findall(FACTS.read_text(encoding="utf-8")):
        for name in re.findall(r"`([a-z][a-z0-9_]*)`", told_by):
            facts.setdefault(name, []).append(fact)
    return facts


def _told(name: str) -> list[str]:
    return _names_in_facts().get(name, [])


def facts_of_tests(path: Path) -> dict[str, tuple[str, ...]]:
    """The facts that each test of a file cites in its docstring, in its comments, or in those
    directly above it.
    """
    with path.open("rb") as file:
        tokens = [
            token for token in tokenize.tokenize(file.readline) if token.type == tokenize.COMMENT
        ]
    comments = {token.start[0]: token.string for token in tokens}
    alone = {token.start[0] for token in tokens if not token.line[: token.start[1]].strip()}
    facts = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test"):
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        while first - 1 in alone:
            first -= 1
        texts = [comments.get(line, "") for line in range(first, (node.end_lineno or first) + 1)]
        facts[node.name] = _facts(*CITE.findall("\n".join([*texts, ast.get_docstring(node) or ""])))
    return facts


def _stated(item: pytest.Item) -> tuple[str, ...]:
    """The facts that a rule test cites, if it runs one."""
    values = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return _facts(*(fact for one in values for fact in getattr(one, "facts", ())))


# ---- runs ----


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one removal. by: the test that failed; facts: those cited by both; fault: why
    nothing could be run.
    """

    thing: Thing
    by: str = ""
    facts: tuple[str, ...] = ()
    ran: int = 0
    fault: str = ""

    @property
    def survived(self) -> bool:
        return not self.by


class Runner:
    """A pytest plugin: once the tests are collected, it runs some of them for each removal, in
    place of a normal run.
    """

    def __init__(self, game: str, removed: list[Thing], say: Callable[[Outcome], None]) -> None:
        self.game, self.taken, self.say = game, removed, say
        self.outcomes: list[Outcome] = []
        self.sound: dict[str, bool] = {}  # tests that pass, or do not, when nothing is removed

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Refuses to load games while test files are read: no removal would reach those games."""
        for name, module in _test_modules():
            for key, value in vars(module).items():
                if isinstance(value, Game):
                    raise pytest.UsageError(
                        f"{name}.{key} is a game loaded once for all: load it in a function"
                    )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        cited = {path: facts_of_tests(path) for path in {item.path for item in session.items}}
        self.facts = {
            item.nodeid: _stated(item) or cited[item.path].get(_function(item), ())
            for item in session.items
        }
        self.often = Counter(fact for facts in self.facts.values() for fact in facts)
        gc.freeze()  # the forked processes share existing objects
        for thing in self.taken:
            outcome = self._removed(thing, session.items)
            self.outcomes.append(outcome)
            self.say(outcome)
        return True

    def _removed(self, thing: Thing, items: list[pytest.Item]) -> Outcome:
        if not thing.facts:
            return Outcome(thing, fault="cites no fact")
        chosen = self._likeliest(thing, items)
        if not chosen:
            return Outcome(thing, fault="no test cites its facts")
        skipped = 0
        while True:
            result = _in_child(lambda chosen=chosen: self._first_failure(thing, chosen))  # type: ignore[misc]
            number, fault = result["failed"], result["fault"]
            if fault or number is None:
                return Outcome(thing, ran=skipped + len(chosen), fault=fault)
            test = chosen[number].nodeid
            if self._is_sound(chosen[number]):
                shared = tuple(fact for fact in thing.facts if fact in self.facts[test])
                return Outcome(thing, test, shared, skipped + number + 1)
            skipped, chosen = skipped + number + 1, chosen[number + 1 :]

    def _likeliest(self, thing: Thing, items: list[pytest.Item]) -> list[pytest.Item]:
        """The tests that cite a fact of the thing: first those that mention it by name, then those
        that cite its rarest facts.
        """
        word = re.compile(rf"\b{re.escape(thing.name.partition(':')[0].partition('.')[0])}\b")

        def rank(item: pytest.Item) -> tuple[bool, bool, float]:
            shared = sum(
                1 / self.often[fact] for fact in self.facts[item.nodeid] if fact in thing.facts
            )
            code = _text_of(item)
            return not word.search(item.name), not word.search(code), -shared

        citing = [item for item in items if set(self.facts[item.nodeid]) & set(thing.facts)]
        counting = (
            item
            for item in citing
            if self.sound.get(item.nodeid, True) and not INSIDES.search(_text_of(item))
        )
        return sorted(counting, key=rank)

    def _first_failure(self, thing: Thing | None, chosen: list[pytest.Item]) -> dict[str, Any]:
        """Which of these tests fails first, or that the game cannot be loaded; run in a separate
        process.
        """
        fault = _take_out(thing, self.game) if thing is not None else ""
        if fault:
            return {"failed": None, "fault": fault}
        for number, item in enumerate(chosen):
            following = chosen[number + 1] if number + 1 < len(chosen) else None
            if any(
                report.failed for report in runtestprotocol(item, log=False, nextitem=following)
            ):
                return {"failed": number, "fault": ""}
            _note(number + 1)
        return {"failed": None, "fault": ""}

    def _is_sound(self, item: pytest.Item) -> bool:
        if item.nodeid not in self.sound:
            result = _in_child(lambda: self._first_failure(None, [item]))
            self.sound[item.nodeid] = result["failed"] is None
        return self.sound[item.nodeid]


def _function(item: pytest.Item) -> str:
    return getattr(item, "originalname", None) or item.name


@cache
def _source_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _text_of(item: pytest.Item) -> str:
    """The text of a test."""
    match = re.search(
        rf"^def {_function(item)}\b.*?(?=^\S|\Z)", _source_of(item.path), re.MULTILINE | re.DOTALL
    )
    return match[0] if match else ""


def _test_modules() -> list[tuple[str, Any]]:
    return [
        (name, module)
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] == "tests"
    ]


def _take_out(thing: Thing, game: str) -> str:
    """Removes a thing from everything that this process loads from now on; returns why that is
    impossible, or "".
    """
    before, fault = loading.load(game).hash, ""
    for _, module in _test_modules():
        for value in vars(module).values():
            if callable(getattr(value, "cache_clear", None)):
                value.cache_clear()
    if thing.option is not None:
        vars(loading)["read_game"] = _with_other_value(*thing.option)
        return ""
    original = resources.read
    for text in thing.texts:
        vars(resources)["read"] = _with_text(thing.file, text, original)
        vars(discovery)["_read_shipped"].cache_clear()
        try:
            return "changes nothing" if loading.load(game).hash == before else ""
        except Problems as error:
            fault = fault or f"does not load: {error.problems[0].title}"
    return fault


def _with_text(
    file: str, text: str, read: Callable[[str], bytes | None]
) -> Callable[[str], bytes | None]:
    return lambda name: text.encode() if name == file else read(name)


def _with_other_value(option: str, value: str, other: str) -> Callable[..., Written]:
    def read(*arguments: Any) -> Written:
        written = read_game(*arguments)
        declared = [_plain(node) for text in written.modules.values() for node in text.declarations]
        values = [
            node.values
            for node in declared
            if isinstance(node, n.Option) and node.name.text == option
        ]
        # the last declaration replaces the others
        if values and value == _value(written.options.get(option, values[-1][0])):
            written.options[option] = other
        return written

    return read


def _value(value: n.SheetOption | n.Word | str) -> str:
    match value:
        case n.SheetOption():
            return value.value.text
        case n.Word():
            return value.text
        case _:
            return value


_progress = -1
"""The pipe on which a forked process reports its progress."""


def _note(number: int) -> None:
    os.write(_progress, f"{number}\n".encode())


def _in_child(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The result of the work, done in a separate process; a test that takes too long or crashes the
    process has failed.
    """
    global _progress
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            _progress = writing
            os.write(writing, (json.dumps(work()) + "\n").encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    output = b""
    while True:
        ready, _, _ = select.select([reading], [], [], PATIENCE)
        part = os.read(reading, 65536) if ready else b""
        if not part:
            break
        output += part
    if not ready:
        os.kill(child, signal.SIGKILL)
    os.close(reading)
    os.waitpid(child, 0)
    lines = output.decode().splitlines()
    if lines and lines[-1].startswith("{"):
        result: dict[str, Any] = json.loads(lines[-1])
        return result
    return {"failed": int(lines[-1]) if lines else 0, "fault": ""}


# ---- the command ----


def _short(nodeid: str) -> str:
    return nodeid.partition("[")[0].rpartition("/")[2]


def sample(removable: list[Thing], number: int, seed: int) -> list[Thing]:
    """A sample of the things, the same for the same seed, in their order."""
    chosen = set(random.Random(seed).sample(range(len(removable)), min(number, len(removable))))
    return [thing for at, thing in enumerate(removable) if at in chosen]


def run(
    game: str, folder: Path, removed: list[Thing], say: Callable[[Outcome], None]
) -> list[Outcome]:
    """The outcome of each removal when the tests of a folder are run; raises ClickException if they
    cannot be run.
    """
    runner = Runner(game, removed, say)
    quiet = ("-qq", "--no-header", "--no-summary", "-p", "no:cacheprovider", "-p", "no:xdist")
    code = pytest.main(
        [*quiet, "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), str(folder)], [runner]
    )
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise click.ClickException(f"the tests of {folder} cannot be collected")
    return runner.outcomes


@click.command()
@click.argument("game")
@click.option("--tests", "folder", help="Folder of the tests that count [tests/targi_GAME].")
@click.option("--sample", "number", type=int, help="Only so many things, chosen by --seed.")
@click.option("--seed", default=1)
@click.option(
    "--chunk", default="1/1", metavar="K/N", help="Only every N-th of them, from the K-th on."
)
@click.option("--only", help="Only things of this name.")
@click.option("--list", "listing", is_flag=True, help="Only list the things and their facts.")
def command(
    game: str, folder: str | None, number: int | None, seed: int, chunk: str,
    only: str | None, listing: bool,
) -> None:  # fmt: skip
    """Remove every named thing of GAME in turn: a test that cites its facts must fail."""
    removable = things(game)
    if only:
        removable = [
            thing for thing in removable if only in (thing.name, thing.name.partition(":")[0])
        ]
    if number is not None:
        removable = sample(removable, number, seed)
    part, parts = (int(digits) for digits in chunk.split("/"))
    removable = removable[part - 1 :: parts]
    if listing:
        for thing in removable:
            click.echo(f"{thing.label}  {thing.file}:{thing.span.line}  {' '.join(thing.facts)}")
        return

    def say(outcome: Outcome) -> None:
        if outcome.survived or only:
            ended = (
                f"missed by {_short(outcome.by)}"
                if outcome.by
                else f"SURVIVED {outcome.fault}".strip()
            )
            click.echo(f"{outcome.thing.label} ({outcome.thing.file}, "
                       f"{', '.join(outcome.thing.facts)}): {ended},"
                       f" {outcome.ran} tests run")  # fmt: skip

    outcomes = run(game, ROOT / (folder or f"tests/targi_{game}"), removable, say)
    survived = sum(outcome.survived for outcome in outcomes)
    click.echo(
        f"{len(outcomes)} things taken out, {len(outcomes) - survived} missed, {survived} survived"
    )
    if survived:
        sys.exit(1)


if __name__ == "__main__":
    command()
