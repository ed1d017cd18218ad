/* A DRAM channel: requests come from its slices a fixed time after they left them, go through its banks, and data
 * return to the slices. */
#include "timed/engine.h"

static uint32_t bursts_of(const ws_engine *e, uint32_t bytes) {
    return (bytes + (uint32_t)e->dram->atom_B - 1) / (uint32_t)e->dram->atom_B;
}

bool ws_channel_init(ws_engine *e, ws_channel *c, uint32_t index) {
    *c = (ws_channel){.index = index,
                      .slices = &e->slices[index * (uint32_t)e->l2->slices_per_channel],
                      .slice_turn =
                          e->l2->slices_per_channel > 1, /* as in GPGPU-Sim the first has had its turn */
                      .next_request = WS_NEVER,
                      .next_return = WS_NEVER,
                      .read_bursts = bursts_of(e, 32)};
    return ws_dram_banks_init(&c->banks, e->dram);
}

void ws_channel_free(ws_channel *c) {
    ws_dram_banks_free(&c->banks);
    ws_queue_free(&c->returning);
}

/* ---- clocks */

/* The first DRAM cycle of a core cycle's turn: those that begin after the core cycle before, or with this one. */
static uint64_t ticks_at(const ws_engine *e, uint64_t cycle) {
    return cycle > e->dram_start ? (cycle - e->dram_start - 1) * e->dram_clock / WS_DRAM_CLOCK + 1 : 0;
}

/* The core cycle whose turn goes through DRAM cycle `tick`. */
static uint64_t cycle_of(const ws_engine *e, uint64_t tick) {
    return e->dram_start + (tick * WS_DRAM_CLOCK + e->dram_clock - 1) / e->dram_clock;
}

uint64_t ws_dram_cycle(const ws_engine *e, uint64_t from) {
    return cycle_of(e, ticks_at(e, from));
}

/* ---- in and out */

/* The channel holds less, or other requests: its slices, whose turn is still to come, have room again. */
static void wake_slices(ws_engine *e, const ws_channel *c) {
    for (ws_slice *s = c->slices, *end = s + e->l2->slices_per_channel; s < end; s++) {
        if (!(s->stalled | s->blocked)) continue;
        s->stalled = false;
        ws_wake_slice(e, s->index, e->now);
    }
}

static void add_request(const ws_engine *e, ws_channel *c, uint32_t slice, const ws_queued *sent) {
    bool writes = sent->where == WS_DRAM_WRITE_BACK;
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

void ws_channel_await(ws_engine *e, ws_channel *c, uint64_t when) {
    if (when < c->next_request) c->next_request = when;
    ws_wake_channel(e, c->index, when);
}

/* One request of the slices, in turn, enters its bank. */
static void take_request(ws_engine *e, ws_channel *c) {
    uint32_t last = (uint32_t)e->l2->slices_per_channel - 1, which = c->slice_turn;
    while (!ws_queue_ready(&c->slices[which].to_dram, e->now)) which = which == last ? 0 : which + 1;
    ws_queue *from = &c->slices[which].to_dram;
    add_request(e, c, which, ws_queue_head(from));
    c->outstanding += ws_queue_head(from)->weight;
    ws_queue_pop(from);
    c->slice_turn = which == last ? 0 : which + 1;
    wake_slices(e, c);
    c->next_request = WS_NEVER;
    for (const ws_slice *s = c->slices; s <= c->slices + last; s++)
        if (s->to_dram.count) c->next_request = ws_earlier(c->next_request, s->to_dram.when);
}

/* The cycle in which a read's sectors may begin to leave the L2, where each takes a cycle for each of those who wait
 * for it, so that none has to wait for its data; these come in DRAM cycles `first` to `last`. */
static uint64_t reply_cycle(const ws_engine *e, const ws_channel *c, const ws_dram_request *request,
                            uint64_t first, uint64_t last) {
    if (request->weight == 1) return cycle_of(e, last);
    const ws_mshr *mshr = &c->slices[request->slice].mshr;
    uint64_t waiting = e->noc->sectors_apart ? mshr->entry[request->id].count : 1;
    uint64_t end = cycle_of(e, last), begin = cycle_of(e, first), takes = (request->weight - 1) * waiting;
    return begin + takes < end ? end - takes : begin;
}

/* The request's column has been issued; data of a read come `cl` after the bursts. */
static void finish(ws_engine *e, ws_channel *c, const ws_dram_request *request) {
    if (request->writes) {
        ws_packet_free(&e->packets, request->id);
        c->outstanding--;
        wake_slices(e, c);
        return;
    }
    uint64_t first = c->tick + (uint64_t)e->dram->cl + 1,
             last = ws_dram_last_burst(&c->banks, request, first);
    uint64_t when = ticks_at(e, reply_cycle(e, c, request, first, last));
    if (!ws_queue_push_to(&c->returning, request->id, request->weight, 1, request->slice, when)) {
        e->failed = true;
        return;
    }
    c->next_return = c->returning.when;
}

static void give_back(ws_engine *e, ws_channel *c) {
    ws_queued data = *ws_queue_head(&c->returning);
    c->outstanding -= data.weight;
    ws_queue_pop(&c->returning);
    c->next_return = c->returning.count ? c->returning.when : WS_NEVER;
    ws_slice_fill(e, &c->slices[data.where], data.id);
    wake_slices(e, c);
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
    if (c->next_request <= e->now && ws_dram_has_room(&c->banks)) take_request(e, c);
}

/* The next cycle in which something can happen. */
static uint64_t next_turn(const ws_engine *e, const ws_channel *c) {
    uint64_t command = may_command(e, c) ? c->banks.next_command : WS_NEVER,
             tick = ws_earlier(command, c->next_return);
    if (tick <= c->tick || ws_dram_may_choose(&c->banks)) return e->now + 1;
    uint64_t next = tick == WS_NEVER ? WS_NEVER : cycle_of(e, tick);
    if (ws_dram_has_room(&c->banks)) next = ws_earlier(next, c->next_request);
    return next > e->now ? next : e->now + 1;
}

/* Those of the present core cycle. */
static ws_dram_cycles dram_cycles(ws_engine *e) {
    ws_dram_cycles *cycles = &e->dram_cycles;
    if (cycles->of != e->now)
        *cycles =
            (ws_dram_cycles){.of = e->now, .first = ticks_at(e, e->now), .end = ticks_at(e, e->now + 1)};
    return *cycles;
}

void ws_channel_step(ws_engine *e, ws_channel *c) {
    ws_dram_cycles cycles = dram_cycles(e);
    if (c->tick < cycles.first) c->tick = cycles.first; /* it slept because nothing was due */
    for (; c->tick < cycles.end; c->tick++) tick(e, c);
    ws_wake_channel(e, c->index, next_turn(e, c));
}
