"""Warns of declarations without effect: unused rules, definitions and variables; things that never
appear in play; scores and tie-breaks that are the same for all players.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from targi_dsl.compiler.lints.asked import names_read
from targi_dsl.compiler.lints.cards import kinds_by_region
from targi_dsl.compiler.lints.flow import Bound, UseOfYou, bindings, constants, places
from targi_dsl.compiler.lints.payments import never_gained
from targi_dsl.compiler.lowering import certain
from targi_dsl.compiler.lowering.abilities import all_trees
from targi_dsl.compiler.lowering.calls import TOTAL
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.symbols.mentions import COUNTED, mentions
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.declarations import Variable
from targi_dsl.ir.game import Game
from targi_dsl.ir.layout import places_of
from targi_dsl.ir.walk import parts
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span

BEGINNINGS = ("setup", "round")
"""The rules with which a game begins and that it repeats."""


def in_vain(game: Compilation) -> Iterator[Problem]:
    """Rules that nothing calls, definitions, sets and relations that nothing uses, variables that
    nothing sets, or nothing asks for and no line shows (W919). What is used in its own module is
    not reported, though a variant may no longer use it; except a rule that a module stops calling
    and that contains prohibitions, which cards may mention.
    """
    every = _Needed.by(all_trees(game.context))
    needed_in = cache(lambda module: _Needed.by(game.written.modules[module].declarations))
    reported = any(one.code == "W902" for one in game.written.problems)  # it names the variables
    for (_, name), one in game.layers.effective.items():
        is_asked, home = every.reading[name] > 1, one.origins[-1].module
        match one.node:
            case n.Rule(name=word) if not is_asked and name not in BEGINNINGS:
                title, text = "done", f"No rule and no card says `do {name}`."
            case n.Define(name=word) if not is_asked:
                title, text = "used", "No rule, score or card asks for it."
            case n.SpaceSet(name=word) | n.Relation(name=word) if not is_asked:
                title, text = "used", "No rule, definition, score or card asks for it."
            case n.Variable(name=word) if not is_asked and name not in every.given:
                title, text = "used", "Nothing sets it, and nothing asks for it."
            case n.Variable(name=word) if is_asked and name not in every.given and not reported:
                title, stays = "set", name in every.moved
                text = "It always is what it is at first. Set it, or make it a definition."
                text = "It is nothing at first, and beside nothing is nothing." if stays else text
            case n.Variable(name=word, wording=None, each=each) if name not in every.asked and (
                each is None or each.text not in game.symbols.regions  # which news tell
            ):
                title, text = "asked for", "Rules set it, but nothing asks for it or shows it."
            case _:
                continue
        first, near = one.origins[-1].span, needed_in(home)
        is_first = first is not None and first.home is word.span.home
        is_near = near.reading[name] > is_first
        if title in ("set", "asked for"):
            is_near = name in (near.given if title == "set" else near.asked)
        if game.nearby().is_on_cards(name):
            continue
        if not is_near:
            problem = f"`{name}` is never {title}"
            yield Problem("W919", problem, word.span, text)
        elif title == "done" and (span := _no_longer(game, name)) is not None:
            problem = f"`{name}` is no longer done"
            text = "What did it is replaced here, so what it forbids is allowed now, whatever cards"
            text, hint = f"{text} say of that. Do it here, or write:", f"remove rule {name}"
            yield Problem("W919", problem, span, text, hint)


def _no_longer(game: Compilation, rule: str) -> Span | None:
    """The span where a module replaces the caller of a rule."""
    rules = (one for one in game.written.declarations if isinstance(one, n.Rule))
    doing = {one.name.text for one in rules if _does(one, rule)}
    for name in sorted(doing):
        there = game.layers.effective.get(("rule", name))
        for origin in there.origins if there is not None else ():
            if origin.how == "replaced" and not origin.forbid:
                return origin.span
    return None


def _does(tree: n.Rule, rule: str) -> bool:
    return any(one.rule.text == rule for one in tree.every(n.Do))


class _Needed(NamedTuple):
    """What trees use. reading: how many of them read each name. asked: the names read elsewhere
    than where they are declared as a variable or set. given: the variables that are set. moved:
    those that are set only relative to themselves: `set mover to next of mover`.
    """

    reading: Counter[str]
    asked: Collection[str]
    given: Collection[str]
    moved: Collection[str]

    @classmethod
    def by(cls, trees: Collection[n.Node]) -> _Needed:
        """Collects this from trees."""
        reading = Counter(chain.from_iterable(tree.derived(names_read) for tree in trees))
        steps = Counter(chain.from_iterable(tree.derived(_steps) for tree in trees))
        given = Counter(chain.from_iterable(tree.derived(_set) for tree in trees))
        begun = {one.name.text for one in trees if isinstance(one, n.Variable) and one.start}
        moved = {name for name in steps if steps[name] == given[name]} - begun
        asked = frozenset[str]().union(*(tree.derived(_asked) for tree in trees))
        return cls(reading, asked, given.keys() - moved, moved)


def _asked(tree: n.Node) -> frozenset[str]:
    """The names that a tree reads elsewhere than where it sets or declares a variable."""
    written = {word.span for word in _targets(tree)}
    written |= {one.name.span for one in tree.every(n.Variable)}
    said = {word for one in tree.every(n.Quoted) for word in re.findall(r"\w+", one.text)}
    named = (one for one in tree.derived(mentions) if one.kinds)
    return frozenset(said | {one.name for one in named if one.span not in written})


def _steps(tree: n.Node) -> tuple[str, ...]:
    """The variables that a tree sets to `next of` or `previous of` themselves, with repetitions."""
    steps = ((one.target.span.text, one.value.span.text) for one in tree.every(n.Assign))
    return tuple(name for name, new in steps if new in (f"next of {name}", f"previous of {name}"))


def _set(tree: n.Node) -> tuple[str, ...]:
    """The variables that a tree sets, with repetitions."""
    return tuple(word.text for word in _targets(tree))


def _targets(tree: n.Node) -> Iterator[n.Word | n.Name]:
    """The names of the variables that a tree sets, where it sets them."""
    yield from (one.name for one in tree.every(n.ChooseInSecret))
    targets = [one.target for one in tree.every(n.Assign)]
    targets += [one.variable for one in tree.every(n.RollVariable)]
    named = (one.name if isinstance(one, n.Your | n.Of) else one for one in targets)
    yield from (one for one in named if isinstance(one, n.Name | n.Word))


# ---- what never appears in play ----


def nowhere(game: Compilation) -> Iterator[Problem]:
    """Things that rules ask for but that never appear (W919): cards in a zone, pieces on the board,
    gains of a resource, resources in a pool or on a space.
    """
    checked = game.checked
    shown = (n.Zone, n.Piece, n.Resources, n.Pool, n.FreeExchange, n.Layout, n.Look)
    asking = (one for one in all_trees(game.context) if not isinstance(one, shown))
    named = (one for tree in asking for one in tree.derived(mentions))
    asked = {one.name for one in named if one.kinds and one.kinds[0] not in COUNTED}
    for name, zone in game.context.nodes(n.Zone):
        if name in asked and not kinds_by_region(checked).at(name):
            text = "No deck and no rule puts one there."
            yield Problem("W919", f"no card is ever in `{name}`", zone.name.span, text)
    moves = [(one, rule) for rule in checked.rules for one in rule.every(s.MovePieces)]
    known = [(one, bindings(checked, rule)) for one, rule in moves]
    found = [places(one.pieces, of) for one, of in known if not _is_beside_itself(checked, one, of)]
    every = range(len(checked.pieces))
    placed = {piece for one in found for piece in (every if one is None else one)}
    for name, kind in game.context.nodes(n.Piece):
        if name in asked and placed.isdisjoint(game.symbols.piece_kinds[name].ids):
            text = "Pieces begin off the board, and no rule places one:"
            title = f"`{name}` is never on the board"
            yield Problem("W919", title, kind.name.span, text, f"place {name} on ...")
    yield from _nowhere_shown(game)
    yield from _nowhere_held(game)
    pooled = {word.text for _, pool in game.context.nodes(n.Pool) for word in pool.resources}
    lacking = asked.intersection(checked.resources[one] for one in never_gained(checked)) - pooled
    for node in dict.fromkeys(one for _, one in game.context.nodes(n.Resources)):
        for word in (one for one in node.names if one.text in lacking and not node.on):
            text = f"No rule, card or exchange ever gives anybody {word.text}, so all have 0."
            yield Problem("W919", f"nobody ever gains `{word.text}`", word.span, text)


def _nowhere_held(game: Compilation) -> Iterator[Problem]:
    """Pools, spaces and kinds of cards whose resources are asked for or taken, though nothing puts
    any there.
    """
    checked, nodes, regions = game.checked, game.context.nodes, game.symbols.regions
    asking = (checked.rules, checked.defines, checked.scores, checked.ties)
    changed = [(one.variable, one.value) for rule in checked.rules for one in rule.every(s.Assign)]
    given = {at for at, value in changed if isinstance(value, e.Arith) and value.op == "+"}
    holders = dict.fromkeys(on for _, declared in nodes(n.Resources) for on in declared.on)
    for holder in (*holders, *(pool.name for _, pool in nodes(n.Pool))):
        held = dict[int, Variable]()
        for at, one in enumerate(checked.variables):
            if one.holds and holder.text == (one.each.name if one.each else one.pool):
                held[at] = one
        bases = {one.base for one in held.values()}
        resources = [one.holds for one in held.values()]
        is_asked = any(one.base in bases for one in parts(asking, e.Var))
        nearby = () if is_asked else filter(game.nearby().is_on_cards, resources)
        if held and given.isdisjoint(held) and not any(nearby):
            title = f"`{holder.text}` never holds {', '.join(resources)}"
            text = "At first there is nothing, and no rule puts any there:"
            if not is_asked:
                text = "No rule puts any there or asks for any. Leave that out, or write:"
            is_owned = holder.text in regions and regions[holder.text].owned
            where = f"on {'your ' * is_owned}" if holder in holders else "in "
            hint = f"put ... {resources[0]} {where}{holder.text}"
            yield Problem("W919", title, holder.span, text, hint)


def _nowhere_shown(game: Compilation) -> Iterator[Problem]:
    """Spaces to which pieces or cards are moved but that the layout does not show (W943)."""
    checked, shown = game.checked, {*places_of(game.checked.layout)}
    bound = [(rule, bindings(checked, rule)) for rule in checked.rules if checked.layout]
    moves = [(one.place, of) for rule, of in bound for one in rule.every(s.MovePieces)]
    moves += [(one.place, of) for rule, of in bound for one in rule.every(s.MoveCards)]
    known = [(to, of) for to, of in moves if to is not None]
    taken = {checked.places[at].region for to, of in known for at in _where(checked, to, of)}
    laid = {one.region for one in checked.places if one.name in shown}
    for name, spaces in game.context.nodes(n.Space):
        if name in taken - laid:
            text = "Something comes to lie there, and no line of the layout shows it. Add to it:"
            hint = f"each player\n  table {name}" if spaces.each is not None else f"table {name}"
            yield Problem("W943", f"nobody sees `{name}`", spaces.name.span, text, hint)


def _where(game: Game, place: e.Expr, bound: Bound) -> Collection[int]:
    """The known places to which something is moved."""
    match place:
        case e.Table(values, at) if len(values) > len(game.places):  # by place
            return [values[one] for one in places(at, bound) or () if values[one] >= 0]
        case _:
            return places(place, bound) or ()


def _is_beside_itself(game: Game, move: s.MovePieces, known: Bound) -> bool:
    """Whether pieces are moved off the board, or relative to their own place."""
    match move.place:
        case e.Table(_, e.Var(base, piece)) | e.Var(base, piece) if base == game.slots.piece_place:
            there, moved = places(piece, known), places(move.pieces, known)
            return there is not None and (moved is None or {*there} <= {*moved})
        case _:
            return move.place is None


# ---- scores that do not distinguish players ----


def shared_scores(game: Compilation) -> Iterator[Problem]:
    """Tie-breaks that are the same for every player; and such parts of the score that ask for
    pieces which each player has, unless all win or lose together (W919).
    """
    checked, nodes = game.checked, game.context.nodes
    if len(checked.players) < 2:
        return
    declared = (one.node for one in game.layers.effective.values())
    together = any(out.who is None for one in declared for out in one.every(n.Outcome))
    scores = [one.value for _, one in nodes(n.ScorePart)]
    ranks = [rank.value for _, one in nodes(n.Tie) for rank in one.ranks]
    found = [(rank, tie.value) for rank, tie in zip(ranks, checked.ties, strict=True)]
    for score, part in zip(scores, checked.scores, strict=False):
        match score, part.value:
            case n.Unary("count", things), e.Size(e.Pick() as those) if certain.size(those):
                why, on_board = certain.why_of_number(game.context, things)
                text = f"{why}, so their number never changes." + " Write:" * bool(on_board)
                title = f"`{score.span.text}` is the same for every player"
                yield Problem("W919", title, score.span, text, on_board and f"count of {on_board}")
        if not together and _of_several(checked, part.value):
            found.append((score, part.value))
    for written, value in found:
        uses = UseOfYou.by(value)
        passed_to = [checked.defines[one].value for one in uses.passed_to_all(checked)]
        has_ability = next(parts((value, *passed_to), e.Active), None) is not None
        if not has_ability and not uses.is_personal(checked):
            text = "It makes no difference between them. What one of them has is `your ...`."
            title = f"`{written.span.text}` is the same for every player"
            yield Problem("W919", title, written.span, text)


def order_of_scores(game: Compilation) -> Iterator[Problem]:
    """Tie-breaks by the total, which is equal in a tie; and `lowest score wins` without scores
    (W919).
    """
    checked, nodes = game.checked, game.context.nodes
    for _, node in nodes(n.LowestWins) if not checked.scores else ():
        yield Problem("W919", "nothing is scored", node.span, "So this decides nothing.")
    totals = [at for at, one in enumerate(checked.defines) if one.name == f"{TOTAL} of all"]
    listed = [(tie, rank) for _, tie in nodes(n.Tie) for rank in tie.ranks]
    for (tie, rank), of in zip(listed, checked.ties, strict=True):
        if isinstance(of.value, e.Call) and of.value.define in totals:
            text = "A tie is between those whose total is the same."
            hint, span = "", tie.span if len(tie.ranks) == 1 else rank.value.span
            if not checked.lowest_wins:
                text += " For the lowest total to win:"
                hint = "lowest score wins"
            problem = Problem("W919", "this breaks no tie", span, text, hint)
            yield problem.with_edit() if span is tie.span and hint else problem


def _of_several(game: Game, value: e.Expr) -> bool:
    """Whether a value depends on where pieces of several players are."""
    lying = (one for one in parts(value, e.Lying) if one.base == game.slots.piece_place)
    asked = (constants(one.things) or () for one in lying)
    return any(len({game.pieces[one].owner for one in those}) > 1 for those in asked)
