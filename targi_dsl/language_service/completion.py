"""What can be written at a place: words of the language, and names by their kinds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from targi_dsl.compiler.index import Index
from targi_dsl.compiler.symbols.mentions import COUNTED, THINGS
from targi_dsl.language_service.workspace import Workspace
from targi_dsl.syntax import Expected, expected_at, sections
from targi_dsl.syntax.lexer import CONTINUING
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
    "module": ("module",),
    "option": ("option",),
    "owner": ("player", "list of values", "kind of card", "piece", *_REGIONS),
    "part": ("prohibition", "rule", "answer"),
    "period": ("rule",),
    "piece": ("piece",),
    "property": (*_PROPERTIES, *_REGIONS, *COUNTED, "piece", "pool"),
    "region": _REGIONS,
    "resource": COUNTED,
    "rule": ("rule", "card"),
    "set": ("card set",),
    "setting": ("option value",),
    "sheet": ("game",),
    "type": ("list of values", "kind of card", "piece", "group of resources", *_REGIONS),
    "zone": ("zone",),
}
"""The kinds of symbols that each kind of name of the grammar can refer to."""


class Completion(Frozen):
    """A word or name that fits. kind: that of its symbol, "word" for a word of the language, or
    "local" for a name that is written above in the same declaration.
    """

    text: str
    kind: str


class Completions(Frozen):
    """What fits at an offset, and the begun word that it takes the place of."""

    span: Span
    items: tuple[Completion, ...]


def completions(workspace: Workspace, path: str, offset: int) -> Completions:
    """What can be written at an offset of a rule file or of a sentence in a card file."""
    source, index = workspace.source(path), workspace.latest_index(path)
    found, above = _expected(workspace, path, source, offset, index)
    if found is None:
        return Completions(source.span(offset, offset), ())
    items = dict[str, Completion]()
    for one in _items(found, above, index):
        if one.text.startswith(found.prefix):
            items.setdefault(one.text, one)
    return Completions(source.span(offset - len(found.prefix), offset), tuple(items.values()))


def _expected(
    workspace: Workspace, path: str, source: Source, offset: int, index: Index | None
) -> tuple[Expected | None, str]:
    """What is expected at an offset, and the text before it in the declaration or sentence."""
    if not path.endswith((".yaml", ".yml")):
        begin = max((at for at, _ in sections(source.text) if at <= offset), default=0)
        found, above = expected_at(source.text, offset), source.text[begin:offset]
        line = above.rpartition("\n")[2]
        if not line.removesuffix(found.prefix).strip():  # it may continue the line above
            before = expected_at(source.text, offset - len(line) - 1)
            more = (word for word in before.words if word in CONTINUING)
            found = replace(found, words=(*found.words, *more), prefix=line.strip())
        return found, above
    sentence = workspace.sentence_at(path, offset, index)
    if sentence is None:
        return None, ""
    text, inside, start = sentence
    return expected_at(text, inside, start), text[:inside]


def _items(found: Expected, above: str, index: Index | None) -> Iterator[Completion]:
    kinds = {kind for one in found.kinds for kind in _SYMBOLS.get(one, ())}
    symbols = {} if index is None else index.symbols
    if found.kinds & {"any", "property"}:
        before = above[: len(above) - len(found.prefix)]
        declared = {name for _, name in symbols}
        yield from (Completion(name, "local") for name in _locals(before, declared, found.words))
    for kind, name in symbols:
        if kind in kinds:
            yield Completion(name.rpartition(".")[2], kind)
    if index is not None:
        yield from (Completion(name, kind) for kind, name in index.nearby_names() if kind in kinds)
    if found.kinds & {"any", "property", "type", "owner", "resource"}:
        yield from (Completion(word, "word") for word in (index.words() if index else ()))
    yield from (Completion(word, "word") for word in found.words if word[:1].isalpha())


def _locals(text: str, declared: Collection[str], words: Collection[str]) -> list[str]:
    """The names in a text that are declared nowhere: those that the declaration gives itself."""
    names = dict.fromkeys(re.findall(r"\b[a-z]\w*\b", re.sub(r'#.*|"[^"\n]*"', "", text)))
    return [name for name in names if name not in declared and name not in words][::-1]
