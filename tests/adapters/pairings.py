"""Translates the actions of OpenSpiel's games into choices of the shipped ones.

python -m tests.adapters.pairings                       1,000 random games of every pairing
python -m tests.adapters.pairings hex --games 50        of some pairings
python -m tests.adapters.pairings tic_tac_toe --tree    every possible game, and the nodes
"""

from __future__ import annotations

import re
from collections.abc import Callable

import click
import pyspiel

from targi_dsl import State
from tests.adapters.lockstep import Pairing, Path, random_game, scores, tree


def cell(number: int, columns: int) -> str:
    """The name of a space of a grid, counted row by row from the top."""
    row, column = divmod(number, columns)
    return f"{chr(97 + column)}{row + 1}"


def tic_tac_toe(state: pyspiel.State, action: int) -> Path:
    """Their actions are the squares, row by row."""
    return (f"round {cell(action, 3)}",)


def phantom_tic_tac_toe(state: pyspiel.State, action: int) -> Path:
    """Their actions are the squares, row by row; each is a card of the player."""
    side = ("crosses", "noughts")[state.current_player()]
    return (f"mark_square {side}_{cell(action, 3)}",)


def kuhn_poker(state: pyspiel.State, action: int) -> Path:
    """The cards upwards; to pass is to fold after a bet, and to bet is to call it."""
    if state.is_chance_node():
        return (f"shuffle {('jack', 'queen', 'king')[action]}",)
    bet = 1 in state.history()[2:]
    return (("fold", "call") if bet else ("pass", "bet"))[action : action + 1]


def leduc_poker(state: pyspiel.State, action: int) -> Path:
    """The cards upwards, two of each rank; then fold, call and raise."""
    if state.is_chance_node():
        rank, suit = divmod(action, 2)
        return (f"random dealt {('jack', 'queen', 'king')[rank]}_of_{('spades', 'hearts')[suit]}",)
    return (("fold", "call", "raise")[action],)


def goofspiel(state: pyspiel.State, action: int) -> Path:
    """Their actions are the cards of a suit, from the ace upwards."""
    if state.is_chance_node():
        return (f"random next_prize diamonds_{action + 1}",)
    return (f"bid {('hearts', 'spades')[state.current_player()]}_{action + 1}",)


def liars_dice(state: pyspiel.State, action: int) -> Path:
    """Their bids go from one die of one pip upwards, the pips first; the last action is to doubt."""
    if state.is_chance_node():
        return (f"roll {action + 1}",)
    if action == 6 * state.num_players():
        return ("doubt",)
    claimed = any(bid < 6 * state.num_players() for bid in state.history()[state.num_players() :])
    bid = (f"number {action // 6 + 1}", f"pips {action % 6 + 1}")
    return ("claim", *bid) if claimed else bid


def connect_four(state: pyspiel.State, action: int) -> Path:
    """Their actions are the columns."""
    return (f"round {cell(action, 7)}",)


def gomoku(state: pyspiel.State, action: int) -> Path:
    """Their actions are the points, row by row."""
    return (f"round {cell(action, 15)}",)


def from_and_to(state: pyspiel.State, action: int, rows: int) -> Path:
    """The squares of an action such as `a7b6`, whose rows are counted from below."""
    said = state.action_to_string(state.current_player(), action)
    here, there = (f"{said[at]}{rows + 1 - int(said[at + 1])}" for at in (0, 2))
    return (f"from_square {here}", f"to_square {there}")


def breakthrough(state: pyspiel.State, action: int) -> Path:
    """They say from where and to where, as `a7b6`, with a `*` for a capture; their row 8 is the
    first of ours.
    """
    return from_and_to(state, action, 8)


def clobber(state: pyspiel.State, action: int) -> Path:
    """They say from where and to where."""
    return from_and_to(state, action, 5)


def amazons(state: pyspiel.State, action: int) -> Path:
    """Their actions are squares, row by row: from where, to where, and where the arrow lands."""
    said = state.action_to_string(state.current_player(), action)
    asked = {"From": "from_square", "To": "to_square", "Shoot:": "target"}[said.split()[1]]
    return (f"{asked} {cell(action, 10)}",)


def checkers(state: pyspiel.State, action: int) -> Path:
    """They say from where and to where."""
    return from_and_to(state, action, 8)


def dots_and_boxes(state: pyspiel.State, action: int) -> Path:
    """First the level lines, row by row, then the upright ones."""
    level = 5 * 4
    if action < level:
        return (f"draw_line h{cell(action, 4)}",)
    return (f"draw_line v{cell(action - level, 5)}",)


def ultimate(state: pyspiel.State, action: int) -> Path:
    """Their actions are a board, or a square of the board that is played on."""
    said = state.action_to_string(state.current_player(), action)
    if said.startswith("Choose"):
        return (f"choose_field {cell(action, 3)}",)
    field = int(said.split()[2].rstrip(":"))
    row, column = 3 * (field // 3) + action // 3, 3 * (field % 3) + action % 3
    return (f"round {cell(9 * row + column, 9)}",)


def quoridor(state: pyspiel.State, action: int) -> Path:
    """They say where the pawn goes, or the square whose right or lower side a wall begins at."""
    said = state.action_to_string(state.current_player(), action)
    column, row = said[0], int(said[1])
    if said.endswith("v"):
        return ("build_wall", f"build_wall v{chr(ord(column) + 1)}{row}")
    if said.endswith("h"):
        return ("build_wall", f"build_wall h{column}{row + 1}")
    return (f"move_your_pawn_to_square {said}",)


def othello(state: pyspiel.State, action: int) -> Path:
    """Their actions are the squares, row by row; who cannot move passes, which is not asked here."""
    return (f"play_disc {cell(action, 8)}",)


def hex_of(size: int) -> Callable[[pyspiel.State, int], Path]:
    """Their actions are the cells, row by row."""
    return lambda state, action: (f"round {cell(action, size)}",)


MORRIS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"


def nine_mens_morris(state: pyspiel.State, action: int) -> Path:
    """Their points are counted row by row from 0; a point alone is where a man is placed, or taken
    from; a move is 24 and its points as two digits of base 24.
    """
    spots = MORRIS.split()
    if action >= 24:
        start, goal = divmod(action - 24, 24)
        return (f"from_spot {spots[start]}", f"to_spot {spots[goal]}")
    points = [one for one in str(state) if one in ".WB"]
    return (f"{'enter_man' if points[action] == '.' else 'taken'} {spots[action]}",)


FIVE = ("ann", "ben", "cleo", "dora", "emil")
ALPHABETIC = "clubs diamonds hearts spades"
RANKS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "jack", "queen", "king", "ace",
)  # fmt: skip


def playing_card(action: int, suits: str) -> str:
    """Their cards go rank by rank, in each by the suits."""
    return f"card_{suits.split()[action % 4]}_{RANKS[action // 4]}"


def crazy_eights(state: pyspiel.State, action: int) -> Path:
    """Their actions are the dealer, the cards, to draw, to pass, and the suits."""
    seat = action - 52
    if state.is_chance_node() and seat >= 0:
        return (f"random first_dealer {FIVE[seat]}",)
    if seat >= 0:
        return (("draw", "pass", *(f"call_suit {suit}" for suit in ALPHABETIC.split()))[seat],)
    card = playing_card(action, ALPHABETIC)
    if not state.is_chance_node():
        return (f"play_card {card}",)
    players = state.num_players()
    is_turned = len(state.history()) > players * (7 if players == 2 else 5) and all(
        step.player < 0 for step in state.full_history()
    )
    return (f"random {'starter' if is_turned else 'dealt'} {card}",)


def crazy_eights_scores(state: State) -> list[float]:
    """They count 10 for an ace, and for a low card 2 more than its number among the 52; in ours an
    ace counts 1 and a low card its rank.
    """

    def worth(card: str) -> int:
        _, suit, rank = card.split("_")
        number = 4 * RANKS.index(rank) + ALPHABETIC.split().index(suit)
        return 50 if rank == "eight" else 10 if RANKS.index(rank) >= 9 else number + 2

    hands = (state.cards(f"hand of {seat}") for seat in state.game.players)
    return [-float(sum(map(worth, hand))) for hand in hands]


def oh_hell(state: pyspiel.State, action: int) -> Path:
    """Their actions are the number of tricks, the dealer, the cards, and bids from 52 on."""
    done = len(state.history())
    if done < 2:
        return (f"random first_dealer {FIVE[action]}" if done else f"roll {action}",)
    if action >= 52:
        return (f"make_bid {action - 52}",)
    card = playing_card(action, "clubs diamonds spades hearts")
    if not state.is_chance_node():
        return (f"play_card {card}",)
    is_last = done == 2 + state.num_players() * state.history()[0]
    return (f"random {'turned' if is_last else 'dealt'} {card}",)


HUES = ("ruby", "amber", "jade", "ivory", "azure")


def lamplighters(state: pyspiel.State, action: int) -> Path:
    """Their colours are R, Y, G, W and B; cards are named by where they lie, mates by how many
    seats further on they sit.
    """
    said = state.action_to_string(state.current_player(), action)
    if state.is_chance_node():
        hue, number = HUES["RYGWB".index(said[-3])], int(said[-2])
        kind = "first" if number == 1 else "last" if number == 5 else "next"
        return (f"random drawn {kind}_{hue}{f'_{number}' if kind == 'next' else ''}",)
    if "Reveal" not in said:
        place = int(said.removesuffix(")").split()[-1]) + 1
        return ("light", f"light {place}") if "Play" in said else ("break", f"break_up {place}")
    mate = FIVE[(state.current_player() + int(said.split()[2][1:])) % state.num_players()]
    what = said.rstrip(")").split()[-1]
    if "color" in said:
        return ("tell_hue", f"mate {mate}", f"told {HUES['RYGWB'.index(what)]}")
    return ("tell_post", f"mate {mate}", f"told {what}")


def nim(state: pyspiel.State, action: int) -> Path:
    """They say which pile and how many, as `pile:2, take:3;`."""
    pile, taken = re.findall("[0-9]+", state.action_to_string(state.current_player(), action))
    return (f"s {pile}", f"n {taken}")


def kalah(state: pyspiel.State, action: int) -> Path:
    """Theirs are numbered from the first pit of the first player, whose store is 7."""
    return (f"sow s{action}" if action < 7 else f"sow n{action - 7}",)


def oware(state: pyspiel.State, action: int) -> Path:
    """Their actions are the houses of each player, from 0."""
    return (f"round {6 * state.current_player() + action + 1}",)


BLACK_WHITE = ("black", "white")
WHITE_BLACK = ("white", "black")
SOUTH_NORTH = ("south", "north")
GOES_ON = (("repetition", "goes_on"),)
PHANTOM = "phantom_ttt(obstype=reveal-numturns)"
GOOFSPIEL = "goofspiel(num_cards=13,points_order=random,returns_type=total_points)"
PAIRINGS = (
    Pairing("tic_tac_toe", "tic_tac_toe", ("cross", "nought"), tic_tac_toe),
    Pairing("phantom_tic_tac_toe", PHANTOM, ("cross", "nought"), phantom_tic_tac_toe),
    Pairing("kuhn_poker", "kuhn_poker", ("ann", "ben"), kuhn_poker, scores),
    Pairing("leduc_poker", "leduc_poker", ("ann", "ben"), leduc_poker, scores),
    Pairing("liars_dice", "liars_dice", ("ann", "ben"), liars_dice),
    Pairing("nim", "nim", ("ann", "ben"), nim),
    Pairing("kalah", "mancala", SOUTH_NORTH, kalah),
    Pairing("oware", "oware", SOUTH_NORTH, oware),
    Pairing("connect_four", "connect_four", ("amber", "ruby"), connect_four),
    Pairing("gomoku", "gomoku", BLACK_WHITE, gomoku),
    Pairing("breakthrough", "breakthrough", BLACK_WHITE, breakthrough),
    Pairing("clobber", "clobber", WHITE_BLACK, clobber),
    Pairing("amazons", "amazons", WHITE_BLACK, amazons),
    Pairing("checkers", "checkers", WHITE_BLACK, checkers),
    Pairing("dots_and_boxes", "dots_and_boxes(num_rows=4,num_cols=4)", FIVE[:2], dots_and_boxes),
    Pairing("ultimate_tic_tac_toe", "ultimate_tic_tac_toe", ("cross", "nought"), ultimate),
    Pairing("quoridor", "quoridor", WHITE_BLACK, quoridor),
    Pairing("quoridor_5", "quoridor(board_size=5)", WHITE_BLACK, quoridor),
    Pairing("reversi", "othello", BLACK_WHITE, othello),
    Pairing("hex", "hex", BLACK_WHITE, hex_of(11)),
    Pairing(
        "nine_mens_morris",
        "nine_mens_morris",
        ("white", "black"),
        nine_mens_morris,
        options=GOES_ON,
    ),
    Pairing("hex_5", "hex(board_size=5)", BLACK_WHITE, hex_of(5)),
    Pairing("goofspiel", GOOFSPIEL, ("ann", "ben"), goofspiel, scores),
    *(
        Pairing(
            "crazy_eights",
            f"crazy_eights(players={seats})",
            FIVE[:seats],
            crazy_eights,
            crazy_eights_scores,
        )
        for seats in (2, 3, 5)
    ),
    *(
        Pairing("oh_hell", f"oh_hell(players={seats})", FIVE[:seats], oh_hell, scores)
        for seats in (3, 4, 5)
    ),
    Pairing("lamplighters", "hanabi", FIVE[:2], lamplighters, scores),
    Pairing("lamplighters", "hanabi(players=4)", FIVE[:4], lamplighters, scores),
)


@click.command()
@click.argument("sheets", nargs=-1)
@click.option("--games", default=1_000)
@click.option("--tree", "whole", is_flag=True, help="Every game there is, of small ones.")
def main(sheets: tuple[str, ...], games: int, whole: bool) -> None:
    """Compares shipped games with OpenSpiel's own."""
    for pairing in PAIRINGS:
        if sheets and pairing.sheet not in sheets:
            continue
        if whole:
            click.echo(f"{pairing.sheet}: {dict(tree(pairing.begin()))}")
        else:
            lengths = [random_game(pairing, seed) for seed in range(games)]
            click.echo(f"{pairing.sheet}: {games} games, {sum(lengths)} actions, the same")


if __name__ == "__main__":
    main()
