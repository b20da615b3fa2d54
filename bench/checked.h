/* Games that are looked at choice by choice: whether the invariants hold, and what their course is.
 * Only in libraries for checks; targi_dsl/tools/invariants.py says what an invariant is. */

enum { ENDLESS = 5000 };

/* ---- what holds of a position ---- */

static int lies_once(const Game *g) {
    int met[CARDS + 1] = {0};
    for (int place = 0; place < PLACES; place++) {
        int n = 0;
        for (int card = g->v[PLACE_TOP + place]; card >= 0; card = g->v[CARD_NEXT + card])
            if (g->v[CARD_PLACE + card] != place || met[card]++ || ++n > CARDS) return 0;
    }
    for (int card = 0; card < CARDS; card++)
        if (!met[card]) return 0;
    return 1;
}

static int in_domains(const Game *g) {
    for (int slot = ENDED; slot < STACK; slot++)
        if (g->v[slot] < LOWS[slot] || g->v[slot] > HIGHS[slot]) return 0;
    return 1;
}

static int on_spaces(const Game *g) {
    for (int piece = 0; piece < PIECES; piece++)
        if (g->v[PIECE_PLACE + piece] >= 0 && ZONES[g->v[PIECE_PLACE + piece]]) return 0;
    return 1;
}

static int open_cards_known(const Game *g) {
    for (int card = 0; card < CARDS; card++) {
        int known = g->v[CARD_KNOWN + card], place = g->v[CARD_PLACE + card];
        if (known & 1 && place >= 0 && SEEN_OPEN[place] & ~(known >> 1)) return 0;
    }
    return 1;
}

static int can_be_answered(const Game *g) {
    if (g->waits == NOTHING) return 1;
    for (int64_t i = 0; i < g->offered; i++)
        for (int64_t k = 0; k < i; k++)
            if (g->options[i] == g->options[k]) return 0;
    return g->offered >= LEAST_ASKED[g->waits];
}

/* ---- what holds of a step ---- */

typedef struct {
    int32_t v[STACK];
    int64_t wealth[PLAYERS * (RESOURCES + 1)], stored[RESOURCES + 1];
    int32_t places[CARDS + PIECES + 1];
} Before;

static int64_t stored_of(const int32_t *v, int resource) {
    int64_t sum = 0;
    for (int i = 0; i < STORED_COUNT; i++)
        if (STORED[i][0] == resource) sum += v[STORED[i][1]];
    return sum;
}

static void remember(const Game *g, Before *b) {
    memcpy(b->v, g->v, sizeof b->v);
    for (int r = 0; r < RESOURCES; r++) {
        b->stored[r] = stored_of(g->v, r);
        for (int p = 0; p < PLAYERS; p++) b->wealth[p * RESOURCES + r] = g->v[AMOUNT(r, p)];
    }
    for (int card = 0; card < CARDS; card++) b->places[card] = g->v[CARD_PLACE + card];
    for (int piece = 0; piece < PIECES; piece++)
        b->places[CARDS + piece] = g->v[PIECE_PLACE + piece];
}

/* Amounts change by what is gained and paid; what lies on a card may pay, or go with it. */
static int accounted(const Game *g, Before *b) {
    int moved = 0;
    for (const int32_t *e = g->events; e < g->events + g->event_count; e += EVENT) {
        int at = e[2] * RESOURCES + e[3];
        if (e[0] == E_GAIN) b->wealth[at] += e[4];
        if (e[0] == E_PAY || e[0] == E_LOSE) b->wealth[at] -= e[4];
        if (e[0] == E_STORE) b->stored[e[3]] += e[4];
        moved |= e[0] == E_MOVE;
    }
    for (int r = 0; r < RESOURCES; r++) {
        int64_t lost = b->stored[r] - stored_of(g->v, r), spared = 0;
        for (int p = 0; p < PLAYERS; p++) {
            int64_t more = g->v[AMOUNT(r, p)] - b->wealth[p * RESOURCES + r];
            if (more < 0) return 0;
            spared += more;
        }
        if (spared > lost || (spared < lost && !moved)) return 0;
    }
    return 1;
}

/* Cards and pieces are where they were last put. */
static int put_there(const Game *g, Before *b) {
    for (const int32_t *e = g->events; e < g->events + g->event_count; e += EVENT) {
        if (e[0] == E_MOVE) b->places[e[3]] = e[6];
        if (e[0] == E_PIECE) b->places[CARDS + e[3]] = e[6];
        for (int i = 0; e[0] == E_REFILL && i < CARDS; i++)
            if (b->places[i] == e[5]) b->places[i] = e[6];
    }
    for (int card = 0; card < CARDS; card++)
        if (b->places[card] != g->v[CARD_PLACE + card]) return 0;
    for (int piece = 0; piece < PIECES; piece++)
        if (b->places[CARDS + piece] != g->v[PIECE_PLACE + piece]) return 0;
    return 1;
}

/* The last event that says what a variable is, or what was told of a card. */
static const int32_t *last_set(const Game *g, int variable, int index) {
    for (int64_t at = g->event_count - EVENT; at >= 0; at -= EVENT) {
        const int32_t *e = g->events + at;
        if (e[0] == E_SET && e[3] == variable && e[6] == index) return e;
        if (e[0] == E_TELL && e[5] == variable && e[3] == index) return e;
    }
    return 0;
}

static int set_to(const Game *g, const Before *b) {
    for (int i = 0; i < VARIABLE_COUNT; i++)
        for (int index = 0; index < VARIABLES[i][1]; index++) {
            int now = g->v[VARIABLES[i][0] + index];
            if (now == b->v[VARIABLES[i][0] + index] || (VARIABLES[i][2] && !now)) continue;
            const int32_t *e = last_set(g, i, index);
            if (!e || e[4] != now) return 0;
        }
    return 1;
}

static int sound(const Game *g, Before *b) {
    return lies_once(g) && in_domains(g) && on_spaces(g) && open_cards_known(g) &&
           can_be_answered(g) && accounted(g, b) && put_there(g, b) && set_to(g, b);
}

/* ---- players who look for trouble ---- */

enum { UNIFORM, BUSY, TRADER, RARE, TEMPERS };

static int head_of(const Game *g, int64_t option) {
    if (option >= EXCHANGE) return EXCHANGE_HEADS[option - EXCHANGE];
    const int16_t *heads = HEADS + HEADS_OF[g->waits];
    return heads[QUESTION_ASKS[g->waits] ? option >> 16 : 0];
}

static int64_t trouble(Game *g, uint64_t *stream, int temper, int64_t *taken) {
    int64_t wanted[OPTIONS_ROOM], n = 0, least = INT64_MAX, kept = 0;
    for (int64_t i = 0; i < g->offered; i++)
        if (temper == UNIFORM || !declines(g, g->options[i])) wanted[n++] = g->options[i];
    if (!n) n = g->offered, memcpy(wanted, g->options, n * sizeof *wanted);
    int64_t free = 0;
    for (int64_t i = 0; i < g->offered; i++) free += g->options[i] >= EXCHANGE;
    if (temper == TRADER && free && below(stream, 2)) {
        n = 0;
        for (int64_t i = 0; i < g->offered; i++)
            if (g->options[i] >= EXCHANGE) wanted[n++] = g->options[i];
    }
    if (temper == RARE) {
        for (int64_t i = 0; i < n; i++)
            if (taken[head_of(g, wanted[i])] < least) least = taken[head_of(g, wanted[i])];
        for (int64_t i = 0; i < n; i++)
            if (taken[head_of(g, wanted[i])] == least) wanted[kept++] = wanted[i];
        n = kept;
    }
    int64_t option = wanted[below(stream, (uint32_t)n)];
    taken[head_of(g, option)]++;
    return option;
}

/* Plays games from these seeds by players who take turns; trail: the options taken in the last
 * game; count: the choices of all games, and of the last one.
 * Gives how many games are sound. */
int64_t targi_soak(const uint64_t *seeds, int64_t games, int64_t *taken, int64_t *trail,
                   int64_t *count) {
    Game *g = targi_make();
    static Before b;
    volatile int64_t done = 0;
    if (!g) return 0;
    listen(g, 1);
    count[0] = count[1] = 0;
    if (!setjmp(g->out))
        for (; done < games; done++) {
            uint64_t stream = seeds[done];
            count[1] = 0;
            reset(g);
            begin(g, seeds[done]);
            while (g->waits != NOTHING) {
                remember(g, &b);
                g->event_count = 0;
                int64_t option = trouble(g, &stream, (int)(seeds[done] % TEMPERS), taken);
                trail[count[1]++] = option;
                count[0]++;
                answer(g, option);
                if (!sound(g, &b) || count[1] == ENDLESS) goto end;
            }
        }
end:
    targi_free(g);
    return done;
}

/* ---- the course of a game ---- */

static uint32_t CRC[256];

static void make_crc(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++) c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
        CRC[i] = c;
    }
}

static uint32_t crc(uint32_t before, const void *data, size_t size) {
    const uint8_t *at = data;
    uint32_t c = ~before;
    while (size--) c = CRC[(c ^ *at++) & 255] ^ c >> 8;
    return ~c;
}

static uint32_t scored(Game *g, uint32_t sum) {
    int32_t value;
    for (int player = 0; player < PLAYERS; player++)
        for (int part = 0; part < SCORES; part++) {
            g->meter = 0;
            value = score(g, part, player);
            sum = crc(sum, &value, sizeof value);
        }
    return sum;
}

/* For each seed a checksum of all positions, options and draws of a game, and of its scores. */
int64_t targi_courses(const uint64_t *seeds, const uint8_t *busy, int64_t most, uint32_t *sums,
                      int64_t games) {
    static int32_t vector[STACK + FRAMES * (HEAD + FRAME)];
    Game *g = targi_make();
    volatile int64_t done = 0;
    if (!g) return 0;
    make_crc();
    if (!setjmp(g->out))
        for (; done < games; done++) {
            uint64_t stream = ~seeds[done];
            uint32_t sum = 0;
            reset(g);
            begin(g, seeds[done]);
            for (int64_t left = most; left--;) {
                sum = crc(sum, vector, pack(g, vector) * sizeof *vector);
                if (g->waits == NOTHING) break;
                sum = crc(sum, g->options, g->offered * sizeof *g->options);
                sum = crc(sum, &g->chance, sizeof g->chance);
                answer(g, choice(g, &stream, busy[done]));
            }
            sums[done] = scored(g, sum);
        }
    targi_free(g);
    return done;
}
