"""Card fields in deck expressions: what they say, and draws of each value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from targi_dsl.cardfiles import CardEntry, Scalar, Sequence, single_values
from targi_dsl.compiler.changes import Effective, Key
from targi_dsl.compiler.sorts import names as names_of_sort
from targi_dsl.compiler.symbol_table import SENTENCES
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_ability, parse_action, parse_cost
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Text
from targi_dsl.text.suggestions import suggestion

TRUTH = ("no", "yes")


@dataclass(frozen=True, slots=True)
class Words:
    """What deck expressions can ask about cards: the fields of each kind, and the names of each
    type.
    """

    kinds: Mapping[str, Mapping[str, n.Type]]
    names: Mapping[str, tuple[str, ...]]
    resources: tuple[str, ...]
    """What amounts in a cost can name: resources, and groups of them."""
    plurals: Mapping[str, str]
    """The names of resources and groups by their singular."""
    declared: tuple[str, ...]
    """Every name that the rules declare."""

    @staticmethod
    def of(declared: Mapping[Key, Effective]) -> Words:
        """Collects them from a game's effective declarations."""
        kinds: dict[str, Mapping[str, n.Type]] = {}
        names: dict[str, tuple[str, ...]] = {"truth": TRUTH, "player": (), "resource": ()}
        groups: tuple[str, ...] = ()
        plurals: dict[str, str] = {}
        for (_, name), effective in declared.items():
            match effective.node:
                case n.CardKind() as kind:
                    kinds[name] = {one.name.text: one.type for one in kind.fields}
                case n.Values() as values:
                    names[name] = tuple(word.text for word in values.members)
                case n.Players() as players:
                    names["player"] = tuple(word.text for word in players.names)
                case n.Resources() as resources:
                    names["resource"] += tuple(word.text for word in resources.names)
                    group = () if resources.group is None else (resources.group,)
                    groups += tuple(word.text for word in group)
                    counted = (*resources.names, *group)
                    plurals.update(
                        (one.singular.text, one.text) for one in counted if one.singular is not None
                    )
        known = (word.text for one in declared.values() for _, word in names_of_sort(one.node))
        return Words(kinds, names, (*names["resource"], *groups), plurals, tuple(known))

    def type(self, kinds: Iterable[str], field: str) -> n.Type | None:
        """The type of a field on cards of these kinds; None if it is not declared."""
        return next(
            (self.kinds[kind][field] for kind in kinds if field in self.kinds.get(kind, ())), None
        )

    def plural(self, word: n.Word) -> str:
        """The resource or group that a word of an amount names."""
        return self.plurals.get(word.text, word.text)


def fields(entry: CardEntry) -> set[str]:
    """The fields that a card has."""
    return {*entry.fields, *(["number"] if entry.number else [])}


def missing(word: n.Word | n.Name, entries: Iterable[CardEntry]) -> Problem | None:
    """The problem of a field that does not exist on any card."""
    known = sorted({name for entry in entries for name in fields(entry)})
    if word.text in known:
        return None
    text = f"The cards have: {', '.join(known)}."
    hint = suggestion(word.text, known)
    return Problem("E520", f"no card has a `{word.text}`", word.span, text, hint)


def said(entry: CardEntry, field: str, type_: n.Type | None, words: Words) -> set[str]:
    """The names in a field of a card; for a cost, only of resources that must be paid, which
    excludes the optional extra.
    """
    if field == "number":
        return {str(entry.number)} if entry.number else set()
    given = entry.fields.get(field)
    if type_ is not None and type_.name in SENTENCES:
        return {word for it in single_values(given) for word in _words(it.text, type_.name, words)}
    if type_ is not None and type_.name == "truth":
        return {TRUTH[isinstance(given, Scalar) and given.value is True]}
    if isinstance(given, Sequence):
        return {str(item.value) for item in single_values(given)}
    if not isinstance(given, Scalar):
        return set()
    if type_ is not None and type_.name == "cost":
        price, _ = parse_cost(given.text)
        ways = price.alternatives if price is not None else ()
        return {words.plural(amount.resource) for way in ways for amount in way}
    return {str(given.value)}


def _words(text: Text, sort: str, words: Words) -> Iterator[str]:
    """The names in a sentence on a card."""
    found, _ = parse_action(text) if sort == "action" else parse_ability(text)
    for node in found if isinstance(found, tuple) else (found,):
        for part in node.walk() if node is not None else ():
            if isinstance(part, n.Name | n.Word):
                yield part.text
            elif isinstance(part, n.Amount):
                yield words.plural(part.resource)


def piles(
    word: n.Word, entries: tuple[CardEntry, ...], type_: n.Type | None, words: Words
) -> dict[str, list[int]] | Problem:
    """The positions of the cards with each value of a field: of every value of its type, or for
    numbers of every number that occurs.
    """
    field = word.text
    if (problem := missing(word, entries)) is not None and (type_ is None or type_.name != "truth"):
        return problem
    if type_ is not None and (type_.form == "list" or type_.name in ("cost", *SENTENCES)):
        text = "`draw N of each` needs a field with one value: a name, a number, or yes or no."
        return Problem("E535", f"cannot draw some of each `{field}`", word.span, text)
    found: dict[str, list[int]] = {}
    if type_ is not None and type_.name not in ("player", "resource"):
        found.update((value, []) for value in words.names.get(type_.name, ()))
    for at, entry in enumerate(entries):
        values = said(entry, field, type_, words)
        if not values:
            text = "So it is unclear which cards it would be drawn with."
            return Problem("E520", f"card `{entry.id}` has no `{field}`", word.span, text)
        found.setdefault(values.pop(), []).append(at)
    return found
