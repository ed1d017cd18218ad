/* Miss status holding registers: equal to a list of the misses on their way. */
#include "../support/random.h"
#include "base/array.h"
#include "timed/cache.h"
#include "timed/mshr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct miss {
    uint64_t line;
    uint32_t entry, way;
    uint8_t sectors;
} miss;

typedef struct twin {
    ws_mshr real;
    miss *misses;
    uint32_t count, used;
} twin;

static uint32_t cost_of(const miss *m) {
    return (uint32_t)__builtin_popcount(m->sectors);
}

/* Returns those of the line's sectors that no miss has asked for yet. */
static uint8_t left_of(const twin *t, uint64_t line, uint8_t sectors) {
    for (uint32_t i = 0; i < t->count; i++)
        if (t->misses[i].line == line) sectors &= (uint8_t)~t->misses[i].sectors;
    return sectors;
}

static void take(twin *t, uint64_t line, uint8_t sectors, uint32_t way) {
    sectors = left_of(t, line, sectors);
    if (!sectors || ws_mshr_is_full(&t->real)) return;
    miss *m = &t->misses[t->count++];
    *m = (miss){.line = line, .way = way, .sectors = sectors};
    m->entry = ws_mshr_take(&t->real, line, sectors, way, cost_of(m));
    assert_true(m->entry < t->real.entries);
    t->used += cost_of(m);
}

static void release(twin *t, uint32_t which) {
    miss *m = &t->misses[which];
    ws_mshr_release(&t->real, m->entry, cost_of(m));
    t->used -= cost_of(m);
    *m = t->misses[--t->count];
}

/* Fails unless each entry holds what it was taken for, and a lookup finds the entry of this line and sector, or none if
 * there is none. */
static void check(const twin *t, uint64_t line, unsigned sector) {
    uint32_t expected = WS_MSHR_NONE;
    for (uint32_t i = 0; i < t->count; i++) {
        const miss *m = &t->misses[i];
        const ws_mshr_entry *e = &t->real.entry[m->entry];
        assert_true(e->line == m->line && e->sectors == m->sectors && e->missing == m->sectors);
        assert_true(e->way == m->way && e->count == 1 && e->first == WS_MSHR_NONE);
        if (m->line == line && m->sectors >> sector & 1) expected = m->entry;
    }
    assert_int_equal(ws_mshr_find(&t->real, line, (uint8_t)(1u << sector)), expected);
    assert_int_equal(t->real.used, t->used);
    assert_int_equal(ws_mshr_is_full(&t->real), t->used >= t->real.entries);
}

static void equal_to_a_list(uint32_t entries) {
    uint64_t random = entries;
    twin t = {.misses = calloc(entries, sizeof *t.misses)};
    assert_true(t.misses && ws_mshr_init(&t.real, entries, 1));
    for (int i = 0; i < 4000; i++) {
        bool grows = i / 1000 % 2 == 0;
        uint64_t line = random_below(&random, entries) * UINT64_C(0x100000001);
        if (!t.count || random_below(&random, 4) < (grows ? 3 : 1))
            take(&t, line, (uint8_t)(1 + random_below(&random, 255)),
                 random_below(&random, WS_CACHE_LINES_MAX + 1));
        else
            release(&t, random_below(&random, t.count));
        check(&t, line, random_below(&random, 8));
    }
    while (t.count) release(&t, t.count - 1);
    assert_int_equal(t.real.used, 0);
    ws_mshr_free(&t.real);
    free(t.misses);
}

static void what_is_on_its_way_is_found(void **state) {
    (void)state;
    static const uint32_t entries[] = {1, 2, 15, 16, 17, 32, 100, 384};
    for (size_t i = 0; i < WS_COUNT(entries); i++) equal_to_a_list(entries[i]);
}

/* With as many entries and merges as parameters allow, all entries are different ones. */
static void all_entries_can_be_taken(void **state) {
    (void)state;
    enum { ENTRIES = 65536 };
    ws_mshr m;
    assert_true(ws_mshr_init(&m, ENTRIES, ENTRIES));
    for (uint32_t round = 0; round < 2; round++) {
        for (uint64_t line = 0; line < ENTRIES; line++) {
            assert_false(ws_mshr_is_full(&m));
            m.entry[ws_mshr_take(&m, line, 1, 0, 1)].count = ENTRIES;
        }
        assert_true(ws_mshr_is_full(&m));
        for (uint64_t line = 0; line < ENTRIES; line++) {
            uint32_t entry = ws_mshr_find(&m, line, 1);
            assert_int_equal(m.entry[entry].line, line);
            assert_int_equal(m.entry[entry].count, ENTRIES);
            ws_mshr_release(&m, entry, 1);
            assert_int_equal(ws_mshr_find(&m, line, 1), WS_MSHR_NONE);
        }
    }
    ws_mshr_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_on_its_way_is_found),
        cmocka_unit_test(all_entries_can_be_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
