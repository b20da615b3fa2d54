"""The rules of a game for people: a first page, and the text of declarations."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from gettext import NullTranslations

import click
from msgspec.structs import replace

from targi_dsl.compiler.layers.changes import inner_blocks
from targi_dsl.compiler.layers.declarations import (
    Step,
    comment_of,
    effective,
    marked_lines,
    print_lines,
    steps,
)
from targi_dsl.compiler.project.discovery import PLAYERS, shipped
from targi_dsl.ir.declarations import CardInfo, Declared, heading
from targi_dsl.ir.game import Game
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import line_at, parse_action, parse_declaration, sections
from targi_dsl.syntax.printer import print_expression, print_statement
from targi_dsl.text.languages import ENGLISH, Language, words_of
from targi_dsl.text.source import Section, Source, Span
from targi_dsl.text.structs import Frozen

WIDTH = 100
CARDS = "cards"  # declarations about the contents of cards
_OVER = "end game"
_EXPLAINED = ("rule", "forbid", "define", "score", "resource", "exchange")
_BLANK = re.compile(r"\{[^{}]*\}")
_AFTER_COLON = re.compile(r"\s*:\s*…$")


def first_page(game: Game, called: str = "") -> Iterator[str]:
    """The description of a game, with its options and decks and where to read on. `called`: what
    commands call it, if that is not its name.
    """
    name = shlex.quote(called or game.name)
    yield from course(game)
    yield from _item("Options:", options(game))
    yield from _item("Decks:", decks(game))
    yield from _item("Sources:", [", ".join(game.sources)] * bool(game.sources))
    yield ""
    yield f"Play it: targi play {name}"
    yield f"Read on: targi show {name} rules (or cards, decks, options, parts)"


def guide(game: Game, language: Language, width: int) -> tuple[Language, tuple[str, ...]]:
    """How a game is played, in a language if it is completely translated, or else in English; and
    the language.
    """
    texts = (one for one in guide_texts(game, language.code) if one != game.title)
    spoken = speaking(language, texts)
    return spoken, tuple(course(game, width, spoken))


def speaking(language: Language, texts: Iterable[str]) -> Language:
    """The language if all of these texts of several words are translated, or else English."""
    return ENGLISH if any(" " in one and language.word(one) == one for one in texts) else language


class Explanation(Frozen):
    """What the rules say of something: its name, its wording with blanks, and the comment above it
    or its reason; "" if there is none.
    """

    id: str
    words: str
    meaning: str

    def name(self, language: Language) -> str:
        """Its words in a language, with dots for what is filled in, unless that follows a colon."""
        return _AFTER_COLON.sub("", _BLANK.sub("…", language.word(self.words)))


def explanations(game: Game, sorts: tuple[str, ...] = _EXPLAINED) -> Iterator[Explanation]:
    """The explanations of all declarations of these sorts, in English."""
    reasons = {one.name: one.reason for one in game.forbids if isinstance(one.reason, str)}
    for sort, name, origins in declared(game):
        if sort in sorts and origins[-1].module != CARDS:
            said = words_of(name)
            match effective(origins) if sort == "rule" else None:
                case n.Rule(wording=n.Wording(text)):
                    said = text.text[1:-1]
            yield Explanation(name, said, comment_of(origins) or reasons.get(name, ""))


def guide_texts(game: Game, code: str) -> tuple[str, ...]:
    """The texts of the guide, for translation into a language."""
    asked = _Asked()
    tuple(course(game, WIDTH, Language(code, words=asked)))
    return tuple(asked.texts)


class _Asked(NullTranslations):
    """A language that records which translations are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.texts = dict[str, None]()

    def gettext(self, message: str) -> str:
        self.texts[message] = None
        return message


def course(game: Game, width: int = WIDTH, language: Language = ENGLISH) -> Iterator[str]:
    """The aim, course, end and winner of a game; in another language only what `guide` found to be
    translated.
    """
    say, word = language.say, language.word
    declared = {(entry.sort, entry.name): entry for entry in game.declared}
    yield f"{game.title} ({game.name})" if language.is_english else word(game.title)
    if game.about:
        yield ""
        yield click.wrap_text(word(game.about), width)
    yield ""
    players = ", ".join(map(word, game.players))
    yield from _item(say("Players:"), [f"{len(game.players)}: {players}"], width)
    rules = {name: entry for (sort, name), entry in declared.items() if sort == "rule"}
    trees = ((name, effective(entry.origins)) for name, entry in rules.items())
    known = {name: tree for name, tree in trees if isinstance(tree, n.Rule)}
    page = _Page(game, language, known, rules)
    yield from _item(say("A round:"), page.course(), width)
    yield from _item(say("It ends:"), dict.fromkeys(page.ends()), width)
    yield from _item(say("Points:"), _scores(game, language), width)
    if tie := declared.get(("tie", "tie")):
        yield from _item(say("A tie:"), [_tie(game, tie, language)], width)


def _tie(game: Game, tie: Declared, language: Language) -> str:
    """Who wins a tie; in English, with options resolved."""
    told = [language.word(one.text) for one in game.ties]
    match effective(tie.origins):
        case n.Tie(ranks) if language.is_english:
            values = ((one.order, _decided(game, one.value)) for one in ranks)
            told = [f"{order} {words_of(print_expression(value))}" for order, value in values]
    return language.say(", then ").join(told)


def _decided(game: Game, value: n.Expr) -> n.Expr:
    """The branch of a value that the options select."""
    match value:
        case n.Conditional(chosen, n.OptionIs() as condition, n.Node() as otherwise):
            return _decided(game, chosen if _holds(game, condition) else otherwise)
        case _:
            return value


def _holds(game: Game, condition: n.OptionIs) -> bool:
    return dict(game.options).get(condition.option.text) == condition.value.text


def _item(
    title: str, lines: Iterator[str] | list[str] | dict[str, None], width: int = WIDTH
) -> Iterator[str]:
    """A heading with lines beside it; nothing without lines."""
    for number, line in enumerate(lines):
        head = title if number == 0 else ""
        text = line.lstrip()
        inner = " " * (12 + len(line) - len(text))
        first = f"{head:12}{inner[12:]}"
        yield click.wrap_text(text, width, first, f"{inner}  ")


# ---- options and decks ----


def options(game: Game) -> Iterator[str]:
    """The options with their values in this game, other values and descriptions."""
    for name, value, values, meaning in settings(game):
        if name == PLAYERS:
            yield f"players {value} ({values[0]} to {values[-1]})"
            continue
        others = [one for one in values if one != value]
        yield f"{name}={value} (or {', '.join(others)}){f': {meaning}' if meaning else ''}"


def shelf() -> Iterator[tuple[str, str, str]]:
    """The shipped games by name, with titles and files."""
    library = shipped()
    for name in sorted(library.games()):
        if (sheet := library.game(name)) is not None:
            parts = (Section(sheet, start, end) for start, end in sections(sheet.text))
            nodes = [node for node in map(parse_declaration, parts) if isinstance(node, n.Sheet)]
            yield name, next((node.title for node in nodes if node.title), name), sheet.name


def settings_texts(game: Game) -> Iterator[str]:
    """The texts of options to be translated: names, values, descriptions."""
    for name, _, values, meaning in settings(game):
        if name != PLAYERS:
            yield from (*map(words_of, (name, *values)), *filter(None, [meaning]))


def settings(game: Game) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """The options with their values in this game, all values, and descriptions."""
    chosen = dict(game.options)
    for entry in game.declared:
        match effective(entry.origins) if entry.name in chosen or entry.sort == PLAYERS else None:
            case n.Players(number=(least, most)) if PLAYERS in chosen:
                yield PLAYERS, chosen[PLAYERS], tuple(map(str, range(least, most + 1))), ""
            case n.Option(values=values):
                known = tuple(word.text for word in values)
                yield entry.name, chosen[entry.name], known, _meaning(entry)


def _meaning(entry: Declared) -> str:
    """The comment above a declaration, or its wording."""
    if meaning := comment_of(entry.origins):
        return meaning
    match effective(entry.origins):
        case n.Rule(wording=n.Wording(text)) | n.Worded(wording=n.Wording(text)):
            return "" if "{" in text.text else text.text[1:-1]
        case _:
            return ""


def decks(game: Game) -> Iterator[str]:
    """Each deck with its expression, and how it is drawn."""
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


def _scores(game: Game, language: Language) -> Iterator[str]:
    word = language.word
    parts = {part.name: part.origins for part in game.scores}
    for name, origins in parts.items():
        if origins[-1].module == CARDS:
            continue
        meaning = _meaning(Declared("score", name, origins))
        match effective(origins):
            case n.ScorePart(value=value) if not meaning:
                meaning = words_of(print_expression(value))
        named = word(words_of(name))
        yield language.labelled(named, word(meaning)) if meaning else named

    if game.lowest_wins:
        yield language.say("the lowest total wins")
    of_cards = sum(origins[-1].module == CARDS for origins in parts.values())
    if of_cards:
        yield language.count(
            "{number} card: the points that its text promises",
            "{number} cards: the points that their texts promise",
            of_cards,
        )


class _Page(Frozen):
    """The rules of a game with their origins."""

    game: Game
    language: Language
    rules: Mapping[str, n.Rule]
    declared: Mapping[str, Declared]

    def course(self) -> Iterator[str]:
        """The steps of a round; those that are rules with the comment above the rule."""
        ends = " ".join(self.ends())
        return self._steps(_without_counting(self.rules["round"].body, ends), "")

    def _steps(self, block: n.Block, indent: str, before: str = "") -> Iterator[str]:
        """The lines of a block; `before`: the words before it."""
        for statement in block:
            match statement:
                case n.If(n.OptionIs() as condition):
                    chosen = _holds(self.game, condition)
                    yield from self._steps(
                        statement.then if chosen else statement.otherwise, indent, before
                    )
                case n.If(_, _, (_, *_) as otherwise):
                    yield from self._steps((replace(statement, otherwise=()),), indent, before)
                    yield from self._otherwise(otherwise, indent)
                case _:
                    yield from self._step(statement, indent, before)

    def _otherwise(self, block: n.Block, indent: str) -> Iterator[str]:
        match block:
            case (n.If(),):
                yield from self._steps(block, indent, "otherwise ")
            case (single,) if len(print_statement(single)) == 1:
                yield from self._steps(block, indent, "otherwise: ")
            case _:
                yield f"{indent}otherwise"
                yield from self._steps(block, f"{indent}  ")

    def _step(self, statement: n.Statement, indent: str, before: str) -> Iterator[str]:
        head, *below = print_statement(statement)
        word = self.language.word
        said = "" if below else word(self._comment(statement))
        line = self.language.labelled(word(phrase(head)), said) if said else word(phrase(head))
        yield indent + before + line
        for _, inner in inner_blocks(statement) if below else ():
            yield from self._steps(inner, f"{indent}  ")

    def ends(self) -> Iterator[str]:
        """When the game is over, and who wins: comments of the statements or their conditions, or
        the statements themselves.
        """
        for name in self.rules:
            for condition, what in self._conditions(name, _is_end, 3):
                yield f"{condition}: {what}" if condition and what else condition or what

    def _conditions(
        self, name: str, wanted: Callable[[n.Statement], bool], deep: int
    ) -> Iterator[tuple[str, str]]:
        """The conditions under which a rule reaches a step, in it or in its callers."""
        for step in steps(self.rules[name].body):
            if not wanted(step.statement):
                continue
            if comment := step.comment():
                yield self.language.word(comment), ""
                continue
            what, condition = phrase(" ".join(print_statement(step.statement))), when(step)
            if condition or name == "round" or not deep:
                yield condition, what
            else:
                yield from self._callers(name, what, deep)

    def _callers(self, name: str, what: str, deep: int) -> Iterator[tuple[str, str]]:
        """The conditions under which a rule that always reaches the step is called."""

        def calls(statement: n.Statement) -> bool:
            return isinstance(statement, n.Do) and statement.rule.text == name

        for other in self.rules:
            conditions = self._conditions(other, calls, deep - 1)
            yield from ((condition, reached and what) for condition, reached in conditions)
        titles = dict[str, None]()
        for card in self.game.cards:
            body, _ = parse_action(Source("", str(card.fields.get("action", "")) or "nothing"))
            if any(calls(step.statement) for step in steps(body or ())):
                told = f"{self._name(card)} ({card.fields.get('number', card.entry)})"
                titles[self.language.say("the card {card}", card=told)] = None
        for title in titles:
            ends = self.language.say("{card} ends the game", card=title)
            yield (title, what) if what != _OVER else (ends, "")

    def _name(self, card: CardInfo) -> str:
        return card.names.get(self.language.code) or card.names.get("en", card.id)

    def _comment(self, statement: n.Statement) -> str:
        """The comment of the first rule that a step calls."""
        calls = (self.declared.get(one.rule.text) for one in statement.every(n.Do))
        return next((_meaning(rule) for rule in calls if rule is not None), "")


def _is_end(statement: n.Statement) -> bool:
    match statement:
        case n.EndGame() | n.Outcome(_, "won" | "lost" | "drawn"):
            return True
        case _:
            return False


def _without_counting(block: n.Block, ends: str, asked: bool = False) -> n.Block:
    """The steps that do more than count, without heads that become empty. `ends`: the conditions
    that end the game; `asked`: whether an `if` governs the steps.
    """
    found = list[n.Statement]()
    for statement in block:
        below = asked or isinstance(statement, n.If)
        inner = {
            name: _without_counting(part, ends, below) for name, part in inner_blocks(statement)
        }
        counted = _counted(statement)
        is_told = not counted or (asked and words_of(counted) in ends)
        if is_told and (not inner or any(inner.values())):
            found.append(replace(statement, **inner))
    return tuple(found)


def _counted(statement: n.Statement) -> str:
    """The variable that a step increments. Counting is of no interest to players, unless it ends
    the game.
    """
    match statement:
        case n.Assign(n.Name(one), n.Binary("+" | "-", n.Name(other), n.Number())) if one == other:
            return one
        case _:
            return ""


def text_of(game: Game, name: str) -> Iterator[str]:
    """The text of everything declared by this name; "" if there is nothing."""
    for sort, _, origins in (entry for entry in declared(game) if entry[1] == name):
        yield heading(sort, name)
        as_it_stands = marked_lines(origins) if len(origins) > 1 and effective(origins) else ()
        for origin in origins:
            yield f"  {origin_words(origin)}"
            if origin.span is not None and not as_it_stands:
                yield from (f"    {line}" for line in print_lines(origin.span))
        margin = max((len(one.text) for one in as_it_stands if one.origin), default=0)
        for text, change, number in as_it_stands:
            if change is None or change.span is None:
                yield f"    {text}"
            else:
                yield f"    {text:{margin}}   {change.module}, {change.span.source.name}:{number}"


def named_declarations(game: Game) -> list[tuple[str, str, tuple[Origin, ...]]]:
    """All named declarations of rule files, with text: sort, name, location."""
    entries = [
        *(("rule", rule.name, rule.origins) for rule in game.rules),
        *(("define", define.name, define.origins) for define in game.defines),
        *(("forbid", forbid.name, forbid.origins) for forbid in game.forbids),
        *(("score", score.name, score.origins) for score in game.scores),
    ]
    return [
        entry for entry in entries if entry[-1] and not {".", " "} & set(entry[1])
    ]  # other names are internal


def declared(game: Game) -> list[tuple[str, str, tuple[Origin, ...]]]:
    """`named_declarations`, then everything else that modules declare or have removed."""
    texts = named_declarations(game)
    known = {(sort, name) for sort, name, _ in texts}
    return texts + [
        (declaration.sort, declaration.name, declaration.origins)
        for declaration in game.declared
        if (declaration.sort, declaration.name) not in known
    ]


def origin_words(origin: Origin) -> str:
    """What a module did, and where."""
    cites = f" ({'; '.join(origin.cites)})" if origin.cites else ""
    place = f": {location(origin.span)}" if origin.span is not None else ""
    return f"{origin.text} in {origin.module}{place}{cites}"


def location(span: Span) -> str:
    """A location as `file:line`."""
    return f"{span.source.name}:{span.line}"


def phrase(text: str) -> str:
    """A line of the rules, as prose."""
    return words_of(" ".join(word for word in text.split(" ") if word != "do")).rstrip(":")


def when(step: Step) -> str:
    """The conditions of a step: the nearest one around it, and those on its line."""
    own = [one for one in step.conditions if line_at(one.span) == step.line is not None]
    above = [one for one in step.conditions if one not in own]
    conditions = (one.condition for one in (*above[-1:], *own))
    return ", and ".join(phrase(f"if {print_expression(one)}") for one in conditions)
