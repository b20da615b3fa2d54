"""The words of the page itself, in the language of its reader."""

from __future__ import annotations

from targi_dsl.compiler.translations import languages
from targi_dsl.players import PLAYERS
from targi_dsl.table.game import HUMAN
from targi_dsl.text.languages import Language, message

_WORDS = {
    "labelled": message("{name}: {meaning}"),
    "you": message("you"),
    "to_move": message("to move"),
    "out": message("out"),
    "passed": message("has passed"),
    "chance": message("chance is drawn now"),
    "thinks": message("thinks"),
    "away": message("away"),
    "over": message("The game is over"),
    "news": message("Since your last turn"),
    "nothing_yet": message("Nothing has happened yet."),
    "choices": message("Choices"),
    "all_choices": message("All choices"),
    "say": message("Type a choice, or: why ..."),
    "why": message("Why not?"),
    "close": message("Close"),
    "score": message("Score"),
    "total": message("in all"),
    "rules": message("How to play"),
    "in_english": message("The rules are written in English:"),
    "undo": message("Undo"),
    "undo_asked": message("{seat} wishes to take a choice back."),
    "agree": message("Agree"),
    "refuse": message("Refuse"),
    "again": message("Play again"),
    "history": message("Through the game"),
    "now": message("Now"),
    "earlier": message("One step back"),
    "later": message("One step on"),
    "at_step": message("Step {step} of {of}"),
    "lost": message("The connection is lost; it is tried again."),
    "closed": message("This link opens no table."),
    "next": message("{seat} is next. The others look away."),
    "ready": message("I am {seat}"),
    "empty": message("empty"),
    "table": message("Table"),
    "players": message("Players"),
    "question": message("Question"),
    "exchanges": message("Exchange"),
    "hint": message("Hint"),
    "seats": message("Seats"),
    "language": message("Language"),
    "seen_by": message("Seen by"),
    "everybody": message("everybody"),
    "unsaved": message("The last choices are not saved: {reason}"),
    "start": message("Games and tables"),
    "under_way": message("Tables under way"),
    "all_games": message("All games"),
    "join": message("Open"),
    "begin": message("Begin"),
    "options": message("Options"),
    "at_choice": message("after {steps} choices"),
    "watching": message("to watch"),
    "find": message("Find a game"),
    "present": message("at the table"),
    "spectator": message("You are watching."),
    "face_down": message("face down"),
}


_TYPED = (message("why"), message("undo"), message("score"), message("rules"), message("hint"))
"""What can be typed besides choices."""

_LANGUAGES = {"en": "English", "es": "Español", "fr": "Français", "pl": "Polski"}


def client_words(language: Language) -> dict[str, object]:
    """The words of the page by their keys, with the kinds of players and the languages; blanks are
    filled in by the page.
    """
    said = language.messages.gettext
    kinds = {kind: said(kind) for kind in (HUMAN, *PLAYERS)}
    known = {code: _LANGUAGES.get(code, code) for code in languages()}
    typed = {word: said(word) for word in _TYPED}
    words = {key: said(text) for key, text in _WORDS.items()}
    return {**words, "typed": typed, "kinds": kinds, "languages": known}
