/* The analysis `uniform`: equal to a naive twin that follows each warp and each reuse buffer; closed forms;
 * laws; refusals. */
#include "analysis/parts/uniform_token.h"
#include "replay/reuse_buffer.h"
#include "replay/tokens.h"

#include "../support/accelsim_sample.h"
#include "../support/folder.h"
#include "../support/naive.h"
#include "../support/random.h"
#include "../support/trace.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const ws_analysis *analysis(void) {
    return ws_analysis_find("uniform", NULL);
}

static void expect(bool ok, const ws_error *err) {
    if (!ok) fail_msg("%s", err->text);
}

/* ---- traces: random programs of instructions that the token detector tells apart */

typedef struct kind {
    const char *opcode;
    uint8_t class_, op, space, width_B;
} kind;

static const kind sass[] = {
    {"IADD3", WS_CLASS_INT, 0, 0, 0},
    {"IADD3", WS_CLASS_INT, 0, 0, 0},
    {"IADD3.X", WS_CLASS_INT, 0, 0, 0},
    {"ISETP.EX", WS_CLASS_INT, 0, 0, 0},
    {"IMAD.WIDE", WS_CLASS_INT, 0, 0, 0},
    {"FFMA", WS_CLASS_FP, 0, 0, 0},
    {"DFMA", WS_CLASS_FP, 0, 0, 0},
    {"F2F.F32.F64", WS_CLASS_SFU, 0, 0, 0},
    {"F2F.F64.F32", WS_CLASS_SFU, 0, 0, 0},
    {"F2I.F64.TRUNC", WS_CLASS_SFU, 0, 0, 0},
    {"I2F.F64", WS_CLASS_SFU, 0, 0, 0},
    {"MUFU.RCP", WS_CLASS_SFU, 0, 0, 0},
    {"S2R", WS_CLASS_INT, 0, 0, 0},
    {"CS2R", WS_CLASS_INT, 0, 0, 0},
    {"SEL", WS_CLASS_INT, 0, 0, 0},
    {"P2R", WS_CLASS_INT, 0, 0, 0},
    {"UIADD3", WS_CLASS_INT, 0, 0, 0},
    {"R2UR", WS_CLASS_INT, 0, 0, 0},
    {"HMMA.16816.F32", WS_CLASS_TENSOR, 0, 0, 0},
    {"LDG.E", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 4},
    {"LDG.E.U8", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 1},
    {"LDG.E.128", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 16},
    {"LDS.64", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_SHARED, 8},
    {"LDSM.16.M88", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_SHARED, 16},
    {"LDL", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_LOCAL, 4},
    {"LD.E", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_GENERIC, 4},
    {"ATOMG.ADD", WS_CLASS_MEM, WS_MEMORY_ATOMIC, WS_SPACE_GLOBAL, 4},
    {"BRA", WS_CLASS_BRANCH, 0, 0, 0},
    {"NOP", WS_CLASS_OTHER, 0, 0, 0},
};
static const kind llvm[] = {
    {"add.i32", WS_CLASS_INT, 0, 0, 0},
    {"add.i32", WS_CLASS_INT, 0, 0, 0},
    {"fmul.f32", WS_CLASS_FP, 0, 0, 0},
    {"fdiv.f32", WS_CLASS_SFU, 0, 0, 0},
    {"call:max.i32", WS_CLASS_INT, 0, 0, 0},
    {"call:get_local_id.i64", WS_CLASS_INT, 0, 0, 0},
    {"call:get_group_id.i64", WS_CLASS_INT, 0, 0, 0},
    {"phi.i32", WS_CLASS_META, 0, 0, 0},
    {"phi.i32", WS_CLASS_META, 0, 0, 0},
    {"getelementptr", WS_CLASS_META, 0, 0, 0},
    {"br.cond", WS_CLASS_BRANCH, 0, 0, 0},
    {"br.cond", WS_CLASS_BRANCH, 0, 0, 0},
    {"call:helper", WS_CLASS_BRANCH, 0, 0, 0},
    {"load.f32", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 4},
    {"load.f32", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_CONSTANT, 4},
    {"load.f32", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_LOCAL, 4},
    {"call:atomic_add.i32", WS_CLASS_MEM, WS_MEMORY_ATOMIC, WS_SPACE_GLOBAL, 4},
    {"call:printf", WS_CLASS_OTHER, 0, 0, 0},
};
enum { PROGRAM = 24, WARPS = 3, CTAS = 8 };

static uint16_t random_register(uint64_t *random) {
    return random_one_in(random, 8) ? WS_REGISTER_ZERO
                                    : (uint16_t)random_below(random, random_one_in(random, 9) ? 80 : 6);
}

static ws_static random_instruction(uint64_t *random, const kind *k, uint32_t pc, bool values) {
    ws_static s = {.pc = pc,
                   .class_ = k->class_,
                   .op = k->op,
                   .space = k->space,
                   .width_B = k->width_B,
                   .text_width_B = k->width_B};
    s.dst_count = (uint8_t)random_below(random, 2);
    s.src_count = (uint8_t)random_below(random, 3);
    for (int i = 0; i < s.dst_count; i++) s.dst[i] = random_register(random);
    for (int i = 0; i < s.src_count; i++) s.src[i] = random_register(random);
    if (!values || k->class_ == WS_CLASS_META) return s;
    s.result_values = (uint8_t)random_below(random, 2);
    s.source_values = (uint8_t)random_below(random, 5);
    return s;
}

static void write_instruction(ws_writer *writer, uint64_t *random, uint32_t id, const ws_static *s,
                              uint32_t warp_size) {
    ws_error err = WS_NO_ERROR;
    uint64_t all = warp_size == 64 ? UINT64_MAX : UINT32_MAX, addresses[WS_LANES_MAX],
             values[WS_OPERANDS_MAX];
    uint64_t mask = random_one_in(random, 5) ? random_next(random) & all : all;
    if (mask != all && random_one_in(random, 3)) mask = 0;
    bool broadcast = !random_one_in(random, 3);
    for (uint32_t i = 0; i < warp_size; i++)
        addresses[i] = 0x10000 + (broadcast ? 0 : 4 * random_below(random, 3));
    uint32_t operands = (uint32_t)s->result_values + s->source_values, uniform = (1u << operands) - 1;
    if (random_one_in(random, 4)) uniform &= random_below(random, 1u << operands);
    if (mask == 0) uniform = 0;
    for (int i = 0; i < WS_OPERANDS_MAX; i++) values[i] = random_below(random, 2);
    expect(ws_writer_inst_values(writer, id, mask, addresses, uniform, values, &err), &err);
}

static ws_trace *random_trace(uint64_t seed, bool is_sass, bool values, uint32_t warp_size) {
    uint64_t random = seed;
    ws_error err = WS_NO_ERROR;
    ws_writer *writer = ws_writer_new(folder_path("uniform.wst"), is_sass ? "sass" : "llvm", "test",
                                      warp_size, WS_FEATURE_REGISTERS, &err);
    expect(writer != NULL, &err);
    ws_static program[PROGRAM];
    uint32_t ids[PROGRAM], count = 2 + random_below(&random, PROGRAM - 1),
                           spread = 1 + random_below(&random, 400);
    for (uint32_t i = 0; i < count; i++) {
        const kind *k = is_sass ? &sass[random_below(&random, (uint32_t)WS_COUNT(sass))]
                                : &llvm[random_below(&random, (uint32_t)WS_COUNT(llvm))];
        program[i] = random_instruction(&random, k, i * spread * (is_sass ? 16 : 1), values);
        program[i].opcode = ws_writer_opcode(writer, k->opcode, strlen(k->opcode));
        ids[i] = ws_writer_static(writer, &program[i]);
    }
    const ws_kernel kernel = {
        .name = "k", .grid = {CTAS, 1, 1}, .block = {WARPS * warp_size, 1, 1}, .isa_version = 70};
    expect(ws_writer_kernel(writer, &kernel, &err), &err);
    for (uint32_t cta = 0; cta < CTAS; cta++) {
        expect(ws_writer_cta(writer, (ws_dim3){cta, 0, 0}, &err), &err);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            expect(ws_writer_warp(writer, warp, &err), &err);
            uint32_t length = random_below(&random, 120);
            for (uint32_t i = 0; i < length; i++)
                write_instruction(writer, &random, ids[i % count], &program[i % count], warp_size);
        }
    }
    expect(ws_writer_finish(writer, &err), &err);
    ws_writer_free(writer);
    return trace_written("uniform.wst");
}

/* ---- rows */

/* Returns the row that the twin's counts make, up to the columns of the assumption. */
static char *expected_row(const naive_redundancy *n, bool values, uint64_t warp_size) {
    char *text = NULL;
    static const char none[] = "the_trace_has_no_operand_values";
    uint64_t intra = n->intra * (warp_size - 1);
    typedef unsigned long long number;
    int length =
        values ? asprintf(&text, "0 0 %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu ",
                          (number)n->warps, (number)n->threads, (number)n->intra, (number)n->inter,
                          (number)intra, (number)(n->inter * warp_size), (number)(intra + n->inter),
                          (number)n->candidates, (number)n->both, (number)n->by_value, (number)n->by_token)
               : asprintf(&text, "0 0 %llu %llu %llu %s %llu %s %s %llu %s %s %s ", (number)n->warps,
                          (number)n->threads, (number)n->intra, none, (number)intra, none, none,
                          (number)n->candidates, none, none, none);
    assert_true(length > 0);
    return text;
}

static bool gives_operands(const ws_trace *trace) {
    const ws_static *statics = ws_trace_statics(trace);
    bool gives = false;
    for (uint32_t i = 0; i < ws_trace_get_info(trace)->static_count; i++)
        gives |= statics[i].op != WS_MEMORY_STORE && (statics[i].result_values || statics[i].source_values);
    return gives;
}

static void random_traces_are_like_naive(void **state) {
    (void)state;
    uint64_t found = 0, reused = 0;
    for (uint64_t seed = 1; seed <= 160; seed++) {
        uint64_t random = seed;
        bool is_sass = seed % 2, values = !random_one_in(&random, 4),
             token = !values || random_one_in(&random, 2);
        uint32_t warp_size = random_one_in(&random, 4) ? 64 : 32;
        static const int sizes[] = {1, 2, 3, 4, 8, 16, 64};
        int entries = sizes[random_below(&random, 7)];
        ws_trace *trace = random_trace(seed, is_sass, values, warp_size);
        ws_config *config = config_for(analysis());
        config_set(config, "uniform.detector", token ? "\"token\"" : "\"value\"");
        config_set_number(config, "uniform.irb_entries", entries);
        config_set_number(config, "gpu.clusters", 1 + random_below(&random, 3));
        config_set_number(config, "sm.ctas", 1 + random_below(&random, 4)); /* slots get further warps */
        config_set(config, "order.issue_meta", random_one_in(&random, 2) ? "true" : "false");
        stream s = stream_replayed(trace, 1, config, analysis());
        bool has_values = gives_operands(trace); /* by chance a trace may have none */
        if (has_values || token) {
            naive_redundancy n = naive_uniform(&s, trace, is_sass ? 16 : 1, token, entries);
            char *expected = expected_row(&n, has_values, warp_size),
                 *got = stream_rows(&s, analysis(), config, &random);
            if (strncmp(got, expected, strlen(expected)) != 0) assert_string_equal(got, expected);
            found += n.intra;
            reused += n.inter;
            free(expected);
            free(got);
        }
        stream_free(&s);
        ws_config_free(config);
        ws_trace_close(trace);
    }
    assert_true(found > 10000 && reused > 500); /* the traces do exercise both */
}

/* One pass answers all sizes of the buffer; a larger buffer never reuses less. */
static void all_sizes_come_from_one_pass(void **state) {
    (void)state;
    enum { SIZES = 64 };
    for (uint64_t seed = 1; seed <= 8; seed++) {
        ws_trace *trace = random_trace(seed, seed % 2, true, 32);
        ws_config *configs[SIZES];
        const void *params[SIZES];
        for (int i = 0; i < SIZES; i++) {
            configs[i] = config_for(analysis());
            config_set(configs[i], "uniform.detector", "\"value\"");
            config_set_number(configs[i], "uniform.irb_entries", i + 1);
            params[i] = ws_config_get(configs[i], analysis()->component);
        }
        ws_stream_info info = stream_info(trace, 1, configs[0]);
        stream s = stream_replayed(trace, 1, configs[0], analysis());
        char *rows = stream_analyse(&s, analysis(), params, SIZES, &info, WS_BATCH_MAX, NULL), *rest = rows,
             *line;
        uint64_t before = 0;
        for (int i = 0; i < SIZES; i++) {
            naive_redundancy n = naive_uniform(&s, trace, seed % 2 ? 16 : 1, false, i + 1);
            unsigned long long intra, inter;
            line = strsep(&rest, "\n");
            assert_int_equal(sscanf(line, "%*d 0 %*u %*u %llu %llu", &intra, &inter), 2);
            assert_int_equal(intra, n.intra);
            assert_int_equal(inter, n.inter);
            assert_true(inter >= before && inter <= intra);
            before = inter;
        }
        free(rows);
        stream_free(&s);
        for (int i = 0; i < SIZES; i++) ws_config_free(configs[i]);
        ws_trace_close(trace);
    }
}

/* The order in which warps issue changes what is reused, but not what is uniform. */
static void uniformity_does_not_depend_on_the_order(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = random_trace(seed, false, true, 32);
        ws_config *config = config_for(analysis());
        config_set(config, "uniform.detector", "\"token\"");
        unsigned long long counts[2][7];
        for (int run = 0; run < 2; run++) {
            config_set_number(config, "gpu.clusters", run == 0 ? 15 : 1);
            config_set(config, "sm.scheduler", run == 0 ? "\"gto\"" : "\"lrr\"");
            stream s = stream_replayed(trace, 1, config, analysis());
            char *row = stream_rows(&s, analysis(), config, NULL);
            unsigned long long *c = counts[run];
            assert_int_equal(sscanf(row, "0 0 %llu %llu %llu %*u %*u %*u %*u %llu %llu %llu %llu", &c[0],
                                    &c[1], &c[2], &c[3], &c[4], &c[5], &c[6]),
                             7);
            free(row);
            stream_free(&s);
        }
        assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
        ws_config_free(config);
        ws_trace_close(trace);
    }
}

/* ---- closed form: loop control as in XI Fig. 1: each of 8 CTAs of 3 warps counts to 10 */

static ws_trace *loop_trace(void) {
    ws_error err = WS_NO_ERROR;
    ws_writer *writer = ws_writer_new(folder_path("loop.wst"), "llvm", "test", 32,
                                      WS_FEATURE_REGISTERS | WS_FEATURE_VALUES, &err);
    expect(writer != NULL, &err);
    const ws_static add = {.pc = 0,
                           .class_ = WS_CLASS_INT,
                           .dst = {1},
                           .src = {1},
                           .dst_count = 1,
                           .src_count = 1,
                           .result_values = 1,
                           .source_values = 2,
                           .opcode = ws_writer_opcode(writer, "add.i32", 7)};
    const ws_static compare = {.pc = 1,
                               .class_ = WS_CLASS_INT,
                               .dst = {2},
                               .src = {1},
                               .dst_count = 1,
                               .src_count = 1,
                               .result_values = 1,
                               .source_values = 2,
                               .opcode = ws_writer_opcode(writer, "icmp.i32", 8)};
    const ws_static branch = {.pc = 2,
                              .class_ = WS_CLASS_BRANCH,
                              .src = {2},
                              .src_count = 1,
                              .source_values = 1,
                              .opcode = ws_writer_opcode(writer, "br.cond", 7)};
    uint32_t ids[] = {ws_writer_static(writer, &add), ws_writer_static(writer, &compare),
                      ws_writer_static(writer, &branch)};
    const ws_kernel kernel = {.name = "loop", .grid = {CTAS, 1, 1}, .block = {WARPS * 32, 1, 1}};
    expect(ws_writer_kernel(writer, &kernel, &err), &err);
    for (uint32_t cta = 0; cta < CTAS; cta++) {
        expect(ws_writer_cta(writer, (ws_dim3){cta, 0, 0}, &err), &err);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            expect(ws_writer_warp(writer, warp, &err), &err);
            for (uint64_t i = 0; i < 10; i++) {
                const uint64_t added[] = {i + 1, i, 1}, compared[] = {i < 9, i + 1, 10}, taken[] = {i < 9};
                expect(ws_writer_inst_values(writer, ids[0], UINT32_MAX, NULL, 7, added, &err), &err);
                expect(ws_writer_inst_values(writer, ids[1], UINT32_MAX, NULL, 7, compared, &err), &err);
                expect(ws_writer_inst_values(writer, ids[2], UINT32_MAX, NULL, 1, taken, &err), &err);
            }
        }
    }
    expect(ws_writer_finish(writer, &err), &err);
    ws_writer_free(writer);
    return trace_written("loop.wst");
}

/* All warps run in lockstep on one SM, so two of three warps (and seven of eight CTAs) repeat what the first one
 * did. */
static void loop_control_is_redundant(void **state) {
    (void)state;
    ws_trace *trace = loop_trace();
    static const char *const detectors[] = {"\"value\"", "\"token\""};
    for (int d = 0; d < 2; d++) {
        ws_config *config = config_for(analysis());
        config_set(config, "uniform.detector", detectors[d]);
        config_set_number(config, "uniform.irb_entries", 2);
        config_set_number(config, "gpu.clusters", 1);
        config_set_number(config, "sm.schedulers", 1);
        config_set(config, "sm.scheduler", "\"lrr\"");
        stream s = stream_replayed(trace, 1, config, analysis());
        char *row = stream_rows(&s, analysis(), config, NULL);
        /* 24 warps execute 30 instructions each, 20 of which compute. All warps go through a round together: each of
         * its 2 computing instructions is executed by the first warp and reused by the other 23. */
        char expected[256];
        snprintf(expected, sizeof expected, "0 0 720 %d 480 %d %d %d %d 480 480 0 0 ", 720 * 32, 20 * 23,
                 480 * 31, 20 * 23 * 32, 480 * 31 + 20 * 23);
        if (strncmp(row, expected, strlen(expected)) != 0) assert_string_equal(row, expected);
        free(row);
        stream_free(&s);
        ws_config_free(config);
    }
    ws_trace_close(trace);
}

/* ---- what instructions read and write */

/* In SASS an operand names the first of the registers that hold it: as many as its width takes. */
static void operands_take_registers(void **state) {
    (void)state;
    static const struct {
        kind kind;
        unsigned sass, llvm;     /* registers of the result */
        unsigned sources, reads; /* those of SASS read so many registers */
    } known[] = {{{"IADD3", WS_CLASS_INT, 0, 0, 0}, 1, 1, 3, 3},
                 {{"IMAD.WIDE.U32", WS_CLASS_INT, 0, 0, 0}, 2, 1, 3, 4},
                 {{"IMAD.WIDE", WS_CLASS_INT, 0, 0, 0}, 2, 1, 2, 3},
                 {{"IMAD.WIDE", WS_CLASS_INT, 0, 0, 0}, 2, 1, 1, 1},
                 {{"IMUL.WIDE", WS_CLASS_INT, 0, 0, 0}, 2, 1, 2, 2},
                 {{"DFMA", WS_CLASS_FP, 0, 0, 0}, 2, 1, 3, 6},
                 {{"F2F.F64.F32", WS_CLASS_SFU, 0, 0, 0}, 2, 1, 1, 1},
                 {{"F2F.F32.F64", WS_CLASS_SFU, 0, 0, 0}, 1, 1, 1, 2},
                 {{"F2F.FTZ.F32.F32", WS_CLASS_SFU, 0, 0, 0}, 1, 1, 1, 1},
                 {{"F2I.F64.TRUNC", WS_CLASS_SFU, 0, 0, 0}, 1, 1, 1, 2},
                 {{"F2I.S64.TRUNC", WS_CLASS_SFU, 0, 0, 0}, 2, 1, 1, 1},
                 {{"F2I.U64.F64", WS_CLASS_SFU, 0, 0, 0}, 2, 1, 1, 2},
                 {{"F2I.FTZ.U32.TRUNC.NTZ", WS_CLASS_SFU, 0, 0, 0}, 1, 1, 1, 1},
                 {{"I2F", WS_CLASS_SFU, 0, 0, 0}, 1, 1, 1, 1},
                 {{"I2F.F64", WS_CLASS_SFU, 0, 0, 0}, 2, 1, 1, 1},
                 {{"I2F.S64", WS_CLASS_SFU, 0, 0, 0}, 1, 1, 1, 2},
                 {{"I2F.F64.U64.RP", WS_CLASS_SFU, 0, 0, 0}, 2, 1, 1, 2},
                 {{"FRND.F64.FLOOR", WS_CLASS_SFU, 0, 0, 0}, 2, 1, 1, 2},
                 {{"CS2R", WS_CLASS_INT, 0, 0, 0}, 2, 1, 0, 0},
                 {{"HMMA.16816.F32", WS_CLASS_TENSOR, 0, 0, 0}, 8, 1, 3, 3},
                 {{"LDG.E.U8", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 1}, 1, 1, 1, 1},
                 {{"LDG.E", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 4}, 1, 1, 1, 1},
                 {{"LDG.E.64", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 8}, 2, 1, 1, 2},
                 {{"LDG.E.128", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 16}, 4, 1, 1, 1},
                 {{"LDSM.16.M88.4", WS_CLASS_MEM, WS_MEMORY_LOAD, WS_SPACE_SHARED, 16}, 4, 1, 1, 1}};
    for (int is_sass = 0; is_sass < 2; is_sass++) {
        ws_error err = WS_NO_ERROR;
        ws_writer *writer = ws_writer_new(folder_path("results.wst"), is_sass ? "sass" : "llvm", "test", 32,
                                          WS_FEATURE_REGISTERS, &err);
        expect(writer != NULL, &err);
        for (size_t i = 0; i < WS_COUNT(known); i++) {
            const kind *k = &known[i].kind;
            const ws_static s = {.pc = (uint32_t)(16 * i),
                                 .class_ = k->class_,
                                 .op = k->op,
                                 .space = k->space,
                                 .width_B = k->width_B,
                                 .text_width_B = k->width_B,
                                 .dst_count = 1,
                                 .dst = {20},
                                 .src_count = (uint8_t)known[i].sources,
                                 .src = {30, 40, 50},
                                 .opcode = ws_writer_opcode(writer, k->opcode, strlen(k->opcode))};
            assert_int_equal(ws_writer_static(writer, &s), i);
        }
        expect(ws_writer_finish(writer, &err), &err);
        ws_writer_free(writer);
        ws_trace *trace = trace_written("results.wst");
        ws_tokens *tokens = ws_tokens_new(trace);
        for (uint32_t i = 0; i < WS_COUNT(known); i++) {
            uint32_t regs[WS_TOKEN_DESTINATIONS], sources[WS_TOKEN_SOURCES];
            const ws_token_inst inst = {.inst = i, .all_lanes = true}, skipped = {.inst = i, .no_lane = true};
            const unsigned count = ws_tokens_written(tokens, &inst, regs),
                           reads = ws_tokens_read(tokens, i, sources);
            if (count != (is_sass ? known[i].sass : known[i].llvm) ||
                reads != (is_sass ? known[i].reads : known[i].sources))
                fail_msg("%s of %u sources: writes %u registers, reads %u", known[i].kind.opcode,
                         known[i].sources, count, reads);
            for (unsigned k = 0; k < count; k++) assert_int_equal(regs[k], 20 + k);
            assert_int_equal(ws_tokens_written(tokens, &skipped, regs), 0);
        }
        ws_tokens_free(tokens);
        ws_trace_close(trace);
    }
}

/* Returns the row of the first launch under the detector `token`; the caller frees it. */
static char *row_by_token(const ws_trace *trace) {
    ws_config *config = config_for(analysis());
    config_set(config, "uniform.detector", "\"token\"");
    stream s = stream_replayed(trace, 1, config, analysis());
    char *row = stream_rows(&s, analysis(), config, NULL);
    stream_free(&s);
    ws_config_free(config);
    return row;
}

/* Of a load's 32 addresses all must be the same, each of them. */
static void one_other_address_is_not_uniform(void **state) {
    (void)state;
    for (int other = 0; other <= 32; other++) { /* 32: none */
        ws_error err = WS_NO_ERROR;
        ws_writer *writer =
            ws_writer_new(folder_path("address.wst"), "sass", "test", 32, WS_FEATURE_REGISTERS, &err);
        expect(writer != NULL, &err);
        const ws_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
        expect(ws_writer_kernel(writer, &kernel, &err) && ws_writer_cta(writer, (ws_dim3){0, 0, 0}, &err) &&
                   ws_writer_warp(writer, 0, &err),
               &err);
        const ws_static load = {.class_ = WS_CLASS_MEM,
                                .op = WS_MEMORY_LOAD,
                                .space = WS_SPACE_GLOBAL,
                                .width_B = 4,
                                .dst_count = 1,
                                .dst = {1},
                                .opcode = ws_writer_opcode(writer, "LDG.E", 5)},
                        add = {.pc = 16,
                               .class_ = WS_CLASS_INT,
                               .src_count = 1,
                               .src = {1},
                               .opcode = ws_writer_opcode(writer, "IADD3", 5)};
        uint64_t addresses[32] = {0};
        if (other < 32) addresses[other] = 4;
        expect(ws_writer_inst(writer, ws_writer_static(writer, &load), UINT32_MAX, addresses, &err), &err);
        expect(ws_writer_inst(writer, ws_writer_static(writer, &add), UINT32_MAX, NULL, &err), &err);
        expect(ws_writer_finish(writer, &err), &err);
        ws_writer_free(writer);
        ws_trace *trace = trace_written("address.wst");
        char *row = row_by_token(trace);
        assert_memory_equal(row, other < 32 ? "0 0 2 64 0 " : "0 0 2 64 1 ", 11);
        free(row);
        ws_trace_close(trace);
    }
}

/* ---- where paths meet */

typedef struct line {
    const char *opcode;
    uint8_t class_;
    uint16_t dst, src; /* 0: none */
    uint64_t mask;
} line;

/* Returns the number of instructions of one warp that the detector `token` finds uniform. */
static unsigned long long found_by_token(const line *lines, uint32_t count) {
    ws_error err = WS_NO_ERROR;
    ws_writer *writer =
        ws_writer_new(folder_path("lines.wst"), "llvm", "test", 32, WS_FEATURE_REGISTERS, &err);
    expect(writer != NULL, &err);
    const ws_kernel kernel = {.name = "lines", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    expect(ws_writer_kernel(writer, &kernel, &err), &err);
    expect(ws_writer_cta(writer, (ws_dim3){0, 0, 0}, &err), &err);
    expect(ws_writer_warp(writer, 0, &err), &err);
    for (uint32_t i = 0; i < count; i++) {
        const ws_static s = {.pc = i,
                             .class_ = lines[i].class_,
                             .dst = {lines[i].dst},
                             .src = {lines[i].src},
                             .dst_count = lines[i].dst > 0,
                             .src_count = lines[i].src > 0,
                             .opcode = ws_writer_opcode(writer, lines[i].opcode, strlen(lines[i].opcode))};
        expect(ws_writer_inst(writer, ws_writer_static(writer, &s), lines[i].mask, NULL, &err), &err);
    }
    expect(ws_writer_finish(writer, &err), &err);
    ws_writer_free(writer);
    ws_trace *trace = trace_written("lines.wst");
    char *row = row_by_token(trace);
    unsigned long long found;
    assert_int_equal(sscanf(row, "0 0 %*u %*u %llu", &found), 1);
    free(row);
    ws_trace_close(trace);
    return found;
}

static void paths_that_meet(void **state) {
    (void)state;
    const uint64_t ALL = UINT32_MAX, HALF = 0xffff;
    const line together[] = {{"br.cond", WS_CLASS_BRANCH, 0, 0, ALL},
                             {"phi.i32", WS_CLASS_META, 1, 1, ALL},
                             {"phi.i32", WS_CLASS_META, 2, 2, ALL},
                             {"add.i32", WS_CLASS_INT, 3, 1, ALL},
                             {"add.i32", WS_CLASS_INT, 4, 2, ALL}};
    assert_int_equal(found_by_token(together, 5), 2);
    const line apart[] = {{"br", WS_CLASS_BRANCH, 0, 0, HALF},
                          {"phi.i32", WS_CLASS_META, 1, 1, ALL},
                          {"add.i32", WS_CLASS_INT, 3, 1, ALL}};
    assert_int_equal(found_by_token(apart, 3), 0);
    const line lanes_differ[] = {{"call:get_local_id.i64", WS_CLASS_INT, 1, 0, ALL},
                                 {"br", WS_CLASS_BRANCH, 0, 0, ALL},
                                 {"phi.i32", WS_CLASS_META, 1, 1, ALL},
                                 {"add.i32", WS_CLASS_INT, 3, 1, ALL}};
    assert_int_equal(found_by_token(lanes_differ, 4), 0);
    const line written_by_half[] = {{"call:get_group_id.i64", WS_CLASS_INT, 1, 0, ALL},
                                    {"add.i32", WS_CLASS_INT, 2, 1, ALL},
                                    {"add.i32", WS_CLASS_INT, 1, 2, HALF},
                                    {"add.i32", WS_CLASS_INT, 3, 1, ALL}};
    assert_int_equal(found_by_token(written_by_half, 4), 2);
}

/* ---- real traces: what is computed from uniform registers is uniform, and so are the addresses among it */

typedef struct address_check {
    const ws_static *statics;
    uniform_token *token;
    uint64_t checked, wrong;
} address_check;

static void check_addresses(void *context, const ws_instructions *batch) {
    address_check *c = context;
    for (size_t i = 0; i < batch->count; i++) {
        const ws_static *s = &c->statics[batch->inst[i]];
        bool uniform = uniform_token_sources(c->token, batch, i);
        uniform_token_step(c->token, batch, i);
        if (!uniform || s->op == WS_MEMORY_NONE || s->space == WS_SPACE_LOCAL) continue;
        int lanes = __builtin_popcountll(batch->mask[i]);
        bool one = true;
        for (int lane = 1; lane < lanes; lane++) one = one && batch->address[i][lane] == batch->address[i][0];
        c->checked++;
        c->wrong += !one;
    }
}

/* Checks that all lanes of each access with uniform registers go to one address. Returns the number of such
 * accesses. */
static uint64_t uniform_accesses(ws_trace *trace) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = config_for(analysis());
    config_set(config, "sm.shared_B", "1048576");
    config_set(config, "sm.registers", "1048576");
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    expect(replayer != NULL, &err);
    ws_replayer_want(replayer, WS_WANT_ADDRESSES);
    address_check c = {.statics = ws_trace_statics(trace)};
    for (uint32_t kernel = 1; kernel <= ws_trace_get_info(trace)->kernel_count; kernel++) {
        c.token = uniform_token_new(trace, stream_info(trace, kernel, config).sms);
        assert_non_null(c.token);
        const ws_tap tap = {&c, NULL, check_addresses};
        expect(ws_replay_order(replayer, kernel, config, &tap, 1, NULL, &err), &err);
        uniform_token_free(c.token);
    }
    assert_int_equal(c.wrong, 0);
    ws_replayer_free(replayer);
    ws_config_free(config);
    ws_trace_close(trace);
    return c.checked;
}

static void uniform_registers_make_one_address(void **state) {
    (void)state;
    static const char *const names[] = {"gemm", "hotspot", "kmeans", "pathfinder", "lud", "nw"};
    uint64_t checked = 0;
    for (size_t i = 0; i < WS_COUNT(names); i++) {
        char path[64];
        snprintf(path, sizeof path, "traces/%s.wst", names[i]);
        ws_trace *trace = trace_open(path);
        checked += uniform_accesses(trace);
    }
    assert_true(checked > 1000);
}

static void uniform_registers_make_one_address_in_sass(void **state) {
    (void)state;
    static const char *const names[] = {"bfs-rodinia-v3", "mlp-train-v5", "matmul-v4", "pytorch-step-v5-xz"};
    const char *root = getenv("WARPSWEEP_TESTDATA");
    uint64_t checked = 0;
    for (size_t i = 0; i < WS_COUNT(names); i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/accelsim/%s", root ? root : "", names[i]);
        if (!root || access(path, R_OK) != 0) {
            print_message("# skipped: $WARPSWEEP_TESTDATA/accelsim/%s is not there\n", names[i]);
            skip();
        }
        checked += uniform_accesses(sample_import_good(path, NULL));
    }
    assert_true(checked > 1000);
}

/* ---- the buffer */

static void buffer_by_hand(void **state) {
    (void)state;
    ws_reuse_buffer r = {.size = WS_REUSE_MAX};
    const uint64_t a[] = {5, 1, 4}, b[] = {6, 1, 5};
    assert_int_equal(ws_reuse_access(&r, 7, 3, a, 3), 0);        /* new */
    assert_int_equal(ws_reuse_access(&r, 7, 3, a, 3), 1);        /* the last one */
    assert_int_equal(ws_reuse_access(&r, 7, 3, b, 3), 0);        /* other operands */
    assert_int_equal(ws_reuse_access(&r, 7, 3, a, 3), 0);        /* the other operands have taken its place */
    assert_int_equal(ws_reuse_access(&r, 7 + 1024, 3, a, 3), 1); /* the buffer looks at 10 bits of the PC */
    assert_int_equal(ws_reuse_access(&r, 7, 4, a, 3), 0);        /* another opcode */
    assert_int_equal(ws_reuse_access(&r, 8, 3, a, 3), 0);
    assert_int_equal(ws_reuse_access(&r, 7, 3, a, 3), 3); /* two others have been used since */
    assert_int_equal(ws_reuse_access(&r, 7, 4, a, 2), 0); /* fewer operands */
}

/* ---- refusals */

/* Returns a trace of an addition, and of a store of which only the stored value is known. */
static ws_trace *trace_of_stored_values(void) {
    ws_error err = WS_NO_ERROR;
    ws_writer *writer =
        ws_writer_new(folder_path("uniform.wst"), "sass", "test", 32, WS_FEATURE_REGISTERS, &err);
    expect(writer != NULL, &err);
    ws_static add = {.class_ = WS_CLASS_INT, .opcode = ws_writer_opcode(writer, "IADD3", 5)},
              store = {.pc = 16,
                       .class_ = WS_CLASS_MEM,
                       .op = WS_MEMORY_STORE,
                       .space = WS_SPACE_GLOBAL,
                       .width_B = 4,
                       .source_values = 1,
                       .opcode = ws_writer_opcode(writer, "STG.E", 5)};
    uint32_t add_id = ws_writer_static(writer, &add), store_id = ws_writer_static(writer, &store);
    const uint64_t address = 0x1000, value = 7;
    const ws_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .isa_version = 70};
    expect(ws_writer_kernel(writer, &kernel, &err) && ws_writer_cta(writer, (ws_dim3){0}, &err) &&
               ws_writer_warp(writer, 0, &err) && ws_writer_inst(writer, add_id, 1, NULL, &err) &&
               ws_writer_inst_values(writer, store_id, 1, &address, 1, &value, &err) &&
               ws_writer_finish(writer, &err),
           &err);
    ws_writer_free(writer);
    return trace_written("uniform.wst");
}

static void missing_fields_are_named(ws_trace *trace) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = config_for(analysis());
    const void *params = ws_config_get(config, analysis()->component);
    ws_stream_info info = stream_info(trace, 1, config);
    config_set(config, "uniform.detector", "\"value\"");
    assert_null(analysis()->create(&params, 1, &info, &err));
    assert_int_equal(err.code, WS_ERROR_TRACE);
    assert_non_null(
        strstr(err.text, "uniform.wst has no operand values, which uniform.detector = value needs"));
    config_set(config, "uniform.detector", "\"token\"");
    void *self = analysis()->create(&params, 1, &info, &err);
    assert_non_null(self);
    analysis()->destroy(self);
    ws_config_free(config);
    ws_trace_close(trace);
}

static void traces_without_values_are_refused(void **state) {
    (void)state;
    missing_fields_are_named(random_trace(1, true, false, 32));
    missing_fields_are_named(trace_of_stored_values());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traces_are_like_naive),
        cmocka_unit_test(all_sizes_come_from_one_pass),
        cmocka_unit_test(uniformity_does_not_depend_on_the_order),
        cmocka_unit_test(loop_control_is_redundant),
        cmocka_unit_test(operands_take_registers),
        cmocka_unit_test(one_other_address_is_not_uniform),
        cmocka_unit_test(paths_that_meet),
        cmocka_unit_test(uniform_registers_make_one_address),
        cmocka_unit_test(uniform_registers_make_one_address_in_sass),
        cmocka_unit_test(buffer_by_hand),
        cmocka_unit_test(traces_without_values_are_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
