/* The game state: slots, stack frames, bitboards, and the helpers of generated code. */

typedef uint64_t Context; /* low bits: `during` rules that are running; high: guard nesting */
#define LEVEL ((Context)1 << 57)
#define DEEPEST ((Context)1 << 63)
#define BITS (LEVEL - 1)

#ifdef __GNUC__ /* attributes and builtins; other compilers get plain C */
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NEVER_INLINE __attribute__((noinline))
#define NEVER_RETURNS __attribute__((noreturn))
#define PREFETCH __builtin_prefetch
#define lowest_bit __builtin_ctzll
#define bits __builtin_popcountll
#else
#define ALWAYS_INLINE inline
#define NEVER_INLINE
#define NEVER_RETURNS
#define PREFETCH(address)
static int bits(uint64_t m) {
    m -= m >> 1 & 0x5555555555555555u;
    m = (m & 0x3333333333333333u) + (m >> 2 & 0x3333333333333333u);
    return (int)(((m + (m >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}
static int lowest_bit(uint64_t m) { return bits((m & -m) - 1); }
#endif
#define IMPOSSIBLE stop(g, FAULT)

enum { EVENT = 10 }; /* ints per event: the arguments of `tell`, and who knew what at that moment */
enum { DECISION = 8 }; /* cost of a decision in the budget, on top of the elements visited */
enum { NOTHING = -1, OVER = 0, NEXT_ROUND = 1, RETURN = 2 };
enum { POINT = 0, ENDED = 2, HEAD = 2 };
enum { STEPS = 200000, PARTS = 200000, FRAMES = 200, CALLS = 256, FIRED = 32, RANGE = 1024, MENU = 8 };
#define EXCHANGE ((int64_t)1 << 32)

/* Why play stopped. For a FAULT, the interpreter is run to explain what is wrong with the rules. */
enum { FINE = 0, FAULT = 1, TOO_LARGE = 2, NOT_A_POSITION = 3, NO_MEMORY = 4 };

enum { EVENTS };

typedef struct {
    int32_t rule, back; /* back: the address at which the frame resumes */
    Context context;
    int32_t s[FRAME];
} Frame;

typedef struct {
    int32_t rule, you, argument;
} Call;

/* A question whose options are the bits of masks; firsts: the option of each mask's lowest bit. */
typedef struct {
    int32_t question, masks, firsts[MENU];
} Menu;

enum { PLACE_WORDS = (PLACES >> 6) + 1, PIECE_WORDS = (PIECES >> 6) + 1 };

/* Bitboards of where cards and pieces lie, updated incrementally. */
typedef struct {
    uint64_t under[COVERS][PLACE_WORDS]; /* places whose top card is in a set; 0: any card */
    uint64_t pieces[PLACES + 1][PIECE_WORDS]; /* pieces on each place; 0: those on no place */
    uint64_t places[OCCUPANCIES + 1][PLACE_WORDS]; /* places with a piece of a set */
} Board;

typedef struct Memory Memory;

typedef struct Game {
    int32_t depth, called, status, meter, asked, waits; /* waits: the open question */
    int32_t watches_lead, leader, listens;
    int64_t rounds, lead_changes, offered, event_count, event_room;
    int64_t decisions, branching; /* of whole games: decisions so far, and their options in all */
    int64_t most, most_at_once; /* limits of decisions made in C; made by number in a menu */
    int64_t budget;             /* elements that may still be visited before a call returns */
    int64_t last_round;         /* the playout ends when this round begins */
    int64_t decided, decided_in; /* decisions before this round; round of the last decision */
    uint64_t chance;
    Memory *memory;
    uint64_t *streams; /* random streams of the players, if C makes their decisions */
    const uint8_t *busy;
    struct Search *search; /* chooses for everybody in a playout */
    struct Search *seats;  /* of a whole game: the search of each seat, if any searches */
    int64_t *tally;
    int32_t *events;
    int64_t begun[RULES]; /* how often each rule has been entered */
    Board first;
    int64_t options[OPTIONS_ROOM];
    int32_t found[EXCHANGE_COUNT + 1]; /* the exchanges offered with a menu */
    Call calls[CALLS];
    uint64_t ways[WAYS_KEPT + 1][PLAYERS][WAY_WORDS + 1]; /* cached paths between two sets */
    uint64_t kept[WORDS_KEPT + 1]; /* values of definitions, and of what they read */
    int32_t next_way;
    jmp_buf out;
    int32_t v[STACK]; /* from here on, a row copies everything up to the top frame */
    Board board;
    Frame frames[FRAMES + 2]; /* frames[0]: below the first rule; the last one is never entered */
} Game;

NEVER_RETURNS static void stop(Game *g, int status) {
    g->status = status;
    longjmp(g->out, 1);
}

static inline void count(Game *g, int looked_at) {
    if ((g->meter += looked_at) > PARTS) stop(g, FAULT);
}

/* A number computed without visiting elements, metered as if they had been visited. */
static inline int32_t counted(Game *g, int looked_at, int32_t n) {
    count(g, looked_at);
    return n;
}

static inline Context enter(Game *g, Context c) {
    if (++g->meter > PARTS) stop(g, FAULT);
    if (IS_DEEP && (c += LEVEL) >= DEEPEST) stop(g, FAULT);
    return c;
}

/* Enters a definition as if it were called `often` times, at least once. */
static inline void enter_often(Game *g, Context c, int often) {
    enter(g, c);
    count(g, often - 1);
}

static inline int32_t number32(Game *g, int64_t n) {
    if (n != (int32_t)n) stop(g, FAULT);
    return (int32_t)n;
}

static inline int32_t quotient(Game *g, int64_t a, int64_t b) {
    if (!b) return 0;
    return number32(g, a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

static inline int32_t remainder32(Game *g, int64_t a, int64_t b) {
    return (int32_t)(a - b * quotient(g, a, b)) * (b != 0);
}

/* The number of distinct values, not counting NOTHING. */
static int different(const int32_t *numbers, int n) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        int again = numbers[i] == NOTHING;
        for (int k = 0; k < i && !again; k++) again = numbers[k] == numbers[i];
        found += !again;
    }
    return found;
}

static int bottom_card(const Game *g, int place) {
    int card = place >= 0 ? g->v[PLACE_TOP + place] : NOTHING;
    while (card >= 0 && g->v[CARD_NEXT + card] >= 0) card = g->v[CARD_NEXT + card];
    return card;
}

static void change(Game *g, int slot, int64_t after) {
    if (after < LOWS[slot] || after > HIGHS[slot]) stop(g, FAULT);
    g->v[slot] = (int32_t)after;
}

/* The value at an index, or `missing` if the index is NOTHING. */
static ALWAYS_INLINE int32_t value_at(const Game *g, int base, int at, int missing) {
    return at >= 0 ? g->v[base + at] : missing;
}

/* The same for an index computed by a rule, which may be out of range. */
static ALWAYS_INLINE int32_t number_at(Game *g, int base, int at, int missing) {
    if (at < 0) return missing;
    if (at >= STACK - base) stop(g, FAULT);
    return g->v[base + at];
}

/* Clamps an index: whatever is out of range gets the last entry. */
static ALWAYS_INLINE int at_most(int at, int last) { return (unsigned)at < (unsigned)last ? at : last; }

static ALWAYS_INLINE int lies_on(const Game *g, int card, int place) {
    return card >= 0 && place >= 0 && g->v[CARD_PLACE + card] == place;
}

/* The mask of the players who know a card. */
static int knowing(const Game *g, int card) { return g->v[CARD_KNOWN + card] >> 1; }

static int is_secret(const Game *g, int variable, int index) {
    return SEEING[variable][0] >= 0 && g->v[SEEING[variable][0] + index];
}

/* The mask of the players who know everything that an event names, for at most 30 players. */
static int told_to(const Game *g, int kind, int what, int number, int source, int to) {
    switch (kind) {
        case E_MOVE: case E_TURN: case E_REVEAL: case E_LOOK: case E_TELL: return knowing(g, what);
        case E_GAIN: case E_PAY: case E_STORE: return source < 0 ? -1 : knowing(g, source);
        case E_RANDOM: return CHOOSES_CARD[what] ? knowing(g, number) : -1;
        case E_USE: return ABILITIES[what][0] < 0 ? -1 : knowing(g, ABILITIES[what][0]);
        case E_SET: break;
        default: return -1;
    }
    /* secret slots; who sees them; holds a card?; of cards?; how many each player has */
    const int32_t *of = SEEING[what];
    int known = of[2] && number >= 0 ? knowing(g, number) : -1, owner = to / of[4];
    if (of[3] >= 0) known &= knowing(g, OF_CARDS[of[3] + to]);
    if (is_secret(g, what, to)) known &= of[1] < 0 ? 0 : of[1] ? ~(1 << owner) : 1 << owner;
    return known;
}

/* The depth of a card in its pile; 1: on top, 0: in no pile. */
static int depth_of(const Game *g, int card) {
    int n = 1, place = g->v[CARD_PLACE + card];
    if (place < 0) return 0;
    for (int one = g->v[PLACE_TOP + place]; one != card; one = g->v[CARD_NEXT + one]) n++;
    return n;
}

static void tell(Game *g, int kind, int seat, int what, int number, int source, int to) {
    if (g->event_count + EVENT > g->event_room) {
        int64_t room = g->event_room * 2 + 100 * EVENT;
        int32_t *events = realloc(g->events, room * sizeof *events);
        if (!events) stop(g, NO_MEMORY);
        g->events = events;
        g->event_room = room;
    }
    int32_t *e = g->events + g->event_count;
    e[0] = kind, e[1] = kind == E_ROUND ? what : g->frames[g->depth].rule, e[2] = seat;
    e[3] = what, e[4] = number, e[5] = source, e[6] = to;
    e[7] = told_to(g, kind, what, number, source, to);
    e[8] = kind == E_TELL ? g->v[CARD_PLACE + what] : NOTHING;
    e[9] = kind == E_TELL ? depth_of(g, what) : kind == E_SET && is_secret(g, what, to);
    g->event_count += EVENT;
}
#define TELL(...) do { if (g->listens) tell(g, __VA_ARGS__); } while (0)

/* ---- frames ---- */

/* Pushes a frame for a rule, with its first `size` slots cleared. */
static ALWAYS_INLINE Frame *fresh(Game *g, Frame *below, int rule, int you, int size) {
    Frame *f = below + 1;
    g->depth++;
    g->begun[rule]++;
    f->rule = rule;
    f->context = (below->context & BITS) | RULE_BITS[rule];
    memset(f->s, 0, size * sizeof *f->s);
    f->s[0] = you;
    return f;
}

/* Queues a call until the next push. */
static void call(Game *g, int rule, int you, int argument) {
    if (g->called == CALLS) stop(g, FAULT);
    g->calls[g->called++] = (Call){rule, you, argument};
}

/* Pushes the queued calls, the first on top, above a frame that resumes at `next`. Returns the top
 * frame, which resumes at its `back`. */
static Frame *push(Game *g, Frame *f, int next) {
    int n = g->called;
    if (g->depth + n > FRAMES) stop(g, FAULT);
    f->back = next;
    g->called = 0;
    for (int i = n; i--;) {
        Call *one = &g->calls[i];
        f = fresh(g, f, one->rule, one->you, FRAME);
        if (RULE_PARAMS[one->rule]) f->s[1] = one->argument;
        f->back = RULE_ENTRIES[one->rule];
    }
    return f;
}

/* Enters a rule; the frame below resumes at `next`. */
static ALWAYS_INLINE Frame *begin_rule(Game *g, Frame *f, int rule, int next, int size) {
    if (g->depth >= FRAMES) stop(g, FAULT);
    f->back = next;
    return fresh(g, f, rule, f->s[0], size);
}

static void clear(Game *g) {
    g->depth = 0;
    g->frames[0].rule = NOTHING, g->frames[0].back = NEXT_ROUND;
    g->frames[0].s[0] = 0, g->frames[0].context = 0;
}

static void update_lead_of_round(Game *g);

/* Records in which round the last decision was made. */
static void note_round(Game *g) {
    if (g->decisions != g->decided) g->decided_in = g->rounds;
    g->decided = g->decisions;
}

static void next_round(Game *g) {
    if (g->watches_lead) update_lead_of_round(g);
    clear(g);
    note_round(g);
    if (++g->rounds == g->last_round) g->most = g->most_at_once = 0;
    TELL(E_ROUND, 0, ROUND, 0, NOTHING, NOTHING);
    begin_rule(g, g->frames, ROUND, NEXT_ROUND, FRAME);
}

static void end_game(Game *g, int rule) {
    TELL(E_END, g->frames[g->depth].s[0], rule, 0, NOTHING, NOTHING);
    g->v[ENDED] = rule;
    clear(g);
}

static void count_menu(const Game *g, const Menu *of, const uint64_t *masks, int64_t offered, int you);
static void count_number(const Game *g, const Menu *of, const uint64_t *masks, int k, int you);
static void wait_for(Game *g, const Frame *f, int question);
static void wait_for_chance(Game *g, int question);
static int64_t next_option(Game *g, const Frame *f, int may_decline);
static int searched_number(Game *g, const Menu *of, const uint64_t *masks, int64_t left, int you);

/* Whether C chooses from a menu, without listing its options. */
static inline int answers(const Game *g) {
    return g->decisions < g->most_at_once && g->budget >= 0;
}

/* Stops at too many options, or at a question to a player who is out of the game. */
static inline void check_question(Game *g, const Frame *f, int64_t offered) {
    if (offered > OPTIONS) stop(g, FAULT);
    if (OUTCOMES >= 0 && g->v[OUTCOMES + f->s[0]] == 3) stop(g, FAULT);
}

/* Counts a decision among n options. */
static ALWAYS_INLINE void note_decision(Game *g, int64_t n) {
    g->decisions++;
    g->branching += n;
    g->budget -= g->meter + n + DECISION;
    g->meter = 0;
}

/* The index of the set bit with k set bits below it. */
static inline int nth(uint64_t mask, int k) {
#if defined __BMI2__ && defined __GNUC__
    return lowest_bit(__builtin_ia32_pdep_di((uint64_t)1 << k, mask));
#else
    while (k--) mask &= mask - 1;
    return lowest_bit(mask);
#endif
}

/* The option of a mask's bit: an option is a way (upper bits) and an element + 1 (lower 16). A mask
 * whose first option has no element counts ways, any other one elements. */
static inline int64_t option_of(int32_t first, int bit) {
    return first + ((int64_t)bit << (first & 65535 ? 0 : 16));
}

static NEVER_INLINE void list_menu(Game *g, const Menu *of, const uint64_t *masks, int64_t offered) {
    int64_t n = 0;
    for (int at = 0; at < of->masks; at++)
        for (uint64_t m = masks[at]; m; m &= m - 1)
            g->options[n++] = option_of(of->firsts[at], lowest_bit(m));
    for (int i = 0; n < offered; i++) g->options[n++] = EXCHANGE + g->found[i];
    g->offered = n;
}

static inline void check_steps(Game *g, int steps) {
    if (steps > STEPS) stop(g, FAULT);
}

/* ---- chance: SplitMix64 ---- */

#define STRIDE 0x9E3779B97F4A7C15u
static inline uint64_t mixed(uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline uint32_t draw(uint64_t *chance) { return (uint32_t)(mixed(*chance += STRIDE) >> 32); }

/* Rejection sampling: draws until a number is below the greatest multiple of n. */
static NEVER_INLINE uint32_t below_multiple(uint64_t *chance, uint32_t n, uint32_t drawn) {
    while (drawn >= (uint64_t)0x100000000 - 0x100000000 % n) drawn = draw(chance);
    return drawn % n;
}

/* x % n; for small n by multiplication (Lemire, Kaser and Kurz, 2019). */
static inline uint32_t modulo(uint32_t x, uint32_t n) {
#ifdef __SIZEOF_INT128__
    if (n < 64) return (uint32_t)((unsigned __int128)(INVERSES[n] * x) * n >> 64);
#endif
    return x % n;
}

static inline uint32_t below(uint64_t *chance, uint32_t n) {
    if (n == 1) return 0;
    uint32_t drawn = draw(chance);
    return drawn < (uint32_t)-n ? modulo(drawn, n) : below_multiple(chance, n, drawn);
}

/* ---- amounts and abilities ---- */

#define AMOUNT(resource, player) (AMOUNTS + (resource) * PLAYERS + (player))

static void fired(Game *g, int verb, int subject, int actor, int source);
enum { V_GAIN, V_PAY, V_DO };

static void gain(Game *g, int who, int resource, int number, int source) {
    int slot = AMOUNT(resource, who);
    change(g, slot, (int64_t)g->v[slot] + number);
    TELL(E_GAIN, who, resource, number, source, NOTHING);
    fired(g, V_GAIN, resource, who, source);
}

static int is_usable(Game *g, int ability, int player) {
    const int32_t *a = ABILITIES[ability]; /* its card; the slot that counts its uses */
    if (a[0] == NOTHING) return a[1] == NOTHING || !g->v[a[1] + player];
    return OWNERS[g->v[CARD_PLACE + a[0]] + 1] == player && (a[1] == NOTHING || !g->v[a[1]]);
}

static void use(Game *g, int ability, int player) {
    const int32_t *a = ABILITIES[ability];
    if (a[1] == NOTHING) return;
    g->v[a[1] + (a[0] == NOTHING ? player : 0)]++;
    TELL(E_USE, player, ability, 0, NOTHING, NOTHING);
}

/* Whether a trigger's body is already running for its owner. */
static int is_running(Game *g, int body, int owner) {
    int inside = 1;
    for (int i = g->depth; i; i--) {
        Frame *f = &g->frames[i];
        if (i < g->depth && f->back == RULE_ENTRIES[f->rule]) continue;
        if (f->rule == body && f->s[0] == owner) return 1;
        inside += RULE_REACTS[f->rule];
    }
    if (inside > FIRED) stop(g, FAULT);
    return 0;
}

static void fire(Game *g, int trigger, int owner) {
    const int32_t *t = TRIGGERS[trigger]; /* its ability; its body */
    if (!is_usable(g, t[0], owner) || is_running(g, t[1], owner)) return;
    use(g, t[0], owner);
    call(g, t[1], owner, 0);
}
