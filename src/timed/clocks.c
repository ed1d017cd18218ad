#include "timed/clocks.h"

#include <stdbool.h>
#include <string.h>

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void ws_clocks_init(ws_clocks *c, uint64_t core, uint64_t dram) {
    memset(c, 0, sizeof *c);
    if (!core) core = 1;
    if (!dram) dram = 1;
    uint64_t common = common_divisor(core, dram);
    c->core = ws_divisor_of(core / common);
    c->dram = ws_divisor_of(dram / common);
    c->core_period = 1 / ((double)core / 1000 * 1000000);
    c->dram_period = 1 / ((double)dram / 1000 * 1000000);
}

static void find_next(ws_clocks *c) {
    uint64_t *word = &c->late[c->known % WS_CLOCKS_MEETINGS / 64], bit = UINT64_C(1) << c->known % 64;
    *word = c->dram_time > c->core_time ? *word | bit : *word & ~bit;
    for (uint64_t i = 0; i < c->core.value; i++) c->core_time += c->core_period;
    for (uint64_t i = 0; i < c->dram.value; i++) c->dram_time += c->dram_period;
    c->known++;
}

/* Only "never" is farther ahead than this; DRAM may be idle for long. */
enum { AHEAD_MAX = 1 << 30 };

static bool is_late(ws_clocks *c, uint64_t meeting) {
    if (meeting >= c->known + AHEAD_MAX) return false;
    while (c->known <= meeting) find_next(c);
    return c->late[meeting % WS_CLOCKS_MEETINGS / 64] >> meeting % 64 & 1;
}

uint64_t ws_clocks_ticks_through(ws_clocks *c, uint64_t cycle) {
    uint64_t meeting = ws_quotient(cycle, c->core), behind = cycle - meeting * c->core.value;
    uint64_t ticks = meeting * c->dram.value + ws_quotient(behind * c->dram.value, c->core) + 1;
    return ticks - (!behind && is_late(c, meeting));
}

uint64_t ws_clocks_cycle_of(ws_clocks *c, uint64_t tick) {
    uint64_t meeting = ws_quotient(tick, c->dram), behind = tick - meeting * c->dram.value;
    uint64_t cycles = ws_quotient(behind * c->core.value + c->dram.value - 1, c->dram);
    return meeting * c->core.value + cycles + (!behind && is_late(c, meeting));
}
