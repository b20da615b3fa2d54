"""Evaluates deck expressions: card sets, sums, filters, overlays and draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from operator import ge, gt, le, lt
from typing import assert_never

from msgspec.structs import replace

from targi_dsl.cardfiles import CardEntry, Scalar, Sequence, single_values
from targi_dsl.compiler.layers.changes import Effective, Key
from targi_dsl.compiler.layers.changes import names as names_of_sort
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_ability, parse_action, parse_cost
from targi_dsl.text.diagnostics import Label, Problem, Reporter
from targi_dsl.text.source import Span, Text
from targi_dsl.text.structs import Frozen
from targi_dsl.text.suggestions import suggestion

TRUTH = ("no", "yes")
SENTENCES = ("action", "ability")
"""Types of fields that contain sentences, which are lowered elsewhere."""


class Words(Frozen):
    """The declared names that deck expressions refer to: fields by kind of card, and the values of
    each type by name.
    """

    kinds: Mapping[str, Mapping[str, n.Type]]
    names: Mapping[str, tuple[str, ...]]
    resources: tuple[str, ...]
    """Resources and groups of them."""
    plurals: Mapping[str, str]
    """Resources and groups by their singular."""
    declared: tuple[str, ...]
    """All declared names."""

    @staticmethod
    def of(declared: Mapping[Key, Effective]) -> Words:
        """Collects the names from effective declarations."""
        kinds: dict[str, Mapping[str, n.Type]] = {}
        names: dict[str, tuple[str, ...]] = {"truth": TRUTH, "player": (), "resource": ()}
        groups: tuple[str, ...] = ()
        plurals: dict[str, str] = {}
        by: dict[str, str] = {}
        for (_, name), effective in declared.items():
            match effective.node:
                case n.CardKind() as kind:
                    kinds[name] = {one.name.text: one.type for one in kind.fields}
                case n.Values() as values:
                    names[name] = tuple(word.text for word in values.members)
                case n.Space(each=None) as space:
                    names[name] = tuple(word.text for word in space.names)
                    by |= {name: space.by.text} if space.by is not None else {}
                case n.Players() as players:
                    names["player"] = tuple(word.text for word in players.names)
                case n.Resources() as resources:
                    names["resource"] += tuple(word.text for word in resources.names)
                    group = () if resources.group is None else (resources.group,)
                    groups += tuple(word.text for word in group)
                    names |= {one.text: tuple(w.text for w in resources.names) for one in group}
                    counted = (*resources.names, *group)
                    plurals |= {one.singular.text: one.text for one in counted if one.singular}
        names |= {name: names.get(values, ()) for name, values in by.items()}
        known = (word.text for one in declared.values() for _, word in names_of_sort(one.node))
        return Words(kinds, names, (*names["resource"], *groups), plurals, tuple(known))

    def type(self, kinds: Iterable[str], field: str) -> n.Type | None:
        """The type of a field on cards of these kinds; None if it is not declared."""
        known = (self.kinds.get(kind, {}) for kind in kinds)
        return next((of[field] for of in known if field in of), None)

    def values(self, kinds: Iterable[str], field: n.Word) -> tuple[str, ...]:
        """The possible values of a field whose type is a list of them, or else nothing."""
        type_ = self.type(kinds, field.text)
        return self.names.get(type_.name, ()) if type_ is not None else ()

    def plural(self, word: n.Word) -> str:
        """The resource or group that a word names, possibly in the singular."""
        return self.plurals.get(word.text, word.text)


def fields(entry: CardEntry) -> set[str]:
    """The fields that a card has."""
    return {*entry.fields, *(["number"] if entry.number else [])}


def missing_field(word: n.Word | n.Name, entries: Iterable[CardEntry]) -> Problem | None:
    """A problem if no card has the field."""
    known = sorted({name for entry in entries for name in fields(entry)})
    if word.text in known:
        return None
    text = f"The cards have: {', '.join(known)}."
    hint = suggestion(word.text, known)
    return Problem("E520", f"no card has a `{word.text}`", word.span, text, hint)


def names_in_field(entry: CardEntry, field: str, type_: n.Type | None, words: Words) -> set[str]:
    """The names or numbers in a field of a card, as filters compare them. For a cost, the resources
    that must be paid; the optional extra is excluded.
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


def piles_by(
    word: n.Word, entries: tuple[CardEntry, ...], type_: n.Type | None, words: Words
) -> dict[str, list[int]] | Problem:
    """The positions of the cards with each value of a field, for `draw N of each`: all values of
    its type, or the numbers that occur.
    """
    field = word.text
    if (problem := missing_field(word, entries)) is not None and (
        type_ is None or type_.name != "truth"
    ):
        return problem
    if type_ is not None and (type_.form == "list" or type_.name in ("cost", *SENTENCES)):
        text = "`draw N of each` needs a field with one value: a name, a number, or yes or no."
        return Problem("E535", f"cannot draw some of each `{field}`", word.span, text)
    found: dict[str, list[int]] = {}
    if type_ is not None and type_.name not in ("player", "resource"):
        found.update((value, []) for value in words.names.get(type_.name, ()))
    for at, entry in enumerate(entries):
        values = names_in_field(entry, field, type_, words)
        if not values:
            text = "So it is unclear which cards it would be drawn with."
            return Problem("E520", f"card `{entry.id}` has no `{field}`", word.span, text)
        found.setdefault(values.pop(), []).append(at)
    return found


_ORDER: Mapping[str, Callable[[int, int], bool]] = {
    "at_least": ge,
    "at_most": le,
    "more_than": gt,
    "less_than": lt,
}
_WITHIN = ("in", "not_in")
_NOT = ("is_not", "not_in")


class Test(Frozen):
    """An elementary filter: `FIELD is VALUE` or another comparison, or `VALUE is in FIELD`."""

    field: n.Name
    op: n.BinaryOperator
    value: str
    span: Span


def _test(node: n.Expr) -> Test | None:
    match node:
        case n.Binary(left=left, right=n.Name() as field, op=op) if op in _WITHIN:
            value = left
        case n.Binary(left=n.Name() as field, right=right, op=op):
            value = right
        case _:
            return None
    if op not in (*_ORDER, *_WITHIN, "is", "is_not"):
        return None
    match value:
        case n.Name() | n.Keyword():
            return Test(field, op, value.text, value.span)
        case n.Number():
            return Test(field, op, str(value.value), value.span)
        case _:
            return None


def _passes(words: set[str], test: Test) -> bool:
    if test.op in _ORDER:
        limit = int(test.value)
        return any(_ORDER[test.op](int(one), limit) for one in words if one.isdecimal())
    return (test.value in words) != (test.op in _NOT)


def _not_a_test(node: n.Expr) -> Problem:
    title = "this says nothing about a field"
    text = "A filter compares a field with a value: `FIELD is VALUE`."
    hint = ""
    if isinstance(node, n.HasField):
        text = "What a field contains is asked by `is in`:"
        way = "is not in" if node.article == "no" else "is in"
        hint = f"where {node.field.text} {way} {node.subject.span.text}"
    return Problem("E535", title, node.span, text, hint)


def _type_error(test: Test, type_: n.Type, words: Words) -> Problem | None:
    """The problem of a test that no field of this type can pass."""
    field, value, span = test.field.text, test.value, test.span
    number = type_.form == "range" or type_.name == "number"
    if test.op in _ORDER and not number:
        text = "Only numbers can be compared by more and less."
        return Problem("E535", f"`{field}` is not a number", test.field.span, text)
    several = type_.form == "list" or type_.name in ("cost", *SENTENCES)
    if several != (test.op in _WITHIN):
        return _wrong_operator(test, several)
    if number:
        return _number_error(field, value, span, type_)
    sort, known = type_.name, words.names.get(type_.name, ())
    if type_.name == "cost":
        sort, known = "resource", words.resources
    if type_.name in SENTENCES:
        sort, known = "name", words.declared
    if value in known or not known:
        return None
    listed = f"It can be: {', '.join(known)}."
    if type_.name in SENTENCES:
        listed = "The rules declare nothing with that name."
    code = "E513" if sort == type_.name else "E201"
    return Problem(code, f"unknown {sort} `{value}`", span, listed, suggestion(value, known))


def _wrong_operator(test: Test, several: bool) -> Problem:
    """The problem of `is` on a field with several values, or of `is in` on a field with one."""
    field, value, no = test.field.text, test.value, " not" * (test.op in _NOT)
    what = "several things" if several else "one value"
    hint = f"where {value} is{no} in {field}" if several else f"where {field} is{no} {value}"
    text = f"A filter by it says `{'is in' if several else 'is'}`:"
    return Problem("E535", f"`{field}` is {what}", test.field.span, text, hint)


def _number_error(field: str, value: str, span: Span, type_: n.Type) -> Problem | None:
    ranged = type_.form == "range"
    limits = f" from {type_.low} to {type_.high}" if ranged else ""
    text = f"`{field}` is a number{limits}."
    if not value.isdecimal():
        return Problem("E503", "a number is needed here", span, text)
    if ranged and not type_.low <= int(value) <= type_.high:
        return Problem("E512", f"{value} is out of range", span, text)
    return None


MOST_CARDS, MOST_CARDS_IN_ALL = 1000, 10_000


class DeckCard(Frozen):
    """A card of a deck: its entry, kind and card set, and where modules change its fields."""

    entry: CardEntry
    kind: str
    set: str
    kind_span: Span
    set_span: Span
    changes: tuple[Span, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Equal for copies of a card; cards of different sets may have the same id."""
        return self.set, self.entry.id

    def with_entry(self, entry: CardEntry) -> DeckCard:
        """The same card with another entry."""
        return replace(self, entry=entry)


class Draw(Frozen):
    """Before setup, draw `count` cards at random from those at these positions of the deck.

    `displaced`: for each of these cards, the positions of cards drawn earlier that leave the zone
    when it is drawn (see overlays).
    """

    count: int
    positions: tuple[int, ...]
    displaced: tuple[tuple[int, ...], ...] = ()

    def after(self, cards: int) -> Draw:
        """The draw in a deck with this many more cards in front."""
        every = (self.positions, *self.displaced)
        positions, *displaced = (tuple(at + cards for at in those) for those in every)
        return Draw(self.count, positions, (*displaced,))


class Deck(Frozen):
    """The cards of one zone. With draws, only the drawn cards start there; the others stay in
    boxes.

    `wrong`: errors have been reported, so follow-up problems are suppressed. `rest`: the zone whose
    undrawn cards this deck consists of; it has no cards of its own then.
    """

    cards: tuple[DeckCard, ...]
    draws: tuple[Draw, ...] = ()
    wrong: bool = False
    rest: str = ""

    @property
    def drawn(self) -> int:
        """The number of cards that start in the zone."""
        return self.bounds(frozenset(range(len(self.cards))))[0]

    @property
    def left(self) -> int:
        """The number of cards that stay in boxes."""
        return len(self.cards) - self.drawn

    def bounds(self, positions: Collection[int]) -> tuple[int, int]:
        """The least and the greatest number of the cards at these positions that can start in the
        zone.
        """
        if not self.draws:
            return len(positions), len(positions)
        low = high = 0
        for draw in self.draws:
            displaced = draw.displaced or ((),) * len(draw.positions)
            more = sorted(
                (at in positions) - sum(one in positions for one in lost)
                for at, lost in zip(draw.positions, displaced, strict=True)
            )
            low += sum(more[: draw.count])
            high += sum(more[len(more) - draw.count :])
        return low, high


def by_number(cards: Iterable[DeckCard]) -> dict[int | None, list[int]]:
    """The positions of the cards by their number."""
    found: dict[int | None, list[int]] = {}
    for at, card in enumerate(cards):
        found.setdefault(card.entry.number, []).append(at)
    return found


def with_copies(cards: Iterable[DeckCard]) -> tuple[DeckCard, ...]:
    """The cards, each repeated by its number of copies."""
    return tuple(copy for card in cards for copy in [card] * card.entry.copies)


Sets = Callable[[n.Word], tuple[DeckCard, ...]]
"""Gives the cards of a set, with copies; reports an unknown set and gives nothing."""


def deck(node: n.DeckExpr, sets: Sets, words: Words, problems: list[Problem]) -> Deck:
    """Evaluates a deck expression; parts with errors are reported and ignored."""
    before = len(problems)
    evaluated = _Evaluator(sets, words, problems).deck(node)
    wrong = any(one.severity == "error" for one in problems[before:])
    problems += () if wrong else _fewer_copies(node, evaluated.cards)
    return replace(evaluated, wrong=wrong)


def _fewer_copies(node: n.DeckExpr, cards: Collection[DeckCard]) -> Iterator[Problem]:
    """Warns (W948) of cards listed by name, of which the deck has fewer than the file."""
    count = Counter(card.key for card in cards)
    entries = {card.key: card.entry for card in cards}
    for listed in node.every(n.DeckCards):
        of = listed.of.text
        named = [entries[of, one.text] for one in listed.names if (of, one.text) in entries]
        few = next((one for one in named if count[of, one.id] < one.copies), None)
        if few is not None:
            counts = " + ".join(f"{one.copies} x {one.id} of {of}" for one in named)
            text = f"The file has {few.copies} copies of {few.id}. To take one, write `1 x {few.id}"
            text += f" of {of}`; to take all:"
            hint = f"({counts})" if len(named) > 1 else counts
            yield Problem("W948", "only one copy of each is taken", listed.span, text, hint)


class _Evaluator(Reporter, Frozen):
    """The evaluation of a deck expression: the environment, and one method for each construct."""

    sets: Sets
    words: Words
    problems: list[Problem]

    def deck(self, node: n.DeckExpr) -> Deck:
        match node:
            case n.DeckSet():
                return Deck(self.sets(node.name))
            case n.DeckSum():
                return self._sum(node)
            case n.DeckWithout():
                inner = self._undrawn(node.deck)
                names = {word.text for word in node.names}
                for word in node.names:
                    self._require_card(inner, word)
                return Deck(tuple(card for card in inner if card.entry.id not in names))
            case n.DeckOverlay():
                return self._overlay_cards(node)
            case n.DeckWhere():
                return Deck(self._filter_cards(node))
            case n.DeckCopies():
                return Deck(self._copies(node))
            case n.DeckCards():
                return Deck(self._listed(node))
            case n.DeckDraw():
                return self._draw(node)
            case n.DeckRest():
                text = "It is the whole deck of a zone, and cannot be combined with anything."
                title = "the rest cannot be combined"
                self.report("E522", title, node.span, text)
                return Deck(())
            case _:
                assert_never(node)

    def _sum(self, node: n.DeckSum) -> Deck:
        cards: tuple[DeckCard, ...] = ()
        draws: tuple[Draw, ...] = ()
        for part in node.parts:
            other = self.deck(part)
            fixed = () if other.draws else (Draw(len(other.cards), tuple(range(len(other.cards)))),)
            draws += tuple(one.after(len(cards)) for one in (*other.draws, *fixed))
            cards += other.cards
        draws_all = all(d.count == len(d.positions) for d in draws)
        return Deck(cards, () if draws_all else draws)

    def _undrawn(self, node: n.DeckExpr) -> tuple[DeckCard, ...]:
        found = self.deck(node)
        if found.draws:
            text = "The cards drawn are only known in play, so nothing can be told about them."
            self.report("E522", "a draw must come last", node.span, text)
        return found.cards

    def _require_card(self, cards: tuple[DeckCard, ...], word: n.Word) -> None:
        known = sorted({card.entry.id for card in cards})
        if word.text not in known and cards:
            title = f"no card `{word.text}` here"
            text = f"The deck has {len(known)} different cards, none with that name."
            self.report("E523", title, word.span, text, suggestion(word.text, known))

    def _overlay_cards(self, node: n.DeckOverlay) -> Deck:
        under, above = self._undrawn(node.deck), self.deck(node.over)
        over = above.cards
        by_number = {card.entry.number: card for card in over}
        if over and None in by_number:
            text = "Cards are overlaid by number, so each of them needs one."
            label = (Label(by_number[None].entry.keys["id"], "this one has no number"),)
            self.report("E524", "a card without a number", node.over.span, text, labels=label)
            return Deck(under)
        if (problem := next(_ambiguous_numbers(node, under, over), None)) is not None:
            self.problems.append(problem)
            return Deck(under)
        if above.draws:
            return _overlay(under, above)
        own = {card.entry.number for card in under}
        extra = tuple(card for card in over if card.entry.number not in own)
        those = (by_number.get(one.entry.number, one) if one.entry.number else one for one in under)
        return Deck((*those, *extra))

    def _filter_cards(self, node: n.DeckWhere) -> tuple[DeckCard, ...]:
        inner = self._undrawn(node.deck)
        if not inner:
            return ()
        before = len(self.problems)
        passes = self._filter(node.condition, inner)
        if len(self.problems) > before:
            return inner
        kept = tuple(card for card in inner if passes(card.entry))
        if kept:
            return kept
        found = f"None of the {len(inner)} passes" if inner[1:] else "The only card does not pass"
        self.report("E539", "no card is left", node.span, f"{found} this filter.")
        return inner

    def _filter(self, node: n.Expr, cards: tuple[DeckCard, ...]) -> Callable[[CardEntry], bool]:
        """The predicate of a filter; its errors are reported."""
        match node:
            case n.Unary("not", of):
                passes = self._filter(of, cards)
                return lambda entry: not passes(entry)
            case n.Logic(op, parts):
                predicates = [self._filter(one, cards) for one in parts]
                combine = any if op == "or" else all
                return lambda entry: combine(one(entry) for one in predicates)
        test = _test(node)
        if test is None:
            self.problems.append(_not_a_test(node))
            return lambda _: True
        type_, field, words = self._type(cards, test.field), test.field.text, self.words
        if type_ is None:
            problem = missing_field(test.field, (card.entry for card in cards))
        else:
            problem = _type_error(test, type_, words)
        self.problems.extend(filter(None, (problem,)))
        return lambda entry: _passes(names_in_field(entry, field, type_, words), test)

    def _type(self, cards: tuple[DeckCard, ...], word: n.Word | n.Name) -> n.Type | None:
        return self.words.type(dict.fromkeys(card.kind for card in cards), word.text)

    def _copies(self, node: n.DeckCopies) -> tuple[DeckCard, ...]:
        inner = self.sets(node.of)
        if node.count == 0:
            text = "Remove it, or write how many."
            self.report("E536", f"`{node.span.text}` is not a card", node.span, text)
        self._require_card(inner, node.name)
        return tuple(one for one in _distinct(inner) if one.entry.id == node.name.text) * node.count

    def _listed(self, node: n.DeckCards) -> tuple[DeckCard, ...]:
        inner = _distinct(self.sets(node.of))
        first: dict[str, n.Word] = {}
        for word in node.names:
            self._require_card(inner, word)
            if (before := first.setdefault(word.text, word)) is not word:
                text = "Name each card once; for several copies give their number:"
                hint = f"2 x {word.text} of {node.of.text}"
                label = (Label(before.span, "here already"),)
                title = f"`{word.text}` is named twice"
                self.report("E537", title, word.span, text, hint, labels=label)
        return tuple(card for name in first for card in inner if card.entry.id == name)

    def _draw(self, node: n.DeckDraw) -> Deck:
        before = len(self.problems)
        cards = self._undrawn(node.deck)
        if len(self.problems) > before and not cards:
            return Deck(())
        if node.count == 0:
            text = "Write how many are drawn."
            self.report("E536", "`draw 0` draws no card", node.span, text)
            return Deck(cards)
        piles: dict[str, list[int]] | Problem = {"": list(range(len(cards)))}
        if node.each is not None and cards:
            entries = tuple(card.entry for card in cards)
            piles = piles_by(node.each, entries, self._type(cards, node.each), self.words)
        if isinstance(piles, Problem):
            self.problems.append(piles)
            return Deck(cards)
        short = {value: len(places) for value, places in piles.items() if len(places) < node.count}
        if short:
            few = min(short.values())
            by = f" with {node.each.text} " if node.each is not None else ""
            each = (f"{one} card{'s' * (one != 1)}{by}{value}" for value, one in short.items())
            counts = ", ".join(each)
            title = f"{node.count} cannot be drawn from {few}"
            verb = "is" if counts.startswith("1 card ") else "are"
            self.report("E525", title, node.span, f"There {verb} only {counts}.")
            return Deck(cards)
        return Deck(cards, tuple(Draw(node.count, tuple(places)) for places in piles.values()))


def _overlay(under: tuple[DeckCard, ...], above: Deck) -> Deck:
    """A deck in which each drawn card displaces the cards below with the same number."""
    below, draws = by_number(under), [Draw(len(under), tuple(range(len(under))))]
    for draw in above.draws:
        lost = (below.get(above.cards[at].entry.number, ()) for at in draw.positions)
        draws.append(replace(draw.after(len(under)), displaced=tuple(map(tuple, lost))))
    return Deck((*under, *above.cards), tuple(draws))


def _distinct(cards: Iterable[DeckCard]) -> tuple[DeckCard, ...]:
    return tuple({card.entry.id: card for card in cards}.values())


def _ambiguous_numbers(
    node: n.DeckOverlay, under: tuple[DeckCard, ...], over: tuple[DeckCard, ...]
) -> Iterator[Problem]:
    """Problems (E538) of numbers for which it is undefined which card replaces which."""
    numbers = dict.fromkeys(card.entry.number for card in over)
    for number in numbers:
        below, above = (
            [card for card in cards if card.entry.number == number] for cards in (under, over)
        )
        for cards, what, where in ((above, "overlay", node.over), (below, "deck below", node.deck)):
            kinds = Counter((card.set, card.entry.id) for card in cards)
            if len(kinds) > 1 and (cards is above or above):
                first = {(card.set, card.entry.id): card for card in reversed(cards)}
                one, other = (first[key] for key in [*kinds][:2])
                title = f"two cards with number {number} in the {what}"
                text = (
                    f"`{one.entry.id}` of {one.set} and `{other.entry.id}` of {other.set} have it, "
                    "so it is unclear which card replaces which."
                )
                both = tuple(Label(it.entry.keys["id"], f"in {it.set}") for it in (one, other))
                yield Problem("E538", title, where.span, text, labels=both)
        if 0 < len(below) < len(above):
            title = f"{len(above)} cards with number {number} in the overlay"
            there = f"Below there is only {len(below)} with it: `{below[0].entry.id}`."
            text = f"{there} An overlay adds no copies."
            label = (Label(above[0].entry.keys["id"], f"{len(above)} of this one"),)
            yield Problem("E538", title, node.over.span, text, labels=label)
