/* A DRAM channel compared with a naive twin, which goes through every DRAM cycle and checks against all past
 * commands which ones may follow. The channel itself takes turns only in cycles that it asked for, or in which
 * slices have sent something, and its banks are ahead of the twin's. */
#include "../support/random.h"
#include "../support/sides.h"
#include "timed/memory/channel.h"
#include "timed/memory/slice.h"
#include "timed/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { REQUESTS_MAX = 1024, COMMANDS_MAX = 20000, SLICES_MAX = 3, CYCLES = 1600, SENT_MAX = 12 };

/* ---- the definition */

typedef struct request {
    uint64_t when; /* in core cycles while on its way to the banks, otherwise in DRAM cycles */
    uint64_t row;
    uint32_t id, bank, weight, bursts, slice;
    bool writes;
} request;

typedef struct list {
    request at[REQUESTS_MAX];
    uint32_t count;
} list;

enum kind { ACTIVATE, PRECHARGE, READ, WRITE };
typedef struct command {
    enum kind kind;
    uint32_t bank, bursts;
    int64_t tick;
} command;

/* The second queue is that of writes, where they have one (dram.write_queue). */
typedef struct naive_queue {
    list waiting;
    bool keeps_row; /* the row of the request that was chosen last goes first, as others for it are left */
    uint64_t kept_row;
} naive_queue;

typedef struct naive_bank {
    naive_queue queue[2];
    request current;
    bool busy, open;
    uint64_t row;
} naive_bank;

typedef struct naive_channel {
    const ws_dram_params *dram;
    uint64_t clock;  /* DRAM cycles per core cycle, times WS_DRAM_CLOCK */
    uint64_t port_B; /* of the L2 */
    list sent[SLICES_MAX], on_way, returning, given_back, written;
    naive_bank bank[WS_DRAM_BANKS_MAX];
    list in_order; /* with FIFO: all requests that wait */
    command past[COMMANDS_MAX];
    uint32_t command_count, slices, slice_turn, turn, borrowed;
    bool borrows[SLICES_MAX]; /* the slice's own credit is in use */
    bool entered[SLICES_MAX]; /* one of the slice's requests entered in this core cycle */
    bool writing;             /* requests are chosen from the queue of writes */
    uint32_t both;            /* cycles with both a column and a row command */
    uint64_t chosen_writes;   /* from the queue of writes */
    uint64_t held_up;         /* cycles in which the oldest of several waits for its bank */
    ws_dram_counts counters;
} naive_channel;

static request take(list *l, uint32_t which) {
    request r = l->at[which];
    memmove(l->at + which, l->at + which + 1, (--l->count - which) * sizeof *l->at);
    return r;
}

static void join(list *l, request r) {
    assert_true(l->count < REQUESTS_MAX);
    l->at[l->count++] = r;
}

static uint32_t weight_of(const list *l) {
    uint32_t weight = 0;
    for (uint32_t i = 0; i < l->count; i++) weight += l->at[i].weight;
    return weight;
}

static uint32_t group_of(const naive_channel *n, uint32_t bank) {
    const ws_dram_params *d = n->dram;
    return d->bank_group == WS_BANK_GROUP_HIGH_BITS ? bank * (uint32_t)d->bank_groups / (uint32_t)d->banks
                                                    : bank % (uint32_t)d->bank_groups;
}

/* A read is one command; its bursts follow each other as fast as its bank group accepts them. */
static int64_t last_burst(const naive_channel *n, const command *c) {
    int64_t step = n->dram->ccd > n->dram->ccdl ? n->dram->ccd : n->dram->ccdl;
    return c->tick + ((int64_t)c->bursts - 1) * step;
}

static bool is_column(const command *c) {
    return c->kind == READ || c->kind == WRITE;
}

/* The latest command of that kind, of a bank or of a bank group (-1: of any). */
static const command *last_of(const naive_channel *n, enum kind kind, int64_t bank, int64_t group) {
    for (uint32_t i = n->command_count; i-- > 0;) {
        const command *c = &n->past[i];
        if (c->kind == kind && (bank < 0 || c->bank == bank) && (group < 0 || group_of(n, c->bank) == group))
            return c;
    }
    return NULL;
}

static void give_back_credits(naive_channel *n, const request *r) {
    n->borrowed -= r->weight - n->borrows[r->slice];
    n->borrows[r->slice] = false;
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static bool may_column(const naive_channel *n, uint32_t bank, int64_t tick) {
    const ws_dram_params *d = n->dram;
    bool writes = n->bank[bank].current.writes;
    int64_t from = 0;
    const command *activate = last_of(n, ACTIVATE, bank, -1), *before;
    int64_t to_column = writes ? most(d->rcd - d->wl - 1, 0) : d->rcd;
    if (activate) from = activate->tick + to_column;
    /* Limits of the data bus, of the bank group's bus, and of turning the bus round. */
    bool of_any = false, of_group = false;
    for (uint32_t i = n->command_count; i-- > 0 && !of_group;) {
        const command *c = &n->past[i];
        if (!is_column(c)) continue;
        if (!of_any) from = most(from, c->tick + c->bursts * d->ccd);
        of_any = true;
        if (group_of(n, c->bank) != group_of(n, bank)) continue;
        from = most(from, last_burst(n, c) + d->ccdl);
        of_group = true;
    }
    if (!writes && (before = last_of(n, WRITE, -1, -1)))
        from = most(from, last_burst(n, before) + d->wl + d->burst_cycles + d->cdlr);
    if (writes && (before = last_of(n, READ, -1, -1)))
        from = most(from, last_burst(n, before) + d->cl + d->burst_cycles + 2 - d->wl);
    return tick >= from;
}

static bool may_precharge(const naive_channel *n, uint32_t bank, int64_t tick) {
    const ws_dram_params *d = n->dram;
    const command *activate = last_of(n, ACTIVATE, bank, -1),
                  *of_group = last_of(n, READ, -1, group_of(n, bank));
    int64_t from = activate->tick + d->ras;
    if (of_group) from = most(from, last_burst(n, of_group) + d->rtpl);
    for (const command *c = activate; c < n->past + n->command_count; c++) {
        if (c->bank != bank || !is_column(c)) continue;
        int64_t recovery = c->kind == WRITE ? d->wl + d->wr : 0;
        from = most(from, last_burst(n, c) + d->burst_cycles + recovery);
    }
    return tick >= from;
}

static bool may_activate(const naive_channel *n, uint32_t bank, int64_t tick) {
    const ws_dram_params *d = n->dram;
    const command *any = last_of(n, ACTIVATE, -1, -1), *own = last_of(n, ACTIVATE, bank, -1),
                  *precharge = last_of(n, PRECHARGE, bank, -1);
    return (!any || tick >= any->tick + d->rrd) && (!own || tick >= own->tick + d->rc) &&
           (!precharge || tick >= precharge->tick + d->rp);
}

static void issue(naive_channel *n, enum kind kind, uint32_t bank, uint32_t bursts, int64_t tick) {
    assert_true(n->command_count < COMMANDS_MAX);
    n->past[n->command_count++] = (command){kind, bank, bursts, tick};
}

/* The number of DRAM cycles that have begun up to and including a core cycle. */
static uint64_t begun(const naive_channel *n, uint64_t cycle) {
    return cycle * n->clock / WS_DRAM_CLOCK + 1;
}

static uint64_t cycle_with(const naive_channel *n, uint64_t tick) {
    uint64_t cycle = 0;
    while (begun(n, cycle) <= tick) cycle++;
    return cycle;
}

/* A write has one command for each burst, and its credit comes back `wl` after the last one. The data of a read come
 * `cl` after each burst and are returned in the next cycle. If a read returns several sectors, each leaves the L2 in
 * its turn; the read is returned so late that neither the sectors of the first turn nor the last sector wait for their
 * data. */
static void column(naive_channel *n, uint32_t bank, int64_t tick) {
    naive_bank *b = &n->bank[bank];
    request r = b->current;
    uint32_t bursts = r.writes ? 1 : r.bursts;
    issue(n, r.writes ? WRITE : READ, bank, bursts, tick);
    *(r.writes ? &n->counters.writes : &n->counters.reads) += bursts;
    b->busy = (b->current.bursts -= bursts) > 0;
    if (r.writes) {
        r.when = (uint64_t)(tick + n->dram->wl);
        if (!b->busy) join(&n->written, r);
        return;
    }
    int64_t last = last_burst(n, &n->past[n->command_count - 1]);
    r.when = (uint64_t)(last + n->dram->cl + 1);
    uint64_t from = 0;
    for (uint32_t k = 0; k < r.weight; k++) {
        uint64_t turn = UINT64_C(32) * k / n->port_B;
        bool ends = k == r.weight - 1;
        if (turn && !ends) continue;
        command comes = {.bursts = ends ? r.bursts : k * (r.bursts / r.weight) + 1, .tick = tick};
        uint64_t cycle = cycle_with(n, (uint64_t)(last_burst(n, &comes) + n->dram->cl + 1));
        if (ends && !turn) break; /* all sectors at once: when the last one comes */
        if (cycle >= turn && cycle - turn > from) from = cycle - turn;
        if (ends) r.when = from ? begun(n, from - 1) : 0;
    }
    join(&n->returning, r);
}

static bool try_column(naive_channel *n, uint32_t bank, int64_t tick) {
    const naive_bank *b = &n->bank[bank];
    if (!b->busy || !b->open || b->row != b->current.row || !may_column(n, bank, tick)) return false;
    column(n, bank, tick);
    return true;
}

static bool try_row(naive_channel *n, uint32_t bank, int64_t tick) {
    naive_bank *b = &n->bank[bank];
    if (!b->busy || (b->open && b->row == b->current.row)) return false;
    if (b->open ? !may_precharge(n, bank, tick) : !may_activate(n, bank, tick)) return false;
    issue(n, b->open ? PRECHARGE : ACTIVATE, bank, 0, tick);
    n->counters.activates += !b->open;
    b->open = !b->open;
    b->row = b->current.row;
    n->turn = (bank + 1) % (uint32_t)n->dram->banks;
    return true;
}

/* Issues commands in the order of the banks, starting with the one that has the turn, which a row command moves on.
 * With one command bus a column command ends the cycle, and a row command ends only the search for rows; with two
 * buses the first column and the first row command are issued. */
static void commands_of(naive_channel *n, int64_t tick) {
    uint32_t banks = (uint32_t)n->dram->banks;
    bool apart = n->dram->command_buses == 2, any_column = false, any_row = false;
    for (uint32_t i = 0; i < banks && !any_column; i++) {
        any_column = try_column(n, (n->turn + i) % banks, tick);
        if (!apart && !any_column && !any_row) any_row = try_row(n, (n->turn + i) % banks, tick);
    }
    for (uint32_t i = 0; i < banks && apart && !any_row; i++)
        any_row = try_row(n, (n->turn + i) % banks, tick);
    n->both += any_column && any_row;
}

static uint32_t waiting_in(const naive_channel *n, bool of_writes) {
    uint32_t waiting = weight_of(&n->in_order);
    for (uint32_t b = 0; b < n->dram->banks; b++) waiting += weight_of(&n->bank[b].queue[of_writes].waiting);
    return waiting;
}

/* The oldest request for the row, or the number of requests. */
static uint32_t oldest_for(const list *waiting, uint64_t row) {
    uint32_t which = 0;
    while (which < waiting->count && waiting->at[which].row != row) which++;
    return which;
}

/* Takes the oldest request for the row that was opened last, or else the oldest one. Before any row is open, that row
 * is row 0. Where there are two queues each goes on with its own row. */
static request choose_from(const naive_channel *n, naive_queue *q, uint64_t open_row) {
    uint32_t which = oldest_for(&q->waiting, n->dram->write_queue && q->keeps_row ? q->kept_row : open_row);
    request r = take(&q->waiting, which < q->waiting.count ? which : 0);
    q->kept_row = r.row;
    q->keeps_row = oldest_for(&q->waiting, r.row) < q->waiting.count;
    return r;
}

/* Where writes have a queue of their own, an idle bank, whether or not it has requests, has the channel look at whether
 * they are many, or few enough again. */
static void look_at_writes(naive_channel *n) {
    bool idle = false;
    for (uint32_t b = 0; b < n->dram->banks; b++) idle |= !n->bank[b].busy;
    if (n->dram->write_queue && idle)
        n->writing = waiting_in(n, true) >= (uint32_t)(n->writing ? n->dram->write_low : n->dram->write_high);
}

static void take_up(naive_channel *n, request r) {
    naive_bank *b = &n->bank[r.bank];
    b->current = r;
    b->busy = true;
    n->counters.requests += r.weight;
    n->counters.row_hits += r.weight - (b->row != r.row);
}

/* With FIFO the oldest request of all goes to its bank, if that is idle. Else one idle bank, the first from the turn
 * on, takes its next request. */
static void choose(naive_channel *n) {
    uint32_t banks = (uint32_t)n->dram->banks;
    if (n->in_order.count && !n->bank[n->in_order.at[0].bank].busy)
        take_up(n, take(&n->in_order, 0));
    else
        n->held_up += n->in_order.count > 1;
    look_at_writes(n);
    for (uint32_t i = 0; i < banks; i++) {
        naive_bank *b = &n->bank[(n->turn + i) % banks];
        naive_queue *q = &b->queue[n->writing];
        if (b->busy || !q->waiting.count) continue;
        take_up(n, choose_from(n, q, b->row));
        n->chosen_writes += n->writing;
        n->turn = (n->turn + 1) % banks;
        return;
    }
}

static bool is_apart(const naive_channel *n, const request *r) {
    return r->writes && n->dram->write_queue;
}

static bool has_room(const naive_channel *n, const request *r) {
    bool apart = is_apart(n, r);
    return waiting_in(n, apart) < (apart ? n->dram->write_queue : n->dram->queue);
}

/* Admits a request of one slice, in turn, that has its own credit left or gets one of the shared credits. */
static void enter(naive_channel *n, uint64_t tick, uint64_t now) {
    for (uint32_t i = 0; i < n->slices; i++) {
        uint32_t slice = (n->slice_turn + i) % n->slices;
        list *from = &n->sent[slice];
        if (!from->count || from->at[0].when > tick) continue;
        if (n->borrows[slice] &&
            n->borrowed + n->slices - 1 >=
                (uint32_t)(n->dram->queue + n->dram->write_queue + n->dram->return_queue))
            continue;
        if (!has_room(n, &from->at[0])) return;
        request r = take(from, 0);
        n->borrowed += r.weight - !n->borrows[slice];
        n->borrows[slice] = n->entered[slice] = true;
        n->slice_turn = (slice + 1) % n->slices;
        r.when = now + (uint64_t)n->dram->latency;
        join(&n->on_way, r);
        return;
    }
}

static void to_banks(naive_channel *n, uint64_t now) {
    if (!n->on_way.count || n->on_way.at[0].when > now || !has_room(n, &n->on_way.at[0])) return;
    request r = take(&n->on_way, 0);
    bool fifo = n->dram->scheduler == WS_DRAM_FIFO;
    join(fifo ? &n->in_order : &n->bank[r.bank].queue[is_apart(n, &r)].waiting, r);
}

static void naive_step(naive_channel *n, uint64_t now) {
    memset(n->entered, 0, sizeof n->entered);
    n->given_back.count = 0;
    for (uint64_t tick = now ? begun(n, now - 1) : 0; tick < begun(n, now); tick++) {
        if (n->returning.count && n->returning.at[0].when <= tick) {
            request r = take(&n->returning, 0);
            give_back_credits(n, &r);
            join(&n->given_back, r);
        }
        choose(n);
        commands_of(n, (int64_t)tick);
        while (n->written.count && n->written.at[0].when <= tick) {
            request r = take(&n->written, 0);
            give_back_credits(n, &r);
        }
        enter(n, tick, now);
        to_banks(n, now);
    }
}

/* ---- both */

typedef struct scene {
    ws_engine engine;
    ws_gpu_params gpu;
    ws_noc_params noc;
    ws_l2_params l2;
    ws_dram_params dram;
    naive_channel naive;
    uint64_t lines;            /* lines so far: each is requested once */
    uint64_t from[SLICES_MAX]; /* the first cycle in which the slice's next request may enter */
    list coming[SLICES_MAX]; /* data that have returned, in the cycles `when` in which the slice takes them */
    uint64_t came[SLICES_MAX]; /* the `when` of the last of them */
} scene;

static void set_up(scene *s, uint64_t *random) {
    uint32_t slices = 1 + random_below(random, SLICES_MAX);
    int64_t banks = 1 << random_below(random, 6);
    s->gpu = (ws_gpu_params){.clusters = 1, .sms_per_cluster = 1};
    s->noc = (ws_noc_params){.in_buffer = 1, .out_buffer = 1};
    s->l2 = (ws_l2_params){.slices_per_channel = slices,
                           .interleave_B = 256,
                           .size_B = 128,
                           .ways = 1,
                           .line_B = 128,
                           .index = WS_INDEX_LINEAR,
                           .replacement = WS_REPLACE_LRU,
                           .mshr_entries = REQUESTS_MAX,
                           .mshr_merges = 1,
                           .miss_queue = 2,
                           .port_B = random_one_in(random, 2) ? 32 : 16 << random_below(random, 5),
                           .queue = 1};
    s->dram = (ws_dram_params){.channels = 1,
                               .queue = 1 + random_below(random, 24),
                               .return_queue = 1 + random_below(random, 12),
                               .latency = random_below(random, random_one_in(random, 3) ? 150 : 10),
                               .banks = banks,
                               .bank_groups = banks < 4 ? 1 : 1 << random_below(random, 3),
                               .near_banks = banks < 4 ? 1 : 2,
                               .bank_B = 128,
                               .row_B = 256,
                               .rows = 4,
                               .command_buses = 1 + random_below(random, 2),
                               .atom_B = 16 << random_below(random, 3),
                               .ccd = 1 + random_below(random, random_one_in(random, 4) ? 20 : 3),
                               .ccdl = 1 + random_below(random, 4),
                               .rrd = 1 + random_below(random, 6),
                               .rcd = 1 + random_below(random, 12),
                               .ras = 1 + random_below(random, 24),
                               .rp = 1 + random_below(random, 12),
                               .rc = 1 + random_below(random, 40),
                               .cl = 1 + random_below(random, 12),
                               .wl = 1 + random_below(random, 6),
                               .cdlr = random_below(random, 6),
                               .wr = random_below(random, 12),
                               .rtpl = random_below(random, 6),
                               .burst_cycles = 1 + random_below(random, 4)};
    if (random_one_in(random, 3)) {
        s->dram.write_queue = 1 + random_below(random, 16);
        s->dram.write_high = 1 + random_below(random, (uint32_t)s->dram.write_queue);
        s->dram.write_low = 1 + random_below(random, (uint32_t)s->dram.write_high);
    }
    s->dram.bank_group = random_one_in(random, 3) && s->dram.bank_groups <= banks ? WS_BANK_GROUP_HIGH_BITS
                                                                                  : WS_BANK_GROUP_LOW_BITS;
    s->dram.scheduler = random_one_in(random, 4) && !s->dram.write_queue ? WS_DRAM_FIFO : WS_DRAM_FR_FCFS;
    /* Scaled timings make some waits longer than banks go ahead. */
    int64_t scale = random_one_in(random, 3) ? 8 << random_below(random, 3) : 1;
    s->dram.ras *= scale;
    s->dram.rc *= scale;
    s->dram.rp *= scale;
    s->dram.rcd *= scale;
    s->dram.ccdl *= random_one_in(random, 4) ? scale : 1;
    /* Some channels deliver more sectors in a core cycle than can leave the L2 in one. */
    bool fast = random_one_in(random, 4);
    if (fast) s->dram.ccd = s->dram.ccdl = s->dram.burst_cycles = 1;
    if (fast) s->l2.port_B = 64;
    /* With one command bus a row command and the column command that it enables never share a core cycle. */
    if (s->dram.command_buses == 1) s->dram.rcd += s->dram.wl + 1;
    ws_engine *e = &s->engine;
    ws_l1_params l1 = {.line_B = 128};
    ws_address_map_init(&e->map, &l1, &s->l2, &s->dram);
    e->gpu = &s->gpu;
    e->noc = &s->noc;
    e->l2 = &s->l2;
    e->dram = &s->dram;
    e->dram_clock = ws_dram_clock_of(random_one_in(random, 3)
                                         ? (fast ? 2 : 1) * WS_DRAM_CLOCK
                                         : WS_DRAM_CLOCK / 1000 * (300 + random_below(random, 2700)));
    e->sms_per_cluster = ws_divisor_of(1);
    e->channel_count = e->sm_count = e->cluster_count = 1;
    e->slice_count = slices;
    e->slices = calloc(slices, sizeof *e->slices);
    e->channels = calloc(1, sizeof *e->channels);
    assert_true(e->slices && e->channels && ws_packets_init(&e->packets) && ws_agendas_init(e) &&
                ws_network_init(&e->requests, 1, slices, true, &s->noc, 128) &&
                ws_network_init(&e->replies, slices, 1, false, &s->noc, 128));
    for (uint32_t i = 0; i < slices; i++) assert_true(ws_slice_init(e, &e->slices[i], i));
    assert_true(ws_channel_init(e, &e->channels[0], 0));
    s->naive.dram = &s->dram;
    s->naive.clock = e->dram_clock.value;
    s->naive.port_B = (uint64_t)s->l2.port_B;
    s->naive.slices = slices;
}

static void tear_down(scene *s) {
    ws_engine *e = &s->engine;
    for (uint32_t i = 0; i < e->slice_count; i++) ws_slice_free(&e->slices[i]);
    ws_channel_free(&e->channels[0]);
    ws_network_free(&e->requests);
    ws_network_free(&e->replies);
    ws_agendas_free(e);
    ws_packets_free(&e->packets);
    free(e->slices);
    free(e->channels);
}

/* Sends a request of the slice: a miss, for which the slice waits, or a write-back. */
static void send(scene *s, uint64_t *random, uint32_t slice, bool near) {
    ws_engine *e = &s->engine;
    ws_queue *to_dram = &e->slices[slice].to_dram;
    if (to_dram->count >= SENT_MAX) return;
    bool writes = random_one_in(random, 3);
    uint8_t sectors = (uint8_t)(1 + random_below(random, 15));
    uint32_t id = ws_packet_new(&e->packets), count = ws_sector_count(sectors);
    s->lines += near ? 1 : 1 + random_below(random, 300);
    e->packets.at[id] = (ws_packet){.line = s->lines,
                                    .next = WS_MSHR_NONE,
                                    .slice = (uint16_t)slice,
                                    .sectors = sectors,
                                    .data_B = writes ? count & 31 : 0,
                                    .kind = writes ? WS_PACKET_WRITE_BACK : WS_PACKET_READ};
    request r = {.id = id, .slice = slice, .weight = writes ? 1 : count, .writes = writes};
    uint32_t bytes = writes ? 32 * count : 32, atom = (uint32_t)s->dram.atom_B;
    r.bursts = r.weight * ((bytes + atom - 1) / atom);
    ws_dram_place(&e->map, s->lines, &r.bank, &r.row);
    uint64_t from = e->now + 1 + random_below(random, 4);
    if (from < s->from[slice]) from = s->from[slice];
    s->from[slice] = from;
    r.when = begun(&s->naive, from - 1);
    uint32_t sent = id;
    if (!writes) {
        ws_mshr *mshr = &e->slices[slice].mshr;
        sent = ws_mshr_take(mshr, s->lines, sectors, 0, 1);
        ws_mshr_entry *entry = &mshr->entry[sent];
        entry->first = entry->last = id;
        entry->count = 1 + random_below(random, 3);
    }
    enum ws_dram_kind kind = writes ? WS_DRAM_WRITE_BACK : WS_DRAM_FETCH;
    assert_int_equal(ws_channel_await(e, &e->slices[slice], from), r.when);
    assert_true(ws_queue_push_to(to_dram, sent, r.weight, kind, r.when));
    join(&s->naive.sent[slice], r);
}

/* Notes the data that return in this cycle: a slice expects those of one request in a cycle. */
static void note_data(scene *s) {
    for (uint32_t i = 0; i < s->naive.given_back.count; i++) {
        request r = s->naive.given_back.at[i];
        r.when = s->came[r.slice] = ws_later(s->engine.now, s->came[r.slice] + 1);
        join(&s->coming[r.slice], r);
    }
}

static bool has_data(const scene *s, uint32_t slice) {
    return s->coming[slice].count && s->coming[slice].at[0].when == s->engine.now;
}

/* A slice takes the data that it expects in this cycle, and asks for a turn when the next ones come. */
static void compare_data(scene *s, uint32_t i) {
    ws_engine *e = &s->engine;
    ws_slice *slice = &e->slices[i];
    if (has_data(s, i)) {
        request r = take(&s->coming[i], 0);
        assert_true(slice->expected.count > 0);
        assert_int_equal(slice->expected.when, e->now);
        uint32_t entry = ws_queue_pop(&slice->expected);
        assert_int_equal(slice->mshr.entry[entry].first, r.id);
        ws_packet_free(&e->packets, r.id);
        ws_mshr_release(&slice->mshr, entry, 1);
    }
    uint64_t next = slice->expected.when;
    assert_true(next > e->now);
    if (next == slice->next_turn) return;
    slice->next_turn = next;
    ws_wake_slice(e, i, next);
}

/* A slice may look at its queue; then it may wait for room in it (blocked). */
static void take_turn(scene *s, uint64_t *random, uint32_t i) {
    ws_engine *e = &s->engine;
    ws_slice *slice = &e->slices[i];
    ws_channel *c = &e->channels[0];
    bool blocked = random_one_in(random, 2);
    slice->blocked = false;
    if (!blocked && random_one_in(random, 2)) return; /* it does not look */
    ws_channel_enter(e, c);
    slice->blocked = blocked;
    assert_int_equal(slice->to_dram.count, s->naive.sent[i].count);
    assert_int_equal(c->borrowed, s->naive.borrowed);
    assert_int_equal(slice->borrows, s->naive.borrows[i]);
    if (slice->blocked) ws_channel_await_room(e, c);
}

/* Simulates one cycle of the channel and its slices. */
static void cycle(scene *s, uint64_t *random, bool busy) {
    ws_engine *e = &s->engine;
    ws_channel *c = &e->channels[0];
    ws_agenda_turns turns = ws_agenda_turns_now(&e->memory_agenda);
    uint32_t part;
    bool told[SLICES_MAX] = {false};
    while (ws_agenda_take(&turns, &part)) {
        if (part == 0) ws_channel_step(e, c);
        if (part > 0 && part <= e->slice_count) told[part - 1] = true;
    }
    naive_step(&s->naive, e->now);
    note_data(s);
    ws_dram_counts counters = ws_channel_count(e, c, e->now);
    assert_memory_equal(&counters, &s->naive.counters, sizeof counters);
    for (uint32_t i = 0; i < e->slice_count; i++) {
        bool data = has_data(s, i), entered = e->slices[i].blocked && s->naive.entered[i];
        compare_data(s, i);
        assert_int_equal(told[i], data || entered);
        take_turn(s, random, i);
        if (busy && !e->slices[i].blocked && random_one_in(random, 3))
            send(s, random, i, random_one_in(random, 2));
    }
}

static void equal_to_its_definition(void **state) {
    (void)state;
    uint64_t random = 19;
    ws_dram_counts all = {0};
    uint32_t both[2] = {0}; /* by number of command buses */
    uint64_t chosen_writes = 0, held_up = 0;
    for (int round = 0; round < 160; round++) {
        scene *s = calloc(1, sizeof *s);
        assert_non_null(s);
        set_up(s, &random);
        for (uint64_t now = 1; now < CYCLES; now++) {
            sides_go_to(&s->engine, now);
            /* phases of load, each followed by one in which the queues drain */
            cycle(s, &random, now % 400 < 250);
        }
        assert_false(s->engine.failed);
        both[s->dram.command_buses - 1] += s->naive.both;
        chosen_writes += s->naive.chosen_writes;
        held_up += s->naive.held_up;
        all.reads += s->naive.counters.reads;
        all.writes += s->naive.counters.writes;
        all.activates += s->naive.counters.activates;
        all.row_hits += s->naive.counters.row_hits;
        tear_down(s);
        free(s);
    }
    assert_true(all.reads > 1000 && all.writes > 1000 && all.activates > 1000 && all.row_hits > 1000);
    assert_true(both[0] > 100 && both[1] > 1000);
    assert_true(chosen_writes > 1000 && held_up > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_its_definition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
