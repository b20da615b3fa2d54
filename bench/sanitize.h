/* A main program behind the C of a game, see bench/sanitize.py: it plays games and damages positions. */

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
