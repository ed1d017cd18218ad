/* The analysis `coalescing` compared with counting requests one by one, and with the trace's own counters. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_analysis *coalescing(void) {
    return ws_analysis_find("coalescing", NULL);
}

/* Finds the line of `text` that starts with `beginning`, e.g. "0 1 load 3 ", and returns what follows it, or NULL. */
static const char *row(const char *text, const char *beginning) {
    for (const char *line = text; line && *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, beginning, strlen(beginning)) == 0) return line + strlen(beginning);
    return NULL;
}

static void expect_cells(const char *text, const char *beginning, const uint64_t *cells, int count) {
    char expected[256] = "";
    for (int i = 0; i < count; i++)
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), " %llu",
                 (unsigned long long)cells[i]);
    const char *got = row(text, beginning);
    if (!got) fail_msg("no row '%s' in\n%s", beginning, text);
    size_t length = strlen(expected);
    if (strncmp(got, expected, length) != 0 || got[length] != '\n')
        fail_msg("row '%s': expected%s, found%.*s", beginning, expected, (int)strcspn(got, "\n"), got);
}

typedef struct sums {
    uint64_t instructions, lanes, requests, sectors, bytes;
} sums;

static sums sum(const stream *s, const ws_trace *trace, unsigned ops, uint32_t pc) {
    sums t = {0};
    for (size_t i = 0; i < s->count; i++) {
        const record *r = &s->records[i];
        if (!(ops >> r->op & 1) || (pc != UINT32_MAX && ws_trace_statics(trace)[r->inst].pc != pc)) continue;
        t.instructions += r->nth == 0;
        t.lanes += r->nth == 0 ? r->lanes : 0;
        t.requests++;
        t.sectors += r->sectors;
        t.bytes += r->bytes;
    }
    return t;
}

static uint64_t with_requests(const stream *s, uint8_t op, unsigned of) {
    uint64_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        count += s->records[i].op == op && s->records[i].nth == 0 && s->records[i].of == of;
    return count;
}

static void check_kernel(const ws_trace *trace, uint32_t kernel, const stream *s, const char *text,
                         uint32_t sector_B) {
    enum {
        LOAD = 1 << WS_MEMORY_LOAD,
        STORE = 1 << WS_MEMORY_STORE,
        ATOMIC = 1 << WS_MEMORY_ATOMIC | 1 << WS_MEMORY_REDUCTION
    };
    sums l = sum(s, trace, LOAD, UINT32_MAX), w = sum(s, trace, STORE, UINT32_MAX),
         a = sum(s, trace, ATOMIC, UINT32_MAX);
    uint64_t totals[] = {l.instructions, l.lanes, l.requests, l.sectors, l.bytes, l.sectors * sector_B,
                         w.instructions, w.lanes, w.requests, w.sectors, w.bytes, w.sectors * sector_B,
                         a.instructions, a.lanes, a.requests, a.sectors, a.bytes, a.sectors * sector_B};
    expect_cells(text, "0 0", totals, 18);
    const ws_counters *c = &ws_trace_kernel(trace, kernel)->counters;
    assert_int_equal(l.instructions + w.instructions + a.instructions, c->memory_instructions);
    assert_int_equal(l.lanes + w.lanes + a.lanes, c->lane_accesses);

    for (uint8_t op = WS_MEMORY_LOAD; op <= WS_MEMORY_REDUCTION; op++)
        for (unsigned of = 0; of <= WS_BATCH_MAX; of++) {
            char beginning[64];
            snprintf(beginning, sizeof beginning, "0 1 %s %u", ws_memory_op_name((ws_memory_op)op), of);
            uint64_t count = with_requests(s, op, of);
            if (count > 0)
                expect_cells(text, beginning, &count, 1);
            else
                assert_null(row(text, strcat(beginning, " ")));
        }

    for (uint32_t i = 0; i < ws_trace_get_info(trace)->static_count; i++) {
        const ws_static *st = &ws_trace_statics(trace)[i];
        sums p = sum(s, trace, 1u << st->op, st->pc);
        char beginning[64];
        snprintf(beginning, sizeof beginning, "0 2 %u %s %s", st->pc, ws_trace_opcode(trace, st->opcode),
                 ws_memory_op_name((ws_memory_op)st->op));
        uint64_t cells[] = {p.instructions, p.lanes, p.requests, p.sectors, p.bytes, p.sectors * sector_B};
        if (p.instructions > 0)
            expect_cells(text, beginning, cells, 6);
        else
            assert_null(row(text, beginning));
    }
}

static void random_traces_are_like_naive(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t random = seed;
        ws_trace *trace = generate_random(seed, seed % 2 ? 32 : 64);
        for (uint32_t kernel = 1; kernel <= 2; kernel++) {
            ws_config *config = config_for(coalescing());
            if (seed % 3 == 0) config_set(config, "coalesce.sector_B", "64");
            stream s = stream_replayed(trace, kernel, config, coalescing());
            char *text = stream_rows(&s, coalescing(), config, &random);
            check_kernel(trace, kernel, &s, text, seed % 3 == 0 ? 64 : 32);
            free(text);
            stream_free(&s);
            ws_config_free(config);
        }
        ws_trace_close(trace);
    }
}

static uint64_t column_walk(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return (uint64_t)(cta * 256 + warp * 32 + lane) * 4096 + 4 * inst;
}

static void lanes_in_rows_of_their_own_diverge(void **state) {
    (void)state;
    generate_plan plan = generate_loads(2, 4, 10, column_walk);
    ws_trace *trace = generate_planned(&plan);
    ws_config *config = config_for(coalescing());
    stream s = stream_replayed(trace, 1, config, coalescing());
    char *text = stream_rows(&s, coalescing(), config, NULL);
    /* 80 loads, 32 lines each, 4 bytes of a 32-byte sector each. */
    assert_string_equal(text, "0 0 80 2560 2560 2560 10240 81920 0 0 0 0 0 0 0 0 0 0 0 0\n"
                              "0 1 load 32 80\n"
                              "0 2 0 LDG.E load 80 2560 2560 2560 10240 81920\n");
    free(text);
    stream_free(&s);
    ws_config_free(config);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traces_are_like_naive),
        cmocka_unit_test(lanes_in_rows_of_their_own_diverge),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
