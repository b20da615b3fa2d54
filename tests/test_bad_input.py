"""Any bad input gives one clear located message and exit code 1, in time and never with a
traceback.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.text.diagnostics import Problems
from tests.small_game import CARDS, FILES, RULES, SHEET

ROOT = Path(__file__).parent.parent
LONGEST = 20
"""Seconds of processor time: far above what anything here takes, far below what it took without
limits.
"""
MODULE, PLANS = "pond/pond.targi", "pond/pond_plans.yaml"


def files_in(folder: Path, changed: dict[str, bytes] | None = None) -> Path:
    """The small game on disk, some files of it replaced; the path of its sheet."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((changed or {}).get(name, text.encode()))
    return folder / "pond.targi"


def validate(sheet: Path) -> subprocess.CompletedProcess[str]:
    """`targi validate` in a separate process, which is ended above 512 MB or so many seconds."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (512 * 2**20, 512 * 2**20))
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))

    command = [sys.executable, str(ROOT / "cli.py"), "validate", str(sheet)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, preexec_fn=limit, check=False
    )


def deep() -> bytes:
    lines = ["rule deep"]
    lines += ["  " * level + "if yes" for level in range(1, 66)]
    return ("\n".join([*lines, "  " * 66 + "stop"]) + "\n").encode()


WHOLE_FILES: list[tuple[str, str, bytes, str]] = [
    ("an empty module", MODULE, b"", "E101"),
    ("an empty card file", PLANS, b"", "E500"),
    ("an empty sheet", "pond.targi", b"", "E101"),
    ("a module cut off in a line", MODULE, RULES.partition("plan on bed")[0].encode(), "E1"),
    ("a card file cut off in a line", PLANS, CARDS.encode()[:170], "E"),
    ("zeros in a module", MODULE, RULES.encode() + b"\0\0\0", "E0"),
    ("a picture instead of cards", PLANS, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "E0"),
    ("a module over 2 MB", MODULE, RULES.encode() + b"# x\n" * 600_000, "E0"),
    ("a line over 10,000 characters", MODULE, RULES.encode() + b"# " + b"x" * 10_001, "E0"),
    (
        "parentheses 65 deep",
        MODULE,
        RULES.encode() + b"define deep: " + b"(" * 65 + b"1" + b")" * 65 + b"\n",
        "E106",
    ),
    ("lines 65 deep", MODULE, RULES.encode() + deep(), "E106"),
    ("100 KB of [", PLANS, CARDS.encode() + b"x: " + b"[" * 100_000, "E0"),
    ("Latin 1", MODULE, RULES.replace("At the pond", "Am T\xfcmpel").encode("latin-1"), "E0"),
    ("20,000 faulty lines", MODULE, RULES.encode() + b"gian 1\n" * 20_000, "E1"),
    (
        "10,000 cards of six lines and more",
        PLANS,
        CARDS.encode() + CARDS.partition("cards:\n")[2].encode() * 3_333,
        "E024",
    ),
    (
        "1,001 cards",
        PLANS,
        CARDS.partition("cards:")[0].encode()
        + b"cards:\n"
        + b"  - {id: newt, name: {en: Newt}, sort: newt, worth: 1, cost: 1 grey}\n" * 1_001,
        "E506",
    ),
]


@pytest.mark.parametrize(
    ("what", "name", "data", "code"), WHOLE_FILES, ids=[row[0] for row in WHOLE_FILES]
)
def test_a_bad_file_gets_a_located_message_in_time(
    tmp_path: Path, what: str, name: str, data: bytes, code: str
) -> None:
    ended = validate(files_in(tmp_path, {name: data}))
    assert ended.returncode >= 0, "it took too long or too much"
    shown = ended.stdout + ended.stderr
    assert "Traceback" not in shown, shown
    assert ended.returncode == 1, shown
    assert shown.startswith(code), shown
    assert name.rpartition("/")[2] in shown.split("\n")[1], shown


def test_a_byte_order_mark_and_carriage_returns_simply_work(tmp_path: Path) -> None:
    changed = {
        name: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode() for name, text in FILES.items()
    }
    ended = validate(files_in(tmp_path, changed))
    assert ended.returncode == 0, ended.stdout + ended.stderr


def codes(files: dict[str, str], **options: str) -> list[str]:
    return [one.code for one in check("pond", of_texts(files), options)[1]]


DRY = "language 2\nmodule dry based on pond\nreplace define most_plans: 3\n"
WET = "language 2\nmodule wet based on pond\nreplace define most_plans: 1\n"


def test_two_modules_that_change_one_name_are_told_with_both_places_and_can_be_settled() -> None:
    files = {**FILES, "dry/dry.targi": DRY, "wet/wet.targi": WET}
    files["pond.targi"] = SHEET.replace("rules pond", "rules pond + dry + wet")
    _, problems = check("pond", of_texts(files))
    assert [one.code for one in problems] == ["E403"]
    assert len(problems[0].labels) == 1
    settle = problems[0].hint
    for order, wanted in ((settle, 1), ("settle most_plans: wet then dry", 3)):
        files["pond.targi"] = SHEET.replace("rules pond", "rules pond + dry + wet") + f"  {order}\n"
        game = load("pond", of_texts(files))
        assert any(
            define.name == "most_plans" and getattr(define.value, "value", None) == wanted
            for define in game.defines
        )


@pytest.mark.parametrize(
    ("name", "copy", "names"),
    [(MODULE, "pond/pond_2.targi", "27 names"), (PLANS, "more/pond_plans.yaml", "two folders")],
)
def test_a_copy_beside_the_original_is_one_fault(name: str, copy: str, names: str) -> None:
    files = {**FILES, copy: FILES[name] + "\n"}
    _, (problem,) = check("pond", of_texts(files))
    assert problem.code == "E427" and names in problem.text
    assert problem.span is not None
    del files[problem.span.source.name]
    assert check("pond", of_texts(files))[1] == ()


def test_what_is_no_plain_file_is_told(tmp_path: Path) -> None:
    sheet = files_in(tmp_path)
    os.mkfifo(
        tmp_path / "pond" / "pipe.targi"
    )  # nobody writes into it: whoever opened it would wait
    assert validate(sheet).returncode == 0
    sheet.unlink()
    os.mkfifo(sheet)
    ended = validate(sheet)
    assert ended.returncode == 1
    assert ended.stdout.startswith("E006 not a plain file"), ended.stdout + ended.stderr
    sheet.unlink()
    sheet.mkdir()
    assert validate(sheet).stdout.startswith("E006")


def test_options_that_are_not_there_or_have_no_such_value_are_told() -> None:
    assert codes(FILES, flod="never") == ["E410"]
    assert codes(FILES, flood="sometimes") == ["E411"]


def played_to_the_end(files: dict[str, str]) -> None:
    state = start(load("pond", of_texts(files)), Seed(1))
    while state.seat is not None:
        state, _ = play(state, choices(state)[0])


@pytest.mark.parametrize(
    ("rules", "words"), [(1, "called themselves 199 times"), (210, "They are all different")]
)
def test_rules_within_each_other_are_called_endless_only_if_one_is_in_itself(
    rules: int, words: str
) -> None:
    chain = "".join(
        f"rule step_{n}\n  gain 1 twigs\n  do step_{(n + 1) % rules}\n" for n in range(rules)
    )
    text = RULES.replace("    do draw_plan\n", "    do step_0\n")
    if rules > 1:
        chain = chain.replace("  do step_0\n", "  stop\n")
    with pytest.raises(Problems) as caught:
        played_to_the_end({**FILES, MODULE: text + chain})
    assert caught.value.problems[0].code == "E604" and words in caught.value.problems[0].text


@pytest.mark.parametrize("last", ["do step_end", "turn of anna: do action of (top of plan_pile)"])
@pytest.mark.parametrize(("rules", "told"), [(200, []), (201, ["E604"])])
def test_so_many_rules_are_done_within_each_other(rules: int, told: list[str], last: str) -> None:
    """The first of them is the round, the last a rule, or the action of a card."""
    after = "  anna gains 1 twigs\n"
    chain = "".join(f"rule step_{n}\n  do step_{n + 1}\n{after}" for n in range(rules - 3))
    chain += f"rule step_{rules - 3}\n  {last}\n{after}rule step_end\n{after}"
    text = RULES.replace("rule round\n", "rule round\n  do step_0\n  end game\n")
    cards = CARDS.replace("    sort: ", '    action: "gain 1 grey"\n    sort: ')
    found: list[str] = []
    try:
        played_to_the_end({**FILES, MODULE: text + chain, PLANS: cards})
    except Problems as caught:
        found = [one.code for one in caught.problems]
    assert found == told


def test_definitions_that_name_each_other_too_deep_are_told() -> None:
    chain = "".join(f"define step_{n}: step_{n + 1}\n" for n in range(40)) + "define step_40: 1\n"
    assert set(codes({**FILES, MODULE: RULES + chain})) == {"E323"}


@pytest.mark.parametrize(
    ("points", "code"), [(2_000, "E110"), (5_000, "E004"), (1_000_000, "E001")]
)
def test_a_look_has_no_points_however_many_are_written(
    tmp_path: Path, points: int, code: str
) -> None:
    text = f"{RULES}\nlook\n  twigs: shape {'1,1 ' * points}\n"
    told = validate(files_in(tmp_path, {MODULE: text.encode()}))
    assert told.returncode == 1 and code in told.stdout + told.stderr
    assert "Traceback" not in told.stderr
