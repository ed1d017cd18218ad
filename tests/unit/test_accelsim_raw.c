/* Raw Accel-Sim files give the same trace as grouped files of the same launches. */
#include "warpsweep/trace.h"

#include "../support/accelsim_sample.h"
#include "../support/folder.h"
#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The lines of a raw file with the CTAs and warps of GOOD; warps without instructions have no line in it. */
#define RAW0 "0 0 0 0 0000 ffffffff 1 R1 MOV 0 0 \n"
#define RAW1 "0 0 0 1 0000 000000ff 1 R1 MOV 0 0 \n"
#define RAW2 "1 0 0 0 0010 00000000 1 R2 LDG.E 1 R4 4 1 0x0 0 \n"
#define RAW3 "0 0 0 1 0010 00000081 1 R2 LDG.E 1 R4 4 2 0x7f0000001080 28 \n"
#define RAW4 "0 0 0 0 0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000001000 4 \n"
#define RAW5 "1 0 0 0 0020 ffffffff 0 EXIT 0 0 \n"
#define RAW6 "0 0 0 1 0020 000000ff 0 EXIT 0 0 \n"
#define RAW7 "0 0 0 0 0020 ffffffff 0 EXIT 0 0 \n"
#define RAW  HEADER RAW2 RAW1 RAW0 RAW3 RAW4 RAW5 "\n" RAW6 RAW7

/* The order in which warps take turns does not matter, and every warp of a CTA exists, with or without instructions. */
static void warps_are_put_together(void **state) {
    (void)state;
    sample_assert_same(sample_import_good(folder_write_text("k.traceg", GOOD), NULL),
                       sample_import_good(folder_write_text("k.trace", RAW), NULL));
    sample_assert_same(
        sample_import_good(folder_write_text("k.traceg", GOOD), NULL),
        sample_import_good(folder_write_text("k.trace", HEADER RAW0 RAW4 RAW7 RAW1 RAW3 RAW6 RAW2 RAW5),
                           NULL));
}

static void lists_of_raw_files_are_read(void **state) {
    (void)state;
    mkdir(folder_path("raw"), 0777);
    folder_write_text("raw/kernel-1-ctx_0x1.trace", RAW);
    folder_write_text("raw/kernel-1-ctx_0x1.traceg", GOOD);
    folder_write_text("raw/kernelslist_ctx_0x1", "kernel-1-ctx_0x1.trace\n");
    sample_assert_same(sample_import_good(folder_path("raw"), NULL),
                       sample_import_good(folder_path("raw/kernel-1-ctx_0x1.traceg"), NULL));
    /* a grouped list takes precedence */
    folder_write_text("raw/kernelslist_ctx_0x1.g", "kernel-1-ctx_0x1.traceg\n");
    unlink(folder_path("raw/kernel-1-ctx_0x1.trace"));
    ws_trace_close(sample_import_good(folder_path("raw"), NULL));
}

static void of_an_ldgsts_the_second_line_counts(void **state) {
    (void)state;
#define SHARED "0 0 0 0 0010 0000000f 0 LDGSTS.E 2 R1 R2 4 1 0x10 4 \n"
#define GLOBAL "0 0 0 0 0010 0000000f 0 LDGSTS.E 2 R1 R2 4 1 0x7f0000000000 4 \n"
#define FEWER  "0 0 0 0 0010 00000007 0 LDGSTS.E 2 R1 R2 4 1 0x7f0000000000 4 \n"
#define OTHER  "0 0 0 1 0010 0000000f 0 LDGSTS.E 2 R1 R2 4 1 0x7f0000000000 4 \n"
    ws_trace *trace = sample_import_good(
        folder_write_text("k.trace", HEADER RAW0 SHARED RAW1 GLOBAL SHARED GLOBAL RAW7), NULL);
    ws_counters totals = ws_trace_totals(trace);
    assert_int_equal(totals.warp_instructions, 5);
    assert_int_equal(totals.memory_instructions, 2);
    ws_error err;
    ws_cta cta;
    ws_reader *reader = ws_reader_new(trace, &err);
    assert_true(ws_reader_cta(reader, 1, 0, &cta, &err));
    assert_int_equal(cta.warps[0].addresses[0], 0x7f0000000000);
    ws_reader_free(reader);
    ws_trace_close(trace);
    static const char alone[] =
        "@k.trace: CTA 0,0,0 warp 0: expected each LDGSTS twice in a row (shared, then "
        "global address), found one alone, of the instruction in line 18; lines are missing";
    sample_import_bad(folder_write_text("k.trace", HEADER SHARED), NULL, alone);
    sample_import_bad(folder_write_text("k.trace", HEADER SHARED OTHER), NULL, alone);
    sample_import_bad(folder_write_text("k.trace", HEADER SHARED RAW0 GLOBAL), NULL, alone);
    sample_import_bad(folder_write_text("k.trace", HEADER SHARED FEWER), NULL, alone);
}

static void damage_is_named(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *text;
    } cases[] = {
        {RAW2, "2 0 0 0 0010 00000000 0 NOP 0 0 \n",
         ":18: expected a CTA inside the grid of (2,1,1), found '2 0 0 0 0010 00000000 0 NOP 0 0 '"},
        {RAW2, "1 0 0 2 0010 00000000 0 NOP 0 0 \n",
         ":18: expected CTA x, y, z and a warp below 2, found '1 0 0 2 0010 00000000 0 NOP 0 0 '"},
        {RAW2, "1 0 0 1 0010 00000100 0 NOP 0 0 \n",
         ":18: expected an active mask within 000000ff, found '00000100 0 NOP 0 0 '; the block dim has no "
         "more "
         "threads"},
        {RAW1, "0 0 1 0000 ffffffff 1 R1 MOV 0 0 \n",
         ":19: expected an active mask of 8 hex digits, found '1 R1 MOV 0 0 '"},
        {RAW1, "0 0 0 1 5 12 0000 000000ff 1 R1 MOV 0 0 \n",
         ":19: expected an active mask of 8 hex digits, found '12 0000 000000ff 1 R1 MOV 0 0 '"},
        {RAW1, "#BEGIN_TB\n",
         ":19: expected CTA x, y, z and warp, as in raw files and those of old tracers, found '#BEGIN_TB'"},
        {RAW6, "0 0 0 1 0020 000000f",
         ":25: expected an active mask of 8 hex digits, found '000000f'; the file ends within this line: is "
         "it "
         "cut short?"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char *bad = sample_replace(RAW, cases[i].from, cases[i].to), text[512];
        snprintf(text, sizeof text, "@k.trace%s", cases[i].text);
        if (i == 6) *(strstr(bad, cases[i].to) + strlen(cases[i].to)) = '\0';
        sample_import_bad(folder_write_text("k.trace", bad), NULL, text);
        free(bad);
    }
}

/* ---- more than memory holds */

enum { GRID = 40, WARPS = 4, INSTS = 60 };

static void print_line(FILE *out, uint64_t seed, unsigned cta, unsigned warp, unsigned inst, bool is_raw) {
    uint64_t state = seed + (cta * WARPS + warp) * INSTS + inst, r = random_next(&state);
    if (is_raw) fprintf(out, "%u 0 0 %u ", cta, warp);
    if (r % 3 == 0)
        fprintf(out, "%04x %08x 1 R1 IADD3 2 R2 R3 0 \n", inst * 16, (unsigned)(r >> 32));
    else if (r % 3 == 1)
        fprintf(out, "%04x ffffffff 1 R1 LDG.E 1 R2 4 1 0x%llx %d \n", inst * 16,
                (unsigned long long)(r >> 20), (int)(r % 100) - 50);
    else
        fprintf(out, "%04x 00000015 0 STG.E 2 R2 R4 4 2 0x%llx %d %d \n", inst * 16,
                (unsigned long long)(r >> 20), (int)(r % 999) - 500, (int)(r % 77));
}

#define LARGE_HEADER                                                                                         \
    "-kernel name = k\n-grid dim = (40,1,1)\n-block dim = (128,1,1)\n-accelsim tracer version = 3\n#traces " \
    "format = x\n"

static void write_grouped(const char *path, uint64_t seed) {
    FILE *out = fopen(path, "w");
    fputs(LARGE_HEADER, out);
    for (unsigned cta = 0; cta < GRID; cta++) {
        fprintf(out, "#BEGIN_TB\nthread block = %u,0,0\n", cta);
        for (unsigned warp = 0; warp < WARPS; warp++) {
            fprintf(out, "warp = %u\ninsts = %d\n", warp, INSTS);
            for (unsigned i = 0; i < INSTS; i++) print_line(out, seed, cta, warp, i, false);
        }
        fputs("#END_TB\n", out);
    }
    fclose(out);
}

/* Writes the warps' instructions in a random interleaving. */
static void write_raw(const char *path, uint64_t seed) {
    FILE *out = fopen(path, "w");
    unsigned done[GRID * WARPS] = {0};
    uint64_t state = seed;
    fputs(LARGE_HEADER, out);
    for (unsigned left = GRID * WARPS * INSTS; left > 0;) {
        unsigned w = (unsigned)(random_next(&state) % (GRID * WARPS));
        if (done[w] == INSTS) continue;
        print_line(out, seed, w / WARPS, w % WARPS, done[w]++, true);
        left--;
    }
    fclose(out);
}

static void remember_notice(void *context, const char *text) {
    snprintf(context, WS_NOTICE_SIZE, "%s", text);
}

static void files_larger_than_memory_are_grouped(void **state) {
    (void)state;
    char notice[WS_NOTICE_SIZE], begin[256];
    write_grouped(folder_path("k.traceg"), 3);
    write_raw(folder_path("k.trace"), 3);
    static const uint64_t memories[] = {5000, 50000, 0};
    for (size_t i = 0; i < WS_COUNT(memories); i++) {
        *notice = '\0';
        ws_import_options options = {.memory_B = memories[i],
                                     .tmpdir = memories[i] ? folder_path("") : "/nowhere",
                                     .notice = remember_notice,
                                     .notice_context = notice};
        sample_assert_same(sample_import_good(folder_path("k.traceg"), NULL),
                           sample_import_good(folder_path("k.trace"), &options));
        snprintf(begin, sizeof begin,
                 "%s: to be grouped by warp: that needs up to 0 MiB in %s (--tmpdir), where ",
                 folder_path("k.trace"), folder_path(""));
        if (memories[i]) assert_memory_equal(notice, begin, strlen(begin));
        if (!memories[i]) assert_string_equal(notice, "");
    }
}

static void a_folder_without_room_is_an_error(void **state) {
    (void)state;
    ws_error err;
    size_t files = folder_count();
    ws_import_options options = {.memory_B = 5000, .tmpdir = "/nowhere"};
    assert_false(sample_import(folder_path("k.trace"), &options, &err));
    assert_int_equal(err.code, WS_ERROR_IO);
    assert_string_equal(err.text,
                        "/nowhere: opening of a temporary file failed: No such file or directory; another "
                        "folder (--tmpdir) may have room");
    assert_int_equal(folder_count(), files);
}

/* ---- values of registers */

/* Writes what the trace says about the value of each store, warp by warp. */
static void describe_stores(ws_trace *trace, char *out, size_t size) {
    ws_error err;
    ws_cta cta;
    ws_reader *reader = ws_reader_new(trace, &err);
    out[0] = '\0';
    assert_true(ws_reader_with_values(reader, &err) && ws_reader_cta(reader, 1, 0, &cta, &err));
    for (uint32_t w = 0; w < cta.warp_count; w++)
        for (uint32_t i = 0; i < cta.warps[w].inst_count; i++) {
            const ws_warp *warp = &cta.warps[w];
            const ws_static *s = &ws_trace_statics(trace)[warp->static_id[i]];
            size_t used = strlen(out);
            if (s->op != WS_MEMORY_STORE) continue;
            if (warp->uniform[i])
                snprintf(out + used, size - used, " %u:%llx", s->source_values,
                         (unsigned long long)warp->values[warp->value_at[i]]);
            else
                snprintf(out + used, size - used, " %u:-", s->source_values);
        }
    ws_reader_free(reader);
    ws_trace_close(trace);
}

static void values_of_stores_are_kept(void **state) {
    (void)state;
    char notice[WS_NOTICE_SIZE] = "", stores[256];
    ws_import_options options = {.notice = remember_notice, .notice_context = notice};
    static const char raw[] =
        HEADER "0 0 0 1 0000 00000000 0 STG.E 2 R4 R6 4 1 0x0 0 STORE_DATA I32 1 REG0: \n"
               "0 0 0 0 0000 00000005 0 STG.E 2 R4 R6 4 1 0x10 4 STORE_DATA I32 1 REG0:T0:0x7 T2:0x7  \n"
               "0 0 0 1 0010 00000003 0 STG.E 2 R4 R6 4 1 0x10 4 STORE_DATA I32 1 REG0:T0:0x7 T1:0x8  \n"
               "0 0 0 1 0000 00000001 0 STG.E 2 R4 R6 4 1 0x10 4 STORE_DATA I32 1 REG0:T0:0xffffffff  \n"
               "0 0 0 1 0020 00000001 0 STG.E 2 R4 R6 4 1 0x10 4 \n",
                      grouped[] = HEADER
                      "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n"
                      "0000 00000005 0 STG.E 2 R4 R6 4 1 0x10 4 STORE_DATA I32 1 REG0:T0:0x7 T2:0x7  \n"
                      "0000 00000005 0 STG.E 2 R4 R6 4 1 0x10 4 STORE_DATA I32 1 REG0:T0:0x7 T2:0x7  \n"
                      "0000 00000005 0 STG.E 2 R4 R6 4 1 0x10 4 STORE_DATA I32 1 REG0:T0:0x8 T2:0x8  \n"
                      "#END_TB\n";
    describe_stores(sample_import_good(folder_write_text("k.trace", raw), &options), stores, sizeof stores);
    assert_string_equal(stores, " 1:7 1:- 1:- 1:ffffffff 0:-");
    describe_stores(sample_import_good(folder_write_text("k.traceg", grouped), &options), stores,
                    sizeof stores);
    assert_string_equal(stores, " 1:7 1:7 1:8");
    assert_string_equal(notice, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_are_put_together),
        cmocka_unit_test(lists_of_raw_files_are_read),
        cmocka_unit_test(of_an_ldgsts_the_second_line_counts),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(files_larger_than_memory_are_grouped),
        cmocka_unit_test(a_folder_without_room_is_an_error),
        cmocka_unit_test(values_of_stores_are_kept),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
