/* The board: where pieces lie and which places are filled, kept up to date as everything moves. */

static void flip(uint64_t *mask, int element) { mask[element >> 6] ^= (uint64_t)1 << (element & 63); }

static void set_down(Occupancy *o, int piece, int place) {
    if (place < 0)
        flip(o->nowhere, piece);
    else if (!o->pieces[place]++)
        flip(o->places, place);
}

static void pick_up(Occupancy *o, int piece, int place) {
    if (place < 0)
        flip(o->nowhere, piece);
    else if (!--o->pieces[place])
        flip(o->places, place);
}

static void move_piece(Game *g, int piece, int to) {
    int from = g->v[PIECE_PLACE + piece];
    g->v[PIECE_PLACE + piece] = to;
    for (const int16_t *set = INCLUDING + INCLUDING_OF[piece]; *set >= 0; set++) {
        pick_up(&g->board.occupancy[*set], piece, from);
        set_down(&g->board.occupancy[*set], piece, to);
    }
}

/* Looks where everything lies. */
static void look_at_board(Game *g) {
    memset(&g->board, 0, sizeof g->board);
    for (int place = 0; place < PLACES; place++)
        if (g->v[PLACE_TOP + place] != NOTHING) flip(g->board.filled, place);
    for (int piece = 0; piece < PIECES; piece++)
        for (const int16_t *set = INCLUDING + INCLUDING_OF[piece]; *set >= 0; set++)
            set_down(&g->board.occupancy[*set], piece, g->v[PIECE_PLACE + piece]);
}
