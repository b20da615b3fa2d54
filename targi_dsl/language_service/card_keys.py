"""Locates an offset in a card file that may be incomplete: at a key, in a value, or in a
sentence.
"""

from __future__ import annotations

import re
from typing import Literal

from targi_dsl.text.structs import Frozen

_ENTRY = re.compile(r"^ *- (?=\{|\w+:)", re.MULTILINE)
_KIND = re.compile(r"^kind:[ ]*(\w+)", re.MULTILINE)
_PART = re.compile(
    r'"(?:[^"\\\n]|\\.|\n)*(?P<closing>"|\Z)|(?<=[\s:,\[{])\'[^\'\n]*(?P<last_quote>\'|\Z)|(?<!\S)#.*'
    r"|(?P<key>[\w-]+)[ ]*:(?=\s|\Z)|(?P<begin>[\[{])|(?P<end>[\]}])|(?P<comma>,)"
    r"|(?P<line>\n)(?P<indent>[ ]*)(?P<dash>- +)?"
)


class Place(Frozen):
    """A position in a card file. key: of the value, or of the mapping that contains the key; "" if
    there is none. written: the part of the value before the position. kind: of the cards; "" above
    them.
    """

    sort: Literal["key", "value"]
    key: str
    written: str
    kind: str


def place_at(text: str, offset: int) -> Place:
    """The position of an offset in the text of a card file."""
    named = _KIND.search(text)
    entry = max((one for one in _ENTRY.finditer(text, 0, offset)), key=re.Match.end, default=None)
    if entry is None:
        line = text[text.rfind("\n", 0, offset) + 1 : offset]
        key, colon, written = line.partition(":")
        return Place("value" if colon else "key", key if colon else "", written, "")
    column = entry.end() - text.rfind("\n", 0, entry.end()) - 1
    place = _within(text[entry.end() : offset], column)
    return Place(*place, named[1] if named is not None else "")


def _within(card: str, column: int) -> tuple[Literal["key", "value"], str, str]:
    """The position at the end of the beginning of a card; `column`: that of its keys."""
    open_, own, key, begin = list[tuple[str, str]](), "", "", 0
    for part in _PART.finditer(card):
        if "" in (part["closing"], part["last_quote"]):  # an unclosed string
            begin = part.start() + 1
        elif part["key"] is not None:
            key, begin = part["key"], part.end()
            own = key if not open_ and not own else own
        elif part["begin"]:
            open_.append((part["begin"], key))
            key, begin = ("" if part["begin"] == "{" else key), part.end()
        elif part["end"] and open_:
            key, begin = open_.pop()[1], part.end()
        elif part["comma"] and open_:
            key, begin = ("" if open_[-1][0] == "{" else key), part.end()
        elif part["line"] and not open_:
            own = own if len(part["indent"]) > column or part["dash"] else ""
            key, begin = (own if part["dash"] else ""), part.end()
    within = next((key for sign, key in open_ if sign == "{" and key), own)
    if key:
        return "value", key if within in ("", key) else "", card[begin:].lstrip()
    return "key", within, ""
