#include "mechanism/parts/duel.h"

enum { WITHOUT, WITH };

static uint64_t done_by(const ws_engine *e, uint32_t sm) {
    return e->sms[sm].counters.thread_instructions;
}

/* An SM that its first CTA reaches late compares from the launch's beginning on, when nothing had been done. */
void ws_duel_init(ws_duel *d, uint64_t period, const ws_engine *e, const ws_sm *s) {
    *d = (ws_duel){.period = period, .with = period == 0 || s->index == WITH};
    for (uint32_t i = 0; period && s->since == e->now && i < 2; i++) d->before[i] = done_by(e, i);
}

bool ws_duel_says(ws_duel *d, const ws_engine *e, uint32_t sm) {
    if (d->period == 0 || sm <= WITH) return d->with;
    uint64_t since = e->sms[sm].since;
    if (d->next == 0) d->next = (e->launched > since ? e->launched : since) + d->period;
    if (e->now < d->next) return d->with;
    uint64_t done[2];
    for (uint32_t i = 0; i < 2; i++) {
        done[i] = done_by(e, i) - d->before[i];
        d->before[i] = done_by(e, i);
    }
    d->with = done[WITH] > done[WITHOUT];
    d->next = e->now + d->period;
    return d->with;
}

uint64_t ws_duel_bits(uint64_t period) {
    return period ? 2 * 32 + 1 : 0;
}
