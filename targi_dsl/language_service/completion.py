"""Completion: words of the language, and names by their kinds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from string import ascii_lowercase, digits
from typing import get_args

from msgspec.structs import replace

from targi_dsl.api import choices
from targi_dsl.cardfiles import shipped_schema
from targi_dsl.compiler.index import SENTENCE_STARTS, Index
from targi_dsl.compiler.layers.changes import SORTS
from targi_dsl.compiler.layers.combine import EXTENSIBLE
from targi_dsl.compiler.symbols.mentions import COUNTED, THINGS
from targi_dsl.compiler.symbols.table import LISTS
from targi_dsl.ir.declarations import DeclaredSort
from targi_dsl.language_service.card_keys import Place, place_at
from targi_dsl.language_service.rule_tests import BEGINNINGS, CHOSEN, Word, step_at, words_of
from targi_dsl.language_service.workspace import Workspace
from targi_dsl.syntax import Expected, expected_at, sections
from targi_dsl.syntax.completion import NOTHING
from targi_dsl.syntax.lexer import CONTINUING
from targi_dsl.text.resources import TESTS
from targi_dsl.text.source import Source, Span
from targi_dsl.text.structs import Frozen

_REGIONS = ("space", "zone")
_PROPERTIES = ("definition", "field", "variable", "relation", "score")
_SYMBOLS: dict[str, tuple[str, ...]] = {
    "any": THINGS,
    "card": ("card",),
    "declared": (*THINGS, "rule", "prohibition", "score", "exchange", "standing ability"),
    "define": ("definition",),
    "element": THINGS,
    "field": ("field",),
    "forbid": ("prohibition",),
    "kind": ("kind of card",),
    "label": ("rule",),
    "module": ("module",),
    "option": ("option",),
    "owner": ("player", "list of values", "kind of card", "piece", *_REGIONS),
    "part": ("prohibition", "rule", "answer"),
    "period": ("rule",),
    "piece": ("piece",),
    "property": (*_PROPERTIES, *_REGIONS, "named space", *COUNTED, "piece", "pool"),
    "region": _REGIONS,
    "resource": COUNTED,
    "rule": ("rule", "card"),
    "set": ("card set",),
    "setting": ("option value",),
    "sheet": ("game",),
    "space": ("named space", "value"),
    "type": ("list of values", "kind of card", "piece", "group of resources", *_REGIONS),
    "values": ("list of values",),
    "zone": ("zone",),
}
"""The kinds of symbols for each kind of name in the grammar."""


class Completion(Frozen):
    """A proposed word or name. kind: that of its symbol, "word" for a word of the language, "local"
    for a name that occurs above in the declaration.
    """

    text: str
    kind: str


class Completions(Frozen):
    """The proposals at an offset, and the span that they replace."""

    span: Span
    items: tuple[Completion, ...]


def completions(workspace: Workspace, path: str, offset: int) -> Completions:
    """The proposals at an offset of a rule file, card file or file of rule tests."""
    source, indexes = workspace.source(path), workspace.indexes(path)
    if path.endswith(TESTS):
        prefix, given = _in_tests(workspace, path, source, offset, indexes)
    elif path.endswith((".yaml", ".yml")):
        prefix, given = _in_cards(workspace, path, source, offset, indexes)
    else:
        found, above = _expected(source, offset)
        prefix, given = found.prefix, _items(found, above, indexes)
    items = dict[str, Completion]()
    for one in given:
        if one.text.startswith(prefix):
            items.setdefault(one.text, one)
    return Completions(source.span(offset - len(prefix), offset), tuple(items.values()))


def expected(workspace: Workspace, path: str, offset: int) -> Expected:
    """What the grammar allows at an offset of a rule file, or of a sentence on a card."""
    if path.endswith(".targi"):
        return expected_at(workspace.source(path).text, offset)
    place = place_at(workspace.source(path).text, offset)
    fields = dict(
        field for one in workspace.indexes(path) for field in one.fields(place.kind).items()
    )
    sentence = workspace.sentence_at(path, offset, fields)
    return NOTHING if sentence is None else expected_at(*sentence)


def _expected(source: Source, offset: int) -> tuple[Expected, str]:
    """What the grammar allows at an offset of a rule file, and the declaration's text before it."""
    begin = max((at for at, _ in sections(source.text) if at <= offset), default=0)
    found, above = expected_at(source.text, offset), source.text[begin:offset]
    line = above.rpartition("\n")[2]
    if not line.rstrip(_NAME).strip():  # it may continue the line above
        before = _COMMENT.sub("", source.text[: max(0, offset - len(line) - 1)]).rstrip() + " "
        ahead = expected_at(before, len(before))
        more = (word for word in ahead.words if word in CONTINUING or word in ("if", "otherwise"))
        found = replace(found, words=(*found.words, *more), prefix=line.strip())
    return found, above


def _items(found: Expected, above: str, indexes: Sequence[Index]) -> Iterator[Completion]:
    kinds = {kind for one in found.kinds for kind in _SYMBOLS.get(one, ())}
    if found.kinds & {"any", "property"}:
        before = above[: len(above) - len(found.prefix)]
        declared = {name for index in indexes for _, name in index.symbols}
        yield from (Completion(name, "local") for name in _locals(before, declared, found.words))
    for index in indexes:
        if found.kinds == {"space"} and (spaces := _spaces(above, index)):
            yield from (Completion(name, "named space") for name in spaces)
            continue
        yield from _of_kinds(index, kinds)
        yield from (Completion(name, kind) for kind, name in index.nearby_names() if kind in kinds)
        if found.kinds & {"any", "property", "type", "owner", "resource"}:
            yield from (Completion(word, "word") for word in index.words())
    words = [word for word in found.words if word[:1].isalpha()]
    words += ["card"] * ("kind" in found.kinds)  # of any kind
    words += ["game"] * ("period" in found.kinds)
    words += ["number"] * ("field" in found.kinds)  # a property of every card
    words_before = above[: len(above) - len(found.prefix)].split()
    if "new" in found.kinds and words_before[:1] == ["replace"] and len(words_before) == 2:
        replaced = [one.kind for one in SORTS if one.word == words_before[1]]
        for index in indexes:
            yield from _of_kinds(index, replaced)
    if "sort" in found.kinds:
        words += EXTENSIBLE if words_before[-1:] == ["extend"] else get_args(DeclaredSort)
    yield from (Completion(word, "word") for word in words)


def _spaces(above: str, index: Index) -> list[str]:
    """The spaces of the region that the line names last; in a relation, of all that it names."""
    line = above.rpartition("\n")[2]
    regions = [one for one in re.findall(r"[a-z]\w*", line) if index.spaces(one)]
    named = regions if line.startswith("relation") else regions[-1:]
    return [space for one in named for space in index.spaces(one)]


def _of_kinds(index: Index, kinds: Collection[str], within: str = "") -> Iterator[Completion]:
    """The names of symbols of some kinds; with `within` only those of that owner."""
    for kind, name in index.symbols:
        owner, _, own = name.rpartition(".")
        if kind in kinds and within in ("", owner):
            yield Completion(own, kind)


# ---- in rule tests ----


def _in_tests(
    workspace: Workspace, path: str, source: Source, offset: int, indexes: Sequence[Index]
) -> tuple[str, Iterator[Completion]]:
    """The begun text, and proposals for it: for a choice, those offered in the position of the
    test.
    """
    step, before = step_at(source.text, offset)
    prefix = before[len(before.rstrip(_NAME)) :]
    head = before[: len(before) - len(prefix)]
    words = [*words_of(step, f"{head}x")] if step in BEGINNINGS and step not in ("", "test") else []
    last = words[-1] if words and words[-1].end > len(head) else None
    if last is not None and last.part == "offer" and not before.startswith(_NOT_OFFERED):
        written = re.split(r"[;:]\s*", before)[-1]
        state = workspace.position(path, offset - len(written))
        offered = () if state is None else choices(state)
        ids = [Completion(one.id, "legal choice") for one in offered if one.id.startswith(written)]
        if state is not None and ids:
            players = (Completion(f"{one}: ", "player") for one in state.game.players)
            return written, iter((*ids, *(players if written == before else ())))
    return prefix, _words_in_tests(step, before, last, indexes)


def _words_in_tests(
    step: str, before: str, last: Word | None, indexes: Sequence[Index]
) -> Iterator[Completion]:
    if not before.strip(_NAME):
        yield from (Completion(one, "word") for one in BEGINNINGS.get(step, ()))
    for index in indexes:
        if before.startswith("tests of "):
            yield from (
                Completion(name, kind) for kind, name in index.nearby_names() if kind == "game"
            )
        elif last is not None:
            yield from _of_kinds(index, last.kinds, last.within)
            if last.part in CHOSEN:
                yield from (Completion(name, "local") for name in index.questions)
    words = _SAID.get(last.part, ()) if last is not None else ()
    yield from (Completion(one, "word") for one in words)


_NOT_OFFERED = ("refused:", "not offered:")
_SAID = {
    "thing": ("nothing", "nobody", "yes", "no"),
    "player": ("nothing", "nobody"),
    "setting": ("yes", "no"),
    "outcome": ("random", "roll", "shuffle"),
}
"""Words of the language that parts of lines can contain."""


# ---- in card files ----


def _in_cards(
    workspace: Workspace, path: str, source: Source, offset: int, indexes: Sequence[Index]
) -> tuple[str, Iterator[Completion]]:
    """The begun word, and proposals for it."""
    place = place_at(source.text, offset)
    fields = {key: type_ for one in indexes for key, type_ in one.fields(place.kind).items()}
    type_ = fields.get(place.key, "") if place.sort == "value" else ""
    sentence = workspace.sentence_at(path, offset, fields)
    if sentence is None and type_ in SENTENCE_STARTS:  # the file cannot be parsed
        content = place.written.replace('\\"', '"')
        sentence = content, len(content), SENTENCE_STARTS[type_]
    if sentence is not None:
        text, inside, start = sentence
        found = expected_at(text, inside, start)
        return found.prefix, _items(found, text[:inside], indexes)
    written = source.text[:offset]
    prefix = written[len(written.rstrip(_NAME)) :]
    return prefix, _keys_and_values(place, fields, type_, indexes)


def _keys_and_values(
    place: Place, fields: Mapping[str, str], type_: str, indexes: Sequence[Index]
) -> Iterator[Completion]:
    schema = shipped_schema("cards")
    if place.sort == "key" and place.key in ("", "source"):
        known = schema["$defs"]["card"] if place.kind else schema
        yield from (Completion(name, "field") for name in fields)
        yield from (Completion(name, "word") for name in known["properties"])
    if place.key == "for_each" or _IN_BRACES.search(place.written):
        yield from (Completion(name, "field") for name in fields)
        yield Completion("number", "word")
    for index in indexes:
        if not place.kind and place.key == "kind":
            yield from _of_kinds(index, ("kind of card",))
        elif type_:
            yield from _of_kinds(index, ("value", "named space"), type_)
            is_group = ("group of resources", type_) in index.symbols
            yield from _of_kinds(index, COUNTED if is_group else _VALUES.get(type_, ()))
    yield from (Completion(word, "word") for word in LISTS.get(type_, ()))


_COMMENT = re.compile(r'(?<![^\s])#[^"\n]*\Z')
"""A comment at the end of a text."""
_IN_BRACES = re.compile(r"\{\w*\Z")
"""The end of a text that is in braces."""
_NAME = ascii_lowercase + digits + "_"
_VALUES = {"resource": COUNTED, "player": ("player",), "piece": ("piece",)}
"""The kinds of symbols that are the values of a type."""


def _locals(text: str, declared: Collection[str], words: Collection[str]) -> list[str]:
    """The undeclared names in a text: those that the declaration binds itself."""
    names = dict.fromkeys(re.findall(r"\b[a-z]\w*\b", re.sub(r'#.*|"[^"\n]*"', "", text)))
    return [name for name in names if name not in declared and name not in words][::-1]
