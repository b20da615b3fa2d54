"""Every message about a changed game is as it is written in tests/corpus."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.text.diagnostics import Problem
from tests.corpus import FOLDER, Trial, cases, pasted, written

NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))


def test_no_message_speaks_of_the_parser() -> None:
    said = "\n".join(case.said for case in cases("sentences"))
    assert not re.search(r"token|terminal|_NL|DENT|\$END", said)


@pytest.mark.parametrize("name", NAMES)
def test_the_messages_are_as_they_were(name: str) -> None:
    """`python -m tests.corpus` writes them anew."""
    assert written(name).splitlines() == (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()


def led_back(trial: Trial, kept: CheckCache) -> Iterator[str]:
    """The hints without an edit that read well in place of the faulty part or of its line, and get
    the same message there.
    """
    found = trial.problems(kept)
    for one in found:
        name = one.span.source.name if one.span is not None else ""
        if one.severity == "error" and one.hint and not one.edits and name in trial.files:
            for text in islice(pasted(one), 2):
                after = replace(trial, files=trial.files | {name: text}).problems(kept)
                if unread(after) <= unread(found) and (one.code, one.title) in titles(after):
                    yield f"{one.code} {one.title}: {one.hint}"


def unread(problems: tuple[Problem, ...]) -> int:
    """How much of a text is not understood at all."""
    return sum(one.code in ("E105", "E110") for one in problems)


def titles(problems: tuple[Problem, ...]) -> set[tuple[str, str]]:
    return {(one.code, one.title) for one in problems}


@pytest.mark.parametrize("name", NAMES)
def test_no_hint_leads_to_the_same_message_again(name: str) -> None:
    kept, trials = CheckCache(), map(Trial.of, cases(name))
    every = [hint for one in trials if one.read is None for hint in led_back(one, kept)]
    assert [hint for hint in every if not IN_WORDS.search(hint)] == []


IN_WORDS = re.compile("begin it with|begin it at|Put the text in quotes")
"""What is to be done, not what is to be written."""
