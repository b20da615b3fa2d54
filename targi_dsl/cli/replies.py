"""Replies to questions of people at the prompt; also why something cannot be chosen, and what was
probably meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from targi_dsl.api.state import State
from targi_dsl.cli.manual import (
    ALL,
    HELP,
    card_text,
    comment_in_progress,
    help_page,
    manual,
    rules_in_progress,
)
from targi_dsl.cli.session import Session
from targi_dsl.cli.summary import draw, score_lines
from targi_dsl.display.choosing import (
    REFUSED,
    Keyed,
    are_keys,
    barred_offers,
    by_name,
    elsewhere,
    is_key,
    listing,
    offers,
    offers_meant,
    with_key,
)
from targi_dsl.display.ink import Ink, Line, line, unbroken, words
from targi_dsl.display.news import News
from targi_dsl.display.parts import is_part, part_of_table
from targi_dsl.display.scene import Scene, scene_of
from targi_dsl.display.screen import screen
from targi_dsl.engine.chance import Stream
from targi_dsl.explain.why_not import why_not
from targi_dsl.information.determinization import sample
from targi_dsl.information.observation import observe
from targi_dsl.players import LEVELS, USUAL_LEVEL
from targi_dsl.records.notation import write
from targi_dsl.search import Budget
from targi_dsl.search.advice import advice
from targi_dsl.text.diagnostics import Problems
from targi_dsl.view.equipment import equipment
from targi_dsl.view.outcomes import score_table
from targi_dsl.view.seen import Seen


def known_position(state: State, seat: str) -> Iterator[str]:
    """The position as text; hidden parts are sampled."""
    observation = observe(state, seat)
    if hidden := len(observation.unknown) + len(observation.hidden):
        yield f"# {hidden} cards or values are hidden from {seat}: they are drawn here by chance"
        state = sample(observation, Stream(hidden))
    yield from write(state).splitlines()


PICTURE, _SVG = "table", ".svg"
"""The default file name of a picture; every name gets this suffix, and no other kind of file is
replaced.
"""

_LETTERS = re.compile(r"[^\W\d_]+")
_AROUND_LOG = 2
"""The rows above and below the log."""

MOST_EXPLAINED = 4
"""The most answers that `why` explains in full."""

MOST_BARRED = 80
"""The most answers with reasons in one reply."""


class Replies:
    """Replies to the person to move; the game does not change."""

    def __init__(self, session: Session) -> None:
        self.session, self.terminal = session, session.terminal
        self.words, self.say = session.words, session.words.say
        self._comment = ""
        self.commands: dict[str, Callable[[str], None]] = {
            HELP: lambda _: self._say_all(help_page(self.words.language, self.terminal.columns)),
            "rules": lambda name: self._say_all(manual(self.seen(), name, self.terminal.columns)),
            "how": self._how,
            "table": lambda _: self.show(""),
            "card": self._card,
            "show": self.show,
            "why": self._why,
            "hint": self._hint,
            "picture": self._picture,
            "score": self._score,
            "log": self._log,
            "position": self._position,
        }

    @property
    def seat(self) -> str:
        """The player to move."""
        seat = self.session.state.seat
        assert seat is not None
        return seat

    def scene(self) -> Scene:
        """The scene of the person to move."""
        return self.session.scene(self.seat)

    def seen(self) -> Seen:
        """The observation of the person to move."""
        return Seen(observe(self.session.state, self.seat), self.words)

    # ---- the rules ----

    def _how(self, _: str) -> None:
        for deep, text in enumerate(rules_in_progress(self.seen())):
            self.terminal.say(f"{'  ' * deep}{text}")
        self.terminal.say(self.say("`rules` tells the aim and course of the game."), "faint")

    def _say_all(self, texts: Iterable[str]) -> None:
        """Writes texts, in columns if possible."""
        for text in "\n".join(texts).split("\n"):
            fits = len(text) <= self.terminal.columns
            lines = [line(text)] if fits else words(text, self.terminal.columns, " " * 4)
            self.terminal.show(lines)

    # ---- what lies on the table ----

    def show(self, name: str) -> None:
        """The contents of a part of the table; all of it without a name."""
        scene = self.scene()
        self.terminal.show(part_of_table(scene, name) if name else screen(scene))
        if not name and (short := ", ".join(self._abbreviations(scene))):
            self.terminal.say(self.words.language.labelled(self.say("on cards"), short), "faint")

    def _abbreviations(self, scene: Scene) -> Iterator[str]:
        """The abbreviations printed on cards, with the words that they stand for."""
        words, faces, printed = self.words, scene.game.cards.values(), set[str]()
        are_on_spaces = not all(one.is_zone for one in scene.game.places.values())
        for one in faces:
            marks = one.marks[-1] if are_on_spaces else one.unsaid(one.name, 1)
            printed |= {*_LETTERS.findall(" ".join([marks, *one.effect[-1:]]))}
        for name, short in {**words.items, **words.values, **words.keys}.items():
            if short in printed and short != words.word(name):
                yield f"{short} {words.word(name)}"

    def _card(self, name: str) -> None:
        for text in card_text(self.seen(), name):
            self.terminal.say(text)

    def _picture(self, name: str) -> None:
        file = Path(f"{name.removesuffix(_SVG) or PICTURE}{_SVG}")
        try:
            draw(self.session.state, self.seat, self.words.language, file)
        except Problems as error:
            self.terminal.say(f"{file}: {error.problems[0].text}")
        else:
            self.terminal.copyable(self.say("Drawn: {file}", file=file))

    def _score(self, _: str) -> None:
        scores = score_table(observe(self.session.state, self.seat), self.words)
        if scores is None:
            self.terminal.say(self.say("This game has no scores."))
            return
        for text in score_lines(self.words, scores, self.terminal.columns):
            self.terminal.show(unbroken(text, self.terminal.columns))

    def _log(self, which: str) -> None:
        if not self.session.steps:
            self.terminal.say(self.say("Nothing has happened yet."))
            return
        is_whole = which.casefold() in (ALL, self.say(ALL))
        room = None if is_whole else self.terminal.rows
        self.terminal.show(self._latest(room))

    def _latest(self, rows: int | None) -> list[Line]:
        """The latest events that fit into these rows, at least the last step; all of them if `rows`
        is None.
        """
        news = News(self.words, (self.seat,), self.terminal.columns)
        steps, lines = self.session.steps, list[Line]()
        for number in range(len(steps), 0, -1):
            report = news.report(steps[number - 1], f"{number:3} ", steps[number:])
            if rows is not None and lines and len(report) + len(lines) + _AROUND_LOG > rows:
                note = self.say("`log all` tells what happened before.")
                return [line(Ink(note, "faint")), *lines]
            lines = [*report, *lines]
        return lines

    def _position(self, _: str) -> None:
        for text in known_position(self.session.state, self.seat):
            self.terminal.show([line(text)])

    # ---- what can be chosen ----

    def hint(self) -> None:
        """The rules' comment on this question, unless it was the last one shown, and the adviser's
        choice.
        """
        text = comment_in_progress(self.seen())
        if text and text != self._comment:
            self.terminal.say(text, "faint")
            self._comment = text
        self._hint("")

    def _hint(self, _: str) -> None:
        seat, state, session = self.seat, self.session.state, self.session
        budget = session.budget or Budget(LEVELS[USUAL_LEVEL - 1])
        found = advice(observe(state, seat), session.record.seed or 0, budget)
        titles = {one.offer.id: f"{one.key}) {one.title}" for one in offers(self.scene())}
        text = "The {player} player would choose {choice}"
        told = self.say(text, player=self.say("lookahead"), choice=titles[found.choice])
        self.terminal.say(told)
        if (better := found.difference).is_known and found.other != found.choice:
            each = better.value, better.high - better.value
            by, error = map(self.words.language.decimal, each)
            text = "Better than {other} by {by}, give or take {error}."
            told = self.say(text, other=titles[found.other], by=by, error=error)
            self.terminal.say(told, "faint")
        if found.reply is not None:
            after, id_ = found.reply
            scene = scene_of(after, self.words, (str(after.seat),), self.terminal.columns)
            (title,) = (one.title for one in offers(scene) if one.offer.id == id_)
            text = "{seat} would probably answer: {choice}"
            told = self.say(text, seat=self.words.seat(str(after.seat)), choice=title)
            self.terminal.say(told, "faint")

    # ---- what cannot be chosen ----

    def refuse(self, typed: str, matches: tuple[Keyed, ...], commands: Iterable[str]) -> None:
        """Replies to an answer that is not a choice; commands: further words that can be typed."""
        offered = offers(self.scene())
        if matches:
            self._fits(typed, matches)
        elif are_keys(typed, offered):
            text = "`{said}` are several keys; type one at a time."
            self.terminal.say(self.say(text, said=typed))
        elif closed := self._barred(typed, offered):
            self._closed(typed, closed)
        else:
            self._unknown(typed, offered, commands)

    def _barred(self, typed: str, offered: tuple[Keyed, ...]) -> tuple[Keyed, ...]:
        """Answers that are not offered and may have been meant."""
        return () if is_key(typed, offered) else offers_meant(typed, barred_offers(self.seen()))

    def _unknown(self, typed: str, offered: tuple[Keyed, ...], commands: Iterable[str]) -> None:
        parts = [word for offer in offered for word in offer.title.split() if word.isalpha()]
        ids = [offer.offer.id for offer in offered]
        known = [*(offer.words for offer in offered), *ids, *commands, *parts]
        hints = [self.say("There is no choice `{said}` here.", said=typed)]
        looks_like_key = is_key(typed, offered)
        if near := "" if looks_like_key else self.words.nearest(typed, known):
            hints.append(near)
        else:
            text = "The keys are {first} to {last}; `help` tells what else can be said."
            hints.append(self.say(text, first=offered[0].key, last=offered[-1].key))
            if not looks_like_key and by_name(typed, elsewhere(self.seen())):
                hints.append(self.say("`why {said}` tells why not.", said=typed))
        self.terminal.say(" ".join(hints))

    def _fits(self, typed: str, matches: tuple[Keyed, ...]) -> None:
        """Lists what an answer can mean, with reasons for what is not offered."""
        one, many = "`{said}` fits {number} choice:", "`{said}` fits {number} choices:"
        self.terminal.say(self.words.count(one, many, len(matches), said=typed))
        if offered := tuple(offer for offer in matches if offer.key != REFUSED):
            self.terminal.show(listing(offered, self.terminal.columns))
        self._list_barred([offer for offer in matches if offer.key == REFUSED])

    def _closed(self, typed: str, closed: tuple[Keyed, ...]) -> None:
        """Explains why the intended answer is not offered."""
        number = len({(one.offer.label, one.offer.name or one.title) for one in closed})
        if number == 1:
            why = self._reason(closed[0]) or self.say("`why {said}`", said=typed)
            text = "`{choice}` cannot be chosen now: {reason}."
            self.terminal.say(self.say(text, choice=closed[0].title, reason=why))
            return
        text = "None of the {number} that fit `{said}` can be chosen now:"
        self.terminal.say(self.say(text, number=number, said=typed))
        self._list_barred(closed)

    def _list_barred(self, barred: Sequence[Keyed]) -> None:
        """Answers that are not offered, grouped by reason."""
        by_reason = dict[str, list[Keyed]]()
        for offer in barred[:MOST_BARRED]:
            by_reason.setdefault(self._reason(offer), []).append(offer)
        for why, alike in by_reason.items():
            reason = why or self.say("not now")
            titles = ", ".join(dict.fromkeys(_titles(alike)))
            self.terminal.say(f"  {self.words.language.labelled(titles, reason)}")
        if (more := len(barred) - MOST_BARRED) > 0:
            text = self.words.count("and {number} other", "and {number} others", more)
            self.terminal.say(f"  {text}")

    def _reason(self, offer: Keyed) -> str:
        """Why an answer is not offered, in one line."""
        reasons = why_not(self.session.state, offer.offer.id, self.words)
        return "; ".join(dict.fromkeys(reason.text for reason in reasons))

    def _why(self, typed: str) -> None:
        """Explains why something is not offered; without a word, everything."""
        barred, offered = barred_offers(self.seen()), offers(self.scene())
        if not typed:
            self._list_barred(barred)
            if not barred:
                self.terminal.say(self.say("Every answer to this question can be chosen."))
            return
        answers = (*offered, *barred)
        # a choice that shares its name with something else
        matches = tuple(dict.fromkeys((*with_key(typed, answers), *by_name(typed, answers))))
        if not matches and (others := by_name(typed, elsewhere(self.seen()))):
            self._reasons(others[0].offer.id)
            return
        matches = matches or offers_meant(typed, answers)
        if len(matches) > MOST_EXPLAINED:
            self._fits(typed, matches)
            return
        for offer in matches:
            if offer.key != REFUSED:
                choice = f"{offer.key}) {offer.title}"
                self.terminal.say(self.say("That can be chosen: {choice}", choice=choice))
            else:
                self.terminal.say(f"{offer.title}:")
                self._reasons(offer.offer.id)
        if not matches and is_part(equipment(self.words), typed):
            text = "No answer here is about `{said}`. `show {said}` tells what you know of it."
            self.terminal.say(self.say(text, said=typed))
        elif not matches:
            self._unknown(typed, offered, ())

    def _reasons(self, answer: str) -> None:
        """All reasons of an answer id, each once."""
        reasons = why_not(self.session.state, answer, self.words)
        alike = Counter((reason.name, reason.text.rpartition(": ")[2]) for reason in reasons)
        for (name, text), number in alike.items():
            reason = next(one for one in reasons if one.name == name and one.text.endswith(text))
            place = f" ({reason.file}:{reason.line})" if reason.file else ""
            head = f"{name}: " if self.words.language.is_english else ""
            self.terminal.say(f"  {head}{reason.text if number == 1 else text}{place}")
            for lift in reason.lifts:
                lifting = self.words.ability(lift)
                self.terminal.say(f"    {self.say('lifted by {ability}', ability=lifting)}")
            if reason.lasts:
                self.terminal.say(f"    {reason.lasts}")


def _titles(barred: list[Keyed]) -> Iterator[str]:
    """The answers in words; an action is named once for all its objects."""
    for _, alike in groupby(barred, lambda one: one.offer.label):
        (_, first), *others = {one.offer.name or one.title: one.title for one in alike}.items()
        yield first
        yield from (name for name, _ in others)
