/* What the files of an SM's L1 share: l1.c, heard.c, foresee.c (what is certain before its cycle), returns.c, lsu.c,
 * and fetch.c; and their part in the SM's turn (sm/ahead.c). */
#ifndef WS_TIMED_L1_L1_H
#define WS_TIMED_L1_L1_H

#include "timed/l1/lsu.h"
#include "timed/network/cluster.h"
#include "timed/sm/core.h"

static inline bool ws_l1_miss_queue_has_room(const ws_engine *e, const ws_sm *s, unsigned more) {
    return s->miss_queue.count + more < (uint32_t)e->l1->miss_queue;
}

/* Returns the number of ways of the SM's L1. Of an array divided with shared memory it has what the smallest carve-out
 * that holds the resident CTAs leaves, in whole ways, at least one (carveout.c). */
uint32_t ws_l1_ways(const ws_engine *engine, uint32_t sm);

/* Sends an access past the L1. False: it cannot leave now. */
static inline bool ws_l1_send_past(ws_engine *e, ws_sm *s, uint32_t id) {
    ws_packet *p = &e->packets.at[id];
    p->slice = (uint16_t)ws_slice_of(&e->map, p->line);
    return ws_sm_send(e, s, id);
}

/* ws_l1_place() where the slot l1 has an owner, who is told. */
void ws_l1_place_told(const ws_engine *engine, ws_sm *sm, uint32_t way, uint64_t line, uint8_t reserved,
                      unsigned warp);
/* Gives `way`, which the line has or may take, to the line, for an access of slot `warp` (WS_NO_SLOT: nobody's); its
 * sectors `reserved` are on their way. */
static inline void ws_l1_place(const ws_engine *e, ws_sm *s, uint32_t way, uint64_t line, uint8_t reserved,
                               unsigned warp) {
    if (e->l1_slot) {
        ws_l1_place_told(e, s, way, line, reserved, warp);
        return;
    }
    ws_cache_take(&s->l1, way, line, reserved);
}

/* Local memory with l1.write = evict (local.c). Writes of packet `id` that hit `way` stay there, and are
 * acknowledged at once; frees the packet. */
void ws_l1_write_local(ws_engine *engine, ws_sm *sm, uint32_t id, uint32_t way, uint8_t sectors);
/* ws_l1_place() that also queues what is dirty of the line that loses the way. */
void ws_l1_place_writing_back(ws_engine *engine, ws_sm *sm, uint32_t way, uint64_t line, uint8_t reserved,
                              unsigned warp);
/* The same, for data that have been asked of memory, where there is anything to write back. */
static inline void ws_l1_place_on_miss(ws_engine *e, ws_sm *s, uint32_t way, uint64_t line, uint8_t reserved,
                                       unsigned warp) {
    if (s->l1.dirty_lines && e->l1->write == WS_WRITE_EVICT)
        ws_l1_place_writing_back(e, s, way, line, reserved, warp);
    else
        ws_l1_place(e, s, way, line, reserved, warp);
}

/* Notes that the bank's head fails from cycle `from` on, and why. */
static inline void ws_l1_note_failure(ws_l1_bank *bank, enum ws_fail cause, uint64_t from) {
    bank->since = from + 1;
    bank->cause = (uint8_t)cause;
}
static inline void ws_l1_stall_only_bank(ws_sm *s, enum ws_fail cause, uint64_t from) {
    ws_l1_note_failure(s->only_bank, cause, from);
    s->banks_stalled = 1;
}

/* To be called when something has changed that the heads of banks may wait for. */
static inline void ws_l1_try_again(ws_sm *s) {
    s->banks_stalled = 0;
    s->head_way = WS_NO_WAY;
}

/* To be called when data come to a way: what the tags have said of a head may no longer hold for their set. */
static inline void ws_l1_note_data(ws_sm *s, uint32_t way) {
    if (s->head_way != WS_NO_WAY &&
        ws_cache_set_of_way(&s->l1, way) == ws_cache_set_of_way(&s->l1, s->head_way))
        s->head_way = WS_NO_WAY;
}

/* To be called when an access has taken its data out of the MSHR entry; the last one frees the entry. */
static inline void ws_l1_fetched(ws_sm *s, uint32_t entry) {
    if (--s->mshr.entry[entry].count == 0) ws_mshr_release(&s->mshr, entry, 1);
    ws_l1_try_again(s);
}

/* Returns the MSHR entry that the data are for. */
static inline uint32_t ws_l1_entry_of(const ws_sm *s, const ws_packet *data) {
    return data->entry != WS_NO_ENTRY ? data->entry : ws_mshr_find(&s->mshr, data->line, data->sectors);
}

static inline void ws_l1_take_acknowledgement(ws_engine *e, ws_sm *s, const ws_packet *p) {
    uint32_t sectors = ws_sector_count(p->sectors);
    s->warps[p->warp].writes -= sectors;
    s->cta_writes[s->warps[p->warp].cta_of] -= sectors;
    ws_sm_settle(e, s, p->warp, sectors);
}

/* Returns the cycle in which values that bypassed the L1 come to their load, if the load/store unit takes the reply in
 * cycle `when`: the next one. With operand collectors data are written to their registers one cycle later than that. */
static inline uint64_t ws_l1_values_pass(const ws_engine *e, uint64_t when) {
    return when + 1 + e->collecting.used;
}

/* ---- when data are due (returns.c) */

/* With operand collectors, while data wait: _fetch_time returns the cycle in which the next data leave their MSHR
 * entry, at the earliest that in which those before them have been written; _move_time that in which the next ones do
 * or, if they have done so, may be written. */
static inline uint64_t ws_returns_fetch_time(const ws_sm *s) {
    uint64_t when = ws_returns_first(s) - 1;
    return when > s->ready_served ? when : s->ready_served;
}
static inline uint64_t ws_returns_move_time(const ws_sm *s) {
    return s->head_is_fetched ? s->ready_served + 1 : ws_returns_fetch_time(s);
}
/* Returns the number of values that bypassed the L1 and are not being written yet. All but the first are still at the
 * port, in the way of other replies. */
static inline uint32_t ws_returns_values(const ws_sm *s) {
    return s->ready[WS_FROM_PORT].count - (s->head_is_fetched && s->head_from == WS_FROM_PORT);
}
static inline uint32_t ws_returns_values_behind(const ws_sm *s) {
    uint32_t values = ws_returns_values(s);
    return values ? values - 1 : 0;
}
/* How many replies have room behind the value at the load/store unit; how many values there, with the first; and before
 * the network's port is full, too (GPGPU-Sim: gpgpu_n_ldst_response_buffer_size,
 * gpgpu_n_cluster_ejection_buffer_size). */
enum {
    WS_REPLIES_BEHIND = 2,
    WS_VALUES_AT_UNIT = 1 + WS_REPLIES_BEHIND,
    WS_VALUES_IN_FRONT = WS_VALUES_AT_UNIT + 32
};
/* Whether a reply has values that bypass the L1. */
static inline bool ws_l1_has_values(const ws_packet *p) {
    return p->load != WS_CODE && p->kind != WS_PACKET_WRITE && (p->kind != WS_PACKET_READ || p->bypasses);
}
/* Whether they hold up a line of code that comes behind them: until the last of them has come to the unit. */
bool ws_returns_hold_up_code(const ws_engine *engine, const ws_sm *sm);
/* Returns whether data that wait may be served now. With operand collectors a turn for them never comes before that. */
static inline bool ws_returns_are_due(const ws_engine *e, const ws_sm *s) {
    if (!e->collecting.used) return ws_queue_ready(&s->ready[WS_FROM_L1], e->now);
    return ws_returns_wait(s) && ws_returns_move_time(s) <= e->now;
}
/* Returns the next cycle in which data need a turn; _written: with operand collectors. */
uint64_t ws_returns_next_written(const ws_sm *sm);
static inline uint64_t ws_returns_next(const ws_engine *e, const ws_sm *s) {
    return e->collecting.used ? ws_returns_next_written(s) : s->ready[WS_FROM_L1].when;
}

/* ---- the part of the L1 and the load/store unit in the SM's turn
 *
 * `plain`: ws_engine.turns_are_plain, as a constant (sm/ahead.c). */

/* Returns whether anything is on its way through the L1, other than data whose cycle has not come. */
static inline bool ws_l1_has_work(const ws_engine *e, const ws_sm *s) {
    return (s->banks_used & ~s->banks_stalled) || s->miss_queue.count || s->replies->count ||
           ws_returns_are_due(e, s);
}

/* Returns whether the load/store unit has anything to do, other than to wait for room in a bank. */
static inline bool ws_lsu_has_work(const ws_engine *e, const ws_sm *s) {
    return s->memory_count && !(s->waits_for && !ws_l1_has_room(e, s->waits_for));
}

/* Returns whether what the unit has to do may be due: many of its instructions are still on their way through operand
 * collectors. */
static inline bool ws_lsu_has_come(const ws_engine *e, const ws_sm *s) {
    const ws_collectors *c = &s->collectors;
    if (!e->collecting.used || e->core->coalescers > 1) return true;
    return c->at_unit ? s->memory[c->taken_last].arrives <= e->now : c->all_behind != 0;
}

/* If the head of the only bank, when it comes to the tags in cycle `when`, is a read of an absent line that finds no
 * free MSHR entry, it waits from then on. If a reply frees one in time, the read goes on without having waited. What
 * the tags say of it holds until data come to its set, if whether a way may go does not depend on how many lines are
 * dirty. */
WS_INLINE void ws_l1_stall_without_mshr(const ws_engine *e, ws_sm *s, uint64_t when) {
    const ws_l1_bank *bank = s->only_bank;
    if (!ws_queue_ready(&bank->queue, when) || !ws_mshr_is_full(&s->mshr)) return;
    const ws_packet *p = &e->packets.at[ws_queue_head(&bank->queue)->id];
    if (p->kind != WS_PACKET_READ || ws_cache_find(&s->l1, p->line) != WS_NO_WAY) return;
    uint32_t way = ws_cache_victim(&s->l1, p->line);
    ws_l1_stall_only_bank(s, way == WS_NO_WAY ? WS_FAIL_SET_FULL : WS_FAIL_MSHR_FULL, when);
    if (!s->l1.dirty_lines) s->head_way = way;
}

/* Does what is already certain of the L1's next turn after one in which anything has moved. In plain turns nearly all
 * misses have been sent ahead. */
WS_INLINE void ws_l1_foresee_turn(ws_engine *e, ws_sm *s, bool plain) {
    if (s->miss_queue.count)
        ws_l1_foresee_sending(e, s);
    else if (plain && !s->banks_stalled)
        ws_l1_stall_without_mshr(e, s, e->now + 1);
}

/* Returns the next cycle in which the first reply may be taken. Only with operand collectors values wait. */
WS_INLINE uint64_t ws_l1_next_reply(const ws_engine *e, const ws_sm *s, bool plain) {
    uint32_t values = plain ? 0 : ws_returns_values(s), may_wait = 1;
    if (values > 1) {
        const ws_packet *p = &e->packets.at[ws_queue_head(s->replies)->id];
        if (ws_l1_has_values(p)) may_wait = WS_VALUES_IN_FRONT - 1;
        if (p->load == WS_CODE) may_wait = WS_VALUES_AT_UNIT;
    }
    return values > may_wait ? ws_returns_move_time(s) : s->replies->when + 1;
}
/* Returns the next cycle in which the L1 needs a turn, as things stand. */
WS_INLINE uint64_t ws_l1_next(const ws_engine *e, const ws_sm *s, bool plain) {
    uint64_t next = plain ? s->ready[WS_FROM_L1].when : ws_returns_next(e, s);
    if (s->replies->count) next = ws_earlier(next, ws_l1_next_reply(e, s, plain));
    if (!plain && e->cluster_parts &&
        ws_returns_values_behind(s)) /* they may hold up replies for other SMs */
        next = ws_earlier(next, ws_returns_move_time(s));
    for (uint32_t open = s->banks_used & ~s->banks_stalled; open; open &= open - 1)
        next = ws_earlier(next, s->banks[__builtin_ctz(open)].queue.when);
    return next;
}
/* If ws_lsu_step() wants no turn in the next cycle: returns the next one in which something can move although nothing
 * new arrives. */
WS_INLINE uint64_t ws_lsu_next(const ws_engine *e, const ws_sm *s, bool plain) {
    uint64_t next = ws_l1_next(e, s, plain);
    if (ws_lsu_has_work(e, s)) next = ws_earlier(next, ws_lsu_next_arrival(e, s));
    if (!plain && e->front_slot) next = ws_earlier(next, e->front_slot->next(s->front));
    return next > e->now ? next : e->now + 1;
}

#endif
