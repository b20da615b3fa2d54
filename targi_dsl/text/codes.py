"""The table of message codes: their titles and meanings.

docs/messages.md is generated from this table (`python -m targi_dsl.text.codes >
docs/messages.md`). E is an error, W a warning; the first digit is the subject.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple

ABOUT = {
    "E0": "Files and texts",
    "E1": "Syntax",
    "E2": "Names",
    "E3": "Types",
    "E4": "Modules, sheets and options",
    "E5": "Cards and decks",
    "E6": "Play and positions",
    "E7": "Records",
    "W9": "Warnings",
}


class Code(NamedTuple):
    """A message code: the title its messages have (or have in common), and what it means."""

    title: str
    meaning: str


CODES = {
    "E001": Code("file too large", "A file has more bytes than are read."),
    "E002": Code("not UTF-8 text", "A file is in another encoding."),
    "E003": Code("not a text file", "A file has a zero byte, as no text has one."),
    "E004": Code("line too long", "A line has more characters than are read."),
    "E005": Code("cannot read the file", "The system refuses to open a file."),
    "E006": Code("not a plain file", "A folder, a pipe or a device is where a file should be."),
    "E007": Code("a bug in targi", "The program is at fault; it has written a report."),
    "E008": Code("interrupted", "Somebody has stopped the command."),
    "E009": Code("wrong usage", "The arguments of a command cannot be understood."),
    "E010": Code("not YAML", "A card file or a record breaks the rules of YAML."),
    "E011": Code("nested too deeply", "Lists or mappings are nested too deeply."),
    "E012": Code("alias or anchor", "YAML's `*` and `&` are not supported; write the value out."),
    "E013": Code("merge key", "YAML's `<<` is not supported; write the keys out."),
    "E014": Code("tag", "YAML's `!` is not supported."),
    "E015": Code("second document", "A file holds one YAML document."),
    "E016": Code("key given twice", "A key has two values in one mapping."),
    "E017": Code("key is not a text", "A key is a number, a list or a mapping."),
    "E018": Code("number too large", "A number does not fit into 32 bits."),
    "E019": Code("invisible character", "A text contains an invisible character."),
    "E020": Code("the file exists already", "A command would overwrite a file."),
    "E021": Code("cannot write the file", "The system refuses to write a file."),
    "E022": Code("too much in one file", "A YAML file has more values than are read."),
    "E023": Code("too many files", "The folder of a sheet holds more files than are looked at."),
    "E024": Code("too much to read", "The files of a game have more text than is read."),
    "E025": Code("files changed meanwhile", "The files of a game changed while it was played."),
    "E026": Code("no Ray cluster", "No cluster answers at the address of `--on`."),
    "E027": Code("not a catalogue", "A file of translations does not have gettext's format."),
    "E028": Code("translated twice", "A file of translations has a text twice."),
    "E101": Code("the file is empty", "A file or a text of the rules is empty."),
    "E102": Code("the language version", "`language N` is missing, late or given twice."),
    "E103": Code("language N is not known", "This program reads another version of the language."),
    "E104": Code("a tab", "Lines are indented with spaces."),
    "E105": Code("a line between two levels", "An indentation fits none of the lines above."),
    "E106": Code("nested too deeply", "Parts of the rules are nested too deeply."),
    "E107": Code("number too large", "A number in the rules does not fit."),
    "E108": Code("a reserved word", "A word of the language cannot name anything."),
    "E110": Code("unexpected word", "The rules are written differently; the message says how."),
    "E111": Code("unknown symbol", "A character is not part of the language."),
    "E112": Code("said twice", "A part of a declaration is given twice."),
    "E113": Code("too many faults", "A file has so many faults that no more are reported."),
    "E114": Code("a name is too long", "A name has more letters than are allowed."),
    "E115": Code("a declaration is too long", "A declaration has more parts than are read."),
    "E116": Code("too many declarations", "A file has more declarations than are read."),
    "E117": Code(
        "words that are never shown", "Words for people are given where they are never shown."
    ),
    "E201": Code("unknown name", "Nothing of that kind with that name is declared."),
    "E202": Code("a name given twice", "Two things that share a namespace have the same name."),
    "E203": Code(
        "not a possible owner", "Nothing can belong to this, or be refilled from another's zone."
    ),
    "E204": Code(
        "ambiguous owner or space", "It is not clear whose, or which of several, is meant."
    ),
    "E205": Code("no such space", "A board or a region has no space of that name."),
    "E206": Code("the name of a type", "The name of a type cannot name anything else."),
    "E207": Code("`opponent` needs two players", "With more players it is unclear which."),
    "E208": Code("there is no `this` here", "`this` is the card of an ability."),
    "E209": Code("a name of two things", "A name has two meanings here."),
    "E210": Code("the game has no players", "No module of the game declares them."),
    "E211": Code("a rule is missing", "The game has no rule to begin or continue with."),
    "E212": Code("the name of a resource", "A local name hides the resource of the same name."),
    "E213": Code("unknown card, rule or zone", "`targi show` finds nothing with that name."),
    "E214": Code("no outcome", "A game has no score, and no rule says who wins or loses."),
    "E215": Code("the player is unclear", "A sentence about another player does not say who can."),
    "E216": Code("whose?", "`you` or `your` is used where it is nobody's turn."),
    "E301": Code("another type is needed", "What is written here has the wrong type."),
    "E302": Code(
        "a single thing is needed, not a set", "A set is written where one thing is needed."
    ),
    "E303": Code("out of range", "A number is too small or too large, or a range is reversed."),
    "E304": Code(
        "wrong number of arguments", "A rule or definition is given too many or too few arguments."
    ),
    "E305": Code("the type is unknown", "The type of a name cannot be inferred."),
    "E306": Code("two types", "A field has different types for two kinds of cards."),
    "E307": Code("a type that is not allowed here", "A field cannot have that type."),
    "E308": Code("not allowed in a price", "A part of an amount is not allowed here."),
    "E310": Code("a definition needs itself", "Evaluating it would never end."),
    "E312": Code("this cannot be set", "Only variables can be set."),
    "E313": Code("a circular exchange", "A free exchange gives back what was paid for it."),
    "E314": Code(
        "not known before the game", "A variable starts as a value that is only known in play."
    ),
    "E315": Code("an invalid initial value", "A variable starts outside its range or type."),
    "E316": Code(
        "this cannot be kept", "A variable has no range, or a type that variables cannot have."
    ),
    "E317": Code("this cannot be shown", "A layout names what has no place on the table."),
    "E318": Code("no owner", "A zone without an owner is used as somebody's."),
    "E319": Code("an option of one value", "An option has at least two values."),
    "E320": Code("not allowed in an ability", "An ability has a part that it cannot have."),
    "E321": Code("the rule pays nothing", "An ability changes the price of a rule without one."),
    "E322": Code("the rule asks nothing", "An ability changes the question of a rule without one."),
    "E323": Code("definitions nested too deeply", "Definitions use one another too deeply."),
    "E324": Code("turns without an end", "Nothing in the turns can ever end them."),
    "E325": Code(
        "a prohibition after an effect", "Prohibitions come before whatever they prevent."
    ),
    "E326": Code("nothing can be rolled", "The lowest number of a roll is above the highest."),
    "E327": Code("too many to choose from", "A question can have more answers than are possible."),
    "E328": Code("chance cannot stop early", "`up to` is for players, not for chance."),
    "E329": Code(
        "the variable is not secret", "A secret choice is of something that only its owner sees."
    ),
    "E330": Code(
        "known in this rule only", "The set for a secret choice may only depend on the position."
    ),
    "E331": Code("no turns to pass", "`pass` is only allowed in a block of `by turns`."),
    "E333": Code("values without a number", "Values are compared by their numbers; one has none."),
    "E334": Code("nothing holds it", "A resource is somewhere it was not declared to lie."),
    "E335": Code("all of the supply", "The supply is unlimited, so `all` of it cannot be put."),
    "E336": Code(
        "not allowed in words for people", "They have a brace or a price that they cannot have."
    ),
    "E337": Code("not allowed in a look", "A look has a part that this thing cannot have."),
    "E338": Code("no position to compare", "A position is not remembered, or cannot be."),
    "E401": Code("declared twice", "A name is declared twice, in one module or in two."),
    "E402": Code(
        "unknown name to change", "A module or sheet changes something that does not exist."
    ),
    "E403": Code("two modules change one thing", "A sheet must settle which change comes last."),
    "E404": Code("unknown part", "`before`, `after` or `offering` names no part of a rule."),
    "E405": Code("based on itself", "Modules or games are based on one another in a circle."),
    "E406": Code("unknown module", "There is no module with that name."),
    "E407": Code("not based on it", "A module changes one that it is not based on."),
    "E408": Code("it was removed", "A module changes something that another has removed."),
    "E409": Code("this cannot be extended", "Only things with parts can be extended."),
    "E410": Code("unknown option", "The game has no option of that name."),
    "E411": Code("no such value of an option", "The option has no such value."),
    "E420": Code("a module in a sheet", "The rules in a sheet belong to its game."),
    "E421": Code("no game, or a second", "A sheet declares one game."),
    "E422": Code("unknown game", "There is no sheet with that name."),
    "E423": Code(
        "the sheet names no rules", "A game needs rules: a module, or rules in its sheet."
    ),
    "E424": Code("a game in a module", "A game is declared in a sheet of its own."),
    "E425": Code("not a valid name", "The name of a new game must be a name of the language."),
    "E426": Code("the name is taken", "There is already a game or module with that name."),
    "E427": Code("a copy of a file", "Two files declare the same module or set."),
    "E428": Code(
        "no matching `module` line",
        "A rule file has no `module` line, or one that matches nothing.",
    ),
    "E429": Code("`module` twice or too late", "A file names its module once, at the top."),
    "E430": Code("said twice in a sheet", "A line of a sheet is given twice."),
    "E431": Code("nothing to settle", "`settle` names a module that changes nothing there."),
    "E432": Code(
        "based on too many others", "Too many sheets or modules are based on one another."
    ),
    "E433": Code("a game named like its module", "The rules in a sheet need a name of their own."),
    "E500": Code("empty card file", "A card file is empty."),
    "E501": Code("a key is missing", "A card file lacks a key that it must have."),
    "E502": Code("unknown key", "A card file has an unknown key."),
    "E503": Code("wrong type of value", "A text, a number, a list or a mapping is needed."),
    "E504": Code("unknown value", "Only certain words are allowed here."),
    "E505": Code("newer language", "A card file is written for a newer program."),
    "E506": Code("value does not fit", "A value breaks a rule of the format."),
    "E508": Code("an id twice", "Two cards have the same id."),
    "E509": Code("a number twice", "Two cards of a set have the same number."),
    "E510": Code("unknown field", "Cards of this kind have no such field."),
    "E511": Code("a field is missing", "A card lacks a field of its kind."),
    "E512": Code("out of range", "A field has a number outside its range."),
    "E513": Code("unknown value of a field", "A field is none of the values of its type."),
    "E520": Code("no such field in a deck", "A deck expression names a field that no card has."),
    "E522": Code("a draw must come last", "Nothing can follow a draw."),
    "E523": Code("unknown card", "A set has no card with that id."),
    "E524": Code("a card without a number", "Cards are overlaid by number, and one has none."),
    "E525": Code("too few cards", "A draw needs more cards than there are."),
    "E526": Code("unknown card set", "There is no card set with that name."),
    "E527": Code("too many cards", "A zone holds more cards than are possible."),
    "E528": Code("unknown zone", "A deck is for a zone that does not exist or has an owner."),
    "E529": Code("no such kind of card", "Cards are of a kind that the rules do not declare."),
    "E530": Code(
        "one name for two things", "The name of a card is also the name of something else."
    ),
    "E531": Code("the wrong kind of card", "A deck has cards of the wrong kind for its zone."),
    "E532": Code("a card in two decks", "The same card is in two decks."),
    "E533": Code("wrong numbers in a zone", "A numbered zone lacks a number or has one twice."),
    "E534": Code("too few cards in a zone", "A deck has fewer cards than its zone needs."),
    "E535": Code(
        "no filter by that field", "Decks can be filtered by numbers, values, and yes or no."
    ),
    "E536": Code("no card", "A deck expression draws or copies no card."),
    "E537": Code("the card is not in the deck", "A deck removes a card that it does not contain."),
    "E538": Code("it overlays nothing", "A card overlays others but shares no number with them."),
    "E539": Code("no card is left", "A filter or a subtraction leaves nothing."),
    "E540": Code("nothing is drawn", "`targi mix` needs a deck that says `draw`."),
    "E541": Code("nothing is left", "All cards are drawn, so there is no rest to write."),
    "E542": Code(
        "card set in a file of another name", "The file and its card set have different names."
    ),
    "E601": Code("it cannot be chosen", "A choice is not offered, or the game is over."),
    "E602": Code(
        "no such outcome", "A list of outcomes ends too early or names an impossible one."
    ),
    "E603": Code("too long without a decision", "The rules continue without ever asking anybody."),
    "E604": Code("rules nested too deeply", "Rules call each other without end."),
    "E605": Code("out of its range", "A variable would leave its range."),
    "E606": Code("a number is too large", "A number in play does not fit into 32 bits."),
    "E607": Code("conditions nested too deeply", "A condition or definition depends on itself."),
    "E608": Code("triggers nested too deeply", "Triggers set each other off without end."),
    "E609": Code("too many options", "A question has more options than are possible."),
    "E610": Code("a range is too long", "A range in play holds too many numbers."),
    "E612": Code("a roll without a number", "The lowest number of a roll is above the highest."),
    "E613": Code("a game that does not end", "The limit on choices in a game has been reached."),
    "E614": Code("an invariant does not hold", "`--check` has found a bug in the program."),
    "E615": Code(
        "it cannot be carried out", "A statement is forbidden, unpayable, or unanswerable."
    ),
    "E616": Code(
        "a player who is out is asked", "A player who is out of the game cannot be asked."
    ),
    "E617": Code("workers keep dying", "Processes that play games are killed again and again."),
    "E650": Code("not a position", "A line of a position cannot be understood."),
    "E651": Code("unknown name in a position", "Nothing in the game has that name."),
    "E652": Code("not an amount", "A number is needed, or is out of its range."),
    "E653": Code("said twice in a position", "Something is in two places, or a card in none."),
    "E654": Code("nothing waits there", "The open question of a position fits no rule."),
    "E701": Code("not a record", "A file is not a saved game."),
    "E702": Code("damaged record", "A record does not fit its format, or was changed by hand."),
    "E703": Code("newer record", "A record was written by a newer program."),
    "E704": Code("record of other rules", "The rules have changed since the record was made."),
    "E705": Code("other seats", "The seats of a record are not those of the game."),
    "E706": Code("impossible choice", "A choice of a record is not offered there."),
    "E707": Code("choice after the end", "A record goes on after the game is over."),
    "E708": Code("record of an earlier version", "A record was written by an earlier program."),
    "E709": Code("another saved game", "A saved game is not the one that was asked for."),
    "W901": Code("no effect here", "An ability mentions something that this game does not have."),
    "W902": Code(
        "the game never ends", "No rule says `end game`, or none of them ever gets there."
    ),
    "W903": Code("a variable can leave its range", "Play would stop there; no rule compares it."),
    "W904": Code(
        "all know this card", "A card that was face up moves to a hand that is not closed."
    ),
    "W905": Code("this is never true", "The condition is never, or always, true."),
    "W906": Code(
        "this lowers the number", "A module has raised a number above what a card makes it."
    ),
    "W907": Code("no effect", "What an ability waits for never happens in this game."),
    "W908": Code("this is forced", "A rule that is optional everywhere else is made mandatory."),
    "W909": Code("not translated", "A catalogue lacks a text of the game."),
    "W910": Code("an outdated text", "A module changes what a card does but not its text."),
    "W911": Code("not in the rules", "A catalogue has a text that is not in the rules."),
    "W912": Code(
        "not the same values as in the rules",
        "A translation has different placeholders from its text.",
    ),
}


def page() -> str:
    """The table as a page of documentation."""
    return "\n".join([*_lines(), ""])


def _lines() -> Iterator[str]:
    yield "# Messages"
    yield ""
    yield "Every message has a code. The words depend on the place; this page says what they mean."
    for begins, about in ABOUT.items():
        yield from ("", f"## {about}", "", "| code | message | meaning |", "|---|---|---|")
        for code, (title, meaning) in CODES.items():
            if code.startswith(begins):
                yield f"| {code} | {title} | {meaning} |"


if __name__ == "__main__":
    sys.stdout.write(page())
