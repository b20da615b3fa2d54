"""The texts of small games of the tests, in tests/texts; some have a hole that each test fills."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "texts"


def game_text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def game_file(name: str) -> str:
    """The path of a game that is one file."""
    return str(FOLDER / f"{name}.targi")


def wild(folder: Path) -> str:
    """A game with a thousand choices at once, a hundred cards in a hand, no layout, markup and quotes,
    marks of direction, 5,000 letters in a name and almost 10,000 in its title, and a rule that never ends.
    """
    (folder / "wild").mkdir()
    names = [
        "<img src=x onerror=alert(1)>",
        r"\"quoted\" & 'single'",
        "שלום \u200f עולם",
        "x" * 5_000,
    ]
    names += [f"Letter {number}" for number in range(len(names), 100)]
    cards = [
        f'  - {{id: l{number}, number: {number + 1}, worth: 3, name: {{en: "{name}"}}}}\n'
        for number, name in enumerate(names)
    ]
    head = "language: 2\nset: letters\nkind: letter\ncards:\n"
    (folder / "wild" / "letters.yaml").write_text(head + "".join(cards), encoding="utf-8")
    (folder / "wild" / "wild.targi").write_text(game_text("wild.targi"), encoding="utf-8")
    title = f"<img src=x onerror=alert(1)> Wild & 'co' {'y' * 9_800}"
    sheet = f'language 2\ngame wild "{title}"\n  rules wild\n  deck bag: letters\n'
    (folder / "wild.targi").write_text(sheet, encoding="utf-8")
    return str(folder / "wild.targi")
