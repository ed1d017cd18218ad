#include "mechanism/duel.h"

enum { WITHOUT, WITH };

void ws_duel_init(ws_duel *d, uint64_t period, uint32_t sm) {
    *d = (ws_duel){.period = period, .with = period == 0 || sm == WITH};
}

bool ws_duel_says(ws_duel *d, const ws_engine *e, uint32_t sm) {
    if (d->period == 0 || sm <= WITH) return d->with;
    if (d->next == 0) d->next = e->launched + d->period;
    if (e->now < d->next) return d->with;
    uint64_t done[2];
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t instructions = e->sms[i].counters.thread_instructions;
        done[i] = instructions - d->before[i];
        d->before[i] = instructions;
    }
    d->with = done[WITH] > done[WITHOUT];
    d->next = e->now + d->period;
    return d->with;
}

uint64_t ws_duel_bits(uint64_t period) {
    return period ? 2 * 32 + 1 : 0;
}
