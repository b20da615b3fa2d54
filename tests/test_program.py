"""The program of every sheet is well formed, and is plain data."""

from __future__ import annotations

import ast
import json
import re
from inspect import signature
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from msgspec.structs import replace

from targi_dsl import load
from targi_dsl.engine.instructions import Instructions, method_of
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import statements as s
from targi_dsl.ir import walk
from targi_dsl.ir.program import Program, as_data
from tests.games import ALL, compiled
from tests.verifier import verify

ROOT = Path(__file__).parent.parent
PAGE, ENGINE = ROOT / "docs/program.md", ROOT / "targi_dsl/engine"


@pytest.mark.parametrize("name", ALL)
def test_the_program_of_a_sheet_is_sound(name: str) -> None:
    assert verify(compiled(name).program) == ()


def test_a_program_is_plain_data() -> None:
    data = json.loads(json.dumps(as_data(compiled("kuhn_poker").program)))
    assert data["is"] == "Program" and data["code"][0]["operation"] == {"is": "Over"}
    assert "span" not in json.dumps(data)


def test_every_section_of_the_page_is_carried_out_by_a_module_that_cites_it() -> None:
    sections = re.findall(r"^##+ (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cited = set[str]()
    for path in ENGINE.glob("*.py"):
        head, _, names = (ast.get_docstring(ast.parse(path.read_text())) or "").partition(PAGE.name)
        cited.update(re.findall(r"\*([A-Z][a-z ]+)\*", names) if head else ())
    assert cited == {*sections} - {"Numbers"}


def test_the_page_has_every_operation_expression_and_conjunct_with_its_operands() -> None:
    cells = re.findall(r"^\| (.*?) \| .*\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    names = [one for cell in cells for one in re.findall(r"`([A-Z]\w*)(?:\((.*?)\))?`", cell)]
    kinds = {kind.__name__: kind for kind in get_args(ins.Operation | e.Expr | g.Conjunct)}
    assert {name for name, _ in names} == {*kinds}
    for name, operands in names:
        assert {*filter(None, operands.split(", "))} <= {*kinds[name].__match_args__}, name


def test_an_effect_is_a_method_whose_parameters_are_its_operands() -> None:
    for kind in get_args(s.Effect):
        parameters = signature(getattr(Instructions, method_of(kind))).parameters
        assert (*parameters,) == ("self", "run", *kind.__match_args__)


BEGINNING = """language 2
game small
players ann, ben
variable day: 0 to 9
rule setup
  nothing
rule round
  turn of ann
    let kept be day + 7
    let lost be kept + 1
    one of
      a: nothing
      b: set day to lost
"""


def small(after: str = "") -> Program:
    """A rule with two local values and a question, and what is done behind it."""
    return load("small", {"small.targi": f"{BEGINNING}{after}  everybody wins\n"}).program


def with_line(program: Program, at: int, operation: ins.Operation) -> Program:
    line = replace(program.code[at], operation=operation)
    return replace(program, code=(*program.code[:at], line, *program.code[at + 1 :]))


BROKEN: dict[str, ins.Operation] = {
    "goes on at no address": ins.Branch(e.Const(1), 99),
    "names slot 50": s.Let(50, e.Const(1)),
    "names slot 60": s.Let(1, e.Local(60)),
    "gives 1 arguments": s.Do(0, (e.Const(1),)),
    "sets no variable": s.Assign(5, e.Const(0), e.Const(1)),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_what_is_wrong_with_a_program_is_found(fault: str) -> None:
    program = small()
    assert verify(program) == ()
    at = next(n for n, one in enumerate(program.code) if isinstance(one.operation, s.Let))
    assert any(fault in one for one in verify(with_line(program, at, BROKEN[fault])))


def test_a_slot_is_written_before_it_is_read() -> None:
    program = small()
    begun, (*points,) = program.procedures[1].begin, program.points
    points[begun] = replace(points[begun], live=(0, 3))
    told = verify(replace(program, points=tuple(points)))
    assert told == ("round reads slots [3] before they are written",)


@pytest.mark.parametrize(
    ("after", "live"), [("", (0, 1, 3)), ("    set day to kept - 7\n", (0, 1, 2, 3))]
)
def test_a_question_keeps_what_is_read_after_it_and_nothing_else(
    after: str, live: tuple[int, ...]
) -> None:
    (point,) = (one for one in small(after).points if one.label == "ask")
    assert point.live == live


def test_a_walk_looks_into_no_operator() -> None:
    """Nothing that is one of some words holds a part of a program."""
    for of in get_args(e.Expr) + get_args(s.Statement):
        hints = get_type_hints(of)
        kinds = {
            name: {get_origin(one) for one in (hints[name], *get_args(hints[name]))}
            for name in hints
        }
        assert not [name for name in walk.names(of) if Literal in kinds[name]], of
