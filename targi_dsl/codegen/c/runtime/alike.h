/* Symmetry reduction: of interchangeable things in the same state, a way offers only the first. */

enum { SORTS = 2, CARD = 0, PIECE = 1 };

static int point_of(const Frame *f) {
    return f->back > RETURN ? POINT_AT[f->back] : RETURN_POINTS[f->rule];
}

static int is_held(Game *g, int sort, int thing, int point) {
    for (const int32_t *slot = HELD + HELD_OF[sort]; *slot >= 0; slot++)
        if (g->v[*slot] == thing) return 1;
    for (int i = g->depth; i; i--) {
        const Frame *f = &g->frames[i];
        int at = i == g->depth ? point : point_of(f);
        const int16_t *slot = LIVE_THINGS + LIVE_THINGS_OF[at * SORTS + sort];
        for (; *slot >= 0; slot++)
            if (f->s[*slot] == thing) return 1;
    }
    return 0;
}

static int are_equal(Game *g, const int32_t *a, const int32_t *b) {
    for (; *a >= 0; a++, b++)
        if (g->v[*a] != g->v[*b]) return 0;
    return 1;
}

/* Drops redundant options. sorts: what each way chooses: CARD, PIECE or NOTHING. */
static void drop_redundant(Game *g, const int8_t *sorts, int ways, int point) {
    int64_t kept = 0;
    for (int64_t i = 0; i < g->offered; i++) {
        int64_t option = g->options[i];
        int way = (int)(option >> 16), thing = (int)(option & 65535) - 1;
        int sort = option < EXCHANGE && way < ways && thing >= 0 ? sorts[way] : NOTHING;
        int class = sort == NOTHING ? NOTHING : CLASSES[sort][thing], again = 0;
        if (class >= 0 && !is_held(g, sort, thing, point))
            for (int64_t k = 0; k < kept && !again; k++) {
                int other = (int)(g->options[k] & 65535) - 1;
                again = g->options[k] >> 16 == way && CLASSES[sort][other] == class &&
                        are_equal(g, CLASS_SLOTS[sort] + SLOTS_OF[sort][thing],
                                  CLASS_SLOTS[sort] + SLOTS_OF[sort][other]) &&
                        !is_held(g, sort, other, point);
            }
        if (!again) g->options[kept++] = option;
    }
    g->offered = kept;
}
