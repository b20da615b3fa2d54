"""How constructs are written, read from the grammar itself."""

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
"""What is printed by lines."""


class Part(Frozen):
    """A part of a construct: what stands there by the grammar. between: what separates several of
    them; None for a single one.
    """

    rule: str
    between: str | None = None


class Optional(Frozen):
    """Parts and words in square brackets."""

    items: tuple[Item, ...]


Item = str | Part | Optional


class Template(Frozen):
    """A construct, and the rule of the grammar that it is an alternative of."""

    rule: str
    items: tuple[Item, ...]

    @property
    def is_word(self) -> bool:
        """Whether it has nothing but words, which cannot vary."""
        return all(isinstance(one, str) for one in self.items)


@cache
def templates(name: str) -> tuple[Template, ...]:
    """The templates of a construct, or of a rule that has a form of its own."""
    rules, found = _rules(), list[Template]()
    for rule in _naming().get(name, ()):
        said = _alternatives(deque(_TOKEN.findall(rules[rule])))
        found += [Template(rule, items) for construct, items in said if (construct or rule) == name]
    return tuple(found)


@cache
def _rules() -> dict[str, str]:
    """The rules of the grammar as written, by name."""
    parts = re.split(r"\n(?=\S)", grammar_text())
    return {found[1]: found[2] for found in map(_RULE.fullmatch, parts) if found is not None}


@cache
def _naming() -> dict[str, list[str]]:
    """For each construct, and each rule, the rules that it may be an alternative of."""
    found = defaultdict[str, list[str]](list)
    for rule, body in _rules().items():
        for name in dict.fromkeys((rule, *_CONSTRUCT.findall(body))):
            found[name].append(rule)
    return found


def _alternatives(tokens: deque[str]) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """The alternatives up to a closing bracket, each with its name."""
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
    """What stands for a group in parentheses: `x ("," x)*` is several of x, and of words between
    which one can choose it is the first.
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
