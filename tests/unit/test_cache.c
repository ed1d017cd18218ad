/* The tags of the timed caches compared with a naive twin that follows their definitions; victims with known
 * answers. */
#include "../support/naive_cache.h"
#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Sectors of a line whose data have been asked for and have not come. */
typedef struct due {
    uint64_t line;
    uint8_t sectors;
} due;

typedef struct pair {
    ws_cache real;
    naive_cache naive;
    due due[NAIVE_SETS_MAX * NAIVE_WAYS_MAX]; /* per way */
} pair;

/* The naive twin's way at the same place. */
static naive_way *twin(pair *p, uint32_t way) {
    return &p->naive.way[way / p->real.ways][way % p->real.ways];
}

static void check_way(pair *p, uint64_t line, uint8_t sectors, bool is_write, uint32_t *way,
                      enum ws_probe *probe) {
    *probe = ws_cache_probe(&p->real, line, line, sectors, is_write, way);
    assert_int_equal(*probe, naive_cache_probe(&p->naive, line, sectors, is_write));
    naive_way *expected = naive_cache_find(&p->naive, line);
    if (!expected) expected = naive_cache_victim(&p->naive, line);
    if (expected)
        assert_ptr_equal(twin(p, *way), expected);
    else
        assert_int_equal(*way, WS_NO_WAY);
}

/* Delivers data for those of the given sectors that are due, to whatever line has the way now. */
static void fill(pair *p, uint32_t way, uint8_t sectors) {
    due *d = &p->due[way];
    if (!(sectors &= d->sectors)) return;
    bool taken = twin(p, way)->taken, there = taken && twin(p, way)->line == d->line;
    assert_int_equal(ws_cache_fill(&p->real, way, d->line, sectors), there);
    if (taken) naive_cache_fill(&p->naive, twin(p, way), sectors);
    d->sectors &= (uint8_t)~sectors;
}

static void ask(pair *p, uint32_t way, uint64_t line, uint8_t sectors) {
    naive_cache_reserve(&p->naive, twin(p, way), sectors);
    if (p->due[way].line != line) fill(p, way, UINT8_MAX);
    p->due[way] = (due){line, p->due[way].sectors | sectors};
}

static void access_line(pair *p, uint64_t line, uint8_t sectors, bool is_write, uint64_t words) {
    uint32_t way;
    enum ws_probe probe;
    check_way(p, line, sectors, is_write, &way, &probe);
    if (probe == WS_PROBE_FULL || (probe == WS_PROBE_PENDING && !is_write)) return;
    uint8_t reserved = is_write || probe == WS_PROBE_HIT ? 0 : sectors;
    naive_way gone = *twin(p, way);
    uint64_t before = p->real.lines[way].line;
    ws_cache_take(&p->real, way, line, reserved);
    if (probe == WS_PROBE_MISS) {
        naive_cache_replace(&p->naive, twin(p, way), line);
        assert_int_equal(before, gone.taken ? gone.line : WS_NO_LINE);
    } else {
        naive_cache_touch(&p->naive, twin(p, way));
        assert_int_equal(before, line);
    }
    if (reserved) ask(p, way, line, reserved);
    if (!is_write) return;
    ws_cache_write(&p->real, way, sectors, words);
    naive_cache_write(&p->naive, twin(p, way), sectors, words);
}

static void evict(pair *p, uint32_t way, uint8_t sectors) {
    if (p->real.lines[way].line == WS_NO_LINE) return;
    ws_cache_invalidate(&p->real, way, sectors);
    naive_cache_invalidate(&p->naive, twin(p, way), sectors);
}

/* Marks those of the sectors that are there. */
static void mark(pair *p, uint32_t way, uint8_t sectors, uint64_t words) {
    sectors &= p->real.lines[way].valid;
    if (!sectors) return;
    ws_cache_mark(&p->real, way, sectors, words);
    naive_cache_mark(&p->naive, twin(p, way), sectors, words);
}

/* The words that a write of these sectors writes: of each, all, none, or halves that complete each other. */
static uint64_t random_words(uint64_t *random, uint8_t sectors) {
    static const uint64_t of_sector[] = {0xff, 0, 0x0f, 0xf0};
    uint64_t words = 0;
    for (int i = 0; i < NAIVE_SECTORS; i++)
        if (sectors >> i & 1) words |= of_sector[random_below(random, 4)] << 8 * i;
    return words;
}

/* Begins another moment. */
static void move_on(pair *p) {
    p->naive.now++;
    ws_cache_set_moment(&p->real, (uint64_t)p->naive.now + 1);
}

static void equal_to_its_definition(void **state) {
    (void)state;
    static const enum ws_replacement policies[] = {WS_REPLACE_LRU, WS_REPLACE_FIFO, WS_REPLACE_PLRU,
                                                   WS_REPLACE_RANDOM};
    uint64_t random = 7;
    for (int round = 0; round < 240; round++) {
        enum ws_replacement policy = policies[round % 4];
        uint32_t sets = 1u << random_below(&random, 3), ways = 1 + random_below(&random, NAIVE_WAYS_MAX);
        double percent = round % 3 ? 0 : 40;
        pair p = {.naive = naive_cache_new(sets, ways, policy, (uint64_t)round,
                                           (uint32_t)(percent / 100 * (double)(sets * ways)))};
        assert_true(ws_cache_init(&p.real, sets, ways, WS_INDEX_LINEAR, policy, (uint64_t)round, percent));
        uint32_t lines = 1 + random_below(&random, 3 * sets * ways);
        p.naive.together = round % 4 < 2 && random_one_in(&random, 2);
        if (p.naive.together) move_on(&p);
        for (int i = 0; i < 2000; i++) {
            uint8_t sectors = (uint8_t)(1 + random_below(&random, 15));
            uint64_t words = random_words(&random, sectors);
            if (random_one_in(&random, 3))
                fill(&p, random_below(&random, sets * ways),
                     (uint8_t)(random_one_in(&random, 3) ? random_next(&random) : 15));
            if (random_one_in(&random, 10)) mark(&p, random_below(&random, sets * ways), sectors, words);
            bool evicts = random_one_in(&random, 20);
            if (evicts) evict(&p, random_below(&random, sets * ways), i % 2 ? WS_ALL_SECTORS : sectors);
            if (p.naive.together && (evicts || random_one_in(&random, 4))) move_on(&p);
            access_line(&p, random_below(&random, lines), sectors, random_one_in(&random, 3), words);
        }
        ws_cache_free(&p.real);
    }
}

/* ---- large ones */

/* A naive LRU cache: the line of each way, and when it was last used (0: the way is empty). */
typedef struct plain {
    uint32_t sets, ways;
    uint64_t *line, *used;
} plain;

/* The way that holds the line, or else the least recently used way of its set. */
static uint32_t plain_way(const plain *p, uint64_t line, bool *found) {
    uint32_t first = (uint32_t)(line % p->sets) * p->ways, oldest = first;
    for (uint32_t way = first; way < first + p->ways; way++) {
        if ((*found = p->used[way] && p->line[way] == line)) return way;
        if (p->used[way] < p->used[oldest]) oldest = way;
    }
    return oldest;
}

/* Cache sizes around UINT16_MAX, where the entries of the hash buckets become wider, still find their lines. */
static void equal_to_a_plain_one(uint32_t sets, uint32_t ways) {
    uint32_t lines = sets * ways;
    uint64_t random = lines;
    plain p = {sets, ways, calloc(lines, sizeof *p.line), calloc(lines, sizeof *p.used)};
    ws_cache c;
    assert_true(p.line && p.used && ws_cache_init(&c, sets, ways, WS_INDEX_LINEAR, WS_REPLACE_LRU, 1, 0));
    for (uint64_t now = 1; now <= 4 * (uint64_t)lines; now++) {
        /* Every way is filled once, from the last line down; then a random half of the probes find their line. */
        uint64_t line = now <= lines ? lines - now : random_below(&random, 2 * lines);
        bool found;
        uint32_t expected = plain_way(&p, line, &found), way;
        assert_int_equal(ws_cache_probe(&c, line, line, 1, false, &way),
                         found ? WS_PROBE_HIT : WS_PROBE_MISS);
        assert_int_equal(way, expected);
        if (found) {
            ws_cache_touch(&c, way);
        } else {
            assert_int_equal(c.lines[way].line, p.used[way] ? p.line[way] : WS_NO_LINE);
            ws_cache_replace(&c, way, line, 0);
            ws_cache_write(&c, way, 1, 0xff);
        }
        p.line[way] = line;
        p.used[way] = now;
    }
    ws_cache_free(&c);
    free(p.line);
    free(p.used);
}

static void large_caches_find_their_lines(void **state) {
    (void)state;
    equal_to_a_plain_one(UINT16_MAX - 1, 1);
    equal_to_a_plain_one(UINT16_MAX, 1);
    equal_to_a_plain_one(UINT16_MAX + 1, 1);
    equal_to_a_plain_one(50000, 3);
}

/* ---- known answers */

/* Looks `line` up and, on a miss, fills it at once; returns the evicted line. */
static uint64_t bring(ws_cache *c, uint64_t line) {
    uint32_t way;
    if (ws_cache_probe(c, line, line, 1, false, &way) == WS_PROBE_HIT) {
        ws_cache_touch(c, way);
        return WS_NO_LINE;
    }
    uint64_t before = c->lines[way].line;
    ws_cache_replace(c, way, line, 1);
    assert_true(ws_cache_fill(c, way, line, 1));
    return before;
}

/* Ways 0 1 2 3 are filled in order and 0 is used again. The tree's older half is then the right one, with 2 the
 * older of it; lru takes 1. */
static void plru_follows_its_tree(void **state) {
    (void)state;
    static const struct {
        enum ws_replacement policy;
        uint64_t leaves[3];
    } cases[] = {
        {WS_REPLACE_LRU, {11, 12, 13}}, {WS_REPLACE_FIFO, {10, 11, 12}}, {WS_REPLACE_PLRU, {12, 11, 13}}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_cache c;
        assert_true(ws_cache_init(&c, 1, 4, WS_INDEX_LINEAR, cases[i].policy, 1, 0));
        for (uint64_t line = 10; line < 14; line++) assert_int_equal(bring(&c, line), WS_NO_LINE);
        bring(&c, 10);
        for (uint64_t n = 0; n < 3; n++) assert_int_equal(bring(&c, 20 + n), cases[i].leaves[n]);
        ws_cache_free(&c);
    }
}

/* The random policy picks every way about equally often; a seed determines the sequence, and other seeds give
 * others. */
static void random_takes_any_way(void **state) {
    (void)state;
    enum { WAYS = 6, ROUNDS = 6000 };
    uint64_t left[3][ROUNDS];
    uint32_t taken[WAYS] = {0};
    for (int k = 0; k < 3; k++) {
        ws_cache c;
        assert_true(ws_cache_init(&c, 1, WAYS, WS_INDEX_LINEAR, WS_REPLACE_RANDOM, k == 2 ? 9 : 8, 0));
        for (uint64_t line = 0; line < WAYS; line++) bring(&c, line);
        for (uint64_t n = 0; n < ROUNDS; n++) {
            taken[ws_cache_victim(&c, 0)]++;
            left[k][n] = bring(&c, WAYS + n);
        }
        ws_cache_free(&c);
    }
    for (int way = 0; way < WAYS; way++)
        assert_in_range(taken[way], ROUNDS / 2 * 9 / 10, ROUNDS / 2 * 11 / 10);
    assert_memory_equal(left[0], left[1], sizeof left[0]);
    assert_memory_not_equal(left[0], left[2], sizeof left[0]);
}

/* As ways used at the same time go by their place, it matters which lines get which: when a cache has been emptied, the
 * same as at first. */
static void an_emptied_cache_fills_its_ways_in_the_same_order(void **state) {
    (void)state;
    ws_cache c;
    assert_true(ws_cache_init(&c, 2, 3, WS_INDEX_LINEAR, WS_REPLACE_LRU, 1, 0));
    for (int round = 0; round < 3; round++) {
        for (uint64_t line = 0; line < 6; line++) {
            bring(&c, line);
            assert_int_equal(ws_cache_find(&c, line), line % 2 * 3 + line / 2);
        }
        ws_cache_empty(&c);
    }
    ws_cache_free(&c);
}

/* Data that come to a way after its line has left it make what was written there since clean. Its line still counts as
 * dirty, until the cache is emptied. */
static void an_emptied_cache_has_no_dirty_lines(void **state) {
    (void)state;
    ws_cache c;
    assert_true(ws_cache_init(&c, 1, 1, WS_INDEX_LINEAR, WS_REPLACE_LRU, 1, 0));
    bring(&c, 2);
    ws_cache_modify(&c, 0, 1, 1);
    assert_false(ws_cache_fill(&c, 0, 1, 1));
    assert_int_equal(c.lines[0].dirty, 0);
    assert_int_equal(c.dirty_lines, 1);
    ws_cache_empty(&c);
    assert_int_equal(c.dirty_lines, 0);
    ws_cache_free(&c);
}

/* The words written of a way are those of its present line, since it became dirty. */
static void words_written_are_of_the_present_line(void **state) {
    (void)state;
    ws_cache c;
    assert_true(ws_cache_init(&c, 1, 1, WS_INDEX_LINEAR, WS_REPLACE_LRU, 1, 0));
    for (uint64_t line = 2; line < 4; line++) {
        bring(&c, line);
        ws_cache_modify(&c, 0, 1, line);
        assert_int_equal(c.written[0], line);
        ws_cache_modify(&c, 0, 1, 0x80);
        assert_int_equal(c.written[0], line | 0x80);
    }
    ws_cache_free(&c);
}

/* A set spares its lines if all of them are dirty, as long as fewer lines of the cache are than must be before one
 * goes: here three of four. */
static void a_set_is_spared_if_all_its_lines_are_dirty(void **state) {
    (void)state;
    static const struct {
        uint64_t written[3]; /* lines, of sets 0 and 1 in turn */
        bool spares[3];      /* after each */
    } cases[] = {{{1, 0, 2}, {false, false, false}}, {{1, 3, 0}, {false, true, false}}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_cache c;
        assert_true(ws_cache_init(&c, 2, 2, WS_INDEX_LINEAR, WS_REPLACE_LRU, 1, 75));
        for (uint64_t line = 0; line < 4; line++) bring(&c, line);
        for (int n = 0; n < 3; n++) {
            ws_cache_modify(&c, ws_cache_find(&c, cases[i].written[n]), 1, 1);
            assert_int_equal(ws_cache_spares_a_set(&c), cases[i].spares[n]);
        }
        ws_cache_free(&c);
    }
}

/* Index ipoly of 16, 32 and 64 sets computes the set from 13, 15 and 19 bits above the set's (GPGPU-Sim, hashing.cc):
 * lines that differ only in higher ones share a set. Of other caches all bits count. */
static void ipoly_takes_the_bits_of_the_equations(void **state) {
    (void)state;
    static const struct {
        uint32_t sets;
        unsigned bits; /* 0: all */
    } cases[] = {{8, 0}, {16, 4 + 13}, {32, 5 + 15}, {64, 6 + 19}, {128, 0}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_cache c;
        uint32_t sets = cases[i].sets;
        assert_true(ws_cache_init(&c, sets, 1, WS_INDEX_IPOLY, WS_REPLACE_LRU, 1, 0));
        for (unsigned bit = 0; bit < 50; bit++) {
            /* one way a set: the way is the set */
            uint32_t set = ws_cache_victim(&c, UINT64_C(1) << bit);
            if (cases[i].bits && bit >= cases[i].bits)
                assert_int_equal(set, 0);
            else
                assert_int_equal(set, ws_ipoly(UINT64_C(1) << bit, sets));
        }
        assert_int_not_equal(ws_ipoly(UINT64_C(1) << 17, 16), 0);
        ws_cache_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_its_definition),
        cmocka_unit_test(large_caches_find_their_lines),
        cmocka_unit_test(plru_follows_its_tree),
        cmocka_unit_test(random_takes_any_way),
        cmocka_unit_test(an_emptied_cache_fills_its_ways_in_the_same_order),
        cmocka_unit_test(an_emptied_cache_has_no_dirty_lines),
        cmocka_unit_test(words_written_are_of_the_present_line),
        cmocka_unit_test(a_set_is_spared_if_all_its_lines_are_dirty),
        cmocka_unit_test(ipoly_takes_the_bits_of_the_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
