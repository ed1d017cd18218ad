/* A DRAM channel: requests come from its slices a fixed time after they left them, go through its banks, and data
 * return to the slices.
 *
 * Because of that time all requests of the next cycles are known, and nothing else reaches the banks. So the channel
 * goes through many DRAM cycles in one turn, ahead of the others (conservative lookahead). What they see of it they see
 * in its cycle: data go back in a turn of their own; requests that were taken are told to slices that wait for room,
 * and to others when they ask; the counters of earlier cycles are kept. */
#include "timed/engine.h"

static uint32_t bursts_of(const ws_engine *e, uint32_t bytes) {
    return (bytes + (uint32_t)e->dram->atom_B - 1) / (uint32_t)e->dram->atom_B;
}

bool ws_channel_init(ws_engine *e, ws_channel *c, uint32_t index) {
    *c = (ws_channel){.index = index,
                      .slices = &e->slices[index * (uint32_t)e->l2->slices_per_channel],
                      .slice_turn =
                          e->l2->slices_per_channel > 1, /* as in GPGPU-Sim the first has had its turn */
                      .due = WS_NEVER,
                      .next_request = WS_NEVER,
                      .next_turn = WS_NEVER,
                      .read_bursts = bursts_of(e, 32)};
    return ws_dram_banks_init(&c->banks, e->dram);
}

void ws_channel_free(ws_channel *c) {
    ws_dram_banks_free(&c->banks);
    ws_queue_free(&c->returning);
    ws_queue_free(&c->unseen);
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

static void ask_for_turn(ws_engine *e, ws_channel *c, uint64_t tick) {
    if (tick >= c->next_turn) return;
    c->next_turn = tick;
    ws_wake_channel(e, c->index, cycle_of(e, tick));
}

/* ---- what slices see */

/* The channel holds less, or other requests: its slices, whose turn is still to come, look again whether there is room,
 * and with data also at the tags. */
static void wake_slices(ws_engine *e, ws_channel *c, bool data) {
    if (!c->slices_wait) return;
    c->slices_wait = false;
    for (ws_slice *s = c->slices, *end = s + e->l2->slices_per_channel; s < end; s++) {
        if (s->blocked | (s->stalled & data)) {
            s->stalled = false;
            ws_wake_slice(e, s->index, e->now);
        }
        c->slices_wait |= s->stalled;
    }
}

/* As ws_queued.where a slice from which a request was taken, or that one has been written. */
enum { WRITTEN = WS_QUEUED_WHERE };

static void note_unseen(ws_engine *e, ws_channel *c, uint32_t what, uint32_t weight) {
    if (!ws_queue_push_to(&c->unseen, 0, weight, 1, what, c->tick)) e->failed = true;
}

static void see(ws_channel *c, const ws_queued *seen) {
    if (seen->where == WRITTEN) {
        c->outstanding -= seen->weight;
        return;
    }
    c->outstanding += seen->weight;
    c->slices[seen->where].leaving -= seen->weight;
}

/* What DRAM cycles before `end` did; whether they did anything. */
static bool see_until(ws_channel *c, uint64_t end) {
    bool any = false;
    for (; c->unseen.count && c->unseen.when < end; any = true) {
        see(c, ws_queue_head(&c->unseen));
        ws_queue_pop(&c->unseen);
    }
    return any;
}

void ws_channel_see(const ws_engine *e, ws_channel *c) {
    if (c->unseen.count) see_until(c, ticks_at(e, e->now + 1));
}

void ws_channel_await_change(ws_engine *e, ws_channel *c) {
    c->slices_wait = true;
    ws_channel_see(e, c);
    if (c->unseen.count) ask_for_turn(e, c, c->unseen.when);
}

static void keep_counters(ws_channel *c) {
    c->earlier[c->earlier_count++] = (ws_earlier_counters){.tick = c->tick, .counters = c->banks.counters};
}

ws_channel_counters ws_channel_count(const ws_engine *e, const ws_channel *c, uint64_t cycle) {
    uint64_t end = ticks_at(e, cycle + 1);
    for (uint32_t i = 0; i < c->earlier_count; i++)
        if (c->earlier[i].tick >= end) return c->earlier[i].counters;
    return c->banks.counters;
}

/* ---- in and out */

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

uint64_t ws_channel_arrival(const ws_engine *e, uint64_t left) {
    uint64_t passed = cycle_of(e, ticks_at(e, left + 2)) + (uint64_t)e->dram->latency;
    return ticks_at(e, passed);
}

void ws_channel_await(ws_engine *e, ws_channel *c, uint64_t tick) {
    if (tick < c->next_request) c->next_request = tick;
    if (tick >= c->due || !ws_dram_has_room(&c->banks)) return;
    c->due = tick;
    ask_for_turn(e, c, tick);
}

/* One request of the slices, in turn, enters its bank. */
static void take_request(ws_engine *e, ws_channel *c) {
    uint32_t last = (uint32_t)e->l2->slices_per_channel - 1, which = c->slice_turn;
    while (!ws_queue_ready(&c->slices[which].to_dram, c->tick)) which = which == last ? 0 : which + 1;
    ws_slice *from = &c->slices[which];
    const ws_queued *sent = ws_queue_head(&from->to_dram);
    add_request(e, c, which, sent);
    from->leaving += sent->weight;
    note_unseen(e, c, which, sent->weight);
    ws_queue_pop(&from->to_dram);
    c->slice_turn = which == last ? 0 : which + 1;
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

/* The request's column has been issued; data of a read come `cl` after the bursts, and go back one request in a DRAM
 * cycle. */
static void finish(ws_engine *e, ws_channel *c, const ws_dram_request *request) {
    if (request->writes) {
        ws_packet_free(&e->packets, request->id);
        note_unseen(e, c, WRITTEN, 1);
        return;
    }
    uint64_t first = c->tick + (uint64_t)e->dram->cl + 1,
             last = ws_dram_last_burst(&c->banks, request, first);
    uint64_t when = ticks_at(e, reply_cycle(e, c, request, first, last));
    if (when <= c->last_return) when = c->last_return + 1;
    c->last_return = when;
    if (!ws_queue_push_to(&c->returning, request->id, request->weight, 1, request->slice, when))
        e->failed = true;
}

static void give_back(ws_engine *e, ws_channel *c) {
    ws_queued data = *ws_queue_head(&c->returning);
    c->outstanding -= data.weight;
    ws_queue_pop(&c->returning);
    ws_slice_fill(e, &c->slices[data.where], data.id);
    wake_slices(e, c, true);
}

/* ---- DRAM cycles */

/* The first in which enough data have gone back for commands. */
static uint64_t commands_from(const ws_engine *e, const ws_channel *c) {
    uint32_t left = c->returning.weight;
    uint64_t from = 0;
    for (uint32_t i = 0; left >= (uint32_t)e->dram->return_queue; i++) {
        const ws_queued *data = ws_queue_behind(&c->returning, i);
        left -= data->weight;
        from = data->when;
    }
    return from;
}

/* The next one in which something can happen. */
static uint64_t next_tick(const ws_engine *e, const ws_channel *c) {
    if (ws_dram_may_choose(&c->banks)) return c->tick;
    uint64_t next = c->banks.next_command, from = commands_from(e, c);
    if (next < from) next = from;
    if (ws_dram_has_room(&c->banks)) next = ws_earlier(next, c->next_request);
    return next > c->tick ? next : c->tick;
}

/* A column ahead of the core cycle stays for it, if the reply depends on who waits by then. */
static bool column_stays(const ws_engine *e, ws_channel *c) {
    return e->noc->sectors_apart && ws_dram_may_read_sectors(&c->banks, c->tick);
}

static void issue_commands(ws_engine *e, ws_channel *c) {
    const ws_dram_request *done = ws_dram_issue(&c->banks, c->tick);
    if (done) finish(e, c, done);
}

/* Whether it has been done; else a column stays, with what comes after it. */
static bool tick(ws_engine *e, ws_channel *c, bool ahead) {
    if (ws_dram_may_choose(&c->banks) && !c->chosen) ws_dram_choose(&c->banks, c->tick);
    c->chosen = true;
    if (c->banks.next_command <= c->tick && commands_from(e, c) <= c->tick) {
        if (ahead && column_stays(e, c)) return false;
        issue_commands(e, c);
    }
    if (c->next_request <= c->tick && ws_dram_has_room(&c->banks)) take_request(e, c);
    c->tick++;
    c->chosen = false;
    return true;
}

/* What slices send from now on comes in this DRAM cycle or later. */
static uint64_t known_until(const ws_engine *e) {
    return ticks_at(e, e->now + 2 + (uint64_t)e->dram->latency);
}

/* All of the present core cycle, those before `end`, and what is certain of later ones. */
static void go_on(ws_engine *e, ws_channel *c, uint64_t end) {
    uint64_t limit = e->agenda.polls ? end : ws_earlier(known_until(e), end + WS_DRAM_AHEAD);
    c->earlier_count = 0;
    for (; c->due < limit; c->due = next_tick(e, c)) {
        c->tick = c->due;
        if (c->tick >= end) keep_counters(c);
        if (!tick(e, c, c->tick >= end)) return;
    }
}

/* ---- the channel's turn */

void ws_channel_step(ws_engine *e, ws_channel *c) {
    uint64_t end = ticks_at(e, e->now + 1);
    bool due = c->due < end;
    if (due) go_on(e, c, end);
    if ((due | c->slices_wait) && see_until(c, end)) wake_slices(e, c, false);
    while (c->returning.count && c->returning.when < end) give_back(e, c);
    uint64_t next = c->due;
    if (c->returning.count) next = ws_earlier(next, c->returning.when);
    if (c->slices_wait && c->unseen.count) next = ws_earlier(next, c->unseen.when);
    c->next_turn = WS_NEVER;
    ask_for_turn(e, c, next);
}
