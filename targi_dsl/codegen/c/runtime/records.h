/* The records of the tables about payments. */

typedef struct {
    int32_t first, alternatives, has_extra, reward;
    int32_t extra[ITEMS + 1];
} Price;

typedef struct {
    int32_t ability, paid[ITEMS + 1], owed[ITEMS + 1];
} Substitute;

typedef struct {
    int32_t give[RESOURCES + 1], take[RESOURCES + 1];
    uint8_t gives[RESOURCES + 1], takes[RESOURCES + 1];
} Exchange;

typedef struct {
    int32_t bracket, owed, paid;
} Bill;
