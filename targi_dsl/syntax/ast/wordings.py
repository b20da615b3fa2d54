"""Words for people."""

from __future__ import annotations

from dataclasses import field

from targi_dsl.syntax.ast.base import Node
from targi_dsl.syntax.ast.expressions import Expr
from targi_dsl.text.light import dataclass


@dataclass(frozen=True, slots=True)
class Quoted(Node):
    """A text for people, with its quotation marks."""

    text: str


@dataclass(frozen=True, slots=True)
class Shown(Node):
    """`shows "TEXT" if CONDITION`"""

    text: Quoted
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Wording(Node):
    """`as "TEXT" shows "TEXT" if CONDITION`"""

    text: Quoted
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Worded(Node):
    """A node that words for people may follow."""

    wording: Wording | None = field(default=None, kw_only=True)
