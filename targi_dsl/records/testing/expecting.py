"""Checks the expectations of a test (`then`) against a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from targi_dsl.api import Event, choices, result
from targi_dsl.api.state import State
from targi_dsl.explain.answers import is_possible_id, possible_ids, possible_reasons
from targi_dsl.explain.why_not import why_not
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import OUTCOMES
from targi_dsl.ir.slots import ENDED
from targi_dsl.records.notation import write
from targi_dsl.records.notation.names import Known, Words
from targi_dsl.records.notation.reading import PlacedCard, Reader
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Embedded

NOBODY = "nobody"
_NOT = "not "


class Expectations:
    """Checks the lines of `then` in one position; `events`: those since the last `when`."""

    def __init__(self, state: State, events: Sequence[Event], acted: Iterable[str]) -> None:
        self.state, self.events, self.acted = state, events, [*acted]
        self.game, self.known = state.game, Known(state.game)
        self._checks: dict[str, Callable[[Words, Words], str]] = {
            "asked": self._asked,
            "choices": self._choices,
            "offered": self._offered,
            "not offered": self._not_offered,
            "refused": self._refused,
            "score": self._score,
            "winners": self._winners,
            "outcome of": self._outcome,
            "count of": self._count,
            "paid by": self._paid,
            "acted": self._acted,
            "not acted": self._not_acted,
        }

    def check(self, line: Embedded) -> Problem | None:
        """The problem of a line that does not hold (E661), or None. Raises Problems for a line that
        is not understood.
        """
        words = Words(line, 0, len(line.text))
        key, rest = words.partition(":")
        if rest is None or self.known.is_thing(key.text.removeprefix(_NOT)):
            instead = self._position(line)
        elif found := self._check_of(key.text):
            instead = self._checks[found](key.part(len(found), len(key.text)), rest)
        elif denied := self._check_of(key.text.removeprefix(_NOT)):
            of = key.part(len(_NOT) + len(denied), len(key.text))
            instead = "" if self._checks[denied](of, rest) else words.text.removeprefix(_NOT)
        else:
            instead = self._position(line)
        if not instead:
            return None
        acted = f" The rules that acted: {', '.join(self.acted)}." if self.acted else ""
        return Problem("E661", "this is not so", words.span, f"It is: {instead}.{acted}")

    def _check_of(self, key: str) -> str | None:
        return next((name for name in self._checks if _begins(key, name)), None)

    # ---- expectations: each gives the actual value if it differs ----

    def _asked(self, _: Words, wanted: Words) -> str:
        seat = self.state.seat or NOBODY
        if wanted.text not in (*self.game.players, NOBODY):
            wanted.unknown("player", (*self.game.players, NOBODY))
        return seat if seat != wanted.text else ""

    def _choices(self, _: Words, wanted: Words) -> str:
        actual = self._ids()
        same = Counter(actual) == Counter(self._wanted(wanted))
        return "" if same else listed(actual) or "no choice"

    def _offered(self, _: Words, wanted: Words) -> str:
        actual = self._ids()
        return "" if set(self._wanted(wanted)) <= set(actual) else listed(actual) or "no choice"

    def _not_offered(self, _: Words, wanted: Words) -> str:
        actual = set(self._wanted(wanted)) & set(self._ids())
        return f"{listed(sorted(actual))} is offered" if actual else ""

    def _refused(self, _: Words, wanted: Words) -> str:
        """`CHOICE by REASON, REASON`: all reasons by name."""
        choice, names = wanted.pair(
            " by ", "refused by what?", "Name the choice and every reason.", "CHOICE by RULE.NAME"
        )
        self._wanted(choice)
        known = possible_reasons(self.game)
        for name in names.split(","):
            if name.text not in known:
                name.unknown("reason", sorted(known))
        reasons = {reason.name: reason.text for reason in why_not(self.state, choice.text)}
        if set(reasons) == {one.text for one in names.split(",")}:
            return ""
        actual = ", ".join(f"{name} ({text})" for name, text in reasons.items())
        return f"refused by {actual}" if reasons else "offered"

    def _score(self, what: Words, wanted: Words) -> str:
        """`score of PLAYER` or `score PART of PLAYER`."""
        part, player = _of(what)
        seat = self._seat(player)
        standing = result(self.state)
        parts = standing.breakdown[seat]
        if part.text and part.text not in parts:
            part.unknown("score", parts)
        number = parts[part.text] if part.text else standing.scores[seat]
        if number == wanted.number():
            return ""
        shown = ", ".join(f"{name} {points}" for name, points in parts.items() if points)
        return str(number) if part.text or not shown else f"{number} ({shown})"

    def _winners(self, _: Words, wanted: Words) -> str:
        is_stopped = self.state.position.ended_by == NOTHING
        winners = () if is_stopped else result(self.state).winners
        names = wanted.split(",") if wanted.text != NOBODY else []
        seats = {self.game.players[self._seat(name)] for name in names}
        return (", ".join(winners) or NOBODY) if seats != set(winners) else ""

    def _outcome(self, player: Words, wanted: Words) -> str:
        """`outcome of PLAYER`, as rules have set it."""
        outcome = result(self.state).outcomes[self._seat(player)]
        if wanted.text not in OUTCOMES:
            wanted.unknown("outcome", OUTCOMES)
        return outcome if outcome != wanted.text else ""

    def _count(self, place: Words, wanted: Words) -> str:
        """`count of PLACE`: the number of cards there."""
        if place.text not in (names := [one.name for one in self.game.places]):
            place.unknown("place", names)
        actual = len(self.state.cards(place.text))
        return str(actual) if actual != wanted.number() else ""

    def _paid(self, player: Words, wanted: Words) -> str:
        """`paid by PLAYER`: everything paid or lost since the last `when`."""
        seat = self.game.players[self._seat(player)]
        paid = Counter[str]()
        for event in self.events:
            if event.kind in ("pay", "lose") and event.seat == seat:
                paid[event.what] += event.number
        for amount in wanted.split(","):
            what = amount.part(amount.text.rfind(" ") + 1, len(amount.text))
            if what.text not in (*self.game.resources, "nothing"):
                what.unknown("resource", self.game.resources)
        actual = {f"{number} {what}" for what, number in paid.items()} or {"nothing"}
        return listed(sorted(actual)) if actual != {one.text for one in wanted.split(",")} else ""

    def _acted(self, _: Words, wanted: Words) -> str:
        return "" if self._rules(wanted) <= set(self.acted) else listed(self.acted) or "no rule"

    def _not_acted(self, _: Words, wanted: Words) -> str:
        actual = self._rules(wanted) & set(self.acted)
        return f"{listed(sorted(actual))} acted" if actual else ""

    def _rules(self, wanted: Words) -> set[str]:
        known = {rule.name for rule in self.game.program.procedures}
        for rule in wanted.split(","):
            if rule.text not in known:
                rule.unknown("rule", known)
        return {rule.text for rule in wanted.split(",")}

    def _ids(self) -> list[str]:
        return [choice.id for choice in choices(self.state)]

    def _wanted(self, words: Words) -> list[str]:
        """Ids of choices; each must be possible in the game."""
        offered = self._ids()
        for one in words.split(";"):
            if one.text not in offered and not is_possible_id(self.game, one.text):
                one.unknown("answer", sorted(possible_ids(self.game)))
        return [one.text for one in words.split(";")]

    def _seat(self, player: Words) -> int:
        if player.text not in self.game.players:
            player.unknown("player", self.game.players)
        return self.game.players.index(player.text)

    # ---- lines of a position ----

    def _position(self, line: Embedded) -> str:
        """A line of the notation of positions, or its negation: what is there instead."""
        if denied := line.text.startswith(_NOT):
            line = Embedded(line.home, line.text[len(_NOT) :], line.offsets[len(_NOT) :])
        reader = Reader(self.game, line)
        reader.read()
        if reader.problems:
            raise Problems(reader.problems)
        if self._holds(reader) != denied:
            return ""
        key = line.text.partition(":")[0]
        if key in reader.known.places:
            return ", ".join((*self.state.cards(key), *self.state.pieces(key))) or "nothing"
        name = key.partition(" ")[0]
        actual = (one for one in write(self.state).splitlines() if one.startswith(name))
        return "; ".join(actual) or f"no {name}"

    def _holds(self, reader: Reader) -> bool:
        lines, v, position = reader.lines, self.state.vector, self.state.position
        if lines.after_setup or lines.calls or lines.frames:
            line = Words(reader.source, 0, len(reader.source.text))
            text = "After `then` stands what lies where, and not what is done."
            line.fail("E660", "this begins a position", text)
        if lines.ended != NOTHING and v[ENDED] != lines.ended:
            return False
        if any(v[slot] != value for slot, (value, _) in lines.slots.items()):
            return False
        for place, on in lines.cards.items():
            wanted_ = [entry for entry in on if isinstance(entry, PlacedCard)]
            lie = [*position.cards_on(place)] if place != NOTHING else []
            if len(lie) < len(wanted_) or len(lie) > len(wanted_) == len(on):
                return False
            pairs = zip(lie, wanted_, strict=False)
            if not all(self._lies_so(reader, place, *pair) for pair in pairs):
                return False
        emptied = {place for place, on in lines.cards.items() if not on}
        wanted = {place: Counter[str]() for place in (*emptied, *(at for at, _ in lines.pieces))}
        kinds = {name: reader.known.kind_of(piece) for name, piece in reader.known.pieces.items()}
        for place, words in lines.pieces:
            wanted[place][kinds.get(words.text, words.text)] += 1
        for name, piece in reader.known.pieces.items():
            if (place := position.place_of_piece(piece)) in wanted:
                wanted[place][kinds[name]] -= 1
        elsewhere = wanted.pop(NOTHING, Counter())  # off the board there may be more
        is_exact = not any(any(counts.values()) for counts in wanted.values())
        return is_exact and not +elsewhere

    def _lies_so(self, reader: Reader, place: int, card: int, wanted: PlacedCard) -> bool:
        """Whether a card is a wanted one, with the facing and knowledge of its line."""
        if card not in wanted.copies:
            return False
        up = self.state.position.is_face_up(card)
        if wanted.known is not None:
            return self.state.knowing(card) * 2 + up == reader.seen(place, wanted)
        return wanted.up is None or up == wanted.up


def listed(texts: Iterable[str]) -> str:
    """Ids or names as a test lists them."""
    return "; ".join(texts)


def _begins(key: str, name: str) -> bool:
    return key == name or key.startswith(f"{name} ")


def _of(what: Words) -> tuple[Words, Words]:
    """`PART of PLAYER`; the part may be missing."""
    if what.text.startswith("of "):
        return what.part(0, 0), what.after("of ")
    return what.pair(" of ", "whose score?", "A score is that of a player.", "score of PLAYER: 1")
