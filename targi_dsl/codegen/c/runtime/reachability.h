/* Reachability: breadth-first search on bitmasks, with a cache of the last paths found. */

typedef uint64_t Way[WAY_WORDS + 1]; /* the elements of a path */

static ALWAYS_INLINE int is_way(const uint64_t *way, int words, const uint64_t *start, const uint64_t *among,
                  const uint64_t *to) {
    uint64_t first = 0, last = 0, beside = 0;
    for (int i = 0; i < words; i++) {
        first |= way[i] & start[i];
        last |= way[i] & to[i];
        beside |= way[i] & ~among[i];
    }
    return first && last && !beside;
}

/* Whether steps within `among` lead from `start` to `to`. steps: the neighbours of each element, as
 * a mask. kept: the last paths found, one for each player, since players mostly ask for different
 * ones; a cached path that is still open answers at once, whatever else has changed. */
static ALWAYS_INLINE int joins(Game *g, int words, Way *kept, const uint64_t *steps, const uint64_t *start,
                 const uint64_t *among, const uint64_t *to) {
    uint64_t levels[64 * WAY_WORDS + 2][WAY_WORDS + 1], left[WAY_WORDS + 1], some, there;
    int depth = 0, x = 0;
    for (int k = 0; kept && k < PLAYERS; k++)
        if (is_way(kept[k], words, start, among, to)) return 1;
    for (int i = 0; i < words; i++) {
        if (start[i] & among[i] & to[i]) return 1;
        levels[0][i] = start[i];
        left[i] = among[i] & ~start[i];
    }
    do {
        uint64_t *now = levels[depth], *next = levels[++depth];
        for (int i = 0; i < words; i++) next[i] = 0;
        for (int i = 0; i < words; i++)
            for (uint64_t m = now[i]; m; m &= m - 1) {
                const uint64_t *leads = steps + (64 * i + lowest_bit(m)) * words;
                for (int k = 0; k < words; k++) next[k] |= leads[k];
            }
        some = there = 0;
        for (int i = 0; i < words; i++) {
            next[i] &= left[i];
            left[i] &= ~next[i];
            some |= next[i];
            there |= next[i] & to[i];
        }
    } while (some && !there);
    if (!there || !kept) return there != 0;
    uint64_t *way = kept[g->next_way++ % PLAYERS];
    for (int i = 0; i < words; i++) way[i] = 0;
    for (int at = depth; at >= 0; at--) {
        const uint64_t *among_these = at == depth ? to : steps + x * words;
        for (int i = 0; i < words; i++)
            if (levels[at][i] & among_these[i])
                x = 64 * i + lowest_bit(levels[at][i] & among_these[i]);
        way[x >> 6] |= (uint64_t)1 << (x & 63);
    }
    return 1;
}
