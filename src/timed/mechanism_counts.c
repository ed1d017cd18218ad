#include "timed/mechanism_counts.h"

static void combine(const ws_mechanism *m, const uint64_t *own, uint64_t *counts) {
    const ws_column *columns = m->table->columns;
    for (size_t c = 0; c < m->table->column_count; c++)
        if (columns[c].adds != WS_ADDS_MAX)
            counts[c] += own[c];
        else if (counts[c] < own[c])
            counts[c] = own[c];
}

static void take(const ws_engine *e, const ws_mechanism *m, ws_slot_count *count, void *instance,
                 uint64_t *counts) {
    uint64_t own[WS_MECHANISM_COUNTS_MAX] = {0};
    count(instance, e, own);
    combine(m, own, counts);
}

static void take_elapsed(const ws_engine *e, const ws_mechanism *m, uint32_t sm, uint64_t cycles,
                         uint64_t *counts) {
    uint64_t own[WS_MECHANISM_COUNTS_MAX] = {0};
    m->core->elapsed(e->core_params, sm, cycles, own);
    combine(m, own, counts);
}

void ws_mechanism_count_sm(const ws_engine *e, const ws_mechanism *m, const ws_sm *s, uint64_t *counts) {
    if (!s->made) return;
    if (m->core) take(e, m, m->core->count, s->core, counts);
    if (m->front) take(e, m, m->front->count, s->front, counts);
    if (m->fetch) take(e, m, m->fetch->count, s->fetch, counts);
}

void ws_mechanism_count(const ws_engine *e, const ws_mechanism *m, uint64_t cycles, uint64_t *counts) {
    if (m->dispatch) take(e, m, m->dispatch->count, e->dispatch, counts);
    for (uint32_t s = 0; s < e->sm_count; s++) ws_mechanism_count_sm(e, m, &e->sms[s], counts);
    for (uint32_t s = 0; m->core && m->core->elapsed && s < e->sm_count; s++)
        take_elapsed(e, m, s, cycles, counts);
    for (uint32_t c = 0; m->cluster && c < e->cluster_count; c++)
        take(e, m, m->cluster->count, e->clusters[c], counts);
    if (m->partition) take(e, m, m->partition->count, e->partition, counts);
}
