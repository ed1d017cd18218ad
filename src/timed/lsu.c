/* An SM's load/store unit: memory instructions arrive in order, and the head gives its accesses to the banks of the L1,
 * one a cycle to each, or to the owner of the front slot. */
#include "timed/engine.h"

bool ws_lsu_init(ws_engine *e, ws_sm *s) {
    s->memory_room = (uint32_t)e->core->memory_queue + WS_SCHEDULERS_MAX;
    s->memory = calloc(s->memory_room, sizeof *s->memory);
    s->front = e->front_slot ? e->front_slot->create(e, e->front_params) : NULL;
    return s->memory && (s->front || !e->front_slot) && ws_l1_init(e, s);
}

void ws_lsu_free(const ws_engine *e, ws_sm *s) {
    free(s->memory);
    free(s->loads);
    ws_queue_free(&s->inbox);
    if (e->front_slot) e->front_slot->destroy(s->front);
    ws_l1_free(e, s);
}

/* ---- instructions arrive */

/* What a load waits for: each access; of an atomic, each sector, since those return one by one. */
static unsigned replies_of(const ws_timed_static *t, const ws_timed_inst *inst, const ws_access *access) {
    if (t->op == WS_MEMORY_LOAD) return inst->access_count;
    unsigned sectors = 0;
    for (unsigned i = 0; i < inst->access_count; i++) sectors += ws_sector_count(access[i].sectors);
    return sectors;
}

static bool queue_takes(const ws_engine *e, const ws_sm *s, unsigned scheduler) {
    if (e->core->collectors) return ws_collect_takes(s, WS_UNIT_MEMORY, scheduler);
    uint32_t ports = (uint32_t)e->core->memory_ports;
    if (ports == (uint32_t)e->sm_params->schedulers)
        return s->memory_of[scheduler] < ((uint32_t)e->core->memory_queue + ports - 1) / ports;
    return s->memory_count < (uint32_t)e->core->memory_queue && s->memory_issued < ports;
}

static bool slot_takes_instructions(const ws_engine *e) {
    return e->front_slot && e->front_slot->issued;
}

/* Where a slot takes instructions itself, it has a queue of its own behind the same ports. */
static uint64_t slot_takes(const ws_engine *e, const ws_sm *s, uint64_t warps) {
    uint32_t ports = (uint32_t)e->core->memory_ports;
    if (ports != (uint32_t)e->sm_params->schedulers && s->memory_issued >= ports) return 0;
    return warps ? e->front_slot->admits(s->front, e, s, warps) : 0;
}

uint64_t ws_lsu_takes(const ws_engine *e, const ws_sm *s, unsigned scheduler, uint64_t warps) {
    uint64_t others = 0;
    for (uint64_t rest = slot_takes_instructions(e) ? warps : 0; rest; rest &= rest - 1) {
        unsigned warp = (unsigned)__builtin_ctzll(rest);
        if (s->inst[warp]->access_count) others |= UINT64_C(1) << warp;
    }
    return (queue_takes(e, s, scheduler) ? warps & ~others : 0) | (others ? slot_takes(e, s, others) : 0);
}

void ws_lsu_issue(ws_engine *e, ws_sm *s, unsigned scheduler, unsigned warp, const ws_timed_inst *inst,
                  const ws_access *access, uint8_t tag) {
    const ws_timed_static *t = &e->statics[inst->static_id];
    uint64_t way = (uint64_t)e->core->pipeline_cycles - 1; /* the unit has had its turn in this cycle */
    bool slots = inst->access_count && slot_takes_instructions(e);
    ws_memory_inst for_slot, *m = &for_slot;
    if (!slots) m = &s->memory[(s->memory_first + s->memory_count++) % s->memory_room];
    *m = (ws_memory_inst){.arrives = e->now + (way > 1 ? way : 1),
                          .access = access,
                          .static_id = inst->static_id,
                          .load = WS_NO_LOAD,
                          .left = inst->access_count,
                          .shared_left = inst->shared_cycles,
                          .warp = (uint8_t)warp,
                          .scheduler = (uint8_t)scheduler,
                          .tag = tag,
                          .asks = t->asks && inst->lanes};
    if (!slots) s->memory_of[scheduler]++;
    s->memory_issued++;
    s->in_flight[warp]++;
    if (e->front_slot) s->not_started[warp] += inst->access_count;
    for (unsigned i = 0; i < inst->access_count; i += 2) __builtin_prefetch(&access[i]);
    if ((inst->access_count && t->op != WS_MEMORY_STORE) || m->asks)
        m->load = ws_load_new(e, s, warp, inst->static_id, replies_of(t, inst, access));
    if (m->load != WS_NO_LOAD) s->loads[m->load].tag = tag, s->loads[m->load].asks = m->asks;
    if (e->core->collectors && !slots) ws_collect_memory(e, s, m);
    if (slots) e->front_slot->issued(s->front, e, s, m);
}

static enum ws_packet_kind kind_of(const ws_timed_static *t) {
    if (t->op == WS_MEMORY_LOAD) return WS_PACKET_READ;
    return t->op == WS_MEMORY_STORE ? WS_PACKET_WRITE : WS_PACKET_ATOMIC;
}

static uint32_t new_packet(ws_engine *e, ws_sm *s, const ws_memory_inst *m, const ws_access *a) {
    enum ws_packet_kind kind = kind_of(&e->statics[m->static_id]);
    uint32_t id = ws_packet_new(&e->packets);
    e->packets.at[id] = (ws_packet){.line = a->line,
                                    .words = a->words,
                                    .load = m->load,
                                    .sm = (uint16_t)s->index,
                                    .kind = kind & 3,
                                    .sectors = a->sectors,
                                    .full = kind == WS_PACKET_READ ? 0 : a->full,
                                    .data_B = kind == WS_PACKET_READ ? 0 : a->data_B,
                                    .warp = m->warp & 63};
    return id;
}

/* ---- to the L1 */

void ws_lsu_started(ws_engine *e, ws_sm *s, unsigned warp) {
    if (--s->not_started[warp] == 0) ws_sm_all_started(e, s, warp);
}

/* The head's next access goes on its way. */
static bool start_access(ws_engine *e, ws_sm *s, const ws_memory_inst *m, bool atomic) {
    if (!e->front_slot && !atomic) {
        ws_l1_bank *bank = ws_l1_bank_for(e, s, m->access->line, m->access->sectors);
        if (bank) ws_l1_enter(e, bank, new_packet(e, s, m, m->access));
        return bank != NULL;
    }
    uint32_t id = new_packet(e, s, m, m->access);
    if (e->front_slot ? e->front_slot->offer(s->front, e, s, id) : ws_l1_start(e, s, id)) return true;
    ws_packet_free(&e->packets, id);
    return false;
}

/* The head's next access is on its way. */
static void pass_access(ws_sm *s, ws_memory_inst *m, bool atomic) {
    if (atomic)
        s->counters.bypasses++;
    else if (m->load == WS_NO_LOAD)
        s->in_flight[m->warp] += ws_sector_count(m->access->sectors);
    m->access++;
    m->left--;
}

uint32_t ws_lsu_packet(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    uint32_t id = new_packet(e, s, m, m->access);
    pass_access(s, m, e->packets.at[id].kind == WS_PACKET_ATOMIC);
    return id;
}

/* Gives the head's accesses to the banks; atomics, one a cycle, pass the L1 by. */
static void start_accesses(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    bool atomic = kind_of(&e->statics[m->static_id]) == WS_PACKET_ATOMIC;
    for (uint32_t i = 0; i < (atomic ? 1 : s->bank_count) && m->left; i++) {
        if (!start_access(e, s, m, atomic)) return;
        pass_access(s, m, atomic);
    }
}

/* The head instruction's part of this cycle. */
static bool serve_instruction(ws_engine *e, ws_sm *s) {
    if (!s->memory_count) return false;
    ws_memory_inst *m = &s->memory[s->memory_first];
    if (m->arrives > e->now) return false;
    if (m->station != WS_STATION_UNIT) ws_collect_begun(e, s, m);
    const ws_timed_static *t = &e->statics[m->static_id];
    if (m->shared_left > 1) {
        m->shared_left--;
        return true;
    }
    uint16_t before = m->left;
    start_accesses(e, s, m);
    if (m->left) return m->left != before;
    if (m->asks && !ws_sm_ask_partition(e, s, m)) return false;

    ws_memory_inst done = *m;
    ws_sm_touch(e, s);
    s->memory_first = (s->memory_first + 1) % s->memory_room;
    s->memory_count--;
    s->memory_of[done.scheduler]--;
    if (done.shared_left && t->op != WS_MEMORY_STORE)
        ws_sm_schedule(e, s, e->now + (uint64_t)e->core->shared_latency + 1, WS_EVENT_COMPLETE, done.warp,
                       done.static_id, done.tag);
    else if (done.load == WS_NO_LOAD)
        ws_sm_complete(e, s, done.warp, done.static_id, done.tag);
    return true;
}

/* ---- the unit's turn */

bool ws_lsu_step(ws_engine *e, ws_sm *s) {
    bool moved = ws_l1_step(e, s);
    moved |= serve_instruction(e, s);
    if (e->front_slot) moved |= e->front_slot->step(s->front, e, s);
    return moved;
}

uint64_t ws_lsu_next(const ws_engine *e, const ws_sm *s) {
    uint64_t next = ws_l1_next(e, s);
    if (s->memory_count && s->memory[s->memory_first].arrives > e->now)
        next = ws_earlier(next, s->memory[s->memory_first].arrives);
    if (e->front_slot) next = ws_earlier(next, e->front_slot->next(s->front));
    return next > e->now ? next : e->now + 1;
}
