"""The choices, numbered and in words, grouped by what they act on; and which of them an answer
means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from targi_dsl.api import Choice
from targi_dsl.api.naming import words_of
from targi_dsl.codegen import engine_of
from targi_dsl.display.ink import Ink, Line, line, wrap_parts
from targi_dsl.display.phrases import Phrases, Told, rules_in_progress, thing
from targi_dsl.display.view import View
from targi_dsl.display.words import Words
from targi_dsl.engine.options import unpack
from targi_dsl.explain.why_not import elements
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import Question, Way
from targi_dsl.text.languages import message
from targi_dsl.text.structs import Frozen

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SORTS = (
    message("player"), message("number"), message("resource"), message("piece"),
    message("place"), message("truth"), message("price"), message("card"),
)  # fmt: skip
"""Sorts of things that exist in every game."""
REFUSED = ""
"""The key of an answer that cannot be chosen now."""


class Barred(Frozen):
    """An answer that is not offered at the moment."""

    id: str
    text: str


class Offer(Frozen):
    """A choice by its key, a number or letters: the action, and what it acts on.

    name: the choice without what it costs or gives. short: the name of its card as in narrow
    columns of the table. leads: its effect; brief_leads: with spaces by their addresses. group: the
    group it belongs to.
    """

    key: str
    choice: Choice | Barred
    label: str
    thing: str
    name: str
    short: str
    leads: str
    brief_leads: str
    group: str

    @property
    def words(self) -> str:
        return join_words(self.label, self.thing)

    @property
    def title(self) -> str:
        """The words of a choice, without what it costs or gives."""
        return join_words(self.label, self.name)


def offers(view: View) -> tuple[Offer, ...]:
    """All choices that can be made now, in words. In games that use numbers as names, the keys are
    letters, so that the two cannot be confused.
    """
    key = _letters if view.words.numbered else str
    return tuple(
        _offer(view, key(number), choice, *_answer(view, choice))
        for number, choice in enumerate(view.choices, 1)
    )


def _letters(number: int) -> str:
    """A number in letters: a to z, then aa, ab, and so on."""
    before, last = divmod(number - 1, len(_LETTERS))
    return (_letters(before) if before else "") + _LETTERS[last]


def barred_offers(view: View) -> Iterator[Offer]:
    """Every other answer that the open question could have, including free exchanges; for a
    payment, unit by unit.
    """
    engine = engine_of(view.game)
    offered = {choice.id for choice in view.choices}
    asked = engine.asked(view.seen.vector)
    plain = [one.id for one in engine.program.exchanges]
    plain += (
        [f"pay {resource}" for resource in view.game.resources]
        if asked is not None and asked.bill is not None
        else []
    )
    answers = [_offer(view, REFUSED, Barred(id_, id_), None, NOTHING) for id_ in plain]
    answers += _answers(view, asked) if asked is not None else ()
    yield from (one for one in answers if one.choice.id not in offered)


def elsewhere(view: View) -> Iterator[Offer]:
    """Every answer to the other questions of the rules."""
    engine = engine_of(view.game)
    now = engine.asked(view.seen.vector)
    for question in engine.program.questions:
        if question is not now:
            yield from _answers(view, question)


def _answers(view: View, question: Question) -> Iterator[Offer]:
    for way in question.ways:
        if way.choice is None:
            yield _offer(view, REFUSED, Barred(way.label, way.label), way, NOTHING)
            continue
        for element in elements(engine_of(view.game), way.choice):
            domain = view.words.domains.of(way.choice.type)
            id_, text = (
                f"{way.label} {one}" for one in (domain.name(element), domain.word(element))
            )
            yield _offer(view, REFUSED, Barred(id_, text), way, element)


def _offer(view: View, key: str, choice: Choice | Barred, way: Way | None, element: int) -> Offer:
    label, what, told = _words_of(view, choice, way, element, True)
    _, name, _ = _words_of(view, choice, way, element, False)
    leads, brief = map(_led_to, (told.leads, told.brief_leads) if told is not None else ((), ()))
    group = _sort(view, way.choice.type, element) if way is not None and way.choice else ""
    what, short = f"{what}{leads}".strip(), _short(view, way, element)
    return Offer(key, choice, label, what, name, short, leads, brief, group)


def _short(view: View, way: Way | None, element: int) -> str:
    """The short name of the card that is chosen, or of the one on the chosen space."""
    if way is None or way.choice is None or element == NOTHING:
        return ""
    match way.choice.type:
        case t.Card():
            card = element
        case t.Place():
            card = next(view.cards(element), NOTHING)
        case _:
            return ""
    return view.words.short(card) if card != NOTHING and view.knows(card) else ""


def _led_to(effects: tuple[str, ...]) -> str:
    return f" → {', '.join(effects)}" if effects else ""


def join_words(label: str, thing: str) -> str:
    """An action and its object in words; a region that ends the one and begins the other appears
    once.
    """
    first = thing.split(" ", 1)[0]
    rest = thing.removeprefix(first).strip() if label.endswith(f" {first}") else thing
    return f"{label} {rest}".strip()


def meaning(view: View, choice: Choice) -> tuple[str, str]:
    """The action and object of a choice, with cards as the observers know them."""
    return _words_of(view, choice, *_answer(view, choice), False)[:2]


def _words_of(
    view: View, choice: Choice | Barred, way: Way | None, element: int, brief: bool
) -> tuple[str, str, Told | None]:
    """The action and the object of a choice, and its own words if it has any."""
    if way is None:
        return exchange_words(view.words, choice.id) or _payment_or_outcome(view, choice), "", None
    label, what = view.words.answer(way.label), ""
    if way.choice is not None:
        what = thing(view, way.choice.type, element, brief)
    told = Phrases(view, brief).answer(way, element)
    if told is not None and told.label:
        label, what = told.label, told.thing
    return label, what, told


def exchange_words(names: Words, id_: str) -> str:
    """A free exchange in words; nothing for any other choice."""
    for one in engine_of(names.game).program.exchanges:
        if one.id == id_:
            name = id_.partition(" ")[0]
            given, taken = names.amounts(one.give), names.amounts(one.take)
            if f"exchange {name}" in names.game.called:
                return names.called("exchange", name)
            return names.say("exchange {given} for {taken}", given=given, taken=taken)
    return ""


def _payment_or_outcome(view: View, choice: Choice | Barred) -> str:
    """A payment, as whole amounts or unit by unit, or an outcome of chance."""
    if found := view.words.deal(choice.id):
        return found
    verb, _, what = choice.id.partition(" ")
    if verb == "pay" and what in view.game.resources:
        return view.words.say("pay {amounts}", amounts=view.words.amount(what, 1))
    return view.words.word(choice.text)


def _answer(view: View, choice: Choice) -> tuple[Way | None, int]:
    """The alternative and the element of a choice, if it answers the open question."""
    asked = engine_of(view.game).asked(view.seen.vector)
    at, element = unpack(choice.code)
    if asked is None or at >= len(asked.ways):
        return None, NOTHING  # chance, a payment, a free exchange
    return asked.ways[at], element


def _sort(view: View, kind: t.Type, element: int) -> str:
    match kind:
        case t.Place() if element != NOTHING:
            return view.words.region(element)
        case t.Card() if element != NOTHING:
            return view.words.back(element)
        case _:
            name = kind.name
            return view.words.say(name) if name in _SORTS else view.words.word(name)


def question(view: View) -> str:
    """The question, in the words of the rules in progress: of the innermost rule that has words,
    and of the one around it. If none has, in their names.
    """
    game, phrases, said = view.game, Phrases(view), list[str]()
    doing = [*rules_in_progress(engine_of(game), view.seen.vector)]
    for one in doing:
        text = phrases.rule(one, bare=bool(said)) or view.words.action(one.name)
        said += [text] if text and text not in said else []
    doing = [one for one in doing if one.rule != game.round]
    if said or not doing:
        return ": ".join(reversed(said[:2])) or view.words.word(game.rules[game.round].name)
    first = view.words.word(doing[0].name)
    with_ = "; ".join(
        thing(view, kind, value, True)
        for kind, value in doing[0].arguments
        if isinstance(kind, t.Card | t.Place)
    )
    return f"{first} ({with_})" if with_ else first


def listing(offered: tuple[Offer, ...], room: int) -> list[Line]:
    """Some choices in one paragraph, for a message."""
    parts = (
        line(Ink(f"{one.key}) ", "cyan") if one.key != REFUSED else "", one.words)
        for one in offered
    )
    return wrap_parts(parts, room, "; ", "  ")


_NUMBER = re.compile(r"0*(-?[0-9]+?)")
_SEVERAL = re.compile(r"[\s,;]+")


def offers_meant(answer: str, offered: Iterable[Offer]) -> tuple[Offer, ...]:
    """The choices that an answer can mean: by key or by name; only if no name matches, by words of
    more than one letter in what the choice costs or gives.
    """
    offered, answer = tuple(offered), _fold_case(answer)
    by_key = with_key(answer, offered)
    if by_key or is_key(answer, offered):
        return by_key
    if are_keys(answer, offered):
        return ()
    if found_so := by_name(answer, offered):
        return found_so
    if len(answer) == 1 or _NUMBER.search(answer):
        return ()
    return _fitting(answer, [(one, one.words) for one in offered])


def with_key(answer: str, offered: Iterable[Offer]) -> tuple[Offer, ...]:
    """The choice with this key, if there is one; `3)` is accepted too."""
    answer = answer.removesuffix(")")
    number = _NUMBER.fullmatch(answer)
    key = number[1] if number else answer.casefold()
    return tuple(one for one in offered if one.key != REFUSED and one.key == key)


def is_key(answer: str, offered: Iterable[Offer]) -> bool:
    """Whether an answer looks like a key rather than a word: a number, or a single letter if the
    keys are letters.
    """
    if _NUMBER.fullmatch(answer):
        return any(one.key.isdecimal() for one in offered)
    return len(answer) == 1 and any(one.key.isalpha() for one in offered)


def are_keys(answer: str, offered: tuple[Offer, ...]) -> bool:
    """Whether an answer is several keys and no name: the first letters of words are not meant."""
    parts = _SEVERAL.split(answer)
    keys = len(parts) > 1 and all(
        is_key(part.removesuffix(")"), offered) or with_key(part, offered) for part in parts if part
    )
    return keys and not is_whole(answer, offered)


def by_name(answer: str, offered: Iterable[Offer]) -> tuple[Offer, ...]:
    """The choices whose name matches, or has the words of an answer in it, or words that begin like
    them.

    Numbers match only as part of a name: `border 1` never matches a card on another place that
    gives 1.
    """
    offered, answer = tuple(offered), _fold_case(answer)
    whole = tuple(
        one
        for one in offered
        if answer and answer in map(_fold_case, (*_names(one), one.words, one.thing))
    )
    return whole or _fitting(answer, [(one, " ".join(_names(one))) for one in offered])


def is_whole(answer: str, offered: Iterable[Offer]) -> bool:
    """Whether an answer is the whole name of a choice, not only a part of it."""
    return any(_fold_case(answer) in map(_fold_case, (*_names(one), one.words)) for one in offered)


def _fitting(answer: str, known: list[tuple[Offer, str]]) -> tuple[Offer, ...]:
    said = _words(answer)
    for fits in (_has_words, _has_beginnings) if said else ():
        if fitting := tuple(one for one, text in known if fits(said, _words(text))):
            return fitting
    return ()


def _names(offer: Offer) -> tuple[str, ...]:
    id_ = offer.choice.id
    return id_, offer.choice.text, words_of(id_), offer.name, offer.short, offer.title


def _has_words(said: list[str], known: list[str]) -> bool:
    return set(said) <= set(known)


def _has_beginnings(said: list[str], known: list[str]) -> bool:
    return all(
        any(one == word if word.isdecimal() else one.startswith(word) for one in known)
        for word in said
    )


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in _fold_case(text)).split()


def _fold_case(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(
        "".join(letter for letter in apart if not unicodedata.combining(letter)).split()
    )
