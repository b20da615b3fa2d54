"""A sample of the mutants that `python -m bench.mutants` makes: the check or a rule test notices each."""

from __future__ import annotations

from dataclasses import replace

from bench.mutants import Killing, equivalent, kinds_of, mutants, rule_files
from targi_dsl.compiler.load import load

SAMPLE = slice(35, None, 270)


def test_a_sample_of_the_mutants_of_the_base_game_is_noticed() -> None:
    killing, files = Killing("base"), rule_files("base")
    made, known = [*mutants(files, kinds_of(killing.game))], equivalent()
    for one in made[SAMPLE]:
        assert killing.killed_by(one) or one.key in known, one
    assert killing.killed_by(replace(made[0], text=files[made[0].file])) == "same"


def test_what_is_listed_as_equivalent_is_a_mutant() -> None:
    made = set[tuple[str, str, str]]()
    for name in ("base", "expansion"):
        made |= {one.key for one in mutants(rule_files(name), kinds_of(load(name)))}
    assert {*equivalent()} <= made
