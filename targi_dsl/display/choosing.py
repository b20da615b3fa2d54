"""Choices with keys, and the interpretation of typed answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from targi_dsl.display.ink import Ink, Line, line, wrap_parts
from targi_dsl.display.scene import Scene
from targi_dsl.text.languages import words_of
from targi_dsl.text.structs import Frozen
from targi_dsl.view.offers import Answers, join_words
from targi_dsl.view.seen import Seen
from targi_dsl.view.shape import Lead, Offer

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
REFUSED = ""
"""The key of an answer that is not offered."""


class Keyed(Frozen):
    """A choice with its key: a number or letters, or REFUSED."""

    key: str
    offer: Offer

    @property
    def words(self) -> str:
        return join_words(self.offer.label, self.thing)

    @property
    def thing(self) -> str:
        """Its object and consequences, in full."""
        return f"{self.offer.thing}{led_to(self.offer.leads)}".strip()

    def brief(self, version: int) -> str:
        """Its object without costs, and a version of its consequences."""
        return f"{self.offer.name}{led_to(self.offer.leads, version)}".strip()

    @property
    def title(self) -> str:
        """The action and its object, without costs."""
        return join_words(self.offer.label, self.offer.name)


def led_to(leads: Iterable[Lead], version: int = 0) -> str:
    """Consequences in a version, from 0 (longest) on."""
    texts = [lead.words[min(version, len(lead.words) - 1)] for lead in leads]
    return f" → {', '.join(texts)}" if texts else ""


def offers(scene: Scene) -> tuple[Keyed, ...]:
    """The choices of a view. Keys are letters in games where numbers name things."""
    key = _letters if scene.game.is_numbered else str
    return tuple(Keyed(key(at), one) for at, one in enumerate(scene.view.offers, 1))


def barred_offers(seen: Seen) -> tuple[Keyed, ...]:
    """The answers to the open question that are not offered."""
    return tuple(Keyed(REFUSED, one) for one in Answers(seen).barred())


def elsewhere(seen: Seen) -> tuple[Keyed, ...]:
    """The answers to other questions of the rules."""
    return tuple(Keyed(REFUSED, one) for one in Answers(seen).elsewhere())


def _letters(number: int) -> str:
    """A number as letters: a to z, aa, ab, and so on."""
    before, last = divmod(number - 1, len(_LETTERS))
    return (_letters(before) if before else "") + _LETTERS[last]


def listing(offered: tuple[Keyed, ...], room: int) -> list[Line]:
    """Choices in one paragraph, for a message."""
    parts = (
        line(Ink(f"{one.key}) ", "cyan") if one.key != REFUSED else "", one.words)
        for one in offered
    )
    return wrap_parts(parts, room, "; ", "  ")


_NUMBER = re.compile(r"0*(-?[0-9]+?)")
_SEVERAL = re.compile(r"[\s,;]+")


def offers_meant(answer: str, offered: Iterable[Keyed]) -> tuple[Keyed, ...]:
    """The choices that an answer may mean: by key, or by name, or else by words of its costs and
    consequences.
    """
    offered, answer = tuple(offered), _fold_case(answer)
    by_key = with_key(answer, offered)
    if by_key or is_key(answer, offered) or are_keys(answer, offered):
        return by_key
    named = by_name(answer, offered)
    if named or len(answer) == 1 or _NUMBER.search(answer):
        return named
    return _fitting(answer, [(one, one.words) for one in offered])


def with_key(answer: str, offered: Iterable[Keyed]) -> tuple[Keyed, ...]:
    """The choice with this key; `3)` is accepted too."""
    answer = answer.removesuffix(")")
    number = _NUMBER.fullmatch(answer)
    key = number[1] if number else answer.casefold()
    return tuple(one for one in offered if one.key != REFUSED and one.key == key)


def is_key(answer: str, offered: Iterable[Keyed]) -> bool:
    """Whether an answer looks like a key: a number, or a single letter if keys are letters."""
    if _NUMBER.fullmatch(answer):
        return any(one.key.isdecimal() for one in offered)
    return len(answer) == 1 and any(one.key.isalpha() for one in offered)


def are_keys(answer: str, offered: tuple[Keyed, ...]) -> bool:
    """Whether an answer is a list of keys and not a name; then it is not matched by initials."""
    parts = _SEVERAL.split(answer)
    keys = len(parts) > 1 and all(
        is_key(part.removesuffix(")"), offered) or with_key(part, offered) for part in parts if part
    )
    return keys and not is_whole(answer, offered)


def by_name(answer: str, offered: Iterable[Keyed]) -> tuple[Keyed, ...]:
    """The choices whose name equals the answer, contains its words, or has words that begin with
    them. Numbers match only within names, so `border 1` never matches a card elsewhere that gives
    1.
    """
    offered, answer = tuple(offered), _fold_case(answer)
    known = [(one, " ".join(_names(one))) for one in offered]
    return _named(answer, offered) or _fitting(answer, known)


def is_whole(answer: str, offered: Iterable[Keyed]) -> bool:
    """Whether an answer is the whole name of a choice."""
    return bool(_named(_fold_case(answer), offered))


def _named(answer: str, offered: Iterable[Keyed]) -> tuple[Keyed, ...]:
    """The choices with this name."""
    names = ((one, (*_names(one), one.words, one.thing)) for one in offered if answer)
    return tuple(one for one, every in names if answer in map(_fold_case, every))


def _fitting(answer: str, known: list[tuple[Keyed, str]]) -> tuple[Keyed, ...]:
    """The choices that contain the words of an answer, or else words that begin with them."""
    wanted, texts = _words(answer), [(one, _words(text)) for one, text in known]
    if not wanted:
        return ()
    return tuple(one for one, text in texts if {*wanted} <= {*text}) or tuple(
        one for one, text in texts if all(_is_begun(word, text) for word in wanted)
    )


def _is_begun(word: str, known: list[str]) -> bool:
    return any(one == word if word.isdecimal() else one.startswith(word) for one in known)


def _names(keyed: Keyed) -> tuple[str, ...]:
    offer = keyed.offer
    return offer.id, offer.also, words_of(offer.id), offer.name, offer.short, keyed.title


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in _fold_case(text)).split()


def _fold_case(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(
        "".join(letter for letter in apart if not unicodedata.combining(letter)).split()
    )
