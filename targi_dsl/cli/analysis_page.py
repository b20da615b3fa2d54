"""The analysis of a saved game as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from targi_dsl.cli.output import html_page
from targi_dsl.text.structs import Frozen

_CSS = """\
body { font: 16px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 56rem; padding: 0 .8rem;
  color: #222; background: #fff }
h1 { font-size: 1.4rem } h2 { font-size: 1.15rem; margin: 1.6rem 0 .5rem }
svg { display: block; width: 100%; height: auto } text { font-size: 11px; fill: #555 }
table { border-collapse: collapse; font-size: .9rem } .wide { overflow-x: auto }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top }
td { border-top: 1px solid #ddd } .mistake { background: #fdf4d8 }
li { margin: .25rem 0; overflow-wrap: anywhere } .key { padding: 0; list-style: none }
.key i { display: inline-block; width: 1.2em; height: .28em; margin-right: .5em;
  vertical-align: middle }"""

_COLOURS = ("#2b6cb0", "#c05621", "#2f7d4f", "#6b46c1", "#97266d", "#4a5568")
_WIDE, _HIGH, _LEFT, _EDGE = 720, 220, 40, 12  # of the drawing, in its own units

HEADS = ("", "", "chosen", "best, as far as is seen", "points lost", "% of wins lost")

Curve = Mapping[int, float]
"""A seat's chance to win after each of its choices, by number of the choice."""


class Row(Frozen):
    """A choice in the table. cells: the columns of HEADS."""

    cells: tuple[str, ...]
    is_mistake: bool


def page(
    title: str,
    summary: Sequence[str],
    curves: Mapping[str, Curve],
    turning_points: Mapping[int, str],
    rows: Sequence[Row],
) -> str:
    """The page. summary and curves: by seat; turning_points: sentences by number of the choice;
    rows: all choices.
    """
    parts = ["<h2>Chances to win</h2>", _drawing(curves, turning_points), "<ul class=key>"]
    for colour, text in zip(_colours(len(summary)), summary, strict=True):
        parts.append(f'<li><i style="background:{colour}"></i>{escape(text)}</li>')
    parts += ["</ul>", *_listed("Turning points", turning_points)]
    parts += ["<h2>All choices</h2>", "<p>Those that cost something beyond doubt are marked.</p>"]
    parts += ["<div class=wide><table>", _row(HEADS, "th")]
    parts += [_row(one.cells, "td", " class=mistake" * one.is_mistake) for one in rows]
    parts.append("</table></div>")
    return html_page(title, _CSS, "\n".join(parts))


def _colours(number: int) -> list[str]:
    return [_COLOURS[at % len(_COLOURS)] for at in range(number)]


def _listed(title: str, sentences: Mapping[int, str]) -> Iterator[str]:
    """Sentences with the numbers of their choices."""
    yield f"<h2>{escape(title)}</h2>"
    yield "<ul>" if sentences else "<p>None.</p>"
    for number, text in sentences.items():
        yield f"<li><b>{number}.</b> {escape(text)}</li>"
    yield "</ul>" if sentences else ""


def _row(cells: Sequence[str], tag: str, of: str = "") -> str:
    return f"<tr{of}>{''.join(f'<{tag}>{escape(one)}</{tag}>' for one in cells)}</tr>"


def _drawing(curves: Mapping[str, Curve], turning_points: Mapping[int, str]) -> str:
    """The plot of the curves, with the turning points."""
    last = max((number for curve in curves.values() for number in curve), default=1)

    def across(number: int) -> float:
        return _LEFT + (_WIDE - _LEFT - _EDGE) * number / last

    def down(chance: float) -> float:
        return _EDGE + (_HIGH - 3 * _EDGE) * (1 - chance)

    label = escape(f"Chances to win of {', '.join(curves)} after each choice")
    parts = [f'<svg viewBox="0 0 {_WIDE} {_HIGH}" role="img" aria-label="{label}">']
    for percent in (0, 50, 100):
        y = down(percent / 100)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDE - _EDGE}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>')
    for number, text in turning_points.items():
        x = across(number)
        parts.append(
            f'<g><title>{escape(text)}</title><path d="M{x:.1f} {_EDGE}V{_HIGH - 2 * _EDGE}"'
            f' stroke="#b7341d" stroke-width="2" stroke-dasharray="4 3"/>'
            f'<text x="{x:.1f}" y="{_HIGH - 8}" text-anchor="middle">{number}</text></g>'
        )
    for colour, curve in zip(_colours(len(curves)), curves.values(), strict=True):
        points = [f"{across(at):.1f},{down(one):.1f}" for at, one in curve.items()]
        line = " ".join([*points, *points[-1:]])  # one point alone would not be drawn
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"'
            ' stroke-linecap="round"/>'
        )
    return "".join([*parts, "</svg>"])
