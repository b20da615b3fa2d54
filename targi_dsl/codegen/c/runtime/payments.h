/* Payments: the plans of a price, what pays for them, and free exchanges. */

enum { CHANGES = CUTS + SUBSTITUTES };
enum { REACH = 2000, COUNTED = -2 };

typedef struct {
    int16_t needed, wanted, used, bracket; /* how many of each; whether the extra is paid */
    int32_t needs[RESOURCES + 1][2];       /* resource, number */
    int32_t wild[GROUPS + 1][3];           /* group, wildcard units, units of it in all */
    int16_t abilities[CHANGES + 1];
} Plan;

typedef struct {
    int32_t count;
    Plan plans[];
} Plans;

/* What a price is asked under: all of it, up to `size`, is the key of its plans. */
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
    int32_t *own; /* the amount of the first resource */
    int32_t more[RESOURCES + 1]; /* what is stored of each resource, if anything is */
} Invoice;

typedef struct Kept {
    struct Kept *next;
    uint64_t hash;
    Plans *plans;
    Asked asked;
} Kept;

/* The purses that exchanges lead to, in the order in which they are looked at. */
typedef struct Market {
    struct Market *next;
    uint64_t hash;
    int32_t count;
    int32_t purses[][RESOURCES + 1];
} Market;

enum { SLOTS = 4096, KEPT = 20000, MET = 4096 };

/* The search for a market: the purses met, where the number of each stands, and those numbers. */
typedef struct {
    int32_t count, purses[REACH][RESOURCES + 1];
    int16_t at[REACH], met[MET];
} Search;

struct Memory {
    int32_t kept;
    Plans *plain[PRICE_COUNT + 1]; /* of each price that nothing changes */
    Kept *plans[SLOTS];
    Market *purses[SLOTS];
    Search search;
};

static void forget(Memory *memory) {
    for (int i = 0; i < SLOTS; i++) {
        for (Kept *one = memory->plans[i], *next; one; one = next) {
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

/* ---- plans ---- */

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

/* Every way to take so many units of these items. */
static void saved(Game *g, Rests *to, Rest *one, const int16_t *scope, int n, int units) {
    if (!n) {
        if (!units) add_rest(g, to, one);
        return;
    }
    int had = one->item[*scope];
    for (int taken = units < had ? units : had; taken >= 0; taken--) {
        one->item[*scope] = had - taken;
        saved(g, to, one, scope + 1, n - 1, units - taken);
    }
    one->item[*scope] = had;
}

/* The items that a change of an item applies to: of a group its members, then its wildcards. */
static int scope_of(int item, int16_t *scope) {
    int n = 0;
    if (item >= RESOURCES)
        for (const int16_t *one = MEMBERS + MEMBERS_OF[item - RESOURCES]; *one >= 0; one++)
            scope[n++] = *one;
    scope[n++] = item;
    return n;
}

static int same_plan(const Plan *a, const Plan *b) {
    return a->needed == b->needed && a->wanted == b->wanted && a->bracket == b->bracket &&
           !memcmp(a->needs, b->needs, a->needed * sizeof *a->needs) &&
           !memcmp(a->wild, b->wild, a->wanted * sizeof *a->wild);
}

static Plan plan_of(const Rest *rest, const int32_t *fixed, int bracket) {
    Plan plan = {.bracket = bracket, .used = rest->used};
    memcpy(plan.abilities, rest->abilities, sizeof plan.abilities);
    for (int r = 0; r < RESOURCES; r++) {
        int number = rest->item[r] + fixed[r];
        if (number > 0) plan.needs[plan.needed][0] = r, plan.needs[plan.needed++][1] = number;
    }
    for (int group = 0; group < GROUPS; group++) {
        int number = rest->item[RESOURCES + group] + fixed[RESOURCES + group];
        if (number <= 0) continue;
        int total = number;
        for (int i = 0; i < plan.needed; i++)
            if (IN_GROUP[group][plan.needs[i][0]]) total += plan.needs[i][1];
        int32_t *wild = plan.wild[plan.wanted++];
        wild[0] = group, wild[1] = number, wild[2] = total;
    }
    return plan;
}

static void add_plan(Game *g, Plans **to, const Plan *plan) {
    int n = *to ? (*to)->count : 0;
    for (int i = 0; i < n; i++)
        if (same_plan(&(*to)->plans[i], plan)) return;
    if (!(n & (n - 1))) {
        Plans *plans = realloc(*to, sizeof **to + (n ? 2 * n : 1) * sizeof *plan);
        if (!plans) stop(g, NO_MEMORY);
        *to = plans;
    }
    (*to)->plans[n] = *plan;
    (*to)->count = n + 1;
}

/* What is left when these substitutes stand for what they may; `fixed` is what they cost. */
static void substituted(Game *g, Rests *ways, const Rest *base, const int32_t *chosen, int n,
                        int32_t *fixed) {
    Rests now = {0}, after = {0};
    add_rest(g, &now, base);
    for (int i = 0; i < n; i++) {
        const Substitute *one = &SUBSTITUTE[chosen[i]];
        for (int item = 0; item < ITEMS; item++) fixed[item] += one->paid[item];
        for (int item = 0; item < ITEMS; item++) {
            if (!one->owed[item]) continue;
            int16_t scope[ITEMS + 1];
            int wide = scope_of(item, scope);
            after.count = 0;
            for (int k = 0; k < now.count; k++)
                saved(g, &after, &now.rests[k], scope, wide, one->owed[item]);
            Rests swap = now;
            now = after;
            after = swap;
        }
        for (int k = 0; k < now.count; k++)
            now.rests[k].abilities[now.rests[k].used++] = one->ability;
    }
    for (int k = 0; k < now.count; k++) add_rest(g, ways, &now.rests[k]);
    free(now.rests);
    free(after.rests);
}

static void reduced(Game *g, Rests *ways, const Invoice *of) {
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
                saved(g, &after, &one, scope, wide, (int)units);
            }
            Rests swap = *ways;
            *ways = after;
            after = swap;
        }
    free(after.rests);
}

static void plans_of_choice(Game *g, Plans **to, const Invoice *of, const Rest *base,
                            const int32_t *extra, const int32_t *chosen, int n) {
    int32_t fixed[ITEMS + 1] = {0};
    Rests ways = {0};
    substituted(g, &ways, base, chosen, n, fixed);
    for (int item = 0; extra && item < ITEMS; item++) fixed[item] += extra[item];
    for (int k = 0; k < ways.count; k++) {
        Rests rests = {0};
        add_rest(g, &rests, &ways.rests[k]);
        reduced(g, &rests, of);
        for (int i = 0; i < rests.count; i++) {
            Plan plan = plan_of(&rests.rests[i], fixed, extra != 0);
            add_plan(g, to, &plan);
        }
        free(rests.rests);
    }
    free(ways.rests);
}

/* Each choice of so many substitutes, in the order of their numbers. */
static void plans_of_choices(Game *g, Plans **to, const Invoice *of, const Rest *base,
                             const int32_t *extra, int32_t *chosen, int n, int wanted, int from) {
    if (n == wanted) {
        plans_of_choice(g, to, of, base, extra, chosen, n);
        return;
    }
    for (int i = from; i < of->asked.substitutes; i++) {
        chosen[n] = of->substitute[i];
        plans_of_choices(g, to, of, base, extra, chosen, n + 1, wanted, i + 1);
    }
}

static void plans_of_alternative(Game *g, Plans **to, const Invoice *of, const int32_t *amounts,
                                 const int32_t *extra) {
    Rest base = {0};
    int32_t chosen[SUBSTITUTES + 1];
    memcpy(base.item, amounts, ITEMS * sizeof *amounts);
    for (int bracket = 0; bracket <= (extra != 0); bracket++)
        for (int n = 0; n <= of->asked.substitutes; n++)
            plans_of_choices(g, to, of, &base, bracket ? extra : 0, chosen, 0, n, 0);
}

static Plans *worked_out(Game *g, const Invoice *of) {
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

static void seal(Invoice *of) {
    Asked *a = &of->asked;
    int32_t *to = a->rest;
    if (a->price == COUNTED)
        for (int item = 0; item < ITEMS; item++) *to++ = of->item[item];
    for (int i = 0; i < a->cuts; i++)
        *to++ = of->cut[i][0], *to++ = of->cut[i][1], *to++ = of->cut[i][2];
    for (int i = 0; i < a->substitutes; i++) *to++ = of->substitute[i];
    a->size = (int32_t)(to - &a->size);
}

static Plans *kept_plans(Game *g, Invoice *of) {
    seal(of);
    uint64_t h = hash(&of->asked.size, of->asked.size);
    Kept **slot = &g->memory->plans[h % SLOTS];
    for (Kept *one = *slot; one; one = one->next)
        if (one->hash == h && !memcmp(&one->asked, &of->asked, of->asked.size * sizeof(int32_t)))
            return one->plans;
    Kept *one = malloc(sizeof *one);
    if (!one) stop(g, NO_MEMORY);
    *one = (Kept){*slot, h, worked_out(g, of), of->asked};
    *slot = one;
    g->memory->kept++;
    return one->plans;
}

static inline Plans *plans_of(Game *g, Invoice *of) {
    if (of->asked.price < 0 || of->asked.cuts || of->asked.substitutes) return kept_plans(g, of);
    Plans **plain = &g->memory->plain[of->asked.price];
    if (!*plain) *plain = worked_out(g, of);
    return *plain;
}

/* ---- purses ---- */

/* A purse: the amount of each resource, so many numbers apart. */
static inline int covers(const int32_t *purse, int apart, const Plan *plan) {
    for (int i = 0; i < plan->needed; i++)
        if (purse[plan->needs[i][0] * apart] < plan->needs[i][1]) return 0;
    for (int i = 0; i < plan->wanted; i++) {
        int64_t have = 0;
        for (const int16_t *one = MEMBERS + MEMBERS_OF[plan->wild[i][0]]; *one >= 0; one++)
            have += purse[*one * apart];
        if (have < plan->wild[i][2]) return 0;
    }
    return 1;
}

static int exchanged(const int32_t *purse, int number, int32_t *after) {
    const Exchange *one = &EXCHANGES[number];
    for (int r = 0; r < RESOURCES; r++) {
        int64_t left = (int64_t)purse[r] - one->give[r];
        if (left < 0) return 0;
        left += one->take[r];
        if (one->take[r] && left > HIGHS[AMOUNT(r, 0)]) return 0;
        after[r] = (int32_t)left;
    }
    return 1;
}

/* Notes a purse that exchanges lead to, unless it has been met. */
static void note_purse(Search *s, const int32_t *purse) {
    int at = hash(purse, RESOURCES) & (MET - 1);
    for (; s->met[at]; at = (at + 1) & (MET - 1))
        if (!memcmp(s->purses[s->met[at] - 1], purse, RESOURCES * sizeof *purse)) return;
    memcpy(s->purses[s->count], purse, RESOURCES * sizeof *purse);
    s->at[s->count] = (int16_t)at;
    s->met[at] = (int16_t)++s->count;
}

static void search(Search *s, const int32_t *own) {
    int32_t after[RESOURCES + 1];
    while (s->count) s->met[s->at[--s->count]] = 0;
    note_purse(s, own);
    for (int i = 0; i < s->count; i++)
        for (int n = 0; n < EXCHANGE_COUNT && s->count < REACH; n++)
            if (exchanged(s->purses[i], n, after)) note_purse(s, after);
}

static Market *market_of(Game *g, const int32_t *own) {
    uint64_t h = hash(own, RESOURCES);
    Market **slot = &g->memory->purses[h % SLOTS];
    for (Market *one = *slot; one; one = one->next)
        if (one->hash == h && !memcmp(one->purses[0], own, RESOURCES * sizeof *own)) return one;
    Search *s = &g->memory->search;
    search(s, own);
    Market *m = malloc(sizeof *m + s->count * sizeof *m->purses);
    if (!m) stop(g, NO_MEMORY);
    m->hash = h, m->count = s->count, m->next = *slot;
    memcpy(m->purses, s->purses, s->count * sizeof *m->purses);
    *slot = m;
    g->memory->kept++;
    return m;
}

/* Whether exchanges lead from these amounts to some that, with what is stored, cover the plan. */
static int reaches(Game *g, const int32_t *own, const Invoice *of, const Plan *plan) {
    const Market *m = market_of(g, own);
    for (int i = 0; i < m->count; i++) {
        int32_t purse[RESOURCES + 1];
        for (int r = 0; r < RESOURCES; r++)
            purse[r] = m->purses[i][r] + (of->stores ? of->more[r] : 0);
        if (covers(purse, 1, plan)) return 1;
    }
    return 0;
}

/* ---- an invoice ---- */

static void begin_invoice(Game *g, Invoice *of, int price, int you) {
    of->asked.price = price;
    of->asked.amounts = of->asked.cuts = of->asked.substitutes = of->stores = 0;
    of->own = &g->v[AMOUNT(0, you)];
    if (price < 0) memset(of->item, 0, sizeof of->item);
}

static void ask_for(Game *g, Invoice *of, int item, int number) {
    if (number <= 0) return;
    of->item[item] = number32(g, (int64_t)of->item[item] + number);
    of->asked.amounts = 1;
}

static void cut(Invoice *of, int ability, int item, int number) {
    int32_t *one = of->cut[of->asked.cuts++];
    one[0] = ability, one[1] = item, one[2] = number;
}

static void stand_for(Invoice *of, int substitute) {
    of->substitute[of->asked.substitutes++] = substitute;
}

static void from_store(Game *g, Invoice *of, int ability, int resource, int slot, int you) {
    if (!g->v[slot] || !working(g, ability, you)) return;
    if (!of->stores) memset(of->more, 0, sizeof of->more);
    int32_t *one = of->stored[of->stores++];
    one[0] = resource, one[1] = slot;
    of->more[resource] += g->v[slot];
}

/* What there is of a resource, with what is stored. */
static inline int32_t there_is(const Invoice *of, int resource) {
    return of->own[resource * PLAYERS] + (of->stores ? of->more[resource] : 0);
}

static int is_covered(const Invoice *of, const Plan *plan) {
    int32_t purse[RESOURCES + 1];
    if (!of->stores) return covers(of->own, PLAYERS, plan);
    for (int r = 0; r < RESOURCES; r++) purse[r] = there_is(of, r);
    return covers(purse, 1, plan);
}

/* The amounts without what is stored. */
static void take_stock(const Invoice *of, int32_t *amounts) {
    for (int r = 0; r < RESOURCES; r++) amounts[r] = of->own[r * PLAYERS];
}

static int is_free(const Invoice *of) {
    return of->asked.price == NOTHING || (of->asked.price == COUNTED && !of->asked.amounts);
}

static int can_pay(Game *g, Invoice *of) {
    const Plans *plans = plans_of(g, of);
    for (int i = 0; i < plans->count; i++)
        if (is_covered(of, &plans->plans[i])) return 1;
    if (!EXCHANGE_COUNT) return 0;
    int32_t own[RESOURCES + 1];
    take_stock(of, own);
    for (int i = 0; i < plans->count; i++)
        if (reaches(g, own, of, &plans->plans[i])) return 1;
    return 0;
}

static void useful_exchanges(Game *g, const Invoice *of, const Plan *plans, int n) {
    int32_t own[RESOURCES + 1], after[RESOURCES + 1];
    take_stock(of, own);
    for (int number = 0; number < EXCHANGE_COUNT; number++) {
        if (!exchanged(own, number, after)) continue;
        for (int i = 0; i < n; i++)
            if (reaches(g, after, of, &plans[i])) {
                g->options[g->offered++] = EXCHANGE + number;
                break;
            }
    }
}

static void offer_plans(Game *g, Invoice *of) {
    const Plans *plans = plans_of(g, of);
    int n = plans->count, reached = 0;
    g->offered = 0;
    for (int i = 0; i < n; i++)
        if (is_covered(of, &plans->plans[i])) {
            if (g->offered <= OPTIONS) g->options[g->offered] = i + 1;
            g->offered++;
        }
    if (g->offered > OPTIONS) stop(g, FAULT);
    reached = (int)g->offered;
    if (g->offered < n && EXCHANGE_COUNT) {
        int32_t own[RESOURCES + 1];
        take_stock(of, own);
        for (int i = 0; i < n && reached < 2; i++)
            reached += !is_covered(of, &plans->plans[i]) && reaches(g, own, of, &plans->plans[i]);
    }
    if (reached && !(reached == 1 && g->offered)) useful_exchanges(g, of, plans->plans, n);
}

/* You pay a resource, from what is stored first. */
static void spend(Game *g, const Invoice *of, int resource, int number, int you) {
    int left = number;
    for (int i = 0; of && i < of->stores; i++)
        if (of->stored[i][0] == resource) {
            int32_t *slot = &g->v[of->stored[i][1]];
            int part = *slot < left ? *slot : left;
            *slot -= part;
            left -= part;
        }
    g->v[AMOUNT(resource, you)] -= left;
    if (number > 0) TELL(E_PAY, you, resource, number, NOTHING, NOTHING);
}

static void pay_plan(Game *g, Invoice *of, int number, const Bill *bill) {
    Frame *f = &g->frames[g->depth];
    const Plan *plan = &plans_of(g, of)->plans[number];
    for (int i = 0; i < plan->needed; i++)
        spend(g, of, plan->needs[i][0], plan->needs[i][1], f->s[0]);
    for (int i = 0; i < plan->used; i++) use(g, plan->abilities[i], f->s[0]);
    f->s[bill->bracket] = plan->bracket;
    for (int group = 0; group < GROUPS; group++) f->s[bill->owed + group] = 0;
    for (int i = 0; i < plan->wanted; i++)
        f->s[bill->owed + plan->wild[i][0]] = plan->wild[i][1];
    if (bill->paid == NOTHING) return;
    for (int r = 0; r < RESOURCES; r++) f->s[bill->paid + r] = 0;
    for (int i = 0; i < plan->needed; i++) f->s[bill->paid + plan->needs[i][0]] = 1;
}

static void owe_nothing(Game *g, const Bill *bill) {
    Frame *f = &g->frames[g->depth];
    f->s[bill->bracket] = 0;
    for (int group = 0; group < GROUPS; group++) f->s[bill->owed + group] = 0;
    for (int r = 0; bill->paid != NOTHING && r < RESOURCES; r++) f->s[bill->paid + r] = 0;
}

static int owing(Game *g, const Bill *bill) {
    const Frame *f = &g->frames[g->depth];
    for (int group = 0; group < GROUPS; group++)
        if (f->s[bill->owed + group]) return group;
    return NOTHING;
}

static void offer_units(Game *g, Invoice *of, const Bill *bill) {
    const Frame *f = &g->frames[g->depth];
    int group = owing(g, bill);
    g->offered = 0;
    if (group == NOTHING) return;
    for (const int16_t *one = MEMBERS + MEMBERS_OF[group]; *one >= 0; one++)
        if (there_is(of, *one) > 0) g->options[g->offered++] = *one + 1;
    if (g->offered < 2 || !EXCHANGE_COUNT) return;
    Plan owed = {0};
    for (int other = 0; other < GROUPS; other++) {
        int number = f->s[bill->owed + other];
        if (!number) continue;
        int32_t *wild = owed.wild[owed.wanted++];
        wild[0] = other, wild[1] = wild[2] = number;
    }
    useful_exchanges(g, of, &owed, 1);
}

static void pay_unit(Game *g, Invoice *of, int resource, const Bill *bill) {
    Frame *f = &g->frames[g->depth];
    spend(g, of, resource, 1, f->s[0]);
    f->s[bill->owed + owing(g, bill)]--;
    if (bill->paid != NOTHING) f->s[bill->paid + resource] = 1;
}

static void gain_reward(Game *g, int price) {
    if (price < 0) return;
    for (const int32_t *one = REWARDS + PRICES[price].reward; *one >= 0; one += 2)
        gain(g, g->frames[g->depth].s[0], one[0], one[1], NOTHING);
}

static void fire_paid(Game *g, const Bill *bill) {
    const Frame *f = &g->frames[g->depth];
    for (int r = 0; bill->paid != NOTHING && r < RESOURCES; r++)
        if (f->s[bill->paid + r]) fired(g, V_PAY, r, f->s[0], NOTHING);
}

static void exchange(Game *g, int number) {
    const Exchange *one = &EXCHANGES[number];
    int you = g->frames[g->depth].s[0];
    TELL(E_EXCHANGE, you, number, 0, NOTHING, NOTHING);
    for (int r = 0; r < RESOURCES; r++)
        if (one->gives[r]) spend(g, 0, r, one->give[r], you);
    for (int r = 0; r < RESOURCES; r++)
        if (one->gives[r]) fired(g, V_PAY, r, you, NOTHING);
    for (int r = 0; r < RESOURCES; r++)
        if (one->takes[r]) gain(g, you, r, one->take[r], NOTHING);
}

/* Whether any option is of one of these ways, which no amount matters to. */
static int is_steady(const Game *g, uint64_t steady) {
    for (int64_t i = g->offered; i--;)
        if (g->options[i] >> 16 < 64 && steady >> (g->options[i] >> 16) & 1) return 1;
    return 0;
}

/* The free exchanges after which a question has an answer of its own. They need not be tried if it
 * has one that no amount matters to. */
static void harmless(Game *g, Frame *f, uint64_t steady,
                     void (*own)(Game *, Frame *, int64_t)) {
    int32_t before[RESOURCES + 1], after[RESOURCES + 1], found[EXCHANGE_COUNT + 1];
    int you = f->s[0], meter = g->meter, n = 0, is_certain = is_steady(g, steady);
    int64_t offered = g->offered, kept[2] = {g->options[0], g->options[1]};
    for (int r = 0; r < RESOURCES; r++) before[r] = g->v[AMOUNT(r, you)];
    for (int number = 0; number < EXCHANGE_COUNT; number++) {
        if (!exchanged(before, number, after)) continue;
        if (!is_certain) {
            for (int r = 0; r < RESOURCES; r++) g->v[AMOUNT(r, you)] = after[r];
            own(g, f, 1);
            g->meter = meter;
        }
        if (g->offered) found[n++] = number;
    }
    if (!is_certain)
        for (int r = 0; r < RESOURCES; r++) g->v[AMOUNT(r, you)] = before[r];
    g->options[0] = kept[0], g->options[1] = kept[1];
    g->offered = offered;
    for (int i = 0; i < n; i++) g->options[g->offered++] = EXCHANGE + found[i];
}
