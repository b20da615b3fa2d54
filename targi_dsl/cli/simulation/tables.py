"""The results of a simulation as tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from targi_dsl.cli.summary import align
from targi_dsl.simulation.document import (
    CardUse,
    ChoiceUse,
    Distribution,
    Document,
    Never,
    Paired,
    PlayerResult,
    SpaceUse,
    Won,
)
from targi_dsl.text.languages import words_of

_USE = ["", "offered", "taken", ""]
_BAR = 40
"""The width of the longest bar."""


def tables(document: Document, wanted: int) -> Iterator[str]:
    """All tables of a report; `wanted`: the requested number of games."""
    yield from _head(document, wanted)
    yield from _wins(document)
    yield from _lengths(document)
    yield from _scores(document)
    yield from _endings(document)
    yield from _cards(document["cards"])
    yield from _spaces(document["spaces"])
    yield from _choices(document["choices"])
    yield from _never(document["never"])


def _head(document: Document, wanted: int) -> Iterator[str]:
    games, first = document["games"], document["seed"]
    of = "" if games == wanted else f" of {wanted:,}"
    yield f"{document['game']}: {games:,}{of} games from seed {first}"


def _table(title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table below its title; nothing without rows."""
    if len(rows) > 1:
        yield ""
        yield from align([(title, *rows[0][1:]), *rows[1:]])


def _wins(document: Document) -> Iterator[str]:
    has_scores = any(player["score"] for player in document["players"])
    is_won = document["players"][0]["share"] is not None
    won = ("wins", "95 %", "shared") if is_won else ()
    head = ["", *won, *(("score", "spread") if has_scores else ())]
    games = document["games"]
    players = [[_name(player), *_won(player, games)] for player in document["players"]]
    yield from _table("players", [head, *players])
    if (paired := document["paired"]) is not None:
        seats = [[seat["seat"], *_won(seat, games)] for seat in document["seats"]]
        yield from _table("seats", [head, *seats])
        yield from _paired(paired, document["players"][0])
    if document["first_seat_edge"] is not None:
        yield ""
        yield f"edge of the first seat: {_signed(document['first_seat_edge'])}"


def _name(player: PlayerResult) -> str:
    """A player, with its seat if seats are not rotated."""
    return f"{player['begins_as']} ({player['player']})"


def _won(result: Won, games: int) -> list[str]:
    cells, score = [], result["score"]
    if result["share"] is not None and result["shared"] is not None:
        shared = _percent(result["shared"] / games)
        cells = [_percent(result["share"][0]), _bounds(result["share"]), shared]
    return cells if score is None else [*cells, *_mean(score)]


def _paired(paired: Paired, first: PlayerResult) -> Iterator[str]:
    seeds, wins = paired["seeds"], paired["wins_of_first_player"]
    times = ", ".join(f"{number} times {count:,}" for number, count in wins.items())
    yield ""
    yield f"of {seeds:,} seeds, {_name(first)} won: {times}"
    if paired["share"] is not None:
        yield f"of its games: {_percent(paired['share'][0])} ({_bounds(paired['share'])})"


def _lengths(document: Document) -> Iterator[str]:
    rows = [["", "mean", "spread", "least", "most"]]
    for name in ("rounds", "decisions", "lead_changes"):
        distribution = document[name]
        ends = f"{distribution['least']:,}", f"{distribution['most']:,}"
        rows.append([words_of(name), *_mean(distribution), *ends])
    rows.append(["options of a decision", f"{document['branching']:.1f}", "", "", ""])
    yield from _table("of a game", rows)


def _scores(document: Document) -> Iterator[str]:
    seats = document["seats"]
    names = [name for name in seats[0]["parts"] if any(seat["parts"][name] for seat in seats)]
    rows = [["", *(seat["seat"] for seat in seats)]]
    rows += [[words_of(name), *(f"{seat['parts'][name]:.2f}" for seat in seats)] for name in names]
    yield from _table("points on average", rows)
    for player in document["players"]:
        if player["score"] is not None:
            yield from ("", f"scores of {_name(player)}")
            yield from _histogram(player["score"]["histogram"])


def _histogram(classes: Sequence[tuple[int, int, int]]) -> Iterator[str]:
    most = max((count for _, _, count in classes), default=1)
    labels = [str(low) if low == high else f"{low} to {high}" for low, high, _ in classes]
    width = max(map(len, labels), default=0)
    for label, (_, _, count) in zip(labels, classes, strict=True):
        yield f"  {label:>{width}}  {'#' * round(_BAR * count / most):{_BAR}}  {count:,}"


def _endings(document: Document) -> Iterator[str]:
    endings = [(ending["ended_by"], ending["games"]) for ending in document["endings"]]
    by = [("cut off, no end" if name is None else words_of(name), count) for name, count in endings]
    ties = [(tie["tie"], tie["games"]) for tie in document["ties"]]
    for title, counts in (("ended by", by), ("decided by", ties)):
        rows = ([one, f"{count:,}", _percent(count / document["games"])] for one, count in counts)
        yield from _table(title, [["", "games", ""], *rows])


def _cards(cards: Iterable[CardUse]) -> Iterator[str]:
    """The cards by descending win rate."""
    ranked = sorted(cards, key=lambda card: -(card["difference"] or [-2])[0])
    head = ["", "offered", "taken", "in play", "wins with", "without", "difference", "points"]
    rows = [head, *([card["name"], *_card(card)] for card in ranked)]
    yield from _table("cards", rows)
    if any(card["difference"] for card in ranked):
        yield "A card with more wins need not be their cause: who is ahead may get it more often."


def _card(card: CardUse) -> list[str]:
    with_, without, difference = card["won_with"], card["won_without"], card["difference"]
    return [
        *(f"{card[name]:,}" for name in ("offered", "taken", "in_play")),
        "" if with_ is None else _percent(with_[0]),
        "" if without is None else _percent(without[0]),
        "" if difference is None else _signed(difference),
        "" if card["points"] is None else f"{card['points']:.2f}",
    ]


def _spaces(spaces: Iterable[SpaceUse]) -> Iterator[str]:
    yield from _table("spaces", [_USE, *([space["space"], *_use(space)] for space in spaces)])


def _choices(choices: Sequence[ChoiceUse]) -> Iterator[str]:
    names = (": ".join(filter(None, (one["rule"], one["label"]))) for one in choices)
    rows = ([name, *_use(choice)] for name, choice in zip(names, choices, strict=True))
    yield from _table("choices", [_USE, *rows])


def _use(item: SpaceUse | ChoiceUse) -> list[str]:
    share = _percent(item["taken"] / item["offered"]) if item["offered"] else ""
    return [f"{item['offered']:,}", f"{item['taken']:,}", share]


def _never(never: Never) -> Iterator[str]:
    choices = [
        f"{choice['rule']}: {choice['label']}"
        + (f" (offered {choice['offered']:,} times)") * bool(choice["offered"])
        for choice in never["choices"]
    ]
    for title, names in (
        ("rules never begun", never["rules"]),
        ("cards neither taken nor in play at the end", never["cards"]),
        ("choices never taken (not counted: an only choice, which is made at once)", choices),
    ):
        if names:
            yield from ("", title, *(f"  {name}" for name in names))


def _mean(distribution: Distribution) -> list[str]:
    return [f"{distribution['mean']:.2f}", f"{distribution['spread']:.2f}"]


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _bounds(interval: Sequence[float]) -> str:
    _, low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def _signed(interval: Sequence[float]) -> str:
    value, low, high = interval
    return f"{100 * value:+.1f} % ({100 * low:+.1f} to {100 * high:+.1f})"
