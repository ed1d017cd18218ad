/* A DRAM channel: requests wait a fixed time, then FR-FCFS chooses per bank (the open row first, then the oldest), and
 * commands are issued, one per DRAM cycle, columns before rows, or with two command buses one of each. */
#include "timed/engine.h"

bool ws_channel_init(ws_engine *e, ws_channel *c, uint32_t index) {
    *c = (ws_channel){.index = index,
                      .slices = &e->slices[index * (uint32_t)e->l2->slices_per_channel],
                      .slice_turn =
                          e->l2->slices_per_channel > 1, /* as in GPGPU-Sim the first has had its turn */
                      .next_command = WS_NEVER};
    for (unsigned b = 0; b < (unsigned)e->dram->banks; b++) {
        c->banks[b].group = b % (unsigned)e->dram->bank_groups;
        c->banks[b].waiting = malloc((size_t)e->dram->queue * sizeof *c->banks[b].waiting);
        if (!c->banks[b].waiting) return false;
    }
    return true;
}

void ws_channel_free(ws_channel *c) {
    for (unsigned b = 0; b < WS_DRAM_BANKS_MAX; b++) free(c->banks[b].waiting);
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
        if (!s->stalled && !s->blocked) continue;
        s->stalled = false;
        ws_wake_slice(e, s->index, e->now);
    }
}

/* One request of the slices, in turn, enters its bank. */
static void take_request(ws_engine *e, ws_channel *c) {
    if (c->pending >= (uint32_t)e->dram->queue) return;
    uint32_t count = (uint32_t)e->l2->slices_per_channel, tried = 0, which = c->slice_turn;
    while (!ws_queue_ready(&c->slices[which].to_dram, e->now)) {
        if (++tried == count) return;
        if (++which == count) which = 0;
    }
    ws_queue *from = &c->slices[which].to_dram;
    uint32_t bank;
    ws_dram_request request = {.weight = ws_queue_head(from)->weight};
    request.packet = ws_queue_pop(from);
    ws_dram_place(&e->map, e->packets.at[request.packet].line, &bank, &request.row);
    ws_dram_bank *b = &c->banks[bank];
    b->waiting[b->waiting_count++] = request;
    c->waiting |= 1u << bank;
    c->pending += request.weight;
    c->outstanding += request.weight;
    c->slice_turn = which + 1 == count ? 0 : which + 1;
    wake_slices(e, c);
}

/* When the next request comes that a slice has sent. */
static uint64_t next_request(const ws_engine *e, const ws_channel *c) {
    uint64_t next = WS_NEVER;
    for (const ws_slice *s = c->slices, *end = s + e->l2->slices_per_channel; s < end; s++)
        if (s->to_dram.count) next = ws_earlier(next, s->to_dram.when);
    return next;
}

/* The cycle in which a read's sectors may begin to leave the L2, where each takes a cycle for each of those who wait
 * for it, so that none has to wait for its data; these come in DRAM cycles `first` to `last`. */
static uint64_t reply_cycle(const ws_engine *e, const ws_dram_request *request, uint64_t first,
                            uint64_t last) {
    if (request->weight == 1) return cycle_of(e, last);
    const ws_packet *p = &e->packets.at[request->packet];
    bool apart = e->noc->sectors_apart;
    uint64_t waiting = apart ? ws_slice_waiting(e, &e->slices[p->slice], request->packet) : 1;
    uint64_t end = cycle_of(e, last), begin = cycle_of(e, first), takes = (request->weight - 1) * waiting;
    return begin + takes < end ? end - takes : begin;
}

/* The first and the last burst of a request begin in these DRAM cycles, their data come `latency` later. */
static void finish(ws_engine *e, ws_channel *c, const ws_dram_request *request, uint64_t first, uint64_t last,
                   uint64_t latency) {
    if (e->packets.at[request->packet].kind == WS_PACKET_WRITE_BACK) {
        ws_packet_free(&e->packets, request->packet);
        c->outstanding--;
        wake_slices(e, c);
        return;
    }
    uint64_t when = ticks_at(e, reply_cycle(e, request, first + latency + 1, last + latency + 1));
    if (!ws_queue_push(&c->returning, request->packet, request->weight, when)) e->failed = true;
}

static void give_back(ws_engine *e, ws_channel *c) {
    if (!ws_queue_ready(&c->returning, c->tick)) return;
    c->outstanding -= ws_queue_head(&c->returning)->weight;
    uint32_t id = ws_queue_pop(&c->returning);
    ws_slice_fill(e, &e->slices[e->packets.at[id].slice], id);
    wake_slices(e, c);
}

/* ---- FR-FCFS */

static uint32_t oldest_of_row(const ws_dram_bank *b) {
    for (uint32_t i = 0; b->open && i < b->waiting_count; i++)
        if (b->waiting[i].row == b->row) return i;
    return 0;
}

static unsigned behind(const ws_engine *e, unsigned bank) {
    return bank + 1 == (unsigned)e->dram->banks ? 0 : bank + 1;
}

/* One idle bank, in turn, takes its next request. */
static bool choose_request(ws_engine *e, ws_channel *c) {
    uint32_t idle = c->waiting & ~c->busy, first = idle >> c->turn << c->turn;
    if (!idle) return false;
    unsigned bank = (unsigned)__builtin_ctz(first ? first : idle);
    ws_dram_bank *b = &c->banks[bank];
    uint32_t which = oldest_of_row(b);
    b->current = b->waiting[which];
    for (uint32_t k = which + 1; k < b->waiting_count; k++) b->waiting[k - 1] = b->waiting[k];
    if (--b->waiting_count == 0) c->waiting &= ~(1u << bank);
    c->pending -= b->current.weight;
    c->busy |= 1u << bank;
    const ws_packet *p = &e->packets.at[b->current.packet];
    b->writes = p->kind == WS_PACKET_WRITE_BACK;
    unsigned bytes = b->writes ? p->data_B * 32u : 32;
    b->bursts_left =
        b->current.weight * ((bytes + (unsigned)e->dram->atom_B - 1) / (unsigned)e->dram->atom_B);
    bool row_is_open = b->open && b->row == b->current.row;
    if (row_is_open) c->columns |= 1u << bank;
    c->counters.requests += b->current.weight;
    c->counters.row_hits += b->current.weight - !row_is_open;
    c->turn = behind(e, c->turn);
    return true;
}

static uint64_t max2(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* First DRAM cycle in which the column command of a busy bank whose row is open may be issued. */
static uint64_t column_time(const ws_channel *c, const ws_dram_bank *b) {
    uint64_t shared = max2(c->column_ok, c->group_ok[b->group]);
    return b->writes ? max2(shared, max2(b->write_ok, c->write_ok))
                     : max2(shared, max2(b->read_ok, c->read_ok));
}

/* The same of another busy bank, which closes a row or opens one. */
static uint64_t row_time(const ws_channel *c, const ws_dram_bank *b) {
    return b->open ? max2(b->precharge_ok, c->group_precharge_ok[b->group])
                   : max2(c->activate_ok, b->activate_ok);
}

/* All bursts of a request: they follow each other as fast as their bank group takes them, while the bus has room for
 * those of other groups in between. */
static void issue_columns(ws_engine *e, ws_channel *c, unsigned bank) {
    const ws_dram_params *d = e->dram;
    ws_dram_bank *b = &c->banks[bank];
    unsigned group = b->group;
    uint64_t burst = (uint64_t)d->burst_cycles, cl = (uint64_t)d->cl, wl = (uint64_t)d->wl;
    uint64_t step = (uint64_t)(d->ccd > d->ccdl ? d->ccd : d->ccdl),
             last = c->tick + (b->bursts_left - 1) * step;
    c->column_ok = c->tick + b->bursts_left * (uint64_t)d->ccd;
    c->group_ok[group] = last + (uint64_t)d->ccdl;
    if (b->writes) {
        c->counters.writes += b->bursts_left;
        c->read_ok = last + wl + burst + (uint64_t)d->cdlr;
        b->precharge_ok = max2(b->precharge_ok, last + wl + burst + (uint64_t)d->wr);
    } else {
        c->counters.reads += b->bursts_left;
        c->write_ok = last + cl + burst + 2 > wl ? last + cl + burst + 2 - wl : last;
        b->precharge_ok = max2(b->precharge_ok, last + burst);
        c->group_precharge_ok[group] = last + (uint64_t)d->rtpl;
    }
    finish(e, c, &b->current, c->tick, last, b->writes ? wl : cl);
    c->busy &= ~(1u << bank);
    c->columns &= ~(1u << bank);
}

static void issue_row(const ws_engine *e, ws_channel *c, unsigned bank) {
    const ws_dram_params *d = e->dram;
    ws_dram_bank *b = &c->banks[bank];
    uint64_t now = c->tick;
    c->turn = behind(e, bank);
    if (b->open) {
        b->open = false;
        b->activate_ok = max2(b->activate_ok, now + (uint64_t)d->rp);
        return;
    }
    b->open = true;
    b->row = b->current.row;
    c->columns |= 1u << bank;
    c->counters.activates++;
    c->activate_ok = now + (uint64_t)d->rrd;
    b->read_ok = now + (uint64_t)d->rcd;
    b->write_ok = d->rcd > d->wl + 1 ? now + (uint64_t)(d->rcd - d->wl - 1) : now;
    b->precharge_ok = now + (uint64_t)d->ras;
    b->activate_ok = now + (uint64_t)d->rc;
}

/* Places of banks, counted from the bank on whose turn it is. */
enum { NO_PLACE = WS_DRAM_BANKS_MAX };

static uint32_t places_of(const ws_engine *e, const ws_channel *c, uint32_t banks) {
    uint64_t twice = (uint64_t)banks << e->dram->banks | banks;
    return (uint32_t)(twice >> c->turn & ((UINT64_C(1) << e->dram->banks) - 1));
}

static unsigned bank_at(const ws_engine *e, const ws_channel *c, unsigned place) {
    return (c->turn + place) & ((unsigned)e->dram->banks - 1);
}

static uint32_t before(uint32_t places, unsigned place) {
    return place < NO_PLACE ? places & ((1u << place) - 1) : places;
}

/* The first of these places whose bank's command is due; else `*next` becomes the cycle in which one is, if that is
 * earlier. */
static inline unsigned find_due(const ws_engine *e, const ws_channel *c, uint32_t places,
                                uint64_t (*due)(const ws_channel *, const ws_dram_bank *), uint64_t *next) {
    for (; places; places &= places - 1) {
        unsigned place = (unsigned)__builtin_ctz(places);
        uint64_t when = due(c, &c->banks[bank_at(e, c, place)]);
        if (when <= c->tick) return place;
        *next = ws_earlier(*next, when);
    }
    return NO_PLACE;
}

static unsigned find_column(const ws_engine *e, const ws_channel *c, uint32_t places, uint64_t *next) {
    if (!places || c->column_ok <= c->tick) return find_due(e, c, places, column_time, next);
    *next = c->column_ok; /* for all of them the bus is taken */
    return NO_PLACE;
}

/* The first column and the first row that are due. Without a bus of its own a row goes only if its place is before the
 * column's; then that column goes whose place is the first from twice the row's place on, not counting it: GPGPU-Sim
 * goes on from there. Without a command `next_command` says when to try again. */
static void issue_commands(ws_engine *e, ws_channel *c) {
    uint64_t next = WS_NEVER;
    bool apart = e->dram->command_buses > 1;
    uint32_t columns = places_of(e, c, c->columns), rows = places_of(e, c, c->busy & ~c->columns);
    unsigned column = find_column(e, c, columns, &next), row;
    if (apart && column != NO_PLACE) issue_columns(e, c, bank_at(e, c, column));
    row = find_due(e, c, apart ? rows : before(rows, column), row_time, &next);
    if (!apart && column != NO_PLACE && row != NO_PLACE)
        column = find_column(e, c, columns ^ before(columns, 2 * row + 2), &next);
    if (!apart && column != NO_PLACE) issue_columns(e, c, bank_at(e, c, column));
    if (row != NO_PLACE) issue_row(e, c, bank_at(e, c, row));
    if (column == NO_PLACE && row == NO_PLACE) c->next_command = next;
}

/* ---- the channel's turn */

static bool may_command(const ws_engine *e, const ws_channel *c) {
    return c->returning.weight < (uint32_t)e->dram->return_queue;
}

static void tick(ws_engine *e, ws_channel *c) {
    give_back(e, c);
    if (c->pending && choose_request(e, c)) c->next_command = 0;
    if (c->tick >= c->next_command && may_command(e, c)) issue_commands(e, c);
    take_request(e, c);
}

/* The first core cycle whose turn goes through DRAM cycle `tick` or a later one, after the present. */
static uint64_t turn_of(const ws_engine *e, const ws_channel *c, uint64_t tick) {
    return tick <= c->tick ? e->now + 1 : cycle_of(e, tick);
}

/* The next cycle in which something can happen. */
static uint64_t next_turn(const ws_engine *e, const ws_channel *c) {
    uint64_t next = WS_NEVER;
    if (c->waiting & ~c->busy) return e->now + 1;
    if (c->next_command != WS_NEVER && may_command(e, c)) next = turn_of(e, c, c->next_command);
    if (c->returning.count) next = ws_earlier(next, turn_of(e, c, c->returning.when));
    if (c->pending < (uint32_t)e->dram->queue) next = ws_earlier(next, next_request(e, c));
    return next > e->now ? next : e->now + 1;
}

void ws_channel_step(ws_engine *e, ws_channel *c) {
    uint64_t from = ticks_at(e, e->now), until = ticks_at(e, e->now + 1);
    if (c->tick < from) c->tick = from; /* it slept because nothing was due */
    if (c->tick >= until) {             /* a slower clock: no DRAM cycle begins in this core cycle */
        ws_wake_channel(e, c->index, e->now + 1);
        return;
    }
    for (; c->tick < until; c->tick++) tick(e, c);
    ws_wake_channel(e, c->index, next_turn(e, c));
}
