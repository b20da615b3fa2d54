"""How a game went and ended, for people and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from targi_dsl.api import Event, result
from targi_dsl.api.naming import Naming
from targi_dsl.api.state import State
from targi_dsl.compiler.layers.declarations import step_at
from targi_dsl.display.picture import picture
from targi_dsl.explain.ending import causes
from targi_dsl.information.observation import observe
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import rounds_of
from targi_dsl.records import Record, Step
from targi_dsl.text.files import write_file
from targi_dsl.text.languages import Language, words_of
from targi_dsl.text.source import Span
from targi_dsl.text.width import columns
from targi_dsl.view.outcomes import outcome_of
from targi_dsl.view.shape import ScoreTable
from targi_dsl.view.words import Words


class Rounds:
    """Counts rounds, or reads the rules' own counter. begun: all that have begun. number: those
    that had begun when a player was last asked, which excludes a last round that ends before
    anybody can act.
    """

    def __init__(self, state: State, opening: Iterable[Event]) -> None:
        self._slot = rounds_of(state.game.program)
        self.number = self.begun = 0
        self._listen(state, opening)

    def count(self, step: Step) -> None:
        """Adds a step."""
        if not step.is_chance:
            self.number = self.begun
        self._listen(step.after, step.events)

    def _listen(self, state: State, events: Iterable[Event]) -> None:
        if self._slot == NOTHING:
            self.begun += sum(event.kind == "round" for event in events)
        else:
            self.number = self.begun = state.vector[self._slot]


def ending(words: Words, state: State, room: int, how: Iterable[str] = ()) -> Iterator[str]:
    """The end of a game in words, after its cause; with scores if the game has any."""
    ended = outcome_of(result(state), words)
    yield ""
    yield from how
    if ended.scores is not None:
        yield from score_lines(words, ended.scores, room)
    yield ended.text


def score_lines(words: Words, scores: ScoreTable, room: int) -> Iterator[str]:
    """The score table of all players; one line for each player if it is too wide."""
    seats = [*map(words.seat, words.game.players)]
    parts = scores.parts if len(scores.parts) > 1 else ()
    rows = [(name, *numbers) for name, numbers in (*parts, (words.say("in all"), scores.totals))]
    table = [*align([("", *seats), *rows])]
    if max(map(columns, table)) <= room:
        yield from table
        return
    labelled = words.language.labelled
    for at, (seat, total) in enumerate(zip(seats, scores.totals, strict=True)):
        said = (labelled(name, row[at]) for name, row in scores.parts if row[at] != "0")
        detail = ", ".join(said)
        yield labelled(seat, total) + (f" ({detail})" if detail else "")


def align(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows as a table with the first column left-aligned, others right-aligned."""
    first, *others = (max(map(columns, column)) for column in zip(*rows, strict=True))
    for name, *numbers in rows:
        cells = (
            f"{' ' * (room - columns(text))}{text}"
            for text, room in zip(numbers, others, strict=True)
        )
        yield "  ".join([f"{name}{' ' * (first - columns(name))}", *cells])


def document(record: Record, state: State, decisions: int, rounds: int) -> dict[str, object]:
    """The result as data by schema/result.json."""
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
    """Why this step was the last: the card that ended the game; or the comment of the statement, or
    of a call that led to it; or the rule. Empty if that is not translated, as screens never mix
    languages.
    """
    cards = {card.entry: number for number, card in enumerate(names.game.cards)}
    found = [*causes(last.before, last.choice)] if last is not None else []
    for rule, span in found:
        if rule in cards:
            yield names.say("The card {card} ends the game.", card=names.card(cards[rule]))
            return
        if comment := _comment(span):
            if text := _translated(names, comment):
                yield names.say("End of the game: {reason}.", reason=text)
            return
    if found and (text := _translated(names, words_of(found[0].rule))):
        yield names.say("The rule {rule} ends the game.", rule=text)


def _translated(names: Naming, text: str) -> str:
    word = names.language.word(text)
    return word if names.language.is_english or word != text else ""


def _comment(span: Span) -> str:
    """The comment of a statement or of its condition."""
    step = step_at(span)
    return "" if step is None else step.comment()


def draw(state: State, seat: str, language: Language, file: Path) -> None:
    """Writes a picture of the position for a seat."""
    write_file(file, picture(observe(state, seat), language))
