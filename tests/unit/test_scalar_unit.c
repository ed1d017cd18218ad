/* What an SM knows of uniform registers (XI 2.4): rule by rule; on random instructions, equal to a naive twin that
 * keeps a table of scalar registers and a diary of each register's life; cost. */
#include "mechanism/parts/scalar_unit.h"

#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/naive_scalar.h"
#include "../support/random.h"
#include "../support/scalar_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a unit, with the CTA that its warps come from */

typedef struct bench {
    ws_trace *trace;
    ws_config *config;
    ws_timed_statics *statics;
    ws_timed_stream *stream;
    ws_tokens *tokens;
    ws_timed_cta *cta;
    scalar_unit unit;
} bench;

static const scalar_options token_design = {
    .registers = UINT32_MAX, .converts = true, .irb_entries = 8, .pc_step = 16};

static bench bench_of(ws_trace *trace, const scalar_options *options) {
    ws_error err = WS_NO_ERROR;
    bench b = {.trace = trace, .config = mechanism_config("gpu.clusters=1")};
    ws_timed_stream_options carried = {.flow = true, .values = true};
    const ws_core_params *core = ws_config_get(b.config, &ws_core_component);
    b.statics = calloc(1, sizeof *b.statics);
    assert_true(b.statics && ws_timed_statics_init(b.statics, trace, core, 0, false));
    b.stream = ws_timed_stream_new(trace, 1, b.statics, core, ws_config_get(b.config, &ws_l1_component),
                                   &carried, &err);
    if (!b.stream) fail_msg("%s", err.text);
    b.tokens = ws_tokens_new(trace);
    assert_non_null(b.tokens);
    assert_true(scalar_unit_init(&b.unit, b.tokens, ws_trace_statics(trace), options));
    b.cta = ws_timed_stream_cta(b.stream, 0, (ws_local_place){0}, &err);
    if (!b.cta) fail_msg("%s", err.text);
    return b;
}

/* Makes a unit whose warps execute these instructions. */
static bench program(const scalar_op *ops, uint32_t warps, const scalar_options *options) {
    bench b = bench_of(scalar_program(ops, warps), options);
    for (uint32_t w = 0; w < b.cta->warp_count; w++)
        scalar_unit_start(&b.unit, w, b.cta->warps[w].flow, b.cta->warps[w].values);
    return b;
}

static void done(bench *b) {
    scalar_unit_free(&b->unit);
    free(b->cta);
    ws_tokens_free(b->tokens);
    ws_timed_stream_free(b->stream);
    ws_timed_statics_free(b->statics);
    free(b->statics);
    ws_config_free(b->config);
    ws_trace_close(b->trace);
}

/* Issues the warp's next `count` instructions, one per cycle from `now` on. Returns a letter for each: 'v'ector,
 * 's'calar, 'r'eused, with a 'c' in front of it if a copy is issued first. */
static const char *issue(bench *b, unsigned warp, unsigned count, uint64_t now) {
    static char text[200];
    size_t n = 0;
    for (unsigned i = 0; i < count; i++) {
        if (scalar_unit_copies(&b->unit, warp, now + i)) {
            text[n++] = 'c';
            assert_true(scalar_unit_copies(&b->unit, warp, now + i)); /* as long as it has not issued */
            scalar_unit_copy(&b->unit, warp, now + i);
            assert_false(scalar_unit_copies(&b->unit, warp, now + i)); /* once is enough */
        }
        text[n++] = "vsr"[scalar_unit_issue(&b->unit, warp, 32, now + i)];
    }
    text[n] = 0;
    return text;
}

/* ---- rules */

/* XI 2.4.1: immediates and uniform registers make uniform registers; thread ids and partial masks do not. What is
 * loaded from one address is uniform. Loads and branches are not converted. */
static void uniformity_is_passed_on(void **state) {
    (void)state;
    static const scalar_op ops[] = {
        {.opcode = "MOV", .dst = 1},                    /* s */
        {.opcode = "IADD3", .dst = 2, .a = 1, .b = 1},  /* s */
        {.opcode = "S2R", .dst = 3},                    /* v */
        {.opcode = "IADD3", .dst = 4, .a = 2, .b = 3},  /* v */
        {.opcode = "IADD3", .dst = 2, .a = 4},          /* v: R2 is no longer uniform */
        {.opcode = "IADD3", .dst = 5, .a = 2},          /* v */
        {.opcode = "LDG", .dst = 5, .a = 3},            /* v, with a uniform result */
        {.opcode = "IADD3", .dst = 6, .a = 5},          /* s */
        {.opcode = "MOV", .dst = 7, .divergent = true}, /* v */
        {.opcode = "IADD3", .dst = 8, .a = 7},          /* v */
        {.opcode = "IADD3", .dst = 8, .a = 1, .b = 6},  /* s */
        {0},
    };
    scalar_options options = token_design;
    options.irb_entries = 0;
    bench b = program(ops, 1, &options);
    assert_string_equal(issue(&b, 0, 11, 0), "ssvvvvvsvvs");
    assert_int_equal(b.unit.counts.uniform, 4);
    assert_int_equal(b.unit.counts.converted, 4);
    assert_int_equal(b.unit.counts.peak, 4); /* R1 R5 R6 R8 */
    done(&b);
}

/* XI 2.4.2: without a free scalar register an instruction is not converted, and its result is not known to be uniform.
 * A vector write, and the end of the warp, free a scalar register. A register that has one keeps it. */
static void scalar_registers_run_out(void **state) {
    (void)state;
    static const scalar_op ops[] = {
        {.opcode = "MOV", .dst = 1},             /* s: one left */
        {.opcode = "MOV", .dst = 100},           /* s: none left */
        {.opcode = "MOV", .dst = 3},             /* v */
        {.opcode = "IADD3", .dst = 4, .a = 3},   /* v: not known to be uniform */
        {.opcode = "IADD3", .dst = 100, .a = 1}, /* s: R100 has one */
        {.opcode = "S2R", .dst = 1},             /* v: frees one */
        {.opcode = "MOV", .dst = 3},             /* s */
        {0},
    };
    scalar_options options = token_design;
    options.registers = 2;
    options.irb_entries = 0;
    bench b = program(ops, 2, &options);
    assert_string_equal(issue(&b, 0, 7, 0), "ssvvsvs");
    assert_int_equal(b.unit.counts.unplaced, 1);
    assert_string_equal(issue(&b, 1, 2, 7), "vv"); /* all belong to warp 0 */
    scalar_unit_end(&b.unit, 0);
    assert_string_equal(issue(&b, 1, 2, 9), "ss");
    assert_int_equal(b.unit.counts.peak, 2);
    done(&b);
}

/* XI 2.4.1: VR1 = VR1 + 2 in some of the lanes needs a copy of the uniform VR1 first; in another reading of the text
 * (copy = any) VR1 = VR2 + 2 needs one, too. A write by all lanes needs none, and what was copied once is not copied
 * again. */
static void copies_on_divergent_writes(void **state) {
    (void)state;
    static const scalar_op ops[] = {
        {.opcode = "MOV", .dst = 1},
        {.opcode = "MOV", .dst = 2},
        {.opcode = "S2R", .dst = 3},
        {.opcode = "IADD3", .dst = 1, .a = 1, .divergent = true}, /* copy */
        {.opcode = "IADD3", .dst = 1, .a = 1, .divergent = true}, /* is private already */
        {.opcode = "IADD3", .dst = 2, .a = 3, .divergent = true}, /* `any`: copy */
        {.opcode = "IADD3", .dst = 3, .a = 3, .divergent = true}, /* was never uniform */
        {.opcode = "MOV", .dst = 1},                              /* by all lanes */
        {.opcode = "IADD3", .dst = 1, .a = 1, .b = 3},            /* by all lanes */
        {0},
    };
    scalar_options options = token_design;
    bench b = program(ops, 1, &options);
    assert_string_equal(issue(&b, 0, 9, 0), "ssvcvvvvsv");
    assert_int_equal(b.unit.counts.copies, 1);
    done(&b);
    options.copy = SCALAR_COPY_ANY;
    b = program(ops, 1, &options);
    assert_string_equal(issue(&b, 0, 9, 0), "ssvcvvcvvsv");
    assert_int_equal(b.unit.counts.copies, 2);
    done(&b);
    options.converts = false; /* nothing is kept in one lane alone */
    options.irb_entries = 0;
    b = program(ops, 1, &options);
    assert_string_equal(issue(&b, 0, 9, 0), "vvvvvvvvv");
    done(&b);
}

/* XI 2.6.1, Inter: what executes for all lanes is written to all of them, so a write by some needs no copy. A result
 * that is reused is written to one place (XI 2.4.3); what is then computed for all lanes is in all of them again. */
static void only_single_values_are_copied(void **state) {
    (void)state;
    static const scalar_op ops[] = {
        {.opcode = "MOV", .dst = 1, .value = 5},
        {.opcode = "LDG", .dst = 2, .a = 1},
        {.opcode = "IADD3", .dst = 1, .a = 1, .divergent = true}, /* warp 1: copy */
        {.opcode = "IADD3", .dst = 2, .a = 2, .divergent = true}, /* no copy of what is loaded */
        {.opcode = "MOV", .dst = 1, .value = 5, .again = 1},      /* warp 0, too: reused */
        {.opcode = "MOV", .dst = 1, .value = 6},                  /* warp 0: by all lanes */
        {.opcode = "IADD3", .dst = 1, .a = 1, .divergent = true}, /* warp 1: copy */
        {0},
    };
    scalar_options options = token_design;
    options.converts = false;
    for (int any = 0; any < 2; any++)
        for (int file = 0; file < 2; file++) {
            options.copy = any ? SCALAR_COPY_ANY : SCALAR_COPY_SOURCE;
            options.registers = file ? 128 : UINT32_MAX;
            bench b = program(ops, 2, &options);
            assert_string_equal(issue(&b, 0, 7, 0), "vvvvrvv");
            assert_string_equal(issue(&b, 1, 7, 9), "rvcvvrrcv");
            assert_int_equal(b.unit.counts.copies, 2);
            assert_int_equal(b.unit.counts.peak, 2); /* what is known to be uniform has a place */
            done(&b);
        }
    options.converts = true;
    options.copy = SCALAR_COPY_SOURCE;
    bench b = program(ops, 2, &options);
    assert_string_equal(issue(&b, 0, 7, 0), "svcvcvrscv");
    done(&b);
}

/* XI 2.4.3: the second warp finds what the first has computed. An instruction that finds its entry with other operands
 * executes, and takes the entry over. The least recently used entry is evicted. */
static void results_are_reused(void **state) {
    (void)state;
    static const scalar_op ops[] = {
        {.opcode = "MOV", .dst = 1, .value = 5},
        {.opcode = "IADD3", .dst = 2, .a = 1, .value = 5},
        {.opcode = "S2R", .dst = 3, .value = 1},
        {.opcode = "IADD3", .dst = 4, .a = 3, .value = 1}, /* not uniform, whatever its values are */
        {.opcode = "MUFU", .dst = 5, .a = 1, .value = 7},
        {0},
    };
    scalar_options options = token_design;
    bench b = program(ops, 3, &options);
    assert_string_equal(issue(&b, 0, 5, 0), "ssvvs");
    assert_string_equal(issue(&b, 1, 5, 0), "rrvvr");
    assert_int_equal(b.unit.counts.lookups, 6);
    done(&b);
    options.irb_entries = 2; /* too few: three results in a row push each other out */
    b = program(ops, 3, &options);
    assert_string_equal(issue(&b, 0, 5, 0), "ssvvs");
    assert_string_equal(issue(&b, 1, 5, 0), "ssvvs");
    done(&b);
    b = program(ops, 3, &options); /* but not when warps go side by side */
    for (int i = 0; i < 5; i++) {
        issue(&b, 0, 1, 0);
        issue(&b, 1, 1, 0);
        issue(&b, 2, 1, 0);
    }
    assert_int_equal(b.unit.counts.reused, 6);
    done(&b);
    options.irb_entries = 8;
    options.converts = false; /* XI 2.6.1: Inter */
    b = program(ops, 2, &options);
    assert_string_equal(issue(&b, 0, 5, 0), "vvvvv");
    assert_string_equal(issue(&b, 1, 5, 0), "rrvvr");
    done(&b);
}

/* Instructions that lie far apart share a partial PC; their opcodes tell them apart. */
static void an_entry_is_of_an_opcode(void **state) {
    (void)state;
    static const scalar_op ops[] = {
        {.opcode = "MOV", .dst = 1, .value = 5},
        {.opcode = "IADD3", .dst = 2, .value = 5},
        {0},
    };
    scalar_options options = token_design;
    options.pc_step = 4096; /* all have partial PC 0 */
    bench b = program(ops, 2, &options);
    assert_string_equal(issue(&b, 0, 2, 0), "ss");
    assert_string_equal(issue(&b, 1, 2, 0), "rr");
    done(&b);
}

static void expect_steps(ws_trace *trace, uint32_t first, uint32_t second) {
    assert_int_equal(ws_reuse_pc_step(trace, ws_trace_kernel(trace, 1)), first);
    if (second) assert_int_equal(ws_reuse_pc_step(trace, ws_trace_kernel(trace, 2)), second);
    ws_trace_close(trace);
}

/* From Volta on, and where the version is unknown, instructions of SASS have 16 bytes; those before have 8. */
static void steps_of_pcs(void **state) {
    (void)state;
    static const generate_inst end[] = {{.kind = 0}};
    const generate_inst *const warps[] = {end, NULL};
    expect_steps(generate_coded_versions("sass", (const uint32_t[]){61, 70, 0}, warps), 8, 16);
    expect_steps(generate_code("sass", warps), 16, 0);
    expect_steps(generate_code("llvm", warps), 1, 0);
}

/* An entry has room for three sources, so an instruction with four is not looked up. */
static void four_sources_pass_the_buffer_by(void **state) {
    (void)state;
    static const scalar_op ops[] = {
        {.opcode = "MOV", .dst = 1},
        {.opcode = "IADD3", .dst = 2, .a = 1, .b = 1, .c = 1},
        {.opcode = "IDP", .dst = 3, .a = 1, .b = 1, .c = 1, .d = 1},
        {0},
    };
    bench b = program(ops, 2, &token_design);
    assert_string_equal(issue(&b, 0, 3, 0), "sss");
    assert_string_equal(issue(&b, 1, 3, 0), "rrs");
    assert_int_equal(b.unit.counts.lookups, 4);
    done(&b);
}

static void other_operands_take_the_entry(void **state) {
    (void)state;
    scalar_op ops[] = {{.opcode = "MOV", .dst = 1, .value = 5}, {0}};
    bench b = program(ops, 1, &token_design);
    ops[0].value = 6;
    bench other = program(ops, 1, &token_design);
    assert_string_equal(issue(&b, 0, 1, 0), "s");
    scalar_unit_start(&b.unit, 1, other.cta->warps[0].flow, other.cta->warps[0].values);
    assert_string_equal(issue(&b, 1, 1, 0), "s"); /* 6, not 5 */
    scalar_unit_start(&b.unit, 1, other.cta->warps[0].flow, other.cta->warps[0].values);
    assert_string_equal(issue(&b, 1, 1, 0), "r");
    scalar_unit_start(&b.unit, 1, b.cta->warps[0].flow, b.cta->warps[0].values);
    assert_string_equal(issue(&b, 1, 1, 0), "s"); /* 5 is gone */
    done(&b);
    done(&other);
}

/* XI 2.6.4: cycles from a write to the last read before the next write. */
static void lives_of_registers(void **state) {
    (void)state;
    static const scalar_op ops[] = {
        {.opcode = "MOV", .dst = 1},                   /* cycle 0 */
        {.opcode = "S2R", .dst = 2},                   /* 1 */
        {.opcode = "IADD3", .dst = 3, .a = 1, .b = 2}, /* 2: R1 lives 0 1, R2 lives 1 */
        {.opcode = "MOV", .dst = 2},                   /* 3: kills R2 */
        {.opcode = "IADD3",
         .dst = 1,
         .a = 1,
         .divergent = true},                           /* 4: R1 lives 2 3; then has lost its cover */
        {.opcode = "IADD3", .dst = 4, .a = 1, .b = 2}, /* 5: R1 lives 4, R2 lives 3 4 */
        {0},
    };
    bench b = program(ops, 1, &token_design);
    issue(&b, 0, 6, 0);
    assert_int_equal(b.unit.counts.live.live, 2 + 1 + 2 + 1 + 2);
    assert_int_equal(b.unit.counts.live.covered, 2 + 0 + 2 + 0 + 2);
    done(&b);
}

/* ---- random instructions */

/* Supplies the warps of the launch, in the order of the trace, until next_warp() returns NULL. */
typedef struct supply {
    bench *b;
    ws_timed_cta *ctas[64];
    uint32_t cta_count, cta, warp;
} supply;

static const ws_timed_warp *next_warp(supply *s) {
    ws_error err = WS_NO_ERROR;
    while (s->cta < 8 && s->cta < ws_trace_kernel(s->b->trace, 1)->counters.ctas) {
        if (s->cta == s->cta_count) {
            s->ctas[s->cta_count++] = ws_timed_stream_cta(s->b->stream, s->cta, (ws_local_place){0}, &err);
            if (!s->ctas[s->cta]) fail_msg("%s", err.text);
        }
        if (s->warp < s->ctas[s->cta]->warp_count) return &s->ctas[s->cta]->warps[s->warp++];
        s->cta++;
        s->warp = 0;
    }
    return NULL;
}

static void expect_equal_counts(const scalar_counts *a, const scalar_counts *b) {
    assert_int_equal(a->uniform, b->uniform);
    assert_int_equal(a->converted, b->converted);
    assert_int_equal(a->reused, b->reused);
    assert_int_equal(a->unplaced, b->unplaced);
    assert_int_equal(a->lookups, b->lookups);
    assert_int_equal(a->copies, b->copies);
    assert_int_equal(a->peak, b->peak);
    assert_int_equal(a->spared_reads, b->spared_reads);
    assert_int_equal(a->live.live, b->live.live);
    assert_int_equal(a->live.covered, b->live.covered);
}

/* Runs the unit beside its naive twin. In each step a random slot starts a warp, issues, or ends its warp. */
static scalar_counts compare(ws_trace *trace, const scalar_options *options, uint64_t *random) {
    enum { USED_SLOTS = 5 };
    bench b = bench_of(trace, options);
    naive_scalar *twin = naive_scalar_new(trace, options);
    supply warps = {.b = &b};
    const ws_timed_warp *running[USED_SLOTS] = {0};
    uint32_t left[USED_SLOTS] = {0};
    bool more = true;
    uint64_t now = 0;
    for (uint32_t active = 0; more || active; now += random_below(random, 3)) {
        unsigned slot = random_below(random, USED_SLOTS);
        if (!running[slot]) {
            running[slot] = next_warp(&warps);
            more = running[slot];
            if (!more) continue;
            active++;
            left[slot] = running[slot]->inst_count;
            scalar_unit_start(&b.unit, slot, running[slot]->flow, running[slot]->values);
            naive_scalar_start(twin, slot, running[slot]->flow, running[slot]->values);
        } else if (left[slot]-- > 0) {
            bool copies = scalar_unit_copies(&b.unit, slot, now);
            assert_int_equal(copies, naive_scalar_copies(twin, slot, now));
            if (copies) scalar_unit_copy(&b.unit, slot, now);
            uint32_t lanes = random_below(random, 33);
            assert_int_equal(scalar_unit_issue(&b.unit, slot, lanes, now),
                             naive_scalar_issue(twin, slot, lanes, now));
        } else {
            scalar_unit_end(&b.unit, slot);
            naive_scalar_end(twin, slot);
            running[slot] = NULL;
            active--;
        }
    }
    scalar_counts counts = naive_scalar_counts(twin, now);
    expect_equal_counts(&b.unit.counts, &counts);
    assert_int_equal(b.unit.used, 0);
    for (uint32_t i = 0; i < warps.cta_count; i++) free(warps.ctas[i]);
    naive_scalar_free(twin);
    done(&b);
    return counts;
}

static void equals_the_twin(void **state) {
    (void)state;
    static const uint32_t registers[] = {1, 3, 8, 17, UINT32_MAX}, entries[] = {0, 1, 2, 8, 64},
                          steps[] = {1, 16, 4096}; /* of pcs; with the last ones some share a partial pc */
    uint64_t random = 7;
    scalar_counts sum = {0};
    for (uint64_t seed = 2; seed <= 120; seed += 2) {
        scalar_options options = {.registers = registers[random_below(&random, 5)],
                                  .irb_entries = entries[seed / 2 % 5],
                                  .converts = seed / 2 % 4 > 0,
                                  .copy = (enum scalar_copy)random_below(&random, 2),
                                  .pc_step = steps[random_below(&random, 3)]};
        scalar_counts counts = compare(generate_random(seed, seed % 3 ? 32 : 64), &options, &random);
        sum.converted += counts.converted;
        sum.reused += counts.reused;
        sum.unplaced += counts.unplaced;
        sum.copies += counts.copies;
        sum.spared_reads += counts.spared_reads;
        sum.live.covered += counts.live.covered;
    }
    assert_true(sum.converted > 100);
    assert_true(sum.reused > 20);
    assert_true(sum.unplaced > 20);
    assert_true(sum.copies > 20);
    assert_true(sum.spared_reads > 1000);
    assert_true(sum.live.covered > 1000);
}

/* ---- cost */

static void cost_equals_the_documents(void **state) {
    (void)state;
    assert_int_equal(scalar_token_bits(16384), 512);        /* XI 2.4.2: 64 KB are 512 vector registers */
    assert_int_equal(scalar_file_bits(128), 4096);          /* XI 2.5 */
    assert_int_equal(scalar_rename_bits(16384, 128), 3584); /* XI 2.5: 512 x 7 */
    assert_int_equal(scalar_irb_bits(8, false), 1192);      /* XI 2.5: 8 x (10 + 3 x 32 + 32 + 3 + 8) */
    assert_int_equal(scalar_irb_bits(8, true), 1200);       /* XI 2.4.4: and a parity bit each */
    assert_int_equal(scalar_irb_bits(0, true), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniformity_is_passed_on),
        cmocka_unit_test(scalar_registers_run_out),
        cmocka_unit_test(copies_on_divergent_writes),
        cmocka_unit_test(only_single_values_are_copied),
        cmocka_unit_test(results_are_reused),
        cmocka_unit_test(an_entry_is_of_an_opcode),
        cmocka_unit_test(steps_of_pcs),
        cmocka_unit_test(four_sources_pass_the_buffer_by),
        cmocka_unit_test(other_operands_take_the_entry),
        cmocka_unit_test(lives_of_registers),
        cmocka_unit_test(equals_the_twin),
        cmocka_unit_test(cost_equals_the_documents),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
