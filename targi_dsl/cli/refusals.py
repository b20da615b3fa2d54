"""Replies to what cannot be chosen: why not, and what may have been meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from targi_dsl.cli.seated import Seated
from targi_dsl.display.choosing import (
    REFUSED,
    Offer,
    are_keys,
    called,
    elsewhere,
    is_key,
    keyed,
    listed,
    meant,
    offers,
    refused,
)
from targi_dsl.display.view import View
from targi_dsl.explain.reasons import why_not
from targi_dsl.text.suggestions import did_you_mean

MOST_EXPLAINED = 4
"""The most answers that `why` explains in full."""

MOST_BARRED = 80
"""The most answers for which one reply gives the reasons."""


class Refusals:
    """Explains to the people of a session why something cannot be chosen."""

    def __init__(self, session: Seated) -> None:
        self.session, self.terminal, self.words = session, session.terminal, session.words
        self.say = session.words.say

    def refuse(
        self, view: View, typed: str, matches: tuple[Offer, ...], commands: Iterable[str]
    ) -> None:
        """Replies to an answer that is not a choice."""
        offered = offers(view)
        if matches:
            self._fits(typed, matches)
        elif are_keys(typed, offered):
            text = "`{said}` are several keys; type one at a time."
            self.terminal.say(self.say(text, said=typed))
        elif closed := () if is_key(typed, offered) else meant(typed, refused(view)):
            self._closed(typed, closed)
        else:
            self._unknown(typed, offered, commands)

    def _unknown(self, typed: str, offered: tuple[Offer, ...], commands: Iterable[str]) -> None:
        parts = [word for offer in offered for word in offer.words.split() if word.isalpha()]
        ids = [offer.choice.id for offer in offered]
        known = [*(offer.words for offer in offered), *ids, *commands, *parts]
        hints = [self.say("There is no choice `{said}` here.", said=typed)]
        looks_like_key = is_key(typed, offered)
        if near := None if looks_like_key else did_you_mean(typed, known):
            hints.append(self.say("Did you mean `{meant}`?", meant=near))
        else:
            text = "The keys are {first} to {last}; `help` tells what else can be said."
            hints.append(self.say(text, first=offered[0].key, last=offered[-1].key))
            if not looks_like_key:
                hints.append(self.say("`why {said}` tells why not.", said=typed))
        self.terminal.say(" ".join(hints))

    def _fits(self, typed: str, matches: tuple[Offer, ...]) -> None:
        """Lists everything an answer can mean, with reasons for what cannot be chosen."""
        one, many = "`{said}` fits {number} choice:", "`{said}` fits {number} choices:"
        self.terminal.say(self.words.count(one, many, len(matches), said=typed))
        if offered := tuple(offer for offer in matches if offer.key != REFUSED):
            self.terminal.show(listed(offered, self.terminal.columns))
        self._list_barred([offer for offer in matches if offer.key == REFUSED])

    def _closed(self, typed: str, closed: tuple[Offer, ...]) -> None:
        """Explains why the intended choice is not possible."""
        if len(closed) == 1:
            why = self._reason(closed[0]) or self.say("`why {said}`", said=typed)
            text = "`{choice}` cannot be chosen now: {reason}."
            self.terminal.say(self.say(text, choice=closed[0].title, reason=why))
            return
        text = "None of the {number} that fit `{said}` can be chosen now:"
        self.terminal.say(self.say(text, number=len(closed), said=typed))
        self._list_barred(closed)

    def _list_barred(self, barred: Sequence[Offer]) -> None:
        """Answers that cannot be chosen now, those with the same reason in one paragraph."""
        by_reason = dict[str, list[Offer]]()
        for offer in barred[:MOST_BARRED]:
            by_reason.setdefault(self._reason(offer), []).append(offer)
        for why, alike in by_reason.items():
            reason = why or self.say("not now")
            self.terminal.say(f"  {', '.join(dict.fromkeys(_titles(alike)))}: {reason}")
        if (more := len(barred) - MOST_BARRED) > 0:
            text = self.words.count("and {number} other", "and {number} others", more)
            self.terminal.say(f"  {text}")

    def _reason(self, offer: Offer) -> str:
        """Why an answer is not offered, in one line."""
        reasons = why_not(self.session.state, offer.choice.id, self.words)
        return "; ".join(dict.fromkeys(reason.text for reason in reasons))

    def explain(self, view: View, typed: str) -> None:
        """Explains why something cannot be chosen now; without a word, everything that cannot."""
        barred = tuple(refused(view))
        if not typed:
            self._list_barred(barred)
            if not barred:
                self.terminal.say(self.say("Every answer to this question can be chosen."))
            return
        answers = (*offers(view), *barred)
        # a choice, but also anything else with the same name
        matches = tuple(dict.fromkeys((*keyed(typed, answers), *called(typed, answers))))
        if not matches and (others := called(typed, elsewhere(view))):
            self._reasons(others[0].choice.id)
            return
        matches = matches or meant(typed, answers)
        if len(matches) > MOST_EXPLAINED:
            self._fits(typed, matches)
            return
        for offer in matches:
            if offer.key != REFUSED:
                choice = f"{offer.key}) {offer.title}"
                self.terminal.say(self.say("That can be chosen: {choice}", choice=choice))
            else:
                self.terminal.say(f"{offer.title}:")
                self._reasons(offer.choice.id)
        if not matches:
            self._reasons(typed)

    def _reasons(self, answer: str) -> None:
        """Every reason why an answer, given by its id, is not offered; a reason that applies to
        several things is given once.
        """
        reasons = why_not(self.session.state, answer, self.words)
        alike = Counter((reason.name, reason.text.rpartition(": ")[2]) for reason in reasons)
        for (name, text), number in alike.items():
            reason = next(
                candidate
                for candidate in reasons
                if candidate.name == name and candidate.text.endswith(text)
            )
            place = f" ({reason.file}:{reason.line})" if reason.file else ""
            head = f"{name}: " if self.words.language.is_english else ""
            self.terminal.say(f"  {head}{reason.text if number == 1 else text}{place}")
            for lift in reason.lifts:
                lifting = self.words.ability(lift)
                self.terminal.say(f"    {self.say('lifted by {ability}', ability=lifting)}")
            if reason.lasts:
                self.terminal.say(f"    {reason.lasts}")


def _titles(barred: list[Offer]) -> Iterator[str]:
    """The answers in words; an action is named once for all of its objects."""
    for _, alike in groupby(barred, lambda offer: offer.label):
        first, *others = alike
        yield first.title
        yield from (other.name or other.title for other in others)
