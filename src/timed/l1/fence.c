/* Memory fences and the L1. Behind a fence, and in the next launch, what an L1 holds may be stale: then its lines are
 * invalidated. So may what the owner of the cluster slot holds in front of it. */
#include "timed/l1/l1.h"

/* Places of lines that are on their way are kept. */
static void empty_around_reserved(ws_cache *c) {
    uint32_t dirty = 0;
    for (uint32_t way = c->sets * c->ways; way-- > 0;) { /* down, as in ws_cache_empty() */
        if (c->lines[way].line != WS_NO_LINE && !c->lines[way].reserved)
            ws_cache_invalidate(c, way, WS_ALL_SECTORS);
        dirty += c->lines[way].dirty != 0;
    }
    c->dirty_lines = dirty;
}

void ws_l1_empty(ws_sm *s) {
    if (s->mshr.used)
        empty_around_reserved(&s->l1);
    else
        ws_cache_empty(&s->l1);
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

void ws_l1_pass_fence(const ws_engine *e, ws_sm *s) {
    s->empties = false;
    if (e->cluster_slot) e->cluster_slot->renew(e->clusters[ws_quotient(s->index, e->sms_per_cluster)]);
    if (!s->l1_used) return;
    s->l1_used = false;
    ws_cache_empty(&s->l1);
    ws_l1_try_again(s);
}
