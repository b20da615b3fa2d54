"""Types of expressions: the ones that rules work with, and how a set relates to its elements."""

from __future__ import annotations

from targi_dsl.ir import model as m

Typed = tuple[m.Expr, m.Type]
"""What an expression means, and its type."""


def many(type_: m.Type) -> m.Type:
    """The type of a set of such; of what is unknown it is not known either whether it is one."""
    if type_.kind == "unknown":
        return type_
    return m.Type(type_.kind, type_.of, True)


def single(type_: m.Type) -> m.Type:
    return m.Type(type_.kind, type_.of, False)
