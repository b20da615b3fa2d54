"""Languages of the program, by gettext: translations of its messages and of the texts of a game.
Messages are written in English in the code and are their own keys.
"""

from __future__ import annotations

from gettext import NullTranslations

from msgspec import field

from targi_dsl.text.structs import Frozen


def words_of(name: str) -> str:
    """A name of the rules as words."""
    return name.replace("_", " ")


class Language(Frozen):
    """Translations to a language; English if there are none."""

    code: str = "en"
    messages: NullTranslations = field(default_factory=NullTranslations)
    words: NullTranslations = field(default_factory=NullTranslations)

    @property
    def is_english(self) -> bool:
        return self.code == "en"

    def say(self, text: str, /, **values: object) -> str:
        """A translated message with its values filled in."""
        return self.messages.gettext(text).format(**values)

    def count(self, one: str, many: str, number: int, /, **values: object) -> str:
        """A translated message with a number, which selects the plural form."""
        return self.messages.ngettext(one, many, number).format(number=number, **values)

    def labelled(self, name: str, meaning: str) -> str:
        """A label and a text, punctuated as the language does."""
        return self.say("{name}: {meaning}", name=name, meaning=meaning)

    def decimal(self, number: float) -> str:
        """A number with one decimal."""
        written = f"{number:.1f}"
        return written if self.is_english else written.replace(".", ",")

    def word(self, text: str) -> str:
        """A translated text of the game; blanks are not filled in."""
        return self.words.gettext(text) if text else ""

    def amount(self, one: str, many: str, number: int) -> str:
        """The noun for an amount of a resource."""
        return self.words.npgettext(AMOUNT, one, many, number)


AMOUNT = "amount"
"""The gettext context of nouns of resources."""

ENGLISH = Language()


def message(text: str) -> str:
    """Marks a text as a message that is translated where it is used."""
    return text
