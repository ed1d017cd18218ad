/* The reorder unit without a GPU around it: a memory that answers after a fixed time, requests at known cycles. */
#include "mechanism/parts/reorder_unit.h"

#include "analysis/parts/iru_core.h"

#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ELEMENTS = 6000, REQUESTS = 6000, INDICES = 0x10000, LINE_B = 128 };

/* A unit, its work, and a record of what the unit has asked for and handed out. */
typedef struct bench {
    reorder_setup setup;
    reorder_work work;
    reorder_ports ports;
    reorder_unit *unit;
    uint64_t now, latency;
    uint64_t arrives[ELEMENTS]; /* per line: the cycle in which it comes; UINT64_MAX: not asked for */
    uint32_t asked[ELEMENTS], asked_count, in_flight, most_in_flight;
    uint8_t wanted[REQUESTS];
    uint32_t given[REQUESTS], first[REQUESTS], order[REQUESTS], home[REQUESTS], answered;
    uint64_t answered_at[REQUESTS], delay[REQUESTS];
    uint32_t closed; /* set of the partitions whose way to the network is full */
    uint32_t elements[ELEMENTS], element_count;
} bench;

static uint32_t partition_of(void *context, uint64_t line) {
    const bench *b = context;
    return (uint32_t)(line / 2 % b->setup.partitions);
}

static bool prefetch(void *context, uint32_t line) {
    bench *b = context;
    assert_true(b->arrives[line] == UINT64_MAX);
    b->arrives[line] = b->now + b->latency;
    b->asked[b->asked_count++] = line;
    reorder_unit_arrived(b->unit, line, b->arrives[line]);
    return true;
}

static bool can_answer(void *context, uint32_t partition) {
    const bench *b = context;
    return !(b->closed >> partition & 1);
}

static void answer(void *context, uint32_t request, uint32_t partition, const uint32_t *elements,
                   uint32_t count, uint64_t delay) {
    bench *b = context;
    assert_int_equal(b->given[request], UINT32_MAX);
    assert_true(can_answer(b, partition));
    for (uint32_t i = 0; i < b->answered; i++) /* a replier gives one answer per cycle */
        assert_false(b->answered_at[b->order[i]] == b->now && b->home[b->order[i]] == partition);
    b->given[request] = count;
    b->first[request] = b->element_count;
    b->home[request] = partition;
    b->delay[request] = delay;
    b->order[b->answered++] = request;
    b->answered_at[request] = b->now;
    for (uint32_t i = 0; i < count; i++) b->elements[b->element_count++] = elements[i];
}

static reorder_setup a_setup(void) {
    return (reorder_setup){.partitions = 1,
                           .sets = 64,
                           .banks = 1,
                           .entry_elements = 32,
                           .hash = WS_INDEX_LINEAR,
                           .line_B = LINE_B,
                           .timeout = 1 << 30,
                           .hop_cycles = 1,
                           .prefetches = 8,
                           .queue_elements = 30,
                           .ways = 2,
                           .ring_elements = 286};
}

/* Makes a bench whose array has `count` elements of 4 bytes in a row, with the targets that `target` gives. */
static bench *bench_new(const reorder_setup *setup, uint32_t count, uint64_t (*target)(uint32_t element),
                        enum ws_iru_filter filter) {
    bench *b = calloc(1, sizeof *b);
    b->setup = *setup;
    b->latency = 20;
    b->work = (reorder_work){.on = true, .filter = filter, .element_count = count};
    b->work.elements = calloc(count + 1u, sizeof *b->work.elements);
    b->work.targets = calloc(count + 1u, sizeof *b->work.targets);
    b->work.lines = calloc(count + 1u, sizeof *b->work.lines);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t address = INDICES + 4 * (uint64_t)i;
        b->work.elements[i].address = address;
        b->work.targets[i] = target(i);
        if (i % (LINE_B / 4) == 0)
            b->work.lines[b->work.line_count++] = (reorder_line){.line = address / LINE_B, .first = i};
        b->work.lines[b->work.line_count - 1].count++;
    }
    memset(b->arrives, 0xff, sizeof b->arrives);
    memset(b->given, 0xff, sizeof b->given);
    b->ports = (reorder_ports){b, partition_of, prefetch, can_answer, answer};
    b->unit = reorder_unit_new(&b->setup, &b->work, &b->ports);
    return b;
}

static void bench_free(bench *b) {
    reorder_unit_free(b->unit);
    reorder_work_free(&b->work);
    free(b);
}

static void ask(bench *b, uint32_t request, uint32_t wanted) {
    b->wanted[request] = (uint8_t)wanted;
    assert_true(reorder_unit_ask(b->unit, request, request % b->setup.partitions, wanted, b->now));
}

static uint64_t count_of(const bench *b, enum reorder_count which) {
    return reorder_unit_counts(b->unit)[which];
}

/* Runs cycle by cycle, up to and including cycle `end`. */
static void run_to(bench *b, uint64_t end) {
    for (; b->now <= end; b->now++) reorder_unit_step(b->unit, b->now);
}

static void run_until_answered(bench *b, uint32_t requests) {
    while (b->answered < requests && b->now < 10000000) {
        uint64_t next = reorder_unit_step(b->unit, b->now);
        assert_true(b->answered == requests || next != REORDER_NEVER);
        assert_true(next > b->now);
        b->now = next;
    }
    assert_int_equal(b->answered, requests);
}

/* ---- exact times */

static uint64_t one_line(uint32_t element) {
    return 0x100000 + 4 * (uint64_t)(element % 32);
}
static uint64_t own_line(uint32_t element) {
    return 0x100000 + LINE_B * (uint64_t)(element % 32) + element / 32 * 4;
}
static uint64_t line_each(uint32_t element) {
    return 0x100000 + LINE_B * (uint64_t)element;
}

/* The line is asked for in cycle 0 and comes in cycle 20, in which its first element is classified. That element is
 * inserted in cycle 21, and one more in each cycle from then on. The 32nd fills the entry, which answers in the same
 * cycle. */
static void an_element_a_cycle(void **state) {
    (void)state;
    const reorder_setup setup = a_setup();
    bench *b = bench_new(&setup, 32, one_line, WS_IRU_FILTER_NONE);
    ask(b, 7, 32);
    run_to(b, 20);
    assert_int_equal(count_of(b, REORDER_ELEMENTS), 0);
    for (uint32_t i = 1; i <= 31; i++) {
        run_to(b, 20 + i);
        assert_int_equal(count_of(b, REORDER_ELEMENTS), i);
        assert_int_equal(b->answered, 0);
    }
    run_to(b, 52);
    assert_int_equal(b->answered, 1);
    assert_int_equal(b->given[7], 32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(b->elements[i], i);
    assert_int_equal(count_of(b, REORDER_BY_ENTRY), 1);
    assert_int_equal(count_of(b, REORDER_WAITED), 52);
    bench_free(b);
}

/* With two banks, elements that alternate between them are inserted two per cycle. */
static void banks_insert_side_by_side(void **state) {
    (void)state;
    reorder_setup setup = a_setup();
    setup.banks = 2;
    bench *b = bench_new(&setup, 32, line_each, WS_IRU_FILTER_NONE);
    ask(b, 0, 32);
    run_until_answered(b, 1);
    assert_int_equal(b->answered_at[0], 20 + 32 / 2);
    bench_free(b);
}

/* With a timeout of 100, a request is answered in the 100th cycle since it became the oldest, not in the 99th; the time
 * of the next request begins then. Its elements are taken from the 64 entries, the fullest first. */
static uint64_t uneven(uint32_t element) { /* 10 lead to one line, the others to one each */
    return element % 8 == 0 && element < 80 ? 0x100000 : line_each(element);
}
static void requests_time_out(void **state) {
    (void)state;
    reorder_setup setup = a_setup();
    setup.timeout = 100;
    bench *b = bench_new(&setup, 128, uneven, WS_IRU_FILTER_NONE);
    run_to(b, 199); /* all elements are in the hash, but no entry has 32 */
    b->now = 200;
    ask(b, 0, 32);
    ask(b, 1, 32);
    run_to(b, 200);
    assert_int_equal(b->answered, 1); /* at the end of the array the unit answers at once */
    assert_int_equal(count_of(b, REORDER_BY_END), 1);
    bench_free(b);

    b = bench_new(&setup, 128 * 32, uneven, WS_IRU_FILTER_NONE);
    ask(b, 0, 32);
    ask(b, 1, 32);
    run_to(b, 99);
    assert_int_equal(b->answered, 0);
    run_to(b, 100);
    assert_int_equal(b->answered, 1);
    assert_int_equal(count_of(b, REORDER_BY_TIMEOUT), 1);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(b->elements[i], 8 * i); /* those that share a line first */
    run_to(b, 199);
    assert_int_equal(b->answered, 1);
    run_to(b, 200);
    assert_int_equal(b->answered, 2);
    bench_free(b);
}

/* Lines are asked for in the order of the array, at most `prefetches` at a time. A line makes room for another when its
 * last element has been classified. */
static void prefetches_are_limited(void **state) {
    (void)state;
    for (uint32_t limit = 1; limit <= 8; limit *= 2) {
        reorder_setup setup = a_setup();
        setup.prefetches = limit;
        bench *b = bench_new(&setup, 32 * 16, own_line, WS_IRU_FILTER_NONE);
        b->latency = 1000;
        run_to(b, 999);
        assert_int_equal(b->asked_count, limit);
        run_to(b, 1000 + 31); /* 32 elements classified: room for another line */
        assert_int_equal(b->asked_count, limit + 1);
        for (uint32_t i = 0; i < 16; i++) ask(b, i, 32);
        run_until_answered(b, 16);
        for (uint32_t i = 0; i < 16; i++) assert_int_equal(b->asked[i], i);
        bench_free(b);
    }
}

/* Each partition inserts the elements that it reads or hands them on over the ring. Between two of 8 partitions there
 * are at most 4 links if the ring has two ways, and 7 if it has one. */
static uint32_t links(uint32_t from, uint32_t to, uint32_t partitions, uint32_t ways) {
    uint32_t up = (to + partitions - from) % partitions;
    return ways == 2 && partitions - up < up ? partitions - up : up;
}
static void elements_take_the_shorter_way(void **state) {
    (void)state;
    for (uint32_t ways = 1; ways <= 2; ways++) {
        reorder_setup setup = a_setup();
        setup.partitions = 8;
        setup.ways = ways;
        bench *b = bench_new(&setup, 32 * 64, own_line, WS_IRU_FILTER_NONE);
        uint64_t expected = 0;
        for (uint32_t i = 0; i < 32 * 64; i++) {
            uint32_t from = partition_of(b, b->work.elements[i].address / LINE_B);
            expected += links(from, (uint32_t)(b->work.targets[i] / LINE_B % 64 % 8), 8, ways);
        }
        for (uint32_t i = 0; i < 64; i++) ask(b, i, 32);
        run_until_answered(b, 64);
        assert_int_equal(count_of(b, REORDER_BY_ENTRY), 64);
        assert_int_equal(count_of(b, REORDER_RING), expected);
        bench_free(b);
    }
}

/* All elements are bound for partition 0, whose one bank inserts an element per cycle. It has inserted one of its own
 * when the first comes over the ring; the next of its own follows only after all of partition 1's. */
static uint64_t for_partition_0(uint32_t element) {
    return 0x100000 + LINE_B * 2 * (uint64_t)(element % 16);
}
static void the_ring_goes_first(void **state) {
    (void)state;
    reorder_setup setup = a_setup();
    setup.partitions = 2;
    bench *b = bench_new(&setup, 256, for_partition_0, WS_IRU_FILTER_NONE); /* four lines of each partition */
    while (count_of(b, REORDER_RING) < 128) reorder_unit_step(b->unit, b->now++);
    reorder_unit_step(b->unit, b->now++);
    assert_int_equal(count_of(b, REORDER_ELEMENTS), 128 + 1);
    assert_int_equal(b->now, 20 + 1 + 128 + 1 + 1);
    for (uint32_t i = 0; i < 8; i++) ask(b, i, 32);
    run_until_answered(b, 8);
    uint32_t own = 0; /* partition 0's, among the first 8 of the 16 elements of each of the 16 entries */
    for (uint32_t i = 0; i < 256; i++)
        own += i % 16 < 8 && partition_of(b, b->work.elements[b->elements[i]].address / LINE_B) == 0;
    assert_int_equal(own, 1);
    bench_free(b);
}

/* Element i of the array, which is classified in one of four partitions, goes to the partition before that. */
static uint64_t three_links_away(uint32_t element) {
    uint64_t at = (INDICES + 4 * (uint64_t)element) / LINE_B / 2 % 4;
    return 0x100000 + LINE_B * (4 * (uint64_t)(element % 16) + (at + 3) % 4);
}

/* A partition leaves one place in front of the next one to those that are on the ring: where all elements of all
 * partitions pass on, and links are so slow that each has room for more before the first one comes, none holds up the
 * others for ever. */
static void the_ring_never_fills_up(void **state) {
    (void)state;
    reorder_setup setup = a_setup();
    setup.partitions = 4, setup.ways = 1, setup.ring_elements = 4, setup.hop_cycles = 10;
    bench *b = bench_new(&setup, 1024, three_links_away, WS_IRU_FILTER_NONE);
    for (uint32_t i = 0; i < 32; i++) ask(b, i, 32);
    run_until_answered(b, 32);
    assert_int_equal(count_of(b, REORDER_ELEMENTS), 1024);
    assert_true(count_of(b, REORDER_RING) >= 3 * 1024);
    bench_free(b);
}

/* An answer waits for the elements of other partitions, which come over the ring, one per cycle, the farthest over the
 * most links. The 16 entries lie in the 4 partitions in turn and have 2 elements each, so 24 come from elsewhere. */
static uint64_t pairs(uint32_t element) {
    return 0x100000 + LINE_B * (uint64_t)(element % 16);
}
static void answers_come_together(void **state) {
    (void)state;
    for (uint32_t ways = 1; ways <= 2; ways++) {
        reorder_setup setup = a_setup();
        setup.partitions = 4;
        setup.sets = 16;
        setup.ways = ways;
        bench *b = bench_new(&setup, 32, pairs, WS_IRU_FILTER_NONE);
        ask(b, 0, 32);
        run_until_answered(b, 1);
        assert_int_equal(count_of(b, REORDER_BY_END), 1);
        assert_int_equal(b->home[0], 0);
        assert_int_equal(b->delay[0], 24 + (ways == 1 ? 3 : 2));
        bench_free(b);
    }
}

/* Elements of the first line to entry 4, of the second one to entry 1, of the third one to entry 5. */
static uint64_t entries_4_1_5(uint32_t element) {
    static const uint64_t entries[] = {4, 1, 5};
    return 0x100000 + LINE_B * entries[element / 32];
}

/* Of equally full entries the lowest one answers first, wherever it is: here one of partition 1 before one of
 * partition 0. */
static void the_lowest_of_full_entries_answers_first(void **state) {
    (void)state;
    reorder_setup setup = a_setup();
    setup.partitions = 2;
    bench *b = bench_new(&setup, 96, entries_4_1_5, WS_IRU_FILTER_NONE);
    run_to(b, 999);
    b->closed = 3;
    for (uint32_t i = 0; i < 3; i++) ask(b, i, 32);
    run_to(b, 1000);
    b->closed = 0;
    run_until_answered(b, 3);
    static const uint32_t homes[] = {1, 0, 1}, firsts[] = {32, 0, 64};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(b->home[i], homes[i]);
        assert_int_equal(b->elements[b->first[i]] / 32 * 32, firsts[i]);
    }
    bench_free(b);
}

/* 8 entries, two in each of 4 partitions, are full when the requests come: each partition gives one answer per cycle. A
 * partition that cannot answer leaves its entries to the end, and the others go on. */
static uint64_t eight_lines(uint32_t element) {
    return 0x100000 + LINE_B * (uint64_t)(element % 8);
}
static void partitions_answer_side_by_side(void **state) {
    (void)state;
    for (uint32_t closed = 0; closed < 2; closed++) {
        reorder_setup setup = a_setup();
        setup.partitions = 4;
        setup.sets = 8;
        bench *b = bench_new(&setup, 8 * 32 + 32, eight_lines, WS_IRU_FILTER_NONE);
        run_to(b, 999);
        b->closed = closed << 2;
        for (uint32_t i = 0; i < 9; i++) ask(b, i, i < 8 ? 32 : 31);
        run_to(b, 1000);
        assert_int_equal(b->answered, closed ? 3 : 4);
        run_to(b, 1001);
        assert_int_equal(b->answered, closed ? 6 : 8);
        run_to(b, 1100);
        if (closed) assert_int_equal(b->answered, 6);
        b->closed = 0;
        run_until_answered(b, 9);
        for (uint32_t i = 0; i < 8; i++) assert_int_equal(b->given[i], 32);
        for (uint32_t i = 6; closed && i < 8; i++) assert_int_equal(b->home[i], 2);
        bench_free(b);
    }
}

/* Answers without elements leave at the partitions at which their requests arrived. Partition 0 has answered the first
 * request in the first cycle. */
static void empty_answers_leave_where_they_were_asked_for(void **state) {
    (void)state;
    reorder_setup setup = a_setup();
    setup.partitions = 4;
    bench *b = bench_new(&setup, 32 * 32, one_line, WS_IRU_FILTER_MIN); /* 32 elements are left */
    run_to(b, 1999);
    for (uint32_t i = 0; i < 13; i++) ask(b, i, 32);
    run_until_answered(b, 13);
    for (uint32_t i = 1; i < 13; i++) {
        assert_int_equal(b->given[i], 0);
        assert_int_equal(b->home[i], i % 4);
    }
    assert_int_equal(b->answered_at[12] - b->answered_at[0], 3);
    bench_free(b);
}

/* ---- laws */

static uint64_t law_seed;
static uint32_t law_targets;
static uint64_t law_target(uint32_t element) {
    uint64_t random = law_seed ^ (element * UINT64_C(0x9e3779b97f4a7c15));
    if (random_one_in(&random, 50)) return WS_IRU_NO_TARGET;
    return 0x100000 + 4 * (uint64_t)random_below(&random, law_targets);
}

static reorder_setup draw_setup(uint64_t *random) {
    return (reorder_setup){.partitions = 1 + random_below(random, 9),
                           .sets = 1u << random_below(random, 9),
                           .banks = 1 + random_below(random, 4),
                           .entry_elements = 32,
                           .hash = random_one_in(random, 2) ? WS_INDEX_XOR : WS_INDEX_LINEAR,
                           .line_B = LINE_B,
                           .timeout = random_one_in(random, 3) ? 1 << 20 : random_below(random, 300),
                           .hop_cycles = 1 + random_below(random, 3),
                           .prefetches = 1 + random_below(random, 8),
                           .queue_elements = 1 + random_below(random, 8),
                           .ways = 1 + random_below(random, 2),
                           .ring_elements = 4 + random_below(random, 12)};
}

/* Draws requests at random cycles that together want as many elements as there are. Returns their number. */
static uint32_t draw_requests(bench *b, uint64_t *random, uint64_t *at) {
    uint32_t count = 0;
    for (uint32_t wanted = 0; wanted < b->work.element_count; count++) {
        uint32_t most = random_one_in(random, 3) ? 1 + random_below(random, 32) : 32;
        uint32_t left = b->work.element_count - wanted;
        b->wanted[count] = (uint8_t)(left < most ? left : most);
        wanted += b->wanted[count];
        at[count] = (count ? at[count - 1] : 0) + (random_one_in(random, 4) ? random_below(random, 200) : 0);
    }
    return count;
}

static void run_requests(bench *b, const uint64_t *at, uint32_t count) {
    uint32_t asked = 0;
    uint64_t next = 0;
    while (b->answered < count) {
        for (; asked < count && at[asked] <= b->now; asked++) ask(b, asked, b->wanted[asked]);
        next = reorder_unit_step(b->unit, b->now);
        if (asked < count && at[asked] < next) next = at[asked] > b->now ? at[asked] : b->now + 1;
        if (b->answered < count) assert_true(next != REORDER_NEVER); /* else it would be stuck */
        b->now = next;
    }
}

static void expect_laws(const bench *b, uint32_t requests) {
    const uint32_t count = b->work.element_count;
    uint8_t *times = calloc(count + 1u, 1);
    uint32_t survivors = 0;
    for (uint32_t i = 0; i < b->element_count; i++) {
        survivors++;
        times[b->elements[i]]++;
        for (uint32_t m = reorder_unit_merged(b->unit)[b->elements[i]]; m != REORDER_NOBODY;
             m = reorder_unit_next(b->unit)[m]) {
            times[m]++;
            assert_int_equal(b->work.targets[m], b->work.targets[b->elements[i]]);
            assert_true(b->work.targets[m] != WS_IRU_NO_TARGET);
        }
    }
    for (uint32_t i = 0; i < count; i++) assert_int_equal(times[i], 1);
    for (uint32_t i = 0; i < requests; i++) {
        assert_int_equal(b->order[i], i); /* the oldest first */
        assert_true(b->given[i] <= b->wanted[i]);
        if (b->work.filter == WS_IRU_FILTER_NONE) assert_int_equal(b->given[i], b->wanted[i]);
    }
    assert_int_equal(count_of(b, REORDER_ELEMENTS), count);
    assert_int_equal(count_of(b, REORDER_FILTERED), count - survivors);
    assert_int_equal(count_of(b, REORDER_REQUESTS), requests);
    assert_int_equal(count_of(b, REORDER_BY_ENTRY) + count_of(b, REORDER_BY_TIMEOUT) +
                         count_of(b, REORDER_BY_END),
                     requests);
    assert_int_equal(count_of(b, REORDER_PREFETCHES), b->work.line_count);
    free(times);
}

static void every_element_is_handed_out_once(void **state) {
    (void)state;
    static uint64_t at[REQUESTS];
    uint64_t filtered = 0, late = 0, disabled = 0, over_the_ring = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t random = seed;
        law_seed = seed;
        law_targets = 1 + random_below(&random, random_one_in(&random, 3) ? 20 : 4000);
        const reorder_setup setup = draw_setup(&random);
        const enum ws_iru_filter filter = random_one_in(&random, 2) ? WS_IRU_FILTER_MIN : WS_IRU_FILTER_NONE;
        const uint32_t count = 1 + random_below(&random, 3000);
        bench *b = bench_new(&setup, count, law_target, filter),
              *again = bench_new(&setup, count, law_target, filter);
        b->latency = again->latency = 1 + random_below(&random, 300);
        uint32_t requests = draw_requests(b, &random, at);
        memcpy(again->wanted, b->wanted, sizeof b->wanted);
        run_requests(b, at, requests);
        expect_laws(b, requests);
        run_requests(again, at, requests);
        assert_memory_equal(b->elements, again->elements, sizeof b->elements);
        assert_memory_equal(b->answered_at, again->answered_at, sizeof b->answered_at);
        filtered += count_of(b, REORDER_FILTERED), late += count_of(b, REORDER_BY_TIMEOUT);
        disabled += count_of(b, REORDER_DISABLED), over_the_ring += count_of(b, REORDER_RING);
        bench_free(b);
        bench_free(again);
    }
    assert_true(filtered > 1000 && late > 500 && disabled > 100 && over_the_ring > 10000);
}

/* With one partition, one bank, and a memory that is always ahead, the unit does what the analysis `iru` does without
 * latencies. */
static void alone_it_is_the_functional_model(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed;
        law_seed = seed;
        law_targets = 1 + random_below(&random, 4000);
        reorder_setup setup = a_setup();
        setup.sets = 1u << random_below(&random, 8);
        setup.timeout = 1 + random_below(&random, 400);
        setup.prefetches = 1024;
        const enum ws_iru_filter filter = random_one_in(&random, 2) ? WS_IRU_FILTER_MIN : WS_IRU_FILTER_NONE;
        const uint32_t requests = 1 + random_below(&random, 100), count = 32 * requests;
        bench *b = bench_new(&setup, count, law_target, filter);
        /* Lines come at once, so the unit never waits for memory. */
        b->latency = 0;
        static uint8_t lanes[REQUESTS];
        static uint64_t address[ELEMENTS];
        memset(lanes, 32, sizeof lanes);
        for (uint32_t i = 0; i < count; i++) address[i] = b->work.elements[i].address;
        const ws_iru_unit unit = {.partitions = 1,
                                  .interleave_B = 256,
                                  .sets = setup.sets,
                                  .hash = setup.hash,
                                  .timeout = setup.timeout,
                                  .filter = filter != WS_IRU_FILTER_NONE,
                                  .entry_elements = 32,
                                  .line_shift = 7};
        const ws_iru_work work = {count, address, b->work.targets, requests, lanes};
        ws_iru_replies r;
        assert_true(ws_iru_reorder(&unit, &work, &r));
        reorder_unit_step(b->unit, 0); /* asks for the first line; the next ones follow, one per cycle */
        reorder_unit_step(b->unit, 1); /* classifies the first element */
        b->now = 2;
        for (uint32_t i = 0; i < requests; i++) ask(b, i, 32);
        run_until_answered(b, requests);
        for (uint32_t i = 0; i < requests; i++) {
            assert_int_equal(b->given[i], r.first[i + 1] - r.first[i]);
            assert_memory_equal(b->elements + b->first[i], r.element + r.first[i],
                                b->given[i] * sizeof(uint32_t));
        }
        ws_iru_replies_free(&r);
        bench_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_element_a_cycle),
        cmocka_unit_test(banks_insert_side_by_side),
        cmocka_unit_test(requests_time_out),
        cmocka_unit_test(prefetches_are_limited),
        cmocka_unit_test(elements_take_the_shorter_way),
        cmocka_unit_test(the_ring_goes_first),
        cmocka_unit_test(the_ring_never_fills_up),
        cmocka_unit_test(answers_come_together),
        cmocka_unit_test(the_lowest_of_full_entries_answers_first),
        cmocka_unit_test(partitions_answer_side_by_side),
        cmocka_unit_test(empty_answers_leave_where_they_were_asked_for),
        cmocka_unit_test(every_element_is_handed_out_once),
        cmocka_unit_test(alone_it_is_the_functional_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
