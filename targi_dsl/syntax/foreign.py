"""Notations of other languages and word processors, with what they may mean here."""

from __future__ import annotations

SYMBOLS = {
    "=": ("is", "be", "to", ":"),
    "==": ("is",),
    ":=": ("be", "to"),
    "!=": ("is not",),
    "<>": ("is not",),
    ">=": ("is at least", "at least"),
    "<=": ("is at most", "at most"),
    ">": ("is more than", "more than", "->"),
    "<": ("is less than", "less than"),
    "=>": ("->",),
    "&&": ("and",),
    "&": ("and", "+"),
    "||": ("or", "|"),
    "!": ("not",),
    ";": ("", "then"),
    ".": ("",),
    "\u2013": ("-",),
    "\u2014": ("-",),
    "\u2212": ("-",),
    "→": ("->",),
    "≥": ("is at least",),
    "≤": ("is at most",),
    "≠": ("is not",),
    "\u00d7": ("x", "*"),
    "…": ("..",),
    "\u00a0": (" ",),
}
QUOTES = dict.fromkeys(map(ord, "“”„«»'\u2018\u2019`"), '"')
WORDS = {
    "else": ("otherwise",),
    "for": ("", "each"),
    "foreach": ("each",),
    "equals": ("is",),
    "isnt": ("is not",),
    "when": ("if",),
    "while": ("if", "during"),
    **dict.fromkeys(("greater", "larger", "bigger", "higher"), ("more",)),
    **dict.fromkeys(("smaller", "lower", "fewer"), ("less",)),
    "var": ("let",),
}
