"""The first page of a game: what a person who has never played it needs to know."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import click

from targi_dsl.api.naming import spoken
from targi_dsl.cli.rule_lines import in_one_line, phrase
from targi_dsl.compiler import line_comments
from targi_dsl.compiler.declarations import comment_of, effective, with_trailing_comments, written
from targi_dsl.compiler.line_comments import condition, indent
from targi_dsl.compiler.project import PLAYERS
from targi_dsl.ir.declarations import Declared
from targi_dsl.ir.game import Game
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span

WIDTH = 100
CARDS = "cards"  # declarations about the contents of cards
_ENDS = re.compile(r"\bend game\b|\b(wins?|loses?)( then|$)")
_OVER = "end game"
_DO = re.compile(r"do (\w+)")
_WORDS = re.compile(r' as "([^"{}]*)"')
_COUNTS = re.compile(r"(?:if .*: )?set (\w+) to \1 [+-] \d+")  # of no interest to a player


def first_page(game: Game) -> Iterator[str]:
    """A description of a game, its options and decks, and where to read on."""
    yield from course(game)
    yield from _item("Options", options(game))
    yield from _item("Decks", decks(game))
    yield from _item("Sources", [", ".join(game.sources)] * bool(game.sources))
    yield ""
    yield f"Play it: targi play {game.name}"
    yield f"Read on: targi show {game.name} rules (or cards, decks, options, parts)"


def course(game: Game, width: int = WIDTH) -> Iterator[str]:
    """The aim, course, end and winner of a game."""
    declared = {(entry.sort, entry.name): entry for entry in game.declared}
    yield f"{game.title} ({game.name})"
    if game.about:
        yield ""
        yield click.wrap_text(game.about, width)
    yield ""
    yield from _item("Players", [f"{len(game.players)}: {', '.join(game.players)}"], width)
    page = _Page(game, {name: entry for (sort, name), entry in declared.items() if sort == "rule"})
    yield from _item("A round", page.course(), width)
    yield from _item("It ends", dict.fromkeys(page.ends()), width)
    yield from _item("Points", _scores(game), width)
    if tie := declared.get(("tie", "tie")):
        yield from _item("A tie", [effective(tie.origins)[0].removeprefix("tie: ")], width)


def _item(
    title: str, lines: Iterator[str] | list[str] | dict[str, None], width: int = WIDTH
) -> Iterator[str]:
    """A heading with its lines beside it; nothing if there are none."""
    for number, line in enumerate(lines):
        head = f"{title}:" if number == 0 else ""
        text = line.lstrip()
        inner = " " * (12 + len(line) - len(text))
        first = f"{head:12}{inner[12:]}"
        yield click.wrap_text(text, width, first, f"{inner}  ")


# ---- options and decks ----


def options(game: Game) -> Iterator[str]:
    """Every option with its value in this game, its other values, and its meaning."""
    chosen = dict(game.options)
    if PLAYERS in chosen:
        (players,) = (entry for entry in game.declared if entry.sort == "players")
        numbers = re.findall(r"\d+ to \d+", effective(players.origins)[0])
        yield f"players {chosen[PLAYERS]} ({numbers[0]})"
    for entry in game.declared:
        if entry.sort == "option" and entry.name in chosen:
            value = chosen[entry.name]
            others = [word for word in _values(entry) if word != value]
            yield f"{entry.name}={value} (or {', '.join(others)}){_meaning(entry)}"


def _values(option: Declared) -> list[str]:
    _, _, values = _WORDS.sub("", effective(option.origins)[0]).partition(":")
    return values.replace(" or ", " ").split()


def _meaning(entry: Declared) -> str:
    """What the comment above a declaration says, or its words for people."""
    meaning = comment_of(entry.origins)
    if not meaning and (match := _WORDS.search(effective(entry.origins)[0])):
        meaning = match[1]
    return f": {meaning}" if meaning else ""


def decks(game: Game) -> Iterator[str]:
    """Each deck with what the sheet says of its cards, and how it is drawn if it is."""
    for zone, deck in game.decks:
        cards = [
            card
            for card in game.cards
            if card.start >= 0
            and zone in (game.places[card.start].name, game.places[card.start].drawn_for)
        ]
        if not cards:
            yield f"{zone}: {deck}"
        elif any(game.places[card.start].drawn_for for card in cards):
            yield f"{zone}: {deck}, by chance when the game begins, out of {len(cards)} cards"
        else:
            yield f"{zone}: {len(cards)} cards, {deck}"


# ---- course and end ----


def _scores(game: Game) -> Iterator[str]:
    parts = {part.name: part.origins for part in game.scores}
    for name, origins in parts.items():
        if origins[-1].module == CARDS:
            continue
        formula = " ".join(effective(origins)).partition(":")[2].strip()
        meaning = _meaning(Declared("score", name, origins))
        yield f"{spoken(name)}{meaning or f': {spoken(formula)}'}"

    of_cards = sum(origins[-1].module == CARDS for origins in parts.values())
    if of_cards:
        yield (
            f"{of_cards} cards: the points that their texts promise"
            if of_cards > 1
            else "1 card: the points that its text promises"
        )


@dataclass(frozen=True, slots=True)
class _Page:
    """The text of the rules of a game."""

    game: Game
    rules: dict[str, Declared]

    def course(self) -> Iterator[str]:
        """The steps of a round; a step that is a separate rule comes with the comment above it."""
        for line in _without_counting(self._lines("round")[1:]):
            text = line.strip()
            blanks = line[: len(line) - len(line.lstrip())][2:]
            if match := re.match(r"(?:replace|extend) rule round ?(.*)", text):
                yield f"{blanks}{spoken(match[1]) or 'at the end'}:"
                continue
            yield blanks + phrase(text) + self._comment(text)

    def ends(self) -> Iterator[str]:
        """When the game is over, and who wins then: the comment on that line of the rules or on its
        condition; otherwise the line itself.
        """
        for name in self.rules:
            for when, what in self._conditions(name, _ENDS, 3):
                yield f"{when}: {what}" if when and what else when or what

    def _conditions(
        self, name: str, wanted: re.Pattern[str], deep: int
    ) -> Iterator[tuple[str, str]]:
        """The conditions under which a rule reaches a line, in it or in its callers."""
        lines = self._lines(name)
        for number, line in enumerate(lines):
            if number == 0 or not wanted.search(line):
                continue
            if comment := line_comments.of_line(self._lines(name, with_trailing_comments), number):
                yield comment, ""
                continue
            own, what = in_one_line(line.strip())
            around = [
                phrase(lines[at].strip().removeprefix("otherwise "))
                for at in condition(lines, number)
            ]
            when = ", and ".join(filter(None, (*around, own)))
            if when or name == "round" or not deep:
                yield when, what
            else:
                yield from self._callers(name, what, deep)

    def _callers(self, name: str, what: str, deep: int) -> Iterator[tuple[str, str]]:
        """The conditions under which another rule or a card calls this rule, which always reaches
        the line.
        """
        for other in self.rules:
            conditions = self._conditions(other, re.compile(rf"\bdo {name}\b"), deep - 1)
            yield from ((when, reached and what) for when, reached in conditions)
        for card in self.game.cards:
            if re.search(rf"\bdo {name}\b", str(card.fields.get("action", ""))):
                name = f"the card {card.names.get('en', card.id)} ({card.id})"
                yield (name, what) if what != _OVER else (f"{name} ends the game", "")

    def _lines(
        self, name: str, lines_of: Callable[[Span], tuple[str, ...]] = written
    ) -> tuple[str, ...]:
        return effective(self.rules[name].origins, lines_of) if name in self.rules else ()

    def _comment(self, text: str) -> str:
        match = _DO.search(text)
        rule = self.rules.get(match[1]) if match is not None else None
        return _meaning(rule) if rule is not None else ""


def _without_counting(lines: tuple[str, ...]) -> list[str]:
    """The lines that do more than count, without headings that are left with nothing below them."""
    conditions: list[str] = []
    below = 0
    for line in reversed(lines):
        is_heading, below = below > indent(line), indent(line)
        is_empty = is_heading and not (conditions and indent(conditions[-1]) > below)
        if not is_empty and not _COUNTS.fullmatch(line.strip()):
            conditions.append(line)
    return conditions[::-1]
