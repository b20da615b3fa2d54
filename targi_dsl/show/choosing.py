"""What can be chosen, numbered and in words, grouped by what it acts on; and which of it an answer means."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from targi_dsl.engine import engine_of
from targi_dsl.face import Choice, choices
from targi_dsl.flow import flow_of
from targi_dsl.model import FP, NOTHING, PC, Alternative, Ask, Type
from targi_dsl.show.ink import Ink, Line, columns, fitted, line, width, words, wrapped
from targi_dsl.show.screen import named
from targi_dsl.show.view import View
from targi_dsl.show.words import spoken

_NUMBER = re.compile(r"0*(-?[0-9]+?)")
_PACKED = 7  # a group of more than so many is set in columns, if its words are short


@dataclass(frozen=True, slots=True)
class Offer:
    """A choice by its number: what is done, and with what; `group` is what it acts on."""

    number: int
    choice: Choice
    deed: str
    thing: str
    group: str

    @property
    def words(self) -> str:
        return joined(self.deed, self.thing)


def offers(view: View) -> tuple[Offer, ...]:
    """All that can be chosen now, in words."""
    found = []
    for number, choice in enumerate(choices(view.state), 1):
        deed, thing, group = meaning(view, choice)
        found.append(Offer(number, choice, deed, thing, group))
    return tuple(found)


def joined(deed: str, thing: str) -> str:
    """Both in words; a deed that ends in the name of a region has that name once."""
    first = thing.split(" ", 1)[0]
    return f"{deed} {thing.removeprefix(first).strip() if deed.endswith(f' {first}') else thing}".strip()


def meaning(view: View, choice: Choice, *, brief: bool = True) -> tuple[str, str, str]:
    """What a choice does, with what, and what that is one of; the cards as those who look know them."""
    way, element = _answer(view, choice)
    if way is None:
        return spoken(choice.text), "", ""
    deed = spoken(way.label)
    if way.choice is None:
        return deed, "", ""
    kind = way.choice.type
    return deed, _thing(view, kind, element, brief), _sort(view, kind, element)


def _answer(view: View, choice: Choice) -> tuple[Alternative | None, int]:
    """The alternative and the element that a choice is, as far as it is one of an open question."""
    engine = engine_of(view.game)
    waiting = flow_of(engine).waiting.get(view.state.vector[PC])
    if waiting is None or not isinstance(waiting.node, Ask):
        return None, NOTHING
    at, element = choice.code >> 16, choice.code & 0xFFFF  # as `engine.asking` packs an option
    if at >= len(waiting.node.alternatives):
        return None, NOTHING  # a free exchange
    return waiting.node.alternatives[at], element - 1


def _thing(view: View, kind: Type, element: int, brief: bool) -> str:
    called = named if brief else View.card
    if kind.kind == "card" and element != NOTHING:
        return called(view, element)
    if kind.kind != "place" or element == NOTHING:
        return view.words.of(kind, element)
    on = [called(view, card) for card in view.cards(element)][:1]
    return ": ".join([view.words.place(element), *on])


def _sort(view: View, kind: Type, element: int) -> str:
    match kind.kind:
        case "place" if element != NOTHING:
            return spoken(view.game.places[element].region)
        case "card" if element != NOTHING:
            return view.words.back(element)
        case _:
            return spoken(kind.of or kind.kind)


def question(view: View) -> str:
    """What is asked: the rules that are being done, the innermost first, each with what it is done with."""
    game, vector, engine = view.game, view.state.vector, engine_of(view.game)
    found, fp = list[str](), vector[FP]
    while fp > 0:
        info = engine.code.rules[vector[fp - 1]]
        kinds = [(kind, vector[fp + 1 + at]) for at, kind in enumerate(info.slots[1 : 1 + info.params])]
        with_ = [
            _thing(view, kind, value, True) for kind, value in kinds if kind.kind in ("card", "place") and not kind.many
        ]
        name = spoken(info.name.removesuffix(" itself"))
        if vector[fp - 1] != game.round and name not in found:
            found.append(name if found or not with_ else f"{name} ({'; '.join(with_)})")
        fp = vector[fp - 2]
    return ", in ".join(found[:2]) or spoken(game.rules[game.round].name)


def menu(view: View, offered: tuple[Offer, ...]) -> list[Line]:
    """The choices as a list, those that act on the same sort of thing together."""
    last = len(str(len(offered)))
    lines: list[Line] = []
    for (deed, sort), members in groupby(offered, lambda one: (one.deed if one.thing else "", one.group)):
        group = list(members)
        if not deed:
            lines += [part for one in group for part in _entry(view, one, one.words, last, "")]
        elif len(group) == 1:
            lines += _entry(view, group[0], group[0].words, last, "")
        else:
            title = deed if sort in deed else f"{deed} ({sort})"
            lines += words(title, view.columns, style="faint")
            lines += _group(view, group, last, sort)
    return lines


def _group(view: View, group: list[Offer], last: int, sort: str) -> Iterator[Line]:
    said = [one.thing.removeprefix(f"{sort} ") for one in group]
    wide = max(columns(text) for text in said) + last + 3
    across = view.columns // wide if len(group) > _PACKED else 1
    if across < 2:
        for one, text in zip(group, said, strict=True):
            yield from _entry(view, one, text, last, "  ")
        return
    entries = [
        fitted(line(Ink(f"{one.number:>{last + 2}}", "cyan"), f" {text}"), wide)
        for one, text in zip(group, said, strict=True)
    ]
    high = -(-len(entries) // across)
    for row in range(high):
        yield tuple(ink for entry in entries[row::high] for ink in entry)


def _entry(view: View, offer: Offer, text: str, last: int, indent: str) -> list[Line]:
    head = line(Ink(f"{indent}{offer.number:>{last}}", "cyan"), " ")
    room = max(view.columns - width(head), 1)
    parts = words(text, room)
    return [(*head, *parts[0]), *((Ink(" " * width(head)), *part) for part in parts[1:])]


# ---- answers ---------------------------------------------------------------------------------------------------------


def meant(answer: str, offered: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """The choices that an answer can mean: by number, by name, by all words, by some words, by beginnings of words."""
    answer = _folded(answer)
    if not _words(answer):
        return ()
    if found := _NUMBER.fullmatch(answer):
        return tuple(one for one in offered if str(one.number) == found[1])
    for test in (_is_named, _has_words, _has_beginnings):
        if fitting := tuple(one for one in offered if test(answer, one)):
            return fitting
    return ()


def _is_named(answer: str, offer: Offer) -> bool:
    names = (offer.choice.id, offer.choice.text, spoken(offer.choice.id), offer.words, offer.thing)
    return answer in map(_folded, names)


def _has_words(answer: str, offer: Offer) -> bool:
    return set(_words(answer)) <= set(_words(f"{offer.words} {offer.choice.id} {offer.choice.text}"))


def _has_beginnings(answer: str, offer: Offer) -> bool:
    known = _words(f"{offer.words} {offer.choice.id} {offer.choice.text}")
    return all(any(one.startswith(word) for one in known) for word in _words(answer))


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in _folded(text)).split()


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(letter for letter in apart if not unicodedata.combining(letter)).split())


def listed(offered: tuple[Offer, ...], room: int) -> list[Line]:
    """Some choices in one paragraph, for a message."""
    return wrapped((line(Ink(str(one.number), "cyan"), f" {one.words}") for one in offered), room, "; ", "  ")
