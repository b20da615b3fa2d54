/* Paired trials: options of one question, each played out with the same luck; api/trials.py. */

typedef struct {
    uint64_t seed;
    int64_t seat, declines, rounds, ahead, further, farthest, few, each, more, count, next, effort;
    const int64_t *options, *cards; /* of each place its owner, and what a card there is worth */
    int64_t *values;
    uint64_t streams[PLAYERS];
    uint8_t busy[PLAYERS];
} Trials;

static inline int is_open(const Game *g, const Trials *t) {
    return g->waits != NOTHING && g->decisions < t->farthest;
}

/* Takes an option; then those who are asked choose until so many rounds have begun. */
static void take_until(Game *g, const Trials *t, int64_t option, int64_t rounds) {
    g->most = g->most_at_once = t->farthest;
    g->last_round = rounds;
    if (rounds <= g->rounds) g->most = g->most_at_once = 0;
    answer(g, option);
    g->last_round = -1;
}

/* Plays on until so many rounds have begun. */
static void play_until(Game *g, Trials *t, int64_t rounds) {
    while (is_open(g, t) && g->rounds < rounds) {
        g->most = t->farthest;
        take_until(g, t, next_option(g, &g->frames[g->depth], 1), rounds);
    }
}

/* The option that does nothing, or any. */
static int64_t declining_option(Game *g) {
    int64_t found = INT64_MAX;
    for (int64_t i = 0; i < g->offered; i++)
        if (g->options[i] < found && declines(g, g->options[i])) found = g->options[i];
    g->decisions++;
    return found < INT64_MAX ? found : choice(g, &g->streams[g->frames[g->depth].s[0]], 1);
}

static void play_trial(Game *g, Trials *t, int64_t option) {
    int64_t begun = t->rounds > 0 ? t->rounds : 1, enough = t->ahead;
    g->chance = t->seed;
    for (int seat = 0; seat < PLAYERS; seat++) {
        t->streams[seat] = ~t->seed - ((uint64_t)seat << 32);
        t->busy[seat] = 1;
    }
    g->streams = t->streams, g->busy = t->busy;
    take_until(g, t, option, t->declines ? 0 : begun);
    while (t->declines && is_open(g, t) && g->rounds < 1 && g->frames[g->depth].s[0] == t->seat)
        take_until(g, t, declining_option(g), 0);
    play_until(g, t, begun);
    while (!t->rounds && g->decisions < enough && is_open(g, t)) {
        begun *= 2, enough = t->further;
        play_until(g, t, begun);
    }
    t->rounds = begun;
}

/* How far the seat is ahead of the best of the others, in tenths of a point. */
static int64_t lead_of(Game *g, const Trials *t) {
    int64_t of[PLAYERS], zero[PLAYERS] = {0}, decided, best = INT64_MIN;
    int playing = 1, mask = 0;
    for (int p = 0; p < PLAYERS; p++) playing &= outcome(g, p) == 0;
    if (!SCORES && g->waits == NOTHING && !playing) mask = winners(g, zero, &decided);
    for (int p = 0; p < PLAYERS; p++) {
        of[p] = 10 * total(g, p, 0);
        if (!SCORES && g->waits == NOTHING && !playing) of[p] = mask >> p & 1 ? 10 : -10;
        for (int r = 0; g->waits != NOTHING && r < RESOURCES; r++) {
            int32_t amount = g->v[AMOUNT(r, p)];
            of[p] += t->each * (amount < t->few ? amount : t->few);
            if (amount > t->few) of[p] += t->more * (amount - t->few);
        }
    }
    for (int card = 0; g->waits != NOTHING && card < CARDS; card++) {
        int place = g->v[CARD_PLACE + card];
        if (place >= 0 && t->cards[2 * place] >= 0) of[t->cards[2 * place]] += t->cards[2 * place + 1];
    }
    for (int p = 0; p < PLAYERS; p++)
        if (p != t->seat && of[p] > best) best = of[p];
    return of[t->seat] - (best == INT64_MIN ? 0 : best);
}

/* Tries the options of a row from `next` on, as far as the budget goes. A value is INT64_MIN where
 * the rules cannot go on. */
int targi_trials(Game *g, const Row *from, Trials *t, int64_t budget) {
    const int64_t all = INT64_MAX / 2;
    listen(g, 0);
    for (; t->next < t->count && budget >= 0; t->next++) {
        load(g, from);
        g->asked = 0, g->budget = all;
        t->values[t->next] = INT64_MIN;
        if (!setjmp(g->out)) {
            play_trial(g, t, t->options[t->next]);
            t->effort += all - g->budget;
            t->values[t->next] = lead_of(g, t);
        }
        budget -= all - g->budget + DECISION;
    }
    return FINE;
}
