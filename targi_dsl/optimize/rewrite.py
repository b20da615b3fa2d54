"""Rewrites the expressions of a program, and finds what an expression depends on."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from msgspec.structs import replace

from targi_dsl.ir import expressions as e
from targi_dsl.ir.program import WITH_EXPRESSIONS, Program
from targi_dsl.ir.walk import EXPRESSIONS, Rewrite, children, parts, rewritten

YES, NO, EMPTY = e.Const(1), e.Const(0), e.Const(())


def everywhere(program: Program, rewrite: Rewrite) -> Program:
    """The program with every expression rewritten, inner ones first."""
    changed = {name: rewritten(getattr(program, name), rewrite) for name in WITH_EXPRESSIONS}
    return replace(program, **changed, engines={})


def depends(node: object, slot: int) -> bool:
    """Whether a value may depend on a slot of the frame. Anything about payments may read
    any slot.
    """
    match node:
        case e.Local(at):
            return at == slot
        case e.CanPay():
            return True
        case _:
            return any(depends(part, slot) for part in children(node))


def size(node: object) -> int:
    """The number of expressions in an expression."""
    return sum(map(size, children(node))) + (type(node) in EXPRESSIONS)


def anywhere(node: object, holds: Callable[[object], bool]) -> bool:
    """Whether something holds for a part of a program or for any part of it."""
    return any(map(holds, parts(node, object)))


def substituted(node: Any, arguments: tuple[e.Expr, ...]) -> Any:
    """A part of a program with arguments substituted for the slots of its frame."""
    return rewritten(
        node, lambda local: arguments[local.slot] if isinstance(local, e.Local) else local
    )


def depends_on_frame(node: object) -> bool:
    """Whether an expression binds slots of its frame, or reads some that it does not name."""
    return anywhere(node, _needs_frame)


def _needs_frame(node: object) -> bool:
    match node:
        case e.Filter() | e.Map() | e.Fold() | e.Reached() | e.CanPay():
            return True
        case e.Exists(_, _, condition):
            return condition != YES
        case _:
            return False


def is_safe(node: object, defines: Set[int] = frozenset()) -> bool:
    """Whether an expression can be evaluated at any time: it cannot fail, and it is cheap. defines:
    the definitions of which that is known.
    """
    match node:
        case e.Arith() | e.Range() | e.Fold() | e.CanDo() | e.CanPay():
            return False
        case e.Call(define, arguments):
            return define in defines and is_safe(arguments, defines)
        case e.Reached() | e.LongestLine():
            return False
        case e.Filter(_, within, condition):
            return isinstance(within, e.Const) and is_safe(condition, defines)
        case e.Exists(condition=e.Not() | e.All() | e.AnyOf() | e.Compare()):
            return False
        case _:
            return all(is_safe(part, defines) for part in children(node))


def without_steps(node: Any) -> Any:
    """A part of a program with each reachability question replaced by the sets in it."""

    def rewrite(one: e.Expr) -> e.Expr:
        match one:
            case e.Reached(_, start, step, within):
                return e.SetOp("plus", start, e.SetOp("plus", step, within))
            case _:
                return one

    return rewritten(node, rewrite)


def safe_defines(program: Program) -> Set[int]:
    """The definitions that can be evaluated at any time, or could but for reachability; no
    recursive one.
    """
    found, values = set[int](), [without_steps(one.value) for one in program.defines]
    while True:
        more = {number for number, one in enumerate(values) if is_safe(one, found)} - found
        if not more:
            return found
        found |= more
