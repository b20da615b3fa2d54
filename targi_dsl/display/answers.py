"""The choices that an answer matches."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from targi_dsl.api.naming import spoken
from targi_dsl.display.choosing import REFUSED, Offer

_NUMBER = re.compile(r"0*(-?[0-9]+?)")
_SEVERAL = re.compile(r"[\s,;]+")


def meant(answer: str, offered: Iterable[Offer]) -> tuple[Offer, ...]:
    """The choices that an answer can mean: by key or by name; only if no name matches, by words of
    more than one letter in what the choice costs or gives.
    """
    offered, answer = tuple(offered), _folded(answer)
    by_key = keyed(answer, offered)
    if by_key or is_key(answer, offered):
        return by_key
    if are_keys(answer, offered):
        return ()
    if found_so := called(answer, offered):
        return found_so
    if len(answer) == 1 or _NUMBER.search(answer):
        return ()
    return _fitting(answer, [(one, one.words) for one in offered])


def keyed(answer: str, offered: Iterable[Offer]) -> tuple[Offer, ...]:
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
        is_key(part.removesuffix(")"), offered) or keyed(part, offered) for part in parts if part
    )
    return keys and not is_whole(answer, offered)


def called(answer: str, offered: Iterable[Offer]) -> tuple[Offer, ...]:
    """The choices whose name matches, or has the words of an answer in it, or words that begin like
    them.

    Numbers match only as part of a name: `border 1` never matches a card on another place that
    gives 1.
    """
    offered, answer = tuple(offered), _folded(answer)
    whole = tuple(
        one
        for one in offered
        if answer and answer in map(_folded, (*_names(one), one.words, one.thing))
    )
    return whole or _fitting(answer, [(one, " ".join(_names(one))) for one in offered])


def is_whole(answer: str, offered: Iterable[Offer]) -> bool:
    """Whether an answer is the whole name of a choice, not only a part of it."""
    return any(_folded(answer) in map(_folded, (*_names(one), one.words)) for one in offered)


def _fitting(answer: str, known: list[tuple[Offer, str]]) -> tuple[Offer, ...]:
    said = _words(answer)
    for fits in (_has_words, _has_beginnings) if said else ():
        if fitting := tuple(one for one, text in known if fits(said, _words(text))):
            return fitting
    return ()


def _names(offer: Offer) -> tuple[str, ...]:
    id_ = offer.choice.id
    return id_, offer.choice.text, spoken(id_), offer.name, offer.short, offer.title


def _has_words(said: list[str], known: list[str]) -> bool:
    return set(said) <= set(known)


def _has_beginnings(said: list[str], known: list[str]) -> bool:
    return all(
        any(one == word if word.isdecimal() else one.startswith(word) for one in known)
        for word in said
    )


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in _folded(text)).split()


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(
        "".join(letter for letter in apart if not unicodedata.combining(letter)).split()
    )
