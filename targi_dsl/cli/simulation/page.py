"""The results of a simulation as one self-contained HTML page with plots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from io import StringIO

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from targi_dsl.cli.output import html_page
from targi_dsl.cli.simulation.tables import tables
from targi_dsl.search.estimates import Interval
from targi_dsl.simulation.document import CardUse, Distribution, Document, PlayerResult

_CARDS = 16
"""The number of cards shown from each end."""

_CSS = """\
body { font: 16px/1.4 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 0 .8rem;
  color: #222; background: #fff }
.plots { column-width: 24rem; column-gap: 2rem }
figure { break-inside: avoid; margin: 0 0 1rem }
figure svg { width: 100%; height: auto }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin: 0 }
pre { overflow-x: auto; font-size: .8rem; line-height: 1.3 }"""

_STYLE = {
    "svg.fonttype": "none",  # keep text as text
    "font.family": "sans-serif",
    "text.parse_math": False,  # a dollar in a name is a dollar
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
}

_WIDTH, _HEIGHT, _LINE = 4.6, 3.0, 0.22
"""Sizes in inches, as on a phone: the width of a plot, its height, and a horizontal bar."""

_BLUE = "#2b6cb0"

Draw = Callable[[Axes], None]
Plot = tuple[str, float, Draw]  # title, height and drawing function


def page(document: Document, wanted: int) -> str:
    """The page of a report."""
    head, *lines = tables(document, wanted)
    plots = "\n".join(
        f"<figure><h2>{escape(title)}</h2>\n{_svg(title, height, draw)}</figure>"
        for title, height, draw in _plots(document)
    )
    text = escape("\n".join(lines).strip())
    details = f"<details open><summary>All tables</summary>\n<pre>\n{text}\n</pre>\n</details>"
    return html_page(head, _CSS, f"<div class=plots>{plots}</div>\n{details}")


def _svg(title: str, height: float, draw: Draw) -> str:
    """A plot as an SVG element; deterministic."""
    text = StringIO()
    with matplotlib.rc_context({**_STYLE, "svg.hashsalt": title}):
        figure = Figure((_WIDTH, height), layout="constrained")
        draw(figure.add_subplot())
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    svg = text.getvalue()
    return svg[svg.index("<svg") :]


def _plots(document: Document) -> Iterator[Plot]:
    players = document["players"]
    if shares := [player["share"] for player in players if player["share"] is not None]:
        yield "Games won, %", _HEIGHT, lambda axes: _wins(axes, players, shares)
    for player in players:
        if player["score"] is not None:
            name = f"Scores of {player['begins_as']} ({player['player']})"
            yield _histogram(name, player["score"])
    for what in ("decisions", "rounds"):
        if document[what]["least"] != document[what]["most"]:
            yield _histogram(f"{what.title()} of a game", document[what])
    endings = [(ending["ended_by"] or "no end", ending["games"]) for ending in document["endings"]]
    if len(endings) > 1:
        yield _bars("How games end", endings)
    if cards := [*_compared(document["cards"])]:
        yield _cards(cards)
    if spaces := [(space["space"], space["taken"]) for space in document["spaces"]]:
        yield _bars("How often a space was chosen", spaces)


def _wins(axes: Axes, players: Sequence[PlayerResult], shares: Sequence[Sequence[float]]) -> None:
    names = [f"{player['begins_as']}\n({player['player']})" for player in players]
    values, whiskers = _with_whiskers(shares)
    axes.bar(names, values, yerr=whiskers, color=_BLUE, capsize=4)
    axes.set_ylim(0, 100)
    axes.grid(axis="y")


def _with_whiskers(
    intervals: Sequence[Sequence[float]],
) -> tuple[list[float], tuple[list[float], list[float]]]:
    """Percentages with the extents of their intervals."""
    values = [100 * value for value, _, _ in intervals]
    below = [100 * (value - low) for value, low, _ in intervals]
    above = [100 * (high - value) for value, _, high in intervals]
    return values, (below, above)


def _histogram(title: str, distribution: Distribution) -> Plot:
    classes = distribution["histogram"]

    def draw(axes: Axes) -> None:
        lows = [low - 0.5 for low, _, _ in classes]
        widths = [high - low + 1 for low, high, _ in classes]
        counts = [count for _, _, count in classes]
        axes.bar(lows, counts, widths, align="edge", color=_BLUE, edgecolor="white")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y")

    return title, _HEIGHT, draw


def _bars(title: str, counts: Sequence[tuple[str, int]]) -> Plot:
    def draw(axes: Axes) -> None:
        axes.barh([name for name, _ in counts], [count for _, count in counts], color=_BLUE)
        _from_the_top(axes, len(counts))

    return title, 0.6 + _LINE * len(counts), draw


def _compared(cards: Iterable[CardUse]) -> Iterator[tuple[CardUse, Interval]]:
    """The cards with comparable games, with the difference."""
    for card in cards:
        if card["difference"] is not None:
            yield card, card["difference"]


def _cards(cards: Sequence[tuple[CardUse, Interval]]) -> Plot:
    """The cards with the highest win rates, and those with the lowest."""
    ranked = sorted(cards, key=lambda entry: (-entry[1].value, entry[0]["card"]))
    if len(ranked) > 2 * _CARDS:
        ranked = [*ranked[:_CARDS], *ranked[-_CARDS:]]

    def draw(axes: Axes) -> None:
        values, whiskers = _with_whiskers([difference for _, difference in ranked])
        places = [*range(len(ranked))]
        axes.barh(places, values, xerr=whiskers, color=_BLUE, ecolor="#444444")
        axes.set_yticks(places, [card["name"] for card, _ in ranked])
        _from_the_top(axes, len(ranked))

    return "Wins with a card less those without it, %", 0.6 + _LINE * len(ranked), draw


def _from_the_top(axes: Axes, bars: int) -> None:
    """Horizontal bars from the top."""
    axes.set_ylim(bars - 0.4, -0.6)
    axes.grid(axis="x")
