"""Reading a game: its sheet, the modules and card sets that it names, as written."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from targi_dsl.cardfiles import read_cards
from targi_dsl.compiler import sheet_checks
from targi_dsl.compiler.changes import Key, ModuleText, keys
from targi_dsl.compiler.decks import DeckCard
from targi_dsl.compiler.library import MODULE, SET, Library
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import comments, parse_deck, parse_file
from targi_dsl.text.diagnostics import Label, Problem, Problems, did_you_mean
from targi_dsl.text.source import Source, Span

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_CARDS = re.compile(r"^cards:", re.MULTILINE)
_SHOWN = 12  # names that a message lists
_CITE = re.compile(r"\b[BXAC][0-9]{1,2}\b")


@dataclass(slots=True)
class Written:
    """A game as written, every file of it read once."""

    library: Library
    problems: list[Problem] = field(default_factory=list)
    name: str = ""
    title: str = ""
    modules: dict[str, ModuleText] = field(default_factory=dict)
    decks: dict[str, n.SheetDeck] = field(default_factory=dict)
    options: dict[str, n.SheetOption | str] = field(
        default_factory=dict
    )  # a bare value comes from the caller
    settles: dict[str, n.SheetSettle] = field(default_factory=dict)
    rules: tuple[n.Word, ...] = ()
    span: Span | None = None
    lost: set[str] = field(
        default_factory=set
    )  # words of what could not be read: it may have declared them
    cut: bool = (
        False  # a file ends in the middle of something: what follows may have declared anything
    )
    cardless: bool = False  # a card set is missing: its cards' actions may be what rules name
    blind: bool = False  # so much is missing that what is left cannot be judged
    sources: dict[Source, str] = field(default_factory=dict)
    _sets: dict[str, tuple[DeckCard, ...]] = field(default_factory=dict)
    _cites: dict[Source, dict[int, tuple[str, ...]]] = field(default_factory=dict)

    @property
    def settled(self) -> dict[str, tuple[n.Word, ...]]:
        """For each name that several modules change, those modules in the order that the sheet
        says.
        """
        return {name: line.modules for name, line in self.settles.items()}

    def card_set(self, word: n.Word) -> tuple[DeckCard, ...]:
        """The cards of a set, each as often as it has copies."""
        if word.text not in self._sets:
            self._sets[word.text] = tuple(self._read_set(word))
        return self._sets[word.text]

    def _read_set(self, word: n.Word) -> Iterator[DeckCard]:
        sources = self.library.card_set(word.text)
        if not sources:
            sets = self.library.card_sets()
            hint = _near(word.text, sets)
            text = f"No card file says `set: {word.text}`."
            if not hint:
                others = " and others" if len(sets) > _SHOWN else ""
                text += f" The sets are: {', '.join(sets[:_SHOWN])}{others}."
            problem = Problem("E526", f"unknown card set `{word.text}`", word.span, text, hint)
            self.problems.extend(_strays(self.library, ".yaml") or [problem])
            self.cardless = True
        for other, why in self.library.neighbours(sources, ".yaml"):
            if other is None:
                self.problems.extend(why)
            elif _CARDS.search(other.text) and not SET.search(other.text):
                self.problems.extend(read_cards(other)[1])
                self.lost.update(_WORD.findall(other.text))
        seen: dict[str, Span] = {}
        for source in sources:
            found, problems = read_cards(source)
            self.problems.extend(problems)
            if found is None:
                self.lost.update(_WORD.findall(source.text))
            if found is None:
                continue
            twice = [entry for entry in found.cards if entry.id in seen]
            if _is_copy(len(twice), len(found.cards)):
                here, there = found.node.entries["set"].span, seen[twice[0].id]
                self.problems.append(_copy(here, there, len(twice), "cards", f"{word.text}_copy"))
                continue
            for entry in found.cards:
                if entry.id in seen and seen[entry.id].source is not source:
                    label = (Label(seen[entry.id], "first here"),)
                    title = f"`{entry.id}` stands twice in set {word.text}"
                    text = "An id names one card of a set."
                    self.problems.append(
                        Problem("E508", title, entry.keys["id"], text, labels=label)
                    )
                seen.setdefault(entry.id, entry.keys["id"])
                yield from [
                    DeckCard(entry, found.kind, word.text, found.node.entries["kind"].span)
                ] * entry.copies

    def cites(self, span: Span) -> tuple[str, ...]:
        """The numbers of facts in the comments on the lines of a span and on those right above it."""
        source = span.source
        if source not in self._cites:
            self._cites[source] = {
                line: tuple(_CITE.findall(text)) for line, text in comments(source)
            }
        by_line = self._cites[source]
        first = span.line
        while first - 1 in by_line and source.line(first - 1).lstrip().startswith("#"):
            first -= 1
        found = (cite for line in range(first, span.end_line + 1) for cite in by_line.get(line, ()))
        return tuple(dict.fromkeys(found))


def read_game(
    library: Library,
    sheet: Source,
    options: Mapping[str, str],
    decks: Mapping[str, str] | None = None,
) -> Written:
    """Reads a sheet and everything it names; options and deck expressions given here override the
    sheet's.

    Faults are collected, not raised.
    """
    written = Written(library)
    _sheet(written, sheet, ())
    written.options.update(options)
    for zone, said in (decks or {}).items():
        text = Source(f"deck {zone}", said)
        expression, problems = parse_deck(text)
        written.problems.extend(problems)
        if expression is not None:
            all_ = text.span(0, len(said))
            written.decks[zone] = n.SheetDeck(n.Word(zone, span=all_), expression, span=all_)
    for word in written.rules:
        _module(written, word, ())
    if not (written.blind or written.cut):
        found = sheet_checks.settled(written.modules, written.settles)
        written.problems.extend(
            one for one in found if not written.lost & set(_WORD.findall(one.title))
        )
    return written


def _sheet(written: Written, source: Source, below: tuple[str, ...]) -> None:
    declarations = _parsed(written, source)
    if written.problems:
        written.blind = True
    sheets = [node for node in declarations if isinstance(node, n.Sheet)]
    for node in declarations:
        if not isinstance(node, n.Sheet | n.Language):
            text = "A sheet only names rules, decks and options; rules stand in a module."
            written.problems.append(
                Problem("E420", "this does not belong in a sheet", node.span, text)
            )
    if len(sheets) != 1:
        if not written.problems:
            text = (
                "A sheet has one line `game NAME`, with what belongs to the game indented below it."
            )
            span = sheets[1].span if sheets else None
            written.problems.append(
                Problem(
                    "E421",
                    "no game here" if not sheets else "a second game",
                    span,
                    text,
                    file=source.name,
                )
            )
        return
    sheet = sheets[0]
    if sheet.based_on is not None:
        name = sheet.based_on.text
        if name in below or name == sheet.name.text:
            text = f"{' is based on '.join((*below, sheet.name.text, name))}."
            written.problems.append(
                Problem("E405", "a game based on itself", sheet.based_on.span, text)
            )
            written.blind = True
        else:
            base = written.library.game(name)
            if base is None:
                hint = _near(name, written.library.games())
                text = "No sheet of that name is found."
                written.problems.append(
                    Problem("E422", f"unknown game `{name}`", sheet.based_on.span, text, hint)
                )
                written.blind = True
            else:
                _sheet(written, base, (*below, sheet.name.text))
    written.name, written.title, written.span = (
        sheet.name.text,
        sheet.title or sheet.name.text,
        sheet.name.span,
    )
    written.problems.extend(sheet_checks.said_twice(sheet))
    for line in sheet.lines:
        match line:
            case n.SheetRules():
                own = {word.text: word for word in line.modules}
                written.rules = (
                    *(word for word in written.rules if word.text not in own),
                    *own.values(),
                )
            case n.SheetDeck():
                written.decks[line.zone.text] = line
            case n.SheetOption():
                written.options[line.option.text] = line
            case n.SheetSettle():
                written.settles[line.name.text] = line
    if not written.rules and not below and not written.blind:
        text = "A game needs rules."
        written.problems.append(
            Problem("E423", "the sheet names no rules", sheet.span, text, "rules base")
        )


def _parsed(written: Written, source: Source) -> tuple[n.Declaration, ...]:
    """The declarations of a file; the words of those that cannot be read are noted as lost."""
    declarations, problems = parse_file(source)
    written.problems.extend(problems)
    starts = [
        0,
        *(found.start() for found in re.finditer(r"^[a-z]", source.text, re.MULTILINE)),
        len(source.text),
    ]
    for problem in problems:
        if problem.span is not None:
            written.cut |= problem.span.end >= len(source.text.rstrip())
            at = bisect_right(starts, problem.span.start)
            written.lost.update(
                _WORD.findall(source.text[starts[at - 1] : starts[min(at, len(starts) - 1)]])
            )
    return declarations


def _is_copy(twice: int, all_: int) -> bool:
    """Whether so many names that another file has as well are no accident."""
    return twice > 1 and twice >= all_ - twice


def _copy(here: Span, there: Span, twice: int, what: str, name: str) -> Problem:
    """A file that says once more what another one says."""
    text = f"{twice} {what} of it stand in {there.source.name} as well. Delete one of the two files, or write here:"
    return Problem(
        "E427",
        "a file that seems to be a copy",
        here,
        text,
        name,
        labels=(Label(there, "here already"),),
    )


def _strays(library: Library, suffix: str) -> list[Problem]:
    """What is wrong with the files beside the sheet that could have been the one that is missed."""
    found: list[Problem] = []
    for source, problems in library.strays(suffix):
        found.extend(problems)
        if source is not None:
            found.extend(parse_file(source)[1] if suffix == ".targi" else read_cards(source)[1])
    return found


def _near(word: str, known: tuple[str, ...]) -> str:
    found = did_you_mean(word, known)
    return f"Did you mean `{found}`?" if found else ""


def _module(written: Written, word: n.Word, below: tuple[str, ...]) -> None:
    """Reads a module after those it is based on."""
    name = word.text
    if name in below:
        chain = " is based on ".join((*below[below.index(name) :], name))
        written.problems.append(
            Problem("E405", "modules based on each other", word.span, f"{chain}.")
        )
        return
    if name in written.modules:
        return
    sources = written.library.module(name)
    if not sources:
        hint = _near(name, written.library.modules())
        text = "No rule file says `module " + name + "`."
        problem = Problem("E406", f"unknown module `{name}`", word.span, text, hint)
        written.problems.extend(_strays(written.library, ".targi") or [problem])
        written.blind = True
        return
    declarations: list[n.Component | n.Layer] = []
    headers: list[n.Module] = []
    there: dict[Key, Span] = {}
    _check_neighbours(written, name, sources)
    for source in sources:
        written.sources[source] = name
        parsed = _parsed(written, source)
        written.problems.extend(sheet_checks.header(parsed))
        named = [key for node in parsed if isinstance(node, n.Component) for key in keys(node)]
        twice = [key for key in dict.fromkeys(named) if key in there]
        header = next((node for node in parsed if isinstance(node, n.Module)), None)
        if header is not None and _is_copy(len(twice), len(named)):
            problem = _copy(header.name.span, there[twice[0]], len(twice), "names", f"{name}_copy")
            written.problems.append(problem)
            written.lost.update(_WORD.findall(source.text))
            continue
        there |= {
            key: node.span for node in parsed if isinstance(node, n.Component) for key in keys(node)
        }
        for node in parsed:
            match node:
                case n.Language():
                    pass
                case n.Module():
                    headers.append(node)
                case n.Sheet():
                    text = "A module file has rules; a game is a sheet of its own."
                    written.problems.append(Problem("E424", "a game in a module", node.span, text))
                case _:
                    declarations.append(node)
    based_on = tuple({base.text: base for header in headers for base in header.based_on}.values())
    for base in based_on:
        _module(written, base, (*below, name))
    title = next((header.title for header in headers if header.title), None)
    if headers:
        written.modules[name] = ModuleText(
            name, title, based_on, tuple(declarations), headers[0].span
        )


def _check_neighbours(written: Written, module: str, sources: tuple[Source, ...]) -> None:
    """Tells rule files among those of a module that are no part of it, though they seem to be meant
    so.
    """
    for source, problems in written.library.neighbours(sources, ".targi"):
        if source is None:
            written.problems.extend(problems)
        elif found := tuple(sheet_checks.misplaced(written.library, module, source)):
            written.problems.extend(found)
            written.lost.update(_WORD.findall(source.text))


_DECLARED = re.compile(
    r"^(?:rule|define|zone|space|piece|variable|set|relation|option|exchange|score|standing|card) ([a-z][a-z0-9_]*)",
    re.M,
)
_LISTED = re.compile(r"^(?:extend )?(?:resource|values|players) ([a-z0-9_:, ]+)", re.M)
_FORBIDS = re.compile(r"\bforbid ([a-z][a-z0-9_]*):")
_IDS = re.compile(r"^\s*- id: *([a-z][a-z0-9_]*)", re.M)


def declared_elsewhere(written: Written, cards: Collection[str]) -> dict[str, str]:
    """Every name that this game does not have and another module or card set of the library does:
    how to get it.

    So are names that the game's own modules declare and take out again, with no way to get them.
    `cards` are the ids of the cards in play. What is based on a module of the game comes before
    what is not.
    """
    near: dict[str, str] = {}
    far: dict[str, str] = {}
    gone: dict[str, str] = {}
    for shelf in written.library.shelves:
        for name in shelf.names:
            try:
                text = shelf.source(name).text
            except Problems:
                continue
            if (module := MODULE.search(text)) is not None:
                bases = set(_WORD.findall(module[0].partition("based on")[2]))
                found = {*_DECLARED.findall(text), *_FORBIDS.findall(text)}
                found.update(word for line in _LISTED.findall(text) for word in _WORD.findall(line))
                how = f"Module {module[1]} declares it: add it to `rules`."
                if (
                    module[1] in written.modules
                ):  # what is declared there and not in the game has been taken out
                    gone.update(dict.fromkeys(found, ""))
                    continue
                for one in found:
                    (near if bases & written.modules.keys() else far).setdefault(one, how)
            elif (card_set := SET.search(text)) is not None:
                for one in _IDS.findall(text):
                    if one not in cards:
                        far.setdefault(
                            one, f"It is a card of set {card_set[1]}: add it to a `deck`."
                        )
    return far | near | gone
