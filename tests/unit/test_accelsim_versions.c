/* Version 6 of the tracer prints what version 5 does, and more: the same program gives the same trace, grouped or
 * raw. */
#include "warpsweep/trace.h"

#include "../support/accelsim_sample.h"
#include "../support/folder.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CTAS = 3, WARPS = 2, MOST = 30 };

/* One instruction line without what differs between the versions. */
typedef struct line {
    char start[32], rest[400]; /* pc and mask; from the destinations up to the immediates */
    bool twice;                /* in raw files: an LDGSTS, whose first line has another address */
    int immediate;
} line;

typedef struct program {
    line lines[CTAS][WARPS][MOST];
    unsigned count[CTAS][WARPS];
} program;

static void append_addresses(char *out, size_t size, uint64_t *random, uint32_t mask) {
    size_t used = strlen(out);
    used += (size_t)snprintf(out + used, size - used, " 2 0x%llx",
                             (unsigned long long)(random_next(random) >> 18));
    for (mask &= mask - 1; mask; mask &= mask - 1)
        used += (size_t)snprintf(out + used, size - used, " %d", (int)random_below(random, 200) - 100);
}

static line any_line(uint64_t *random) {
    static const char *const opcodes[] = {"LDG.E", "STG.E", "LDGSTS.E", "IADD3", "DEPBAR.LE", "BRA"};
    enum { MEMORY = 3 };
    unsigned kind = random_below(random, 6);
    uint32_t mask = random_one_in(random, 4) ? 0 : (uint32_t)random_next(random);
    line l = {.twice = kind == 2, .immediate = (int)random_below(random, 5) - 1};
    snprintf(l.start, sizeof l.start, "%04x %08x", random_below(random, 8) * 16, mask);
    snprintf(l.rest, sizeof l.rest, "1 R%u %s 2 R%u R255 %u", random_below(random, 3), opcodes[kind],
             random_below(random, 3), kind < MEMORY ? 4u : 0u);
    if (kind < MEMORY) append_addresses(l.rest, sizeof l.rest, random, mask);
    return l;
}

static void put_values(FILE *out, uint64_t *random) {
    fprintf(out, "Val 1 0x%x 1 %x 32", random_below(random, 100), random_below(random, 100));
    for (int lane = 0; lane < 32; lane++) fprintf(out, " 0x%x", random_below(random, 1000));
}

static void put_line(FILE *out, const line *l, unsigned version, uint64_t *random) {
    fprintf(out, "%s %s %d ", l->start, l->rest, l->immediate);
    if (version == 6) {
        fprintf(out, "%u ", random_below(random, 100));
        if (random_one_in(random, 3))
            put_values(out, random);
        else
            fputs("NoVal", out);
        fputc(' ', out);
    }
    fputc('\n', out);
}

static void put_header(FILE *out, unsigned version) {
    fprintf(out, "-kernel name = k\n-grid dim = (%d,1,1)\n-block dim = (%d,1,1)\n", CTAS, WARPS * 32);
    fprintf(out, "-accelsim tracer version = %u\n#traces format = x\n", version);
}

/* Markers, in version 6, stand around the first instruction of each warp. */
static const char marker[] = "0000 ffffffff 0 REPLAY_%s 0 0 0 0 NoVal \n";

static void put_grouped(FILE *out, const program *p, unsigned version, uint64_t *random) {
    put_header(out, version);
    for (unsigned c = 0; c < CTAS; c++) {
        fprintf(out, "\n#BEGIN_TB\n\nthread block = %u,0,0\n", c);
        if (version == 6)
            fprintf(out, "cluster id = %u,0,0\ncluster cta = %u,0,0\ncluster rank = %u\n", c / 2, c % 2,
                    c % 2);
        for (unsigned w = 0; w < WARPS; w++) {
            unsigned count = p->count[c][w], markers = version == 6 && count ? 2 : 0;
            fprintf(out, "\nwarp = %u\ninsts = %u\n", w, count + markers);
            for (unsigned i = 0; i < count; i++) {
                if (i == 0 && markers) fprintf(out, marker, "START");
                put_line(out, &p->lines[c][w][i], version, random);
                if (i == 0 && markers) fprintf(out, marker, "END");
            }
        }
        fprintf(out, "\n#END_TB\n");
    }
}

static void put_place(FILE *out, unsigned cta, unsigned warp, unsigned version) {
    fprintf(out, "%u 0 0 %u ", cta, warp);
    if (version == 6) fprintf(out, "%u 0 0 %u 0 0 %u ", cta / 2, cta % 2, cta % 2);
}

static void put_raw(FILE *out, const program *p, unsigned version, uint64_t *random) {
    put_header(out, version);
    for (unsigned i = 0; i < MOST; i++)
        for (unsigned c = CTAS; c-- > 0;)
            for (unsigned w = 0; w < WARPS; w++) {
                if (i >= p->count[c][w]) continue;
                bool marked = version == 6 && i == 0;
                if (marked) put_place(out, c, w, version), fprintf(out, marker, "START");
                for (int k = 0; k <= p->lines[c][w][i].twice; k++) {
                    put_place(out, c, w, version);
                    put_line(out, &p->lines[c][w][i], version, random);
                }
                if (marked) put_place(out, c, w, version), fprintf(out, marker, "END");
            }
}

typedef void put_file(FILE *out, const program *p, unsigned version, uint64_t *random);

/* The notices of an import, joined. */
typedef struct notices {
    char text[4 * WS_NOTICE_SIZE];
} notices;

static void remember_notice(void *context, const char *text) {
    notices *n = context;
    strncat(n->text, text, sizeof n->text - strlen(n->text) - 1);
}

static ws_trace *import_as(const program *p, const char *name, put_file *put, unsigned version,
                           uint64_t *random, notices *told) {
    FILE *out = fopen(folder_path(name), "w");
    put(out, p, version, random);
    fclose(out);
    *told = (notices){0};
    ws_import_options options = {.notice = remember_notice, .notice_context = told};
    return sample_import_good(folder_path(name), &options);
}

static void versions_5_and_6_give_the_same_trace(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed;
        program p;
        notices told;
        for (unsigned c = 0; c < CTAS; c++)
            for (unsigned w = 0; w < WARPS; w++) {
                p.count[c][w] = c + w ? random_below(&random, MOST + 1) : MOST;
                for (unsigned i = 0; i < p.count[c][w]; i++) p.lines[c][w][i] = any_line(&random);
            }
        p.count[1][0] =
            MOST - 1; /* CTAs without instructions are in grouped files only if these were made so */
        for (unsigned i = 0; i < MOST - 1; i++) p.lines[1][0][i] = p.lines[0][0][i];
        p.count[2][1] = MOST - 2;
        for (unsigned i = 0; i < MOST - 2; i++) p.lines[2][1][i] = p.lines[0][0][i];
        ws_trace *five = import_as(&p, "5.traceg", put_grouped, 5, &random, &told);
        assert_string_equal(told.text, "");
        ws_trace *six = import_as(&p, "6.traceg", put_grouped, 6, &random, &told);
        assert_non_null(strstr(told.text, "lines the values (Val) are not kept"));
        assert_non_null(strstr(told.text, "CTAs run in clusters of several"));
        assert_string_equal(ws_trace_get_info(six)->tracer, "accelsim 6");
        sample_assert_same(five, six);
        five = import_as(&p, "5.trace", put_raw, 5, &random, &told);
        six = import_as(&p, "6.trace", put_raw, 6, &random, &told);
        assert_non_null(strstr(told.text, "CTAs run in clusters of several"));
        sample_assert_same(five, six);
        sample_assert_same(sample_import_good(folder_path("5.traceg"), NULL),
                           sample_import_good(folder_path("6.trace"), NULL));
    }
}

/* Imports one warp of three lines as tracer version 6 prints them. */
static ws_trace *import_three(const char *lines, notices *told) {
    static const char head[] = "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                               "-accelsim tracer version = 6\n#traces format = x\n#BEGIN_TB\n"
                               "thread block = 0,0,0\nwarp = 0\ninsts = 3\n";
    char text[1000];
    ws_import_options options = {.notice = remember_notice, .notice_context = told};
    snprintf(text, sizeof text, "%s%s#END_TB\n", head, lines);
    ws_trace *trace = sample_import_good(folder_write_text("k.traceg", text), &options);
    assert_int_equal(ws_trace_totals(trace).warp_instructions, 3);
    return trace;
}

static void bulk_copies_are_told(void **state) {
    (void)state;
    notices told = {0};
    ws_trace *trace =
        import_three("0000 00000001 0 UTMALDG.2D 2 UR8 UR4 16 0x100 0 64 0 3 2 0x10 0x20 0 0 NoVal \n"
                     "0000 00000001 0 UTMALDG.2D 2 UR8 UR4 16 0x100 0 64 0 3 1 0x10 0 0 NoVal \n"
                     "0010 00000001 0 EXIT 0 0 0 0 NoVal \n",
                     &told);
    assert_non_null(strstr(told.text, "of 2 bulk copies (UTMALDG, UBLKCP ..) the addresses are not kept"));
    assert_null(strstr(told.text, "clusters"));
    assert_null(strstr(told.text, "mbarriers"));
    assert_int_equal(ws_trace_totals(trace).memory_instructions, 0);
    ws_trace_close(trace);
}

static void waits_at_mbarriers_are_told(void **state) {
    (void)state;
    notices told = {0};
    ws_trace_close(
        import_three("0000 00000001 0 SYNCS.ARRIVE.TRANS64 2 R2 R3 8 2 0x400 0 0 NoVal \n"
                     "0010 00000001 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 2 0x400 0 0 NoVal \n"
                     "0020 00000001 0 EXIT 0 0 0 0 NoVal \n",
                     &told));
    assert_non_null(strstr(told.text, "warps wait at mbarriers (SYNCS.PHASECHK ..)"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_5_and_6_give_the_same_trace),
        cmocka_unit_test(bulk_copies_are_told),
        cmocka_unit_test(waits_at_mbarriers_are_told),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
