#include "trace/csv_values.h"

#include "warpsweep/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool ws_csv_number(const char **at, uint64_t *value) {
    bool hex = (*at)[0] == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X');
    const char *digits = *at + (hex ? 2 : 0);
    char *end;
    if (hex ? !strchr("0123456789abcdefABCDEF", *digits) || !*digits : *digits < '0' || *digits > '9')
        return false;
    errno = 0;
    *value = strtoull(digits, &end, hex ? 16 : 10);
    *at = end;
    return errno == 0;
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

static const char *expand(const char *at, uint64_t base, unsigned lanes, uint64_t *addresses) {
    const bool negative = *at++ == '-';
    uint64_t stride;
    if (!ws_csv_number(&at, &stride) || *at) return "addresses, or base+stride";
    const uint64_t room = negative ? base : UINT64_MAX - base, steps = lanes ? lanes - 1 : 0;
    if (steps && stride > room / steps) return "addresses of at most 64 bits";
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
        if (!ws_csv_number(&text, &address)) return "addresses, or base+stride";
        if (*count == 0 && (*text == '+' || *text == '-')) {
            *count = lanes;
            return expand(text, address, lanes, addresses);
        }
        if (*count == WS_CSV_LANES || (*text && *text != ' ')) return "at most 32 addresses, or base+stride";
        addresses[(*count)++] = address;
    }
    return NULL;
}
