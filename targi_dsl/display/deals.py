"""What a card costs or does, from the full text of the rules to a few words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from targi_dsl.api.naming import Naming, spoken
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_ability, parse_action, parse_cost
from targi_dsl.text.languages import message
from targi_dsl.text.source import Source

_Part = str | tuple[int, str]
"""Words and signs, or a number of a resource."""
_Parts = tuple[_Part, ...]

_PLUS, _FOR = message("plus"), message("for")
_AND, _OR, _GIVES = ", ", " / ", " > "
_CLOSER = {_AND: " "}
_CLOSEST = {_AND: " ", _OR: "/", _GIVES: ">"}


class Deals:
    """Shortens texts of the rules of one game; items: the abbreviations of its resources."""

    def __init__(self, names: Naming, items: Mapping[str, str]) -> None:
        self.names, self.items = names, items
        cards, abilities = names.game.cards, names.game.abilities
        self._costs = {str(card.fields[key]) for card in cards for key in card.prices}
        self._abilities = {ability.text for ability in abilities}
        self._parts: dict[str, _Parts | None] = {}

    def is_said(self, text: str) -> bool:
        """Whether a text contains only amounts and prices."""
        return self._parts_of(text) is not None

    def told(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Versions of texts from long to short; none if one of them needs more than amounts and
        there is no translation of it.
        """
        known = [(text, self._parts_of(text)) for text in texts]
        if not (self.names.language.is_english or all(parts is not None for _, parts in known)):
            return ()
        versions = (
            "; ".join(
                spoken(text) if parts is None else self._written(parts, signs, is_short)
                for text, parts in known
            )
            for signs, is_short in (({}, False), (_CLOSER, True), (_CLOSEST, True))
        )
        return tuple(dict.fromkeys(versions))

    def _written(self, parts: _Parts, signs: Mapping[str, str], is_short: bool) -> str:
        return "".join(
            signs.get(part, part) if isinstance(part, str) else self._amount(*part, is_short)
            for part in parts
        )

    def _amount(self, number: int, item: str, is_short: bool) -> str:
        return f"{number}{self.items[item]}" if is_short else self.names.amount(item, number)

    def _parts_of(self, text: str) -> _Parts | None:
        if text not in self._parts:
            try:
                self._parts[text] = tuple(self._read(text))
            except _Unsaid:
                self._parts[text] = None
        return self._parts[text]

    def _read(self, text: str) -> Iterator[_Part]:
        source = Source("", text)
        if text in self._costs:
            return self._price(parse_cost(source)[0])
        if text in self._abilities:
            return self._ability(parse_ability(source)[0])
        return self._block(parse_action(source)[0] or ())

    def _ability(self, ability: n.Ability | None) -> Iterator[_Part]:
        match ability:
            case n.Ability((n.Always() | n.AtEnd(),), n.EffectBody(block)):
                return self._block(block)
            case _:
                raise _Unsaid

    def _block(self, block: n.Block) -> Iterator[_Part]:
        match block:
            case (n.Gain(n.Price() as price),):
                yield "+"
                yield from self._price(price)
            case (n.Exchange(give, take),):
                yield from self._amounts(give)
                yield _GIVES
                yield from self._price(take)
            case (n.Times(None, None, body),):
                yield from self._block(body)
            case (n.OneOf(alternatives, ()),):
                for number, one in enumerate(alternatives):
                    yield from (_OR,) * (number > 0)
                    match one:
                        case n.Alternative(None, None, None, None, None, body):
                            yield from self._block(body)
                        case _:
                            raise _Unsaid
            case _:
                raise _Unsaid

    def _price(self, price: n.Price | None) -> Iterator[_Part]:
        if price is None:
            raise _Unsaid
        for number, amounts in enumerate(price.alternatives):
            yield from (_OR,) * (number > 0)
            yield from self._amounts(amounts)
        if price.extra:
            yield f" {self.names.say(_PLUS)} "
            yield from self._amounts(price.extra)
            yield f" {self.names.say(_FOR)} "
            yield from self._amounts(price.reward)

    def _amounts(self, amounts: tuple[n.Amount, ...]) -> Iterator[_Part]:
        for number, amount in enumerate(amounts):
            yield from (_AND,) * (number > 0)
            match amount:
                case n.Amount(n.Number(count), n.Word(name), "one" | ""):
                    item = self.names.game.counted(name)
                    if item not in self.items:
                        raise _Unsaid
                    yield count, item
                case _:
                    raise _Unsaid


class _Unsaid(Exception):
    """A text needs more than amounts and prices."""
