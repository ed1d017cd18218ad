/* An L2 slice against a naive model that looks at everything in every cycle. The slice itself has turns only in cycles
 * that it asked for, or in which it was told that memory or the network has taken or brought something. */
#include "../support/naive_slice.h"
#include "../support/random.h"
#include "../support/sides.h"
#include "base/array.h"
#include "timed/gpu.h"
#include "timed/memory/slice.h"
#include "timed/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SLICES_MAX = 2, REQUESTS_MAX = 12, CYCLES = 1500 };

typedef struct scene {
    ws_engine engine;
    ws_gpu_params gpu;
    ws_noc_params noc;
    ws_l2_params l2;
    ws_dram_params dram;
    ws_l1_params l1;
    ws_partition_slot owner;
    naive_slice naive[SLICES_MAX];
    naive_slice ahead;           /* requests, data and replies of a slice where they go on early */
    naive_list told[SLICES_MAX]; /* what the slices told the owner */
    struct {
        uint32_t id, slice;
        naive_item item;
    } in_dram[NAIVE_ITEMS_MAX];
    uint32_t in_dram_count, serial, foreseen;
    naive_list coming[SLICES_MAX];  /* reads whose data slices have been told to expect, in cycle `when` */
    uint64_t last_come[SLICES_MAX]; /* the `when` of the last of them */
} scene;

static uint32_t slices_of(const scene *s) {
    return (uint32_t)s->l2.slices_per_channel;
}

static naive_item item_of(const ws_packet *p, uint64_t when) {
    return (naive_item){.line = p->line,
                        .when = when,
                        .serial = p->load,
                        .kind = p->kind,
                        .whose = !p->special         ? DATA
                                 : p->sm == WS_NO_SM ? BY_OWNER
                                                     : OWNERS,
                        .sectors = p->sectors};
}

/* The owner of the partition slot notes what it is told. */
static void note(scene *s, uint32_t slice, uint32_t id, uint64_t when) {
    naive_join(&s->told[slice], item_of(&s->engine.packets.at[id], when));
    ws_packet_free(&s->engine.packets, id);
}

static void asked(void *self, ws_engine *e, uint32_t slice, uint32_t id) {
    (void)e;
    note(self, slice, id, 0);
}

static void data(void *self, ws_engine *e, uint32_t id, uint64_t when) {
    note(self, e->packets.at[id].slice, id, when);
}

static void set_up(scene *s, uint64_t *random) {
    static const int64_t lines_B[][2] = {{128, 128}, {128, 128}, {128, 64}, {128, 32}, {64, 128}, {32, 64}};
    const int64_t *line_B = lines_B[random_below(random, WS_COUNT(lines_B))]; /* of the L1, of the L2 */
    uint32_t slices = 1 + random_below(random, SLICES_MAX), sets = 1u << random_below(random, 3),
             ways = 1 + random_below(random, 4);
    s->gpu = (ws_gpu_params){.clusters = 1, .sms_per_cluster = 1};
    static const int64_t flits_B[] = {16, 40, 64, 1024};
    s->noc = (ws_noc_params){.flit_B = flits_B[random_below(random, 4)],
                             .replies = (int)random_below(random, 2),
                             .in_buffer = 1 + random_below(random, 6),
                             .out_buffer = REQUESTS_MAX,
                             .crossbar_speedup = 1};
    s->l2 = (ws_l2_params){.slices_per_channel = 1,
                           .interleave_B = 256,
                           .size_B = sets * ways * line_B[1],
                           .ways = ways,
                           .line_B = line_B[1],
                           .index = WS_INDEX_LINEAR,
                           .replacement = WS_REPLACE_LRU,
                           .mshr_entries = 1 + random_below(random, 12),
                           .mshr_merges = 1 + random_below(random, random_one_in(random, 3) ? 16 : 4),
                           .miss_queue = 2 + random_below(random, 5),
                           .latency = random_below(random, 5),
                           .port_B = random_one_in(random, 2) ? 32 : 16 << random_below(random, 5),
                           .queue = 4 + random_below(random, 8),
                           .sectors_apart = random_one_in(random, 2)};
    if (s->l2.sectors_apart && random_one_in(random, 2)) {
        s->l2.lrc_entries = 5 + random_below(random, 27);
        s->l2.lrc_merges = 1 + random_below(random, 5);
    }
    s->dram = (ws_dram_params){.channels = 1,
                               .latency = random_below(random, 4),
                               .queue = 1 + random_below(random, 12),
                               .return_queue = 1 + random_below(random, 12),
                               .banks = 1,
                               .near_banks = 1,
                               .bank_B = 128,
                               .row_B = 128,
                               .rows = 1};
    ws_engine *e = &s->engine;
    s->l1 = (ws_l1_params){.line_B = line_B[0]};
    s->owner = (ws_partition_slot){.asked = asked, .data = data};
    ws_address_map_init(&e->map, &s->l1, &s->l2, &s->dram); /* as if each slice had the whole memory */
    s->l2.slices_per_channel = slices;
    e->gpu = &s->gpu;
    e->noc = &s->noc;
    e->l2 = &s->l2;
    e->dram = &s->dram;
    e->l1 = &s->l1;
    e->partition_slot = random_one_in(random, 2) ? &s->owner : NULL;
    e->partition = s;
    e->slices_foresee = !e->partition_slot && !s->l2.lrc_entries;
    e->dram_clock = ws_dram_clock_of(
        random_one_in(random, 3) ? WS_DRAM_CLOCK : WS_DRAM_CLOCK / 1000 * (300 + random_below(random, 2700)));
    e->sms_per_cluster = ws_divisor_of(1);
    e->channel_count = e->sm_count = e->cluster_count = 1;
    e->slice_count = slices;
    e->slices = calloc(slices, sizeof *e->slices);
    e->channels = calloc(1, sizeof *e->channels);
    assert_true(e->slices && e->channels && ws_packets_init(&e->packets) && ws_agendas_init(e) &&
                ws_network_init(&e->requests, 1, slices, true, &s->noc, s->l1.line_B) &&
                ws_network_init(&e->replies, slices, 1, false, &s->noc, s->l1.line_B));
    /* the test takes its place: it lets nothing in */
    ws_channel *channel = &e->channels[0];
    *channel = (ws_channel){.tick = WS_NEVER, .full = {true, true}};
    ws_queue_init(&channel->on_way);
    ws_queue_init(&channel->returning);
    ws_queue_init(&channel->written);
    for (unsigned queue = 0; queue < WS_DRAM_QUEUES; queue++) ws_queue_init(&channel->changes[queue]);
    for (uint32_t i = 0; i < slices; i++) {
        assert_true(ws_slice_init(e, &e->slices[i], i));
        s->naive[i].tags = naive_cache_new(sets, ways, WS_REPLACE_LRU, 1, 0);
        s->naive[i].l1_sectors = s->ahead.l1_sectors = e->map.l1_sectors;
        s->naive[i].l2_sectors = s->ahead.l2_sectors = e->map.l2_sectors;
    }
}

static void tear_down(scene *s) {
    ws_engine *e = &s->engine;
    for (uint32_t i = 0; i < e->slice_count; i++) ws_slice_free(&e->slices[i]);
    ws_network_free(&e->requests);
    ws_network_free(&e->replies);
    ws_agendas_free(e);
    ws_packets_free(&e->packets);
    free(e->slices);
    free(e->channels);
}

/* Words of a line: of each sector all, none, or halves that complete each other. */
static uint64_t random_words(uint64_t *random) {
    static const uint64_t of_sector[] = {0xff, 0, 0x0f, 0xf0};
    uint64_t words = 0;
    for (int k = 0; k < NAIVE_SECTORS; k++) words |= of_sector[random_below(random, 4)] << 8 * k;
    return words;
}

/* Puts a request at the slice's port; it may leave from cycle `when` on. */
static void send(scene *s, uint64_t *random, uint32_t slice) {
    ws_engine *e = &s->engine;
    naive_slice *n = &s->naive[slice];
    ws_queue *port = &e->requests.out[slice].queue;
    if (port->count >= REQUESTS_MAX) return;
    static const enum ws_packet_kind kinds[] = {WS_PACKET_READ,   WS_PACKET_READ,   WS_PACKET_READ,
                                                WS_PACKET_READ,   WS_PACKET_WRITE,  WS_PACKET_WRITE,
                                                WS_PACKET_ATOMIC, WS_PACKET_ATOMIC, WS_PACKET_WRITE_BACK};
    uint32_t lines = 3 * n->tags.sets * n->tags.ways, id = ws_packet_new(&e->packets);
    lines = (lines * n->l2_sectors + n->l1_sectors - 1) / n->l1_sectors;
    naive_item i = {.line = random_below(random, lines),
                    .when = e->now + 1 + random_below(random, 3),
                    .serial = ++s->serial,
                    .weight = 1,
                    .kind = kinds[random_below(random, WS_COUNT(kinds))],
                    .sectors = (uint8_t)(1 + random_below(random, (1u << n->l1_sectors) - 1)),
                    .words = random_words(random)};
    for (int k = 0; k < NAIVE_SECTORS; k++)
        if (!(i.sectors >> k & 1)) i.words &= ~(UINT64_C(0xff) << 8 * k);
    i.updates = i.kind == WS_PACKET_ATOMIC && random_one_in(random, 2);
    if (i.kind == WS_PACKET_READ && e->partition_slot && random_one_in(random, 4))
        i.whose = OWNERS + random_below(random, 2);
    if (i.kind == WS_PACKET_READ && i.whose == DATA && random_one_in(random, 3))
        i.also = (uint8_t)(random_below(random, 16) & ~(1u << i.line % WS_GROUP_LINES));
    if (n->port.count && n->port.at[n->port.count - 1].when > i.when)
        i.when = n->port.at[n->port.count - 1].when;
    e->packets.at[id] = (ws_packet){.line = i.line,
                                    .load = i.serial,
                                    .slice = (uint16_t)slice,
                                    .sm = i.whose == BY_OWNER ? WS_NO_SM : 0,
                                    .special = i.whose != DATA,
                                    .data_B = i.updates,
                                    .kind = i.kind & 3,
                                    .sectors = i.sectors,
                                    .also = i.also,
                                    .words = i.words};
    naive_join(&n->port, i);
    if (random_one_in(random, 2) && !port->count && ws_slice_foresees(e, &e->slices[slice], id, i.when)) {
        s->foreseen++;
        return;
    }
    assert_true(ws_queue_push(port, id, 1, i.when));
    if (port->count == 1) ws_wake_slice(e, slice, i.when + (uint64_t)s->l2.latency + 1);
}

/* The network takes a reply; a slice that waited for room in front of it has a turn in the next cycle. */
static void take_reply(scene *s, uint32_t slice) {
    ws_engine *e = &s->engine;
    ws_queue *port = &e->replies.in[slice].queue;
    if (!ws_queue_ready(port, e->now)) return;
    ws_packet_free(&e->packets, ws_queue_pop(port));
    ws_network_input *in = &e->replies.in[slice];
    if ((int32_t)port->weight <= in->told) {
        in->told = -1;
        ws_wake_slice(e, slice, e->now + 1);
    }
    naive_leave(&s->naive[slice].replies);
}

static void enter_dram(scene *s, uint32_t slice) {
    ws_queue *from = &s->engine.slices[slice].to_dram;
    uint64_t begun = naive_begun(&s->engine, s->engine.now);
    if (!begun || !ws_queue_ready(from, begun - 1)) return;
    assert_true(s->in_dram_count < NAIVE_ITEMS_MAX);
    ws_slice_keep_misses(&s->engine.slices[slice], s->engine.now - 1, (uint32_t)s->engine.l2->queue);
    naive_keep_misses(&s->engine, &s->naive[slice], s->engine.now - 1);
    uint32_t id = ws_queue_pop(from), at = s->in_dram_count++;
    s->in_dram[at].id = id;
    s->in_dram[at].slice = slice;
    s->in_dram[at].item = naive_leave(&s->naive[slice].to_dram);
    if (s->engine.slices[slice].blocked) ws_wake_slice(&s->engine, slice, s->engine.now);
}

/* A slice learns in which cycle the data of a read come, some cycles before it or in it. */
static void leave_dram(scene *s, uint64_t *random, uint32_t at) {
    ws_engine *e = &s->engine;
    uint32_t id = s->in_dram[at].id, slice = s->in_dram[at].slice;
    naive_item i = s->in_dram[at].item;
    naive_list *coming = &s->coming[slice];
    s->in_dram[at] = s->in_dram[--s->in_dram_count];
    if (i.kind == WS_PACKET_WRITE_BACK) {
        ws_packet_free(&e->packets, id);
        return;
    }
    uint64_t last = coming->count ? coming->at[coming->count - 1].when : 0;
    i.when = e->now + (random_one_in(random, 2) ? random_below(random, 8) : 0);
    if (i.when < last) i.when = last;
    ws_slice_expect(e, &e->slices[slice], id, i.when);
    if (i.when <= s->last_come[slice]) i.when = s->last_come[slice] + 1; /* one fills the L2 in a cycle */
    s->last_come[slice] = i.when;
    naive_join(coming, i);
}

static void naive_data_come(scene *s, uint32_t slice) {
    naive_list *coming = &s->coming[slice];
    while (coming->count && coming->at[0].when == s->engine.now) {
        naive_item i = naive_leave(coming);
        naive_fill(&s->naive[slice], s->engine.now, &i);
    }
}

static uint64_t words_of(uint8_t sectors) {
    uint64_t words = 0;
    for (int k = 0; k < NAIVE_SECTORS; k++) words |= (uint64_t)(sectors >> k & 1) * 0xff << 8 * k;
    return words;
}

static void compare_items(const ws_engine *e, const ws_queue *found, const naive_list *expected) {
    assert_int_equal(found->count, expected->count);
    for (uint32_t i = 0; i < expected->count; i++) {
        const ws_queued *queued = ws_queue_behind(found, i);
        const ws_packet *p = &e->packets.at[queued->id];
        const naive_item *x = &expected->at[i];
        assert_int_equal(queued->when, x->when);
        assert_int_equal(queued->weight, x->weight);
        assert_int_equal(p->line, x->line);
        assert_int_equal(p->sectors, x->sectors);
        assert_int_equal(p->kind, x->kind);
        assert_int_equal(p->load, x->serial);
        if (x->kind == WS_PACKET_READ) assert_int_equal(p->also, x->also);
        if (x->kind == WS_PACKET_WRITE) assert_int_equal(p->words & words_of(p->sectors), x->words);
    }
}

static void compare_waiting(const ws_engine *e, const ws_queue *found, const naive_list *expected) {
    assert_int_equal(found->count, expected->count);
    for (uint32_t i = 0; i < expected->count; i++) {
        const ws_queued *queued = ws_queue_behind(found, i);
        const ws_packet *p = &e->packets.at[queued->id];
        assert_int_equal(p->load, expected->at[i].serial);
        assert_int_equal(p->sectors, expected->at[i].sectors);
        assert_int_equal(queued->weight, !expected->at[i].tied);
    }
}

static void compare_sent(const ws_engine *e, const ws_slice *found, const naive_list *expected) {
    assert_int_equal(found->to_dram.count, expected->count);
    for (uint32_t i = 0; i < expected->count; i++) {
        const ws_queued *sent = ws_queue_behind(&found->to_dram, i);
        const naive_item *x = &expected->at[i];
        bool writes = x->kind == WS_PACKET_WRITE_BACK;
        const ws_mshr_entry *entry = writes ? NULL : &found->mshr.entry[sent->id];
        const ws_packet *p = &e->packets.at[writes ? sent->id : entry->first];
        assert_int_equal(sent->when, x->when);
        assert_int_equal(sent->weight, x->weight);
        assert_int_equal(sent->where, writes ? WS_DRAM_WRITE_BACK : WS_DRAM_FETCH);
        assert_int_equal(writes ? p->line : entry->line, x->line);
        assert_int_equal(writes ? p->sectors : entry->sectors, x->sectors);
        assert_int_equal(p->kind, x->kind);
        if (writes)
            assert_int_equal(p->data_B, naive_count(x->sectors));
        else
            assert_int_equal(p->load, x->serial);
    }
}

static void compare_told(naive_list *found, naive_list *expected) {
    assert_int_equal(found->count, expected->count);
    for (uint32_t i = 0; i < expected->count; i++) {
        const naive_item *f = &found->at[i], *x = &expected->at[i];
        assert_int_equal(f->whose, x->whose);
        assert_int_equal(f->serial, x->serial);
        if (x->whose == OWNERS) continue;
        assert_int_equal(f->line, x->line);
        assert_int_equal(f->sectors, x->sectors);
        assert_int_equal(f->when, x->when);
    }
    found->count = expected->count = 0;
}

/* While nobody else uses its port, a slice may take data and let them leave early: those that leave before a request of
 * the next cycle could be answered; and a reply is in the port early if it will have room. The cycles are those in
 * which the definition lets them come and leave later. */
static void compare_replies(scene *s, uint32_t slice) {
    const ws_engine *e = &s->engine;
    const ws_queue *data = &e->slices[slice].data, *replies = &e->replies.in[slice].queue;
    const naive_list *coming = &s->coming[slice];
    uint64_t latest = e->now + (e->partition_slot || s->l2.lrc_entries ? 0 : (uint64_t)s->l2.latency + 1);
    naive_slice *n = &s->naive[slice], *ahead = &s->ahead;
    naive_copy_list(&ahead->data, &n->data);
    naive_copy_list(&ahead->waiting, &n->waiting);
    naive_copy_list(&ahead->replies, &n->replies);
    ahead->data_last = n->data_last;
    assert_true(e->slices[slice].expected.count <= coming->count);
    uint32_t taken = coming->count - e->slices[slice].expected.count;
    for (uint32_t i = 0; i < taken; i++) {
        const naive_item *read = &coming->at[i];
        assert_true(read->when <= latest);
        naive_answer_all(ahead, read->when, naive_find_entry(n, read->line, read->sectors));
    }
    assert_true(data->count <= ahead->data.count);
    uint32_t early = ahead->data.count - data->count;
    if (early) assert_true(ahead->data.at[early - 1].when <= latest);
    naive_go_ahead(&s->engine, ahead, early);
    compare_items(e, data, &ahead->data);
    for (uint64_t now = e->now; ahead->replies.count < replies->count && now < e->now + CYCLES;)
        naive_move_up(e, ahead, ++now);
    compare_items(e, replies, &ahead->replies);
    compare_waiting(e, &e->slices[slice].waiting, &ahead->waiting);
}

/* A slice may know early of requests that will leave the port. The cycles are those in which the definition lets them
 * leave later, where there will be room for them. */
static void compare_requests(scene *s, uint32_t slice) {
    const ws_engine *e = &s->engine;
    const ws_queue *port = &e->requests.out[slice].queue;
    naive_slice *n = &s->naive[slice], *ahead = &s->ahead;
    naive_copy_list(&ahead->port, &n->port);
    naive_copy_list(&ahead->requests, &n->requests);
    ahead->last_in = n->last_in;
    assert_true(port->count <= n->port.count);
    uint64_t now = e->now;
    while (ahead->port.count > port->count) {
        now = naive_later(now + 1, ahead->port.at[0].when);
        naive_leave_port(&s->engine, ahead, now);
    }
    compare_items(e, port, &ahead->port);
    compare_items(e, &e->slices[slice].in, &ahead->requests);
}

static void compare(scene *s, uint32_t slice) {
    const ws_engine *e = &s->engine;
    naive_slice *n = &s->naive[slice];
    ws_slice_counters found = e->slices[slice].counters, expected = n->counters;
    ws_slice_let_in(&s->engine, &s->engine.slices[slice]); /* needed if the slice had no turn */
    compare_requests(s, slice);
    compare_replies(s, slice);
    n->told_all += n->told.count;
    compare_told(&s->told[slice], &n->told);
    compare_sent(e, &e->slices[slice], &n->to_dram);
    if (n->failed) found.retries = expected.retries = 0; /* counted when the request is served */
    assert_memory_equal(&found, &expected, sizeof found);
}

/* One cycle: memory, the slices, the network. */
static void cycle(scene *s, uint64_t *random, bool busy) {
    ws_engine *e = &s->engine;
    ws_agenda_turns turns = ws_agenda_turns_now(&e->memory_agenda);
    uint32_t part;
    for (uint32_t i = 0; i < slices_of(s); i++)
        if (random_one_in(random, 2)) enter_dram(s, i);
    if (s->in_dram_count && random_one_in(random, 2))
        leave_dram(s, random, random_below(random, s->in_dram_count));
    while (ws_agenda_take(&turns, &part))
        if (part > 0 && part <= slices_of(s)) ws_slice_step(e, &e->slices[part - 1]);
    for (uint32_t i = 0; i < slices_of(s); i++) {
        naive_data_come(s, i);
        naive_step(&s->engine, &s->naive[i], e->now);
        compare(s, i);
        for (uint32_t k = random_below(random, 3); k-- > 0;) take_reply(s, i);
        if (busy && random_one_in(random, 2)) send(s, random, i);
    }
}

static void equal_to_its_definition(void **state) {
    (void)state;
    uint64_t random = 3;
    ws_slice_counters all = {0};
    uint64_t beside = 0, told = 0, apart = 0, overwritten = 0, lost = 0, late = 0, foreseen = 0, several = 0;
    for (int round = 0; round < 240; round++) {
        scene *s = calloc(1, sizeof *s);
        assert_non_null(s);
        set_up(s, &random);
        for (uint64_t now = 1; now < CYCLES; now++) {
            sides_go_to(&s->engine, now);
            bool often = round % 2 || now % 40 < 14;     /* or in bursts, so that data meet new requests */
            cycle(s, &random, often && now % 500 < 400); /* then what is left is served */
        }
        assert_false(s->engine.failed);
        all.hits += s->naive[0].counters.hits;
        all.pending_hits += s->naive[0].counters.pending_hits;
        all.misses += s->naive[0].counters.misses;
        all.sector_misses += s->naive[0].counters.sector_misses;
        all.retries += s->naive[0].counters.retries;
        all.merged += s->naive[0].counters.merged;
        beside += s->naive[0].beside;
        told += s->naive[0].told_all;
        apart += s->naive[0].apart;
        overwritten += s->naive[0].overwritten;
        lost += s->naive[0].lost;
        late += s->naive[0].late;
        foreseen += s->foreseen;
        several += s->naive[0].several;
        tear_down(s);
        free(s);
    }
    assert_true(all.hits > 1000 && all.pending_hits > 1000 && all.misses > 1000 && all.sector_misses > 1000 &&
                all.retries > 1000 && all.merged > 200 && beside > 1000 && told > 1000 && apart > 1000 &&
                foreseen > 1000 && several > 1000);
    assert_true(overwritten > 10 && lost > 30 && late > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_its_definition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
