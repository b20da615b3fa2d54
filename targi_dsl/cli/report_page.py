"""A report of experiments as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import cycle
from math import isfinite
from typing import TYPE_CHECKING

from targi_dsl.cli.output import html_page

if TYPE_CHECKING:
    from targi_dsl.lab.report import Conclusion, Question, Report

_CSS = """\
body { font: 16px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 68rem; padding: 0 .8rem;
  color: #222; background: #fff }
h1 { font-size: 1.4rem } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
.wide { overflow-x: auto } table { border-collapse: collapse; font-size: .9rem; margin: .8rem 0 }
th, td { text-align: left; white-space: nowrap; padding: .2rem .8rem .2rem 0; vertical-align: top }
thead th, tbody th { font-weight: normal } tbody tr { border-top: 1px solid #ddd }
.agree .verdict { color: #1d4f86 } .disagree .verdict { color: #b7341d }
.unsure .verdict, .alone .verdict { color: #666 }
svg { display: block; width: 12rem; height: auto } .key { font-size: 1.2em }
code { display: block; overflow-wrap: anywhere; background: #f3f3f3; padding: .2rem .4rem;
  margin: .2rem 0; font-size: .85rem }
.caution { background: #fdf4d8; padding: .3rem .6rem; margin: .15rem 0 }
li { margin: .2rem 0; overflow-wrap: anywhere } a { color: #1d4f86 }"""

_COLOURS = ("#2b6cb0", "#c05621", "#2f7d4f", "#6b46c1")
_WIDTH, _LINE, _EDGE = 240, 16, 8  # of a drawing, in its own units


def page(report: Report, nothing: str) -> str:
    """The page of a report. nothing: the text if there are no certain findings."""
    parts = [*_summary(report, nothing)]
    for number, question in enumerate(report.questions):
        parts += _question(number, question)
    if report.failures:
        parts.append("<h2>Games that failed, and are not counted</h2>\n<ul>")
        parts += [f"<li>{escape(one.told)}</li>" for one in report.failures]
        parts.append("</ul>")
    parts.append(f"<h2>To make this report again</h2>\n<code>{escape(report.command)}</code>")
    return html_page(report.title, _CSS, "\n".join(parts))


def _summary(report: Report, nothing: str) -> Iterator[str]:
    """The certain findings, with links."""
    yield "<h2>In short</h2>"
    if not report.certain:
        yield f"<p>{escape(nothing)}</p>"
        return
    places = {
        id(one): f"#{number}-{at}"
        for number, question in enumerate(report.questions)
        for at, one in enumerate(question.conclusions)
    }
    yield "<ul>"
    for one in report.certain:
        link = f'<a href="{places[id(one)]}">{escape(one.measure)}</a>'
        yield f"<li>{link}: {escape(one.summary)}</li>"
    yield "</ul>"


def _question(number: int, question: Question) -> Iterator[str]:
    yield f"<h2>{escape(question.title)}</h2>"
    yield from (f"<p class=caution>Caution: {escape(one)}.</p>" for one in question.cautions)
    yield from (f"<code>{escape(one)}</code>" for one in question.commands)
    at = 0
    for heading, rows in question.tables():
        heads = "".join(
            f'<th><span class=key style="color: {colour}">●</span> {escape(one)}</th>'
            for colour, one in zip(cycle(_COLOURS), heading)
        )
        yield f"<div class=wide><table><thead><tr><th></th>{heads}<th></th><th></th></tr></thead>"
        yield "<tbody>"
        for one in rows:
            cells = "".join(f"<td>{escape(of.finding.told)}</td>" for of in one.told)
            yield f'<tr id="{number}-{at}" class="{one.agreement}">'
            says = escape(one.told[0].finding.says)
            yield f'<th title="{says}">{escape(one.measure)}</th>{cells}<td>{_drawing(one)}</td>'
            yield f"<td class=verdict>{escape(one.verdict)}</td></tr>"
            at += 1
        yield "</tbody></table></div>"


def _drawing(conclusion: Conclusion) -> str:
    """The plot of a conclusion's intervals, with a line at zero if it is in range."""
    finite = [one for one in conclusion.told if isfinite(sum(one.finding.interval))]
    low = min((one.finding.interval.low for one in finite), default=0.0)
    high = max((one.finding.interval.high for one in finite), default=0.0)
    if high <= low:
        return ""
    scale = (_WIDTH - 2 * _EDGE) / (high - low)
    height = _LINE * len(finite)
    label = escape(f"{conclusion.measure}: the intervals, {', '.join(t.player for t in finite)}")
    parts = [f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}">']
    if low <= 0 <= high:
        at = f"{_EDGE - low * scale:.1f}"
        parts.append(f'<path d="M{at} 0V{height}" stroke="#888" stroke-dasharray="3 3"/>')
    parts += _bars([[_EDGE + (end - low) * scale for end in t.finding.interval] for t in finite])
    return "".join([*parts, "</svg>"])


def _bars(intervals: Sequence[Sequence[float]]) -> Iterator[str]:
    for at, (value, low, high) in enumerate(intervals):
        colour, y = _COLOURS[at % len(_COLOURS)], _LINE * at + _LINE // 2
        yield f'<path d="M{low:.1f} {y}H{high:.1f}" stroke="{colour}" stroke-width="3"/>'
        yield f'<circle cx="{value:.1f}" cy="{y}" r="4.5" fill="{colour}"/>'
