"""Plays sheets on generated C under the address and undefined-behaviour sanitizers.

    python -m bench.sanitize                 every sheet, two games each
    python -m bench.sanitize base --games 20
    python -m bench.sanitize base --edited 30    and 30 valid games made from it by random edits

Every position of a game is written as a canonical one, read again and played on from; its key is
taken, and a sample of what each seat knows. Then the same seeds are played and counted in bulk. The
first fault that a sanitizer finds ends the program with its report.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from bench.equal import valid_edits
from targi_dsl import load
from targi_dsl.codegen.c.compilers import compilers
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.engine.machine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.text import resources

FLAGS = ("-std=gnu11", "-w", "-g", "-O0", "-fwrapv", "-fsanitize=address,undefined")
ENDING = "-fno-sanitize-recover=all"
FAULTY = ("status 1", "status 3", "status 5")
"""What is said of an edited game whose rules cannot continue, which is no fault of C."""

SHEETS = tuple(name.removesuffix(".targi") for name in resources.names("rules/games", ".targi"))

MAIN = """
static int sampled(Game *g, const Row *row, uint64_t stream) {
    int32_t *seen = malloc(targi_room());
    Row *made = malloc(targi_room());
    Draws draws = {stream, 1, 20};
    int status = targi_key(g, row, seen) < STACK;
    for (int seat = 0; seat <= PLAYERS && !status; seat++) {
        status = targi_observe(g, row, seat, seen);
        int found = targi_sample(g, seen, seat == row->seat ? row->offered : 0, 0, &draws, made);
        status |= found != FINE && found != NOTHING_FITS && found != CANNOT_DRAW;
        seen[3 + HEAD + 1] = HIGHS[HEAD + 1] + 1;
        status |= targi_sample(g, seen, 0, 0, &draws, made) != NOT_A_POSITION;
    }
    free(seen), free(made);
    return status;
}
enum { MUTANTS = 8 };
/* Positions with numbers that are not those of a game are refused, or played on from. */
static void change_numbers(Game *g, const int32_t *vector, int size, uint64_t *stream, Row *row) {
    static int32_t changed[STACK + FRAMES * (HEAD + FRAME)];
    static const int32_t likely[] = {-1, 0, 1, 2, 7, 60, 255, 70000, INT32_MAX, INT32_MIN};
    for (int i = 0; i < MUTANTS; i++) {
        memcpy(changed, vector, size * sizeof *changed);
        for (int n = 1 + below(stream, 2); n; n--) {
            int32_t *one = &changed[below(stream, size)], by = likely[below(stream, 10)];
            *one = below(stream, 2) ? by : below(stream, 2) ? *one + 1 : *one - 1;
        }
        int shorter = below(stream, 8) ? size : (int)below(stream, size + 1);
        if (targi_enter(g, changed, shorter, 5, 0, row)) continue;
        targi_vector(g, row, changed);
        for (int turn = 0; turn < 4 && row->waits != NOTHING && row->offered; turn++) {
            int64_t option = ((int64_t *)(row + 1))[below(stream, (uint32_t)row->offered)];
            if (targi_step(g, row, option, turn & 1, row)) break;
        }
    }
}
static int played(Game *g, uint64_t seed, int asked) {
    static int32_t vector[STACK + FRAMES * (HEAD + FRAME)];
    Row *row = malloc(targi_room());
    int status = targi_begin(g, seed, asked, seed & 1, row) ? 1 : 0;
    uint64_t stream = seed ^ 1;
    for (int turn = 0; !status && row->waits != NOTHING && turn < 3000; turn++) {
        if (sampled(g, row, stream)) status = 4;
        int size = targi_vector(g, row, vector);
        uint64_t chance = row->chance;
        if (turn % 16 == 0) change_numbers(g, vector, size, &stream, row);
        if (targi_enter(g, vector, size, chance, asked, row)) status = 2;
        int64_t *options = (int64_t *)(row + 1);
        int64_t option = options[below(&stream, (uint32_t)row->offered)];
        if (!status && targi_step(g, row, option, seed & 1, row)) status = 3;
    }
    free(row);
    return status;
}
int main(int count, char **given) {
    int64_t games = atoll(given[1]);
    int64_t *tallies = calloc(2 * TALLY_SIZE, sizeof *tallies);
    int64_t *rows = calloc(games * ROW_WIDTH, sizeof *rows);
    uint64_t families[2 * PLAYERS] = {1, 2, 3};
    uint8_t busy[2 * PLAYERS] = {1};
    Batch batch = {.rotations = 2, .end = games, .families = families, .busy = busy, .rows = rows,
                   .tallies = tallies};
    Game *g = targi_make();
    int status = 0;
    for (int64_t i = 0; i < games && !status; i++)
        for (int asked = 0; asked < 2 && !status; asked++) status = played(g, i, asked);
    while (!status && batch.next < games) status = targi_batch(g, &batch, 1000) ? 5 : 0;
    targi_free(g);
    free(tallies), free(rows);
    return status;
}
"""


def sanitized(game: Game, games: int) -> str:
    """The sanitizer's report on this number of games; empty if there is none, or no C."""
    try:
        text = f"{source(Engine(game))}\n{MAIN}"
    except NotInC:
        return ""
    with TemporaryDirectory() as folder:
        path, program = Path(folder) / "game.c", Path(folder) / "game"
        path.write_text(text, encoding="utf-8")
        command = [*next(compilers()).command, *FLAGS, ENDING, str(path), "-o", str(program)]
        subprocess.run(command, check=True, timeout=300)
        done = subprocess.run(
            [str(program), str(games)], capture_output=True, timeout=600, check=False
        )
    report = done.stderr.decode("utf-8", "replace")
    return report or (f"status {done.returncode}" if done.returncode else "")


@click.command()
@click.argument("sheets", nargs=-1)
@click.option("--games", default=2, show_default=True)
@click.option("--edited", default=0, show_default=True, help="Edited games of each sheet.")
def main(sheets: tuple[str, ...], games: int, edited: int) -> None:
    """Plays sheets under the sanitizers."""
    for name in sheets or SHEETS:
        number = 0
        for number, game in enumerate(chain([load(name)], islice(valid_edits(name), edited))):
            faults = sanitized(game, games)
            if faults and not (number and faults in FAULTY):
                click.echo(f"{name}, edit {number}: {faults}")
                sys.exit(1)
        click.echo(f"{name}: nothing found, nor in {number} edited games")


if __name__ == "__main__":
    main()
