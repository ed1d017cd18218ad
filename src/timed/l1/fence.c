/* Memory fences and the L1. Behind a fence, and in the next launch, what an L1 holds may be stale: then its lines are
 * invalidated. */
#include "timed/l1/l1.h"

void ws_l1_empty(ws_sm *s) {
    for (uint32_t way = 0; way < s->l1.sets * s->l1.ways; way++)
        if (s->l1.lines[way].line != WS_NO_LINE && !s->l1.lines[way].reserved)
            ws_cache_invalidate(&s->l1, way, WS_ALL_SECTORS);
}

static bool awaits_results(const ws_engine *e, const ws_sm *s, unsigned warp) {
    const uint64_t *pending = s->pending + (size_t)warp * e->statics.register_words;
    for (uint32_t w = 0; w < e->statics.register_words; w++)
        if (pending[w]) return true;
    return false;
}

void ws_sm_come_to_fence(ws_engine *e, ws_sm *s, unsigned warp) {
    uint64_t bit = UINT64_C(1) << warp;
    s->fencing |= bit;
    if (awaits_results(e, s, warp)) return;
    s->fencing &= ~bit;
    ws_sm_touch(e, s);
    s->empties |= e->core->fences == WS_FENCES_EMPTY_L1;
    ws_sm_look(e, s, warp);
}

void ws_l1_pass_fence(ws_sm *s) {
    s->empties = false;
    if (!s->l1_used) return;
    s->l1_used = false;
    ws_cache_empty(&s->l1);
    ws_l1_try_again(s);
}
