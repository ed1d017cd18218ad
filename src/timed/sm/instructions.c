/* How instructions come to an SM's warps: the fetch stage, as in GPGPU-Sim. Warps whose buffer is empty have it filled
 * in turns, core.fetches_per_cycle of them a cycle. Without an instruction cache every instruction is at hand. With one
 * (core.icache_B), lines that it lacks come from the L2, through the SM's port like its data, and the warps that wait
 * for a line get their instructions one after the other, before any other warp. The stage also lets warps leave that
 * have ended. */
#include "base/inline.h"
#include "timed/network/cluster.h"
#include "timed/sm/core.h"

/* ---- life: as long as the GPU's */

bool ws_icaches_fit(const ws_engine *e, ws_error *err) {
    const ws_core_params *core = e->core;
    int64_t unit = core->icache_ways * e->l1->line_B;
    if (core->icache_B % unit != 0)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "core.icache_B: expected a multiple of core.icache_ways x l1.line_B = %lld, found %lld",
            (long long)unit, (long long)core->icache_B);
    return !core->icache_B || !e->cluster_slot ||
           ws_fail(err, WS_ERROR_SPEC,
                   "core.icache_B: expected 0 with mechanism.cluster, which knows data only, found %lld",
                   (long long)core->icache_B);
}

bool ws_icaches_init(ws_engine *e) {
    uint32_t ways = (uint32_t)e->core->icache_ways,
             sets = (uint32_t)(e->core->icache_B / (e->core->icache_ways * e->l1->line_B));
    e->icaches = calloc(e->sm_count, sizeof *e->icaches);
    for (uint32_t i = 0; e->icaches && sets && i < e->sm_count; i++)
        if (!ws_cache_init(&e->icaches[i].tags, sets, ways, WS_INDEX_LINEAR, WS_REPLACE_LRU, 0, 0))
            return false;
    return e->icaches != NULL;
}

void ws_icaches_free(ws_engine *e) {
    for (uint32_t i = 0; e->icaches && i < e->sm_count; i++) ws_cache_free(&e->icaches[i].tags);
    free(e->icaches);
    e->icaches = NULL;
}

/* ---- lines that are not there */

/* Code lies apart from data, and so does that of two programs from each other. */
#define CODE_B UINT64_C(0xf0000000)

/* A warp fetches the instruction behind the one that it issued last, even if that one may jump. */
enum { INSTRUCTION_B = 16 };

static uint64_t line_of(const ws_engine *e, const ws_sm *s, unsigned warp) {
    const ws_sm_warp *w = &s->warps[warp];
    bool first = w->inst == w->inst_first;
    uint64_t address = CODE_B + (first ? e->statics.at[w->inst->static_id].pc
                                       : e->statics.at[w->inst[-1].static_id].pc + INSTRUCTION_B);
    if (e->program_count) address += WS_PROGRAM_SPACE_B * s->launch_of[s->warps[warp].cta_of];
    return address / (uint64_t)e->l1->line_B;
}

/* Sends a packet for an absent line; it leaves as soon as the port takes it. Returns whether it has left. */
static bool send(ws_engine *e, ws_sm *s, ws_icache_miss *m) {
    uint32_t id = ws_packet_new(&e->packets);
    e->packets.at[id] = (ws_packet){.line = m->line,
                                    .load = WS_CODE,
                                    .sm = (uint16_t)s->index,
                                    .slice = (uint16_t)ws_slice_of(&e->map, m->line),
                                    .kind = WS_PACKET_READ,
                                    .sectors = s->line_sectors};
    m->sent = ws_sm_send(e, s, id);
    if (!m->sent) ws_packet_free(&e->packets, id);
    return m->sent;
}

static ws_icache_miss *find_miss(ws_icache *c, uint64_t line) {
    for (uint32_t i = 0; i < c->miss_count; i++)
        if (c->misses[i].line == line) return &c->misses[i];
    return NULL;
}

/* Makes the warp wait for the line. False: there is no room for that. */
static bool wait_for(const ws_engine *e, const ws_sm *s, ws_icache *c, uint64_t line, unsigned warp) {
    ws_icache_miss *m = find_miss(c, line);
    if (!m) {
        if (c->miss_count == (uint32_t)e->core->icache_mshr_entries) return false;
        m = &c->misses[c->miss_count++];
        *m = (ws_icache_miss){.line = line, .missing = s->line_sectors};
    }
    if (m->count == (uint32_t)e->core->icache_mshr_merges) return false;
    m->warps[m->count++] = (uint8_t)warp;
    return true;
}

void ws_icache_take(ws_engine *e, ws_sm *s, uint64_t line, uint8_t sectors) {
    ws_icache *c = ws_icache_of(e, s);
    ws_icache_miss *m = find_miss(c, line);
    m->missing &= (uint8_t)~sectors;
    if (m->missing) return;
    uint32_t way = ws_cache_victim(&c->tags, line);
    ws_cache_replace(&c->tags, way, line, 0);
    ws_cache_fill(&c->tags, way, line, s->line_sectors);
    m->arrived = ++c->arrivals;
}

/* Returns the line that came first among those for which warps wait, or NULL. */
static ws_icache_miss *first_arrived(ws_icache *c) {
    ws_icache_miss *first = NULL;
    for (uint32_t i = 0; i < c->miss_count; i++)
        if (c->misses[i].arrived && (!first || c->misses[i].arrived < first->arrived)) first = &c->misses[i];
    return first;
}

static unsigned take_waiting(ws_icache *c, ws_icache_miss *m) {
    unsigned warp = m->warps[m->served++];
    if (m->served == m->count) *m = c->misses[--c->miss_count];
    return warp;
}

/* ---- in turns */

static uint64_t slots_below(unsigned slot) {
    return (UINT64_C(1) << slot) - 1;
}

/* Returns the set of warp slots between these two, in round-robin order. */
static uint64_t between(unsigned last, unsigned next) {
    uint64_t up_to_last = slots_below(last) | UINT64_C(1) << last, below = slots_below(next);
    return next > last ? below & ~up_to_last : below | ~up_to_last;
}

static void leave(ws_engine *e, ws_sm *s, uint64_t warps) {
    for (; warps; warps &= warps - 1) ws_sm_leave(e, s, (unsigned)__builtin_ctzll(warps));
}

/* Returns the warp whose buffer this fetch fills, or WS_NO_SLOT. Warps before it in the order of turns that have
 * nothing more to do leave. `cached`: whether there is an instruction cache, for either of which this is compiled. */
WS_INLINE unsigned fetch_one(ws_engine *e, ws_sm *s, ws_icache *c, bool cached) {
    ws_icache_miss *arrived = cached ? first_arrived(c) : NULL;
    if (arrived) return take_waiting(c, arrived);
    if (!s->hungry) {
        if (s->leaving) leave(e, s, s->leaving);
        return WS_NO_SLOT;
    }
    unsigned warp = ws_sm_next_of(c->last, s->hungry);
    if (s->leaving) leave(e, s, s->leaving & between(c->last, warp));
    uint64_t line = cached ? line_of(e, s, warp) : 0;
    c->last = (uint8_t)warp;
    uint32_t way = cached ? ws_cache_find(&c->tags, line) : 0;
    if (way == WS_NO_WAY && !wait_for(e, s, c, line, warp)) return WS_NO_SLOT;
    s->hungry &= ~(UINT64_C(1) << warp);
    s->counters.icache_accesses += cached;
    s->counters.icache_misses += way == WS_NO_WAY;
    if (way == WS_NO_WAY) return WS_NO_SLOT;
    if (cached) ws_cache_touch(&c->tags, way);
    return warp;
}

/* Fills the buffers of as many warps as a cycle allows. The last fetch of a cycle is decoded one cycle later than the
 * others. */
WS_INLINE void fetch_some(ws_engine *e, ws_sm *s, ws_icache *c, bool cached) {
    uint32_t rate = (uint32_t)e->core->fetches_per_cycle;
    uint64_t filled = 0, last = 0, when = e->now + (uint64_t)e->core->fetch_cycles;
    for (uint32_t i = 0; i < rate && (cached || s->hungry || s->leaving); i++) {
        unsigned warp = fetch_one(e, s, c, cached);
        if (warp == WS_NO_SLOT) continue;
        s->warps[warp].buffered = (uint8_t)e->core->fetch_insts;
        *(i + 1 < rate ? &filled : &last) |= UINT64_C(1) << warp;
    }
    if (filled) ws_sm_schedule_fetched(s, when - 1 > e->now ? when - 1 : e->now + 1, filled);
    if (last) ws_sm_schedule_fetched(s, when, last);
}

bool ws_instructions_step(ws_engine *e, ws_sm *s) {
    ws_icache *c = ws_icache_of(e, s);
    if (!e->core->icache_B) {
        fetch_some(e, s, c, false);
        return s->hungry || s->leaving;
    }
    fetch_some(e, s, c, true);
    bool again = s->hungry || s->leaving;
    for (uint32_t i = 0; i < c->miss_count; i++)
        again |= c->misses[i].arrived || (!c->misses[i].sent && !send(e, s, &c->misses[i]));
    return again;
}
