"""The choices by key, and which of them an answer means."""

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
"""The key of an answer that cannot be chosen now."""


class Keyed(Frozen):
    """A choice with its key, a number or letters; REFUSED for an answer that is not offered."""

    key: str
    offer: Offer

    @property
    def words(self) -> str:
        return join_words(self.offer.label, self.thing)

    @property
    def thing(self) -> str:
        """What it acts on and leads to, in full."""
        return f"{self.offer.thing}{led_to(self.offer.leads)}".strip()

    def brief(self, version: int) -> str:
        """What it acts on, without what that costs or gives, and a version of what it leads to."""
        return f"{self.offer.name}{led_to(self.offer.leads, version)}".strip()

    @property
    def title(self) -> str:
        """The words of a choice, without what it costs or gives."""
        return join_words(self.offer.label, self.offer.name)


def led_to(leads: Iterable[Lead], version: int = 0) -> str:
    """What a choice leads to, from the longest version to shorter ones."""
    said = [lead.words[min(version, len(lead.words) - 1)] for lead in leads]
    return f" → {', '.join(said)}" if said else ""


def offers(scene: Scene) -> tuple[Keyed, ...]:
    """All choices that can be made now. In games that use numbers as names, the keys are letters,
    so that the two cannot be confused.
    """
    key = _letters if scene.game.is_numbered else str
    return tuple(Keyed(key(at), one) for at, one in enumerate(scene.view.offers, 1))


def barred_offers(seen: Seen) -> tuple[Keyed, ...]:
    """Every other answer that the open question could have."""
    return tuple(Keyed(REFUSED, one) for one in Answers(seen).barred())


def elsewhere(seen: Seen) -> tuple[Keyed, ...]:
    """Every answer to the other questions of the rules."""
    return tuple(Keyed(REFUSED, one) for one in Answers(seen).elsewhere())


def _letters(number: int) -> str:
    """A number in letters: a to z, then aa, ab, and so on."""
    before, last = divmod(number - 1, len(_LETTERS))
    return (_letters(before) if before else "") + _LETTERS[last]


def listing(offered: tuple[Keyed, ...], room: int) -> list[Line]:
    """Some choices in one paragraph, for a message."""
    parts = (
        line(Ink(f"{one.key}) ", "cyan") if one.key != REFUSED else "", one.words)
        for one in offered
    )
    return wrap_parts(parts, room, "; ", "  ")


_NUMBER = re.compile(r"0*(-?[0-9]+?)")
_SEVERAL = re.compile(r"[\s,;]+")


def offers_meant(answer: str, offered: Iterable[Keyed]) -> tuple[Keyed, ...]:
    """The choices that an answer can mean: by key or by name; only if no name matches, by words of
    more than one letter in what the choice costs or gives.
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
    """The choice with this key, if there is one; `3)` is accepted too."""
    answer = answer.removesuffix(")")
    number = _NUMBER.fullmatch(answer)
    key = number[1] if number else answer.casefold()
    return tuple(one for one in offered if one.key != REFUSED and one.key == key)


def is_key(answer: str, offered: Iterable[Keyed]) -> bool:
    """Whether an answer looks like a key rather than a word: a number, or a single letter if the
    keys are letters.
    """
    if _NUMBER.fullmatch(answer):
        return any(one.key.isdecimal() for one in offered)
    return len(answer) == 1 and any(one.key.isalpha() for one in offered)


def are_keys(answer: str, offered: tuple[Keyed, ...]) -> bool:
    """Whether an answer is several keys and no name: the first letters of words are not meant."""
    parts = _SEVERAL.split(answer)
    keys = len(parts) > 1 and all(
        is_key(part.removesuffix(")"), offered) or with_key(part, offered) for part in parts if part
    )
    return keys and not is_whole(answer, offered)


def by_name(answer: str, offered: Iterable[Keyed]) -> tuple[Keyed, ...]:
    """The choices whose name matches, or has the words of an answer in it, or words that begin like
    them.

    Numbers match only as part of a name: `border 1` never matches a card on another place that
    gives 1.
    """
    offered, answer = tuple(offered), _fold_case(answer)
    known = [(one, " ".join(_names(one))) for one in offered]
    return _named(answer, offered) or _fitting(answer, known)


def is_whole(answer: str, offered: Iterable[Keyed]) -> bool:
    """Whether an answer is the whole name of a choice, not only a part of it."""
    return bool(_named(_fold_case(answer), offered))


def _named(answer: str, offered: Iterable[Keyed]) -> tuple[Keyed, ...]:
    """The choices of which an answer is the whole name."""
    names = ((one, (*_names(one), one.words, one.thing)) for one in offered if answer)
    return tuple(one for one, every in names if answer in map(_fold_case, every))


def _fitting(answer: str, known: list[tuple[Keyed, str]]) -> tuple[Keyed, ...]:
    """The choices with the words of an answer, or else with words that begin like them."""
    said, texts = _words(answer), [(one, _words(text)) for one, text in known]
    if not said:
        return ()
    return tuple(one for one, text in texts if {*said} <= {*text}) or tuple(
        one for one, text in texts if all(_is_begun(word, text) for word in said)
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
