/* Play: from question to question; positions as vectors and as rows; the exported steps. */

static void wait_for_chance(Game *g, int question) {
    if (g->offered > OPTIONS) stop(g, FAULT);
    g->waits = question;
}

static void wait_for(Game *g, const Frame *f, int question) {
    check_question(g, f, g->offered);
    g->waits = question;
}

/* Runs from an address, or at NOTHING from an answer, to a question for the caller or the end. */
static void advance(Game *g, int at, int64_t option) {
    run(g, at, option);
    g->budget -= g->meter;
    g->meter = 0;
}

/* Volatile, because gcc 12 miscompiles copies of some constant tables. */
static const int32_t *volatile const first_position = FIRST;

/* Resets what the play so far has counted. */
static void reset(Game *g) {
    g->called = g->status = g->meter = 0;
    g->rounds = g->decisions = g->most = g->most_at_once = 0;
    g->tally = 0, g->watches_lead = 0, g->last_round = -1;
    if (g->memory->kept > MOST_CACHED) forget(g->memory);
}

/* Starts a game. The caller has reset it. */
static void begin(Game *g, uint64_t seed) {
    memcpy(g->v, first_position, sizeof g->v);
    g->board = g->first;
    g->chance = seed;
    clear(g);
    begin_rule(g, g->frames, SETUP, NEXT_ROUND, FRAME);
    g->waits = NOTHING;
    advance(g, RULE_ENTRIES[SETUP], 0);
}

static void answer(Game *g, int64_t option) { advance(g, NOTHING, option); }

static int declines(const Game *g, int64_t option) {
    return option < EXCHANGE && !(option & 65535) &&
           DECLINES[DECLINES_OF[g->waits] + (option >> 16)];
}

/* ---- a position as a vector of numbers ---- */

static int pack(const Game *g, int32_t *to) {
    int n = STACK, over = g->waits == NOTHING;
    memcpy(to, g->v, sizeof g->v);
    to[POINT] = over ? NOTHING : QUESTION_POINTS[g->waits];
    for (int i = 1; i <= g->depth - over; i++) {
        const Frame *f = &g->frames[i];
        int point = i == g->depth ? to[POINT] : point_of(f);
        to[n++] = f->rule, to[n++] = point;
        memset(to + n, 0, RULE_SIZES[f->rule] * sizeof *to);
        for (const int16_t *slot = KEPT + KEPT_OF[point]; *slot >= 0; slot++)
            to[n + *slot] = f->s[*slot];
        n += RULE_SIZES[f->rule];
    }
    return n;
}

/* Whether a slot of a rule's frame may hold a number. */
static int may_be(int rule, int slot, int32_t number) {
    const int32_t *bounds = FRAME_BOUNDS[FRAME_BOUNDS_OF[rule] + slot];
    return number >= bounds[0] && number <= bounds[1];
}

/* Loads the frames of a vector; returns whether they are valid. */
static int unpack_frames(Game *g, const int32_t *from, int size) {
    int n = STACK;
    clear(g);
    while (n < size) {
        if (size - n < HEAD || g->depth == FRAMES) return 0;
        int rule = from[n], point = from[n + 1];
        n += HEAD;
        if (rule < 0 || rule >= RULES || point < 0 || point >= POINTS) return 0;
        if (POINT_RULES[point] != rule || size - n < RULE_SIZES[rule]) return 0;
        if (from[n] < 0 || from[n] >= PLAYERS) return 0;
        Frame *f = fresh(g, &g->frames[g->depth], rule, from[n], FRAME);
        for (const int16_t *slot = KEPT + KEPT_OF[point]; *slot >= 0; slot++) {
            if (!may_be(rule, *slot, from[n + *slot])) return 0;
            f->s[*slot] = from[n + *slot];
        }
        f->back = POINT_ADDRESSES[point];
        n += RULE_SIZES[rule];
    }
    return 1;
}

/* Whether the piles contain exactly the cards that say they lie there. */
static int is_linked(const Game *g) {
    int found = 0;
    for (int place = 0; place < PLACES; place++)
        for (int card = g->v[PLACE_TOP + place]; card >= 0; card = g->v[CARD_NEXT + card])
            if (g->v[CARD_PLACE + card] != place || ++found > CARDS) return 0;
    for (int card = 0; card < CARDS; card++) found -= g->v[CARD_PLACE + card] != NOTHING;
    return !found;
}

/* Loads a vector from outside; returns whether it is a position. */
static int unpack(Game *g, const int32_t *from, int size, uint64_t chance) {
    if (size < STACK) return 0;
    for (int i = HEAD + 1; i < STACK; i++)
        if (from[i] < LOWS[i] || from[i] > HIGHS[i]) return 0;
    if (from[ENDED] < NOTHING || from[ENDED] >= RULES) return 0;
    memcpy(g->v, from, sizeof g->v);
    rebuild_board(g);
    g->v[POINT] = NOTHING, g->v[1] = 0;
    g->chance = chance;
    reset(g);
    if (!unpack_frames(g, from, size) || !is_linked(g)) return 0;
    int point = from[POINT];
    g->waits = point >= 0 && point < POINTS ? POINT_QUESTIONS[point] : NOTHING;
    if (point == NOTHING) return 1;
    return g->waits >= 0 && g->depth && g->frames[g->depth].back == POINT_ADDRESSES[point];
}

/* ---- a position as a row of bytes, for this process only ---- */

enum { CHANCE_DECIDES = 254, NOBODY_DECIDES = 255 };

/* The header of a row; the options, slots, bitboards and frames follow. */
typedef struct {
    int32_t size;
    uint8_t seat, asked; /* who decides; whether the outcomes of chance are asked for */
    uint16_t told;       /* number of events, which follow the row if a call listens */
    int32_t offered, waits, depth, rounds; /* rounds: begun in the call that wrote this */
    uint64_t chance;
} Row;

/* The size of the part of a game that a row copies. */
static size_t copied(const Game *g) { return (char *)&g->frames[g->depth + 1] - (char *)g->v; }

static void store(const Game *g, Row *row) {
    int is_over = g->waits == NOTHING, seat = is_over ? 0 : g->frames[g->depth].s[0];
    row->seat = is_over ? NOBODY_DECIDES : CHANCES[g->waits] ? CHANCE_DECIDES : seat;
    row->told = 0, row->asked = g->asked, row->offered = is_over ? 0 : (int32_t)g->offered;
    row->waits = g->waits, row->depth = g->depth, row->rounds = (int32_t)g->rounds;
    row->chance = g->chance;
    size_t options = row->offered * sizeof *g->options;
    memcpy(row + 1, g->options, options);
    memcpy((char *)(row + 1) + options, g->v, copied(g));
    row->size = (int32_t)(sizeof *row + options + copied(g));
}

static void load(Game *g, const Row *row) {
    size_t options = row->offered * sizeof *g->options;
    g->asked = row->asked, g->offered = row->offered;
    g->waits = row->waits, g->depth = row->depth, g->chance = row->chance;
    memcpy(g->options, row + 1, options);
    memcpy(g->v, (const char *)(row + 1) + options, copied(g));
    reset(g);
}

/* ---- exported functions; each returns a status unless stated otherwise ---- */

Game *targi_make(void) {
    Game *g = calloc(1, sizeof *g);
    if (g && !(g->memory = calloc(1, sizeof *g->memory))) free(g), g = 0;
    if (!g) return 0;
    memcpy(g->v, first_position, sizeof g->v);
    rebuild_board(g);
    g->first = g->board;
    return g;
}

void targi_free(Game *g) {
    forget(g->memory);
    free(g->memory);
    free(g->events);
    free(g);
}

enum { MOST_TOLD = 1000 };

/* The largest size of a row with its events, in bytes. */
int64_t targi_room(void) {
    const Game *g = 0;
    return sizeof(Row) + OPTIONS * sizeof *g->options + 2 * sizeof g->v + sizeof g->board +
           sizeof g->frames + CARDS * sizeof *g->v + MOST_TOLD * EVENT * sizeof *g->events;
}

static int store_told(const Game *g, Row *row) {
    store(g, row);
    if (g->event_count > MOST_TOLD * EVENT) return TOO_LARGE;
    row->told = (uint16_t)(g->event_count / EVENT);
    if (row->told) memcpy((char *)row + row->size, g->events, g->event_count * sizeof *g->events);
    return FINE;
}

static void listen(Game *g, int is_on) { g->listens = is_on, g->event_count = 0; }

int targi_begin(Game *g, uint64_t seed, int asked, int listens, Row *to) {
    listen(g, listens);
    g->asked = asked;
    reset(g);
    if (setjmp(g->out)) return g->status;
    begin(g, seed);
    return store_told(g, to);
}

int targi_enter(Game *g, const int32_t *vector, int size, uint64_t chance, int asked, Row *to) {
    g->asked = asked;
    if (!unpack(g, vector, size, chance)) return NOT_A_POSITION;
    if (setjmp(g->out)) return g->status;
    if (g->waits >= 0) {
        offer(g, g->waits);
        if (g->offered > OPTIONS) stop(g, FAULT);
    }
    store(g, to);
    return FINE;
}

int targi_step(Game *g, const Row *from, int64_t option, int listens, Row *to) {
    int64_t i = 0;
    listen(g, listens);
    load(g, from);
    while (i < g->offered && g->options[i] != option) i++;
    if (g->waits == NOTHING || i == g->offered) return NOT_A_POSITION;
    if (setjmp(g->out)) return g->status;
    answer(g, option);
    return store_told(g, to);
}

/* The vector of a row; returns its length. */
int targi_vector(Game *g, const Row *from, int32_t *to) {
    load(g, from);
    return pack(g, to);
}

/* Writes the score and the tie-break values of each player, as numbers of which the highest wins,
 * then the score parts of each player. */
int targi_scores(Game *g, const Row *from, int64_t *to) {
    int64_t *part = to + PLAYERS * (1 + TIES);
    load(g, from);
    if (setjmp(g->out)) return g->status;
    for (int player = 0; player < PLAYERS; player++) {
        int64_t *sum = to++;
        *sum = 0;
        for (int one = 0; one < TIES; one++)
            g->meter = 0, *to++ = (TIE_MOST[one] ? 1 : -1) * (int64_t)tie(g, one, player);
        for (int one = 0; one < SCORES; one++)
            g->meter = 0, *sum += MERIT * (*part++ = score(g, one, player));
    }
    return FINE;
}
