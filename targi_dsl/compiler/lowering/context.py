"""The state of compilation: scopes and frames, the tables of the game under construction, and the
`Compilation` that the passes fill.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NoReturn, TypeVar

from msgspec import Struct, field

from targi_dsl.compiler.cards.decks import Deck, Words
from targi_dsl.compiler.layers.changes import Effective, Key, Layers, word_of
from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.project.discovery import Project
from targi_dsl.compiler.project.written import NearbyNames, Written
from targi_dsl.compiler.symbols.decks import CardsInPlay, lay_out
from targi_dsl.compiler.symbols.table import SymbolTable, Typed
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import AbilityInfo, Price, Terms
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.expressions import Expr
from targi_dsl.ir.game import Game
from targi_dsl.ir.layout import Layout
from targi_dsl.ir.look import Look
from targi_dsl.ir.slots import ENDED, Offsets
from targi_dsl.ir.wordings import Chosen, Wording
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Edit, Label, Problem, Reporter
from targi_dsl.text.source import Source, Span
from targi_dsl.text.structs import Frozen, FrozenMap
from targi_dsl.text.suggestions import did_you_mean

Change = tuple[type[n.Node], str]
"""A clause of an ability that changes a declaration, and that declaration's name."""


class NumberedAbility(Frozen):
    """A registered ability. `this`: its card. `node`: its tree. `rule`: the rule that carries out
    its effect, or NOTHING. Equal only to itself, since its tree has a span.
    """

    ability: int
    info: AbilityInfo
    this: Expr | None
    node: n.Ability
    rule: int


class AbilityTable(Struct):
    """The abilities of a game, indexed by what they change."""

    every: list[NumberedAbility] = []
    _changing: dict[Change, list[NumberedAbility]] = {}

    def add(self, one: NumberedAbility) -> None:
        self.every.append(one)
        for change in dict.fromkeys((clause, word.text) for clause, word in targets(one.node)):
            self._changing.setdefault(change, []).append(one)

    def changing(self, clause: type[n.Node], name: str) -> Sequence[NumberedAbility]:
        """The abilities with such a clause about the declaration with this name."""
        return self._changing.get((clause, name), ())


def targets(node: n.Ability) -> Iterator[tuple[type[n.Node], n.Word]]:
    """The clauses of an ability that refer to a declaration, each with that name."""
    for part in (*node.scopes, node.body):
        match part:
            case n.When(verb="do", name=word):
                yield n.When, word
            case (
                n.InsteadOf(rule=word)
                | n.AlsoOffers(rule=word)
                | n.Reduce(rule=word)
                | n.Substitute(rule=word)
                | n.StoredPays(rule=word)
                | n.Becomes(define=word)
                | n.Ignore(forbid=word)
            ):
                yield type(part), word


class KindTest(Frozen):
    """A test in a rule whether a card is of a kind, recorded for lints."""

    rule: int
    card: e.Expr
    kind: int
    span: Span


class Facts(Struct):
    """What lowering records for the symbol index and for lints: types of names by span, binding
    spans of local names, tests of kinds; and whether any rule or card lets a player be out.
    """

    types: dict[Span, t.Type] = {}
    locals: dict[Span, Span] = {}
    kinds: list[KindTest] = []
    goes_out: bool = False

    def note(self, node: n.Expr, type_: t.Type, frame: Frame) -> None:
        """Records the type of a name, and its binding if it is local; in `way of SPACE` the name
        before `of` may be a local direction.
        """
        word = node.name if isinstance(node, n.Your | n.Of) else node
        if isinstance(word, n.Name | n.Word):
            self.types[word.span] = type_
            local = frame.names.get(word.text)
            bound = local.bound if local is not None else None
            if local is not None and bound is not None and (word is node or local.is_direction):
                self.locals[word.span] = bound


YES = e.Const(1)
NO = e.Const(0)
NOBODY = e.Const(NOTHING)


MOST_FAULTS = 200
"""The most problems reported for a game."""


Declared = TypeVar("Declared", bound=n.Component)
Value = TypeVar("Value")


class TooManyFaults(Exception):
    """Raised when there are more than MOST_FAULTS problems."""


class Hint(Frozen):
    """A hint, and the text that replaces the span of the problem if it can be applied as a
    repair.
    """

    text: str
    new: str = ""


def instead(new: str) -> Hint:
    """A hint that replaces the span of the problem."""
    return Hint(new, new)


class Abandoned(Exception):
    """Raised after a problem has been reported, to abandon the enclosing statement."""


class Turns(Frozen):
    """Turns in progress: the slots of the player whose turn it is and of the player before, and the
    first of the slots, one for each player, that tell who is still taking turns.
    """

    player: int
    kept: int
    first: int


class LocalName(Frozen):
    """A local name in scope: its value, None if the binding statement was abandoned; and the span
    of its binding, None for the variable of a secret choice and the region of its spaces.
    """

    value: Typed | None
    bound: Span | None

    @property
    def is_direction(self) -> bool:
        return self.value is not None and self.value[1] == t.DIRECTION


class Frame(Struct):
    """The frame of the rule, definition or score being lowered: its slots and the scope of local
    names.

    `you`: the addressed player; another player acts in a sentence about somebody else. `turns`: the
    enclosing turns that `pass` ends. `ranges`: for each name the last `(NAME in SET where C)` or
    `each NAME in SET`, for hints. `given`: the regions of parameters of a rule, by slot. `unsure`:
    the slots that may hold nothing.
    """

    owner: str
    slots: list[t.Type] = field(default_factory=lambda: [t.PLAYER])
    names: dict[str, LocalName] = {}
    ranges: dict[str, n.Those | n.Each] = {}
    given: dict[int, t.Place] = {}
    unsure: set[int] = set()
    this: e.Expr | None = None
    you: e.Expr = field(default_factory=lambda: e.Local(YOU))
    turns: Turns | None = None
    rule: int = NOTHING
    chooses: int = 0
    offered: bool = False
    forbids: dict[str, Span] = {}

    @property
    def is_about_another(self) -> bool:
        """Whether the statement is about another player than the addressed one."""
        return self.you != e.Local(YOU)

    def name(self, word: n.Word, value: Typed | None) -> None:
        """Binds a name in the current scope; None if the binding statement was abandoned."""
        self.names[word.text] = LocalName(value, word.span)

    def local(self, name: str) -> Typed | None:
        """The value of a local name, None if there is no such name. Raises Abandoned if its binding
        statement was abandoned.
        """
        if name not in self.names:
            return None
        if (found := self.names[name].value) is None:
            raise Abandoned
        return found

    def global_name(self, node: n.Expr) -> str:
        """The name that an expression consists of, unless it is local; otherwise empty."""
        return node.text if isinstance(node, n.Name) and node.text not in self.names else ""

    def slot(self, type_: t.Type, count: int = 1) -> int:
        """Allocates consecutive slots; returns the first."""
        self.slots.extend([type_] * count)
        return len(self.slots) - count

    def slots_of_round(self) -> int:
        """Allocates the three slots of a round of turns: the player, a count, and the saved
        `you`.
        """
        first = self.slot(t.PLAYER)
        self.slots += [t.NUMBER, t.PLAYER]
        return first

    def bind(self, word: n.Word, type_: t.Type, is_unsure: bool = False) -> int:
        """Binds a name to a new slot, which may hold nothing if that is unsure."""
        slot = self.slot(type_)
        self.name(word, (e.Local(slot), type_))
        if is_unsure:
            self.unsure.add(slot)
        return slot

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A nested scope."""
        names = dict(self.names)
        try:
            yield
        finally:
            self.names = names


class Worded(Frozen, eq=False):
    """A wording to be lowered last, with a copy of its frame. `done`: the call that it describes,
    if it is the wording of the called rule. `chosen`: what is chosen, if it is that of a choice.
    """

    frame: Frame
    node: n.Wording | None
    done: n.Do | None = None
    chosen: Chosen | None = None


class Tables(Struct):
    """The tables of the game that lowering appends to."""

    variables: dict[str, d.Variable] = {}
    offers: dict[str, list[int]] = {}
    prices: list[Price] = []
    terms: list[Terms] = field(default_factory=lambda: [Terms("")])
    forbids: list[d.ForbidInfo] = []
    abilities: list[d.AbilityInfo] = []
    triggers: list[d.Trigger] = []
    rules: list[d.RuleInfo | None] = []
    rule_numbers: dict[str, int] = {}
    defines: list[d.DefineInfo | None] = []
    define_numbers: dict[str, int] = {}
    opens: dict[str, list[int]] = {}
    worded: list[Worded] = []

    def number_of(self, variable: d.Variable) -> int:
        return list(self.variables).index(variable.name)

    def price(self, price: Price) -> int:
        """The number of a price in the table, to which it is added if new; likewise `term`."""
        return _number(self.prices, price)

    def term(self, terms: Terms) -> int:
        return _number(self.terms, terms)


def _number(found: list[Value], one: Value) -> int:
    """The index of a value in a table, to which it is appended if new."""
    if one not in found:
        found.append(one)
    return found.index(one)


class Regrouping(Struct):
    """The state of the search for another grouping of a phrase: the phrases being tried, by the
    span of their last part, and how many groupings may still be tried.
    """

    open: set[Span] = set()
    depth: int = 0
    left: int = 0

    @contextmanager
    def within(self, most: int) -> Iterator[None]:
        """A context for lowering a phrase; the outermost one limits the number of groupings."""
        self.left = self.left if self.depth else most
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


class Recursion(Frozen):
    """Ties the knot between modules: the functions that lower expressions and blocks, for modules
    that `expressions` and `statements` import.
    """

    expression: Callable[[Context, n.Expr, t.Type | None], tuple[e.Expr, t.Type]]
    block: Callable[[Context, n.Block], s.Block]


class Context(Reporter, Struct):
    """Everything that lowering reads and writes. `frame`: of the declaration being lowered."""

    symbols: SymbolTable
    declared: dict[Key, Effective]
    cards: CardsInPlay
    slots: Offsets
    nearby: NearbyNames
    project: Project
    recursion: Recursion
    domains: Domains
    frame: Frame = field(default_factory=lambda: Frame(""))
    tables: Tables = field(default_factory=Tables)
    problems: list[Problem] = []
    in_progress: list[str] = []
    abilities: AbilityTable = field(default_factory=AbilityTable)
    own: frozenset[str] = frozenset()  # all names declared or bound in this game
    modules: dict[Source, str] = {}
    without_effect: list[tuple[int, n.Word | n.Name]] = []
    asking: set[str] = set()  # rules with an extensible question
    facts: Facts = field(default_factory=Facts)
    regrouping: Regrouping = field(default_factory=Regrouping)
    next_slot: int = 0
    stores: dict[tuple[int, int], int] = {}  # (card, resource) -> slot
    sentences: tuple[n.Node, ...] | None = None  # on the cards in play; parsed on first use
    near_places: dict[str, tuple[tuple[int, ...], ...]] = {}  # direction -> place -> neighbours
    _names: dict[str, list[str]] = {}  # by sort of declaration

    @contextmanager
    def within(self, frame: Frame) -> Iterator[Frame]:
        """A context in which lowering uses another frame."""
        before, self.frame = self.frame, frame
        try:
            yield frame
        finally:
            self.frame = before

    def lower(self, node: n.Expr, expected: t.Type | None = None) -> tuple[e.Expr, t.Type]:
        """Lowers an expression; returns it with its type. `expected` disambiguates bare names, and
        is not checked.
        """
        return self.recursion.expression(self, node, expected)

    def block(self, body: n.Block) -> s.Block:
        """Lowers a block inside a statement."""
        return self.recursion.block(self, body)

    def bind(self, word: n.Word, type_: t.Type, is_unsure: bool = False) -> int:
        """A new slot for a name that a statement binds. A name of a resource is refused, since
        amounts would refer to it.
        """
        if word.text in self.symbols.resources:
            text = "This would hide the resource of that name. Choose another name, for example:"
            title, hint = f"`{word.text}` is a resource", f"some_{word.text}"
            self.report("E212", title, word.span, text, hint)
        return self.frame.bind(word, type_, is_unsure)

    def new_slots(self, count: int) -> int:
        """Allocates slots of the position; returns the first."""
        self.next_slot += count
        return self.next_slot - count

    def store_slot(self, card: int, resource: int) -> int:
        """The slot for the amount of a resource stored on a card; allocated on first use."""
        if (card, resource) not in self.stores:
            self.stores[card, resource] = self.new_slots(1)
        return self.stores[card, resource]

    def module_of(self, span: Span) -> str:
        """The module whose file a span is in; "cards" for a card file."""
        return self.modules.get(span.source, "cards")

    def fail(
        self,
        code: str,
        title: str,
        span: Span | None,
        text: str,
        hint: str | Hint = "",
        labels: tuple[Label, ...] = (),
    ) -> NoReturn:
        """Reports a problem and raises Abandoned."""
        words, new = (hint, "") if isinstance(hint, str) else (hint.text, hint.new)
        edits = (Edit(span, new),) if span is not None and new else ()
        sort: Callable[..., Problem] = Problem
        if code == "E201" and span is not None:
            sort = partial(Unresolved, name=span.text)
        self.problems.append(sort(code, title, span, text, words, labels=labels, edits=edits))
        if len(self.problems) > MOST_FAULTS:
            raise TooManyFaults
        raise Abandoned

    def fail_unknown(
        self, what: str, word: n.Word | n.Name, text: str, known: Iterable[str]
    ) -> NoReturn:
        """Fails because no such thing is declared, with a hint to the closest known name."""
        self.fail("E201", f"unknown {what} `{word.text}`", word.span, text, self.near(word, known))

    def require(self, what: str, word: n.Word, text: str, known: Collection[str]) -> None:
        """Fails if a name is not among the known ones; abandons silently if it is an error
        symbol.
        """
        self.require_known(word.text)
        if word.text not in known:
            self.fail_unknown(what, word, text, known)

    def warn(self, problem: Problem) -> None:
        """Adds a warning, unless it has been reported already."""
        if problem not in self.problems:
            self.problems.append(problem)

    def require_known(self, name: str) -> None:
        """Abandons silently if a name is an error symbol, so that one fault gives one message."""
        if name in self.symbols.errors:
            raise Abandoned

    def note_kind(self, card: Expr, kind: int, span: Span) -> None:
        """Records a test of a card's kind in a rule."""
        if self.frame.rule != NOTHING:
            self.facts.kinds.append(KindTest(self.frame.rule, card, kind, span))

    def near(self, word: n.Word | n.Name, names: Iterable[str]) -> Hint:
        """A hint to a similar name; empty if there is none."""
        found = did_you_mean(word.text, tuple(name for name in names if name != word.text))
        if found is None:
            return Hint("")
        return Hint(f"Did you mean `{found}`?", found if word.text == word.span.text else "")

    def is_declared(self, sort: str, name: str) -> bool:
        return (sort, name) in self.declared

    def node(self, sort: type[Declared], name: str) -> Declared:
        """The tree of a declaration, which must exist."""
        node = self.declared[word_of(sort), name].node
        assert isinstance(node, sort)
        return node

    def on_spaces(self) -> str:
        """What lies on the spaces of the game: cards, or else the first kind of pieces."""
        return "cards" if self.cards.cards else next(iter(self.symbols.piece_kinds), "")

    def nodes(self, sort: type[Declared]) -> list[tuple[str, Declared]]:
        """All declarations of a sort, by name."""
        return [(name, self.node(sort, name)) for name in self.names_of(word_of(sort))]

    def names_of(self, sort: str) -> Sequence[str]:
        if not self._names:
            for kind, name in self.declared:
                self._names.setdefault(kind, []).append(name)
        return self._names.get(sort, ())


class Stopped(Exception):
    """Raised when the compilation has been cancelled."""


class Compilation(Struct):
    """The state of compiling one game, filled pass by pass. Problems go into `written.problems`.
    `stop` is polled: whether to cancel.
    """

    written: Written
    recursion: Recursion
    stop: Callable[[], bool] | None = None
    layers: Layers = field(default_factory=lambda: Layers({}, {}, {}))
    words: Words = Words({}, {}, (), {}, ())
    decks: dict[str, Deck] = {}
    symbols: SymbolTable = field(default_factory=SymbolTable)
    windows: int = 0
    actions: dict[str, int] = {}
    scores: list[d.ScorePart] = []
    ties: list[d.Tie] = []
    exchanges: list[d.FreeExchange] = []
    impossible: list[int] = []
    wordings: tuple[Wording, ...] = ()
    layout: Layout = ()
    look: FrozenMap[Look] = field(default_factory=FrozenMap)
    setup: int = 0
    round: int = 0
    finished: Game | None = None
    _context: Context | None = None
    _nearby: NearbyNames | None = None

    @property
    def context(self) -> Context:
        """The context of lowering; the symbol table must be complete when it is first used."""
        if self._context is None:
            zones = (one.node for one in self.layers.effective.values())
            numbered = {one.name.text for one in zones if isinstance(one, n.Zone) and one.numbered}
            play = lay_out(self.symbols, self.decks, numbered)
            fixed = _offsets(self.symbols, len(play.cards))
            project = self.written.project
            declared = self.layers.effective
            recursion = self.recursion
            domains = _domains(self.symbols, play)
            ctx = Context(
                self.symbols, declared, play, fixed, self.nearby(), project, recursion, domains
            )
            ctx.modules = self.written.sources
            ctx.problems = self.written.problems
            self._context = ctx
        return self._context

    @property
    def checked(self) -> Game:
        """The checked game; there must be no errors."""
        assert self.finished is not None
        return self.finished

    def nearby(self) -> NearbyNames:
        """Names declared elsewhere in the project, for hints."""
        if self._nearby is None:
            cards = {card.entry.id for one in self.decks.values() for card in one.cards}
            self._nearby = NearbyNames(self.written, cards)
        return self._nearby

    def checkpoint(self) -> None:
        """Raises Stopped if the compilation is cancelled, and TooManyFaults."""
        if self.stop is not None and self.stop():
            raise Stopped
        if len(self.written.problems) > MOST_FAULTS:
            raise TooManyFaults

    @property
    def sound(self) -> bool:
        """Whether there have been no errors so far."""
        return not any(one.severity == "error" for one in self.written.problems)


def _domains(symbols: SymbolTable, play: CardsInPlay) -> Domains:
    return Domains(
        players=symbols.players,
        resources=tuple(symbols.resources),
        groups=tuple(symbols.groups),
        values=symbols.values,
        kinds=tuple(symbols.kinds),
        places=tuple(symbols.places),
        cards=tuple(play.cards),
        pieces=tuple(symbols.pieces),
    )


def _offsets(symbols: SymbolTable, cards: int) -> Offsets:
    """The offsets of the fixed parts of a position; variables follow them."""
    amounts = ENDED + 1
    card_place = amounts + len(symbols.resources) * len(symbols.players)
    piece_place = card_place + 3 * cards
    return Offsets(
        amounts=amounts,
        card_place=card_place,
        card_next=card_place + cards,
        card_known=card_place + 2 * cards,
        piece_place=piece_place,
        place_top=piece_place + len(symbols.pieces),
    )
