/* The last stage for data, from the L1, shared memory or the port to the loads that wait for them: each cycle, one
 * access gets its data. Where operand collectors read the registers, these three take turns. An access leaves its MSHR
 * entry in one cycle, and its data are written in the next through the register banks' ports, to which results of
 * arithmetic that come in the same cycle go first; as in GPGPU-Sim (ldst_unit::writeback, mshr_table::next_access). */
#include "timed/l1/l1.h"
#include "timed/network/cluster.h"
#include "timed/sm/collect.h"

/* With operand collectors: notes that data of a load are queued. The SM needs a turn for them only if the load may then
 * have all its data. */
static void note_queued(const ws_engine *e, ws_sm *s, uint32_t load, uint32_t accesses, uint64_t when) {
    ws_load *l = &s->loads[load];
    l->arrived += (uint16_t)accesses;
    uint64_t turn =
        s->updating ? when - 1 : when; /* a warp that waits for an atomic goes on a cycle before */
    if (l->arrived == l->left || ws_returns_can_be_blocked(e))
        s->ready_turn = ws_earlier(s->ready_turn, turn);
}

void ws_returns_queue(ws_engine *e, ws_sm *s, uint32_t load, uint32_t accesses, uint32_t entry,
                      uint64_t when) {
    enum ws_origin from = e->collecting.used && entry == WS_NO_ENTRY ? WS_FROM_PORT : WS_FROM_L1;
    uint32_t where = e->collecting.used ? entry + 1 : 0;
    if (e->collecting.used) note_queued(e, s, load, accesses, when);
    ws_queued data = {.when = when, .id = load, .where = (uint16_t)where, .weight = (uint16_t)accesses};
    ws_queue_append(&s->ready[from], data, &e->failed);
}

void ws_returns_join(ws_engine *e, ws_sm *s, uint32_t load, uint32_t entry) {
    uint64_t when = e->now + 2;
    if (!ws_queue_insert_behind(&s->ready[WS_FROM_L1], load, 1, entry + 1, when)) e->failed = true;
    note_queued(e, s, load, 1, when);
}

/* Shared memory is a pipeline: data come core.shared_latency cycles after its banks have served the instruction, and it
 * holds one instruction for each of these cycles. While the data of the last one wait for their turn, those behind move
 * up, until the pipeline is full. */
bool ws_returns_take_shared(const ws_engine *e, const ws_sm *s) {
    return s->shared_awaited < (uint32_t)e->core->shared_latency;
}

static ws_event event_of(enum ws_event_kind kind, const ws_memory_inst *m) {
    return (ws_event){.static_id = m->static_id, .kind = (uint8_t)kind, .warp = m->warp, .tag = m->tag};
}

void ws_returns_await_shared(ws_engine *e, ws_sm *s, const ws_memory_inst *m) {
    uint64_t fetched = e->now + (uint64_t)e->core->shared_latency;
    if (!e->collecting.used) {
        ws_sm_schedule(e, s, fetched + 1, event_of(WS_EVENT_COMPLETE, m));
        return;
    }
    s->shared_awaited++;
    ws_sm_schedule(e, s, fetched, event_of(WS_EVENT_SHARED, m));
}

void ws_returns_pass_shared(ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id, uint8_t tag) {
    uint32_t load = ws_load_new(e, s, warp, static_id, 1);
    if (load == WS_NO_LOAD) return;
    s->loads[load].tag = tag;
    s->loads[load].arrived = 1;
    if (!ws_queue_push(&s->ready[WS_FROM_SHARED], load, 1, e->now + 1)) e->failed = true;
    s->ready_turn = ws_earlier(s->ready_turn, e->now + 1);
}

static inline void serve_head(ws_engine *e, ws_sm *s, ws_queue *from, const ws_queued *head) {
    uint32_t accesses = head->weight, load = ws_queue_pop(from);
    if (e->collecting.used) s->loads[load].arrived -= (uint16_t)accesses;
    ws_load_returns(e, s, load, accesses);
}

/* ---- without operand collectors they are there when their time has come */

bool ws_returns_serve_counted(ws_engine *e, ws_sm *s) {
    bool served = false;
    ws_queue *ready = &s->ready[WS_FROM_L1];
    for (; ws_queue_ready(ready, e->now) && !(served && ws_returns_can_be_blocked(e)); served = true)
        serve_head(e, s, ready, ws_queue_head(ready));
    return served;
}

/* ---- with them they are fetched from where they wait in one cycle, and written in the next or later */

/* First cycle in which the data that have left their MSHR entry, or else the next ones, may be written. */
static uint64_t write_time(const ws_sm *s) {
    return s->head_is_fetched ? s->ready_served + 1 : ws_returns_fetch_time(s) + 1;
}

/* Chooses whose data are fetched in cycle `now`, that of ws_returns_fetch_time(): in turns. Nearly always only the L1
 * has some. */
static inline void choose_head(ws_sm *s, uint64_t now) {
    s->ready_served = now;
    if (ws_returns_first_of_others(s) - 1 > now) {
        s->head_from = WS_FROM_L1;
        return;
    }
    do s->head_from = s->head_from + 1 < WS_ORIGINS ? s->head_from + 1 : 0;
    while (s->ready[s->head_from].when - 1 > now);
}

/* Takes the head out of its MSHR entry, out of shared memory, or from its place behind the port. A warp that waits for
 * an atomic may go on in the cycle in which its last result is taken, although that is still to be written (GPGPU-Sim:
 * decrement_atomic_count). */
static inline void fetch_head(ws_engine *e, ws_sm *s, const ws_queued *head) {
    s->head_is_fetched = true;
    if (s->updating && s->loads[head->id].left <= head->weight) ws_sm_updated(e, s, &s->loads[head->id]);
    if (s->head_from == WS_FROM_SHARED) s->shared_awaited--;
    if (s->head_from == WS_FROM_L1) ws_l1_fetched(s, head->where - 1u);
    if (s->head_from != WS_FROM_PORT) return;
    ws_cluster_note_room(e, s);
    if (!ws_returns_values(s)) return;
    s->values_moved_before = s->values_moved;
    s->values_moved = s->ready_served;
}

/* Writes the head's data if the ports to their registers are free, and returns whether they are; if not, it is tried
 * again in the next cycle. */
static inline bool write_head(const ws_engine *e, ws_sm *s, const ws_queued *head, uint64_t cycle) {
    const ws_load *l = &s->loads[head->id];
    s->ready_served = cycle;
    if (l->group) return true;
    if (ws_collect_port_is_taken(e, s, l->warp, l->static_id, cycle)) return false;
    ws_collect_write(e, s, l->warp, l->static_id, cycle);
    return true;
}

/* First cycle in which the head needs a turn: when it is written, or taken if a warp waits for an atomic. */
static uint64_t next_turn(const ws_sm *s) {
    return s->updating && !s->head_is_fetched ? ws_returns_fetch_time(s) : write_time(s);
}

/* Fetches the next data if that is due, and returns whether it is. */
static inline bool fetch_next(ws_engine *e, ws_sm *s) {
    uint64_t when = ws_returns_fetch_time(s); /* late, if no data wait */
    if (when > e->now) return false;
    choose_head(s, when);
    fetch_head(e, s, ws_queue_first(&s->ready[s->head_from]));
    return true;
}

/* Serves all data that are due, including those of cycles without a turn; only one per cycle if data can be held up.
 * Returns whether there were any. */
bool ws_returns_serve_written(ws_engine *e, ws_sm *s) {
    bool served = false, held_up = ws_returns_can_be_blocked(e);
    while ((s->head_is_fetched || fetch_next(e, s)) && s->ready_served < e->now) {
        ws_queue *from = &s->ready[s->head_from];
        const ws_queued *head = ws_queue_first(from);
        if (!write_head(e, s, head, s->ready_served + 1)) break;
        s->head_is_fetched = false;
        serve_head(e, s, from, head);
        served = true;
        if (held_up) break;
    }
    if (s->ready_turn <= e->now || held_up) s->ready_turn = ws_returns_wait(s) ? next_turn(s) : WS_NEVER;
    return served;
}

/* Next cycle that needs a turn. If a bank of the L1 is stalled it may wait for an MSHR entry, so this includes when the
 * next one is freed. */
uint64_t ws_returns_next_written(const ws_sm *s) {
    if (!s->banks_stalled || !ws_returns_wait(s)) return s->ready_turn;
    return ws_earlier(s->ready_turn, ws_returns_move_time(s));
}

/* Code goes another way than data, so that there must be more values than have room at the unit. */
bool ws_returns_hold_up_code(const ws_engine *e, const ws_sm *s) {
    uint32_t room = WS_VALUES_AT_UNIT, before = ws_returns_values(s) + (s->values_moved == e->now);
    bool moved_before = s->values_moved + 1 == e->now || s->values_moved_before + 1 == e->now;
    return before > room || (before == room && moved_before);
}
