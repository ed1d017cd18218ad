/* Data on their last way, to the loads that wait for them: each cycle one access gets its. Where operand collectors
 * read the registers, an access leaves its MSHR in one cycle, and its data are written in the next through the banks'
 * ports, to which results of arithmetic that come in the same cycle go first; as in GPGPU-Sim (ldst_unit::writeback,
 * mshr_table::next_access). */
#include "timed/engine.h"

static bool can_be_blocked(const ws_engine *e) {
    return e->front_slot && e->front_slot->blocks_returns;
}

/* A load that still waits for others only counts them, unless its data could be held up. */
static void count(ws_engine *e, ws_sm *s, uint32_t load, uint32_t accesses, uint64_t when) {
    ws_load *l = &s->loads[load];
    if (l->left > accesses && !can_be_blocked(e)) {
        l->left -= (uint16_t)accesses;
        l->until = (uint32_t)when;
    } else if (!ws_queue_push(&s->ready, load, accesses, when)) {
        e->failed = true;
    }
}

/* They take a turn of the SM only where the load may then have all. */
static void line_up(ws_engine *e, ws_sm *s, uint32_t load, uint32_t accesses, uint32_t entry, uint64_t when) {
    ws_load *l = &s->loads[load];
    if (!ws_queue_push_to(&s->ready, load, accesses, entry + 1, when)) e->failed = true;
    l->arrived += (uint16_t)accesses;
    s->in_mshrs += entry != WS_NO_ENTRY;
    if (l->arrived == l->left || can_be_blocked(e)) s->ready_turn = ws_earlier(s->ready_turn, when);
}

void ws_returns_pass(ws_engine *e, ws_sm *s, uint32_t load, uint32_t accesses, uint32_t entry,
                     uint64_t when) {
    if (when <= s->ready_last) when = s->ready_last + 1;
    s->ready_last = when;
    if (e->collecting.used)
        line_up(e, s, load, accesses, entry, when);
    else
        count(e, s, load, accesses, when);
}

static void serve_head(ws_engine *e, ws_sm *s) {
    uint32_t accesses = ws_queue_head(&s->ready)->weight, load = ws_queue_pop(&s->ready);
    if (e->collecting.used) s->loads[load].arrived -= (uint16_t)accesses;
    ws_load_returns(e, s, load, accesses);
}

/* ---- without operand collectors they are there when their time has come */

static bool serve_counted(ws_engine *e, ws_sm *s) {
    bool served = false;
    for (; ws_queue_ready(&s->ready, e->now) && !(served && can_be_blocked(e)); served = true)
        serve_head(e, s);
    return served;
}

/* ---- with them they are fetched from the MSHRs in one cycle, and written in the next or later */

/* The cycle in which the head is fetched: that in which those before it have been written, too. */
static uint64_t fetch_time(const ws_sm *s) {
    uint64_t when = s->ready.when - 1;
    return when > s->ready_served ? when : s->ready_served;
}

/* The first cycle in which the head may be written. */
static uint64_t write_time(const ws_sm *s) {
    return s->ready.when > s->ready_served ? s->ready.when : s->ready_served + 1;
}

static void fetch_head(ws_sm *s) {
    uint32_t entry = ws_queue_head(&s->ready)->where;
    s->head_is_fetched = true;
    if (!entry) return;
    s->in_mshrs--;
    ws_l1_fetched(s, entry - 1);
}

/* Whether the head's data find the ports to their registers free; else they try it in the next cycle. */
static bool write_head(const ws_engine *e, ws_sm *s, uint64_t cycle) {
    const ws_load *l = &s->loads[ws_queue_head(&s->ready)->id];
    s->ready_served = cycle;
    if (l->group) return true;
    if (ws_collect_port_is_taken(e, s, l->warp, l->static_id, cycle)) return false;
    ws_collect_write(e, s, l->warp, l->static_id, cycle);
    return true;
}

/* Those whose time has come, in cycles without a turn, too; where they can be blocked, one a cycle. */
static bool serve_written(ws_engine *e, ws_sm *s) {
    bool served = false;
    while (s->ready.count && !(served && can_be_blocked(e))) {
        if (!s->head_is_fetched && fetch_time(s) > e->now) break;
        if (!s->head_is_fetched) fetch_head(s);
        uint64_t when = write_time(s);
        if (when > e->now || !write_head(e, s, when)) break;
        s->head_is_fetched = false;
        serve_head(e, s);
        served = true;
    }
    if (s->ready_turn <= e->now || can_be_blocked(e))
        s->ready_turn = s->ready.count ? write_time(s) : WS_NEVER;
    return served;
}

/* A bank of the L1 may wait for an MSHR. */
static uint64_t next_written(const ws_sm *s) {
    if (!s->banks_stalled || !s->ready.count) return s->ready_turn;
    return ws_earlier(s->ready_turn, s->head_is_fetched ? write_time(s) : fetch_time(s));
}

/* ---- both */

bool ws_returns_serve(ws_engine *e, ws_sm *s) {
    if (!s->ready.count || ws_returns_are_blocked(e, s)) return false;
    return e->collecting.used ? serve_written(e, s) : serve_counted(e, s);
}

uint64_t ws_returns_next(const ws_engine *e, const ws_sm *s) {
    if (e->collecting.used) return next_written(s);
    return s->ready.count ? s->ready.when : WS_NEVER;
}
