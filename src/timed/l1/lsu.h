/* An SM's load/store unit and L1, as its core and the engine see them. */
#ifndef WS_TIMED_L1_LSU_H
#define WS_TIMED_L1_LSU_H

#include "base/inline.h"
#include "timed/engine.h"

/* ---- the load/store unit (lsu.c) */

bool ws_lsu_init(ws_engine *engine, ws_sm *sm);
void ws_lsu_free(ws_engine *engine, ws_sm *sm);
/* Returns those of `warps`, whose next instruction is for the load/store unit, that it accepts from in this cycle. */
uint64_t ws_lsu_takes(const ws_engine *engine, const ws_sm *sm, unsigned scheduler, uint64_t warps);
void ws_lsu_issue(ws_engine *engine, ws_sm *sm, unsigned scheduler, unsigned warp, const ws_timed_inst *inst,
                  const ws_access *access, uint8_t tag);
/* Serves the instructions at the unit, and takes those that wait behind operand collectors. Returns whether anything
 * moved. */
bool ws_lsu_serve(ws_engine *engine, ws_sm *sm);
/* Returns the next cycle in which an instruction at the unit, or on its way there, needs a turn. */
uint64_t ws_lsu_next_arrival(const ws_engine *engine, const ws_sm *sm);

/* ---- the L1 (l1.c, foresee.c). Its turn is part of the load/store unit's. */

/* To be called before the first ws_l1_init(): sets what all L1s have in common. */
void ws_l1_lay_out(ws_engine *engine);
/* Whether accesses meet none of what few replays have, and all enter one bank in their order. */
bool ws_l1_is_plain(const ws_engine *engine);
bool ws_l1_init(ws_engine *engine, ws_sm *sm);
void ws_l1_free(ws_engine *engine, ws_sm *sm);
/* Invalidates all lines except those that are on their way (fence.c). */
void ws_l1_empty(ws_sm *sm);
/* The steps of ws_l1_start() for an access that goes to a bank: the number of its bank; the bank itself, or NULL if it
 * accepts no access now; and ws_l1_enter(), which gives it one. */
static inline uint32_t ws_l1_bank_of(const ws_engine *e, const ws_sm *s, uint64_t line, uint8_t sectors) {
    if (s->bank_count == 1) return 0;
    uint64_t set_or_sector =
        e->l1->bank_by == WS_BANK_BY_SET
            ? ws_set_of(s->l1.index, line, s->l1.sets)
            : line * ((uint64_t)e->l1->line_B / WS_TIMED_SECTOR_B) + (uint64_t)__builtin_ctz(sectors);
    return (uint32_t)ws_remainder(set_or_sector, e->l1_banks);
}
static inline bool ws_l1_has_room(const ws_engine *e, const ws_l1_bank *bank) {
    return bank->queue.count < e->l1_bank_room;
}
/* Whether as many accesses as may have entered the bank in this cycle. */
static inline bool ws_l1_is_taken(const ws_engine *e, const ws_l1_bank *bank) {
    return bank->last_in == e->now + 1 && bank->taken >= (uint32_t)e->l1->bank_accesses;
}
WS_INLINE ws_l1_bank *ws_l1_bank_for(const ws_engine *e, ws_sm *s, uint64_t line, uint8_t sectors) {
    ws_l1_bank *bank = &s->banks[ws_l1_bank_of(e, s, line, sectors)];
    return !ws_l1_is_taken(e, bank) && ws_l1_has_room(e, bank) ? bank : NULL;
}
static inline void ws_l1_enter(ws_engine *e, ws_sm *s, ws_l1_bank *bank, uint32_t packet) {
    bank->taken = bank->last_in == e->now + 1 ? bank->taken + 1 : 1;
    bank->last_in = e->now + 1;
    if (ws_queue_push(&bank->queue, packet, 1, e->now + (uint64_t)e->l1->latency))
        s->banks_used |= bank->bit;
    else
        e->failed = true;
}
/* With l1.bank_by = set: assigns the next turn at the tags to an instruction with `accesses` accesses. It is kept in
 * ws_packet.next until the tags have served the access. */
uint32_t ws_l1_turn(ws_sm *sm, uint32_t accesses);
/* The L1's turn, which need not be plain. Returns whether anything moved. */
bool ws_l1_step(ws_engine *engine, ws_sm *sm);
/* Returns whether the L1, which has misses to send, can send one in the next cycle. If the first finds no room at the
 * port, the SM gets a turn when there is. */
bool ws_l1_sends_next(ws_engine *engine, const ws_sm *sm);

/* Doing things before their cycle when the outcome is certain (foresee.c).
 *
 * A reply is on its way to a port, from which the SM would take it in cycle `when`. If it changes nothing that the SM
 * could see before another turn, it is taken now, which saves the SM a turn. Returns whether it was taken. Nearly all
 * bring a line as a whole, all that is to come of it, which the SM sees: it need not be looked at, as the host's
 * nearest cache does not hold it now. _part looks at the others. */
bool ws_sm_foresees_part(ws_engine *engine, uint32_t cluster, uint32_t packet, uint64_t when);
static inline bool ws_sm_foresees(ws_engine *e, uint32_t cluster, uint32_t packet, uint64_t when) {
    if (!e->sms_go_ahead) return false;
    const ws_packet *p = &e->packets.at[packet];
    e->unanswered -= ws_sector_count(p->sectors);
    bool is_line = p->kind == WS_PACKET_READ && p->sectors == (1u << e->map.l1_sectors) - 1;
    return !is_line && ws_sm_foresees_part(e, cluster, packet, when);
}
/* Does what is already certain of the next turn of an L1 with one bank that has misses to send. To be called after the
 * L1's turn, and after the load/store unit has sent its accesses in it. */
void ws_l1_foresee_sending(ws_engine *engine, ws_sm *sm);

/* ---- data on their way from the L1, shared memory or the port to loads (returns.c) */

/* Gives the data of `accesses` accesses to the load `load`, from cycle `when` on. With operand collectors they wait
 * until then in MSHR entry `entry` of the L1 or, if they have bypassed it (WS_NO_ENTRY), behind the port. */
static inline void ws_returns_pass(ws_engine *engine, ws_sm *sm, uint32_t load, uint32_t accesses,
                                   uint32_t entry, uint64_t when);
/* The same for an access that joins others in an MSHR entry whose data have come: it follows these. */
void ws_returns_join(ws_engine *engine, ws_sm *sm, uint32_t load, uint32_t entry);
/* Shared memory, for instructions that wait for data: _take_ returns whether there is room for another one; _await_ is
 * called when one leaves the banks; _pass_ when its data have arrived (WS_EVENT_SHARED). */
bool ws_returns_take_shared(const ws_engine *engine, const ws_sm *sm);
void ws_returns_await_shared(ws_engine *engine, ws_sm *sm, const ws_memory_inst *inst);
void ws_returns_pass_shared(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id, uint8_t tag);
/* Returns whether any data wait for their turn. */
static inline bool ws_returns_wait(const ws_sm *s) {
    return s->ready[WS_FROM_L1].count || s->ready[WS_FROM_SHARED].count || s->ready[WS_FROM_PORT].count;
}
/* Returns the first cycle in which some of them may be written; _of_others: of those that do not come from the L1. */
static inline uint64_t ws_returns_first_of_others(const ws_sm *s) {
    return ws_earlier(s->ready[WS_FROM_SHARED].when, s->ready[WS_FROM_PORT].when);
}
static inline uint64_t ws_returns_first(const ws_sm *s) {
    return ws_earlier(s->ready[WS_FROM_L1].when, ws_returns_first_of_others(s));
}
/* Whether a front slot may hold up data that are due, and whether it does. */
static inline bool ws_returns_can_be_blocked(const ws_engine *e) {
    return e->front_slot && e->front_slot->blocks_returns;
}
static inline bool ws_returns_are_blocked(const ws_engine *e, const ws_sm *s) {
    return ws_returns_can_be_blocked(e) && e->front_slot->blocks_returns(s->front, e);
}
/* To be called while some data are due. Returns whether any were served; _written: with operand collectors; _counted:
 * without. */
bool ws_returns_serve_written(ws_engine *engine, ws_sm *sm);
bool ws_returns_serve_counted(ws_engine *engine, ws_sm *sm);
static inline bool ws_returns_serve(ws_engine *e, ws_sm *s) {
    if (ws_returns_are_blocked(e, s)) return false;
    return e->collecting.used ? ws_returns_serve_written(e, s) : ws_returns_serve_counted(e, s);
}

/* The parts of ws_returns_pass(): _count(), where nothing can hold up the data: if the load still waits for others,
 * they are only counted; _queue() notes that they wait. */
void ws_returns_queue(ws_engine *engine, ws_sm *sm, uint32_t load, uint32_t accesses, uint32_t entry,
                      uint64_t when);
/* Returns the cycle in which data have their turn if they may be written from cycle `when` on. */
static inline uint64_t ws_returns_turn(ws_sm *s, uint64_t when) {
    return s->ready_last = when > s->ready_last ? when : s->ready_last + 1;
}
static inline void ws_returns_count(ws_engine *e, ws_sm *s, uint32_t load, uint32_t accesses, uint64_t when) {
    ws_load *l = &s->loads[load];
    when = ws_returns_turn(s, when);
    if (l->left > accesses) {
        l->left -= (uint16_t)accesses;
        l->until = (uint32_t)when;
    } else {
        ws_returns_queue(e, s, load, accesses, WS_NO_ENTRY, when);
    }
}
static inline void ws_returns_pass(ws_engine *e, ws_sm *s, uint32_t load, uint32_t accesses, uint32_t entry,
                                   uint64_t when) {
    if (!e->collecting.used && !ws_returns_can_be_blocked(e)) {
        ws_returns_count(e, s, load, accesses, when);
        return;
    }
    if (!e->collecting.used || entry != WS_NO_ENTRY) when = ws_returns_turn(s, when);
    ws_returns_queue(e, s, load, accesses, entry, when);
}

/* ---- loads in flight (load.c) */

/* Returns WS_NO_LOAD if out of memory. */
uint32_t ws_load_new(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id, unsigned accesses);
/* To be called when `accesses` accesses of a load have their data; the last ones complete the load (ws_load_complete).
 * One of those that are queued may then be the last. */
void ws_load_complete(ws_engine *engine, ws_sm *sm, uint32_t load);
static inline void ws_load_returns(ws_engine *e, ws_sm *s, uint32_t load, uint32_t accesses) {
    ws_load *l = &s->loads[load];
    l->left -= (uint16_t)accesses;
    if (!l->left)
        ws_load_complete(e, s, load);
    else if (l->left == l->arrived)
        s->ready_turn = ws_earlier(s->ready_turn, ws_returns_first(s));
}

/* ---- lines that no load asked for (fetch.c) */

/* To be called when the L1 has served a read; `request` is the packet that it sends to memory for the read, or
 * WS_NO_PACKET. */
void ws_fetch_around(ws_engine *engine, ws_sm *sm, const ws_l1_read *read, uint32_t request);
/* To be called when the line of the MSHR entry has come into `way` (WS_NO_WAY: it is not kept). */
void ws_fetch_arrived(ws_engine *engine, ws_sm *sm, const ws_mshr_entry *entry, uint32_t way);
/* Returns a new packet for what is left of `packet`, which asks for several lines, once its first line has been
 * served. */
uint32_t ws_fetch_rest(ws_engine *engine, const ws_packet *packet);

#endif
