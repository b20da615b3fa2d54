"""Help at the prompt: the rules, cards, and what can be typed."""

from __future__ import annotations

from collections.abc import Iterator

import click

from targi_dsl.cli.first_page import explanations, guide
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import in_one_line
from targi_dsl.text.languages import ENGLISH, Language, message, words_of
from targi_dsl.text.width import columns
from targi_dsl.view.phrases import words_in_progress
from targi_dsl.view.seen import Seen
from targi_dsl.view.words import Words


def manual(seen: Seen, name: str, room: int) -> Iterator[str]:
    """The guide of the game; or, for a name, what the rules or a card say of it."""
    say, language = seen.words.say, seen.words.language
    if name:
        yield from _explained(seen, name)
        return
    spoken, lines = guide(seen.game, language, room)
    if spoken.code != language.code:
        yield say("The rules are written in English:")
    yield from lines


def _explained(seen: Seen, name: str) -> Iterator[str]:
    """What the rules say of everything with this name, in any language; or a card."""
    say, language, wanted = seen.words.say, seen.words.language, words_of(name).casefold()
    known = [(one.name(language), one) for one in explanations(seen.game)]
    found = [
        (words, one)
        for words, one in known
        if wanted in (words_of(one.id), *(_typed(said) for said in (words, one.name(ENGLISH))))
    ]
    for words, one in found:
        meaning = language.word(one.meaning)
        if meaning and meaning == one.meaning and not language.is_english:
            yield say("The rules are written in English:")
        text = "the rules do not explain it; to see how it is written: targi show {game} rule {id}"
        written = say(text, game=seen.game.name, id=one.id)
        is_named = language.is_english or words != one.name(ENGLISH) or not meaning
        yield language.labelled(words, meaning or written) if is_named else meaning
    if not found and cards_named(seen.words, name):
        yield from card_text(seen, name)
    elif not found:
        yield say("No rule and no card is called `{name}`.", name=name)
        cards = map(seen.words.card, range(len(seen.game.cards)))
        names = dict.fromkeys([*(words for words, _ in known), *cards])
        yield from filter(None, [seen.words.nearest(name, names)])


def _typed(words: str) -> str:
    """How a name is typed: without trailing dots."""
    return words.casefold().rstrip(" …")


def rules_in_progress(seen: Seen) -> Iterator[str]:
    """The rules in progress, outermost first, each with its comment."""
    for name, words in words_in_progress(seen).items():
        meaning = _comment(seen, name)
        yield seen.words.language.labelled(words, meaning) if meaning else words


def comment_in_progress(seen: Seen) -> str:
    """The innermost rule in progress with a comment, and the comment."""
    steps = (step for step in words_in_progress(seen).items() if _comment(seen, step[0]))
    name, words = next(reversed([*steps]), ("", ""))
    return seen.words.language.labelled(words, _comment(seen, name)) if name else ""


def _comment(seen: Seen, name: str) -> str:
    """The comment above a rule; "" if it is not translated, as screens never mix languages."""
    language = seen.words.language
    rules = explanations(seen.game, ("rule",))
    comment = next((one.meaning for one in rules if one.id == name), "")
    meaning = language.word(comment)
    return meaning if language.is_english or meaning != comment else ""


def cards_named(words: Words, name: str) -> tuple[int, ...]:
    """The cards with this id, name in any language, or short name; one of equal copies."""
    wanted, ways = name.casefold(), dict[int, int]()
    for number, card in enumerate(words.game.cards):
        known = (card.id, words.card(number), *card.shorts.values(), *card.names.values())
        if wanted in map(str.casefold, known):
            ways.setdefault(card.same, number)
    return tuple(ways.values())


def card_text(seen: Seen, name: str) -> Iterator[str]:
    """What is known about a card, given by its name or its place."""
    game, words = seen.game, seen.words
    numbers = cards_named(words, name) or _lying_on(seen, name)
    if not numbers:
        known = [word for card in game.cards for word in (card.id, *card.names.values())]
        known += map(words.card, range(len(game.cards)))
        text = words.say("There is no card `{name}` to be seen.", name=name)
        yield f"{text} {words.nearest(name, known)}".rstrip()
    for number in numbers:
        yield from about(words, number)
        if seen.knows(number) and (place := seen.place_of(number)) != NOTHING:
            yield f"  {words.say('lies: {place}', place=words.place(place))}"


def _lying_on(seen: Seen, name: str) -> tuple[int, ...]:
    """The known top cards of places with this name or address."""
    wanted, words = name.casefold(), seen.words
    tops = [
        next(seen.cards(place), NOTHING)
        for place, address in enumerate(words.addresses)
        if wanted in map(str.casefold, (words.place(place), words.own_place(place), address))
    ]
    return tuple(card for card in tops if card != NOTHING and seen.knows(card))


def about(words: Words, number: int) -> Iterator[str]:
    """A card's name, kind, fields and text."""
    card, game = words.game.cards[number], words.game
    copies = sum(other.same == card.same for other in game.cards)
    alike = f" ({words.say('{number} alike', number=copies)})" if copies > 1 else ""
    head = words.say("{card}, a {kind}", card=words.card(number), kind=words.back(number))
    yield head + alike
    if words.language.is_english:
        fields = (one for one in card.fields.items() if words.is_said(number, one[1]))
        yield from (f"  {words_of(name)}: {in_one_line(value)}" for name, value in fields)
    else:
        face = words.face(number)
        yield from (f"  {text[0]}" for text in (face.marks, face.effect) if text and text[0])
    if words.text(number):
        yield f"  {words.text(number)}"
    for ability in game.abilities:
        if ability.card == number and ability.missing:
            text = "No effect here: this game has no `{missing}`."
            yield f"  {words.say(text, missing=ability.missing)}"


_COMMANDS = (
    (
        message("rules"),
        message("[NAME]"),
        message("the aim and course of the game; or what a rule or a card says"),
    ),
    (message("how"), "", message("what is being done now, step by step")),
    (message("table"), "", message("the whole table, and what its marks mean")),
    (message("more"), "", message("the next page of the choices")),
    (message("card"), message("NAME"), message("all that is known of a card")),
    (
        message("show"),
        message("NAME"),
        message("what lies in a part of the table, or who has how much; its name alone will do"),
    ),
    (
        message("why"),
        message("[WORDS]"),
        message("why that cannot be chosen now; alone, all that cannot"),
    ),
    (message("hint"), "", message("what the program would choose")),
    (message("advice"), "", message("a hint at every choice, or no more of them")),
    (
        message("picture"),
        message("[FILE]"),
        message("draw the table as you see it, into table.svg or FILE"),
    ),
    (message("score"), "", message("the scores so far, part by part")),
    (message("log"), message("[all]"), message("what happened last, or from the beginning on")),
    (message("undo"), "", message("take back your last choice, and what the others did since")),
    (message("position"), "", message("the position as text")),
    (
        message("save"),
        message("[FILE]"),
        message("say where the game is kept, or keep it in FILE from now on"),
    ),
    (message("quit"), "", message("leave; the game is kept")),
)
HELP, ALL = message("help"), message("all")


def help_page(language: Language, width: int) -> Iterator[str]:
    """The lines of the help page."""
    say = language.say
    yield from _wrap(
        say(
            "The key of a choice, or words that fit it only, make that choice; `>` marks places "
            "that can be chosen. Instead you can say:"
        ),
        width,
    )
    lines = [
        (f"  {say(word)} {say(what) if what else ''}".rstrip(), say(meaning))
        for word, what, meaning in _COMMANDS
    ]
    room = min(max(columns(word) for word, _ in lines) + 2, width // 2)
    for word, meaning in lines:
        head = word + " " * (room - columns(word) if columns(word) < room else 1)
        yield from _wrap(meaning, width, head, " " * room)


def _wrap(text: str, width: int, head: str = "", indent: str = "") -> list[str]:
    return click.wrap_text(text, width, head, indent).splitlines()
