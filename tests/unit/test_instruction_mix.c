/* The analysis `instruction_mix`: equal to counting instructions one by one, to the trace's own counters, and right
 * where the answer is known. */
#include "analysis/parts/branches.h"
#include "replay/branching.h"

#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"
#include "../support/trace.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_analysis *mix(void) {
    return ws_analysis_find("instruction_mix", NULL);
}

/* ---- the rows, counted one by one */

/* A kernel's instructions: those of a class (-1: all but meta), of an op and a space (-1: any). */
typedef struct choice {
    int class_, op, space;
} choice;

static int space_of(const ws_trace *trace, const ws_static *s) {
    bool loads_constant = strcmp(ws_trace_opcode(trace, s->opcode), "LDC") == 0;
    return loads_constant ? WS_SPACE_CONSTANT : s->space;
}

static uint64_t count(const stream *s, const ws_trace *trace, choice c) {
    uint64_t n = 0;
    for (size_t i = 0; i < s->inst_count; i++) {
        const ws_static *st = &ws_trace_statics(trace)[s->insts[i].inst];
        if (c.class_ < 0 ? st->class_ == WS_CLASS_META : st->class_ != c.class_) continue;
        if ((c.op >= 0 && st->op != c.op) || (c.space >= 0 && space_of(trace, st) != c.space)) continue;
        n++;
    }
    return n;
}

static uint64_t with_lanes(const stream *s, const ws_trace *trace, unsigned lanes) {
    uint64_t n = 0;
    for (size_t i = 0; i < s->inst_count; i++)
        if (ws_trace_statics(trace)[s->insts[i].inst].class_ != WS_CLASS_META)
            n += (unsigned)__builtin_popcountll(s->insts[i].mask) == lanes;
    return n;
}

static uint64_t of_global(const stream *s, const ws_trace *trace, int op) {
    return count(s, trace, (choice){-1, op, WS_SPACE_GLOBAL}) +
           count(s, trace, (choice){-1, op, WS_SPACE_GENERIC});
}

static void write_totals(FILE *out, const stream *s, const ws_trace *trace) {
    static const int classes[] = {WS_CLASS_INT,   WS_CLASS_FP,     WS_CLASS_SFU,     WS_CLASS_TENSOR,
                                  WS_CLASS_MEM,   WS_CLASS_BRANCH, WS_CLASS_BARRIER, WS_CLASS_EXIT,
                                  WS_CLASS_OTHER, WS_CLASS_META};
    static const int spaces[] = {WS_SPACE_LOCAL, WS_SPACE_SHARED, WS_SPACE_CONSTANT, WS_SPACE_TEXTURE};
    unsigned warp_size = ws_trace_get_info(trace)->warp_size;
    uint64_t all = count(s, trace, (choice){-1, -1, -1}), lanes = 0, divergent = 0;
    for (unsigned n = 1; n <= warp_size; n++) lanes += n * with_lanes(s, trace, n);
    for (uint32_t i = 0; i < ws_trace_get_info(trace)->static_count; i++)
        if (ws_trace_statics(trace)[i].class_ == WS_CLASS_BRANCH) divergent += naive_divergent(s, trace, i);
    fprintf(out, "0 0 %llu", (unsigned long long)all);
    for (size_t i = 0; i < WS_COUNT(classes); i++)
        fprintf(out, " %llu", (unsigned long long)count(s, trace, (choice){classes[i], -1, -1}));
    fprintf(out, " %llu %llu %llu %llu", (unsigned long long)with_lanes(s, trace, warp_size),
            (unsigned long long)with_lanes(s, trace, 0), (unsigned long long)lanes,
            (unsigned long long)(all * warp_size));
    fprintf(out, " %llu %llu %llu", (unsigned long long)of_global(s, trace, WS_MEMORY_LOAD),
            (unsigned long long)of_global(s, trace, WS_MEMORY_STORE),
            (unsigned long long)(of_global(s, trace, WS_MEMORY_ATOMIC) +
                                 of_global(s, trace, WS_MEMORY_REDUCTION)));
    for (size_t i = 0; i < WS_COUNT(spaces); i++)
        fprintf(out, " %llu", (unsigned long long)count(s, trace, (choice){WS_CLASS_MEM, -1, spaces[i]}));
    fprintf(out, " %llu %llu active_and_predicate\n",
            (unsigned long long)count(s, trace, (choice){WS_CLASS_BRANCH, -1, -1}),
            (unsigned long long)divergent);
}

static void write_lanes(FILE *out, const stream *s, const ws_trace *trace) {
    for (unsigned n = 0; n <= WS_LANES_MAX; n++)
        if (with_lanes(s, trace, n) > 0)
            fprintf(out, "0 1 %u %llu\n", n, (unsigned long long)with_lanes(s, trace, n));
}

/* Writes the row of a static instruction. The generator gives each of them a pc of its own, so there is one row for
 * each, in order of pc. */
static void write_pc(FILE *out, const stream *s, const ws_trace *trace, uint32_t inst, uint32_t sector_B) {
    const ws_static *st = &ws_trace_statics(trace)[inst];
    uint64_t executions = 0, active = 0, lanes = 0, requests = 0, sectors = 0, bytes = 0;
    for (size_t i = 0; i < s->inst_count; i++) {
        if (s->insts[i].inst != inst) continue;
        executions++;
        active += s->insts[i].mask != 0;
        lanes += (unsigned)__builtin_popcountll(s->insts[i].mask);
    }
    for (size_t i = 0; i < s->count; i++) {
        if (s->records[i].inst != inst) continue;
        requests++;
        sectors += s->records[i].sectors;
        bytes += s->records[i].bytes;
    }
    if (executions == 0) return;
    fprintf(out, "0 2 %u %s %s %s %s the_trace_has_no_source_lines %llu %llu %llu %llu %llu %llu %llu %llu\n",
            st->pc, ws_trace_opcode(trace, st->opcode), ws_class_name((ws_class)st->class_),
            ws_memory_op_name((ws_memory_op)st->op), ws_space_name((ws_space)st->space),
            (unsigned long long)executions, (unsigned long long)active, (unsigned long long)lanes,
            (unsigned long long)requests, (unsigned long long)sectors, (unsigned long long)bytes,
            (unsigned long long)(sectors * sector_B),
            (unsigned long long)(st->class_ == WS_CLASS_BRANCH ? naive_divergent(s, trace, inst) : 0));
}

static int by_pc(const void *left, const void *right, void *statics_) {
    const ws_static *statics = statics_, *l = &statics[*(const uint32_t *)left],
                    *r = &statics[*(const uint32_t *)right];
    return l->pc < r->pc ? -1 : l->pc > r->pc;
}

static char *naive_rows(const stream *s, const ws_trace *trace, uint32_t sector_B) {
    uint32_t statics = ws_trace_get_info(trace)->static_count, order[64];
    assert_true(statics <= 64);
    for (uint32_t i = 0; i < statics; i++) order[i] = i;
    qsort_r(order, statics, sizeof *order, by_pc, (void *)(uintptr_t)ws_trace_statics(trace));
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write_totals(out, s, trace);
    write_lanes(out, s, trace);
    for (uint32_t i = 0; i < statics; i++) write_pc(out, s, trace, order[i], sector_B);
    fclose(out);
    return text;
}

/* Compares the rows of launch 1 with the naive ones. */
static stream compare_with_naive(ws_trace *trace, bool issue_meta, uint64_t random) {
    ws_config *config = config_for(mix());
    if (issue_meta) config_set(config, "order.issue_meta", "true");
    config_set(config, "gpu.clusters", "2");
    config_set_number(config, "sm.ctas", 1 + (int64_t)(random % 3)); /* slots get further warps */
    stream s = stream_replayed(trace, 1, config, mix());
    char *got = stream_rows(&s, mix(), config, &random), *expected = naive_rows(&s, trace, 32);
    assert_string_equal(got, expected);
    unsigned long long warp_instructions;
    assert_int_equal(sscanf(got, "0 0 %llu", &warp_instructions), 1);
    assert_int_equal(warp_instructions, ws_trace_kernel(trace, 1)->counters.warp_instructions);
    free(got);
    free(expected);
    ws_config_free(config);
    return s;
}

static void random_traces_are_like_naive(void **state) {
    (void)state;
    bool some_diverge = false;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        stream s = compare_with_naive(trace, seed % 2, seed);
        for (uint32_t i = 0; i < ws_trace_get_info(trace)->static_count; i++)
            some_diverge |=
                ws_trace_statics(trace)[i].class_ == WS_CLASS_BRANCH && naive_divergent(&s, trace, i) > 0;
        stream_free(&s);
        ws_trace_close(trace);
    }
    assert_true(some_diverge);
}

/* Tracers have no addresses of LDC. */
static void loads_of_constants_count_without_addresses(void **state) {
    (void)state;
    static const generate_inst code[] = {{.pc = 1, .mask = UINT32_MAX, .kind = 'k', .dst = 1},
                                         {.pc = 2, .mask = UINT32_MAX, .kind = 'l', .dst = 2, .line = 1},
                                         {.pc = 3, .mask = 1, .kind = 'k', .dst = 3},
                                         {0}};
    ws_trace *trace = generate_code("sass", (const generate_inst *const[]){code, NULL});
    stream s = compare_with_naive(trace, false, 1);
    assert_int_equal(count(&s, trace, (choice){-1, -1, WS_SPACE_CONSTANT}), 2);
    stream_free(&s);
    ws_trace_close(trace);
}

/* Static instructions that differ in what a row tells (class, op, space) have rows of their own, although pc and opcode
 * are the same, as those of a generic load are; those that differ in their registers alone share one. A row has the
 * source line that all its instructions have. */
static void rows_of_one_address(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_writer *w =
        ws_writer_new(folder_path("address.wst"), "sass", "test", 32, WS_FEATURE_SOURCE_LINE, &err);
    const ws_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    assert_true(ws_writer_kernel(w, &kernel, &err) && ws_writer_cta(w, (ws_dim3){0, 0, 0}, &err) &&
                ws_writer_warp(w, 0, &err));
    const ws_static load = {.pc = 16,
                            .opcode = ws_writer_opcode(w, "LD", 2),
                            .class_ = WS_CLASS_MEM,
                            .op = WS_MEMORY_LOAD,
                            .space = WS_SPACE_GENERIC,
                            .width_B = 4,
                            .source_line = 3},
                    add = {.pc = 32,
                           .opcode = ws_writer_opcode(w, "IADD", 4),
                           .class_ = WS_CLASS_INT,
                           .source_line = 5};
    ws_static all[] = {load, load, load, load, add, add, add};
    all[1].space = WS_SPACE_SHARED;
    all[2].op = WS_MEMORY_STORE;
    all[3].class_ = WS_CLASS_OTHER;
    all[5].dst_count = 1, all[5].dst[0] = 9;
    all[6].source_line = 6;
    const uint64_t addresses[32] = {0};
    for (size_t i = 0; i < WS_COUNT(all); i++)
        for (int times = 0; times < 1 << i; times++)
            assert_true(ws_writer_inst(w, ws_writer_static(w, &all[i]), 1, addresses, &err));
    assert_true(ws_writer_finish(w, &err));
    ws_writer_free(w);
    ws_trace *trace = trace_written("address.wst");
    ws_config *config = config_for(mix());
    stream s = stream_replayed(trace, 1, config, mix());
    uint64_t random = 1;
    char *got = stream_rows(&s, mix(), config, &random);
    const char *rows = strstr(got, "\n0 2 ");
    assert_non_null(rows);
    assert_string_equal(rows + 1,
                        "0 2 16 LD mem load shared 3 2 2 2 0 0 0 0 0\n"
                        "0 2 16 LD mem load generic 3 1 1 1 1 1 4 32 0\n"
                        "0 2 16 LD other load generic 3 8 8 8 8 8 32 256 0\n"
                        "0 2 16 LD mem store generic 3 4 4 4 4 4 16 128 0\n"
                        "0 2 32 IADD int none none "
                        "the_trace_has_no_single_source_line_for_this_instruction 112 112 112 0 0 0 0 0\n");
    free(got);
    stream_free(&s);
    ws_config_free(config);
    ws_trace_close(trace);
}

/* ---- branches by hand */

typedef struct step {
    uint32_t pc;
    uint64_t mask;
    char kind; /* b: branch, x: exit, i: any other */
} step;

/* Returns the number of divergent executions of the branch whose pc has 1 as its last hexadecimal digit, when a warp
 * executes these steps. They end with pc 0. */
static uint64_t divergent_at_1(const step *steps, bool predicated) {
    uint64_t divergent[16] = {0};
    branches *b = branches_new(1, predicated, divergent);
    assert_non_null(b);
    for (; steps->pc; steps++) {
        ws_static s = {.pc = steps->pc, .class_ = WS_CLASS_INT};
        if (steps->kind == 'b') s.class_ = WS_CLASS_BRANCH;
        if (steps->kind == 'x') s.class_ = WS_CLASS_EXIT;
        assert_true(branches_step(b, 0, 7, steps->pc & 15, &s, steps->mask, steps->kind == 'b'));
    }
    branches_free(b);
    for (int i = 0; i < 16; i++) assert_true(i == 1 || divergent[i] == 0);
    return divergent[1];
}

static void known_branches(void **state) {
    (void)state;
    const step together[] = {{1, 0xFF, 'b'}, {2, 0xFF, 'i'}, {0}};
    assert_int_equal(divergent_at_1(together, false), 0);
    const step both_paths[] = {{1, 0xFF, 'b'}, {2, 0x0F, 'i'}, {3, 0xF0, 'i'}, {4, 0xFF, 'i'}, {0}};
    assert_int_equal(divergent_at_1(both_paths, false), 1);
    const step one_path[] = {
        {1, 0xFF, 'b'}, {2, 0x0F, 'i'}, {4, 0xFF, 'i'}, {0}}; /* the others jump over it */
    assert_int_equal(divergent_at_1(one_path, false), 1);
    const step later[] = {{1, 0x0F, 'b'}, {5, 0xF0, 'i'}, {6, 0x0F, 'i'}, {0}}; /* others run in between */
    assert_int_equal(divergent_at_1(later, false), 0);
    const step apart[] = {
        {1, 0xFF, 'b'}, {2, 0x0F, 'i'}, {2, 0xF0, 'i'}, {0}}; /* one target, one after the other */
    assert_int_equal(divergent_at_1(apart, false), 0);
    const step loop[] = {{1, 0x0F, 'b'}, {1, 0x07, 'b'}, {1, 0x03, 'b'}, {2, 0x0F, 'i'}, {0}};
    assert_int_equal(divergent_at_1(loop, false), 2); /* one lane leaves each time, the last two together */
    const step gone[] = {{1, 0xFF, 'b'}, {2, 0x0F, 'i'}, {0}}; /* the others execute nothing more */
    assert_int_equal(divergent_at_1(gone, false), 0);
    const step alone[] = {{1, 0x10, 'b'}, {2, 0x0F, 'i'}, {3, 0x10, 'i'}, {0}};
    assert_int_equal(divergent_at_1(alone, false), 0);
    const step no_jump[] = {{1, 0xFF, 'i'}, {2, 0x0F, 'i'}, {3, 0xF0, 'i'}, {0}};
    assert_int_equal(divergent_at_1(no_jump, false), 0);
}

/* If `predicated`, masks lack the lanes whose predicate is false: a branch's mask has the lanes that take it, and the
 * others are those that were active on the straight way to it. */
static void known_predicated_branches(void **state) {
    (void)state;
    const step taken_by_some[] = {
        {0x100, 0xFF, 'i'}, {0x101, 0x0F, 'b'}, {0x102, 0xF0, 'i'}, {0x110, 0xFF, 'i'}, {0}};
    const step taken_by_all[] = {{0x100, 0xFF, 'i'}, {0x101, 0xFF, 'b'}, {0x110, 0xFF, 'i'}, {0}};
    const step taken_by_none[] = {{0x100, 0xFF, 'i'}, {0x101, 0, 'b'}, {0x102, 0xFF, 'i'}, {0}};
    const step predicated_before[] = {{0x0F8, 0xFF, 'i'}, {0x100, 0x01, 'i'}, {0x101, 0x0F, 'b'}, {0}};
    const step from_elsewhere[] = {{0x0C0, 0xFF, 'i'}, {0x101, 0x0F, 'b'}, {0x110, 0x0F, 'i'}, {0}};
    const step after_exit[] = {
        {0x0F0, 0xFF, 'i'}, {0x100, 0xF0, 'x'}, {0x101, 0x0F, 'b'}, {0x110, 0x0F, 'i'}, {0}};
    const step after_branch[] = {
        {0x0F0, 0xFF, 'i'}, {0x0F5, 0, 'b'}, {0x101, 0x0F, 'b'}, {0x110, 0x0F, 'i'}, {0}};
    assert_int_equal(divergent_at_1(taken_by_some, true), 1);
    assert_int_equal(divergent_at_1(taken_by_some, false), 0);
    assert_int_equal(divergent_at_1(taken_by_all, true), 0);
    assert_int_equal(divergent_at_1(taken_by_none, true), 0);
    assert_int_equal(divergent_at_1(predicated_before, true), 1);
    assert_int_equal(divergent_at_1(from_elsewhere, true), 0);
    assert_int_equal(divergent_at_1(after_exit, true), 0);
    assert_int_equal(divergent_at_1(after_branch, true), 0);
}

static void what_can_jump(void **state) {
    (void)state;
    const ws_static branch = {.class_ = WS_CLASS_BRANCH}, other = {.class_ = WS_CLASS_INT};
    for (const char *const *opcode =
             (const char *const[]){"BRA", "BRA.U", "RET.REL.NODEC", "CALL.REL", "br.cond", NULL};
         *opcode; opcode++)
        assert_true(ws_can_jump(&branch, *opcode));
    for (const char *const *opcode =
             (const char *const[]){"BSSY", "BSSY.RECONVERGENT", "BSYNC", "SSY", "WARPSYNC.ALL", NULL};
         *opcode; opcode++)
        assert_false(ws_can_jump(&branch, *opcode));
    assert_false(ws_can_jump(&other, "BRA"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traces_are_like_naive),
        cmocka_unit_test(loads_of_constants_count_without_addresses),
        cmocka_unit_test(rows_of_one_address),
        cmocka_unit_test(known_branches),
        cmocka_unit_test(known_predicated_branches),
        cmocka_unit_test(what_can_jump),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
