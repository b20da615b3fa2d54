"""Warns of options without effect: those that no rule tests, and those that other options of the
sheet make irrelevant.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from targi_dsl.compiler.lints.asked import names_read
from targi_dsl.compiler.lints.unused import BEGINNINGS
from targi_dsl.compiler.lowering.abilities import sentences
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem


def idle(game: Compilation) -> Iterator[Problem]:
    """Options that nothing tests, in their own modules or in the game; and values set in the sheet
    for options that only replaced, removed or unused declarations test (W924).
    """
    tested, written = _tested_options(game, {}), game.written.declarations
    mentioned = {one.option.text: one.span for tree in written for one in tree.every(n.OptionIs)}
    asked = tested | mentioned.keys()
    for name, one in game.context.nodes(n.Option):
        if name not in asked:
            text = "No rule, definition, score or card asks for it. A rule would ask:"
            hint = f"option {name} is {one.values[-1].text}"
            title = f"the option `{name}` changes nothing"
            yield Problem("W924", title, one.name.span, text, hint)
    untested, sheet = mentioned.keys() - tested, game.written.span
    for name, given in game.written.options.items():
        if name not in untested or not isinstance(given, n.SheetOption) or sheet is None:
            continue
        if given.span.source is sheet.source:  # not that of a sheet it is based on
            text = "What asked for it has been replaced or removed, or is no longer used."
            text += " A rule would ask:"
            title = f"the option `{name}` changes nothing"
            hint = f"option {name} is {given.value.text}"
            labels = (Label(mentioned[name], "the game no longer comes to this"),)
            yield Problem("W924", title, given.span, text, hint, labels)


def silenced(game: Compilation) -> Iterator[Problem]:
    """Values set in the sheet for options that nothing tests, given the values of the other options
    (W924).
    """
    chosen, values, sheet = game.symbols.options, game.symbols.option_values, game.written.span
    lines = [one for one in game.written.options.values() if isinstance(one, n.SheetOption)]
    here = [one for one in lines if sheet is not None and one.span.source is sheet.source]
    own = {one.option.text: one for one in here}
    given = {name for name, one in own.items() if one.value.text != values[name][0]}
    untested = (_tested_options(game, {}) - _tested_options(game, chosen)) & given if given else ()
    for name in sorted(untested):
        text, hint = "Nothing asks for it with the values that the other options have.", ""
        labels = tuple[Label, ...]()
        for cause in sorted(chosen.keys() - {name}):
            if name in _tested_options(game, {one: chosen[one] for one in chosen if one != cause}):
                text = f"Nothing asks for it while option {cause} is {chosen[cause]}. Write"
                text += " there:" if cause in own else ", too:"
                labels = (Label(own[cause].span, "it is here"),) if cause in own else ()
                hint = f"option {cause}: {_other(values[cause], chosen[cause])}"
                break
        title = f"the option `{name}` changes nothing"
        yield Problem("W924", title, own[name].span, text, hint, labels)


def _other(values: Iterable[str], value: str) -> str:
    return next(one for one in values if one != value)


def _tested_options(game: Compilation, options: Mapping[str, str]) -> set[str]:
    """The options that the game tests, if some of them have these values."""
    trees = _reachable(game, options)
    return {one.option.text for tree in trees for one in tree.every(n.OptionIs)}


def _reachable(game: Compilation, options: Mapping[str, str]) -> Iterator[n.Node]:
    """The trees that the game uses, with branches removed that these options exclude."""
    effective = game.layers.effective

    def holds(node: n.Node) -> bool | None:
        """Whether a condition holds because of the options alone; None if it depends on more."""
        match node:
            case n.OptionIs(option, value) if option.text in options:
                return value.text == options[option.text]
            case n.Unary("not", of) if (known := holds(of)) is not None:
                return not known
            case n.Logic(op, parts):
                found = [holds(one) for one in parts]
                if (op == "or") in found:
                    return op == "or"
                return None if None in found else op == "and"
            case n.Name(text) if ("define", text) in effective:
                defined = effective["define", text].node
                return holds(defined.value) if isinstance(defined, n.Define) else None
            case _:
                return None

    def remaining(node: n.Node) -> n.Node:
        match node:
            case n.If(condition, then, otherwise) if (known := holds(condition)) is not None:
                return replace(
                    node, then=then if known else (), otherwise=() if known else otherwise
                )
            case n.Conditional(_, condition) if (known := holds(condition)) is not None:
                return replace(node, otherwise=None) if known else replace(node, value=condition)
            case n.Logic(op, parts):
                return next((one for one in parts if holds(one) is (op == "or")), node)
            case _:
                return node

    rules, pending = defaultdict[str, list[n.Node]](list), list[n.Node]()
    for (_, name), one in game.layers.effective.items():
        is_on_demand = isinstance(one.node, n.Rule | n.Define) and name not in BEGINNINGS
        (rules[name] if is_on_demand else pending).append(one.node)
    pending += (node for node in game.written.declarations if isinstance(node, n.ExtendAction))
    pending += (*game.written.decks.values(), *sentences(game.context))
    for whole in pending:
        tree = n.rewritten(whole, remaining) if options else whole
        yield tree
        for name in tree.derived(names_read):
            pending += rules.pop(name, ())
