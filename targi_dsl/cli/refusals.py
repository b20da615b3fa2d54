"""Answers to what cannot be chosen: why not, and what may have been meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from targi_dsl.cli.seated import Seated
from targi_dsl.display.choosing import Offer, called, elsewhere, listed, meant, offers, refused
from targi_dsl.display.view import View
from targi_dsl.explain.reasons import why_not
from targi_dsl.text.suggestions import did_you_mean

MOST_EXPLAINED = 4
"""Answers that `why` explains at once."""


class Refusals:
    """Tells the people of a session why something cannot be chosen."""

    def __init__(self, session: Seated) -> None:
        self.session, self.terminal, self.words = session, session.terminal, session.words

    def refuse(
        self,
        view: View,
        said: str,
        found: tuple[Offer, ...],
        offered: tuple[Offer, ...],
        commands: Iterable[str],
    ) -> None:
        """Answers what is no choice."""
        if found:
            self._fits(said, found)
            return
        if closed := meant(said, refused(view)):
            self._closed(said, closed)
            return
        parts = [word for one in offered for word in one.words.split() if word.isalpha()]
        known = [
            *(one.words for one in offered),
            *(one.choice.id for one in offered),
            *commands,
            *parts,
        ]
        hints = [self.words.say("There is no choice `{said}` here.", said=said)]
        if near := None if said.isdecimal() else did_you_mean(said, known):
            hints.append(self.words.say("Did you mean `{meant}`?", meant=near))
        else:
            text = "There are 1 to {last}; `help` tells what else can be said."
            hints.append(self.words.say(text, last=len(offered)))
            if not said.isdecimal():
                hints.append(self.words.say("`why {said}` tells why not.", said=said))
        self.terminal.say(" ".join(hints))

    def _fits(self, said: str, found: tuple[Offer, ...]) -> None:
        """Lists all that an answer can mean."""
        one, many = "`{said}` fits {number} choice:", "`{said}` fits {number} choices:"
        self.terminal.say(self.words.count(one, many, len(found), said=said))
        self.terminal.show(listed(found, self.terminal.columns))

    def _closed(self, said: str, closed: tuple[Offer, ...]) -> None:
        """Says why what is meant cannot be chosen, or how to ask for that."""
        if len(closed) > 1:
            none = "None of the {number} that fit `{said}` can be chosen now."
            why = "`why {said}` tells why."
            texts = (
                self.words.say(none, number=len(closed), said=said),
                self.words.say(why, said=said),
            )
            self.terminal.say(" ".join(texts))
            return
        reasons = why_not(self.session.state, closed[0].choice.id, self.words)
        why = "; ".join(dict.fromkeys(one.text for one in reasons)) or self.words.say(
            "`why {said}`", said=said
        )
        text = "`{choice}` cannot be chosen now: {reason}."
        self.terminal.say(self.words.say(text, choice=closed[0].title, reason=why))

    def explain(self, view: View, said: str) -> None:
        """Says why something cannot be chosen now."""
        if not said:
            self.terminal.say(
                self.words.say("`why` needs the words of a choice that is not there.")
            )
            return
        answers = (*offers(view), *refused(view))
        found = called(said, answers)
        if said.isdecimal():  # the number of a choice, but also that of whatever is called so
            found = tuple(dict.fromkeys((*meant(said, answers), *found)))
        if not found and (others := called(said, elsewhere(view))):
            self._reasons(others[0].choice.id)
            return
        found = found or meant(said, answers)
        if len(found) > MOST_EXPLAINED:
            self._fits(said, found)
            return
        for one in found:
            if one.number:
                choice = f"{one.number}) {one.title}"
                self.terminal.say(self.words.say("That can be chosen: {choice}", choice=choice))
            else:
                self.terminal.say(f"{one.title}:")
                self._reasons(one.choice.id)
        if not found:
            self._reasons(said)

    def _reasons(self, answer: str) -> None:
        """Every reason why an answer, given by its id, is not offered; a reason that applies to
        several things is given once.
        """
        reasons = why_not(self.session.state, answer, self.words)
        alike = Counter((reason.name, reason.text.rpartition(": ")[2]) for reason in reasons)
        for (name, text), number in alike.items():
            reason = next(one for one in reasons if one.name == name and one.text.endswith(text))
            place = f" ({reason.file}:{reason.line})" if reason.file else ""
            head = f"{name}: " if self.words.language.is_english else ""
            self.terminal.say(f"  {head}{reason.text if number == 1 else text}{place}")
            for lift in reason.lifts:
                lifting = self.words.ability(lift)
                self.terminal.say(f"    {self.words.say('lifted by {ability}', ability=lifting)}")
            if reason.lasts:
                self.terminal.say(f"    {reason.lasts}")
