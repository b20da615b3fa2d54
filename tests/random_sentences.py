"""Random sentences of the grammar: everything that can be said, whether or not it means anything."""

from __future__ import annotations

import random
from collections import defaultdict
from functools import cache

from lark.grammar import NonTerminal, Rule, Symbol

from targi_dsl.syntax.grammar import language
from targi_dsl.syntax.lexer import CELL, DEDENT, INDENT, NAME, NEWLINE, NUMBER, TEXT

ENDLESS = 1_000
NAMES = ("coins", "pile", "tea", "robber", "worth", "camp_4")
TEXTS = ('"Some words"', '"{coins} # more"')
REMARKS = ("", "", "", "", "   # why", "  #and how")
ABOVE = ("", "", "", "", "# what it is", "\n# about\n# it", "# apart\n")


@cache
def _rules() -> dict[str, list[Rule]]:
    rules = defaultdict(list)
    for rule in language().parser.rules:
        rules[rule.origin.name].append(rule)
    return rules


@cache
def _depths() -> dict[str, int]:
    """How many rules a symbol needs at least, one within the other."""
    depths = dict.fromkeys(_rules(), ENDLESS)
    for _ in depths:
        for name, rules in _rules().items():
            depths[name] = 1 + min(_deepest(rule, depths) for rule in rules)
    return depths


def _deepest(rule: Rule, depths: dict[str, int]) -> int:
    return max((depths.get(one.name, 0) for one in rule.expansion), default=0)


def sentence(start: str, chance: random.Random, deep: int = 14) -> str:
    """A random text that the grammar allows, apart from words that the lexer reads otherwise."""
    pieces = list[str]()
    _expand(NonTerminal(start), chance, deep, pieces)
    return _text(pieces, chance)


def _expand(symbol: Symbol, chance: random.Random, deep: int, pieces: list[str]) -> None:
    if not isinstance(symbol, NonTerminal):
        pieces.append(symbol.name)
        return
    rules, depths = _rules()[symbol.name], _depths()
    good = [rule for rule in rules if _deepest(rule, depths) < deep]
    least = min(_deepest(rule, depths) for rule in rules)
    rule = chance.choice(good or [one for one in rules if _deepest(one, depths) == least])
    for part in rule.expansion:
        _expand(part, chance, deep - 1, pieces)


def _text(pieces: list[str], chance: random.Random) -> str:
    spelt: dict[str, tuple[str, ...]] = {
        terminal: (word,) for word, terminal in language().terminals.items()
    }
    spelt |= {NAME: NAMES, NUMBER: ("0", "3", "12"), CELL: ("a1", "b12"), TEXT: TEXTS}
    lines, level = [list[str]()], [0]
    indents = [0]
    for piece in pieces:
        if piece in (INDENT, DEDENT):
            level.append(level[-1] + (1 if piece == INDENT else -1))
        elif piece == NEWLINE:
            lines.append([])
            indents.append(-1)
        else:
            if not lines[-1]:
                indents[-1] = level[-1]
            lines[-1].append(chance.choice(spelt[piece]))
    text = ""
    for indent, words in zip(indents, lines, strict=True):
        if words:
            before = "  " * indent
            above = chance.choice(ABOVE) if text else ""
            text += "".join(
                f"{before}{one}\n" if one else "\n" for one in above.split("\n") if above
            )
            text += before + " ".join(words) + chance.choice(REMARKS) + "\n"
    return text
