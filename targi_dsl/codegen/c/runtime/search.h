/* Monte-Carlo search: playouts of the options of the root question, each from a determinization of
 * what its player knows, with or without a tree. Without one it matches search/reference.py. */

enum { OUTSIDE = 0, ROOT = 1, MOST_MADE = 1000, NEEDS_DEAL = 7, DEAL_TRIES = 2, TABLE = 4096 };
enum { MERITS = AT_TAKEN - AT_OFFERED }; /* for each option anywhere and each player */
enum { FAILED = -1000000 }; /* everybody's lead in a playout in which the rules are at fault */
#define CERTAIN (INT64_MAX / 2)

/* Action statistics: visits of an option anywhere, and the sum of the leads they led to. */
typedef struct {
    int64_t visits, sum;
} Merit;

/* A node: an option after others. offered: how often it was legal; key: question, player, option;
 * first, count: its children, by ascending keys; proven: 1 a certain win, -1 a certain loss. */
typedef struct {
    int64_t visits, sum, offered, key, first, count, proven;
} Node;

/* The current playout. at: its node; complete: by node, whether all alternatives have nodes. */
typedef struct {
    int64_t at, depth, made, nodes[MOST_MADE + 1], merits[MOST_MADE + 1];
    uint8_t seats[MOST_MADE + 1], complete[MOST_MADE + 1];
    uint64_t streams[PLAYERS];
    int32_t found[OPTIONS_ROOM];
    Shared shared; /* what all deals share, if is_shared */
    int is_shared;
} Playout;

typedef struct Search {
    uint64_t seed;
    int64_t seat, rounds, enough, farthest, draws, grows, exploration, proves;
    int64_t few, rounds_weighed, weighed, lined; /* see Evaluation */
    int64_t count, playouts, most_nodes; /* count: of root options */
    int64_t done, nodes, total, deviation, scale; /* progress and statistics so far */
    int64_t used, dealt, missing; /* nodes used of the pool; deal in `row`; deal to be drawn */
    int64_t budget, is_under_way, observed; /* of a seat in a whole game, see `seat_option` */
    const int64_t *options, *places, *weights, *lines, *faces; /* each after an unused number */
    const int32_t *inverse_roots, *log_roots;
    int32_t *seen;
    Node *tree;
    Merit *merits;
    int64_t *ends; /* the lead at the end of each playout */
    Row *row;
    Playout *playout;
    const Merit *prior;
    Game *inside; /* of a seat in a whole game: what its playouts are played in */
    Row *position;
    uint64_t *taken;
    Merit *learned; /* by all of its searches, or null */
} Search;

static Merit *merit_of(const Search *s, int question, int64_t option, int you) {
    int64_t cell = EXCHANGE_CELLS + option - EXCHANGE;
    if (option < EXCHANGE) {
        const int32_t *of = CELLS[CELLS_OF[question] + (option >> 16)];
        int at = (int)(option & 65535) - 1 - of[1];
        cell = of[0] + (at < 0 ? 0 : at >= of[2] ? of[2] - 1 : at);
    }
    return &s->merits[cell * PLAYERS + you];
}

/* ---- playouts ---- */

/* Whether an option has the better mean; one without visits beats any with visits. */
static int is_better(const Merit *one, const Merit *other) {
    if (!one->visits || !other->visits) return !one->visits && other->visits;
    return one->sum * other->visits > other->sum * one->visits;
}

/* Appends an action to the path of the playout. */
static void note_merit(Search *s, const Merit *merit, int you) {
    Playout *now = s->playout;
    now->merits[now->made] = merit - s->merits;
    now->seats[now->made++] = (uint8_t)you;
}

/* Draws `draws` of n options at random, and appends the one with the best mean to the path; returns
 * its number: among those of the menu `of`, or of `found`, or all that are listed. */
static ALWAYS_INLINE int best_drawn(Game *g, Search *s, const Menu *of, const uint64_t *masks,
                                    const int32_t *found, int n, int you) {
    const Merit *most = 0;
    uint64_t drawn = 0, *stream = &s->playout->streams[you];
    int best = NOTHING;
    for (int64_t i = 0; i < s->draws; i++, drawn >>= 16) { /* four numbers from each of 64 bits */
        if (s->draws > 1 && i % 4 == 0) drawn = mixed(*stream += STRIDE);
        int at = s->draws > 1 ? (int)((drawn & 65535) * n >> 16) : (int)below(stream, (uint32_t)n);
        if (at == best) continue;
        int64_t option = of ? option_with(g, of, masks, at) : g->options[found ? found[at] : at];
        const Merit *other = merit_of(s, of ? of->question : g->waits, option, you);
        if (!most || is_better(other, most)) best = at, most = other;
    }
    note_merit(s, most, you);
    return best;
}

/* The playout policy: prefers options that do not decline, then the best of a random few. */
static int playout_option(Game *g, Search *s, int you, int may_decline) {
    int32_t *found = s->playout->found;
    int n = 0, all = (int)g->offered;
    for (int i = 0; may_decline && i < all; i++)
        if (!declines(g, g->options[i])) found[n++] = i;
    return n ? found[best_drawn(g, s, 0, 0, found, n, you)] : best_drawn(g, s, 0, 0, 0, all, you);
}

/* The playout policy for a menu, without its declining options; returns a number in the menu. */
static NEVER_INLINE int searched_number(Game *g, const Menu *of, const uint64_t *masks, int64_t left,
                                        int you) {
    return best_drawn(g, g->search, of, masks, 0, (int)left, you);
}

/* ---- the tree ---- */

/* The UCB value of a node that was legal `offered` times: its mean, and an exploration bonus. */
static int64_t urgency(const Search *s, const Node *one, int64_t offered) {
    int64_t visits = one->visits, logs = 0, roots = 0;
    if (one->proven) return one->proven * CERTAIN;
    while (offered >= TABLE) offered >>= 1, logs++;
    while (visits >= TABLE) visits >>= 2, roots++;
    int64_t more = s->log_roots[logs ? TABLE + logs : offered] * (s->inverse_roots[visits] >> roots);
    return one->sum * 65536 / one->visits + s->exploration * (s->scale + 1) * more / 65536;
}

/* Adds a child to a node; returns its index. When the number of children is a power of two, they
 * move to a block of twice the size at the end of the pool. */
static int64_t add_node(Search *s, Node *after, int64_t key) {
    int64_t n = after->count++;
    if (!(n & (n - 1))) {
        memcpy(s->tree + s->used, s->tree + after->first, n * sizeof(Node));
        after->first = s->used, s->used += n ? 2 * n : 1;
    }
    Node *all = s->tree + after->first;
    for (; n && all[n - 1].key > key; n--) all[n] = all[n - 1];
    all[n] = (Node){.offered = 1, .key = key};
    s->nodes++;
    return after->first + n;
}

/* The tree policy: expands a legal option that has no node yet, rather one that does not decline,
 * and leaves the tree; if all have nodes, selects the child with the highest UCB value. */
static int tree_option(Game *g, Search *s, int you) {
    Playout *now = s->playout;
    int64_t base = ((int64_t)g->waits * PLAYERS + you) << 34, most = INT64_MIN, node = 0, last = 0;
    Node *after = &s->tree[now->at], *first = s->tree + after->first, *end = first + after->count;
    Node *one = first;
    int n = 0, useful = 0, best = 0, known = 0;
    for (int i = 0; i < g->offered; i++) {
        int64_t key = base + g->options[i];
        if (key < last) one = first;
        for (last = key; one < end && one->key < key;) one++;
        if (one == end || one->key != key) {
            int does = !declines(g, g->options[i]);
            if (does && !useful) n = 0, useful = 1;
            if (does == useful) now->found[n++] = i;
            continue;
        }
        int64_t found = urgency(s, one, ++one->offered);
        known++;
        if (found > most) most = found, best = i, node = one - s->tree;
    }
    if (n && s->nodes < s->most_nodes) {
        best = now->found[best_drawn(g, s, 0, 0, now->found, n, you)];
        node = add_node(s, after, base + g->options[best]);
        now->at = OUTSIDE, known++;
    } else if (node) {
        now->at = node;
        PREFETCH(&s->tree[s->tree[node].first]);
        note_merit(s, merit_of(s, g->waits, g->options[best], you), you);
    } else {
        now->at = OUTSIDE;
        return playout_option(g, s, you, 1);
    }
    now->complete[now->depth] = known == g->offered;
    now->nodes[now->depth++] = node;
    return best;
}

/* Leaves the choices to random players, unless the playout policy compares action statistics. */
static void leave_tree(Game *g, const Search *s) { g->search = s->draws > 1 ? g->search : 0; }

static int64_t searched_option(Game *g, int you, int may_decline) {
    Search *s = g->search;
    Playout *now = s->playout;
    int at = now->at == OUTSIDE ? playout_option(g, s, you, may_decline) : tree_option(g, s, you);
    if (now->at == OUTSIDE) g->most_at_once = g->most, leave_tree(g, s);
    return g->options[at];
}

/* ---- evaluation ---- */

/* Adds what each pair of cards in a line with a free place is worth. A line: its length, its kind,
 * the kind of the faces, its places. */
static void add_lines(const Game *g, const Search *s, const int64_t *weights, int64_t *of) {
    const int64_t *line = s->lines + 1;
    for (int64_t i = 0; i < s->lined; i++, line += 3 + line[0]) {
        const int64_t *places = line + 3, *faces = s->faces + 1 + line[2] * CARDS;
        int64_t sum = 0, left = 0;
        for (int64_t a = 0; a < line[0]; a++) {
            int32_t one = g->v[PLACE_TOP + places[a]];
            left += one < 0;
            for (int64_t b = 0; one >= 0 && faces[one] >= 0 && b < a; b++) {
                int32_t other = g->v[PLACE_TOP + places[b]];
                if (other < 0 || faces[other] < 0) continue;
                sum += weights[2 * line[1] + (faces[one] != faces[other])];
            }
        }
        if (left) of[s->places[1 + 2 * places[0]]] += sum;
    }
}

/* Adds the heuristic value of an unfinished game. */
static void add_evaluation(const Game *g, const Search *s, int64_t *of) {
    int64_t round = COUNTS_ROUNDS >= 0 ? g->v[COUNTS_ROUNDS] : 0;
    round = round < 0 ? 0 : round < s->rounds_weighed ? round : s->rounds_weighed - 1;
    const int64_t *amounts = s->weights + 1 + round * s->weighed;
    const int64_t *places = amounts + 3 * RESOURCES, *active = places + PLACES, *held = active + CARDS;
    for (int r = 0; r < RESOURCES; r++, amounts += 3)
        for (int p = 0; p < PLAYERS; p++) {
            int32_t amount = g->v[AMOUNT(r, p)];
            if (amount <= 0) of[p] += amounts[0];
            of[p] += amounts[1] * (amount < s->few ? amount : s->few);
            if (amount > s->few) of[p] += amounts[2] * (amount - s->few);
        }
    const int64_t *at = s->places + 1;
    for (int place = 0; place < PLACES; place++, at += 2)
        for (int card = at[0] < 0 ? NOTHING : g->v[PLACE_TOP + place]; card >= 0;
             card = g->v[CARD_NEXT + card])
            of[at[0]] += places[place] + (at[1] ? active : held)[card];
    if (s->lined) add_lines(g, s, held + CARDS, of);
}

/* Each player's lead over the best opponent, in tenths of a point. */
static void find_leads(Game *g, const Search *s, int64_t *leads) {
    int64_t of[PLAYERS], zero[PLAYERS] = {0}, decided;
    int decides = 0, is_over = g->waits == NOTHING;
    for (int p = 0; !SCORES && is_over && p < PLAYERS; p++) decides |= outcome(g, p) != 0;
    int mask = decides ? winners(g, zero, &decided) : 0;
    for (int p = 0; p < PLAYERS; p++)
        of[p] = !decides ? 10 * MERIT * total(g, p, 0) : mask >> p & 1 ? 10 : -10;
    if (!is_over) add_evaluation(g, s, of);
    for (int p = 0; p < PLAYERS; p++) {
        int64_t best = INT64_MIN;
        for (int other = 0; other < PLAYERS; other++)
            if (other != p && of[other] > best) best = of[other];
        leads[p] = of[p] - (best == INT64_MIN ? 0 : best);
    }
}

/* Loads a deal, which depends only on its number and the seed; 0 if the caller has to draw it. */
static int open_deal(Game *g, Search *s, int64_t number) {
    Playout *now = s->playout;
    if (s->dealt == number) {
        load(g, s->row);
        return 1;
    }
    Draws draws = {stream_of(s->seed, (uint64_t)number + 1), 0, DEAL_TRIES};
    draws.chance = (uint64_t)draw(&draws.stream) << 32;
    draws.chance |= draw(&draws.stream);
    s->missing = number, s->dealt = NOTHING;
    if (!now->is_shared && find_shared(g, s->seen, &now->shared)) return 0;
    now->is_shared = 1, g->asked = 0;
    while (draws.tries) {
        if (draw_row(g, s->seen, &now->shared, (int)s->count, &draws, s->row)) return 0;
        if (memcmp(s->row + 1, s->options, s->count * sizeof *s->options)) continue;
        s->dealt = number;
        reset(g);
        return 1;
    }
    return 0;
}

/* Limits a playout to so many rounds. */
static void set_end(Game *g, const Search *s, int64_t rounds) {
    g->most = s->farthest, g->last_round = rounds;
    g->most_at_once = s->playout->at == OUTSIDE ? g->most : 0;
}

/* Plays a root option out for `s->rounds` rounds. The first playout finds that number: it doubles
 * the rounds until there are `s->enough` decisions. */
static void run_playout(Game *g, Search *s, int64_t option) {
    int64_t rounds = s->rounds ? s->rounds : 2;
    set_end(g, s, rounds);
    answer(g, option);
    while (!s->rounds && g->decisions < s->enough && g->waits != NOTHING) {
        set_end(g, s, rounds *= 2);
        while (g->waits != NOTHING && g->rounds < rounds && g->decisions < s->farthest)
            answer(g, next_option(g, &g->frames[g->depth], 1));
    }
    s->rounds = rounds;
}

/* The next root option: round robin; with a tree, the one with the highest UCB value after that. */
static int64_t root_option(const Search *s) {
    int64_t best = 0, most = INT64_MIN;
    if (!s->grows || s->done < s->count) return s->done % s->count;
    for (int64_t i = 0; i < s->count; i++) {
        int64_t found = urgency(s, &s->tree[ROOT + i], s->done);
        if (found > most) most = found, best = i;
    }
    return best;
}

/* Begins the action statistics: with those learned, of leads over the one in the first deal. */
static void begin_merits(Game *g, Search *s) {
    int64_t leads[PLAYERS];
    memset(s->merits, 0, MERITS * sizeof *s->merits);
    if (!s->prior) return;
    find_leads(g, s, leads);
    g->meter = 0;
    for (int i = 0; i < MERITS; i++) {
        s->merits[i] = s->prior[i];
        s->merits[i].sum += s->prior[i].visits * leads[i % PLAYERS];
    }
}

static void begin_playout(Game *g, Search *s, int64_t at) {
    Playout *now = s->playout;
    g->budget = INT64_MAX / 2, g->search = s, g->streams = now->streams;
    if (!s->grows) leave_tree(g, s);
    for (int p = 0; p < PLAYERS; p++) now->streams[p] = ~g->chance - ((uint64_t)p << 32);
    now->at = s->grows ? ROOT + at : OUTSIDE;
    now->nodes[0] = ROOT + at;
    now->made = 0, now->depth = 1;
    note_merit(s, merit_of(s, g->waits, s->options[at], (int)s->seat), (int)s->seat);
}

/* MCTS-Solver: backs up proven wins and losses. Whoever can win does; who can only lose has lost
 * (M. Winands, Y. Bjornsson and J.-T. Saito: Monte-Carlo tree search solver, 2008). */
static void prove(Search *s, int64_t lead) {
    const Playout *now = s->playout;
    int64_t i = now->depth - 1;
    s->tree[now->nodes[i]].proven = (lead > 0) - (lead < 0);
    for (; i > 0 && s->tree[now->nodes[i]].proven; i--) {
        Node *before = &s->tree[now->nodes[i - 1]];
        int wins = s->tree[now->nodes[i]].proven > 0, is_known = wins || now->complete[i];
        for (int64_t k = 0; k < before->count && !wins; k++)
            is_known &= s->tree[before->first + k].proven < 0;
        if (!is_known) return;
        before->proven = wins == (now->seats[i] == now->seats[i - 1]) ? 1 : -1;
    }
}

/* Backpropagates the leads to the nodes and action statistics of the path. */
static void end_playout(Search *s, const int64_t *leads, int is_in_tree) {
    Playout *now = s->playout;
    int64_t lead = leads[s->seat], mean = s->done ? s->total / s->done : lead, scale;
    s->total += lead;
    s->deviation += lead < mean ? mean - lead : lead - mean;
    scale = s->deviation / (s->done + 1);
    if (s->done >= s->count && scale > s->scale) s->scale = scale;
    s->ends[s->done] = lead;
    for (int64_t i = 0; i < now->depth; i++) {
        Node *one = &s->tree[now->nodes[i]];
        one->visits++, one->sum += leads[now->seats[i]];
    }
    if (s->proves && is_in_tree) prove(s, leads[now->seats[now->depth - 1]]);
    for (int64_t i = 0; leads[0] != FAILED && i < now->made; i++) {
        Merit *one = &s->merits[now->merits[i]];
        one->visits++, one->sum += leads[now->seats[i]];
    }
}

/* Continues the playouts until they are done or the budget, in elements visited, is spent. */
static int run_search(Game *g, Search *s, int64_t *budget) {
    int64_t leads[PLAYERS];
    uint8_t busy[PLAYERS];
    Playout playout;
    listen(g, 0);
    memset(busy, 1, sizeof busy);
    playout.is_shared = 0;
    s->playout = &playout, g->busy = busy;
    for (; s->done < s->playouts && *budget >= 0; s->done++) {
        int64_t at = root_option(s);
        if (!open_deal(g, s, s->tree[ROOT + at].visits)) return NEEDS_DEAL;
        begin_playout(g, s, at);
        if (!setjmp(g->out)) {
            if (!s->done) begin_merits(g, s);
            run_playout(g, s, s->options[at]);
            find_leads(g, s, leads);
        } else {
            for (int p = 0; p < PLAYERS; p++) leads[p] = FAILED;
        }
        int is_over = leads[0] != FAILED && g->waits == NOTHING;
        end_playout(s, leads, is_over && playout.depth == g->decisions + 1);
        *budget -= INT64_MAX / 2 - g->budget + DECISION;
        g->search = 0;
    }
    return FINE;
}

int targi_search(Game *g, Search *s, int64_t budget) { return run_search(g, s, &budget); }

/* ---- seats of whole games that search: the player of players/lookahead.py ---- */

enum { TAKEN_ROOM = 1 << 15 }; /* for more than MOST_DECISIONS */

static void begin_seats(Game *g, Search *seats, int rotation) {
    g->seats = seats ? seats + rotation * PLAYERS : 0;
    for (int p = 0; seats && p < PLAYERS; p++)
        if (g->seats[p].budget) memset(g->seats[p].taken, 0, TAKEN_ROOM * sizeof(uint64_t));
}

/* How often an option was taken where the same was observed: the table has its key so often. */
static int times_taken(Search *s, int64_t at, int is_now) {
    uint64_t key = (uint64_t)s->observed << 32 | (uint64_t)(at + 1), cell = mixed(key);
    int n = 0;
    for (; s->taken[cell % TAKEN_ROOM]; cell++) n += s->taken[cell % TAKEN_ROOM] == key;
    if (is_now) s->taken[cell % TAKEN_ROOM] = key;
    return n;
}

/* Begins the search of an open question, with what its player observes. */
static void begin_search(const Game *g, Search *s, int you) {
    uint64_t number = 0;
    store(g, s->position);
    targi_observe(s->inside, s->position, you, s->seen);
    for (int i = 3 + s->seen[0] + s->seen[1] + s->seen[2]; i--;)
        number = (number << 32 | (uint32_t)s->seen[i]) % OBSERVED;
    s->observed = (int64_t)number, s->seed = stream_of(g->streams[you], number);
    s->seat = you, s->count = g->offered, s->options = (int64_t *)(s->position + 1);
    s->rounds = SCORES ? 0 : s->rounds;
    s->done = s->total = s->deviation = s->scale = 0, s->dealt = NOTHING;
    s->nodes = s->used = s->count + 1;
    memset(s->tree, 0, s->nodes * sizeof *s->tree);
    s->playouts = s->grows ? s->budget : s->budget / s->count * s->count;
    if (s->playouts < LEAST * s->count) s->playouts = LEAST * s->count;
    s->is_under_way = 1;
}

static int64_t compared(const Node *one, const Node *other) {
    if (one->proven != other->proven) return one->proven - other->proven;
    return one->visits == other->visits ? one->sum - other->sum : one->visits - other->visits;
}

/* The best option, but none that was often taken where the same was observed, if there are others;
 * of equally good ones, one that declines. */
static int64_t best_option(const Game *g, Search *s) {
    int64_t *best = s->inside->options, n = 0, declining = 0, fresh = 0, at;
    const Node *most = 0, *one = s->tree + ROOT;
    for (at = 0; at < s->count; at++) fresh += times_taken(s, at, 0) < OFTEN;
    for (at = 0; at < s->count; at++, one++) {
        if (fresh && times_taken(s, at, 0) >= OFTEN) continue;
        int64_t order = most ? compared(one, most) : 1;
        if (order > 0) n = 0, most = one;
        if (order >= 0) best[n++] = at;
    }
    for (int64_t i = 0; i < n; i++)
        if (declines(g, g->options[best[i]])) best[declining++] = best[i];
    uint64_t stream = s->seed;
    at = best[below(&stream, (uint32_t)(declining ? declining : n))];
    times_taken(s, at, 1);
    return g->options[at];
}

/* Adds by how much the playouts with an action ended better than all of its player's. */
static void learn(Search *s) {
    Merit all[PLAYERS] = {{0, 0}};
    for (int i = 0; i < MERITS; i++) {
        all[i % PLAYERS].visits += s->merits[i].visits;
        all[i % PLAYERS].sum += s->merits[i].sum;
    }
    for (int i = 0; i < MERITS; i++) {
        int64_t visits = s->merits[i].visits;
        if (!visits) continue;
        s->learned[i].visits += visits;
        s->learned[i].sum +=
            s->merits[i].sum - visits * all[i % PLAYERS].sum / all[i % PLAYERS].visits;
    }
}

/* Finds the choice of a seat that searches; 0 if the search is to be continued by another call. */
static int seat_option(Game *g, int you, int64_t *option) {
    Search *s = &g->seats[you];
    if (!s->budget || g->offered == 1) return 1;
    if (!s->is_under_way) begin_search(g, s, you);
    run_search(s->inside, s, &g->budget);
    if (s->done < s->playouts) return 0;
    s->is_under_way = 0;
    if (s->learned) learn(s);
    *option = best_option(g, s);
    return 1;
}
