"""Words for people."""

from __future__ import annotations

from targi_dsl.syntax.ast.base import Node
from targi_dsl.syntax.ast.expressions import Expr


class Quoted(Node):
    """A text for people, with its quotation marks."""

    text: str


class Shown(Node):
    """`shows "TEXT" if CONDITION`"""

    text: Quoted
    condition: Expr | None


class Wording(Node):
    """`as "TEXT" shows "TEXT" if CONDITION`"""

    text: Quoted
    shown: tuple[Shown, ...]


class Worded(Node, kw_only=True):
    """A node that words for people may follow."""

    wording: Wording | None = None
