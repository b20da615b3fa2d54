"""Warns of statements and expressions that probably do not mean what was intended, judged by their
syntax trees: unused names, statements without effect, conditions that always hold, answers that
cannot be told apart, and others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise

from targi_dsl.compiler.layers.changes import blocks
from targi_dsl.compiler.lints import loops
from targi_dsl.compiler.lints.asked import Asked, named, names_read, reads
from targi_dsl.compiler.lints.readings import of_two_readings
from targi_dsl.compiler.lowering.abilities import all_trees
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.symbols.mentions import bound
from targi_dsl.ir import types as t
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.printer import print_body
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span

_LOOPS = (n.Each, n.EachPlayer, n.ByTurns, n.Repeat, n.RepeatUntil, n.Times)
_BINDING = (n.Let, n.Roll)


def warnings(game: Compilation) -> Iterator[Problem]:
    """The warnings about every declaration, and every sentence on cards in play."""
    nodes, trees = game.context.nodes, all_trees(game.context)
    spaces = {name for name, _ in nodes(n.Space)}
    defines, zones = dict(nodes(n.Define)), dict(nodes(n.Zone))
    global_names: dict[str, n.Variable | n.Define] = {**dict(nodes(n.Variable)), **defines}
    fields = (field for _, one in nodes(n.CardKind) for field in one.fields)
    optional: dict[str, bool] = {}
    for field in fields:
        optional[field.name.text] = field.optional and optional.get(field.name.text, True)
    asked = Asked(
        optional,
        defines,
        frozenset(name for tree in trees for name in tree.derived(_emptied)),
        _coming([one for _, one in nodes(n.Rule)]),
        game.symbols.plurals,
    )
    placed = {one.piece.text for tree in trees for one in tree.every(n.Place)}
    scores = [one for _, one in nodes(n.ScorePart)]
    is_scored = bool(scores) and not any("outcome" in names_read(one) for one in scores)
    for tree in trees:
        yield from tree.derived(_of_itself)
        yield from _behind(tree, spaces)
        yield from _hidden(tree, global_names)
        yield from loops.warnings(tree, asked, zones)
        yield from _lowest_of_nothing(tree, asked)
        yield from _both_of_nothing(tree)
        yield from _surely_there(tree, game, spaces)
        yield from _of_all_pieces(tree, game, placed)
        yield from _voided(tree, is_scored)


def _of_itself(tree: n.Node) -> tuple[Problem, ...]:
    """The warnings for which nothing else of the game needs to be known."""
    checks = (
        _unused,
        _idle,
        _set_back,
        _forgotten,
        of_two_readings,
        _given,
        _perhaps_nothing,
        _alike,
    )
    return tuple(one for of in (*checks, _stopped_for_all) for one in of(tree))


# ---- unused names ----


def _unused(tree: n.Node) -> Iterator[Problem]:
    """Names that are bound but never read (W916)."""
    values = [(one.those, one.value) for one in tree.every(n.Fold)]
    values += [(one.those, one.condition) for one in tree.every(n.Every)]
    for those, value in values:
        if not reads((value, those), those.name):
            yield _problem(those.name, "What is asked is the same for each of them.")
    whole = [those for those, _ in values]
    for those in tree.every(n.Those):
        condition = those.condition if those not in whole else None
        if condition is not None and not reads((condition,), those.name):
            text = "The condition is the same for each of them. Use it, or write for all or none"
            hint = f"({those.within.span.text} if {condition.span.text})"
            yield _problem(those.name, f"{text} of them:", hint)
    for loop in tree.every(n.Each):
        inner = loop.within.within if isinstance(loop.within, n.Those) else loop.within
        is_of_players = isinstance(inner, n.Keyword) and inner.text == "players"
        condition = loop.condition
        if is_of_players and condition is not None and not reads((condition,), loop.name):
            some = f"each {loop.name.text} in {loop.within.span.text}"
            text = "The condition is the same for each of them. Use it, or write before the line,"
            text += f" and below it `{some}`:"
            yield _problem(loop.name, text, f"if {condition.span.text}")
        if is_of_players and not any(reads((part,), loop.name) for part in loop.body):
            text = f"Each time it is you who does it, and not {loop.name.text}."
            some = f"{loop.name.text} in {loop.within.span.text}"
            if loop.condition is not None:
                some += f" where {loop.condition.span.text}"
            is_all = loop.condition is None and inner is loop.within
            head = "each player" if is_all else f"each {some}: turn of {loop.name.text}"
            yield _problem(loop.name, text, f"{head}: ...")
    by_others = [one.statement for one in tree.every(n.By)]
    for block in blocks(getattr(tree, "body", ())):
        for at, part in enumerate(block):
            if isinstance(part, _BINDING) and not reads((part, *block[at + 1 :]), part.name):
                yield _problem(part.name, "It makes no difference to what follows.")
            asked = part.statement if isinstance(part, n.By) else part
            is_first = all(part is not one for one in by_others)
            if isinstance(asked, n.Choose) and is_first and not reads(block[at + 1 :], asked.name):
                yield _problem(asked.name, "What is chosen makes no difference to what follows.")
    for way in tree.every(n.Alternative):
        if way.name is not None and not reads(way.body, way.name):
            yield _problem(way.name, "All these answers do the same.")


def _problem(word: n.Word, text: str, hint: str = "") -> Problem:
    text += "" if hint else " Use it, or leave it out."
    return Problem("W916", f"`{word.text}` is never used", word.span, text, hint)


# ---- statements without effect ----


def _idle(tree: n.Node) -> Iterator[Problem]:
    """`set V to V`, `gain 0 coins`, `put PILE on PILE` and the like (W945)."""
    for step in tree.walk():
        if why := _why_idle(step):
            title = "this changes nothing"
            yield Problem("W945", title, step.span, f"{why} Leave it out, or change it.")
    single = _single_things(tree)
    for put, after in (two for one in blocks(getattr(tree, "body", ())) for two in pairwise(one)):
        match put, after:
            case n.Put(card, "on", place), n.Put(n.Unary("top", n.Node() as there) as top) if (
                there.span.text == place.span.text
                and (isinstance(card, n.Unary) or card.span.text in single)
            ):
                title, hint = "this is the card just put there", f"let other be {top.span.text}"
                text = "If the one that lay on top before is meant, give it a name above that line:"
                yield Problem("W945", title, top.span, text, hint)
            case n.ChooseInSecret(first), n.ChooseInSecret(second) if first.text == second.text:
                text = f"The next choice of `{first.text}` begins anew for all players. Let it be"
                text += " one of another variable."
                yield Problem("W945", "what is chosen here is forgotten", put.span, text)


def _set_back(tree: n.Node) -> Iterator[Problem]:
    """The set of a secret choice that asks for what the player chose the last time (W945)."""
    for step in tree.every(n.ChooseInSecret):
        for part in (one for one in (step.within, step.condition) if one is not None):
            for one in part.walk():
                match one:
                    case n.Your(word) | n.Of(word, None, n.Keyword("you")) if (
                        word.text == step.name.text
                    ):
                        text = "A secret choice begins anew: it has been set back. Keep what was"
                        text += " chosen in another variable, and ask for that."
                        yield Problem("W945", "nothing is chosen here yet", one.span, text)


def _single_things(tree: n.Node) -> frozenset[str]:
    """The names of what is not a set in a tree."""
    words = [one.name for one in tree.every(n.Choose) if one.several is None]
    words += [one.name for one in tree.every(n.Let)]
    words += [one.name for one in tree.every(n.Each)]
    params = (one for one in tree.every(n.Param) if one.type is None or one.type.form != "list")
    return frozenset(word.text for word in (*words, *(one.name for one in params)))


def _why_idle(step: n.Node) -> str:
    """The reason why a statement has no effect; "" if it may have one."""
    match step:
        case n.Assign(target, value) if _is_same(target, value):
            return f"`{target.span.text}` is that already."
        case n.Gain(n.Price(alternatives=(amounts,), extra=(), reward=())) | n.Lose(amounts) if all(
            isinstance(one.quantity, n.Number) and not one.quantity.value for one in amounts
        ):
            return "The amount is 0."
        case n.Draw(n.Number(0)) | n.Deal(n.Number(0)) | n.Transfer(n.Number(0)):
            return "The number is 0."
        case n.Move(piece, place) if place.span.text == f"place of {piece.span.text}":
            return "It is there already."
        case n.Put(cards, "on", place, False, "") if cards.span.text == place.span.text or (
            cards.span.text == f"top of {place.span.text}"
        ):
            return "They lie there already."
        case n.Swap(card, other) if card.span.text == other.span.text:
            return "Both are the same."
        case n.Transfer(_, _, n.Node() as source, target=n.Node() as target) if (
            source.span.text == target.span.text
        ):
            return "They lie there already."
        case _:
            return ""


def _is_same(target: n.Expr, value: n.Expr) -> bool:
    """Whether a value equals the variable, with 0 added or the like."""
    match value:
        case n.Binary("+" | "-", of, n.Number(0)) | n.Binary("*" | "/", of, n.Number(1)):
            return _is_same(target, of)
        case n.Binary("+", n.Number(0), of) | n.Binary("*", n.Number(1), of):
            return _is_same(target, of)
        case _:
            return value.span.text == target.span.text


# ---- values lost in a loop ----


def _forgotten(tree: n.Node) -> Iterator[Problem]:
    """`let N be N + 1` in a loop: in each iteration N has its value from before the loop (W917)."""
    for loop in (one for one in tree.walk() if isinstance(one, _LOOPS)):
        for let in loop.every(n.Let):
            name = let.name.text
            again = [one for one in loop.every(n.Let) if one.name.text == name]
            if again == [let] and reads((let.value,), let.name):
                text = f"Each time `{name}` is what it was before. Let a variable count:"
                title, hint = f"`{name}` is forgotten each time", f"set {name} to"
                yield Problem("W917", title, let.span, text, f"{hint} {let.value.span.text}")


# ---- shadowing ----


def _hidden(tree: n.Node, global_names: Mapping[str, n.Variable | n.Define]) -> Iterator[Problem]:
    """Local names that shadow a variable or a definition (W937)."""
    for one, word in tree.derived(bound):
        name, hint = word.text, ""
        match global_names.get(name):
            case n.Variable(each=each):
                what, text = "variable", "does not set the variable. Give it another name"
                if isinstance(one, n.Choose | n.Roll):
                    text += ", and to keep it write behind it:"
                    hint = f"set {'your ' if each is not None else ''}{name} to ..."
            case n.Define():
                what, text = "definition", "is not what is defined. Give it another name"
            case _:
                continue
        text = f"From here on `{name}` is only this, and {text}" + ("" if hint else ".")
        title = f"this hides the {what} `{name}`"
        yield Problem("W937", title, word.span, text, hint)


# ---- the lowest of what may be nothing ----


def _emptied(tree: n.Node) -> frozenset[str]:
    """The variables that are set to nothing."""
    steps = [one for one in tree.every(n.Assign) if one.value.span.text == "nothing"]
    return frozenset(name for one in steps for name in names_read(one.target))


def _coming(rules: Collection[n.Rule]) -> frozenset[str]:
    """The pieces that are removed from the board, or placed by rules other than setup and what it
    calls.
    """
    setup = next((one for one in rules if one.name.text == "setup"), None)
    done = {one.rule.text for one in setup.every(n.Do)} if setup is not None else set[str]()
    pieces: list[n.Node] = [one.pieces for rule in rules for one in rule.every(n.RemovePieces)]
    names = set[str]().union(*map(names_read, pieces))
    for rule in (one for one in rules if one is not setup and one.name.text not in done):
        names |= {one.piece.text for one in rule.every(n.Place)}
    return frozenset(names)


def _lowest_of_nothing(tree: n.Node, asked: Asked) -> Iterator[Problem]:
    """Lowest values of a property that may be nothing, which counts as 0 (W939): of a variable that
    is set to nothing, of the place of a piece, of an optional field.
    """
    for fold in tree.every(n.Fold):
        match fold:
            case n.Fold("lowest", value=value) | n.Fold("highest", n.Binary("-", _, value)):
                pass
            case _:
                continue
        name, within, condition = fold.those.name.text, fold.those.within, fold.those.condition
        filters = (one for one in (within, condition) if one is not None)
        read = asked.by(frozenset(name for one in filters for name in names_read(one)))
        match asked.inlined(value, name):
            case n.Of(n.Word(), None, n.Of(n.Word(what), None, n.Name(of)) as inner), bound if (
                of == bound
                and (what in asked.emptied or (what == "place" and named(within) in asked.coming))
            ):
                title = f"`{inner.span.text}` may be nothing, which counts as 0"
                text = "It is sometimes set to nothing"
                text = "A piece off the board has none" if what == "place" else text
                text += ", which is the lowest of all. Write:"
                also = f"{what} of {name} is not nothing"
            case n.Of(n.Word(what), None, n.Name(of)) as inner, bound if (
                of == bound and asked.fields.get(what)
            ):
                title = f"`{what}` may be missing"
                text = "A card without it counts as 0, the lowest of all. Write:"
                also = f"{name} has {'an' if what[0] in 'aeiou' else 'a'} {what}"
            case _:
                continue
        if what not in read:
            span = inner.span if fold.span.contains(inner.span) else fold.value.span
            also += f" and {condition.span.text}" if condition is not None else ""
            hint = f"({name} in {within.span.text} where {also})"
            yield Problem("W939", title, span, text, hint)


def _both_of_nothing(tree: n.Node) -> Iterator[Problem]:
    """`worth of top of your pile` compared with the lowest or highest of those whose pile is not
    empty, in a loop that goes on until piles are empty (W939): of an empty pile, and of nobody,
    both are 0.
    """
    for loop in tree.every(n.RepeatUntil):
        emptied = {zone for zone, of in _asked_for_any(loop.condition) if of is None}
        filled = {named(one.place) for one in loop.every(n.Put)}
        filled |= {named(one.place) for one in loop.every(n.Draw)}
        asked = {zone for zone, of in _asked_for_any(loop) if of is not None}
        for node in loop.every(n.Binary):
            match node:
                case n.Binary(
                    "is",
                    n.Of(n.Word(), None, n.Unary("top" | "bottom", n.Your(n.Word(zone)))) as one,
                    n.Fold("lowest" | "highest", those=n.Those(condition=condition)),
                ) if condition is not None and zone in emptied - filled - asked:
                    if not any(name == zone for name, _ in _asked_for_any(condition)):
                        continue
                    title = f"`{one.span.text}` may be of nothing, which counts as 0"
                    text = (
                        f"If nothing lies in any {zone}, both sides are 0, and this holds. Write:"
                    )
                    hint = f"any your {zone} and {node.span.text}"
                    yield Problem("W939", title, node.span, text, hint)
                case _:
                    pass


def _asked_for_any(tree: n.Node) -> Iterator[tuple[str, n.Expr | None]]:
    """The zones of which it is asked whether anything lies there, each with the expression if it is
    one's own.
    """
    for test in tree.every(n.Unary):
        match test:
            case n.Unary("any" | "no" | "count", n.Your(n.Word(zone)) as own):
                yield zone, own
            case n.Unary("any" | "no" | "count", n.Of(n.Word(zone), None)):
                yield zone, None
            case _:
                pass


# ---- tests for what always exists ----


def _surely_there(tree: n.Node, game: Compilation, spaces: Collection[str]) -> Iterator[Problem]:
    """`no X`, `any X`, `X is nothing` and `count of X` where X certainly is a single thing
    (W905).
    """
    facts, things = game.context.facts, game.context.on_spaces()
    for test, thing, asked in tree.derived(_tests_of_nothing):
        match thing:
            case n.SpaceByName(region):
                is_there = is_space = region.text in spaces
            case n.Name() if thing.span in facts.locals:
                type_ = facts.types[thing.span]
                is_there = facts.locals[thing.span] in tree.derived(_surely_bound)
                is_space = isinstance(type_, t.Place)
                if isinstance(type_, t.Place) and type_.is_zone:
                    continue  # its cards are meant
            case n.Name(name) | n.Your(n.Word(name)) | n.Of(n.Word(name), None):
                is_there = is_space = name in game.symbols.spaces
            case _:
                continue
        if is_there and asked == "count":
            phrase, text = thing.span.text, "It is a single one. Count several of them:"
            hint = f"count of {things} on {phrase}"
            if not is_space or not things:
                hint = f"count of (x in ... where ... of x is ... of {phrase})"
            yield Problem("W905", "this is always 1", test.span, text, hint)
        elif is_there:
            phrase, outcome = thing.span.text, "always" if asked == "any" else "never"
            text = f"`{phrase}` is there{', whatever is on it' * is_space}, so the condition"
            hint = f"{asked} {things} on {phrase}" if things and is_space else ""
            yield Problem(
                "W905", f"this {outcome} holds", test.span, f"{text} {outcome} holds.", hint
            )


def _surely_bound(tree: n.Node) -> frozenset[Span]:
    """The spans of names bound to existing things: by choices and loops."""
    chosen = (one for one in tree.every(n.Choose) if not (one.several or one.at_random))
    words = [one.name for one in chosen] + [one.name for one in tree.every(n.Each)]
    words += [one.name for one in tree.every(n.Those)]
    return frozenset(word.span for word in words)


def _tests_of_nothing(tree: n.Node) -> tuple[tuple[n.Expr, n.Expr, str], ...]:
    """The tests whether there is something, and counts: each with its operand and `any`, `no` or
    `count`.
    """
    asked = (one for one in tree.every(n.Unary) if one.op in ("any", "no", "count"))
    compared = (one for one in tree.every(n.Binary) if one.right.span.text == "nothing")
    meant, found = {"is": "no", "is_not": "any"}, [(one, one.operand, one.op) for one in asked]
    return *found, *((one, one.left, meant[one.op]) for one in compared if one.op in meant)


# ---- all pieces of a kind ----


def _of_all_pieces(tree: n.Node, game: Compilation, placed: Collection[str]) -> Iterator[Problem]:
    """`move KIND to S`, `move your KIND to S` and `remove KIND` in a turn or after a choice, where
    there are several such pieces, so that all of them are meant (W946).
    """
    for step in tree.derived(_of_one_player):
        pieces = step.piece if isinstance(step, n.Move) else step.pieces
        kind = game.symbols.piece_kinds.get(name := named(pieces))
        if kind is None or pieces.span in game.context.facts.locals:
            continue
        is_bare, own = isinstance(pieces, n.Name), kind.per_player
        if (len(kind.ids) if is_bare else own) == 1:
            continue
        whole, said = step.span.text, pieces.span.text
        if isinstance(step, n.Move):
            some, to = f"your {name}" if is_bare and own else said, step.space.span.text
            chosen = _chosen_piece(tree, step, name, some, game.context.facts.types)
            hint = f"move {some if own == 1 else chosen} to {to}"
            hint = hint if name in placed or isinstance(pieces, n.Of) else f"place {name} on {to}"
        elif is_bare and own != len(kind.ids):
            hint = f"remove {_chosen_piece(tree, step, name, name, game.context.facts.types)}"
        else:
            continue  # all of a player's are taken back
        text = f"It means all of them{', of every player' * (is_bare and own > 0)}, wherever they"
        text += f" are. If so, write `each x in {said}: {whole.replace(said, 'x', 1)}`; if not:"
        yield Problem("W946", f"this is every `{said}`", pieces.span, text, hint)


def _chosen_piece(
    tree: n.Node, step: n.Node, kind: str, some: str, types: Mapping[Span, t.Type]
) -> str:
    """Some pieces of that kind, restricted to the space from which the target is a step, or to what
    is chosen above a statement for nothing else: a piece, or the space where it lies.
    """
    at: n.Node = step.space if isinstance(step, n.Move) else step
    lets = {one.name.text: one.value for one in tree.every(n.Let)}
    at = lets.get(at.text, at) if isinstance(at, n.Name) else at
    begin = at
    while isinstance(begin, n.Of):
        begin = begin.subject
    if isinstance(begin, n.Name) and begin is not at and isinstance(types.get(begin.span), t.Place):
        return f"first ({some} on {begin.text})"
    for one in reversed([*tree.every(n.Choose)]):
        if one.span.start < step.span.start and one.name.text not in names_read(step):
            among = one.within.things if isinstance(one.within, n.On) else one.within
            if named(among) == kind:
                return one.name.text
            if kind in names_read(one):
                some = f"{some} on {one.name.text}"
                return f"first ({some})" if isinstance(step, n.Move) else some
    return f"first ({some} on ...)" if isinstance(step, n.Move) else f"{some} on ..."


def _of_one_player(tree: n.Node) -> Iterable[n.Move | n.RemovePieces]:
    """Moves in a turn or after a choice, and removals after a choice."""
    turns = (turn for kind in (n.EachPlayer, n.TurnOf, n.ByTurns) for turn in tree.every(kind))
    moves: list[n.Move | n.RemovePieces] = [one for turn in turns for one in turn.every(n.Move)]
    if isinstance(tree, n.Rule):
        moves += _behind_choices(tree.body, frozenset(one.name.text for one in tree.params))
    return dict.fromkeys(moves)


def _behind_choices(
    block: Iterable[n.Node], chosen: frozenset[str]
) -> Iterator[n.Move | n.RemovePieces]:
    """The moves and removals in a block after a choice; not those under conditions that do not
    depend on it.
    """
    for step in block:
        match step:
            case n.Choose():
                chosen |= {step.name.text}
            case n.If(condition, then, otherwise):
                known = chosen if chosen & condition.derived(names_read) else frozenset[str]()
                yield from _behind_choices((*then, *otherwise), known)
            case n.Each(n.Word(name)) | n.Alternative(_, n.Word(name)):
                yield from _behind_choices(step.body, chosen | {name})
            case n.OneOf() | n.AnyOrder():
                yield from _behind_choices(step.alternatives, chosen)
            case n.Governs() | n.May() | n.Alternative():
                yield from _behind_choices(getattr(step, "body", ()), chosen)
            case n.Move() | n.RemovePieces() if chosen:
                yield step


# ---- starts of paths ----


def _behind(tree: n.Node, spaces: Collection[str]) -> Iterator[Problem]:
    """`reached from way of s by way within S`: the first space is passed over even if it is not in
    S (W933). That is harmless if S is all spaces.
    """
    for one in tree.every(n.Reached):
        if named(one.within) in spaces:
            continue
        match one.start:
            case n.Of(n.Word(step), None) if step == one.step.text:
                start, within = one.start.span.text, one.within.span.text
                text = "Where the steps begin need not be among the spaces that they lead over."
                title, hint = f"this passes over `{start}`", f"({start} within {within})"
                yield Problem("W933", title, one.start.span, text + " Write:", hint).with_edit()


# ---- answers that may have no effect ----


def _given(tree: n.Node) -> Iterator[Problem]:
    """An answer that begins with `put 1 of your coins in pot` is also offered to those who have
    none (W935).
    """
    tested = [(one, one.condition.derived(names_read)) for one in tree.every(n.If)]
    for answer in tree.every(n.Alternative):
        match answer.body[:1]:
            case (n.Transfer(n.Number(number), n.Word(what), None, str(), n.Node() as to) as put,):
                within = (one for one, names in tested if what in names)
                if any(answer is one for test in within for one in test.every(n.Alternative)):
                    continue
                title = "this is also offered to whoever has none"
                text = f"It moves as many {what} as there are, perhaps none. To ask for them,"
                hint = f"pay {number} {what} to {to.span.text}"
                yield Problem("W935", title, put.span, f"{text} write:", hint).with_edit()


def _perhaps_nothing(tree: n.Node) -> Iterator[Problem]:
    """`LABEL: if C: ...` is also offered if C does not hold, and has no effect then (W935)."""
    for answer in tree.every(n.Alternative):
        match answer:
            case n.Alternative(n.Word(label), None, body=(n.If(condition, then, ()),)):
                text = "It is offered whether or not that is so, and may do nothing. If that is"
                text += " meant, add `otherwise: nothing`. If not, write:"
                forbid = f"  forbid no_{label}: not ({condition.span.text})"
                hint = "\n".join((f"{label}:", forbid, f"  {print_body(then)}"))
                title = f"`{label}` is also offered where it does nothing"
                yield Problem("W935", title, condition.span, text, hint)


# ---- answers that cannot be told apart ----


def _alike(tree: n.Node) -> Iterator[Problem]:
    """`choose x in S as "TEXT"` where the text does not mention x, so that answers read the same
    (W936).
    """
    named: list[tuple[n.Word | None, n.Wording | None]]
    named = [(one.name, one.wording) for one in tree.every(n.Choose) if not one.at_random]
    named += [(one.name, one.wording) for one in tree.every(n.Alternative)]
    for name, wording in named:
        if name is not None and wording is not None and name.text not in _in_braces(wording):
            quoted = wording.text
            title, hint = "these answers all read the same", f'{quoted.text[:-1]} {{{name.text}}}"'
            text = f"They do not say which {name.text} is meant. Write:"
            yield Problem("W936", title, quoted.span, text, hint).with_edit()


def _in_braces(wording: n.Wording) -> frozenset[str]:
    """The names in braces in a wording."""
    texts = (wording.text.text, *(one.text.text for one in wording.shown))
    return frozenset(re.findall(r"\w+", " ".join(re.findall(r"{([^}]*)}", " ".join(texts)))))


# ---- what ends a rule, or the game, for a player ----


def _stopped_for_all(tree: n.Node) -> Iterator[Problem]:
    """`stop` in `each player` or `by turns`, which leaves the whole rule (W920)."""
    title = "`stop` ends this for all players"
    for loop in tree.every(n.EachPlayer):
        done = [step for step in loop.body if not isinstance(step, n.Let)]
        for stop in loop.every(n.Stop) if len(done) > 1 else ():
            text = "It leaves the whole rule, so those who come after this player do nothing. What"
            text += " one player does can be a rule of its own, in which it ends that turn:"
            labels = (Label(loop.span, "in this loop"),)
            yield Problem("W920", title, stop.span, text, "each player: do RULE", labels)
    for turns, after in (two for one in blocks(getattr(tree, "body", ())) for two in pairwise(one)):
        for stop in turns.every(n.Stop) if isinstance(turns, n.ByTurns) else ():
            text = "It leaves the whole rule, so what stands behind these turns is not done. These"
            text += " turns can be a rule of their own, or say when they end:"
            labels = (Label(after.span, "this is not done"),)
            yield Problem("W920", title, stop.span, text, "by turns until ...", labels)


def _voided(tree: n.Node, is_scored: bool) -> Iterator[Problem]:
    """`leave: you are out` in a game decided by scores, which do not count then (W940)."""
    answers: tuple[n.Alternative | n.May, ...] = (*tree.every(n.Alternative), *tree.every(n.May))
    steps = (step for one in answers for step in one.body) if is_scored else ()
    for out in (step for step in steps if isinstance(step, n.Outcome)):  # not on a condition
        if out.outcome == "out" and out.who is not None and out.who.span.text == "you":
            text = "Who is out is not counted, whatever the score. If that is not meant, remember"
            text += " in a variable of each player who does no more. If it is, let the score ask"
            text += " for `outcome of you`."
            title = "whoever chooses this cannot win any more"
            yield Problem("W940", title, out.span, text)
