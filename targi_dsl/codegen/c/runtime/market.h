/* Purses: whether one covers a plan, and which ones free exchanges lead to. */

/* A purse holds the amount of each resource, with a stride of `apart`. */
static inline int covers(const int32_t *purse, int apart, const Plan *plan) {
    int32_t left = 0;
    for (int r = 0; r < RESOURCES; r++) left |= purse[r * apart] - plan->needs[r];
    if (left < 0) return 0;
    for (int i = 0; i < plan->wanted; i++) {
        int64_t have = 0;
        for (const int16_t *one = MEMBERS + MEMBERS_OF[plan->wild[i][0]]; *one >= 0; one++)
            have += purse[*one * apart];
        if (have < plan->wild[i][2]) return 0;
    }
    return 1;
}

/* Whether a purse covers a plan, together with stores. */
static int is_covered(const int32_t *own, int apart, const Invoice *of, const Plan *plan) {
    int32_t purse[RESOURCES + 1];
    if (!of->stores) return covers(own, apart, plan);
    for (int r = 0; r < RESOURCES; r++) purse[r] = own[r * apart] + of->more[r];
    return covers(purse, 1, plan);
}

/* Applies an exchange to a purse `times` times; a negative number undoes it. */
static inline void exchange_in(int32_t *purse, int apart, int number, int times) {
    const Exchange *one = &EXCHANGES[number];
    for (int i = 0; i < one->count; i++)
        purse[one->of[i].resource * apart] += times * (one->of[i].take - one->of[i].give);
}

/* Adds a purse to those reached, unless it is among them. */
static void note_purse(Reached *s, const int32_t *purse) {
    int at = hash(purse, RESOURCES) & (MET - 1);
    for (; s->met[at]; at = (at + 1) & (MET - 1))
        if (!memcmp(s->purses[s->met[at] - 1], purse, RESOURCES * sizeof *purse)) return;
    memcpy(s->purses[s->count], purse, RESOURCES * sizeof *purse);
    s->at[s->count] = (int16_t)at;
    s->met[at] = (int16_t)++s->count;
}

/* Finds every purse that certain exchanges lead to, breadth first. */
static void search(Reached *s, const int32_t *own) {
    while (s->count) s->met[s->at[--s->count]] = 0;
    note_purse(s, own);
    for (int i = 0; i < s->count; i++)
        for (int w = 0; w < EXCHANGE_WORDS; w++)
            for (uint64_t m = exchanges(s->purses[i], 1, w) & CERTAIN[w]; m && s->count < REACH;
                 m &= m - 1) {
                int32_t after[RESOURCES + 1];
                memcpy(after, s->purses[i], sizeof after);
                exchange_in(after, 1, 64 * w + lowest_bit(m), 1);
                note_purse(s, after);
            }
}

static Market *market_of(Game *g, const int32_t *own) {
    uint64_t h = hash(own, RESOURCES);
    Market **slot = &g->memory->purses[h % SLOTS];
    for (Market *one = *slot; one; one = one->next)
        if (one->hash == h && !memcmp(one->purses[0], own, RESOURCES * sizeof *own)) return one;
    Reached *s = &g->memory->reached;
    search(s, own);
    Market *m = malloc(sizeof *m + s->count * sizeof *m->purses);
    if (!m) stop(g, NO_MEMORY);
    m->hash = h, m->count = s->count, m->next = *slot;
    memcpy(m->purses, s->purses, s->count * sizeof *m->purses);
    *slot = m;
    g->memory->kept++;
    return m;
}

/* Whether free exchanges lead to a purse that covers a plan, together with stores. */
static int reaches(Game *g, const int32_t *own, const Invoice *of, const Plan *plan) {
    uint64_t possible = 0;
    if (is_covered(own, 1, of, plan)) return 1;
    for (int w = 0; w < EXCHANGE_WORDS; w++) possible |= exchanges(own, 1, w) & CERTAIN[w];
    if (!possible) return 0;
    const Market *m = market_of(g, own);
    for (int i = 1; i < m->count; i++)
        if (is_covered(m->purses[i], 1, of, plan)) return 1;
    return 0;
}
