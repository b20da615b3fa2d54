/* Canonical numbering of interchangeable things (api/renumbering.py): position keys, observations
 * and determinizations (information/). Positions are vectors, as `pack` writes them. */

enum { NOTHING_FITS = 5, CANNOT_DRAW = 6 }; /* further statuses */
enum { UNDEALT = -2 };

/* Iterates over the slots that may hold a thing of a sort: variables, then kept slots of frames. */
typedef struct {
    const int32_t *v, *listed;
    const int16_t *kept;
    int size, sort, frame, first;
} Holders;

static Holders holders(const int32_t *v, int size, int sort) {
    static const int16_t none = NOTHING;
    return (Holders){v, HELD + HELD_OF[sort], &none, size, sort, STACK, 0};
}

/* The next slot, or NOTHING. */
static int next_holder(Holders *h) {
    if (*h->listed >= 0) return *h->listed++;
    while (*h->kept < 0) {
        if (h->frame >= h->size) return NOTHING;
        h->first = h->frame + HEAD;
        h->kept = KEPT_THINGS + KEPT_THINGS_OF[h->v[h->frame + 1] * SORTS + h->sort];
        h->frame = h->first + RULE_SIZES[h->v[h->frame]];
    }
    return h->first + *h->kept++;
}

static const int32_t *slots_of(int sort, int thing) {
    if (sort == CARD) return BELONGINGS + BELONGINGS_OF[thing];
    return CLASS_SLOTS[PIECE] + SLOTS_OF[PIECE][thing];
}

/* The order of interchangeable things: by rank, then by the values of their slots, then by the
 * first slot that holds either, then by number. */
typedef struct {
    const int32_t *v, *ranks;
    int size, sort;
    int is_open; /* of a card that nobody knows, compare only what players were told */
} Order;

static int is_before(const Order *o, int a, int b) {
    if (o->ranks[a] != o->ranks[b]) return o->ranks[a] < o->ranks[b];
    const int32_t *one = slots_of(o->sort, a), *other = slots_of(o->sort, b);
    int count = o->is_open && o->v[*one] <= 1 ? TOLD + 1 : STACK;
    for (; count-- && *one >= 0 && *other >= 0; one++, other++)
        if (o->v[*one] != o->v[*other]) return o->v[*one] < o->v[*other];
    Holders h = holders(o->v, o->size, o->sort);
    for (int slot; (slot = next_holder(&h)) >= 0;)
        if (o->v[slot] == a || o->v[slot] == b) return o->v[slot] == a;
    return a < b;
}

static void put_in_order(const Order *o, int16_t *things, int n) {
    for (int gap = n / 2; gap; gap /= 2)
        for (int i = gap; i < n; i++) {
            int thing = things[i], at = i;
            for (; at >= gap && is_before(o, thing, things[at - gap]); at -= gap)
                things[at] = things[at - gap];
            things[at] = (int16_t)thing;
        }
}

/* Renumbers the things of a sort in w, a copy of the position v; numbers[-1] is NOTHING. */
static void renumber(const int32_t *v, int32_t *w, int size, int sort, const int32_t *numbers) {
    for (int thing = 0; thing < (sort == CARD ? CARDS : PIECES); thing++) {
        if (numbers[thing] == thing) continue;
        const int32_t *from = slots_of(sort, thing), *to = slots_of(sort, numbers[thing]);
        for (; *from >= 0 && *to >= 0; from++, to++) w[*to] = v[*from];
    }
    Holders h = holders(w, size, sort);
    for (int slot; (slot = next_holder(&h)) >= 0;) w[slot] = numbers[w[slot]];
    for (int card = 0; sort == CARD && card < CARDS; card++)
        w[CARD_NEXT + card] = numbers[w[CARD_NEXT + card]];
    for (int place = 0; sort == CARD && place < PLACES; place++)
        w[PLACE_TOP + place] = numbers[w[PLACE_TOP + place]];
}

/* The identity numbering. */
static int32_t *same_numbers(int32_t *room, int count) {
    for (int i = 0; i <= count; i++) room[i] = i - 1;
    return room + 1;
}

/* Lists the cards on places, place by place from the top; returns how many. */
static int list_cards(const Game *g, int16_t *cards) {
    int n = 0;
    for (int place = 0; place < PLACES; place++) n += pile(g, place, cards + n);
    return n;
}

/* ---- keys ---- */

/* Numbers the members of each class by their order. */
static void number_classes(Order o, int32_t *numbers) {
    const int16_t *class = ALIKE + ALIKE_OF[o.sort];
    for (int n; (n = *class) > 0; class += n + 1) {
        int16_t things[CARDS + PIECES + 1];
        memcpy(things, class + 1, n * sizeof *things);
        put_in_order(&o, things, n);
        for (int i = 0; i < n; i++) numbers[things[i]] = class[i + 1];
    }
}

/* Packs w[1..size] in place as little-endian integers of the smallest width that fits, after the
 * width's letter, as in Python's array; w[0] is free for it. Returns the number of bytes. */
static int narrowed(int32_t *w, int size) {
    uint8_t *to = (uint8_t *)w;
    int32_t low = 0, high = 0;
    for (int i = 1; i <= size; i++) {
        if (w[i] < low) low = w[i];
        if (w[i] > high) high = w[i];
    }
    int width = low >= -128 && high < 128 ? 1 : low >= -32768 && high < 32768 ? 2 : 4;
    *to++ = width == 1 ? 'b' : width == 2 ? 'h' : 'i';
    for (int i = 1; i <= size; i++) {
        uint32_t number = (uint32_t)w[i];
        for (int k = 0; k < width; k++, number >>= 8) *to++ = (uint8_t)number;
    }
    return 1 + size * width;
}

/* The key of a row, as in `State.key`; returns its length in bytes. */
int targi_key(Game *g, const Row *from, int32_t *to) {
    int32_t room[CARDS + PIECES + 2], ranks[CARDS + 1], *w = to + 1;
    int16_t met[CARDS + 1];
    load(g, from);
    int size = pack(g, w), n = list_cards(g, met);
    for (int card = 0; card < CARDS; card++) ranks[card] = n;
    for (int i = 0; i < n; i++) ranks[met[i]] = i;
    for (int sort = 0; sort < SORTS; sort++) {
        if (ALIKE[ALIKE_OF[sort]] <= 0) continue;
        int32_t *numbers = same_numbers(room, sort == CARD ? CARDS : PIECES);
        number_classes((Order){w, sort == CARD ? ranks : g->v + PIECE_PLACE, size, sort, 0}, numbers);
        renumber(g->v, w, size, sort, numbers);
    }
    return narrowed(to, size);
}

/* ---- what a seat knows ---- */

/* Whoever is asked knows the cards that are offered, and those whose abilities are. */
static void see_offered(const Game *g, uint8_t *unknown) {
    const int16_t *of = OFFERED + OFFERED_OF[g->waits];
    for (int64_t i = 0; i < g->offered; i++) {
        int64_t option = g->options[i], way = option >> 16;
        if (option >= EXCHANGE || way >= WAYS_OF[g->waits]) continue;
        if (of[2 * way] && option & 65535) unknown[(option & 65535) - 1] = 0;
        if (of[2 * way + 1] >= 0) unknown[of[2 * way + 1]] = 0;
    }
}

static int is_unseen(const Game *g, const int32_t *secret, int seat) {
    return g->v[secret[1]] && !(seat < PLAYERS && secret[2] >> seat & 1);
}

/* Sorts the values that each variable has for cards that nobody knows. */
static void sort_values(int32_t *w, const uint8_t *unknown) {
    for (int i = 0; i < VALUED; i++) {
        int32_t *values[CARDS + 1], *at = w + VALUED_BASES[i];
        int n = 0;
        for (const int16_t *card = VALUED_CARDS + VALUED_CARDS_OF[i]; *card >= 0; card++, at++) {
            if (!unknown[*card] || w[CARD_KNOWN + *card] > 1) continue;
            int32_t value = *at;
            int k = n++;
            for (values[k] = at; k && *values[k - 1] > value; k--) *values[k] = *values[k - 1];
            *values[k] = value;
        }
    }
}

/* What a seat knows of a row (PLAYERS: what everybody knows). Writes the size of the vector and the
 * numbers of unknown cards and of hidden slots, then the vector, those cards and those slots. */
int targi_observe(Game *g, const Row *from, int seat, int32_t *to) {
    uint8_t unknown[CARDS + 1] = {0};
    int16_t order[CARDS + 1], left[CARDS + 1] = {0};
    int32_t room[CARDS + 1], *numbers = same_numbers(room, CARDS), *w = to + 3;
    int n = 0, away = 0;
    load(g, from);
    for (int card = 0; card < CARDS; card++) {
        int knowing = g->v[CARD_KNOWN + card] >> 1;
        unknown[card] = seat < PLAYERS ? !(knowing >> seat & 1) : knowing != EVERYBODY;
    }
    if (from->seat == seat && seat < PLAYERS) see_offered(g, unknown);
    for (const int32_t *one = *SECRETS; *one >= 0; one += 3)
        if (is_unseen(g, one, seat)) g->v[*one] = LOWS[*one];
    int size = pack(g, w), met = list_cards(g, order);
    for (int i = 0; i < met; i++)
        if (unknown[order[i]]) order[n++] = order[i];
    for (int card = 0; card < CARDS; card++)
        if (unknown[card] && g->v[CARD_PLACE + card] == NOTHING) order[n + away++] = (int16_t)card;
    Order o = {w, g->v + CARD_PLACE, size, CARD, 1};
    put_in_order(&o, order + n, away);
    for (int i = 0; i < n + away; i++) {
        int kind = BEGINS[order[i]], at = left[kind];
        while (!unknown[at] || BEGINS[at] != kind) at++;
        numbers[order[i]] = at;
        left[kind] = (int16_t)(at + 1);
    }
    renumber(g->v, w, size, CARD, numbers);
    int32_t *end = w + size;
    for (int card = 0; card < CARDS; card++) {
        if (!unknown[card]) continue;
        for (const int32_t *slot = EMPTIED + EMPTIED_OF[card]; *slot >= 0; slot++) w[*slot] = 0;
        *end++ = card;
    }
    sort_values(w, unknown);
    to[0] = size, to[1] = (int32_t)(end - w) - size;
    for (const int32_t *one = *SECRETS; *one >= 0; one += 3)
        if (is_unseen(g, one, seat)) *end++ = *one;
    to[2] = (int32_t)(end - w) - size - to[1];
    return FINE;
}

/* ---- determinizations ---- */

/* Removes a random number; the last one takes its place. */
static inline int draw_one(int16_t *from, int16_t *n, uint64_t *stream) {
    int at = below(stream, *n), found = from[at];
    from[at] = from[--*n];
    return found;
}

/* Draws new numbers for the unknown cards, as `deal` does; returns whether there is a deal. */
static int draw_deal(const int32_t *v, const int32_t *unknown, int count, int32_t *numbers,
                     uint64_t *stream) {
    uint8_t left[CARDS + 1] = {0};
    int16_t cards[CARDS + 1], counts[CARDS + 1] = {0};
    for (int i = 0; i < count; i++) left[unknown[i]] = 1, numbers[unknown[i]] = UNDEALT;
    for (const int16_t *box = BOXES; *box >= 0; box++) {
        int16_t n = 0;
        for (int i = 0; i < count; i++)
            if (left[unknown[i]] && CARD_STARTS[unknown[i]] == *box) cards[n++] = (int16_t)unknown[i];
        for (int card = v[PLACE_TOP + *box]; card >= 0; card = v[CARD_NEXT + card]) {
            if (numbers[card] != UNDEALT) continue;
            if (!n) return 0;
            numbers[card] = draw_one(cards, &n, stream);
            left[numbers[card]] = 0;
        }
    }
    for (int i = 0; i < count; i++) {
        int begin = BEGINS[unknown[i]];
        if (left[unknown[i]]) cards[begin + counts[begin]++] = (int16_t)unknown[i];
    }
    for (int i = 0; i < count; i++) {
        int begin = BEGINS[unknown[i]];
        if (numbers[unknown[i]] != UNDEALT) continue;
        if (!counts[begin]) return 0;
        numbers[unknown[i]] = draw_one(cards + begin, &counts[begin], stream);
    }
    return 1;
}

/* Fills each hidden slot with a random value: one that its owner could choose, or any. */
static int fill(Game *g, const int32_t *slots, int count, uint64_t *stream) {
    if (setjmp(g->out)) return g->status;
    for (int i = 0; i < count; i++) {
        int slot = slots[i];
        int64_t any = (int64_t)HIGHS[slot] - LOWS[slot] + 1, n = list_possible(g, slot);
        if (!n && any > UINT32_MAX) return CANNOT_DRAW;
        int32_t drawn = below(stream, (uint32_t)(n ? n : any));
        g->v[slot] = n ? (int32_t)g->options[drawn] : LOWS[slot] + drawn;
    }
    return FINE;
}

/* FINE if the position is possible and offers `exactly` so many options (0: any legal number). */
static int can_be(Game *g, int exactly) {
    if (setjmp(g->out)) return g->status == FAULT ? NOTHING_FITS : g->status;
    for (int player = 0; player < PLAYERS; player++) {
        g->meter = 0;
        if (is_impossible(g, player)) return NOTHING_FITS;
    }
    if (g->waits == NOTHING) return FINE;
    g->meter = 0;
    offer(g, g->waits);
    if (g->offered < LEAST_ASKED[g->waits] || g->offered > OPTIONS) return NOTHING_FITS;
    return !exactly || g->offered == exactly ? FINE : NOTHING_FITS;
}

static int is_ascending(const int32_t *numbers, int count, int low, int end) {
    for (int i = 0; i < count; low = numbers[i++] + 1)
        if (numbers[i] < low || numbers[i] >= end) return 0;
    return 1;
}

/* The random stream of the draws, the chance of the sample, and how many deals to try. */
typedef struct {
    uint64_t stream, chance, tries;
} Draws;

/* What all determinizations of an observation share, but for which unknown cards lie on top. */
typedef struct {
    Board board;
    int32_t waits;
} Shared;

static int find_shared(Game *g, const int32_t *seen, Shared *shared) {
    int size = seen[0], count = seen[1], more = seen[2];
    const int32_t *v = seen + 3, *unknown = v + size, *hidden = unknown + count;
    if (!is_ascending(unknown, count, 0, CARDS) || !is_ascending(hidden, more, HEAD + 1, STACK))
        return NOT_A_POSITION;
    if (!unpack(g, v, size, 0)) return NOT_A_POSITION;
    shared->board = g->board, shared->waits = g->waits;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < TOLD; k++) /* only Python respects what players were told of a card */
            if (v[TOLD_BASES[k] + unknown[i]]) return CANNOT_DRAW;
    return FINE;
}

/* Draws a determinization of an observation that offers `exactly` so many options (0: any number).
 * If no deal fits, writes the numbers of the last one instead. */
static int draw_row(Game *g, const int32_t *seen, const Shared *shared, int exactly, Draws *draws,
                    Row *to) {
    int size = seen[0], count = seen[1], more = seen[2], status = NOTHING_FITS;
    const int32_t *v = seen + 3, *unknown = v + size, *hidden = unknown + count;
    int32_t room[CARDS + 3], *numbers = same_numbers(room, CARDS + 2), *w = (int32_t *)to;
    g->waits = shared->waits;
    g->chance = draws->chance;
    g->v[POINT] = NOTHING, g->v[1] = 0;
    while (status == NOTHING_FITS && draws->tries) {
        draws->tries--;
        if (!draw_deal(v, unknown, count, numbers, &draws->stream)) return CANNOT_DRAW;
        memcpy(w, v, size * sizeof *w);
        renumber(v, w, size, CARD, numbers);
        memcpy(g->v + HEAD, w + HEAD, (STACK - HEAD) * sizeof *w);
        g->board = shared->board;
        for (int place = 0; COVERS > 1 && place < PLACES; place++)
            if (v[PLACE_TOP + place] != w[PLACE_TOP + place])
                set_top(g, place, v[PLACE_TOP + place], w[PLACE_TOP + place]);
        reset(g);
        if (!unpack_frames(g, w, size)) return NOT_A_POSITION;
        if ((status = fill(g, hidden, more, &draws->stream)) == FINE) status = can_be(g, exactly);
    }
    if (status == FINE) store(g, to);
    if (status == NOTHING_FITS) memcpy(to, numbers, CARDS * sizeof *numbers);
    return status;
}

int targi_sample(Game *g, const int32_t *seen, int exactly, int asked, Draws *draws, Row *to) {
    Shared shared;
    int status = find_shared(g, seen, &shared);
    g->asked = asked;
    return status == FINE ? draw_row(g, seen, &shared, exactly, draws, to) : status;
}
