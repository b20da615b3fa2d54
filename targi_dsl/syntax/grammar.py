"""The parse tables of the rules language: made by Lark from `grammar.lark`, kept in the user's own cache."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule as LarkRule

# The tables are kept as plain numbers and words, not as Lark's pickle: reading them runs no code, whoever wrote
# them, and `import lark` (60 ms) is needed only when the grammar has changed. docs/architecture.md, start-up.

STARTS = ("declaration", "ability", "action", "cost", "deck")
FORMAT = 3
"""Goes up when the tables look different for the same grammar."""

OPENING, CLOSING = "({", ")}"
END, NEWLINE, INDENT, DEDENT = "$END", "_NL", "_INDENT", "_DEDENT"
NAME, NUMBER, TEXT = "NAME", "NUMBER", "TEXT"


@dataclass(frozen=True, slots=True)
class Production:
    """One rule: how many symbols it takes, and which of their values go into its node.

    keep: (index, whether its values are spliced in, how many left-out parts come before it); after: left-out parts
    at the end; alone: a single value stands for the node; frame: the builder's name, "" for a list.
    """

    origin: str
    size: int
    frame: str
    alone: bool
    keep: tuple[tuple[int, bool, int], ...]
    after: int


@dataclass(frozen=True, slots=True)
class Table:
    """An LALR(1) table. A row of actions: terminal -> state to go on with, or ~rule to reduce by.

    A terminal is named by its own spelling (`gain`, `->`), or NAME, NUMBER, TEXT, _NL, _INDENT, _DEDENT, $END.
    """

    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
    rules: list[Production]
    starts: dict[str, int]
    accepting: int
    keywords: frozenset[str]
    reserved: frozenset[str]


@cache
def table() -> Table:
    """The table of the language, from the cache if there is a trusted one of this grammar."""
    text = _grammar_text()
    folder = cache_folder()
    file = None
    if folder is not None:
        key = hashlib.sha256(f"{FORMAT}\n{sys.version_info[:2]}\n{text}".encode()).hexdigest()[:32]
        file = folder / f"grammar-{key}.json"
        if (known := _read_cache(file)) is not None:
            return known
    made = make_table(text)
    if file is not None:
        _write_cache(file, made)
    return made


def make_table(text: str, strict: bool = False) -> Table:
    """The table of a grammar; strict refuses conflicts that Lark would settle by itself (needs `interegular`)."""
    from lark import Lark

    lark = Lark(text, parser="lalr", lexer="basic", start=list(STARTS), maybe_placeholders=True, strict=strict)
    return _table_of(lark)


def cache_folder() -> Path | None:
    """Where tables are kept; None unless it is a folder of this user's that nobody else can write to."""
    try:
        root = os.environ.get("XDG_CACHE_HOME") or ""
        base = Path(root) if root.startswith("/") else Path.home() / ".cache"
        folder = base / "targi_dsl"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_ours(folder.lstat(), stat.S_ISDIR) else None
    except (OSError, RuntimeError):
        return None


def _grammar_text() -> str:
    try:
        return (Path(__file__).parent.parent / "grammar.lark").read_text(encoding="utf-8")
    except OSError:  # inside a zipped wheel
        import pkgutil

        data = pkgutil.get_data("targi_dsl", "grammar.lark")
        assert data is not None
        return data.decode("utf-8")


def _is_ours(found: os.stat_result, is_kind: Any) -> bool:
    owner = getattr(os, "getuid", None)  # Windows has no owners: there a profile's folder is its user's own
    return is_kind(found.st_mode) and (owner is None or (found.st_uid == owner() and not found.st_mode & 0o022))


def _read_cache(file: Path) -> Table | None:
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, encoding="utf-8") as opened:
            if not _is_ours(os.fstat(opened.fileno()), stat.S_ISREG):
                return None
            data = json.load(opened)
        data["rules"] = [
            Production(origin, size, frame, alone, tuple((a, b, c) for a, b, c in keep), after)
            for origin, size, frame, alone, keep, after in data["rules"]
        ]
        return Table(**{**data, "keywords": frozenset(data["keywords"]), "reserved": frozenset(data["reserved"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None  # a missing or spoilt cache is no cache


def _write_cache(file: Path, made: Table) -> None:
    data = {**asdict(made), "rules": [list(asdict(rule).values()) for rule in made.rules]}
    data |= {"keywords": sorted(made.keywords), "reserved": sorted(made.reserved)}
    import tempfile  # 5 ms, seldom needed

    written = ""
    try:
        descriptor, written = tempfile.mkstemp(dir=file.parent)  # mode 0600
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            json.dump(data, opened, separators=(",", ":"))
        Path(written).replace(file)
    except OSError:
        if written:
            Path(written).unlink(missing_ok=True)


def _table_of(lark: Lark) -> Table:
    """Lark's table with terminals named by their spelling and states by numbers."""
    from lark.parsers.lalr_analysis import Shift

    spelling = {one.name: one.pattern.value if one.pattern.type == "str" else one.name for one in lark.terminals}
    made = lark.parser.parser._parse_table
    rules = list(lark.rules)
    number = {rule: at for at, rule in enumerate(rules)}
    known = _numbered(made)
    accepting = len(known)
    actions: list[dict[str, int]] = [{} for _ in range(accepting + 1)]
    gotos: list[dict[str, int]] = [{} for _ in range(accepting + 1)]
    for state, at in known.items():
        for symbol, (action, to) in sorted(made.states[state].items()):
            if action is not Shift:
                actions[at][spelling.get(symbol, symbol)] = ~number[to]
            elif symbol in spelling or symbol in (END, INDENT, DEDENT):
                actions[at][spelling.get(symbol, symbol)] = known[to]
            else:
                gotos[at][symbol] = known[to]
    for state in made.end_states.values():
        actions[known[state]][END] = accepting
    return Table(
        actions,
        gotos,
        [_production(rule) for rule in rules],
        {start: known[made.start_states[start]] for start in STARTS},
        accepting,
        frozenset(word for word in spelling.values() if re.fullmatch("[a-z]+", word)),
        _reserved(actions, gotos),
    )


def _numbered(made: Any) -> dict[Any, int]:
    """The states in the order they are met, since Lark numbers them differently in each run."""
    from lark.parsers.lalr_analysis import Shift

    known: dict[Any, int] = {}
    waiting = [made.start_states[start] for start in reversed(STARTS)]
    while waiting:
        state = waiting.pop()
        if state not in known:
            known[state] = len(known)
            waiting += [to for _, (action, to) in sorted(made.states[state].items(), reverse=True) if action is Shift]
    return known


def _production(rule: LarkRule) -> Production:
    """What of a rule's values its node gets: as Lark's own trees have it, filtered words left out, `[x]` as None."""
    from lark.grammar import Terminal

    gaps = rule.options.empty_indices
    runs = [len(run) for run in "".join(str(int(gap)) for gap in gaps).split("0")] if gaps else []
    missing = runs or [0] * (len(rule.expansion) + 1)
    keep: list[tuple[int, bool, int]] = []
    left_out = 0
    for at, symbol in enumerate(rule.expansion):
        left_out += missing[at]
        if rule.options.keep_all_tokens or not (isinstance(symbol, Terminal) and symbol.filter_out):
            keep.append((at, not symbol.is_term and symbol.name.startswith("_"), left_out))
            left_out = 0
    left_out += missing[len(rule.expansion)]
    origin = str(rule.origin.name)
    frame = "" if origin.startswith("_") else rule.alias or origin
    return Production(
        origin, len(rule.expansion), frame, bool(rule.options.expand1 and not rule.alias), tuple(keep), left_out
    )


def _reserved(actions: list[dict[str, int]], gotos: list[dict[str, int]]) -> frozenset[str]:
    """The words that mean something where the name of a thing can be written in an expression, or right after it.

    Everywhere else a word of the language may be a name: `card`, `player`, `row` and `space` are.
    """
    places = {"atom", "index"}
    rows = (row for row, goto in zip(actions, gotos, strict=True) if NAME in row and places & goto.keys())
    return frozenset(word for row in rows for word in row if word.isalpha() and word.islower())
