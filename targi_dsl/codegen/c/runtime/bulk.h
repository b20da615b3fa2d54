/* Bulk simulation of whole games, and their tallies, laid out as in codegen/tally.py. */

enum { MOST_DECISIONS = 20000, CUT_OFF = -2, WON = 1, DRAWN = 4 };
enum { ROW_DECISIONS, ROW_BRANCHING, ROW_ROUNDS, ROW_ENDED_BY, ROW_TIE, ROW_WINNERS,
       ROW_LEAD_CHANGES, ROW_SCORES, ROW_PARTS = ROW_SCORES + PLAYERS };
enum { NAMES_CARD = 1, NAMES_PLACE = 2, NAMES_ALONE = 4 }; /* no other way names it */

/* A batch of games. Game n uses seed + n / rotations; its rotation n % rotations seats the players,
 * whose random streams derive from `families`. rows: one for each game from `first` on; tallies:
 * one for each rotation, or null; under_way: whether game `next` has begun; seats: the search of
 * each seat in each rotation, or null if nobody searches. */
typedef struct {
    uint64_t seed;
    int64_t rotations, first, next, end;
    const uint64_t *families;
    const uint8_t *busy;
    int64_t *rows, *tallies, under_way;
    struct Search *seats;
    uint64_t streams[PLAYERS];
} Batch;

/* ---- options counted ---- */

/* The card on a place, if the player knows it. */
static inline int known_on(const Game *g, int place, int you) {
    int card = g->v[PLACE_TOP + place];
    return card >= 0 && g->v[CARD_KNOWN + card] >> (1 + you) & 1 ? card : NOTHING;
}

/* Counts an option in its cell, and the card that it names unless that is in `met`. */
static ALWAYS_INLINE void count_one(const Game *g, const int32_t *of, int names, int element,
                                    int64_t *cells, int64_t *cards, uint64_t *met, int you) {
    int is_thing = names & (NAMES_CARD | NAMES_PLACE), at = element - of[1];
    if (!is_thing) at = at < 0 ? 0 : at >= of[2] ? of[2] - 1 : at;
    cells[(of[0] + at) * PLAYERS + you]++; /* of: first cell, low, size, NAMES_ bits */
    int card = names & NAMES_PLACE ? known_on(g, element, you) : element;
    if (!is_thing || card < 0) return;
    if (!(names & NAMES_ALONE)) {
        if (met[card >> 6] >> (card & 63) & 1) return;
        met[card >> 6] |= (uint64_t)1 << (card & 63);
    }
    cards[card * PLAYERS + you]++;
}

static void count_option(const Game *g, int question, int64_t option, int alone, int64_t *cells,
                         int64_t *cards, uint64_t *met, int you) {
    const int32_t *of = CELLS[CELLS_OF[question] + (option >> 16 & 65535)];
    if (option >= EXCHANGE)
        cells[(EXCHANGE_CELLS + option - EXCHANGE) * PLAYERS + you]++;
    else
        count_one(g, of, of[3] | alone, (int)(option & 65535) - 1, cells, cards, met, you);
}

static void count_taken(const Game *g, int question, int64_t option, int you) {
    int64_t *cards = g->tally + AT_CARD_TAKEN;
    count_option(g, question, option, NAMES_ALONE, g->tally + AT_TAKEN, cards, 0, you);
}

/* Counts the listed options, and once each card that any of them names. */
static void count_offered(const Game *g, int you) {
    int64_t *cells = g->tally + AT_OFFERED, *cards = g->tally + AT_CARD_OFFERED;
    uint64_t met[CARDS / 64 + 1] = {0};
    g->tally[AT_BRANCHING] += g->offered;
    for (int64_t i = 0; i < g->offered; i++)
        count_option(g, g->waits, g->options[i], 0, cells, cards, met, you);
}

/* The same for a menu. */
static NEVER_INLINE void count_menu(const Game *g, const Menu *of, const uint64_t *masks,
                                    int64_t offered, int you) {
    int64_t *cells = g->tally + AT_OFFERED, *cards = g->tally + AT_CARD_OFFERED, n = 0;
    uint64_t met[CARDS / 64 + 1] = {0};
    g->tally[AT_BRANCHING] += offered;
    for (int at = 0; at < of->masks; n += bits(masks[at++])) {
        const int32_t(*way)[4] = CELLS + CELLS_OF[of->question] + (of->firsts[at] >> 16);
        int low = (of->firsts[at] & 65535) - 1;
        for (uint64_t m = masks[at]; m; m &= m - 1)
            if (low < 0)
                count_one(g, way[lowest_bit(m)], 0, low, cells, cards, met, you);
            else
                count_one(g, *way, (*way)[3], low + lowest_bit(m), cells, cards, met, you);
    }
    for (int i = 0; n < offered; i++, n++)
        cells[(EXCHANGE_CELLS + g->found[i]) * PLAYERS + you]++;
}

/* The option with a number in a menu; exchanges come last. */
static int64_t option_with(const Game *g, const Menu *of, const uint64_t *masks, int k) {
    int at = 0;
    for (; at < of->masks && k >= bits(masks[at]); at++) k -= bits(masks[at]);
    return at == of->masks ? EXCHANGE + g->found[k] : option_of(of->firsts[at], nth(masks[at], k));
}

static NEVER_INLINE void count_number(const Game *g, const Menu *of, const uint64_t *masks, int k,
                                      int you) {
    count_taken(g, of->question, option_with(g, of, masks, k), you);
}

/* ---- the players ---- */

/* A random option that does not decline, if there is one. */
static int64_t busy_choice(Game *g, uint64_t *stream) {
    int64_t useful = 0, *option = g->options;
    for (int64_t i = 0; i < g->offered; i++) useful += !declines(g, option[i]);
    uint32_t k = below(stream, (uint32_t)(useful ? useful : g->offered));
    if (!useful) return option[k];
    while (declines(g, *option) || k--) option++;
    return *option;
}

static inline int64_t choice(Game *g, uint64_t *stream, int busy) {
    return busy ? busy_choice(g, stream) : g->options[below(stream, (uint32_t)g->offered)];
}

/* ---- the end ---- */

static int64_t total(Game *g, int player, int64_t *parts) {
    int64_t sum = 0;
    for (int part = 0; part < SCORES; part++) {
        g->meter = 0;
        int value = score(g, part, player);
        if (parts) parts[player * SCORES + part] = value;
        sum += value;
    }
    return sum;
}

/* Merits are scores of which the highest wins. */
static void update_lead(Game *g, const int64_t *merits) {
    int best = 0, alone = 1;
    for (int player = 1; player < PLAYERS; player++) {
        if (merits[player] == merits[best]) alone = 0;
        if (merits[player] > merits[best]) best = player, alone = 1;
    }
    if (!alone) return;
    g->lead_changes += g->leader != NOTHING && g->leader != best;
    g->leader = best;
}

static void update_lead_of_round(Game *g) {
    int64_t merits[PLAYERS];
    int32_t meter = g->meter;
    for (int player = 0; player < PLAYERS; player++) merits[player] = MERIT * total(g, player, 0);
    g->meter = meter;
    update_lead(g, merits);
}

static int outcome(const Game *g, int player) { return OUTCOMES < 0 ? 0 : g->v[OUTCOMES + player]; }

static int standing(const Game *g, int player) {
    int one = outcome(g, player); /* 0: has won or drawn; 1: still playing; 2: is out */
    return one == WON || one == DRAWN ? 0 : one == 0 ? 1 : 2;
}

/* The mask of the winners; decided: the tie-break that left a single winner, or NOTHING. */
static int winners(Game *g, const int64_t *merits, int64_t *decided) {
    int first = 2, left = 0, count = 0, last = NOTHING;
    *decided = NOTHING;
    int64_t best = INT64_MIN;
    for (int p = 0; p < PLAYERS; p++) {
        if (standing(g, p) < first) first = standing(g, p), best = INT64_MIN;
        if (standing(g, p) == first && merits[p] > best) best = merits[p];
    }
    for (int p = 0; p < PLAYERS; p++)
        if (standing(g, p) == first && (first == 0 || merits[p] == best)) left |= 1 << p, count++;
    for (int number = 0; first && number < TIES && count > 1; number++) {
        int64_t most = 0;
        int kept = 0;
        for (int p = 0; p < PLAYERS; p++) {
            if (!(left >> p & 1)) continue;
            g->meter = 0;
            int64_t value = tie(g, number, p);
            if (!kept || (TIE_MOST[number] ? value > most : value < most))
                most = value, kept = count = 0;
            if (value == most) kept |= 1 << p, count++;
        }
        left = kept, last = number;
    }
    if (first == 2) return 0;
    if (count == 1) *decided = last;
    return left;
}

/* A player's score if a card were on no place; `with` if that cannot be computed. */
static int64_t without(Game *g, int card, int player, int64_t with) {
    jmp_buf out;
    int16_t cards[CARDS + 1], left[CARDS + 1];
    int place = g->v[CARD_PLACE + card], kept = 0, n = pile(g, place, cards);
    volatile int64_t found = with;
    for (int i = 0; i < n; i++)
        if (cards[i] != card) left[kept++] = cards[i];
    lay(g, place, left, kept);
    g->v[CARD_PLACE + card] = g->v[CARD_NEXT + card] = NOTHING;
    memcpy(&out, &g->out, sizeof out);
    if (!setjmp(g->out)) found = total(g, player, 0);
    g->status = FINE;
    memcpy(&g->out, &out, sizeof out);
    lay(g, place, cards, n);
    return found;
}

/* Counts the cards that players hold at the end, and what they add to the scores. */
static void count_held(Game *g, int64_t *tally, const int64_t *scores, int winning) {
    for (int card = 0; card < CARDS; card++) {
        int place = g->v[CARD_PLACE + card], owner = HOLDERS[place + 1];
        if (owner < 0) continue;
        int64_t pair = card * PLAYERS + owner;
        tally[AT_HELD + pair]++;
        tally[AT_WON + pair] += winning == 1 << owner;
        tally[AT_POINTS + pair] += scores[owner] - without(g, card, owner, scores[owner]);
    }
}

/* ---- games ---- */

static int64_t searched_option(Game *g, int you, int may_decline);
static int seat_option(Game *g, int you, int64_t *option);
static void begin_seats(Game *g, struct Search *seats, int rotation);

/* The choice of the player who is asked; NOTHING at the decision limit or with the budget spent. */
static int64_t next_option(Game *g, const Frame *f, int may_decline) {
    int you = f->s[0];
    int64_t option = NOTHING;
    if (g->decisions >= g->most || g->budget < 0) return NOTHING;
    if (g->seats && !seat_option(g, you, &option)) return NOTHING;
    note_decision(g, g->offered);
    if (g->search) return searched_option(g, you, may_decline);
    if (option == NOTHING) option = choice(g, &g->streams[you], may_decline && g->busy[you]);
    if (g->tally) count_offered(g, you), count_taken(g, g->waits, option, you);
    return option;
}

static void end_row(Game *g, int64_t *tally, int64_t *row) {
    int64_t merits[PLAYERS], *scores = row + ROW_SCORES;
    for (int player = 0; player < PLAYERS; player++)
        merits[player] = MERIT * (scores[player] = total(g, player, row + ROW_PARTS));
    for (int part = 0; tally && part < PLAYERS * SCORES; part++)
        tally[AT_PARTS + part] += row[ROW_PARTS + part];
    update_lead(g, merits);
    note_round(g);
    row[ROW_DECISIONS] = g->decisions, row[ROW_BRANCHING] = g->branching;
    row[ROW_ROUNDS] = COUNTS_ROUNDS >= 0 ? g->v[COUNTS_ROUNDS] : g->decided_in;
    row[ROW_LEAD_CHANGES] = g->lead_changes;
    row[ROW_ENDED_BY] = CUT_OFF, row[ROW_TIE] = NOTHING, row[ROW_WINNERS] = 0;
    if (g->waits != NOTHING) return;
    row[ROW_ENDED_BY] = g->v[ENDED];
    row[ROW_WINNERS] = winners(g, merits, &row[ROW_TIE]);
    if (tally) count_held(g, tally, scores, (int)row[ROW_WINNERS]);
}

/* The output of SplitMix64, `seed` steps after a state. */
static uint64_t stream_of(uint64_t family, uint64_t seed) { return mixed(family + seed * STRIDE); }

/* Plays a game to its end or until the budget is spent; returns whether it has ended. */
static int play_game(Game *g, Batch *b, int64_t number) {
    uint64_t seed = b->seed + number / b->rotations;
    int rotation = (int)(number % b->rotations);
    if (!b->under_way) {
        for (int seat = 0; seat < PLAYERS; seat++)
            b->streams[seat] = stream_of(b->families[rotation * PLAYERS + seat], seed);
        reset(g);
        g->leader = NOTHING, g->lead_changes = 0;
        g->tally = b->tallies ? b->tallies + rotation * TALLY_SIZE : 0;
        g->watches_lead = g->tally && SCORES > 0;
        g->streams = b->streams, g->busy = b->busy + rotation * PLAYERS;
        begin_seats(g, b->seats, rotation);
        g->branching = g->decided = g->decided_in = 0;
        g->most = MOST_DECISIONS, g->most_at_once = b->seats ? 0 : MOST_DECISIONS;
        memset(g->begun, 0, sizeof g->begun);
        b->under_way = 1, g->asked = 0;
        begin(g, seed);
    }
    while (g->waits != NOTHING && g->decisions < MOST_DECISIONS) {
        int64_t option = next_option(g, &g->frames[g->depth], 1);
        if (option == NOTHING) return 0;
        answer(g, option);
    }
    b->under_way = 0;
    for (int rule = 0; g->tally && rule < RULES; rule++) g->tally[AT_BEGUN + rule] += g->begun[rule];
    end_row(g, g->tally, b->rows + (number - b->first) * ROW_WIDTH);
    return 1;
}

/* Continues a batch until it ends or the budget, in elements visited, is spent. */
int targi_batch(Game *g, Batch *b, int64_t budget) {
    if (setjmp(g->out)) return g->status;
    for (g->budget = budget; b->next < b->end && g->budget >= 0; b->next++, g->budget -= DECISION)
        if (!play_game(g, b, b->next)) break;
    return FINE;
}

/* Continues from a row with random choices until the budget is spent, `most` decisions are made
 * (negative: no limit), `rounds` have begun or the game ends. */
int targi_rollout(Game *g, const Row *from, uint64_t *stream, int busy, int64_t *most,
                  int64_t rounds, int64_t budget, Row *to) {
    listen(g, 0);
    load(g, from);
    if (setjmp(g->out)) return g->status;
    for (g->budget = budget; g->waits != NOTHING && *most && g->rounds < rounds; --*most) {
        if ((g->budget -= g->offered + DECISION) < 0) break;
        answer(g, choice(g, stream, busy));
    }
    store(g, to);
    return FINE;
}
