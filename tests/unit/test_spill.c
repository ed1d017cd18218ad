/* Grouping records by key in bounded memory, against a stable sort of everything in memory. */
#include "trace/import/interleaved.h"
#include "trace/import/spill.h"

#include "../support/folder.h"
#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

typedef struct entry {
    ws_spill_key key;
    uint32_t number, size;
} entry;

static int compare(const void *a, const void *b) {
    const entry *one = a, *other = b;
    if (one->key.launch != other->key.launch) return one->key.launch < other->key.launch ? -1 : 1;
    if (one->key.place != other->key.place) return one->key.place < other->key.place ? -1 : 1;
    return one->number < other->number ? -1 : 1;
}

/* The record of an entry: its number, then bytes that follow from it. */
static void fill(const entry *e, uint8_t *out) {
    for (uint32_t i = 0; i < e->size; i++) out[i] = (uint8_t)(e->number * 31 + i);
    memcpy(out, &e->number, sizeof e->number);
}

typedef struct walk {
    const entry *entries;
    size_t at, count;
} walk;

static bool check(void *context, ws_spill_key key, const void *record, size_t size, ws_error *err) {
    walk *w = context;
    uint8_t expected[WS_SPILL_RECORD_MAX];
    (void)err;
    assert_true(w->at < w->count);
    const entry *e = &w->entries[w->at++];
    fill(e, expected);
    assert_int_equal(key.launch, e->key.launch);
    assert_int_equal(key.place, e->key.place);
    assert_int_equal(size, e->size);
    assert_memory_equal(record, expected, size);
    return true;
}

static void round_trip(uint64_t seed, size_t count, uint64_t keys, uint32_t largest, uint64_t memory_B) {
    entry *entries = malloc(count * sizeof *entries);
    uint8_t record[WS_SPILL_RECORD_MAX];
    ws_error err = WS_NO_ERROR;
    ws_spill_options options = {.folder = folder_path(""), .memory_B = memory_B};
    ws_spill *spill = ws_spill_new(&options, &err);
    for (size_t i = 0; i < count; i++) {
        entry *e = &entries[i];
        *e = (entry){{(uint32_t)(random_next(&seed) % 3), random_next(&seed) % keys << 33}, (uint32_t)i, 0};
        e->size = 4 + (uint32_t)(random_next(&seed) % (largest - 3));
        fill(e, record);
        if (!ws_spill_add(spill, e->key, record, e->size, &err)) fail_msg("%s", err.text);
    }
    qsort(entries, count, sizeof *entries, compare);
    walk w = {entries, 0, count};
    if (!ws_spill_read(spill, check, &w, &err)) fail_msg("%s", err.text);
    assert_int_equal(w.at, count);
    assert_int_equal(folder_count(), 0); /* the file has no name */
    ws_spill_free(spill);
    free(entries);
}

static void records_come_by_key_and_in_order(void **state) {
    (void)state;
    static const uint64_t memories[] = {1, 20000, 200000, UINT64_C(1) << 30};
    for (uint64_t i = 0; i < WS_COUNT(memories); i++) {
        round_trip(i, 1, 1, 8, memories[i]);
        round_trip(i + 10, 300, 1, WS_SPILL_RECORD_MAX, memories[i]);
        round_trip(i + 20, 5000, 40, 60, memories[i]);
        round_trip(i + 30, 5000, 100000, 20, memories[i]);
    }
}

static void nothing_gives_nothing(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_spill *spill = ws_spill_new(NULL, &err);
    walk w = {0};
    assert_true(ws_spill_read(spill, check, &w, &err));
    ws_spill_free(spill);
    ws_spill_free(NULL);
}

/* Adds 100,000 bytes with room for 10,000; true when all went well. */
static bool overflow(const ws_spill_options *options, ws_error *err) {
    uint8_t record[1000] = {0};
    bool good = true;
    walk w = {0};
    *err = WS_NO_ERROR;
    ws_spill *spill = ws_spill_new(options, err);
    for (uint64_t i = 0; good && i < 100; i++)
        good = ws_spill_add(spill, (ws_spill_key){0, i}, record, 1000, err);
    good = good && options->interrupted && ws_spill_read(spill, check, &w, err);
    ws_spill_free(spill);
    return good;
}

static void a_full_disk_is_an_error(void **state) {
    (void)state;
    struct rlimit before, little = {30000, RLIM_INFINITY};
    ws_error err;
    char expected[256];
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    little.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &little);
    bool good = overflow(&(ws_spill_options){.folder = folder_path(""), .memory_B = 10000}, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(good);
    assert_int_equal(err.code, WS_ERROR_IO);
    snprintf(
        expected, sizeof expected,
        "%s: writing of a temporary file failed: File too large; another folder (--tmpdir) may have room",
        folder_path(""));
    assert_string_equal(err.text, expected);
    assert_int_equal(folder_count(), 0);
}

static void a_folder_that_is_not_there_is_an_error(void **state) {
    (void)state;
    ws_error err;
    assert_false(overflow(&(ws_spill_options){.folder = "/nowhere/at/all", .memory_B = 10000}, &err));
    assert_int_equal(err.code, WS_ERROR_IO);
    assert_string_equal(err.text,
                        "/nowhere/at/all: opening of a temporary file failed: No such file or directory; "
                        "another folder (--tmpdir) may have room");
}

static void an_interrupt_stops_it(void **state) {
    (void)state;
    volatile bool interrupted = true;
    ws_error err;
    assert_false(overflow(&(ws_spill_options){folder_path(""), 10000, &interrupted}, &err));
    assert_int_equal(err.code, WS_ERROR_INTERRUPTED);
    assert_false(overflow(&(ws_spill_options){folder_path(""), 1 << 20, &interrupted}, &err));
    assert_int_equal(err.code, WS_ERROR_INTERRUPTED);
}

/* Small records of many keys fill memory with the table of keys; writing them to the file is what is stopped here. */
static void many_keys_fill_memory(void **state) {
    (void)state;
    enum { MEMORY_B = 1 << 20, SMALLEST_B = 4 };
    volatile bool interrupted = true;
    ws_error err = WS_NO_ERROR;
    ws_spill *spill = ws_spill_new(&(ws_spill_options){folder_path(""), MEMORY_B, &interrupted}, &err);
    uint64_t keys = 0;
    while (ws_spill_add(spill, (ws_spill_key){0, keys}, "abc", SMALLEST_B, &err)) keys++;
    assert_int_equal(err.code, WS_ERROR_INTERRUPTED);
    assert_in_range(keys, 1000, MEMORY_B / 4 / sizeof(ws_spill_key));
    ws_spill_free(spill);
}

/* ---- instructions */

typedef struct insts {
    ws_interleaved_inst items[2000];
    uint64_t addresses[2000][WS_LANES_MAX];
    size_t at;
} insts;

static bool check_inst(void *context, const ws_interleaved_inst *inst, ws_error *err) {
    insts *all = context;
    const ws_interleaved_inst *expected = &all->items[all->at++];
    (void)err;
    assert_int_equal(inst->static_id, expected->static_id);
    assert_int_equal(inst->mask, expected->mask);
    assert_int_equal(inst->addresses != NULL, expected->addresses != NULL);
    for (int i = 0; expected->addresses && i < __builtin_popcountll(inst->mask); i++)
        assert_int_equal(inst->addresses[i], expected->addresses[i]);
    assert_int_equal(inst->stored_value != NULL, expected->stored_value != NULL);
    if (expected->stored_value) assert_int_equal(*inst->stored_value, *expected->stored_value);
    return true;
}

/* Instructions come back as they were, with any mask, any addresses (strided, constant, wrapping, random) and any
 * stored value. */
static void instructions_come_back(void **state) {
    (void)state;
    uint64_t seed = 5;
    ws_error err = WS_NO_ERROR;
    ws_spill_options options = {.folder = folder_path(""), .memory_B = 30000};
    ws_spill *spill = ws_spill_new(&options, &err);
    insts *all = calloc(1, sizeof *all);
    for (size_t i = 0; i < 2000; i++) {
        ws_interleaved_inst *inst = &all->items[i];
        uint64_t base = random_next(&seed), step = random_next(&seed) >> random_next(&seed) % 64;
        for (unsigned lane = 0; lane < WS_LANES_MAX; lane++)
            all->addresses[i][lane] = i % 3 ? base + lane * step : random_next(&seed) >> (i % 64);
        *inst = (ws_interleaved_inst){
            .warp = {0, i / 100}, .static_id = (uint32_t)random_next(&seed), .mask = random_next(&seed)};
        if (i % 5 < 2) inst->mask = i % 5 ? UINT64_MAX : 0;
        if (i % 7) inst->addresses = all->addresses[i];
        if (i % 3) inst->stored_value = &all->addresses[i][0];
        if (!ws_interleaved_put(spill, inst, &err)) fail_msg("%s", err.text);
    }
    if (!ws_interleaved_read(spill, check_inst, all, &err)) fail_msg("%s", err.text);
    assert_int_equal(all->at, 2000);
    ws_spill_free(spill);
    free(all);
}

static void count_notice(void *context, const char *text) {
    assert_non_null(strstr(text, "to be grouped by warp"));
    ++*(int *)context;
}

/* Whether an import of a file of so many bytes announces temporary files. */
static bool announces(uint64_t memory_B, uint64_t file_B, bool is_packed) {
    int count = 0;
    const ws_spill_options spill = {.folder = folder_path(""), .memory_B = memory_B};
    const ws_import_options options = {.notice = count_notice, .notice_context = &count};
    ws_spill_announce(&spill, "k.trace", file_B, is_packed, &options);
    return count == 1;
}

/* A text may take twice its size in memory, of which 2 GiB are used at most, and a packed one a hundred times that. */
static void large_files_are_announced(void **state) {
    (void)state;
    const uint64_t MiB = 1 << 20, GiB = 1 << 30;
    assert_false(announces(200 * MiB, 100 * MiB, false));
    assert_true(announces(200 * MiB, 100 * MiB + 1, false));
    assert_false(announces(200 * MiB, MiB, true));
    assert_true(announces(200 * MiB, MiB + 1, true));
    assert_false(announces(8 * GiB, GiB, false));
    assert_true(announces(8 * GiB, GiB + 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_by_key_and_in_order),
        cmocka_unit_test(nothing_gives_nothing),
        cmocka_unit_test(large_files_are_announced),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(a_folder_that_is_not_there_is_an_error),
        cmocka_unit_test(an_interrupt_stops_it),
        cmocka_unit_test(many_keys_fill_memory),
        cmocka_unit_test(instructions_come_back),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
