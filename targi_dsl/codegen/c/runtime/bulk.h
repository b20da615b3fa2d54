/* Whole games from seeds, and what is counted in them; codegen/tally.py says where. */

enum { MOST_DECISIONS = 20000, CUT_OFF = -2, WON = 1 };
enum { ROW_DECISIONS, ROW_BRANCHING, ROW_ROUNDS, ROW_ENDED_BY, ROW_TIE, ROW_WINNERS,
       ROW_LEAD_CHANGES, ROW_PARTS };
enum { NAMES_CARD = 1, NAMES_PLACE = 2 };

/* ---- what an option means ---- */

/* Counts an option in its cell; gives the card that it means, or nothing. */
static int counted(Game *g, int64_t *cells, int64_t option, int you) {
    if (option >= EXCHANGE) {
        cells[(EXCHANGE_CELLS + option - EXCHANGE) * PLAYERS + you]++;
        return NOTHING;
    }
    int way = (int)(option >> 16), element = (int)(option & 65535) - 1;
    const int32_t *of = CELLS[CELLS_OF[g->waits] + way]; /* first, low, size, what it names */
    int at = element - of[1];
    at = at < 0 ? 0 : at >= of[2] ? of[2] - 1 : at;
    cells[(of[0] + at) * PLAYERS + you]++;
    if (of[3] == NAMES_CARD) return element;
    if (of[3] != NAMES_PLACE) return NOTHING;
    int card = g->v[PLACE_TOP + element];
    return card >= 0 && g->v[CARD_KNOWN + card] >> (1 + you) & 1 ? card : NOTHING;
}

static void count_options(Game *g, int64_t *tally, int you) {
    uint64_t met[CARDS / 64 + 1] = {0};
    for (int64_t i = 0; i < g->offered; i++) {
        int card = counted(g, tally + AT_OFFERED, g->options[i], you);
        if (card < 0 || met[card >> 6] >> (card & 63) & 1) continue;
        met[card >> 6] |= (uint64_t)1 << (card & 63);
        tally[AT_CARD_OFFERED + card * PLAYERS + you]++;
    }
}

static void count_choice(Game *g, int64_t *tally, int64_t option, int you) {
    count_options(g, tally, you);
    int card = counted(g, tally + AT_TAKEN, option, you);
    if (card >= 0) tally[AT_CARD_TAKEN + card * PLAYERS + you]++;
}

/* ---- the players ---- */

static int64_t busy_choice(Game *g, uint64_t *stream) {
    uint32_t n = (uint32_t)g->offered, declining[WAYS + 1], found = 0;
    for (uint32_t i = 0; i < n; i++)
        if (declines(g, g->options[i])) declining[found++] = i;
    if (!found || found == n) return g->options[below(stream, n)];
    uint32_t at = below(stream, n - found);
    for (uint32_t i = 0; i < found && declining[i] <= at; i++) at++;
    return g->options[at];
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

static void look_at_lead(Game *g, const int64_t *scores) {
    int best = 0, alone = 1;
    for (int player = 1; player < PLAYERS; player++) {
        if (scores[player] == scores[best]) alone = 0;
        if (scores[player] > scores[best]) best = player, alone = 1;
    }
    if (!alone) return;
    g->lead_changes += g->leader != NOTHING && g->leader != best;
    g->leader = best;
}

static void look_at_round(Game *g) {
    int64_t scores[PLAYERS];
    int32_t meter = g->meter;
    for (int player = 0; player < PLAYERS; player++) scores[player] = total(g, player, 0);
    g->meter = meter;
    look_at_lead(g, scores);
}

static int outcome(const Game *g, int player) { return OUTCOMES < 0 ? 0 : g->v[OUTCOMES + player]; }

static int standing(const Game *g, int player) {
    int one = outcome(g, player); /* who has won comes first, then who is playing */
    return one == WON ? 0 : one == 0 ? 1 : 2;
}

/* The mask of the winners; the number of the tie-break that found the only one. */
static int winners(Game *g, const int64_t *scores, int64_t *decided) {
    int first = 2, left = 0, count = 0, last = NOTHING;
    *decided = NOTHING;
    for (int p = 0; p < PLAYERS; p++) first = standing(g, p) < first ? standing(g, p) : first;
    int64_t best = INT64_MIN;
    for (int p = 0; p < PLAYERS; p++)
        if (standing(g, p) == first && scores[p] > best) best = scores[p];
    for (int p = 0; p < PLAYERS; p++)
        if (standing(g, p) == first && (first == 0 || scores[p] == best)) left |= 1 << p, count++;
    for (int number = 0; first && number < TIES && count > 1; number++) {
        int64_t values[PLAYERS], most = 0;
        int met = 0, kept = 0;
        for (int p = 0; p < PLAYERS; p++)
            if (left >> p & 1) {
                g->meter = 0;
                values[p] = tie(g, number, p);
                if (!met || (TIE_MOST[number] ? values[p] > most : values[p] < most))
                    most = values[p];
                met = 1;
            }
        count = 0;
        for (int p = 0; p < PLAYERS; p++)
            if (left >> p & 1 && values[p] == most) kept |= 1 << p, count++;
        left = kept;
        last = number;
    }
    if (first == 2) return 0;
    if (count == 1) *decided = last;
    return left;
}

/* What a player's score would be if a card lay nowhere. */
static int64_t without(Game *g, int card, int player, int64_t with) {
    int32_t before[STACK];
    Board board = g->board;
    jmp_buf out;
    int16_t cards[CARDS + 1];
    int place = g->v[CARD_PLACE + card], kept = 0, n = pile(g, place, cards);
    volatile int64_t found = with;
    memcpy(before, g->v, sizeof before);
    for (int i = 0; i < n; i++)
        if (cards[i] != card) cards[kept++] = cards[i];
    lay(g, place, cards, kept);
    g->v[CARD_PLACE + card] = g->v[CARD_NEXT + card] = NOTHING;
    memcpy(&out, &g->out, sizeof out);
    if (!setjmp(g->out)) found = total(g, player, 0);
    g->status = FINE;
    memcpy(&g->out, &out, sizeof out);
    memcpy(g->v, before, sizeof before);
    g->board = board;
    return found;
}

static void hold(Game *g, int64_t *tally, const int64_t *scores, int winning) {
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

static NEVER_INLINE int64_t careful_option(Game *g, int you) {
    int64_t option = choice(g, &g->streams[you], g->busy[you]);
    if (g->tally) count_choice(g, g->tally, option, you);
    return option;
}

/* What the player chooses who is asked; nothing if nobody here answers or the game is cut off. */
static int64_t next_option(Game *g, const Frame *f, int may_decline) {
    int you = f->s[0];
    if (g->decisions == g->most) return NOTHING;
    g->decisions++;
    g->branching += g->offered;
    g->meter = 0;
    if (g->tally || (may_decline && g->busy[you])) return careful_option(g, you);
    return g->options[below(&g->streams[you], (uint32_t)g->offered)];
}

static void end_row(Game *g, int64_t *tally, int64_t *row) {
    int64_t scores[PLAYERS];
    for (int player = 0; player < PLAYERS; player++)
        scores[player] = total(g, player, row + ROW_PARTS);
    look_at_lead(g, scores);
    note_round(g);
    row[ROW_DECISIONS] = g->decisions, row[ROW_BRANCHING] = g->branching;
    row[ROW_ROUNDS] = g->decided_in;
    row[ROW_LEAD_CHANGES] = g->lead_changes;
    row[ROW_ENDED_BY] = CUT_OFF, row[ROW_TIE] = NOTHING, row[ROW_WINNERS] = 0;
    if (g->waits != NOTHING) return;
    row[ROW_ENDED_BY] = g->v[ENDED];
    row[ROW_WINNERS] = winners(g, scores, &row[ROW_TIE]);
    if (tally) hold(g, tally, scores, (int)row[ROW_WINNERS]);
}

static void play_game(Game *g, uint64_t seed, uint64_t *streams, const uint8_t *busy,
                      int64_t *tally, int64_t *row) {
    memset(row, 0, ROW_WIDTH * sizeof *row);
    g->leader = NOTHING, g->lead_changes = 0;
    g->watches_lead = tally && SCORES > 0;
    g->streams = streams, g->busy = busy, g->tally = tally;
    g->decisions = g->branching = g->decided = g->decided_in = 0;
    g->most = MOST_DECISIONS, g->most_at_once = tally ? 0 : MOST_DECISIONS;
    begin(g, seed);
    end_row(g, tally, row);
}

/* Plays games one after the other; gives how many, fewer if one of them stops. */
int64_t targi_run(const uint64_t *seeds, uint64_t *streams, const uint8_t *busy, int64_t *rows,
                  int64_t *tally, int64_t games) {
    Game *g = made();
    volatile int64_t done = 0;
    if (!g) return 0;
    if (!setjmp(g->out))
        for (; done < games; done++)
            play_game(g, seeds[done], streams + done * PLAYERS, busy + done * PLAYERS, tally,
                      rows + done * ROW_WIDTH);
    for (int rule = 0; tally && rule < RULES; rule++) tally[AT_BEGUN + rule] += g->begun[rule];
    unmade(g);
    return done;
}

/* Plays on from a position with random choices, for so many decisions, or to the end if there are
 * fewer than 0, or until so many rounds have begun. */
int targi_rollout(Game *g, uint64_t *stream, int busy, int64_t most, int64_t rounds) {
    if (setjmp(g->out)) return g->status;
    for (; g->waits != NOTHING && most && g->rounds < rounds; most--)
        answer(g, choice(g, stream, busy));
    return FINE;
}
