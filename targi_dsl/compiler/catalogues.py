"""The translatable texts of a game, and checks of the catalogues (PO files) that translate them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain

from targi_dsl.compiler.layers import declarations
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.project.discovery import SHEETS, Project
from targi_dsl.compiler.project.written import Written
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import OUTCOME, CardInfo
from targi_dsl.ir.game import Game
from targi_dsl.ir.layout import Item
from targi_dsl.ir.walk import parts
from targi_dsl.ir.wordings import DEAL, PLAIN
from targi_dsl.syntax.grammar import is_cell
from targi_dsl.text.catalogues import Catalogue, Entry, Key, read_catalogue
from targi_dsl.text.diagnostics import Label, Problem, Problems
from targi_dsl.text.languages import AMOUNT, words_of
from targi_dsl.text.source import Source, Span

_NUMBER = "number"
"""The field of a card that is never shown."""


def vocabulary(game: Game, language: str) -> tuple[Key, ...]:
    """The texts to translate to a language, each once, with its context. A card's name or text is
    omitted if its card file has it in that language.
    """
    return _with_cards(_game_texts(game), game, language)


def texts(game: Game) -> Iterator[Key]:
    """All translatable texts, with repetitions, in an order that does not depend on names."""
    yield from _game_texts(game)
    yield from (("", text) for card in game.cards for text in _of_card(card, ""))


def _game_texts(game: Game) -> Iterator[Key]:
    """The texts that are translated in catalogues only, whatever the language."""
    amounts = (*game.resources, *(name for name, _ in game.groups))
    yield from ((AMOUNT, words_of(game.singular(name))) for name in amounts)
    yield from (("", text) for text in _texts(game))


def _with_cards(keys: Iterable[Key], game: Game, language: str) -> tuple[Key, ...]:
    more = (("", text) for card in game.cards for text in _of_card(card, language))
    return tuple(key for key in dict.fromkeys((*keys, *more)) if key[1])


def catalogues(project: Project, module: str, code: str) -> Iterator[Catalogue]:
    """The catalogue of a module for a language: none or one."""
    for language, source in project.catalogues(module):
        if language == code:
            yield read_catalogue(source)


def missing_texts(game: Game, found: tuple[Catalogue, ...], language: str) -> tuple[Key, ...]:
    """The texts of a game that none of the catalogues translates. The title, being a name, may be
    left untranslated.
    """
    return _missing(vocabulary(game, language), game, found)


def _missing(needed: tuple[Key, ...], game: Game, found: tuple[Catalogue, ...]) -> tuple[Key, ...]:
    known = {one.key for catalogue in found for one in catalogue.entries if one.forms}
    known.add(("", game.title))
    return tuple(key for key in needed if key not in known)


def _texts(game: Game) -> Iterator[str]:
    yield game.title
    yield from map(words_of, game.players)
    yield from _declared_names(game)
    yield from game.called.values()
    for wording in game.wordings:
        if wording.phrase is not None:
            yield wording.phrase.text
        elif wording.chosen is not None and wording.chosen.is_said:
            yield words_of(wording.chosen.name)
        yield from (lead.phrase.text for lead in wording.leads)
    yield from _answers(game)
    yield from (one.reason for one in game.forbids if isinstance(one.reason, str))
    yield from (tie.text for tie in game.ties)
    yield from _fields(game)
    yield from declarations.comments_of_ends(game)


def _declared_names(game: Game) -> Iterator[str]:
    """Names of declarations that are shown to people and have no wording of their own."""
    lines = [found for part in game.layout for found in parts(part, Item)]
    variables = dict.fromkeys(one.name for one in lines if one.what == "variable")
    public = (one for one in game.variables if one.is_of_spaces or one.secret != NOTHING)
    variables |= dict.fromkeys(one.name for one in public)
    shown = (one for one in game.places if not one.is_box)
    regions = {one.region: "zone" if one.is_zone else "space" for one in shown}
    entries = {card.entry for card in game.cards}
    named = [
        *(("resource", name) for name in game.resources),
        *(("resource", name) for name, _ in game.groups),
        *(("card", name) for name in game.kinds),
        *((sort, name) for name, sort in regions.items()),
        *(("pool", one.pool) for one in game.variables if one.pool),
        *(("piece", one.kind) for one in game.pieces),
        *(("variable", name) for name in variables),
        *(("score", one.name) for one in game.scores if one.name not in entries),
    ]
    yield from (words_of(name) for sort, name in named if f"{sort} {name}" not in game.called)
    yield from (words_of(one.name) for one in game.abilities if one.card == NOTHING)
    labels = (one.label for one in game.places if not one.is_zone)
    yield from (words_of(one) for one in labels if not (one.isdecimal() or is_cell(one)))
    for name, members in game.values:
        yield from map(words_of, (name, *members) if name != OUTCOME else ())


def _answers(game: Game) -> Iterator[str]:
    """Labels of answers without a wording, and names of rules that ask without one."""
    own = {card.entry for card in game.cards} | {one.name for one in game.abilities}
    for rule in game.rules:
        if rule.part_of:
            continue
        asked = rule.every(s.Ask)
        ways = [way for one in asked for way in one.alternatives]
        names = [way.label for way in ways if not _is_worded(game, way.wording)]
        names += [rule.name] * (bool(asked or rule.opens) and not _is_worded(game, rule.wording))
        for name in names:
            if name not in own and name not in PLAIN and not DEAL.fullmatch(words_of(name)):
                yield words_of(name)


def _is_worded(game: Game, number: int) -> bool:
    return number != NOTHING and game.wordings[number].phrase is not None


def _fields(game: Game) -> Iterator[str]:
    """Names of card fields that are shown with their values."""
    known = {name for _, members in game.values for name in members}
    known |= {place.label for place in game.places}
    for card in game.cards:
        for key, value in card.fields.items():
            is_list = isinstance(value, tuple) and known.issuperset(value)
            if is_list or (isinstance(value, int) and key != _NUMBER):
                yield words_of(key)


def _of_card(card: CardInfo, language: str) -> Iterator[str]:
    if language not in card.names:
        yield card.names.get("en") or card.id
    if language not in card.texts:
        yield card.texts.get("en", "")


_BLANK = re.compile(r"\{[^{}]*\}")
_PIECES = re.compile(r'"(?P<quoted>[^"\n]*)"|# *(?P<comment>[^\n]*)|(?P<code>[^"#]+)')
_COMMENT = re.compile(r"^#.*(?:\n#.*)*", re.MULTILINE)
_SHOWN = 20  # the most entries in a hint
_CACHE_SIZE = 10_000
_MOST_FILES = 200


def problems(game: Compilation) -> Iterator[Problem]:
    """All problems of the game's catalogues, by language; none for a game with errors."""
    if game.finished is None or not game.sound:
        return
    project, files = game.written.project, dict[str, list[tuple[str, Source]]]()
    for module in (SHEETS, *reversed(game.finished.modules)):
        for code, source in project.catalogues(module):
            files.setdefault(code, []).append((module, source))
    keys = tuple(_game_texts(game.finished)) if files else ()
    for code, sources in files.items():
        try:
            read = [(module, read_catalogue(source)) for module, source in sources]
        except Problems as unreadable:
            yield from unreadable.problems
            continue
        needed = _with_cards(keys, game.finished, code)
        yield from _check_catalogue(game.finished, game.written, needed, read)


def _check_catalogue(
    game: Game, written: Written, needed: tuple[Key, ...], read: list[tuple[str, Catalogue]]
) -> Iterator[Problem]:
    known = frozenset(needed)
    for module, catalogue in read:
        if module != SHEETS:
            yield from _unknown_texts(catalogue, known, written.files_of(module))
        yield from _mismatched_blanks(catalogue)
    if game.modules[-1] not in dict(read):
        return  # the game itself, with what it changes of others, is not translated
    lacking = _missing(needed, game, tuple(catalogue for _, catalogue in read))
    for module, catalogue in read:
        # Other folders need not be translated.
        sources = written.files_of(module) if module != SHEETS else ()
        found = {key: place for key in lacking if (place := _place(key[1], sources)) is not None}
        lacking = tuple(key for key in lacking if key not in found)
        if found:
            yield _missing_translations(game, catalogue, found)


def _place(text: str, sources: tuple[Source, ...]) -> Span | None:
    """Where a text stands in the sources: in quotes, in a comment, or as a name or condition."""
    comments = (_comments(source).get(text) for source in sources)
    pieces = (_piece_with(source, text) for source in sources)
    return next((one for one in chain(comments, pieces) if one is not None), None)


@lru_cache(_MOST_FILES)
def _comments(source: Source) -> dict[str, Span]:
    """The comments of a source, by their text."""
    found = dict[str, Span]()
    for comment in _COMMENT.finditer(source.text):
        text = declarations.comment_in(comment[0].split("\n"))
        found.setdefault(text, source.span(*comment.span()))
    return found


@lru_cache(_CACHE_SIZE)
def _piece_with(source: Source, text: str) -> Span | None:
    """The first quotation, trailing comment, name or condition of a source that is this text."""
    words = "|".join(map(re.escape, (text, text.replace(" ", "_"))))
    outside = re.compile(rf"(?<!\w)(?:{words})")
    for piece in _PIECES.finditer(source.text):
        if text in (piece["quoted"], (piece["comment"] or "").strip()):
            return source.span(*piece.span())
        if piece["code"] and (found := outside.search(piece["code"])):
            start = piece.start()
            return source.span(start + found.start(), start + found.end())
    return None


def _unknown_texts(
    catalogue: Catalogue, needed: Collection[Key], sources: tuple[Source, ...]
) -> Iterator[Problem]:
    """Warnings (W911) about translations of texts that no source contains, not even in versions
    that other layers replace.
    """
    others = tuple(one for one in catalogue.entries if one.key not in needed)
    for entry in _in_none(others, sources):
        title = f'"{entry.key[1]}" is not in the rules'
        why = "Its translation is never shown. Write the text as in the rules, or delete the entry."
        span = catalogue.source.line_span(entry.line)
        yield Problem("W911", title, span, why)


@lru_cache(_MOST_FILES)
def _in_none(entries: tuple[Entry, ...], sources: tuple[Source, ...]) -> tuple[Entry, ...]:
    """The entries whose text is in none of the sources."""
    return tuple(one for one in entries if _place(one.key[1], sources) is None)


@lru_cache(_MOST_FILES)
def _mismatched_blanks(catalogue: Catalogue) -> tuple[Problem, ...]:
    """Warnings (W912) about translations whose `{blanks}` differ from those of the text."""
    found = list[Problem]()
    for entry in catalogue.entries:
        wanted = set(_BLANK.findall(entry.key[1]))
        for form in entry.forms:
            if (blanks := {*_BLANK.findall(form)}) != wanted:
                names = " and ".join(sorted(wanted ^ blanks))
                title = "not the same values as in the rules"
                why = f"{names} must be in both or in neither."
                span = catalogue.source.line_span(entry.line)
                found.append(Problem("W912", title, span, why))
    return tuple(found)


def _missing_translations(game: Game, catalogue: Catalogue, lacking: Mapping[Key, Span]) -> Problem:
    number = f"{len(lacking)} texts" if len(lacking) > 1 else "1 text"
    title = f"{number} of {game.title} not translated"
    why = "Until they are translated, they are shown in English."
    hint = "\n\n".join(map(_entry, list(lacking)[:_SHOWN]))
    span = next(iter(lacking.values()))
    labels = (Label(catalogue.source.line_span(1), "has no translation of it"),)
    return Problem("W909", title, span, why, hint, labels=labels)


def _entry(key: Key) -> str:
    context, text = key
    if context:
        return f'msgctxt "{context}"\nmsgid "{text}"\nmsgid_plural ""\nmsgstr[0] ""\nmsgstr[1] ""'
    return f'msgid "{text}"\nmsgstr ""'
