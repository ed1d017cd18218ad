/* An SM's load/store unit. Memory instructions arrive in order; the oldest one, or the oldest few if there are several
 * coalescers, give their accesses to the banks of the L1, one a cycle to each bank, or to the owner of the front slot.
 * Instructions to shared memory spend their passes here. */
#include "base/inline.h"
#include "timed/l1/l1.h"
#include "timed/sm/collect.h"

/* Sets how many instructions the queue holds. */
static void size_queue(const ws_engine *e, ws_sm *s) {
    uint32_t queue = (uint32_t)e->core->memory_queue, ports = (uint32_t)e->core->memory_ports;
    s->memory_share = (queue + ports - 1) / ports;
    if (e->collecting.used || e->front_slot) return;
    s->memory_full = ports == (uint32_t)e->sm_params->schedulers ? ports * s->memory_share : queue;
}

bool ws_lsu_init(ws_engine *e, ws_sm *s) {
    uint32_t beyond = (uint32_t)e->core->coalescers; /* room for instructions that have left the queue */
    if (beyond < WS_SCHEDULERS_MAX) beyond = WS_SCHEDULERS_MAX;
    s->memory_room = (uint32_t)e->core->memory_queue + beyond;
    size_queue(e, s);
    s->memory = calloc(s->memory_room, sizeof *s->memory);
    s->front = e->front_slot ? e->front_slot->create(e, s, e->front_params) : NULL;
    return s->memory && (s->front || !e->front_slot) && ws_l1_init(e, s);
}

void ws_lsu_free(ws_engine *e, ws_sm *s) {
    free(s->memory);
    free(s->loads);
    ws_async_free(s);
    ws_queue_free(&s->inbox);
    if (e->front_slot) e->front_slot->destroy(s->front);
    ws_l1_free(e, s);
}

/* ---- instructions arrive */

static enum ws_packet_kind kind_of(const ws_timed_static *t) {
    if (t->op == WS_MEMORY_STORE) return WS_PACKET_WRITE;
    return t->past_l1 ? WS_PACKET_ATOMIC : WS_PACKET_READ;
}

/* Number of replies that a load waits for: one per access; past the L1 one per sector, as these return one by one. */
static unsigned replies_of(const ws_timed_static *t, const ws_timed_inst *inst, const ws_access *access) {
    if (!t->past_l1) return inst->access_count;
    unsigned sectors = 0;
    for (unsigned i = 0; i < inst->access_count; i++) sectors += ws_sector_count(access[i].sectors);
    return sectors;
}

static bool queue_takes(const ws_engine *e, const ws_sm *s, unsigned scheduler) {
    if (e->collecting.used) return ws_collect_takes(s, WS_UNIT_MEMORY, scheduler);
    uint32_t ports = (uint32_t)e->core->memory_ports;
    if (ports == (uint32_t)e->sm_params->schedulers) return s->memory_of[scheduler] < s->memory_share;
    return s->memory_count < (uint32_t)e->core->memory_queue && s->memory_issued < ports;
}

/* Tell the schedulers, so that they try no memory instruction in vain, that the queue is full, or that it is not. */
static void fill_queue(ws_sm *s) {
    s->collectors.full[WS_UNIT_MEMORY] = ~UINT64_C(0);
    s->collectors.full_units |= 1u << WS_UNIT_MEMORY;
}
static void free_queue(ws_sm *s) {
    s->collectors.full[WS_UNIT_MEMORY] = 0;
    s->collectors.full_units &= ~(1u << WS_UNIT_MEMORY);
}

static bool slot_takes_instructions(const ws_engine *e) {
    return e->front_slot && e->front_slot->issued;
}

/* Those of `warps` whose instruction the front slot takes. A slot that takes whole instructions has its own queue
 * behind the same ports. */
static uint64_t slot_takes(const ws_engine *e, const ws_sm *s, uint64_t warps) {
    uint32_t ports = (uint32_t)e->core->memory_ports;
    if (ports != (uint32_t)e->sm_params->schedulers && s->memory_issued >= ports) return 0;
    return warps ? e->front_slot->admits(s->front, e, s, warps) : 0;
}

uint64_t ws_lsu_takes(const ws_engine *e, const ws_sm *s, unsigned scheduler, uint64_t warps) {
    uint64_t others = 0;
    for (uint64_t rest = slot_takes_instructions(e) ? warps : 0; rest; rest &= rest - 1) {
        unsigned warp = (unsigned)__builtin_ctzll(rest);
        if (s->warps[warp].inst->access_count) others |= UINT64_C(1) << warp;
    }
    return (queue_takes(e, s, scheduler) ? warps & ~others : 0) | (others ? slot_takes(e, s, others) : 0);
}

/* Whether ws_sm.not_started is kept: the number of a warp's accesses that have not reached the L1. */
static bool counts_starts(const ws_engine *e) {
    return e->front_slot || e->core->coalescers > 1;
}

/* Cycles from an instruction's issue to its arrival at the unit, or at a front slot that takes instructions. Those for
 * a slot hold no operand collector, as their registers are read behind its queues, but take as long as through one. */
static uint64_t way_of(const ws_engine *e, const ws_timed_static *t) {
    if (e->collecting.used) return ws_collect_way(e, t->reads);
    uint64_t pipeline = (uint64_t)e->core->pipeline_cycles;
    return pipeline > 2 ? pipeline - 1 : 1; /* less 1, as the unit has had its turn in this cycle */
}

void ws_lsu_issue(ws_engine *e, ws_sm *s, unsigned scheduler, unsigned warp, const ws_timed_inst *inst,
                  const ws_access *access, uint8_t tag) {
    const ws_timed_static *t = &e->statics.at[inst->static_id];
    bool slots = inst->access_count && slot_takes_instructions(e);
    ws_memory_inst for_slot, *m = &for_slot;
    if (!slots) m = ws_sm_memory(s, s->memory_count++);
    *m = (ws_memory_inst){.arrives = e->now + way_of(e, t),
                          .access = access,
                          .static_id = inst->static_id,
                          .load = WS_NO_LOAD,
                          .left = inst->access_count,
                          .shared_left = inst->shared_cycles,
                          .warp = (uint8_t)warp,
                          .scheduler = (uint8_t)scheduler,
                          .tag = tag,
                          .kind = (uint8_t)kind_of(t),
                          .past_l1 = t->past_l1,
                          .asks = t->asks && inst->lanes};
    if (!slots) s->memory_of[scheduler]++;
    if (!slots && s->memory_count == s->memory_full) fill_queue(s);
    if (!slots) s->past_l1 += m->past_l1;
    s->memory_issued++;
    s->warps[warp].in_flight++;
    if (counts_starts(e)) s->not_started[warp] += inst->access_count;
    for (unsigned i = 0; i < inst->access_count; i += 2) __builtin_prefetch(&access[i]);
    if ((inst->access_count && t->op != WS_MEMORY_STORE) || m->asks)
        m->load = ws_load_new(e, s, warp, inst->static_id, replies_of(t, inst, access));
    if (m->load != WS_NO_LOAD) s->loads[m->load].tag = tag, s->loads[m->load].asks = m->asks;
    m->form = (ws_packet){.load = m->load,
                          .sm = (uint16_t)s->index,
                          .kind = m->kind & 3,
                          .local = t->local,
                          .bypasses = m->past_l1,
                          .warp = warp & 63};
    if (m->load != WS_NO_LOAD && t->async == WS_ASYNC_COPY) ws_async_copy_issued(e, s, warp, m->load);
    if (e->collecting.used && !slots) ws_collect_memory(e, s, m);
    if (slots) e->front_slot->issued(s->front, e, s, m);
}

static inline uint32_t new_packet(ws_engine *e, const ws_memory_inst *m, const ws_access *a) {
    uint32_t id = ws_packet_new(&e->packets);
    ws_packet *p = &e->packets.at[id];
    *p = m->form;
    p->line = a->line;
    p->words = ws_access_words(a);
    p->sectors = a->sectors;
    if (a->data_B) p->data_B = a->data_B & 15;
    return id;
}

/* ---- to the L1 */

void ws_lsu_started(ws_engine *e, ws_sm *s, unsigned warp) {
    if (--s->not_started[warp] == 0) ws_sm_all_started(e, s, warp);
}

static void note_write(ws_sm *s, unsigned warp, uint32_t sectors) {
    s->warps[warp].in_flight += sectors;
    s->warps[warp].writes += sectors;
    s->cta_writes[s->warps[warp].cta_of] += sectors;
}

/* To be called when an access of an instruction has left the load/store unit. */
static inline void pass_access(ws_sm *s, ws_memory_inst *m, const ws_access *a) {
    if (m->kind == WS_PACKET_WRITE) note_write(s, m->warp, ws_sector_count(a->sectors));
    m->left--;
}

static void count_bypass(ws_engine *e, ws_sm *s, const ws_memory_inst *m) {
    ws_timed_share *share = ws_share_of(e, s, m->warp);
    s->counters.bypasses++;
    if (share) share->l1_bypasses++;
}

uint32_t ws_lsu_packet(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    uint32_t id = new_packet(e, m, m->access);
    pass_access(s, m, m->access++);
    if (m->past_l1) count_bypass(e, s, m);
    return id;
}

static inline ws_l1_bank *bank_of(const ws_engine *e, const ws_sm *s, const ws_access *a) {
    return &s->banks[ws_l1_bank_of(e, s, a->line, a->sectors)];
}

static inline void enter_bank(ws_engine *e, ws_sm *s, ws_l1_bank *bank, ws_memory_inst *m,
                              const ws_access *a) {
    uint32_t id = new_packet(e, m, a);
    e->packets.at[id].next = m->turn;
    ws_l1_enter(e, s, bank, id);
    pass_access(s, m, a);
}

/* The next three give an access to its bank of the L1, to the front slot, and, past the L1, to the network. They return
 * whether there was room. Nearly all accesses go to a bank, so that only this is inlined into the unit's turn. */
WS_INLINE bool start_in_bank(ws_engine *e, ws_sm *s, ws_memory_inst *m, const ws_access *a) {
    ws_l1_bank *bank = ws_l1_bank_for(e, s, a->line, a->sectors);
    if (!bank) return false;
    enter_bank(e, s, bank, m, a);
    if (e->core->coalescers > 1) ws_lsu_started(e, s, m->warp);
    return true;
}

static bool offer_to_slot(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    uint32_t id = new_packet(e, m, m->access);
    if (e->front_slot->offer(s->front, e, s, id)) {
        pass_access(s, m, m->access);
        if (m->past_l1) count_bypass(e, s, m);
        return true;
    }
    ws_packet_free(&e->packets, id);
    return false;
}

static __attribute__((noinline)) bool start_past_l1(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    if (!ws_sm_admits(e, s, m->access->data_B)) return false;
    uint32_t id = new_packet(e, m, m->access);
    if (ws_l1_send_past(e, s, id)) {
        pass_access(s, m, m->access);
        count_bypass(e, s, m);
        if (e->core->coalescers > 1) ws_lsu_started(e, s, m->warp);
        return true;
    }
    ws_packet_free(&e->packets, id);
    return false;
}

/* With l1.bank_by = set each bank takes the first accesses that are for it, among this many that have not started. */
enum { LOOK_AHEAD = 64 };

/* Whether the tags may serve this turn before all accesses that have not started. If not, its accesses would stand in
 * the banks in front of some that go before them. */
static bool turn_may_start(const ws_engine *e, const ws_sm *s, uint32_t turn) {
    for (uint32_t n = 0; n < s->memory_count; n++) {
        const ws_memory_inst *other = ws_sm_memory(s, n);
        if (other->turn && turn >= other->turn + (uint32_t)e->core->coalescers) return false;
    }
    return true;
}

static __attribute__((noinline)) void start_for_each_bank(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    if (!m->left) return;
    if (!m->turn) m->turn = ws_l1_turn(s, m->left);
    if (!turn_may_start(e, s, m->turn)) return;
    uint32_t behind = m->left + (uint32_t)__builtin_popcountll(m->started);
    for (uint32_t i = 0; i < behind && i < LOOK_AHEAD; i++)
        if (!(m->started >> i & 1) && start_in_bank(e, s, m, &m->access[i])) m->started |= UINT64_C(1) << i;
    for (; m->started & 1; m->started >>= 1) m->access++;
}

static __attribute__((noinline)) void offer_accesses(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    for (uint32_t i = 0; i < (m->past_l1 ? 1 : e->l1_rate) && m->left && offer_to_slot(e, s, m); i++)
        m->access++;
}

/* Gives an instruction's accesses to the banks, as many as these take, or past the L1, one a cycle. */
static inline void start_accesses(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    if (e->front_slot)
        offer_accesses(e, s, m);
    else if (m->past_l1)
        m->access += m->left && start_past_l1(e, s, m);
    else if (s->turns)
        start_for_each_bank(e, s, m);
    else
        for (uint32_t i = 0; i < e->l1_rate && m->left && start_in_bank(e, s, m, m->access); i++) m->access++;
}

/* ---- accesses start ahead of their cycle, in an SM that may go ahead of the others (sm/ahead.c)
 *
 * With one coalescer, accesses of other instructions do not come between those of an instruction: these are given away
 * at once, each with its own cycle. The last one is left, as the instruction retires with it. */

/* Accesses past the L1 leave one a cycle, while nothing else that the SM sends can come between them. */
static void send_past_l1(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    if (s->banks_used || s->miss_queue.count) return;
    uint64_t now = e->now++;
    for (; m->left > 1 && start_past_l1(e, s, m); m->access++) e->now++;
    m->arrives = e->now;
    e->now = now;
}

/* Accesses enter their banks in their order, up to one that finds no room now. One whose bank has taken others in a
 * cycle goes there in the next. */
static void fill_banks(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    uint64_t now = e->now;
    for (const ws_access *a;; m->access++) {
        a = m->access;
        ws_l1_bank *bank = bank_of(e, s, a);
        e->now += ws_l1_is_taken(e, bank);
        if (m->left == 1 || !ws_l1_has_room(e, bank)) break;
        enter_bank(e, s, bank, m, a);
    }
    m->arrives = e->now;
    e->now = now;
}

/* Returns the last of the instruction's next accesses that are all for the bank. */
static const ws_access *last_for(const ws_engine *e, const ws_sm *s, const ws_memory_inst *m,
                                 const ws_l1_bank *bank) {
    const ws_access *a = m->access, *last = a + m->left - 1;
    if (s->only_bank) return last;
    while (a < last && bank_of(e, s, a + 1) == bank) a++;
    return a;
}

/* The next accesses are for a bank that is full: they enter it, one for each that leaves it. By the time that one comes
 * to the tags it has been in the bank for its latency, so it may stand behind the others as well. The last of them is
 * left, as one for another bank that follows it may start in the same cycle. */
static void line_up_at_bank(ws_engine *e, ws_sm *s, ws_memory_inst *m, ws_l1_bank *bank) {
    const ws_access *first = m->access, *last = last_for(e, s, m, bank);
    ws_queue *queue = &bank->queue;
    uint64_t when = e->now + (uint64_t)e->l1->latency;
    uint32_t sectors = 0;
    for (const ws_access *a = first; a < last; a++) {
        if (!ws_queue_push(queue, new_packet(e, m, a), 1, when)) e->failed = true;
        sectors += ws_sector_count(a->sectors);
    }
    if (m->kind == WS_PACKET_WRITE) note_write(s, m->warp, sectors);
    m->access = last;
    m->left -= (uint16_t)(last - first);
}

/* Returns the bank that the next access of the instruction, which has some left, is for and which is full; NULL if
 * there is room, or if it is not the next one that goes to a bank. */
static ws_l1_bank *full_bank(const ws_engine *e, const ws_sm *s, const ws_memory_inst *m) {
    if (!s->enters_in_order || m->past_l1) return NULL;
    ws_l1_bank *bank = bank_of(e, s, m->access);
    return ws_l1_has_room(e, bank) ? NULL : bank;
}

static __attribute__((noinline)) void start_ahead(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    if (!e->sms_go_ahead || e->core->coalescers > 1) return;
    ws_l1_bank *full = full_bank(e, s, m);
    if (m->past_l1)
        send_past_l1(e, s, m);
    else if (full)
        line_up_at_bank(e, s, m, full);
    else
        fill_banks(e, s, m);
}

/* ---- the coalescers */

/* Whether the instruction reads shared memory. */
static bool waits_for_shared(const ws_engine *e, const ws_memory_inst *m) {
    return m->shared_left && e->statics.at[m->static_id].op != WS_MEMORY_STORE;
}

/* Removes the instruction from the unit: those before it move up. */
static __attribute__((noinline)) void retire(ws_engine *e, ws_sm *s, const ws_memory_inst *m) {
    ws_memory_inst done = *m;
    uint32_t at = (uint32_t)(m - s->memory), first = s->memory_first,
             n = at < first ? at + s->memory_room - first : at - first;
    if (s->memory_count > (uint32_t)e->core->coalescers) ws_sm_note_change(e, s); /* others wait behind it */
    ws_sm_touch_if_ready(e, s, s->wants[WS_UNIT_MEMORY]);
    for (; n > 0; n--) *ws_sm_memory(s, n) = *ws_sm_memory(s, n - 1);
    if (++s->memory_first == s->memory_room) s->memory_first = 0;
    if (s->memory_count-- == s->memory_full) free_queue(s);
    s->waits_for = NULL;
    s->memory_of[done.scheduler]--;
    s->past_l1 -= done.past_l1;
    if (e->collecting.used) s->collectors.at_unit--;
    if (waits_for_shared(e, &done))
        ws_returns_await_shared(e, s, &done);
    else if (done.load == WS_NO_LOAD)
        ws_sm_complete(e, s, done.warp, done.static_id, done.tag);
}

/* Serves an instruction in this cycle. Returns whether anything moved. */
static bool serve_instruction(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    if (m->shared_left > 1) {
        /* With one coalescer nothing can come between, and nothing is to be done before the last pass. */
        bool alone = e->core->coalescers == 1;
        if (alone) m->arrives = e->now + m->shared_left - 1;
        m->shared_left = alone ? 1 : m->shared_left - 1;
        return !alone;
    }
    uint16_t before = m->left;
    start_accesses(e, s, m);
    bool moved = m->left != before;
    if (moved && m->left > 1 && (m->past_l1 || s->enters_in_order)) start_ahead(e, s, m);
    if (m->left) {
        ws_l1_bank *full = full_bank(e, s, m);
        s->waits_for = e->core->coalescers == 1 ? full : NULL;
        return moved && m->arrives <= e->now && !full;
    }
    if (m->asks && !ws_sm_ask_partition(e, s, m)) return false;
    if (waits_for_shared(e, m) && !ws_returns_take_shared(e, s)) {
        m->arrives = e->now + 1;
        return false;
    }
    retire(e, s, m);
    return true;
}

/* Serves the oldest instructions, one per coalescer. An instruction waits for earlier ones of its warp, and shared
 * memory serves one at a time. Returns whether anything moved. */
static __attribute__((noinline)) bool serve_several(ws_engine *e, ws_sm *s) {
    bool moved = false, shared = false;
    uint64_t warps = 0;
    uint32_t left = e->collecting.used ? s->collectors.at_unit : (uint32_t)e->core->coalescers;
    for (uint32_t n = 0; left && n < s->memory_count;) {
        ws_memory_inst *m = ws_sm_memory(s, n);
        if (m->station != WS_STATION_UNIT) {
            n++;
            continue;
        }
        /* one that has a turn goes on: an older one, which its turn holds up, may have come from its collector later */
        bool waits =
            m->arrives > e->now || (!m->turn && ((warps >> m->warp & 1) || (shared && m->shared_left)));
        warps |= UINT64_C(1) << m->warp;
        shared |= m->shared_left != 0;
        uint32_t before = s->memory_count;
        if (!waits) moved |= serve_instruction(e, s, m);
        n += s->memory_count == before;
        left--;
    }
    return moved;
}

/* Returns the instruction that the only coalescer serves: the oldest one, or the one that it has taken from the operand
 * collectors. NULL: there is none. */
static inline ws_memory_inst *served_alone(const ws_engine *e, const ws_sm *s) {
    if (e->collecting.used) return s->collectors.at_unit ? &s->memory[s->collectors.taken_last] : NULL;
    return s->memory_count ? &s->memory[s->memory_first] : NULL;
}

/* Returns whether anything moved. */
static inline bool serve_coalescers(ws_engine *e, ws_sm *s) {
    if (e->core->coalescers > 1) return serve_several(e, s);
    ws_memory_inst *m = served_alone(e, s);
    return m && m->arrives <= e->now && serve_instruction(e, s, m);
}

/* Takes instructions from the operand collectors, up to one per coalescer. Returns whether there were any. */
static bool take_collected(ws_engine *e, ws_sm *s) {
    const ws_collectors *c = &s->collectors;
    bool moved = false;
    while (c->all_behind && c->at_unit < (uint32_t)e->core->coalescers && ws_collect_take(e, s)) moved = true;
    return moved;
}

/* ---- the unit's turn */

bool ws_lsu_serve(ws_engine *e, ws_sm *s) {
    bool moved = serve_coalescers(e, s);
    return e->collecting.used ? take_collected(e, s) | moved : moved;
}

/* Whether the next access bypasses the L1 and has no room at the port, in which case the SM is told when it has. */
static bool waits_for_port(const ws_engine *e, const ws_sm *s, const ws_memory_inst *m) {
    return m->past_l1 && m->left && e->sms_go_ahead &&
           ws_network_awaits_room(&e->requests, s->index, m->access->data_B);
}

/* Returns the next cycle in which the instruction arrives, if it still has to. */
static inline uint64_t arrival(const ws_engine *e, const ws_sm *s, const ws_memory_inst *m) {
    return m->arrives > e->now && !waits_for_port(e, s, m) ? m->arrives : WS_NEVER;
}

/* Next cycle in which an instruction arrives that a coalescer has or could take: one of several. */
static __attribute__((noinline)) uint64_t next_of_several(const ws_engine *e, const ws_sm *s) {
    uint32_t coalescers = (uint32_t)e->core->coalescers, left = coalescers;
    uint64_t next = WS_NEVER;
    for (uint32_t n = 0; left && n < s->memory_count; n++) {
        const ws_memory_inst *m = ws_sm_memory(s, n);
        bool at_unit = m->station == WS_STATION_UNIT;
        if (!at_unit && !(m->station == WS_STATION_BEHIND && s->collectors.at_unit < coalescers)) continue;
        next = ws_earlier(next, arrival(e, s, m));
        left -= at_unit;
    }
    return next;
}

uint64_t ws_lsu_next_arrival(const ws_engine *e, const ws_sm *s) {
    const ws_memory_inst *alone = e->core->coalescers == 1 ? served_alone(e, s) : NULL;
    if (alone) return arrival(e, s, alone);
    bool others = e->core->coalescers > 1 || s->collectors.all_behind;
    return others ? next_of_several(e, s) : WS_NEVER;
}
