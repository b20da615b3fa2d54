"""The symbol index: every occurrence of a name in the sources, with its symbol and type. It is also
available for games with errors.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from msgspec.structs import replace

from targi_dsl.cardfiles import Mapping as Sources
from targi_dsl.cardfiles import Scalar, single_values
from targi_dsl.compiler.cards.decks import DeckCard
from targi_dsl.compiler.catalogues import texts
from targi_dsl.compiler.layers.changes import keys, names
from targi_dsl.compiler.lowering.abilities import OF_THE_LANGUAGE, SENTENCES, trees
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.lowering.wordings import values_in_words
from targi_dsl.compiler.symbols.mentions import COUNTED, SINGULAR, mentions
from targi_dsl.compiler.symbols.table import TYPE_WORDS, VALUE_WORDS
from targi_dsl.ir import types as t
from targi_dsl.ir.game import Game
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.completion import Start
from targi_dsl.text.catalogues import Key
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen

_WORDS = frozenset((*OF_THE_LANGUAGE, *TYPE_WORDS, *VALUE_WORDS))
"""Words of the language that can stand where a name does."""
SENTENCE_STARTS: Mapping[str, Start] = {"ability": "ability", "action": "action", "cost": "cost"}
"""The start symbol of the grammar for sentences on cards, by the type of their field."""
_PARTS = ("value", "option value", "named space", "field")
"""Kinds of symbols whose key is qualified by their owner: `OWNER.NAME`."""


class Symbol(Frozen):
    """A declared or local name: its kind, where it is declared, and the layers that contributed."""

    kind: str
    name: str
    span: Span | None
    layers: tuple[Origin, ...] = ()


class Occurrence(Frozen):
    """A name in a source; `symbol` is None if it is unresolved. `type` is set for expressions."""

    name: str
    span: Span
    symbol: Symbol | None
    type: t.Type | None = None


_Name = tuple[str, str]
"""A kind and a name; the name is qualified for the kinds in `_PARTS`."""


class Index:
    """The symbols of a compiled game and their occurrences, computed on demand."""

    def __init__(self, game: Compilation) -> None:
        self._game = game
        self._facts = game.context.facts
        self._resolved: dict[tuple[tuple[str, ...], str], Symbol | None] = {}

    @cached_property
    def symbols(self) -> dict[_Name, Symbol]:
        """All symbols, by kind and name."""
        found: dict[_Name, Symbol] = {}
        for one in _symbols(self._game):
            found.setdefault((one.kind, one.name), one)
        return found

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """All occurrences, declarations included, sorted by file and position."""
        found: dict[Span, Occurrence] = {}
        for part in (self._declarations(), self._in_declarations(), self._card_occurrences()):
            for one in part:
                if one.symbol is not None or one.name not in _WORDS:
                    found.setdefault(one.span, one)
        return tuple(sorted(found.values(), key=_place))

    @property
    def is_empty(self) -> bool:
        """Whether nothing could be read, not even the sheet."""
        return not self._game.written.modules

    def uses(self, symbol: Symbol) -> tuple[Occurrence, ...]:
        """The occurrences of a symbol."""
        return tuple(one for one in self.occurrences if one.symbol == symbol)

    def nearby_names(self) -> Iterator[_Name]:
        """The games, modules and card sets in the project, with their kinds."""
        project = self._game.written.project
        for role in ("game", "module", "card set"):
            yield from ((role, name) for name in project.names(role))

    def words(self) -> Iterator[str]:
        """Names that are always defined, and the singulars of resources."""
        yield from (*_WORDS, *self._game.context.symbols.plurals)

    def fields(self, kind: str) -> Mapping[str, str]:
        """The fields of a kind of card, each with the name of its type; for a field that names a
        space by a value, that of the list of values.
        """
        symbols = self._game.context.symbols
        lists = {name: one.values for name, one in symbols.regions.items() if one.values}
        types = {name: one.type.name for name, one in symbols.kinds.get(kind, {}).items()}
        return {name: lists.get(type_, type_) for name, type_ in types.items()}

    def spaces(self, region: str) -> Sequence[str]:
        """The names, numbers or coordinates of the spaces of a region; none of anything else."""
        found = self._game.context.symbols.regions.get(region)
        return () if found is None or found.is_zone else found.labels()

    @property
    def game(self) -> Game | None:
        """The checked game, without its program; None if it has errors."""
        return self._game.finished

    @cached_property
    def texts(self) -> tuple[Key, ...]:
        """The translatable texts of the game; none if it has errors."""
        return () if self.game is None else tuple(texts(self.game))

    def cards_with(self, symbol: Symbol) -> Iterator[str]:
        """The ids of the cards whose entries mention a symbol."""
        spans = [one.span for one in self.uses(symbol)]
        for card in self._game.context.cards.entries:
            if any(card.entry.span.contains(span) for span in spans):
                yield card.entry.id

    def _declarations(self) -> Iterator[Occurrence]:
        """The declaring occurrence of every symbol."""
        for one in self.symbols.values():
            if one.span is not None:
                yield Occurrence(one.name, one.span, one)

    def _in_declarations(self) -> Iterator[Occurrence]:
        """The occurrences in rule files and in the sheet."""
        for component in _components(self._trees()):
            for kind, word in names(component):
                yield self._occurrence_of(word.text, word.span, (kind,))
        for tree in self._trees():
            yield from self._in_tree(tree)

    def _trees(self) -> Iterator[n.Node]:
        written = self._game.written
        yield from written.declarations
        sheet = (written.options, written.decks, written.needs, written.settles)
        lines = chain(*(lines.values() for lines in sheet))
        yield from (line for line in lines if isinstance(line, n.Node))

    def _in_tree(self, tree: n.Node) -> Iterator[Occurrence]:
        trees = (tree, *values_in_words(self._game.context, tree))
        for one in chain(*(part.derived(mentions) for part in trees)):
            of = None if one.of is None else self._facts.types.get(one.of)
            is_field = one.is_field and (of is None or isinstance(t.element(of), t.Card))
            kinds = one.kinds if is_field else tuple(kind for kind in one.kinds if kind != "field")
            found = self._occurrence_of(one.name, one.span, kinds, one.within)
            is_word = one.name in _WORDS and one.span != one.bound
            if found.symbol is None and one.bound is not None and not is_word:
                # Replaced declarations are not lowered, so nothing in them has been resolved.
                found = replace(found, symbol=Symbol("local", one.name, one.bound))
            if found.symbol is not None or not one.only_known:
                yield found

    def _occurrence_of(
        self, name: str, span: Span, kinds: tuple[str, ...], within: str = ""
    ) -> Occurrence:
        type_ = self._facts.types.get(span)
        # Local names are always recorded with a type.
        if type_ is not None and (binder := self._facts.locals.get(span)) is not None:
            return Occurrence(name, span, Symbol("local", name, binder), type_)
        if isinstance(type_, t.Value) and (kind := ("value", f"{type_.of}.{name}")) in self.symbols:
            return Occurrence(name, span, self.symbols[kind], type_)
        return Occurrence(name, span, self.symbol(kinds, name, within), type_)

    def symbol(self, kinds: tuple[str, ...], name: str, within: str = "") -> Symbol | None:
        """The symbol with a name, of the first of these kinds that has one. `within`: the owner,
        for names qualified by it.
        """
        own = self.symbols.get((kinds[0], f"{within}.{name}")) if within else None
        return own or self._of_kinds(kinds, name)

    @cached_property
    def questions(self) -> Mapping[str, tuple[Symbol, ...]]:
        """The names bound by `choose`, with which ids of choices begin."""
        found: dict[str, tuple[Symbol, ...]] = {}
        for tree in self._trees():
            for node in tree.every(n.Choose):
                one = Symbol("local", node.name.text, node.name.span)
                found[one.name] = (*found.get(one.name, ()), one)
        return found

    def local(self, name: str, sentence: str) -> Symbol | None:
        """The symbol of a local name; if there are several, the one on the line that begins with
        `sentence`, whose words are joined by `_`. None if that is ambiguous.
        """
        uses = self._locals.get(name, ())
        for occurrences in uses, [one for one in uses if _joined(one.span).startswith(sentence)]:
            match [*dict.fromkeys(one.symbol for one in occurrences)]:
                case [symbol]:
                    return symbol
        return None

    @cached_property
    def _locals(self) -> Mapping[str, Sequence[Occurrence]]:
        found = defaultdict[str, list[Occurrence]](list)
        for one in self.occurrences:
            if one.symbol is not None and one.symbol.kind == "local":
                found[one.name].append(one)
        return found

    def chosen_kinds(self, question: Symbol | None) -> tuple[str, ...]:
        """The kind of symbol that a question chooses from: values or cards; empty for anything
        else.
        """
        uses = self.uses(question) if question is not None else ()
        match next((one.type for one in uses if one.type is not None), None):
            case t.Value():
                return ("value",)
            case t.Card():
                return ("card",)
            case _:
                return ()

    def _of_kinds(self, kinds: tuple[str, ...], name: str) -> Symbol | None:
        try:
            return self._resolved[kinds, name]
        except KeyError:
            candidates = self._by_name.get(name, {})
            found = next((candidates[kind] for kind in kinds if kind in candidates), None)
            if found is None and SINGULAR in kinds:
                found = self._of_kinds(COUNTED, self._game.context.symbols.plurals.get(name, ""))
            return self._resolved.setdefault((kinds, name), found)

    @cached_property
    def _by_name(self) -> dict[str, dict[str, Symbol]]:
        """For each unqualified name, its first symbol of each kind."""
        found: dict[str, dict[str, Symbol]] = {}
        for (kind, name), symbol in self.symbols.items():
            own = name.rpartition(".")[2] if kind in _PARTS else name
            found.setdefault(own, {}).setdefault(kind, symbol)
        return found

    def _card_occurrences(self) -> Iterator[Occurrence]:
        context = self._game.context
        for card in {one.entry.span: one for one in context.cards.entries}.values():
            yield from self._of_card(card, context.symbols.kinds.get(card.kind, {}))

    def _of_card(self, card: DeckCard, fields: Mapping[str, n.Field]) -> Iterator[Occurrence]:
        yield self._occurrence_of(card.kind, card.kind_span, ("kind of card",))
        source = card.entry.node.entries.get("source")
        for name, span in source.keys.items() if isinstance(source, Sources) else ():
            if name in fields:
                yield self._occurrence_of(name, span, ("field",), card.kind)
        for name, span in card.entry.fields_in_words():
            if name in fields:
                yield self._occurrence_of(name, span, ("field",), card.kind)
        for name, given in card.entry.fields.items():
            yield self._occurrence_of(name, card.entry.keys[name], ("field",), card.kind)
            type_ = fields[name].type.name if name in fields else ""
            for item in single_values(given):
                if isinstance(item.value, str):
                    yield from self._in_scalar(item, type_)

    def _in_scalar(self, item: Scalar, type_: str) -> Iterator[Occurrence]:
        if _unquoted(str(item.value)) not in _unquoted(item.span.text):
            return  # generated by a series: it is not in the source
        if type_ in SENTENCES:
            for node in trees(self._game.context, type_, item):
                yield from self._in_tree(node)
        else:
            yield self._occurrence_of(
                str(item.value), item.span, ("value", "resource", "player", "named space")
            )


def _symbols(game: Compilation) -> Iterator[Symbol]:
    """All symbols: those of declarations, modules, cards and card sets."""
    effective = game.layers.effective
    for key, one in effective.items():
        yield from _symbols_of(key[1], one.node, one.origins)
    unchanged = {id(one.node) for one in effective.values()}
    for node in _components(game.written.declarations):
        if id(node) not in unchanged:
            key = next(iter(keys(node)), ("", ""))
            yield from _symbols_of(key[1], node, game.layers.removed.get(key, ()))
    for module in game.written.modules.values():
        yield Symbol("module", module.name, module.span)
    for card in game.context.cards.entries:
        yield Symbol("card", card.entry.id, card.entry.node.entries["id"].span)
        yield Symbol("card set", card.set, card.set_span)


def _components(trees: Iterable[n.Node]) -> Iterator[n.Component]:
    """The declarations among trees, including those that replace others."""
    for node in trees:
        if isinstance(node, n.Replace):
            yield node.what
        elif isinstance(node, n.Component):
            yield node


def _symbols_of(name: str, node: n.Component, origins: tuple[Origin, ...]) -> Iterator[Symbol]:
    for kind, word in names(node):
        within = f"{name}." if kind in _PARTS else ""
        yield Symbol(kind, within + word.text, word.span, origins)
    for part in node.every(n.Alternative):
        if part.label is not None:
            yield Symbol("answer", part.label.text, part.label.span, origins)


def _place(one: Occurrence) -> tuple[str, int, int]:
    span = one.span
    home = span.home
    return home.name, home.start + span.first, span.last


def _joined(span: Span) -> str:
    """The words of the line of a span, joined by `_`."""
    text = span.source.text
    line = text[text.rfind("\n", 0, span.start) + 1 :].partition("\n")[0]
    return "_".join(re.findall("[a-z0-9]+", line))


def _unquoted(text: str) -> str:
    """A YAML text on one line, with escaped quotation marks resolved."""
    return " ".join(text.replace('\\"', '"').replace("''", "'").split())
