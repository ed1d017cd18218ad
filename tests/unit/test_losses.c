/* What an import leaves out of the trace is counted, and told in a notice. */
#include "warpsweep/trace.h"

#include "../support/accelsim_sample.h"
#include "../support/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void remember_notice(void *context, const char *text) {
    char *all = context;
    size_t used = strlen(all);
    snprintf(all + used, WS_NOTICE_SIZE - used, "%s\n", text);
}

/* Imports `text` as a file of that name; fails unless the notice is `expected` (NULL: there is none). */
static void expect_told(const char *name, const char *text, const char *expected) {
    char told[WS_NOTICE_SIZE] = "", whole[WS_NOTICE_SIZE] = "";
    ws_import_options options = {.notice = remember_notice, .notice_context = told};
    const char *path = folder_write_text(name, text);
    ws_trace_close(sample_import_good(path, &options));
    if (expected) snprintf(whole, sizeof whole, "%s: %s\n", folder_path(name), expected);
    assert_string_equal(told, whole);
}

#define RAW_LINE(rest)                                                                                       \
    HEADER "0 0 0 0 0000 ffffffff 1 R1 MOV 0 0 " rest "\n0 0 0 0 0010 ffffffff 0 EXIT 0 0 \n"

static void values_that_are_not_exact_are_counted(void **state) {
    (void)state;
    expect_told(
        "k.trace", RAW_LINE("STORE_DATA F32 1 REG0:T0:0.1  "),
        "of 1 lines the values (STORE_DATA) are not kept: that tracer rounds floating-point numbers, and "
        "gives a part of wide stores");
    expect_told("k.trace", RAW_LINE(""), NULL);
}

#define UNKNOWN(count)                                                                                       \
    "of " count                                                                                              \
    " lines the addresses are not kept: their opcode is not known (first: LDQ.E), so neither is "            \
    "what they do to which memory"

/* Lines whose text comes again count, and so do those of another unknown opcode behind the first; lines without active
 * lanes or without addresses do not. */
static void addresses_of_unknown_opcodes_are_counted(void **state) {
    (void)state;
    static const char grouped[] = HEADER "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 6\n"
                                         "0000 00000000 1 R2 LDQ.E 1 R4 4 1 0x0 0 \n"
                                         "0000 00000003 1 R2 LDQ.E 1 R4 4 1 0x10 4 \n"
                                         "0000 00000001 1 R2 LDQ.E 1 R4 4 1 0x20 4 \n"
                                         "0010 00000001 1 R2 LDR.E 1 R4 4 1 0x20 4 \n"
                                         "0020 ffffffff 1 R2 FOO 1 R4 0 \n"
                                         "0030 ffffffff 0 EXIT 0 0 \n"
                                         "\nwarp = 1\ninsts = 0\n#END_TB\n";
    expect_told("k.traceg", grouped, UNKNOWN("3"));
    expect_told("k.trace",
                HEADER "0 0 0 0 0000 00000001 1 R2 LDQ.E 1 R4 4 1 0x10 4 \n"
                       "0 0 0 1 0000 00000001 1 R2 LDQ.E 1 R4 4 1 0x10 4 \n",
                UNKNOWN("2"));
    expect_told("k.trace", HEADER "0 0 0 0 0000 00000001 1 R2 LDG.E 1 R4 4 1 0x10 4 \n", NULL);
}

static void lanes_in_other_spaces_are_counted(void **state) {
    (void)state;
    static const char grouped[] = HEADER "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 6\n"
                                         "0000 00000003 1 R2 LD.E 1 R4 4 0 0x7f5a00000010 0x7f5a00000020 \n"
                                         "0000 00000003 1 R2 LD.E 1 R4 4 0 0x7f5a00000010 0x7f5c00000020 \n"
                                         "0000 00000003 1 R2 LD.E 1 R4 4 0 0x7f0000001000 0x7f5a00000020 \n"
                                         "0000 00000003 1 R2 LD.E 1 R4 4 0 0x7f5c00000000 0x7f0000001000 \n"
                                         "0000 00000000 1 R2 LD.E 1 R4 4 1 0x0 0 \n"
                                         "0030 ffffffff 0 EXIT 0 0 \n"
                                         "\nwarp = 1\ninsts = 0\n#END_TB\n";
    expect_told(
        "k.traceg", grouped,
        "of 3 generic accesses (LD, ST ..) only the space of the first lane is kept: that of others is "
        "another one");
    expect_told("k.traceg",
                HEADER "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"
                       "0000 00000003 1 R2 LD.E 1 R4 4 0 0x7f5a00000010 0x7f5c00000020 \n#END_TB\n",
                "of 1 generic accesses (LD, ST ..) only the space of the first lane is kept: that of others "
                "is another one");
}

#define LAUNCH                                                                                               \
    "MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x1 - Kernel name f - grid launch id 3 - grid size 1,1,1 - "     \
    "block size 32,1,1 - nregs 8 - shmem 16 - cuda stream id 0\n"
#define LINE(opcode, address)                                                                                \
    "MEMTRACE: CTX 0x1 - grid_launch_id 3 - CTA 0,0,0 - warp 0 - " opcode                                    \
    " - pc 16 - Size 4 - MREF per threads : Thread0,0x1," address "\n"

static void so_are_those_of_mem_trace(void **state) {
    (void)state;
    expect_told("t.memtrace", LAUNCH LINE("LDG.E", "0x10") LINE("LDQ.E", "0x10") LINE("LDQ.E", "0x0"),
                UNKNOWN("1"));
    expect_told("t.memtrace", LAUNCH LINE("LDG.E", "0x10") LINE("CCTL", "0x10"), NULL);
}

/* A CSV file that is cut within a number looks like one whose last line was not ended. */
static void a_last_row_without_an_end_is_told(void **state) {
    (void)state;
    char told[WS_NOTICE_SIZE] = "", expected[WS_NOTICE_SIZE];
    ws_import_options options = {.notice = remember_notice, .notice_context = told};
    ws_trace_close(sample_import_good(folder_write_text("t.csv", "address\n0x1000\n0x10"), &options));
    snprintf(
        expected, sizeof expected,
        "%s:3: the last line has no end: if the file is cut there, its last number may lack digits; if it "
        "is whole, end that line\n",
        folder_path("t.csv"));
    assert_string_equal(told, expected);
    expect_told("t.csv", "address\n0x1000\n0x1040\n", NULL);
    expect_told("t.csv", "address\n0x1000\n  ", NULL);
    expect_told("t.csv", "address\r0x1000\r", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_that_are_not_exact_are_counted),
        cmocka_unit_test(addresses_of_unknown_opcodes_are_counted),
        cmocka_unit_test(so_are_those_of_mem_trace),
        cmocka_unit_test(lanes_in_other_spaces_are_counted),
        cmocka_unit_test(a_last_row_without_an_end_is_told),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
