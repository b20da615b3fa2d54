"""The program of every sheet is sound, and is plain data."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bench.net import SHEETS
from targi_dsl import load
from targi_dsl.ir import model as m
from targi_dsl.ir import program as p
from targi_dsl.ir.verify import verify
from tests.models import Table, ask, choose, option

NAMES = sorted(path.stem for path in SHEETS.glob("*.targi"))


@pytest.mark.parametrize("name", NAMES)
def test_the_program_of_a_sheet_is_sound(name: str) -> None:
    assert verify(load(name).program) == ()


def test_a_program_is_plain_data() -> None:
    data = json.loads(json.dumps(p.as_data(load("kuhn_poker").program)))
    assert data["is"] == "Program" and data["code"][0]["operation"] == {"is": "Over"}
    assert "span" not in json.dumps(data)


def small() -> p.Program:
    table = Table()
    way = option("go", m.Let(2, m.Local(1)), choice=choose(1, m.Const((1, 2))))
    table.rule("round", ask(way), m.EndGame(0))
    return table.game().program


def with_line(program: p.Program, at: int, operation: p.Operation) -> p.Program:
    line = replace(program.code[at], operation=operation)
    return replace(program, code=(*program.code[:at], line, *program.code[at + 1 :]))


BROKEN: dict[str, p.Operation] = {
    "goes on at no address": p.Branch(m.Const(1), 99),
    "names slot 50": m.Let(50, m.Const(1)),
    "names slot 60": m.Let(1, m.Local(60)),
    "gives 1 arguments": m.Do(0, (m.Const(1),)),
    "sets no variable": m.Assign(5, m.Const(0), m.Const(1)),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_what_is_wrong_with_a_program_is_found(fault: str) -> None:
    program = small()
    assert verify(program) == ()
    at = next(n for n, one in enumerate(program.code) if isinstance(one.operation, m.Let))
    assert any(fault in one for one in verify(with_line(program, at, BROKEN[fault])))


def test_a_slot_is_written_before_it_is_read() -> None:
    table = Table()
    table.variable("count")
    table.rule("round", m.Assign(0, m.Const(0), m.Local(3)), m.EndGame(0))
    assert verify(table.game().program) == ("round reads slots [3] before they are written",)


def test_a_question_keeps_what_is_read_after_it_and_nothing_else() -> None:
    table = Table()
    table.variable("count")
    kept = m.Assign(0, m.Const(0), m.Local(3))
    lets = m.Let(3, m.Const(7)), m.Let(4, m.Const(8))
    table.rule("round", *lets, ask(option("a"), option("b")), kept, m.EndGame(0))
    (point,) = (one for one in table.game().program.points if one.label == "ask")
    assert point.live == (0, 3)
