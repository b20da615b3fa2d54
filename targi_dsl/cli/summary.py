"""How a game proceeded and ended, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from targi_dsl.api import Event, Result, result
from targi_dsl.api.naming import Naming
from targi_dsl.api.state import State
from targi_dsl.cli.first_page import when
from targi_dsl.compiler.layers.declarations import step_at
from targi_dsl.display.picture import picture
from targi_dsl.explain.ending import causes
from targi_dsl.information.observation import observe
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import rounds_of
from targi_dsl.records import Record, Step
from targi_dsl.text.files import write_file
from targi_dsl.text.languages import Language
from targi_dsl.text.source import Span
from targi_dsl.text.width import columns


class Rounds:
    """Counts rounds. begun: all that have begun. number: those that had begun when a player was
    last asked a question, so not a last round in which the game ends before anybody can act. Where
    the rules count the rounds, both are what they count.
    """

    def __init__(self, state: State, opening: Iterable[Event]) -> None:
        self._slot = rounds_of(state.game.program)
        self.number = self.begun = 0
        self._listen(state, opening)

    def count(self, step: Step) -> None:
        """Adds a step."""
        if step.was_asked:
            self.number = self.begun
        self._listen(step.after, step.events)

    def _listen(self, state: State, events: Iterable[Event]) -> None:
        if self._slot == NOTHING:
            self.begun += sum(event.kind == "round" for event in events)
        else:
            self.number = self.begun = state.vector[self._slot]


def ending(names: Naming, state: State, room: int, how: Iterable[str] = ()) -> Iterator[str]:
    """How a game ended, for people, after the reason; scores only if the game has any: a table of
    their parts, or a line for each player where that is too wide.
    """
    ended = result(state)
    yield ""
    yield from how
    if state.game.scores:
        rows = _score_rows(names, ended)
        table = [*align(rows)]
        yield from table if max(map(columns, table)) <= room else _score_lines(names, ended)
    if not ended.winner:
        yield _shared(names, ended)
    elif ended.tiebreak:
        won = "{seat} wins by {tiebreak}."
        tiebreak = names.word(ended.tiebreak)
        yield names.say(won, seat=names.seat(ended.winner), tiebreak=tiebreak)
    else:
        yield names.say("{seat} wins.", seat=names.seat(ended.winner))


def _score_rows(names: Naming, ended: Result) -> list[tuple[str, ...]]:
    """The parts that are not zero for all players, each with the points of every player, followed
    by the totals.
    """
    parts = [name for name in ended.breakdown[0] if any(row[name] for row in ended.breakdown)]
    rows = [(names.score(name), *(str(row[name]) for row in ended.breakdown)) for name in parts]
    total = (names.say("in all"), *map(str, ended.scores))
    return [("", *map(names.seat, names.game.players)), *(rows if len(rows) > 1 else ()), total]


def align(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows with the first column left-aligned and the others right-aligned."""
    first, *others = (max(map(columns, column)) for column in zip(*rows, strict=True))
    for name, *numbers in rows:
        cells = (
            f"{' ' * (room - columns(text))}{text}"
            for text, room in zip(numbers, others, strict=True)
        )
        yield "  ".join([f"{name}{' ' * (first - columns(name))}", *cells])


def _score_lines(names: Naming, ended: Result) -> Iterator[str]:
    seats = zip(names.game.players, ended.scores, ended.breakdown, strict=True)
    for seat, score, parts in seats:
        yield score_line(
            names, seat, str(score), {part: str(number) for part, number in parts.items() if number}
        )


def _shared(names: Naming, ended: Result) -> str:
    """The text for a game without a single winner."""
    outcomes = set(ended.outcomes)
    if "won" in outcomes:
        *others, last = map(names.seat, ended.winners)
        if not others:
            return names.say("{seat} wins.", seat=last)
        return names.say("{others} and {last} win.", others=", ".join(others), last=last)
    return names.say("Everybody loses.") if outcomes == {"lost"} else names.say("Nobody wins.")


def score_line(names: Naming, seat: str, score: str, parts: Mapping[str, str]) -> str:
    """A score with its parts."""
    labelled = names.language.labelled
    detail = ", ".join(labelled(names.score(part), number) for part, number in parts.items())
    return labelled(names.seat(seat), score) + (f" ({detail})" if detail else "")


def document(record: Record, state: State, decisions: int, rounds: int) -> dict[str, object]:
    """How a game proceeded, as data that conforms to schema/result.json."""
    game, ended = state.game, result(state)
    return {
        "game": game.name,
        "rules": game.hash,
        "options": dict(game.options),
        "seed": record.seed,
        "seats": dict(record.seats),
        "rounds": rounds,
        "decisions": decisions,
        "ended_by": ended.ended_by,
        "scores": dict(zip(game.players, ended.scores, strict=True)),
        "breakdown": dict(zip(game.players, ended.breakdown, strict=True)),
        "winner": ended.winner,
        "tiebreak": ended.tiebreak,
    }


def how_it_ended(names: Naming, last: Step | None) -> Iterator[str]:
    """Why this step was the last: the card that ended the game; or the comment on the line that
    ended it, or on a call that led there; otherwise its condition. Where the comment has no
    translation nothing is said, since screens never mix languages.
    """
    cards = {card.entry: number for number, card in enumerate(names.game.cards)}
    for rule, span in causes(last.before, last.choice) if last is not None else ():
        if rule in cards:
            yield names.say("The card {card} ends the game.", card=names.card(cards[rule]))
            return
        if said := reason(span):
            yield from _indent(names, said)
            return


def _indent(names: Naming, said: str) -> Iterator[str]:
    word = names.language.word(said)
    if names.language.is_english or word != said:
        yield names.say("End of the game: {reason}.", reason=word)


def reason(span: Span) -> str:
    """The comment on a line of a rule or on its condition; otherwise the condition itself."""
    step = step_at(span)
    return "" if step is None else step.comment() or when(step)


def draw(state: State, seat: str, language: Language, file: Path) -> None:
    """Writes a picture of the position as a seat sees it."""
    write_file(file, picture(observe(state, seat), language))
