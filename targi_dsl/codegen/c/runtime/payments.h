/* Payments: invoices, what can pay them, and free exchanges beforehand. */

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
    if (!g->v[slot] || !is_usable(g, ability, you)) return;
    if (!of->stores) memset(of->more, 0, sizeof of->more);
    int32_t *one = of->stored[of->stores++];
    one[0] = resource, one[1] = slot;
    of->more[resource] += g->v[slot];
}

/* Copies the player's own amounts, without stores. */
static void take_stock(const Invoice *of, int32_t *amounts) {
    for (int r = 0; r < RESOURCES; r++) amounts[r] = of->own[r * PLAYERS];
}

static int can_pay(Game *g, Invoice *of) {
    const Plans *plans = plans_of(g, of);
    for (int i = 0; i < plans->count; i++)
        if (is_covered(of->own, PLAYERS, of, &plans->plans[i])) return 1;
    if (!EXCHANGE_COUNT) return 0;
    int32_t own[RESOURCES + 1];
    take_stock(of, own);
    for (int i = 0; i < plans->count; i++)
        if (reaches(g, own, of, &plans->plans[i])) return 1;
    return 0;
}

/* The free exchanges whose conditions hold: one word of their bitmask. */
static uint64_t offered_exchanges(Game *g, const Frame *f, int word);

/* Offers the free exchanges after which one of these plans is still within reach. */
static void useful_exchanges(Game *g, const Invoice *of, const Plan *plans, int n) {
    int32_t own[RESOURCES + 1];
    take_stock(of, own);
    for (int w = 0; w < EXCHANGE_WORDS; w++)
        for (uint64_t m = offered_exchanges(g, &g->frames[g->depth], w) & exchanges(own, 1, w); m;
             m &= m - 1) {
            int number = 64 * w + lowest_bit(m);
            exchange_in(own, 1, number, 1);
            for (int i = 0; i < n; i++)
                if (reaches(g, own, of, &plans[i])) {
                    g->options[g->offered++] = EXCHANGE + number;
                    break;
                }
            exchange_in(own, 1, number, -1);
        }
}

static void offer_plans(Game *g, Invoice *of) {
    const Plans *plans = plans_of(g, of);
    int n = plans->count, reached = 0;
    g->offered = 0;
    for (int i = 0; i < n; i++)
        if (is_covered(of->own, PLAYERS, of, &plans->plans[i])) {
            if (g->offered <= OPTIONS) g->options[g->offered] = i + 1;
            g->offered++;
        }
    if (g->offered > OPTIONS) stop(g, FAULT);
    reached = (int)g->offered;
    if (g->offered < n && EXCHANGE_COUNT) {
        int32_t own[RESOURCES + 1];
        take_stock(of, own);
        for (int i = 0; i < n && reached < 2; i++)
            reached += !is_covered(own, 1, of, &plans->plans[i]) &&
                       reaches(g, own, of, &plans->plans[i]);
    }
    if (reached && !(reached == 1 && g->offered)) useful_exchanges(g, of, plans->plans, n);
}

/* Pays or loses a resource, from stores first. */
static void spend(Game *g, const Invoice *of, int resource, int number, int you, int is_loss) {
    int left = number;
    for (int i = 0; of && i < of->stores; i++)
        if (of->stored[i][0] == resource) {
            int32_t *slot = &g->v[of->stored[i][1]];
            int part = *slot < left ? *slot : left;
            *slot -= part;
            left -= part;
        }
    g->v[AMOUNT(resource, you)] -= left;
    if (number > 0) TELL(is_loss ? E_LOSE : E_PAY, you, resource, number, NOTHING, NOTHING);
}

static void owe_nothing(Game *g, const Bill *bill) {
    Frame *f = &g->frames[g->depth];
    f->s[bill->bracket] = 0;
    for (int group = 0; group < GROUPS; group++) f->s[bill->owed + group] = 0;
    for (int r = 0; bill->paid != NOTHING && r < RESOURCES; r++) f->s[bill->paid + r] = 0;
}

static void pay_plan(Game *g, Invoice *of, int number, const Bill *bill) {
    Frame *f = &g->frames[g->depth];
    const Plan *plan = &plans_of(g, of)->plans[number];
    for (int r = 0; r < RESOURCES; r++)
        if (plan->needs[r]) spend(g, of, r, plan->needs[r], f->s[0], bill->is_loss);
    for (int i = 0; i < plan->used; i++) use(g, plan->abilities[i], f->s[0]);
    owe_nothing(g, bill);
    f->s[bill->bracket] = plan->bracket;
    for (int i = 0; i < plan->wanted; i++)
        f->s[bill->owed + plan->wild[i][0]] = plan->wild[i][1];
    for (int r = 0; bill->paid != NOTHING && r < RESOURCES; r++)
        f->s[bill->paid + r] = plan->needs[r];
}

/* The first group of which wildcard units are still to be paid, or NOTHING. */
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
        if (of->own[*one * PLAYERS] + (of->stores ? of->more[*one] : 0) > 0)
            g->options[g->offered++] = *one + 1;
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
    spend(g, of, resource, 1, f->s[0], bill->is_loss);
    f->s[bill->owed + owing(g, bill)]--;
    if (bill->paid != NOTHING) f->s[bill->paid + resource]++;
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
    for (int i = 0; i < one->count; i++)
        if (one->of[i].gives) spend(g, 0, one->of[i].resource, one->of[i].give, you, 0);
    for (int i = 0; i < one->count; i++)
        if (one->of[i].gives) fired(g, V_PAY, one->of[i].resource, you, NOTHING);
    for (int i = 0; i < one->count; i++)
        if (one->of[i].takes) gain(g, you, one->of[i].resource, one->of[i].take, NOTHING);
}

/* Whether an option is of a way that does not depend on amounts; steady: the mask of those ways. */
static int is_steady(const Game *g, uint64_t steady) {
    for (int64_t i = g->offered; i--;)
        if (g->options[i] >> 16 < 64 && steady >> (g->options[i] >> 16) & 1) return 1;
    return 0;
}

/* Finds the free exchanges that leave the question an option of its own; returns how many. With
 * is_certain they need not be tried: there is an option that does not depend on amounts. */
static int harmless(Game *g, Frame *f, int is_certain,
                    void (*own)(Game *, Frame *, int64_t)) {
    int32_t *purse = &g->v[AMOUNT(0, f->s[0])];
    int n = 0;
    int64_t offered = g->offered, kept[2] = {g->options[0], g->options[1]};
    for (int w = 0; w < EXCHANGE_WORDS; w++) {
        uint64_t m = offered_exchanges(g, f, w) & exchanges(purse, PLAYERS, w);
        int meter = g->meter;
        for (; m; m &= m - 1) {
            int number = 64 * w + lowest_bit(m);
            if (!is_certain) {
                exchange_in(purse, PLAYERS, number, 1);
                own(g, f, 1);
                exchange_in(purse, PLAYERS, number, -1);
                g->meter = meter;
            }
            if (is_certain || g->offered) g->found[n++] = number;
        }
    }
    g->options[0] = kept[0], g->options[1] = kept[1];
    g->offered = offered;
    return n;
}

static void add_harmless(Game *g, Frame *f, uint64_t steady,
                         void (*own)(Game *, Frame *, int64_t)) {
    if (g->offered < 2) return;
    int n = harmless(g, f, is_steady(g, steady), own);
    for (int i = 0; i < n; i++) g->options[g->offered++] = EXCHANGE + g->found[i];
}
