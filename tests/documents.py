"""The fenced blocks of the documents, and the games in which they are checked."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from targi_dsl.compiler.load import analyse
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problem

DOCS = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r"^```targi ([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: the words of its tag, its text, the heading above it and its line."""

    words: tuple[str, ...]
    text: str
    heading: str
    line: int

    @property
    def one_line(self) -> str:
        """The text of a card's sentence."""
        return self.text.strip()

    @property
    def name(self) -> str:
        """The name of a test of this block."""
        return f"{self.line}-{self.text.splitlines()[0][:40]}"


@cache
def text_of(document: str) -> str:
    folder = DOCS if (DOCS / document).exists() else Path(__file__).parent
    return (folder / document).read_text(encoding="utf-8")


@cache
def blocks(document: str) -> tuple[Block, ...]:
    """The blocks of a document, in order."""
    text = text_of(document)
    headings = [
        (found.start(), found[1]) for found in re.finditer(r"^##+ (.*)$", text, re.MULTILINE)
    ]
    return tuple(
        Block(
            tuple(found[1].split()),
            found[2],
            next((heading for start, heading in reversed(headings) if start < found.start()), ""),
            text.count("\n", 0, found.start()) + 2,
        )
        for found in BLOCK.finditer(text)
    )


# ---- the game of the examples ----

LAYERS = ("base", "expansion")
HEADS = {
    "base": 'language 2\nmodule base "Targi"\n\n',
    "expansion": 'language 2\nmodule expansion "The expansion" based on base\n\n',
}
SHEETS = {
    "base": (
        'language 2\ngame base "Targi"\n  rules base\n  deck border_cards: base_border\n'
        "  deck goods_pile: base_goods + base_goods + base_goods\n  deck tribe_pile: base_tribe\n"
    ),
    "all_dunes": (
        'language 2\ngame all_dunes "Targi, all dunes" based on mixed\n  deck dune_pile: dunes\n'
    ),
}
KINDS = {"border_card": "border", "goods_card": "goods", "dune": "dune"}
SYMBOLS = ("well", "camel", "oasis", "targia", "camp")
PLAIN = 10
"""Tribe cards without an ability, to fill the decks."""


@cache
def hard_texts() -> Mapping[str, str]:
    """The files of example_game.md: two modules, their cards, and game sheets."""
    said = blocks("example_game.md")
    texts = {f"rules/games/{name}.targi": text for name, text in SHEETS.items()}
    for layer in LAYERS:
        rules = [block.text for block in said if block.words == ("declaration", layer)]
        texts[f"rules/{layer}/{layer}.targi"] = HEADS[layer] + "\n".join(rules)
        own = [block for block in said if block.words[1] == layer]
        for kind, cards in _printed(
            layer, [block for block in own if block.words[0] == "action"]
        ).items():
            texts[f"cards/{_set(layer, kind)}.yaml"] = _card_file(_set(layer, kind), kind, cards)
        texts[f"cards/{layer}_tribe.yaml"] = _card_file(
            f"{layer}_tribe", "tribe_card", _tribe(layer, own)
        )
    (sheet,) = [block for block in said if block.words == ("declaration", "sheet")]
    texts["rules/games/mixed.targi"] = "language 2\n" + sheet.text
    return texts


def _set(layer: str, kind: str) -> str:
    return "dunes" if kind == "dune" else f"{layer}_{KINDS[kind]}"


def _printed(layer: str, said: list[Block]) -> Mapping[str, list[dict[str, str]]]:
    """The cards of each kind that have an action."""
    cards = defaultdict[str, list[dict[str, str]]](list)
    for block in said:
        kind, *rest = block.words[2:]
        numbers = [int(word) for word in rest if word.isdecimal()]
        names = [word for word in rest if not word.isdecimal()]
        for number in numbers or [0]:
            card = {"id": names[0] if names else f"{layer}_{KINDS[kind]}_{block.line}_{number}"}
            card |= {"number": str(number)} if number else {}
            cards[kind].append(
                card | {"name": f"{{en: {card['id']}}}", "action": json.dumps(block.one_line)}
            )
    return cards


def _tribe(layer: str, said: list[Block]) -> list[dict[str, str]]:
    """A tribe card for each ability, and plain ones; symbols and costs rotate."""
    costs = [block.one_line for block in said if block.words[0] == "cost"]
    abilities = [json.dumps(block.one_line) for block in said if block.words[0] == "ability"]
    return [
        {
            "id": f"{layer}_tribe_{number}",
            "name": f"{{en: {layer} tribe {number}}}",
            "symbol": SYMBOLS[number % len(SYMBOLS)],
            "cost": json.dumps(costs[number % len(costs)]),
            "points": str(1 + number % 3),
            **({"ability": ability} if ability else {}),
        }
        for number, ability in enumerate([*abilities, *[""] * PLAIN])
    ]


def _card_file(name: str, kind: str, cards: list[dict[str, str]]) -> str:
    lines = ["language: 2", f"set: {name}", f"kind: {kind}", "cards:"]
    for card in cards:
        first, *rest = (f"{key}: {value}" for key, value in card.items())
        lines += [f"  - {first}", *(f"    {line}" for line in rest)]
    return "\n".join([*lines, ""])


# ---- one block in the world of a game ----


@dataclass(frozen=True, slots=True)
class World:
    """A game to which one sentence is added. sheet: the game that the trial is based on; on: its
    modules; printed: for the text of an action, ability or cost the deck, the other cards in it,
    the kind of card and its other fields.
    """

    sheet: str
    on: tuple[str, ...]
    printed: Mapping[str, tuple[str, str, str, Mapping[str, str]]]

    @property
    def texts(self) -> Mapping[str, str]:
        return hard_texts() if self.sheet == "mixed" else {}


_TRIBE = ("tribe_pile", "", "tribe_card", {"symbol": "well", "points": "1", "cost": "1 gold"})
_STALL = (
    "stall_pile",
    "",
    "stall",
    {"craft": "weaver", "serves": "[]", "renown": "1", "cost": "1 coins"},
)
SMALL = (
    "kuhn_poker", "tic_tac_toe", "dice_race", "pig", "nim", "oware", "lots", "liars_dice",
    "heiress", "connect_four", "gomoku", "hex", "nine_mens_morris", "reversi", "lamplighters",
    "who_is_it", "blind_bluff", "clobber", "amazons", "checkers", "dots_and_boxes",
    "ultimate_tic_tac_toe", "quoridor", "phantom_tic_tac_toe", "capture_the_flag", "crazy_eights",
    "oh_hell", "pearl_divers", "gem_market", "kalah", "inn", "the_dyke", "five_trails",
    "stray_cats",
)  # fmt: skip
WORLDS = {
    "targi": World(
        "mixed",
        LAYERS,
        {"action": ("goods_pile", "", "goods_card", {}), "ability": _TRIBE, "cost": _TRIBE},
    ),
    "auction": World("auction", ("auction",), {}),
    "goofspiel": World("goofspiel", ("goofspiel",), {}),
    "bazaar": World(
        "bazaar",
        ("bazaar",),
        {
            "action": ("favour_pile", "bazaar_favours + ", "favour", {"cry": "1"}),
            "ability": _STALL,
            "cost": _STALL,
        },
    ),
    **{name: World(name, (name,), {}) for name in SMALL},
}
KEPT = CheckCache()
"""What the examples share is parsed once."""

MODULE, CARDS, SHEET = "trial/trial.targi", "trial/trial_set.yaml", "trial.targi"
NAMELESS = ("players", "lowest", "tie", "layout", "look", "language", "game", "module")


@cache
def said_in(game: str) -> str:
    """The text of all rules and cards of a game, as one line."""
    names = [
        f"{folder}/{name}"
        for folder, suffix in (("rules", ".targi"), ("cards", ".yaml"))
        for name in resources.names(folder, suffix)
        if re.search(rf"(^|/){game}(_\w+)?(/|\.)", name)
    ]
    shipped = [(resources.read(name) or b"").decode() for name in names]
    return _line("\n".join(WORLDS[game].texts.values() or shipped))


def _line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def stands_in(game: str, block: Block) -> bool:
    """Whether the game contains this sentence."""
    return _line(block.text) in said_in(game)


def problems_with(game: str, kind: str, block: Block) -> tuple[Problem, ...]:
    """The problems of a game to which the block is added: errors in the added files, or if there
    are none, all. An example that replaces a rule may be shorter than that rule; what other rules
    then lack is not its fault.
    """
    world = WORLDS[game]
    texts = {**world.texts, **dict(_trial(game, world, kind, block))}
    those = analyse("trial", of_texts(texts, KEPT), warned=False).problems
    found = [one for one in those if one.severity == "error"]
    own = [one for one in found if one.span and one.span.source.name in (MODULE, CARDS, SHEET)]
    replaces = kind == "declaration" and _is_known(game, block)
    return tuple(own if own or replaces else found)


def _trial(game: str, world: World, kind: str, block: Block) -> Iterator[tuple[str, str]]:
    head = f'language 2\nmodule trial "Trial" based on {", ".join(world.on)}\n\n'
    sheet = (
        f'language 2\ngame trial "Trial" based on {world.sheet}\n  rules'
        f" {' + '.join((*world.on, 'trial'))}\n"
    )
    body, deck = "", ""
    match kind:
        case "declaration" if block.text.startswith("game "):
            yield MODULE, head
            yield SHEET, "language 2\n" + block.text
            return
        case "declaration" if block.text.startswith("language "):
            head, body = block.text + head.partition("\n")[2], ""
        case "declaration":
            body = ("replace " if _is_known(game, block) else "") + block.text
        case "action" if not world.printed:  # a game without such cards: the statements of a rule
            body = "rule trial\n" + "".join(
                f"  {step}\n" for step in block.one_line.split(" then ")
            )
        case _:
            pile, others, card_kind, fields = world.printed[kind]
            card = {
                "id": "trial_card",
                "name": "{en: Trial}",
                **fields,
                kind: json.dumps(block.one_line),
            }
            yield CARDS, _card_file("trial_set", card_kind, [card])
            deck = f"  deck {pile}: {others}trial_set\n"
    yield MODULE, head + body
    yield SHEET, sheet + deck


def _is_known(game: str, block: Block) -> bool:
    """Whether the block declares something that the game has already declared."""
    what, name = [*re.findall(r"\w+", block.text), ""][:2]
    if what in ("replace", "extend", "remove"):
        return False
    return what in NAMELESS or re.search(rf"\b{what} {name}\b", said_in(game)) is not None
