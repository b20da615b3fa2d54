"""From the parts of a declaration to its node: one line a sentence frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.parts import (
    Frames,
    Parts,
    Trait,
    every_part,
    first_part,
    given,
    head,
    number,
    text,
    title,
    trait,
    traits,
)
from targi_dsl.text.source import Span


def _space(k: Parts, s: Span) -> n.Space:
    said = traits(k)
    shape, rows, columns = said["shape"]
    return n.Space(k[0], said.get("each"), shape, rows, columns, "active" in said, span=s)


def _zone(k: Parts, s: Span) -> n.Zone:
    said = traits(k)
    kind = next(part for part in k[1:] if isinstance(part, n.Word))
    source, refill = said.get("refilled", (None, ""))
    facing, seen = said.get("face", ""), said.get("seen", "")
    numbered, least = said.get("numbered"), said.get("least", 0)
    return n.Zone(
        k[0],
        said.get("each"),
        kind,
        facing,
        seen,
        source,
        refill,
        "active" in said,
        numbered,
        least,
        span=s,
    )


def _deck_sum(k: Parts, s: Span) -> n.DeckSum:
    before = k[0].parts if isinstance(k[0], n.DeckSum) else (k[0],)
    return n.DeckSum((*before, k[1]), span=s)


def _rule(k: Parts, s: Span) -> n.Rule:
    return n.Rule(k[0], traits(k).get("params", ()), k[-1], span=s)


HEADERS: Frames = {
    "language": lambda k, s: n.Language(number(k[0]), span=s),
    "module": lambda k, s: n.Module(k[0], title(k[1]), k[2], span=s),
    "based_on": lambda k, s: given(k),
    "game": lambda k, s: n.Sheet(k[0], title(k[1]), k[2], tuple(k[3:]), span=s),
    "sheet_rules": lambda k, s: n.SheetRules(tuple(k), span=s),
    "sheet_deck": lambda k, s: n.SheetDeck(k[0], k[1], span=s),
    "sheet_option": lambda k, s: n.SheetOption(k[0], k[1], span=s),
    "sheet_settle": lambda k, s: n.SheetSettle(k[0], tuple(k[1:]), span=s),
    "deck": first_part,
    "deck_set": lambda k, s: n.DeckSet(k[0], span=s),
    "deck_sum": _deck_sum,
    "deck_without": lambda k, s: n.DeckWithout(k[0], tuple(k[1:]), span=s),
    "deck_overlay": lambda k, s: n.DeckOverlay(k[0], k[1], span=s),
    "deck_where": lambda k, s: n.DeckWhere(k[0], k[1], "is", k[2], span=s),
    "deck_where_not": lambda k, s: n.DeckWhere(k[0], k[1], "is_not", k[2], span=s),
    "deck_has": lambda k, s: n.DeckWhere(k[0], k[1], "has", k[2], span=s),
    "deck_has_no": lambda k, s: n.DeckWhere(k[0], k[1], "has_no", k[2], span=s),
    "deck_copies": lambda k, s: n.DeckCopies(number(k[0]), k[1], k[2], span=s),
    "deck_cards": lambda k, s: n.DeckCards(tuple(k[:-1]), k[-1], span=s),
    "deck_draw": lambda k, s: n.DeckDraw(number(k[0]), None, k[1], span=s),
    "deck_draw_each": lambda k, s: n.DeckDraw(number(k[0]), k[1], k[2], span=s),
}

COMPONENTS: Frames = {
    "players": lambda k, s: n.Players(tuple(k), span=s),
    "resources": lambda k, s: n.Resources(None, tuple(k), span=s),
    "resource_group": lambda k, s: n.Resources(k[0], tuple(k[1:]), span=s),
    "values": lambda k, s: n.Values(k[0], tuple(k[1:]), span=s),
    "card_kind": lambda k, s: n.CardKind(k[0], tuple(k[1:]), span=s),
    "field": lambda k, s: n.Field(k[0], k[1], k[2] is not None, span=s),
    "optional": lambda k, s: True,
    "named_type": lambda k, s: n.Type("name", k[0].text, 0, 0, span=s),
    "range_type": lambda k, s: n.Type("range", "", number(k[0]), number(k[1]), span=s),
    "list_type": lambda k, s: n.Type("list", k[0].text, 0, 0, span=s),
    "space": _space,
    "for_each": trait("each"),
    "ring": lambda k, s: Trait("shape", ("ring", 1, number(k[0])), s),
    "line": lambda k, s: Trait("shape", ("row", 1, number(k[0])), s),
    "grid": lambda k, s: Trait("shape", ("grid", number(k[0]), number(k[1])), s),
    "active": trait("active"),
    "zone": _zone,
    "zone_face": trait("face"),
    "zone_seen": trait("seen"),
    "zone_numbered": lambda k, s: Trait("numbered", (number(k[0]), number(k[1])), s),
    "zone_least": lambda k, s: Trait("least", number(k[0]), s),
    "zone_refill": lambda k, s: Trait("refilled", (k[0], k[1]), s),
    "refill_at_once": lambda k, s: "at_once",
    "refill_when_needed": lambda k, s: "when_needed",
    "facing": text,
    "seen": text,
    "piece": lambda k, s: n.Piece(k[0], number(k[1]), traits(k).get("each"), span=s),
    "variable": lambda k, s: n.Variable(k[0], traits(k).get("each"), k[-2], k[-1], span=s),
    "space_set": lambda k, s: n.SpaceSet(k[0], k[1], tuple(k[2:]), span=s),
    "relation": lambda k, s: n.Relation(k[0], k[1], k[1], k[2] is not None, tuple(k[3:]), span=s),
    "relation_between": lambda k, s: n.Relation(k[0], k[1], k[2], False, tuple(k[3:]), span=s),
    "both_ways": lambda k, s: True,
    "element": first_part,
    "elements": every_part,
    "pair": lambda k, s: n.Pair(k[0], k[1], span=s),
    "option": lambda k, s: n.Option(k[0], tuple(k[1:]), span=s),
    "free_exchange": lambda k, s: n.FreeExchange(k[0], k[1], k[2], span=s),
    "score_part": lambda k, s: n.ScorePart(k[0], k[1], span=s),
    "tie": lambda k, s: n.Tie(tuple(k), span=s),
    "most": lambda k, s: n.Rank("most", k[0], span=s),
    "least": lambda k, s: n.Rank("least", k[0], span=s),
    "standing": lambda k, s: n.Standing(k[0], k[1], span=s),
    "layout": lambda k, s: n.Layout(tuple(k), span=s),
    "layout_region": lambda k, s: n.LayoutTable(k[0], (), span=s),
    "layout_table": lambda k, s: n.LayoutTable(None, tuple(k), span=s),
    "layout_row": every_part,
    "layout_space": lambda k, s: n.LayoutCell(k[0], k[1], span=s),
    "layout_gap": lambda k, s: n.LayoutCell(None, None, span=s),
    "layout_items": lambda k, s: n.LayoutItems(tuple(k), span=s),
    "layout_players": lambda k, s: n.LayoutPlayers(tuple(k), span=s),
}

RULES: Frames = {
    "rule": _rule,
    "with_params": lambda k, s: Trait("params", tuple(k), s),
    "param": lambda k, s: n.Param(k[0], k[1], span=s),
    "define": lambda k, s: n.Define(k[0], given(k[1:-1]), k[-1], span=s),
    "replace": lambda k, s: n.Replace(k[0], span=s),
    "extend_rule": lambda k, s: n.ExtendRule(k[0], k[1] or "", k[2], k[3], span=s),
    "extend_names": lambda k, s: n.ExtendNames(k[0], k[1], tuple(k[2:]), span=s),
    "extend_layout": lambda k, s: n.ExtendLayout(tuple(k), span=s),
    "remove": lambda k, s: n.Remove(k[0], k[1], span=s),
    "beside": text,
    "where_to": text,
    "block": every_part,
}

DECLARATIONS: Frames = {**HEADERS, **COMPONENTS, **RULES}

BINDERS: dict[str, Callable[[Parts], Sequence[n.Word]]] = {
    **dict.fromkeys(
        ("module", "game", "rule", "define", "param", "let", "roll", "binding", "restricted"), head
    ),
    **dict.fromkeys(
        ("card_kind", "field", "space", "zone", "piece", "variable", "space_set", "option"), head
    ),
    **dict.fromkeys(
        ("relation", "relation_between", "free_exchange", "score_part", "standing"), head
    ),
    **dict.fromkeys(("players", "resources", "resource_group", "values"), lambda k: k),
    "extend_names": lambda k: k[2:],
}
"""Which words of a frame give a name to something."""
