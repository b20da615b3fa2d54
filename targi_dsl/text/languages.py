"""A language that the program speaks, by gettext: its own messages, and the words of a game.

Messages are written in English in the program, and are their own keys.
"""

from __future__ import annotations

from gettext import NullTranslations

from msgspec import field

from targi_dsl.text.structs import Frozen


def words_of(name: str) -> str:
    """A name of the rules as words."""
    return name.replace("_", " ")


class Language(Frozen):
    """A language; English if it has no translations."""

    code: str = "en"
    messages: NullTranslations = field(default_factory=NullTranslations)
    words: NullTranslations = field(default_factory=NullTranslations)

    @property
    def is_english(self) -> bool:
        return self.code == "en"

    def say(self, text: str, /, **values: object) -> str:
        """A message with its values filled in."""
        return self.messages.gettext(text).format(**values)

    def count(self, one: str, many: str, number: int, /, **values: object) -> str:
        """A message about a number of things, which determines the plural form."""
        return self.messages.ngettext(one, many, number).format(number=number, **values)

    def labelled(self, name: str, meaning: str) -> str:
        """A name, and what is said of it or by it."""
        return self.say("{name}: {meaning}", name=name, meaning=meaning)

    def decimal(self, number: float) -> str:
        """A number with one decimal."""
        written = f"{number:.1f}"
        return written if self.is_english else written.replace(".", ",")

    def word(self, text: str) -> str:
        """A word or text of the game, with its blanks unfilled."""
        return self.words.gettext(text) if text else ""

    def amount(self, one: str, many: str, number: int) -> str:
        """The word for an amount of a resource, without the number."""
        return self.words.npgettext(AMOUNT, one, many, number)


AMOUNT = "amount"
"""The context of a resource's singular and plural in the catalogue of a game."""

ENGLISH = Language()


def message(text: str) -> str:
    """Marks a text as a message that is translated elsewhere."""
    return text
