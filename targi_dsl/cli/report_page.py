"""A report of experiments as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import isfinite
from typing import TYPE_CHECKING

from targi_dsl.cli.output import html_page

if TYPE_CHECKING:
    from targi_dsl.lab.report import Agreement, Conclusion, PlayerFinding, Question, Report

_CSS = """\
body { font: 16px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 56rem; padding: 0 .8rem;
  color: #222; background: #fff }
h1 { font-size: 1.4rem } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
h3 { font-size: 1rem; margin: 0 } p { margin: .15rem 0 }
article { border-left: .3rem solid #ccc; padding: .1rem 0 .3rem .7rem; margin: .8rem 0 }
article.agree { border-color: #2b6cb0 } article.disagree { border-color: #b7341d }
h3 span { font-weight: normal; font-size: .9rem; color: #555 } .disagree h3 span { color: #b7341d }
.player { color: #555; font-size: .9rem }
svg { display: block; width: 100%; max-width: 30rem; height: auto; margin: .2rem 0 }
code { display: block; overflow-wrap: anywhere; background: #f3f3f3; padding: .2rem .4rem;
  margin: .2rem 0; font-size: .85rem }
.caution { background: #fdf4d8; padding: .3rem .6rem }
li { margin: .2rem 0; overflow-wrap: anywhere } a { color: #1d4f86 }"""

_SETTLED = ("", "same", "even", "like others", "not known yet")
"""Verdicts that are nothing to be told at once."""

_COLOURS = ("#2b6cb0", "#c05621", "#2f7d4f", "#6b46c1")
_WIDTH, _LINE, _EDGE = 480, 16, 8  # of a drawing, in its own units


def page(report: Report, words: dict[Agreement, str]) -> str:
    """The page of a report. words: how well the players agree, as a text."""
    parts = [*_summary(report, words)]
    for number, question in enumerate(report.questions):
        parts += _question(number, question, words)
    if report.failures:
        parts.append("<h2>Games that failed, and are not counted</h2>\n<ul>")
        parts += [f"<li>{escape(one.told)}</li>" for one in report.failures]
        parts.append("</ul>")
    parts.append(f"<h2>To make this report again</h2>\n<code>{escape(report.command)}</code>")
    return html_page(report.title, _CSS, "\n".join(parts))


def _summary(report: Report, words: dict[Agreement, str]) -> Iterator[str]:
    """What the players agree on, and where they do not, with the way to each."""
    every = [
        (f'<a href="#{number}-{at}">{escape(one.measure)}</a> ({escape(question.title)})', one)
        for number, question in enumerate(report.questions)
        for at, one in enumerate(question.conclusions)
    ]
    sure = [
        (link, one)
        for link, one in every
        if one.agreement == "agree" and one.told[0].finding.verdict not in _SETTLED
    ]
    apart = [(link, one) for link, one in every if one.agreement == "disagree"]
    for title, those in (("In short", sure), (f"Where {words['disagree']}", apart)):
        yield f"<h2>{escape(title)}</h2>"
        yield "<ul>" if those else "<p>Nothing.</p>"
        for link, one in those:
            yield f"<li>{link}"
            yield from (_says(one, told) for told in one.told)
            yield "</li>"
        if those:
            yield "</ul>"


def _says(conclusion: Conclusion, told: PlayerFinding) -> str:
    who = escape(f"{told.player}, {told.games:,} games")
    says = escape(told.finding.says.removeprefix(f"{conclusion.measure}: "))
    return f"<p><span class=player>{who}:</span> {says}</p>"


def _question(number: int, question: Question, words: dict[Agreement, str]) -> Iterator[str]:
    yield f"<h2>{escape(question.title)}</h2>"
    yield from (f"<p class=caution>Caution: {escape(one)}.</p>" for one in question.cautions)
    yield from (f"<code>{escape(one)}</code>" for one in question.commands)
    for at, one in enumerate(question.conclusions):
        yield f'<article id="{number}-{at}" class="{one.agreement}">'
        yield f"<h3>{escape(one.measure)} <span>— {escape(words[one.agreement])}</span></h3>"
        yield _drawing(one)
        yield from (_says(one, told) for told in one.told)
        yield "</article>"


def _drawing(conclusion: Conclusion) -> str:
    """The interval of each player, and zero if it is among them."""
    those = [told for told in conclusion.told if isfinite(sum(told.finding.interval))]
    low = min((told.finding.interval.low for told in those), default=0.0)
    high = max((told.finding.interval.high for told in those), default=0.0)
    if high <= low:
        return ""
    scale = (_WIDTH - 2 * _EDGE) / (high - low)
    height = _LINE * len(those)
    label = escape(f"{conclusion.measure}: the intervals, {', '.join(t.player for t in those)}")
    parts = [f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}">']
    if low <= 0 <= high:
        at = f"{_EDGE - low * scale:.1f}"
        parts.append(f'<path d="M{at} 0V{height}" stroke="#888" stroke-dasharray="3 3"/>')
    parts += _bars([[_EDGE + (end - low) * scale for end in t.finding.interval] for t in those])
    return "".join([*parts, "</svg>"])


def _bars(intervals: Sequence[Sequence[float]]) -> Iterator[str]:
    for at, (value, low, high) in enumerate(intervals):
        colour, y = _COLOURS[at % len(_COLOURS)], _LINE * at + _LINE // 2
        yield f'<path d="M{low:.1f} {y}H{high:.1f}" stroke="{colour}" stroke-width="3"/>'
        yield f'<circle cx="{value:.1f}" cy="{y}" r="4.5" fill="{colour}"/>'
