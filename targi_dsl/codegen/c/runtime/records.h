/* The structs of the payment tables. */

typedef struct {
    int32_t first, alternatives, has_extra, reward;
    int32_t extra[ITEMS + 1];
} Price;

typedef struct {
    int32_t ability, paid[ITEMS + 1], owed[ITEMS + 1];
} Substitute;

typedef struct {
    int32_t resource, give, take;
    uint8_t gives, takes; /* whether it is named, even with 0 */
} Traded;

typedef struct {
    int32_t count;
    Traded of[TRADED + 1];
} Exchange;

typedef struct {
    int32_t bracket, owed, paid, is_loss;
} Bill;
