"""The files that colour rules in editors are made from the grammar."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from editors.make import FILES, HERE, declaring, saying, textmate
from targi_dsl.syntax.grammar import language


@pytest.mark.parametrize(("name", "make"), FILES.items())
def test_a_file_of_colours_is_what_the_grammar_makes(name: str, make: Callable[[], str]) -> None:
    """`python -m editors.make` writes them."""
    assert (HERE / name).read_text(encoding="utf-8") == make()


def test_every_word_of_the_language_has_a_colour() -> None:
    assert {*declaring(), *saying()} == language().keywords
    declaration, *_, word = (
        re.compile(one["match"])
        for one in json.loads(textmate())["patterns"]
        if "match" in one and "keyword" in json.dumps(one)
    )
    found = declaration.match("rule keep_limits with card")
    assert found is not None and found.groups() == ("rule", "keep_limits")
    assert all(word.fullmatch(one) for one in language().keywords)
