/* The board: where pieces lie and which places are filled, kept up to date as everything moves. */

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

/* Looks where everything lies. */
static void look_at_board(Game *g) {
    memset(&g->board, 0, sizeof g->board);
    for (int place = 0; place < PLACES; place++)
        if (g->v[PLACE_TOP + place] != NOTHING) flip(g->board.filled, place);
    for (int piece = 0; piece < PIECES; piece++)
        flip(g->board.pieces[g->v[PIECE_PLACE + piece] + 1], piece);
    for (int set = 0; set < OCCUPANCIES; set++)
        for (int place = 0; place < PLACES; place++)
            if (!is_clear(g, set, place)) flip(g->board.places[set], place);
}
