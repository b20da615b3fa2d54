"""Every unknown name is reported at once, whatever other fault it stands beside or below."""

from __future__ import annotations

import pytest

from targi_dsl.compiler.load import _request
from targi_dsl.compiler.pipeline import CHECKING
from targi_dsl.compiler.project.discovery import shipped
from targi_dsl.compiler.recovery import overlooked
from tests.small_game import RULES, pond, told, with_change

MODULE, CARDS = "pond/pond.targi", "pond/pond_plans.yaml"


def names(files: dict[str, str]) -> list[tuple[str, str]]:
    """The unknown names that are reported, each with its suggestion."""
    errors = [one for one in told(files) if one.severity == "error"]
    assert all(one.span is not None for one in errors)
    return [(one.span.text, one.hint) for one in errors if one.span is not None]


def meant(*words: str) -> list[tuple[str, str]]:
    """Pairs of a misspelt word and the one that is suggested."""
    return [
        (wrong, f"Did you mean `{right}`?")
        for wrong, right in zip(words[::2], words[1::2], strict=True)
    ]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "  forbid taken: any frog on spot because",
            "  forbid taken: any frgo on sopt because",
            ("frgo", "frog", "sopt", "spot"),
        ),
        (
            "    gain 2 grey and 1 red and 1 twigs",
            "    gain 2 gery and 1 redd and 1 twgs",
            ("gery", "grey", "redd", "red", "twgs", "twigs"),
        ),
        (
            "  put plan on bed\n",
            "  do hopp\n  put paln on bedd\n",
            ("hopp", "hop", "paln", "plan", "bedd", "bed"),
        ),
        (
            "  choose plan in your hand\n",
            '  choose plan in your hnad as "build {paln}"\n',
            ("hnad", "hand", "paln", "plan"),
        ),
        (
            "sum of worth of c for (c in cards on your garden)",
            "sum of worht of c for (c in cards on your gardne)",
            ("worht", "worth", "gardne", "garden"),
        ),
        (
            "tie: most your twigs, then most your pebbles",
            "tie: most your twgs + dya, then most your pebles",
            ("twgs", "twigs", "dya", "day", "pebles", "pebbles"),
        ),
    ],
    ids=["prohibition", "amounts", "steps", "choice and words", "score", "tie"],
)
def test_unknown_names_on_one_line_are_all_reported(
    old: str, new: str, words: tuple[str, ...]
) -> None:
    assert names(with_change(MODULE, old, new)) == meant(*words)


def test_two_unknown_names_in_a_cost_and_in_an_ability_are_reported() -> None:
    cost = with_change(CARDS, "1 grey and 1 red or 1 twigs", "1 gery and 1 redd or 1 twigs")
    assert names(cost) == meant("gery", "grey", "redd", "red")
    ability = with_change(
        CARDS, "pebbles less if sort of plan is", "peblees less if sort of paln is"
    )
    assert names(ability) == meant("peblees", "pebbles", "paln", "plan")


@pytest.mark.parametrize(
    ("head", "wrong", "right"),
    [
        ("extend rule round after drawplan", "drawplan", "draw_plan"),
        ("extend rule ruond", "ruond", "round"),
        ("replace rule biuld", "biuld", "build"),
    ],
)
def test_unknown_names_below_a_refused_change_are_reported(
    head: str, wrong: str, right: str
) -> None:
    marsh = f"{head}\n  each player\n    if dya is 2: gain 1 fmae\n    remove heorn\n"
    words = (wrong, right, "dya", "day", "fmae", "fame", "heorn", "heron")
    assert names(pond({"marsh": marsh})) == meant(*words)


def test_names_that_the_extended_rule_binds_are_known_below_a_refused_change() -> None:
    marsh = "extend rule hop after heron\n  if spot is shore 1: gain 1 fmae\n"
    assert [word for word, _ in names(pond({"marsh": marsh}))] == ["heron", "fmae"]


def test_a_singular_beside_an_unknown_resource_is_reported() -> None:
    rules = RULES.replace("resource twigs,", "resource twigs (one twig),")
    rules = rules.replace("gain 2 grey and 1 red and 1 twigs", "gain 2 gery and 2 twig")
    assert [word for word, _ in names({**pond({}), MODULE: rules})] == ["gery", "twig"]


@pytest.mark.parametrize("game", sorted(shipped().names("game")))
def test_no_name_of_a_shipped_game_would_be_reported(game: str) -> None:
    compilation = _request(game, None).compile(CHECKING)
    before = list(compilation.written.problems)
    overlooked.report(compilation)
    assert compilation.written.problems == before
