/* The bitboards of pieces and top cards, updated with every move. */

static inline void flip(uint64_t *mask, int element) { mask[element >> 6] ^= (uint64_t)1 << (element & 63); }

/* Whether no piece of a set lies on a place. */
static inline int is_clear(const Game *g, int set, int place) {
    for (int w = 0; w < PIECE_WORDS; w++)
        if (g->board.pieces[place + 1][w] & PIECE_SETS[set * PIECE_WORDS + w]) return 0;
    return 1;
}

static inline void move_piece(Game *g, int piece, int to) {
    Board *b = &g->board;
    int from = g->v[PIECE_PLACE + piece];
    g->v[PIECE_PLACE + piece] = to;
    flip(b->pieces[from + 1], piece);
    flip(b->pieces[to + 1], piece);
    for (int i = 0; i < MOST_INCLUDING && INCLUDING[piece][i] >= 0; i++) {
        int set = INCLUDING[piece][i];
        uint64_t *places = b->places[set];
        if (from >= 0) places[from >> 6] &= ~((uint64_t)is_clear(g, set, from) << (from & 63));
        if (to >= 0) places[to >> 6] |= (uint64_t)1 << (to & 63);
    }
}

/* Replaces the top card of a place; NOTHING: none. */
static inline void set_top(Game *g, int place, int before, int card) {
    uint32_t m = COVERING[before + 1] ^ COVERING[card + 1];
    g->board.under[0][place >> 6] ^= (uint64_t)(m & 1) << (place & 63);
    for (m &= ~(uint32_t)1; m; m &= m - 1) flip(g->board.under[lowest_bit(m)], place);
    g->v[PLACE_TOP + place] = card;
}

/* Rebuilds the bitboards from the slots. */
static void rebuild_board(Game *g) {
    memset(&g->board, 0, sizeof g->board);
    for (int place = 0; place < PLACES; place++)
        set_top(g, place, NOTHING, g->v[PLACE_TOP + place]);
    for (int piece = 0; piece < PIECES; piece++)
        flip(g->board.pieces[g->v[PIECE_PLACE + piece] + 1], piece);
    for (int set = 0; set < OCCUPANCIES; set++)
        for (int place = 0; place < PLACES; place++)
            if (!is_clear(g, set, place)) flip(g->board.places[set], place);
}
