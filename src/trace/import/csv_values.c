#include "trace/import/csv_values.h"

#include "trace/names.h"

#include <stdlib.h>
#include <string.h>

static const char not_addresses[] = "addresses with spaces between, or base+stride";

bool ws_csv_number(const char **at, uint64_t *value) {
    bool hex = (*at)[0] == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X');
    const char *digits = *at + (hex ? 2 : 0);
    char *end;
    if (hex ? !strchr("0123456789abcdefABCDEF", *digits) || !*digits : *digits < '0' || *digits > '9')
        return false;
    *value = strtoull(digits, &end, hex ? 16 : 10);
    *at = end;
    return true;
}

bool ws_csv_register(const char **at, uint16_t *number) {
    const char *end = *at;
    uint64_t value = WS_REGISTER_ZERO;
    if (strncmp(end, "RZ", 2) == 0) {
        end += 2;
    } else {
        if (*end == 'R') end++;
        if (!ws_csv_number(&end, &value)) return false;
    }
    if (value > WS_REGISTER_ZERO || (*end && *end != ' ')) return false;
    *number = (uint16_t)value;
    *at = end;
    return true;
}

/* Expands base+stride over lanes. */
static const char *expand(const char *at, uint64_t base, unsigned lanes, uint64_t *addresses) {
    const bool negative = *at++ == '-';
    uint64_t stride;
    if (!ws_csv_number(&at, &stride) || *at) return not_addresses;
    const uint64_t room = negative ? base : WS_ADDRESS_LIMIT - 1 - base, steps = lanes ? lanes - 1 : 0;
    if (steps && stride > room / steps) return negative ? "addresses from 0 on" : WS_ADDRESSES_EXPECTED;
    for (unsigned i = 0; i < lanes; i++) addresses[i] = negative ? base - i * stride : base + i * stride;
    return NULL;
}

const char *ws_csv_addresses(const char *text, unsigned lanes, uint64_t *addresses, unsigned *count) {
    uint64_t address;
    for (*count = 0; *text;) {
        if (*text == ' ') {
            text++;
            continue;
        }
        if (!ws_csv_number(&text, &address)) return not_addresses;
        if (address >= WS_ADDRESS_LIMIT) return WS_ADDRESSES_EXPECTED;
        if (*count == 0 && (*text == '+' || *text == '-')) {
            *count = lanes;
            return expand(text, address, lanes, addresses);
        }
        if (*text && *text != ' ') return not_addresses;
        if (*count == WS_CSV_LANES) return "at most 32 addresses, or base+stride";
        addresses[(*count)++] = address;
    }
    return NULL;
}
