"""How sets are represented in C: masks of one or more words, or sorted lists of numbers.

The elements of a mask are from 0 to 64 * words - 1. Sets with other elements are lists. The same
functions are generated for every representation that a program uses, so the code that calls them is
the same for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from targi_dsl.text.structs import Frozen

WORD, BYTE = 64, 8
LANES = 4  # masks of a vector
LARGEST = 1024  # elements of a mask; for more, a list is smaller
Bounds = tuple[int, int]  # the lowest and highest possible element; empty if the first is greater
EMPTY: Bounds = (0, -1)


def words(members: Iterable[int], count: int) -> list[str]:
    """The words of a mask."""
    mask = sum(1 << one for one in members)
    return [f"{mask >> WORD * at & (1 << WORD) - 1:#x}u" for at in range(count)]


def unions(sets: Sequence[Iterable[int]]) -> list[int]:
    """For each byte, the union of the sets that its bits select, as masks."""
    found = [0]
    for members in sets:
        mask = sum(1 << one for one in members)
        found += [one | mask for one in found]
    return found * (1 << BYTE - len(sets))


class Shape(Frozen, order=True):
    """A mask with a number of words; a sorted list if that is 0."""

    words: int

    @property
    def name(self) -> str:
        """The name of its C type, which prefixes its functions."""
        return f"mask{self.words}" if self.words else "list"

    @property
    def room(self) -> int:
        """The maximum number of elements of a set."""
        return WORD * self.words or LARGEST

    def literal(self, members: Iterable[int]) -> str:
        """A constant set as an initializer."""
        if not self.words:
            found = sorted(members)
            return f"{{{len(found)}, {{{', '.join(map(str, found)) or 0}}}}}"
        text = ", ".join(words(members, self.words))
        return text if self.words == 1 else f"{{{{{text}}}}}"

    def constant(self, members: Sequence[int]) -> str:
        """A constant set as an expression."""
        return f"(({self.name}){self.literal(members)})"

    def shifted(self, text: str, distance: int) -> str:
        """A mask shifted up by a distance; elements without room are dropped."""
        return f"{self.name}_{'up' if distance >= 0 else 'down'}({text}, {abs(distance)})"

    def each(self, element: str, within: str, until: str = "0") -> tuple[str, str]:
        """The beginning and end of a loop over a set, in ascending order; it stops when `until`
        holds. The set is evaluated once.
        """
        m = f"m_{element}"
        if self.words == 1:
            goes_on = m if until == "0" else f"{m} && !{until}"
            head = (
                f"for (uint64_t {m} = {within}; {goes_on}; {m} &= {m} - 1) "
                f"{{ int {element} = lowest_bit({m});"
            )
            return head, "}"
        if not self.words:
            head = (
                f"{{ list s_{element} = {within}; for (int i_{element} = 0; "
                f"i_{element} < s_{element}.n && !({until}); i_{element}++) "
                f"{{ int {element} = s_{element}.e[i_{element}];"
            )
            return head, "}}"
        head = (
            f"{{ {self.name} s_{element} = {within}; for (int w_{element} = 0; "
            f"w_{element} < {self.words} && !({until}); w_{element}++) "
            f"for (uint64_t {m} = s_{element}.w[w_{element}]; {m} && !({until}); {m} &= {m} - 1) "
            f"{{ int {element} = {WORD} * w_{element} + lowest_bit({m});"
        )
        return head, "}}"


LIST = Shape(0)


class Span(Shape):
    """A range that is only iterated over: two numbers, `NAME_l` and `NAME_h`."""

    def each(self, element: str, within: str, until: str = "0") -> tuple[str, str]:
        """The head and the end of a loop over the range of this name."""
        i = f"i_{element}"
        head = f"for (int64_t {i} = {within}_l; {i} <= {within}_h && !({until}); {i}++) {{"
        return f"{head} int {element} = (int){i};", "}"


SPAN = Span(0)


def shape_of(bounds: Bounds) -> Shape:
    """The representation of sets whose elements are within these bounds."""
    low, high = bounds
    if low > high:
        return Shape(1)
    return Shape(high // WORD + 1) if low >= 0 and high < LARGEST else LIST


def join(one: Bounds, other: Bounds) -> Bounds:
    """The bounds of a union."""
    if one[0] > one[1]:
        return other
    if other[0] > other[1]:
        return one
    return min(one[0], other[0]), max(one[1], other[1])


def either(with_vectors: str, without: str) -> str:
    """A text for compilers with vectors of masks, and one for others."""
    return f"\n#ifdef HAS_VECTORS\n{with_vectors}\n#else\n{without}\n#endif\n"


def declarations(shapes: Iterable[Shape]) -> str:
    """The types and functions of these representations, and the conversions between them."""
    wanted = sorted({*shapes, Shape(1)} - {LIST})
    texts = [_ONE_WORD, *(_WORDS.replace("N", str(one.words)) for one in wanted if one.words > 1)]
    texts += [_widened(one, other) for one in wanted for other in wanted if one != other]
    if LIST in shapes:
        texts += [_LIST, *(_mask_to_list(one) for one in wanted)]
    return "\n".join(texts)


def _widened(one: Shape, other: Shape) -> str:
    """The conversion between two masks; elements that do not fit are dropped."""
    both = min(one.words, other.words)
    word = "a" if one.words == 1 else "a.w[0]"
    if other.words == 1:
        body = f"return {word};"
    elif one.words == 1:
        body = f"return ({other.name}){{{{a}}}};"
    else:
        parts = ", ".join(f"a.w[{at}]" for at in range(both))
        body = f"return ({other.name}){{{{{parts}}}}};"
    name = f"{other.name}_of_{one.name}"
    return f"static inline {other.name} {name}({one.name} a) {{ {body} }}"


def _mask_to_list(mask: Shape) -> str:
    head, end = mask.each("x", "a")
    return (
        f"static list list_of_{mask.name}({mask.name} a) "
        f"{{ list r; r.n = 0; {head} r.e[r.n++] = x; {end} return r; }}\n"
        f"static {mask.name} {mask.name}_of_list(list a) "
        f"{{ {mask.name} r = {mask.constant(())}; for (int i = 0; i < a.n; i++) "
        f"if (a.e[i] >= 0 && a.e[i] < {WORD * mask.words}) {mask.name}_add(&r, a.e[i]); "
        "return r; }"
    )


_ONE_WORD = """\
typedef uint64_t mask1;
static inline mask1 mask1_or(mask1 a, mask1 b) { return a | b; }
static inline mask1 mask1_and(mask1 a, mask1 b) { return a & b; }
static inline mask1 mask1_less(mask1 a, mask1 b) { return a & ~b; }
static inline int mask1_equal(mask1 a, mask1 b) { return a == b; }
static inline int mask1_any(mask1 a) { return a != 0; }
static inline int mask1_size(mask1 a) { return bits(a); }
static inline int mask1_first(mask1 a) { return a ? lowest_bit(a) : -1; }
static inline int mask1_has(mask1 a, int x) { return (unsigned)x < 64 && (a >> x & 1); }
static inline void mask1_add(mask1 *a, int x) { *a |= (mask1)1 << (x & 63); }
static inline mask1 mask1_up(mask1 a, int n) { return a << n; }
static inline mask1 mask1_down(mask1 a, int n) { return a >> n; }
static inline mask1 mask1_by(mask1 a, int n) { return a << (n & 63) | a >> (-n & 63); }
static inline mask1 mask1_one(int x) { return (mask1)1 << (x & 63); }
static inline int mask1_after(mask1 a, int x) {
    return x < 0 ? mask1_first(a) : x > 62 ? -1 : mask1_first(a & ~(uint64_t)0 << (x + 1));
}

#if defined __GNUC__ && defined __OPTIMIZE__
#define HAS_VECTORS
typedef uint64_t lanes __attribute__((vector_size(32))); /* four masks */
static ALWAYS_INLINE lanes lanes_of(mask1 a) { return (lanes){a, a, a, a}; }
static ALWAYS_INLINE lanes lanes_or(lanes a, lanes b) { return a | b; }
static ALWAYS_INLINE lanes lanes_and(lanes a, lanes b) { return a & b; }
static ALWAYS_INLINE lanes lanes_up(lanes a, lanes n) { return a << n; }
static ALWAYS_INLINE lanes lanes_down(lanes a, lanes n) { return a >> n; }
#endif
"""

_WORDS = """\
typedef struct { uint64_t w[N]; } maskN;
static inline maskN maskN_or(maskN a, maskN b) {
    for (int i = 0; i < N; i++) a.w[i] |= b.w[i];
    return a;
}
static inline maskN maskN_and(maskN a, maskN b) {
    for (int i = 0; i < N; i++) a.w[i] &= b.w[i];
    return a;
}
static inline maskN maskN_less(maskN a, maskN b) {
    for (int i = 0; i < N; i++) a.w[i] &= ~b.w[i];
    return a;
}
static inline int maskN_equal(maskN a, maskN b) {
    uint64_t d = 0;
    for (int i = 0; i < N; i++) d |= a.w[i] ^ b.w[i];
    return !d;
}
static inline int maskN_any(maskN a) {
    uint64_t d = 0;
    for (int i = 0; i < N; i++) d |= a.w[i];
    return d != 0;
}
static inline int maskN_size(maskN a) {
    int n = 0;
    for (int i = 0; i < N; i++) n += bits(a.w[i]);
    return n;
}
static inline int maskN_first(maskN a) {
    for (int i = 0; i < N; i++) if (a.w[i]) return 64 * i + lowest_bit(a.w[i]);
    return -1;
}
static inline int maskN_has(maskN a, int x) {
    return (unsigned)x < 64 * N && (a.w[x >> 6] >> (x & 63) & 1);
}
static inline void maskN_add(maskN *a, int x) { a->w[x >> 6] |= (uint64_t)1 << (x & 63); }
static inline maskN maskN_up(maskN a, int n) {
    maskN r;
    for (int i = 0, k = -(n >> 6); i < N; i++, k++)
        r.w[i] = (k < 0 ? 0 : a.w[k] << (n & 63)) | (k < 1 ? 0 : a.w[k - 1] >> 1 >> (~n & 63));
    return r;
}
static inline maskN maskN_down(maskN a, int n) {
    maskN r;
    for (int i = 0, k = n >> 6; i < N; i++, k++)
        r.w[i] = (k < N ? a.w[k] >> (n & 63) : 0) | (k + 1 < N ? a.w[k + 1] << 1 << (~n & 63) : 0);
    return r;
}
static inline maskN maskN_by(maskN a, int n) {
    return n < 0 ? maskN_down(a, -n) : maskN_up(a, n);
}
static inline maskN maskN_one(int x) {
    maskN a = {{0}};
    maskN_add(&a, x);
    return a;
}
static inline int maskN_after(maskN a, int x) {
    for (int i = 0; i < N; i++) {
        int k = x + 1 - 64 * i;
        uint64_t m = k <= 0 ? a.w[i] : k > 63 ? 0 : a.w[i] & ~(uint64_t)0 << k;
        if (m) return 64 * i + lowest_bit(m);
    }
    return -1;
}
"""

_LIST = """\
typedef struct { int32_t n; int32_t e[1024]; } list;
static int list_has(list a, int x) {
    for (int i = 0; i < a.n; i++) if (a.e[i] == x) return 1;
    return 0;
}
static void list_put(Game *g, list *a, int x) {
    int i = a->n;
    if (i < 1024 && (!i || a->e[i - 1] < x)) {
        a->e[a->n++] = x;
        return;
    }
    while (i && a->e[i - 1] > x) i--;
    if (i && a->e[i - 1] == x) return;
    if (a->n == 1024) stop(g, TOO_LARGE);
    memmove(a->e + i + 1, a->e + i, (a->n - i) * sizeof *a->e);
    a->e[i] = x;
    a->n++;
}
static list list_joined(Game *g, list a, list b) {
    for (int i = 0; i < b.n; i++) list_put(g, &a, b.e[i]);
    return a;
}
static list list_alone(Game *g, int x) {
    list r;
    r.n = 0;
    list_put(g, &r, x);
    return r;
}
#define list_one(x) list_alone(g, x)
#define list_add(a, x) list_put(g, a, x)
#define list_or(a, b) list_joined(g, a, b)
static list list_kept(list a, list b, int in_both) {
    list r;
    r.n = 0;
    for (int i = 0; i < a.n; i++) if (list_has(b, a.e[i]) == in_both) r.e[r.n++] = a.e[i];
    return r;
}
static list list_and(list a, list b) { return list_kept(a, b, 1); }
static list list_less(list a, list b) { return list_kept(a, b, 0); }
static int list_equal(list a, list b) {
    return a.n == b.n && !memcmp(a.e, b.e, a.n * sizeof *a.e);
}
static int list_any(list a) { return a.n != 0; }
static int list_size(list a) { return a.n; }
static int list_first(list a) { return a.n ? a.e[0] : -1; }
static int list_after(list a, int x) {
    for (int i = 0; i < a.n; i++) if (a.e[i] > x) return a.e[i];
    return INT32_MIN;
}
"""
