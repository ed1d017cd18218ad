/* A DRAM channel: requests of its slices enter, one per DRAM cycle, reach its banks (dram_schedule.h) a fixed time
 * later, and their data return to the slices.
 *
 * Requests enter when that is due, in the time of the slices. The banks go ahead: all that reaches them in the next
 * hundred cycles or so has entered, so they go through these in one turn, from each DRAM cycle with something to do to
 * the next. What others see of that, they see in its own DRAM cycle: slices are told in which cycle data will be back,
 * credits wait in queues until they are, and the banks note when they become full or have room again, and what they
 * had counted before each cycle. */
#include "timed/memory/channel.h"

#include "base/array.h"
#include "base/inline.h"
#include "timed/memory/dram_schedule.h"
#include "timed/memory/slice.h"
#include "timed/turns.h"

static uint32_t bursts_of(const ws_engine *e, uint32_t bytes) {
    return (bytes + (uint32_t)e->dram->atom_B - 1) / (uint32_t)e->dram->atom_B;
}

bool ws_channel_init(ws_engine *e, ws_channel *c, uint32_t index) {
    uint32_t slices = (uint32_t)e->l2->slices_per_channel;
    *c = (ws_channel){.index = index,
                      .slice_count = slices,
                      .slices = &e->slices[index * slices],
                      .shared = e->dram->queue + e->dram->write_queue + e->dram->return_queue - (slices - 1),
                      .next_entry = WS_NEVER,
                      .tick = WS_NEVER,
                      .read_bursts = bursts_of(e, WS_TIMED_SECTOR_B)};
    ws_queue *queues[] = {&c->on_way, &c->returning, &c->written, &c->changes[0], &c->changes[1]};
    for (size_t i = 0; i < WS_COUNT(queues); i++) ws_queue_init(queues[i]);
    return ws_dram_banks_init(&c->banks, e->dram);
}

void ws_channel_free(ws_channel *c) {
    ws_dram_banks_free(&c->banks);
    ws_queue_free(&c->on_way);
    ws_queue_free(&c->returning);
    ws_queue_free(&c->written);
    for (unsigned queue = 0; queue < WS_DRAM_QUEUES; queue++) ws_queue_free(&c->changes[queue]);
}

/* ---- clocks */

/* First DRAM cycle of a core cycle's turn. The turn covers the DRAM cycles that begin after the core cycle before it,
 * up to one that begins with it. */
static uint64_t ticks_at(const ws_engine *e, uint64_t cycle) {
    if (cycle <= e->dram_start) return 0;
    uint64_t before = cycle - e->dram_start - 1;
    return e->clocks ? ws_clocks_ticks_through(e->clocks, before)
                     : ws_times_down(before, &e->dram_clock.ticks) + 1;
}

/* Core cycle whose turn includes DRAM cycle `tick`. */
WS_INLINE uint64_t cycle_of(const ws_engine *e, uint64_t tick) {
    return e->dram_start +
           (e->clocks ? ws_clocks_cycle_of(e->clocks, tick) : ws_times_up(tick, &e->dram_clock.cycles));
}

/* ---- requests enter */

/* Credits limit what is on its way to the banks, in them, and on its way back. Each slice has one credit of its own and
 * all share the others, so that no slice can keep another one out. */
static bool has_credit(const ws_channel *c, const ws_slice *s) {
    return !s->borrows | (c->borrowed < c->shared);
}

static void borrow(ws_channel *c, ws_slice *s, uint32_t credits) {
    c->borrowed += credits - !s->borrows;
    s->borrows = true;
}

/* First DRAM cycle in which a credit comes back, as far as the banks know. */
static uint64_t next_credit(const ws_channel *c) {
    return ws_earlier(c->returning.when, c->written.when);
}

/* First DRAM cycle, `from` or later, in which a request might enter: one that lacks credit, when the next one comes
 * back. Notes whether there is such a one. Written without branches. */
static uint64_t first_to_enter(ws_channel *c, uint64_t from) {
    uint64_t first = WS_NEVER, credit = next_credit(c);
    c->starved = false;
    for (const ws_slice *s = c->slices, *end = s + c->slice_count; s < end; s++) {
        bool waits = s->to_dram.count > 0, lacks = !has_credit(c, s);
        uint64_t when = s->to_dram.when, at = (lacks & (credit > when)) ? credit : when;
        first = ws_earlier(first, at);
        c->starved |= waits & lacks;
    }
    return first > from ? first : from;
}

static void give_credit(ws_channel *c, ws_queue *from) {
    const ws_queued *credits = ws_queue_first(from);
    ws_slice *s = &c->slices[credits->where];
    c->borrowed -= credits->weight - s->borrows;
    s->borrows = false;
    ws_queue_pop(from);
}

/* Gives back the credits that have come back by DRAM cycle `tick`. */
static void give_credits(ws_channel *c, uint64_t tick) {
    while (ws_queue_ready(&c->returning, tick)) give_credit(c, &c->returning);
    while (ws_queue_ready(&c->written, tick)) give_credit(c, &c->written);
}

/* To be called when it is known that a credit will come back in DRAM cycle `when`. */
static void expect_credit(ws_channel *c, uint64_t when) {
    if (c->starved) c->next_entry = ws_earlier(c->next_entry, when);
}

/* First DRAM cycle in which the banks can choose a request that enters in DRAM cycle `tick`. */
WS_INLINE uint64_t reaches(const ws_engine *e, uint64_t tick) {
    uint64_t comes = ticks_at(e, cycle_of(e, tick) + (uint64_t)e->dram->latency);
    return (comes > tick ? comes : tick) + 1;
}

/* Returns the first slice, in turn, with a request that may enter in DRAM cycle c->next_entry, or NULL. */
static ws_slice *next_slice(const ws_channel *c) {
    ws_slice *end = c->slices + c->slice_count, *s = c->slices + c->slice_turn;
    for (uint32_t i = 0; i < c->slice_count; i++) {
        if (ws_queue_ready(&s->to_dram, c->next_entry) && has_credit(c, s)) return s;
        if (++s == end) s = c->slices;
    }
    return NULL;
}

static void enter(ws_engine *e, ws_channel *c, ws_slice *s) {
    const ws_queued *sent = ws_queue_first(&s->to_dram);
    uint64_t when = reaches(e, c->next_entry);
    uint32_t which = (uint32_t)(s - c->slices);
    borrow(c, s, sent->weight);
    if (!ws_queue_push_to(&c->on_way, sent->id, sent->weight, which * WS_DRAM_KINDS + sent->where, when))
        e->failed = true;
    if (s->to_dram.weight > (uint32_t)e->l2->queue)
        ws_slice_keep_misses(s, cycle_of(e, c->next_entry) - 1, (uint32_t)e->l2->queue);
    ws_queue_pop(&s->to_dram);
    c->tick = ws_earlier(c->tick, when);
    c->slice_turn = which + 1 == c->slice_count ? 0 : which + 1;
    if (s->blocked) ws_wake_slice(e, s->index, e->now);
}

/* The queue of the banks that a request is for, which waits in front of the channel or is on its way. */
static enum ws_dram_queue queue_of(const ws_channel *c, const ws_queued *sent) {
    return ws_dram_queue_for(&c->banks, sent->where % WS_DRAM_KINDS == WS_DRAM_WRITE_BACK);
}

/* Lets a request enter that may in DRAM cycle c->next_entry. While its queue is full, no other one enters. */
static void let_enter(ws_engine *e, ws_channel *c) {
    give_credits(c, c->next_entry);
    ws_slice *s = next_slice(c);
    if (s && !c->full[queue_of(c, ws_queue_first(&s->to_dram))]) enter(e, c, s);
    c->next_entry = first_to_enter(c, c->next_entry + 1);
}

/* Notes which queues of the banks are full in DRAM cycle c->next_entry. */
static void see_changes(ws_channel *c, enum ws_dram_queue queue) {
    ws_queue *changes = &c->changes[queue];
    for (; ws_queue_ready(changes, c->next_entry); ws_queue_pop(changes)) c->full[queue] = !c->full[queue];
}

/* Lets a request enter in DRAM cycle c->next_entry unless the banks are full then. */
WS_INLINE void try_to_enter(ws_engine *e, ws_channel *c) {
    const ws_queue *changes = &c->changes[WS_DRAM_SHARED];
    see_changes(c, WS_DRAM_SHARED);
    if (c->banks.kind.keeps_writes_apart) see_changes(c, WS_DRAM_OF_WRITES);
    if (!c->full[WS_DRAM_SHARED] || c->banks.kind.keeps_writes_apart)
        let_enter(e, c);
    else
        c->next_entry = changes->count ? changes->when : c->tick;
}

/* Goes through the DRAM cycles before `end` in which requests might enter, up to the next one of the banks. */
static void let_requests_enter(ws_engine *e, ws_channel *c, uint64_t end) {
    while (c->next_entry < ws_earlier(c->tick, end)) try_to_enter(e, c);
}

/* A request may enter the channel in DRAM cycle `entry` already. Returns `tick`. Not inlined, as that is rare. */
static __attribute__((noinline)) uint64_t enter_sooner(ws_engine *e, ws_channel *c, uint64_t entry,
                                                       uint64_t tick) {
    c->next_entry = entry;
    ws_wake_channel(e, c->index, cycle_of(e, entry) + (uint64_t)e->dram->latency);
    return tick;
}

uint64_t ws_channel_await(ws_engine *e, const ws_slice *s, uint64_t from) {
    ws_channel *c = &e->channels[s->channel];
    uint64_t tick = ticks_at(e, from), entry = tick;
    if (!has_credit(c, s)) {
        uint64_t credit = next_credit(c);
        c->starved = true;
        entry = credit > tick ? credit : tick;
    }
    return entry < c->next_entry ? enter_sooner(e, c, entry, tick) : tick;
}

void ws_channel_await_room(ws_engine *e, ws_channel *c) {
    if (c->next_entry == WS_NEVER) return; /* it has a turn when the banks find out about a credit */
    uint64_t enters = cycle_of(e, c->next_entry);
    ws_wake_channel(e, c->index, enters > e->now ? enters : e->now + 1);
}

/* ---- in and out of the banks */

WS_INLINE void add_request(const ws_engine *e, const ws_channel *c, ws_dram_banks *b, const ws_queued *sent) {
    bool writes = sent->where % WS_DRAM_KINDS == WS_DRAM_WRITE_BACK;
    uint32_t slice = sent->where / WS_DRAM_KINDS;
    const ws_packet *p = writes ? &e->packets.at[sent->id] : NULL;
    uint32_t bank, bursts = writes ? bursts_of(e, p->data_B * 32u) : sent->weight * c->read_bursts;
    uint64_t row;
    ws_dram_place(&e->map, writes ? p->line : c->slices[slice].mshr.entry[sent->id].line, &bank, &row);
    ws_dram_request *request = ws_dram_add(b, bank, writes, sent->weight);
    request->id = sent->id;
    request->row = (uint32_t)row;
    request->bursts = (uint8_t)bursts;
    request->slice = (uint8_t)slice;
}

WS_INLINE void take_request(const ws_engine *e, ws_channel *c, ws_dram_banks *b) {
    add_request(e, c, b, ws_queue_first(&c->on_way));
    ws_queue_pop(&c->on_way);
}

/* DRAM cycle in which a read's sectors go back, all together, so as to leave the L2 as fast as its port gives them out:
 * the first one in which neither those that leave together first, nor the last ones, will have to wait for their data.
 * The data come in DRAM cycles `first` to `last`. */
WS_INLINE uint64_t goes_back(const ws_engine *e, const ws_channel *c, const ws_dram_request *request,
                             uint64_t first, uint64_t last) {
    uint32_t port = (uint32_t)e->l2->port_B,
             takes = (request->weight - 1u) * WS_TIMED_SECTOR_B >> __builtin_ctz(port);
    if (!takes) return last;
    if (port > WS_TIMED_SECTOR_B)
        first += (port / WS_TIMED_SECTOR_B - 1) * c->read_bursts * c->banks.burst_step;
    uint64_t begin = cycle_of(e, first), cycles = cycle_of(e, last) - begin;
    return ticks_at(e, begin + (cycles > takes ? cycles - takes : 0));
}

/* The request's last column command has been issued; the data of a read come `cl` after its bursts, and go back one
 * request in a DRAM cycle. */
WS_INLINE void finish(ws_engine *e, ws_channel *c, const ws_dram_banks *b, const ws_dram_request *request,
                      uint64_t now) {
    if (request->writes) {
        ws_packet_free(&e->packets, request->id);
        uint64_t when = now + (uint64_t)e->dram->wl;
        if (!ws_queue_push_to(&c->written, request->id, 1, request->slice, when)) e->failed = true;
        expect_credit(c, when);
        return;
    }
    uint64_t first = now + (uint64_t)e->dram->cl + 1, last = ws_dram_last_burst(b, request, first),
             when = goes_back(e, c, request, first, last),
             soonest = (now > c->last_return ? now : c->last_return) + 1;
    c->last_return = when > soonest ? when : soonest;
    if (!ws_queue_push_to(&c->returning, request->id, request->weight, request->slice, c->last_return)) {
        e->failed = true;
        return;
    }
    ws_slice_expect(e, &c->slices[request->slice], request->id, cycle_of(e, c->last_return));
    expect_credit(c, c->last_return);
}

/* ---- the banks go ahead */

WS_INLINE void issue_commands(ws_engine *e, ws_channel *c, ws_dram_banks *b, uint64_t now) {
    const ws_dram_request *done = ws_dram_issue(b, now);
    if (done) finish(e, c, b, done, now);
}

/* Notes for what enters whether a queue of the banks has become full, or has room again. */
WS_INLINE void note_change(ws_engine *e, ws_channel *c, const ws_dram_banks *b, enum ws_dram_queue queue,
                           uint64_t now) {
    if (ws_dram_has_room(b, queue) != c->banks_full[queue]) return;
    c->banks_full[queue] = !c->banks_full[queue];
    if (!ws_queue_push(&c->changes[queue], 0, 0, now)) e->failed = true;
}

/* Next DRAM cycle in which a request reaches the banks. Written without branches, as the following. */
WS_INLINE uint64_t next_arrival(const ws_channel *c, const ws_dram_banks *b) {
    bool apart = b->kind.keeps_writes_apart && c->on_way.count;
    enum ws_dram_queue queue = apart ? queue_of(c, ws_queue_first(&c->on_way)) : WS_DRAM_SHARED;
    return c->on_way.when | -(uint64_t)!ws_dram_has_room(b, queue);
}

/* DRAM cycle `now` of the banks. `arrival`: the next one in which a request reaches them. */
WS_INLINE void step_banks(ws_engine *e, ws_channel *c, ws_dram_banks *b, uint64_t now, uint64_t arrival) {
    bool apart = b->kind.keeps_writes_apart;
    if (apart && now) ws_dram_look_at_writes(b, now - 1);
    if (arrival <= now) take_request(e, c, b);
    if (apart) ws_dram_look_at_writes(b, now);
    if (ws_dram_may_choose(b)) ws_dram_choose(b, now);
    if (b->next_command <= now) issue_commands(e, c, b, now);
    note_change(e, c, b, WS_DRAM_SHARED, now);
    if (apart) note_change(e, c, b, WS_DRAM_OF_WRITES, now);
}

/* Next DRAM cycle in which the banks have something to do. */
WS_INLINE uint64_t next_tick(const ws_dram_banks *b, uint64_t now, uint64_t arrival) {
    uint64_t command = b->next_command & -(uint64_t)!ws_dram_may_choose(b),
             next = ws_earlier(command, arrival);
    return next > now ? next : now + 1;
}

/* Lets the banks, which are of this kind, go on from DRAM cycle c->tick until a request may reach them that has not
 * entered before it. */
WS_INLINE void go_ahead_as(ws_engine *e, ws_channel *c, ws_banks_kind kind) {
    ws_dram_banks banks = c->banks; /* a variable that nobody else can change is near the host */
    banks.kind = kind;              /* and if the compiler knows what is in it, costs nothing */
    uint64_t now = c->tick, limit = ws_earlier(reaches(e, now), now + WS_DRAM_AHEAD),
             arrival = next_arrival(c, &banks);
    ws_dram_begin(&banks, now);
    do {
        step_banks(e, c, &banks, now, arrival);
        arrival = next_arrival(c, &banks);
        now = next_tick(&banks, now, arrival);
    } while (now < limit);
    c->banks = banks;
    c->tick = now;
}

static void go_ahead(ws_engine *e, ws_channel *c) {
    ws_banks_kind kind = c->banks.kind;
    if (kind.keeps_writes_apart || kind.keeps_order || kind.has_two_halves)
        go_ahead_as(e, c, kind);
    else if (kind.has_two_buses)
        go_ahead_as(e, c, (ws_banks_kind){.has_two_buses = true});
    else
        go_ahead_as(e, c, (ws_banks_kind){0});
}

ws_dram_counts ws_channel_count(const ws_engine *e, const ws_channel *c, uint64_t cycle) {
    return ws_dram_count(&c->banks, ticks_at(e, cycle + 1));
}

/* ---- the channel's turn */

/* Goes through all that happens in DRAM cycles before `end`. In each the banks come before what enters. */
static void go_on(ws_engine *e, ws_channel *c, uint64_t end) {
    while (ws_earlier(c->tick, c->next_entry) < end)
        if (c->tick <= c->next_entry)
            go_ahead(e, c);
        else
            let_requests_enter(e, c, end);
}

void ws_channel_enter(ws_engine *e, ws_channel *c) {
    uint64_t end = ticks_at(e, e->now + 1);
    go_on(e, c, end);
    if (end) give_credits(c, end - 1);
}

static bool is_awaited(const ws_channel *c) {
    bool awaited = false;
    for (uint32_t i = 0; i < c->slice_count; i++) awaited |= c->slices[i].blocked;
    return awaited;
}

/* Next cycle in which something can happen that cannot be caught up with later. */
static uint64_t next_turn(const ws_engine *e, const ws_channel *c) {
    uint64_t tick = c->tick;
    if (c->next_entry < tick && is_awaited(c)) tick = c->next_entry;
    uint64_t next = tick == WS_NEVER ? WS_NEVER : cycle_of(e, tick);
    if (!c->on_way.count && c->next_entry != WS_NEVER)
        next = ws_earlier(next, cycle_of(e, c->next_entry) + (uint64_t)e->dram->latency);
    return next > e->now ? next : e->now + 1;
}

void ws_channel_step(ws_engine *e, ws_channel *c) {
    go_on(e, c, ticks_at(e, e->now + 1));
    ws_wake_channel(e, c->index, next_turn(e, c));
}
