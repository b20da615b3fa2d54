/* Cards: piles as linked lists, who knows them, and what is triggered as they come and go. */

static void clear_clues(Game *g, int card) {
    for (int i = 0; i < TOLD; i++) g->v[TOLD_BASES[i] + card] = 0;
}

/* Lists the cards of a place from the top; returns how many. */
static int pile(const Game *g, int place, int16_t *cards) {
    int n = 0;
    for (int card = g->v[PLACE_TOP + place]; card >= 0; card = g->v[CARD_NEXT + card])
        cards[n++] = card;
    return n;
}

static void lay(Game *g, int place, const int16_t *cards, int n) {
    set_top(g, place, g->v[PLACE_TOP + place], n ? cards[0] : NOTHING);
    for (int i = 0; i < n; i++) {
        g->v[CARD_NEXT + cards[i]] = i + 1 < n ? cards[i + 1] : NOTHING;
        g->v[CARD_PLACE + cards[i]] = place;
    }
}

/* Lists the cards of a place by ascending number; returns how many. */
static int in_order(Game *g, int place, int16_t *cards) {
    uint64_t lies[CARDS / 64 + 1] = {0};
    int n = 0;
    for (int card = g->v[PLACE_TOP + place]; card >= 0; card = g->v[CARD_NEXT + card])
        lies[card >> 6] |= (uint64_t)1 << (card & 63);
    for (int w = 0; w <= CARDS / 64; w++)
        for (uint64_t m = lies[w]; m; m &= m - 1) cards[n++] = w * 64 + lowest_bit(m);
    return n;
}

static void refill(Game *g, int place) {
    int16_t cards[CARDS + 1];
    int from = REFILLS[place][0], n = from == NOTHING ? 0 : in_order(g, from, cards);
    if (!n) return;
    lay(g, from, cards, 0);
    lay(g, place, cards, n);
    for (int i = 0; i < n; i++) {
        int32_t *known = &g->v[CARD_KNOWN + cards[i]];
        *known = (*known & ~1) | FACING_UP[place];
    }
    TELL(E_REFILL, g->frames[g->depth].s[0], NOTHING, n, from, place);
    call(g, REFILL, g->frames[g->depth].s[0], place);
}

static void lift(Game *g, int card, int source) {
    int32_t above = g->v[PLACE_TOP + source], *next = &g->v[CARD_NEXT];
    if (above == card) {
        set_top(g, source, card, next[card]);
        if (next[card] == NOTHING && REFILLS[source][1]) refill(g, source);
        return;
    }
    while (next[above] != card) above = next[above];
    next[above] = next[card];
}

static void put(Game *g, int card, int place, int under) {
    int last = under ? bottom_card(g, place) : NOTHING, top = g->v[PLACE_TOP + place];
    g->v[CARD_PLACE + card] = place;
    g->v[CARD_NEXT + card] = last < 0 ? top : NOTHING;
    if (last < 0)
        set_top(g, place, top, card);
    else
        g->v[CARD_NEXT + last] = card;
}

static void arrived(Game *g, int card, int place) {
    int owner = OWNERS[place + 1];
    if (owner == -2) return;
    int you = owner == NOTHING ? g->frames[g->depth].s[0] : owner;
    for (const int16_t *rule = ARRIVALS + ARRIVALS_OF[card]; *rule >= 0; rule++)
        call(g, *rule, you, card);
    if (owner == NOTHING) return;
    for (const int16_t *one = RECALLED + RECALLED_OF[card]; *one >= 0; one += 2)
        if (g->v[one[1] + owner]) fire(g, one[0], owner);
}

static void move_card(Game *g, int card, int place, int under, int up) {
    int source = g->v[CARD_PLACE + card];
    if (source != NOTHING) lift(g, card, source);
    put(g, card, place, under);
    int32_t *known = &g->v[CARD_KNOWN + card];
    *known = (*known & ~1) | MASKS[place][up];
    TELL(E_MOVE, g->frames[g->depth].s[0], card, 1, source, place);
    if (CLOSED[place]) {
        *known = MASKS[place][up];
        clear_clues(g, card);
    }
    if (OWNERS[source + 1] == OWNERS[place + 1]) return;
    if (OWNERS[source + 1] != -2)
        for (const int16_t *slot = RESETS + RESETS_OF[card]; *slot >= 0; slot++) g->v[*slot] = 0;
    arrived(g, card, place);
}

static inline void turn_silently(Game *g, int card, int up) {
    int32_t *known = &g->v[CARD_KNOWN + card], place = g->v[CARD_PLACE + card];
    *known = (*known & ~1) | (place == NOTHING ? up : MASKS[place][up]);
}

static void turn_card(Game *g, int card, int up) {
    int turned = (g->v[CARD_KNOWN + card] & 1) != up;
    turn_silently(g, card, up);
    if (turned) TELL(E_TURN, g->frames[g->depth].s[0], card, up, NOTHING, NOTHING);
}

static void reveal_card(Game *g, int card, int knowing, int who) {
    g->v[CARD_KNOWN + card] |= knowing;
    if (who == NOTHING)
        TELL(E_REVEAL, g->frames[g->depth].s[0], card, 0, NOTHING, NOTHING);
    else
        TELL(E_LOOK, who, card, 0, NOTHING, NOTHING);
}

/* Lists the cards by ascending number, and resets who knows them; returns how many. */
static int begin_shuffle(Game *g, int place, int16_t *cards) {
    int n = in_order(g, place, cards);
    for (int i = 0; i < n; i++) {
        int32_t *known = &g->v[CARD_KNOWN + cards[i]];
        *known = MASKS[place][*known & 1];
        clear_clues(g, cards[i]);
    }
    TELL(E_SHUFFLE, g->frames[g->depth].s[0], NOTHING, n, NOTHING, place);
    return n;
}

/* The index of the first remaining copy of a card. */
static int first_copy(const int16_t *cards, const uint64_t *left, int at) {
    for (int w = 0; w <= at >> 6; w++)
        for (uint64_t m = left[w]; m; m &= m - 1) {
            int other = w * 64 + lowest_bit(m);
            if (SAME[cards[other]] == SAME[cards[at]]) return other;
        }
    return at;
}

static void shuffle(Game *g, int place, const int16_t *cards, int n) {
    int16_t order[CARDS + 1];
    uint64_t left[CARDS / 64 + 1] = {0};
    for (int w = 0; w < n >> 6; w++) left[w] = ~(uint64_t)0;
    left[n >> 6] = ((uint64_t)1 << (n & 63)) - 1;
    for (int i = 0; i < n; i++) {
        int k = below(&g->chance, n - i), w = 0;
        for (int size; k >= (size = bits(left[w])); w++) k -= size;
        int at = w * 64 + nth(left[w], k);
        if (!ALONE[cards[at]]) at = first_copy(cards, left, at);
        order[i] = cards[at];
        flip(left, at);
    }
    lay(g, place, order, n);
}

/* Offers the next card of a shuffle as outcomes: of unsettled copies, the lowest number. */
static void next_in_order(Game *g, int place, int settled) {
    int16_t cards[CARDS + 1];
    int n = place < 0 ? NOTHING : pile(g, place, cards);
    if (settled < 0 || settled > n) stop(g, FAULT); /* a loaded position may say so */
    g->offered = 0;
    for (int i = settled; i < n; i++) {
        int again = 0;
        for (int k = settled; k < i; k++) again |= SAME[cards[k]] == SAME[cards[i]];
        if (again) continue;
        int64_t at = g->offered++; /* insertion sort: samples are out of order */
        for (; at && g->options[at - 1] > cards[i] + 1; at--) g->options[at] = g->options[at - 1];
        g->options[at] = cards[i] + 1;
    }
    if (g->offered > OPTIONS) stop(g, FAULT);
}

/* Shuffles, or if chance is asked for, offers the next card; returns whether there is a choice. */
static int to_settle(Game *g, int place, int settled) {
    int16_t cards[CARDS + 1];
    int n = settled ? pile(g, place, cards) : begin_shuffle(g, place, cards);
    if (!g->asked) {
        shuffle(g, place, cards, n);
        return 0;
    }
    lay(g, place, cards, n);
    next_in_order(g, place, settled);
    return g->offered > 1;
}

static void settle_card(Game *g, int place, int card, int at) {
    int16_t cards[CARDS + 1];
    int n = pile(g, place, cards), was = at;
    while (cards[was] != card) was++;
    memmove(cards + at + 1, cards + at, (was - at) * sizeof *cards);
    cards[at] = card;
    lay(g, place, cards, n);
}
