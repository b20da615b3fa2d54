"""Templates of constructs, extracted from the grammar."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator
from functools import cache

from targi_dsl.syntax.grammar import grammar_text
from targi_dsl.text.structs import Frozen

_RULE = re.compile(r"[?!]?(_?[a-z]\w*): (.*)", re.DOTALL)
_CONSTRUCT = re.compile(r"-> *(\w+)")
_TOKEN = re.compile(r'"[^"]*"|->|\w+|[][()|*+?]')
_LAYOUT = ("cited", "_NL", "block", "addition")
"""Parts that are printed as lines, not by templates."""


class Part(Frozen):
    """A part of a construct, named by its rule. between: the separator of repeated parts; None for
    a single part.
    """

    rule: str
    between: str | None = None


class Optional(Frozen):
    """An optional group: parts and words in square brackets."""

    items: tuple[Item, ...]


Item = str | Part | Optional


class Template(Frozen):
    """The form of a construct: an alternative of a rule of the grammar."""

    rule: str
    items: tuple[Item, ...]

    @property
    def is_word(self) -> bool:
        """Whether it consists of fixed words."""
        return all(isinstance(one, str) for one in self.items)


@cache
def templates(name: str) -> tuple[Template, ...]:
    """The templates of a construct, or of a rule without one."""
    rules, found = _rules(), list[Template]()
    for rule in _rules_of().get(name, ()):
        ways = _alternatives(deque(_TOKEN.findall(rules[rule])))
        found += [Template(rule, items) for construct, items in ways if (construct or rule) == name]
    return tuple(found)


@cache
def _rules() -> dict[str, str]:
    """The sources of the grammar's rules, by name."""
    parts = re.split(r"\n(?=\S)", grammar_text())
    return {found[1]: found[2] for found in map(_RULE.fullmatch, parts) if found is not None}


@cache
def _rules_of() -> dict[str, list[str]]:
    """For each construct and each rule, the rules of which it may be an alternative."""
    found = defaultdict[str, list[str]](list)
    for rule, body in _rules().items():
        for name in dict.fromkeys((rule, *_CONSTRUCT.findall(body))):
            found[name].append(rule)
    return found


def _alternatives(tokens: deque[str]) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """Parses alternatives up to a closing bracket; yields each with its construct."""
    construct, items = "", list[Item]()
    while tokens:
        match tokens.popleft():
            case "|":
                yield construct, tuple(items)
                construct, items = "", []
            case "]" | ")":
                break
            case "->":
                construct = tokens.popleft()
            case "[":
                items.append(Optional(next(iter([*_alternatives(tokens)]))[1]))
            case "(":
                (_, inner), *_ = [*_alternatives(tokens)]
                items += _repeated(items, inner, tokens)
            case "+" | "*":
                items[-1] = Part(str(getattr(items[-1], "rule", "")), "")
            case "_INDENT":  # lines of their own
                while tokens.popleft() != "_DEDENT":
                    pass
            case token if token not in _LAYOUT:
                items.append(token[1:-1] if token[0] == '"' else Part(token))
    yield construct, tuple(items)


def _repeated(before: list[Item], inner: tuple[Item, ...], tokens: deque[str]) -> tuple[Item, ...]:
    """The item for a group in parentheses: `x ("," x)*` is a repetition of x; of a choice of words,
    the first is taken.
    """
    match [tokens.popleft()] if tokens and tokens[0] in "*+?" else []:
        case []:
            return inner
        case ["?"]:
            return ()
        case _:
            *words, last = inner
            if isinstance(last, Part) and before and before[-1] == last:
                before.pop()
                return (Part(last.rule, " ".join(map(str, words))),)
            return tuple(one for one in inner if isinstance(one, Part))
