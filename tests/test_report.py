"""Reports: everything at two strengths, and a page that needs nothing else."""

from __future__ import annotations

import re
import shlex
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from targi_dsl.cli.report_page import page
from targi_dsl.lab.findings import Finding
from targi_dsl.lab.report import (
    Agreement,
    Conclusion,
    PlayerFinding,
    Question,
    Report,
    agreement,
)
from targi_dsl.search.estimates import Interval
from tests.commands import targi

VOID = {"meta", "path", "circle"}


class Page(HTMLParser):
    """A page whose elements all end, with what they refer to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.ids, self.links = list[str](), set[str](), set[str]()
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert name not in ("src", "srcset", "data", "action"), tag
            if name == "id":
                self.ids.add(value or "")
            if name == "href":
                self.links.add(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    handle_startendtag = handle_starttag


def told(player: str, low: float, high: float, verdict: str) -> PlayerFinding:
    found = Finding("rounds", Interval((low + high) / 2, low, high), verdict, "rounds: many")
    return PlayerFinding(player, 10, found)


def test_a_page_needs_nothing_else_and_its_commands_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    line = ["dice_race", "dice_race_rough", "--player", "busy", "--player", "random"]
    done = targi("lab", "report", *line, "--games", "30", "--html", str(path), "--json")
    assert done.code == 0, done.err
    text = path.read_text(encoding="utf-8")
    found = Page(text)
    assert all(one[0] == "#" and one[1:] in found.ids for one in found.links)
    assert "//" not in re.sub(r"<code>.*?</code>", "", text) and "url(" not in text
    for question in done.document["questions"]:
        assert len(question["commands"]) == 2
        for at, command in enumerate(question["commands"]):
            assert command in unescape(text)
            again = targi(*shlex.split(command)[1:], "--json").document
            same = {one["says"] for part in again["sections"] for one in part["findings"]}
            assert {one["told"][at]["says"] for one in question["conclusions"]} <= same
    assert [one["title"] for one in done.document["questions"]] == [
        "What the seats of dice_race are worth",
        "What play of dice_race is like",
        "What dice_race_rough changes in dice_race",
    ]


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ((1, 2, "more"), (3, 4, "more"), "agree"),
        ((1, 2, "more"), (-2, -1, "less"), "disagree"),
        ((1, 2, "more"), (0, 1.5, "same"), "unsure"),
        ((1, 2, "more"), (-1, 1.5, "not known yet"), "unsure"),
        ((1, 2, ""), (1.5, 3, ""), "agree"),
        ((1, 2, ""), (2.5, 3, ""), "disagree"),
        ((1, 2, ""), (-float("inf"), float("inf"), ""), "unsure"),
    ],
)
def test_players_disagree_where_intervals_have_nothing_in_common(
    one: tuple[float, float, str], other: tuple[float, float, str], said: Agreement
) -> None:
    assert agreement([told("busy", *one), told("random", *other)], 2) == said


def test_what_one_player_alone_shows_is_said_so() -> None:
    assert agreement([told("busy", 1, 2, "more")], 2) == "alone"


def test_names_are_text_on_a_page() -> None:
    those = told("<b>", 1, 2, "more"), told("busy", 3, 4, "more")
    question = Question("a < b", ("targi & more",), (Conclusion("<i>", those, "agree"),), ("<u>",))
    text = page(Report("<title>", "<p>", (question,)), "<i>")
    Page(text)
    assert not re.search(r"<[biu]>", text) and "a &lt; b" in text


def test_the_same_game_is_said_to_be_so() -> None:
    done = targi("lab", "report", "pig", "pig", "--player", "busy", "--games", "2")
    assert done.code == 0 and "They are the same game" in done.out
