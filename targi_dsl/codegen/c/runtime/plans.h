/* Payment plans: every way to pay a price, with its reductions and substitutes applied. */

enum { CHANGES = CUTS + SUBSTITUTES };
enum { REACH = 2000, COUNTED = -2 };

typedef struct {
    uint64_t chosen; /* the mask of its substitutes */
    int16_t wanted, used, bracket; /* entries of wild; of abilities; whether the extra is paid */
    int32_t needs[RESOURCES + 1];  /* the number of each resource */
    int32_t wild[GROUPS + 1][3];   /* group, wildcard units, all units of the group */
    int16_t abilities[CHANGES + 1];
} Plan;

typedef struct {
    int32_t count;
    Plan plans[];
} Plans;

/* A price with its modifiers: the cache key of its plans, `size` numbers long. */
typedef struct {
    int32_t size, price, amounts, cuts, substitutes;
    int32_t rest[2 * ITEMS + 3 * CUTS + SUBSTITUTES + 1];
} Asked;

typedef struct {
    Asked asked;
    int32_t item[ITEMS + 1]; /* of a counted price */
    int32_t cut[CUTS + 1][3];
    int32_t substitute[SUBSTITUTES + 1];
    int32_t stores, stored[STORES + 1][2];
    int32_t *own; /* the player's amounts, PLAYERS apart */
    int32_t more[RESOURCES + 1]; /* stored amount of each resource; set if stores > 0 */
} Invoice;

typedef struct CachedPlans {
    struct CachedPlans *next;
    uint64_t hash;
    Plans *plans;
    Asked asked;
} CachedPlans;

/* The purses that exchanges lead to, in breadth-first order. */
typedef struct Market {
    struct Market *next;
    uint64_t hash;
    int32_t count;
    int32_t purses[][RESOURCES + 1];
} Market;

enum { SLOTS = 4096, MOST_CACHED = 20000, MET = 4096 };

/* The search for a market: the purses reached, and a hash table of their numbers (0: empty). */
typedef struct {
    int32_t count, purses[REACH][RESOURCES + 1];
    int16_t at[REACH], met[MET];
} Reached;

struct Memory {
    int32_t kept;
    Plans *plain[PRICE_COUNT + 1]; /* of each unmodified price */
    CachedPlans *plans[SLOTS];
    Market *purses[SLOTS];
    Reached reached;
};

static void forget(Memory *memory) {
    for (int i = 0; i < SLOTS; i++) {
        for (CachedPlans *one = memory->plans[i], *next; one; one = next) {
            next = one->next;
            free(one->plans);
            free(one);
        }
        for (Market *one = memory->purses[i], *next; one; one = next) {
            next = one->next;
            free(one);
        }
    }
    for (int i = 0; i < PRICE_COUNT; i++) free(memory->plain[i]);
    memset(memory, 0, sizeof *memory);
}

static uint64_t hash(const int32_t *numbers, int n) {
    uint64_t h = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < n; i++) h = (h ^ (uint32_t)numbers[i]) * 0x100000001B3u, h ^= h >> 29;
    return h;
}

typedef struct {
    int32_t item[ITEMS + 1];
    int16_t used, abilities[CHANGES + 1];
} Rest;

typedef struct {
    int count, room;
    Rest *rests;
} Rests;

static void add_rest(Game *g, Rests *to, const Rest *one) {
    if (to->count == to->room) {
        int room = to->room * 2 + 16;
        Rest *rests = realloc(to->rests, room * sizeof *rests);
        if (!rests) stop(g, NO_MEMORY);
        to->rests = rests;
        to->room = room;
    }
    to->rests[to->count++] = *one;
}

static void swap(Rests *a, Rests *b) {
    Rests before = *a;
    *a = *b, *b = before;
}

/* Adds every way to take so many units off these items. */
static void take_units(Game *g, Rests *to, Rest *one, const int16_t *scope, int n, int units) {
    if (!n) {
        if (!units) add_rest(g, to, one);
        return;
    }
    int had = one->item[*scope];
    for (int taken = units < had ? units : had; taken >= 0; taken--) {
        one->item[*scope] = had - taken;
        take_units(g, to, one, scope + 1, n - 1, units - taken);
    }
    one->item[*scope] = had;
}

/* The items that a change to an item may affect: the members of a group first, then the item. */
static int scope_of(int item, int16_t *scope) {
    int n = 0;
    if (item >= RESOURCES)
        for (const int16_t *one = MEMBERS + MEMBERS_OF[item - RESOURCES]; *one >= 0; one++)
            scope[n++] = *one;
    scope[n++] = item;
    return n;
}

/* Whether a plan needs the same as another or, with some of its substitutes, less. */
static int stands_for(const Plan *a, const Plan *b) {
    int less = 0;
    if (a->wanted != b->wanted || a->bracket != b->bracket) return 0;
    for (int i = 0; i < a->wanted; i++)
        if (a->wild[i][0] != b->wild[i][0] || a->wild[i][1] != b->wild[i][1]) return 0;
    for (int r = 0; r < RESOURCES; less |= a->needs[r] < b->needs[r], r++)
        if (a->needs[r] > b->needs[r]) return 0;
    return !less || (a->chosen != b->chosen && !(a->chosen & ~b->chosen));
}

static Plan plan_of(const Rest *rest, const int32_t *fixed, uint64_t chosen, int bracket) {
    Plan plan = {.chosen = chosen, .bracket = bracket, .used = rest->used};
    memcpy(plan.abilities, rest->abilities, sizeof plan.abilities);
    for (int r = 0; r < RESOURCES; r++) {
        int number = rest->item[r] + fixed[r];
        plan.needs[r] = number > 0 ? number : 0;
    }
    for (int group = 0; group < GROUPS; group++) {
        int number = rest->item[RESOURCES + group] + fixed[RESOURCES + group];
        if (number <= 0) continue;
        int total = number;
        for (int r = 0; r < RESOURCES; r++) total += IN_GROUP[group][r] ? plan.needs[r] : 0;
        int32_t *wild = plan.wild[plan.wanted++];
        wild[0] = group, wild[1] = number, wild[2] = total;
    }
    return plan;
}

static void add_plan(Game *g, Plans **to, const Plan *plan) {
    int n = *to ? (*to)->count : 0;
    for (int i = 0; i < n; i++)
        if (stands_for(&(*to)->plans[i], plan)) return;
    if (!(n & (n - 1))) {
        Plans *plans = realloc(*to, sizeof **to + (n ? 2 * n : 1) * sizeof *plan);
        if (!plans) stop(g, NO_MEMORY);
        *to = plans;
    }
    (*to)->plans[n] = *plan;
    (*to)->count = n + 1;
}

/* Applies these substitutes: what is left to pay in each way; adds their own cost to `fixed`. */
static void apply_substitutes(Game *g, Rests *ways, const int32_t *chosen, int n, int32_t *fixed) {
    Rests after = {0};
    for (int i = 0; i < n; i++) {
        const Substitute *one = &SUBSTITUTE[chosen[i]];
        for (int item = 0; item < ITEMS; item++) fixed[item] += one->paid[item];
        for (int item = 0; item < ITEMS; item++) {
            if (!one->owed[item]) continue;
            int16_t scope[ITEMS + 1];
            int wide = scope_of(item, scope);
            after.count = 0;
            for (int k = 0; k < ways->count; k++)
                take_units(g, &after, &ways->rests[k], scope, wide, one->owed[item]);
            swap(ways, &after);
        }
        for (int k = 0; k < ways->count; k++)
            ways->rests[k].abilities[ways->rests[k].used++] = one->ability;
    }
    free(after.rests);
}

/* Applies the reductions of an invoice to what is left to pay. */
static void apply_cuts(Game *g, Rests *ways, const Invoice *of) {
    Rests after = {0};
    for (int item = 0; item < ITEMS; item++)
        for (int i = 0; i < of->asked.cuts; i++) {
            if (of->cut[i][1] != item) continue;
            int16_t scope[ITEMS + 1];
            int wide = scope_of(item, scope);
            after.count = 0;
            for (int k = 0; k < ways->count; k++) {
                Rest one = ways->rests[k];
                int64_t units = 0;
                for (int s = 0; s < wide; s++) units += one.item[scope[s]];
                if (units > of->cut[i][2]) units = of->cut[i][2];
                if (units > 0) one.abilities[one.used++] = of->cut[i][0];
                take_units(g, &after, &one, scope, wide, (int)units);
            }
            swap(ways, &after);
        }
    free(after.rests);
}

static void plans_of_choice(Game *g, Plans **to, const Invoice *of, const Rest *base,
                            const int32_t *extra, const int32_t *chosen, int n, uint64_t mask) {
    int32_t fixed[ITEMS + 1] = {0};
    Rests ways = {0};
    add_rest(g, &ways, base);
    apply_substitutes(g, &ways, chosen, n, fixed);
    for (int item = 0; extra && item < ITEMS; item++) fixed[item] += extra[item];
    apply_cuts(g, &ways, of);
    for (int i = 0; i < ways.count; i++) {
        Plan plan = plan_of(&ways.rests[i], fixed, mask, extra != 0);
        add_plan(g, to, &plan);
    }
    free(ways.rests);
}

/* The plans of each combination of `wanted` substitutes, in ascending order. */
static void plans_of_choices(Game *g, Plans **to, const Invoice *of, const Rest *base,
                             const int32_t *extra, int32_t *chosen, int wanted, uint64_t mask) {
    int n = bits(mask);
    if (n == wanted) plans_of_choice(g, to, of, base, extra, chosen, n, mask);
    for (int i = 0; n < wanted && i < of->asked.substitutes; i++) {
        if (mask >> i) continue;
        chosen[n] = of->substitute[i];
        plans_of_choices(g, to, of, base, extra, chosen, wanted, mask | (uint64_t)1 << i);
    }
}

static void plans_of_alternative(Game *g, Plans **to, const Invoice *of, const int32_t *amounts,
                                 const int32_t *extra) {
    Rest base = {0};
    int32_t chosen[SUBSTITUTES + 1];
    memcpy(base.item, amounts, ITEMS * sizeof *amounts);
    for (int bracket = 0; bracket <= (extra != 0); bracket++)
        for (int n = 0; n <= of->asked.substitutes; n++)
            plans_of_choices(g, to, of, &base, bracket ? extra : 0, chosen, n, 0);
}

static Plans *make_plans(Game *g, const Invoice *of) {
    Plans *found = 0;
    if (of->asked.price < 0) {
        plans_of_alternative(g, &found, of, of->item, 0);
    } else {
        const Price *price = &PRICES[of->asked.price];
        for (int i = 0; i < price->alternatives; i++)
            plans_of_alternative(g, &found, of, ALTERNATIVES[price->first + i],
                                 price->has_extra ? price->extra : 0);
    }
    if (!found && !(found = calloc(1, sizeof *found))) stop(g, NO_MEMORY);
    return found;
}

/* Completes the cache key. */
static void complete_key(Invoice *of) {
    Asked *a = &of->asked;
    int32_t *to = a->rest;
    if (a->price == COUNTED)
        for (int item = 0; item < ITEMS; item++) *to++ = of->item[item];
    for (int i = 0; i < a->cuts; i++)
        *to++ = of->cut[i][0], *to++ = of->cut[i][1], *to++ = of->cut[i][2];
    for (int i = 0; i < a->substitutes; i++) *to++ = of->substitute[i];
    a->size = (int32_t)(to - &a->size);
}

/* The plans of a price with modifiers, from the cache if they are there. */
static Plans *cached_plans(Game *g, Invoice *of) {
    complete_key(of);
    uint64_t h = hash(&of->asked.size, of->asked.size);
    CachedPlans **slot = &g->memory->plans[h % SLOTS];
    for (CachedPlans *one = *slot; one; one = one->next)
        if (one->hash == h && !memcmp(&one->asked, &of->asked, of->asked.size * sizeof(int32_t)))
            return one->plans;
    CachedPlans *one = malloc(sizeof *one);
    if (!one) stop(g, NO_MEMORY);
    *one = (CachedPlans){*slot, h, make_plans(g, of), of->asked};
    *slot = one;
    g->memory->kept++;
    return one->plans;
}

static inline Plans *plans_of(Game *g, Invoice *of) {
    if (of->asked.price < 0 || of->asked.cuts || of->asked.substitutes) return cached_plans(g, of);
    Plans **plain = &g->memory->plain[of->asked.price];
    if (!*plain) *plain = make_plans(g, of);
    return *plain;
}
