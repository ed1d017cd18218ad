/* Data on their last way, to the loads that wait for them: each cycle one access gets its. Where operand collectors
 * read the registers (core.collectors), data are written through the banks' ports, to which results of arithmetic that
 * come in the same cycle go first, as in GPGPU-Sim (ldst_unit::writeback). */
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
static void line_up(ws_engine *e, ws_sm *s, uint32_t load, uint32_t accesses, uint64_t when) {
    ws_load *l = &s->loads[load];
    if (!ws_queue_push(&s->ready, load, accesses, when)) e->failed = true;
    l->arrived += (uint16_t)accesses;
    if (l->arrived == l->left || can_be_blocked(e)) s->ready_turn = ws_earlier(s->ready_turn, when);
}

void ws_returns_pass(ws_engine *e, ws_sm *s, uint32_t load, uint32_t accesses, uint64_t when) {
    if (when <= s->ready_last) when = s->ready_last + 1;
    s->ready_last = when;
    if (e->core->collectors)
        line_up(e, s, load, accesses, when);
    else
        count(e, s, load, accesses, when);
}

/* The first that are ready, or would be if nothing had held up those before. */
static uint64_t head_time(const ws_engine *e, const ws_sm *s) {
    if (!s->ready.count) return WS_NEVER;
    bool later = e->core->collectors && s->ready.when <= s->ready_served;
    return later ? s->ready_served + 1 : s->ready.when;
}

/* Whether the head's data find the port to their registers free; else they try it in the next cycle. */
static bool write_registers(const ws_engine *e, ws_sm *s, uint64_t cycle) {
    const ws_load *l = &s->loads[ws_queue_head(&s->ready)->id];
    s->ready_served = cycle;
    if (l->group) return true;
    if (ws_collect_port_is_taken(e, s, l->warp, l->static_id, cycle)) return false;
    ws_collect_write(e, s, l->warp, l->static_id, cycle);
    return true;
}

static void serve_head(ws_engine *e, ws_sm *s) {
    uint32_t accesses = ws_queue_head(&s->ready)->weight, load = ws_queue_pop(&s->ready);
    if (e->core->collectors) s->loads[load].arrived -= (uint16_t)accesses;
    ws_load_returns(e, s, load, accesses);
}

/* Those whose time has come, in cycles without a turn, too; where they can be blocked, one a cycle. */
bool ws_returns_serve(ws_engine *e, ws_sm *s) {
    if (!ws_queue_ready(&s->ready, e->now) || ws_returns_are_blocked(e, s)) return false;
    bool served = false;
    for (uint64_t when; (when = head_time(e, s)) <= e->now && !(served && can_be_blocked(e)); served = true) {
        if (e->core->collectors && !write_registers(e, s, when)) break;
        serve_head(e, s);
    }
    if (s->ready_turn <= e->now || can_be_blocked(e)) s->ready_turn = head_time(e, s);
    return served;
}

uint64_t ws_returns_next(const ws_engine *e, const ws_sm *s) {
    return e->core->collectors ? s->ready_turn : head_time(e, s);
}
