/* A DRAM channel: requests of its slices enter, one per DRAM cycle, reach its banks (dram_banks.c) a fixed time later,
 * and their data return to the slices. Its turn in a core cycle covers all DRAM cycles that belong to that cycle. */
#include "timed/engine.h"

static uint32_t bursts_of(const ws_engine *e, uint32_t bytes) {
    return (bytes + (uint32_t)e->dram->atom_B - 1) / (uint32_t)e->dram->atom_B;
}

bool ws_channel_init(ws_engine *e, ws_channel *c, uint32_t index) {
    uint32_t slices = (uint32_t)e->l2->slices_per_channel;
    *c = (ws_channel){.index = index,
                      .slice_count = slices,
                      .slices = &e->slices[index * slices],
                      .shared = e->dram->queue + e->dram->return_queue - (slices - 1),
                      .next_entry = WS_NEVER,
                      .next_return = WS_NEVER,
                      .read_bursts = bursts_of(e, 32)};
    return ws_dram_banks_init(&c->banks, e->dram);
}

void ws_channel_free(ws_channel *c) {
    ws_dram_banks_free(&c->banks);
    ws_queue_free(&c->on_way);
    ws_queue_free(&c->returning);
    ws_queue_free(&c->written);
}

/* ---- clocks */

/* First DRAM cycle of a core cycle's turn. The turn covers the DRAM cycles that begin after the core cycle before it,
 * up to one that begins with it. */
static uint64_t ticks_at(const ws_engine *e, uint64_t cycle) {
    if (cycle <= e->dram_start) return 0;
    uint64_t before = cycle - e->dram_start - 1;
    return e->clocks ? ws_clocks_ticks_through(e->clocks, before)
                     : before * e->dram_clock.value / WS_DRAM_CLOCK + 1;
}

/* Core cycle whose turn includes DRAM cycle `tick`. */
static uint64_t cycle_of(const ws_engine *e, uint64_t tick) {
    return e->dram_start + (e->clocks
                                ? ws_clocks_cycle_of(e->clocks, tick)
                                : ws_quotient(tick * WS_DRAM_CLOCK + e->dram_clock.value - 1, e->dram_clock));
}

/* ---- requests enter */

/* Credits limit what is on its way to the banks, in them, and on its way back. Each slice has one credit of its own and
 * all share the others, so that no slice can keep another one out. */
static bool has_credit(const ws_channel *c, const ws_slice *s) {
    return !s->borrows || c->borrowed < c->shared;
}

static void borrow(ws_channel *c, ws_slice *s, uint32_t credits) {
    c->borrowed += credits - !s->borrows;
    s->borrows = true;
}

/* First DRAM cycle, `from` or later, in which a request may enter. */
static uint64_t first_to_enter(const ws_channel *c, uint64_t from) {
    uint64_t first = WS_NEVER;
    for (const ws_slice *s = c->slices, *end = s + c->slice_count; s < end; s++)
        if (s->to_dram.count && has_credit(c, s)) first = ws_earlier(first, s->to_dram.when);
    return first > from ? first : from;
}

/* Gives back credits in DRAM cycle `tick`. */
static void give_credit(ws_channel *c, ws_slice *s, uint32_t credits, uint64_t tick) {
    bool others_wait = c->borrowed >= c->shared;
    c->borrowed -= credits - s->borrows;
    s->borrows = false;
    if (others_wait) c->next_entry = first_to_enter(c, tick);
}

static void give_credit_of_write(ws_channel *c) {
    ws_queued write = *ws_queue_head(&c->written);
    ws_queue_pop(&c->written);
    give_credit(c, &c->slices[write.where], 1, write.when);
}

/* First DRAM cycle in which a request could enter, as far as the credits that are under way tell. */
static uint64_t soonest_entry(const ws_channel *c) {
    if (c->next_entry != WS_NEVER || !c->written.count) return c->next_entry;
    for (const ws_slice *s = c->slices, *end = s + c->slice_count; s < end; s++)
        if (s->to_dram.count) return c->written.when;
    return WS_NEVER;
}

/* Lets a request enter in DRAM cycle c->next_entry: that of the slice whose turn it is. */
static void enter(ws_engine *e, ws_channel *c) {
    uint32_t last = c->slice_count - 1, which = c->slice_turn;
    while (!ws_queue_ready(&c->slices[which].to_dram, c->next_entry) || !has_credit(c, &c->slices[which]))
        which = which == last ? 0 : which + 1;
    ws_slice *s = &c->slices[which];
    const ws_queued *sent = ws_queue_head(&s->to_dram);
    uint64_t when = cycle_of(e, c->next_entry) + (uint64_t)e->dram->latency;
    borrow(c, s, sent->weight);
    if (!ws_queue_push_to(&c->on_way, sent->id, sent->weight, which * WS_DRAM_KINDS + sent->where, when))
        e->failed = true;
    ws_queue_pop(&s->to_dram);
    c->slice_turn = which == last ? 0 : which + 1;
    c->next_entry = first_to_enter(c, c->next_entry + 1);
    if (s->blocked) ws_wake_slice(e, s->index, e->now);
}

/* Gives back the credits of writes, and lets requests enter, in DRAM cycles before `end`: one in each, none while the
 * banks are full. A channel that had no turn catches up here, which is exact because its banks have not changed
 * meanwhile. */
static inline void enter_until(ws_engine *e, ws_channel *c, uint64_t end) {
    for (;;) {
        uint64_t credit = c->written.count ? c->written.when : WS_NEVER;
        if (credit < end && credit <= c->next_entry)
            give_credit_of_write(c);
        else if (c->next_entry >= end)
            return;
        else if (ws_dram_has_room(&c->banks))
            enter(e, c);
        else
            c->next_entry = end;
    }
}

void ws_channel_enter(ws_engine *e, ws_channel *c) {
    enter_until(e, c, ticks_at(e, e->now + 1));
}

uint64_t ws_channel_await(ws_engine *e, const ws_slice *s, uint64_t from) {
    ws_channel *c = &e->channels[s->channel];
    uint64_t tick = ticks_at(e, from);
    if (tick < c->next_entry && has_credit(c, s)) {
        c->next_entry = tick;
        ws_wake_channel(e, c->index, cycle_of(e, tick) + (uint64_t)e->dram->latency);
    } else if (c->next_entry == WS_NEVER && c->written.count) {
        ws_wake_channel(e, c->index, cycle_of(e, c->written.when) + (uint64_t)e->dram->latency);
    }
    return tick;
}

void ws_channel_await_room(ws_engine *e, ws_channel *c) {
    /* it has a turn when that changes, as when credits come back */
    if (!ws_dram_has_room(&c->banks)) return;
    uint64_t entry = soonest_entry(c), enters = entry == WS_NEVER ? WS_NEVER : cycle_of(e, entry);
    ws_wake_channel(e, c->index, enters > e->now ? enters : e->now + 1);
}

/* ---- in and out of the banks */

static void add_request(const ws_engine *e, ws_channel *c, const ws_queued *sent) {
    bool writes = sent->where % WS_DRAM_KINDS == WS_DRAM_WRITE_BACK;
    uint32_t slice = sent->where / WS_DRAM_KINDS;
    const ws_packet *p = writes ? &e->packets.at[sent->id] : NULL;
    uint32_t bank, bursts = writes ? bursts_of(e, p->data_B * 32u) : sent->weight * c->read_bursts;
    uint64_t row;
    ws_dram_place(&e->map, writes ? p->line : c->slices[slice].mshr.entry[sent->id].line, &bank, &row);
    ws_dram_request request = {.id = sent->id,
                               .row = (uint32_t)row,
                               .weight = (uint8_t)sent->weight,
                               .bursts = (uint8_t)bursts,
                               .slice = (uint8_t)slice,
                               .writes = writes};
    ws_dram_add(&c->banks, bank, request);
}

static void take_request(ws_engine *e, ws_channel *c) {
    add_request(e, c, ws_queue_head(&c->on_way));
    ws_queue_pop(&c->on_way);
}

/* DRAM cycle in which a read's sectors go back, all together, so as to leave the L2 as fast as its port gives them out:
 * the first one in which neither those that leave together first, nor the last ones, will have to wait for their data.
 * The data come in DRAM cycles `first` to `last`. */
static uint64_t goes_back(const ws_engine *e, const ws_channel *c, const ws_dram_request *request,
                          uint64_t first, uint64_t last) {
    uint32_t port = (uint32_t)e->l2->port_B, takes = (request->weight - 1u) * 32 >> __builtin_ctz(port);
    if (!takes) return last;
    if (port > 32) first += (port / 32 - 1) * c->read_bursts * c->banks.burst_step;
    uint64_t end = cycle_of(e, last), begin = cycle_of(e, first);
    return ticks_at(e, begin + takes < end ? end - takes : begin);
}

/* The request's last column command has been issued; the data of a read come `cl` after its bursts. */
static void finish(ws_engine *e, ws_channel *c, const ws_dram_request *request) {
    if (request->writes) {
        ws_packet_free(&e->packets, request->id);
        uint64_t when = c->tick + (uint64_t)e->dram->wl;
        if (!ws_queue_push_to(&c->written, request->id, 1, request->slice, when)) e->failed = true;
        return;
    }
    uint64_t first = c->tick + (uint64_t)e->dram->cl + 1,
             last = ws_dram_last_burst(&c->banks, request, first);
    uint64_t when = goes_back(e, c, request, first, last);
    if (!ws_queue_push_to(&c->returning, request->id, request->weight, request->slice, when)) {
        e->failed = true;
        return;
    }
    c->next_return = c->returning.when;
}

static void give_back(ws_engine *e, ws_channel *c) {
    ws_queued data = *ws_queue_head(&c->returning);
    give_credit(c, &c->slices[data.where], data.weight, c->tick);
    ws_queue_pop(&c->returning);
    c->next_return = c->returning.count ? c->returning.when : WS_NEVER;
    ws_slice_fill(e, &c->slices[data.where], data.id);
}

/* ---- the channel's turn */

static bool may_command(const ws_engine *e, const ws_channel *c) {
    return c->returning.weight < (uint32_t)e->dram->return_queue;
}

static void issue_commands(ws_engine *e, ws_channel *c) {
    const ws_dram_request *done = ws_dram_issue(&c->banks, c->tick);
    if (done) finish(e, c, done);
}

static void tick(ws_engine *e, ws_channel *c) {
    if (c->next_return <= c->tick) give_back(e, c);
    if (ws_dram_may_choose(&c->banks)) ws_dram_choose(&c->banks, c->tick);
    if (c->banks.next_command <= c->tick && may_command(e, c)) issue_commands(e, c);
    enter_until(e, c, c->tick + 1);
    if (ws_queue_ready(&c->on_way, e->now) && ws_dram_has_room(&c->banks)) take_request(e, c);
}

static bool is_awaited(const ws_channel *c) {
    bool awaited = false;
    for (uint32_t i = 0; i < c->slice_count; i++) awaited |= c->slices[i].blocked;
    return awaited;
}

/* Next cycle in which the banks may take a request, or in which one may enter that a slice waits for. */
static uint64_t next_request(const ws_engine *e, const ws_channel *c) {
    if (!ws_dram_has_room(&c->banks)) return WS_NEVER;
    uint64_t next = c->on_way.count ? c->on_way.when : WS_NEVER;
    uint64_t entry = soonest_entry(c);
    if (entry == WS_NEVER) return next;
    uint64_t enters = cycle_of(e, entry);
    if (next == WS_NEVER) next = enters + (uint64_t)e->dram->latency;
    return is_awaited(c) ? ws_earlier(next, enters) : next;
}

/* Next cycle in which something can happen. Written without branches, as the host could not predict them. */
static uint64_t next_turn(const ws_engine *e, const ws_channel *c) {
    uint64_t command = may_command(e, c) ? c->banks.next_command : WS_NEVER,
             tick = ws_dram_may_choose(&c->banks) ? c->tick : ws_earlier(command, c->next_return),
             cycle = cycle_of(e, tick),
             next = ws_earlier(tick == WS_NEVER ? WS_NEVER : cycle, next_request(e, c));
    return next > e->now ? next : e->now + 1;
}

void ws_channel_step(ws_engine *e, ws_channel *c) {
    uint64_t first = ticks_at(e, e->now), end = ticks_at(e, e->now + 1);
    c->tick = c->tick > first ? c->tick : first; /* nothing was due in those that it skipped */
    enter_until(e, c, c->tick);
    for (; c->tick < end; c->tick++) tick(e, c);
    ws_wake_channel(e, c->index, next_turn(e, c));
}
