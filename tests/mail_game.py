"""A small game of five letters; each test writes its setup and round."""

from __future__ import annotations

from collections.abc import Mapping

from tests.texts import game_text

CARDS = """language: 2
set: letters
kind: letter
cards:
  - {id: e, number: 5, name: {en: E}}
  - {id: d, number: 4, name: {en: D}}
  - {id: c, number: 3, name: {en: C}}
  - {id: b, number: 2, name: {en: B}}
  - {id: a, number: 1, name: {en: A}}
"""
RULES = game_text("mail.targi")
SHEET = 'language 2\ngame mail "Mail"\n  rules mail\n  deck bag: letters\n'


def texts(setup: str, each: str = "nothing") -> Mapping[str, str]:
    """The files of the game, with these statements in its setup and for each player."""
    return {
        "mail/mail.targi": RULES.replace("SETUP", setup).replace("ROUND", each),
        "mail/letters.yaml": CARDS,
        "mail.targi": SHEET,
    }
