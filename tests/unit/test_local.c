/* Local memory: each thread has words of its own, in the timed engine and in fidelity `order`. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/stream.h"
#include "../support/trace.h"
#include "base/array.h"
#include "replay/local.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINE_B = 128, WARPS = 3, INSTS = 2, ACCESSES_MAX = 20000 };

/* The offset that all threads of a CTA access, another one in odd CTAs. It is a multiple of 16, the widest access, so
 * that no word is cut. */
static uint64_t offset(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)warp, (void)lane;
    return 0xfff000 + 64 * (uint64_t)(cta % 2) + 16 * (uint64_t)inst + 0x40;
}

static generate_plan local_plan(uint32_t ctas, uint8_t width_B, ws_memory_op op) {
    generate_plan plan = generate_loads(ctas, WARPS, INSTS, offset);
    plan.instruction.space = WS_SPACE_LOCAL;
    plan.instruction.op = (uint8_t)op;
    plan.instruction.width_B = plan.instruction.text_width_B = width_B;
    plan.opcode = op == WS_MEMORY_LOAD ? "LDL" : "STL";
    return plan;
}

static ws_trace *local_trace(uint32_t ctas, uint8_t width_B, ws_memory_op op) {
    generate_plan plan = local_plan(ctas, width_B, op);
    return generate_planned(&plan);
}

typedef struct found {
    ws_timed_access at[ACCESSES_MAX];
    uint32_t count;
} found;

static void note(void *self, const ws_timed_access *access) {
    found *f = self;
    assert_true(f->count < ACCESSES_MAX);
    f->at[f->count++] = *access;
}

static ws_timed_counters listen(const ws_trace *trace, const char *settings, found *f) {
    f->count = 0;
    return mechanism_listen(trace, 1, settings, &(ws_timed_taps){.self = f, .access = note}).counters;
}

/* Returns the slot of a CTA in its SM: the number of CTAs that came there before it, since all are resident at once. */
static uint64_t slot_of(const found *f, uint32_t cta, uint32_t sm) {
    uint64_t slot = 0;
    for (uint32_t other = 0; other < cta; other++)
        for (uint32_t i = 0; i < f->count; i++)
            if (f->at[i].cta == other && f->at[i].sm == sm) {
                slot++;
                break;
            }
    return slot;
}

/* Fails unless the accesses are to the lines where local memory lies by definition: word i of thread t at 4 x (i x
 * threads + t) bytes behind GPGPU-Sim's LOCAL_GENERIC_START. Threads are numbered through the CTA slots of the GPU,
 * slot 0 of each SM first. */
static void check_places(uint32_t ctas, uint32_t slots, const char *settings) {
    static const uint8_t widths[] = {1, 2, 4, 8, 16};
    static found f;
    enum { SMS = 2, THREADS = 32 * WARPS };
    for (size_t w = 0; w < sizeof widths; w++) {
        uint32_t words = widths[w] < 4 ? 1 : widths[w] / 4u;
        ws_trace *trace = local_trace(ctas, widths[w], WS_MEMORY_LOAD);
        ws_timed_counters c = listen(trace, settings, &f);
        assert_int_equal(c.l1_accesses, ctas * WARPS * INSTS * words);
        assert_int_equal(f.count, c.l1_accesses);
        uint64_t lines = 0, threads = (uint64_t)SMS * slots * THREADS;
        for (uint32_t i = 0; i < f.count; i++) {
            const ws_timed_access *a = &f.at[i];
            uint64_t slot = slot_of(&f, a->cta, a->sm), match = 0,
                     thread = THREADS * (a->sm + SMS * slot) + 32 * a->warp;
            for (uint32_t inst = 0; inst < INSTS; inst++)
                for (uint32_t k = 0; k < words; k++) {
                    uint64_t word = offset(a->cta, 0, inst, 0) / 4 + k;
                    match += a->line == (0x1f880000 + 4 * (word * threads + thread)) / LINE_B;
                }
            assert_int_equal(match, 1);
            assert_int_equal(a->words, UINT32_MAX);
            bool seen = false;
            for (uint32_t j = 0; j < i; j++) seen |= f.at[j].line == a->line && f.at[j].sm == a->sm;
            lines += !seen;
        }
        assert_int_equal(c.l1_misses, lines);
        ws_trace_close(trace);
    }
}

static void threads_have_words_of_their_own(void **state) {
    (void)state;
    check_places(1, 1, "gpu.clusters=2,l1.access=line");
    check_places(5, 3, "gpu.clusters=2,l1.access=line");
    check_places(12, 6, "gpu.clusters=2,l1.access=line");
}

/* The bytes of a unit stay together, wherever in it an access begins: place by place, unit by unit and thread by
 * thread. */
static void bytes_keep_their_place_in_a_unit(void **state) {
    (void)state;
    enum { THREADS = 7, UNITS = 5, LANES = 3 };
    static const unsigned units_B[] = {4, 16};
    const ws_local_place place = {.base = 1000, .first_thread = 2, .threads = THREADS};
    for (size_t u = 0; u < WS_COUNT(units_B); u++) {
        uint64_t places[THREADS][UNITS * 16], at = WS_PROGRAM_SPACE_B + place.base;
        for (unsigned unit = 0; unit < UNITS; unit++)
            for (unsigned thread = 0; thread < THREADS; thread++)
                for (unsigned byte = 0; byte < units_B[u]; byte++)
                    places[thread][unit * units_B[u] + byte] = at++;
        for (unsigned first = 0; first + LANES < 4 * units_B[u]; first++)
            for (unsigned nth = 0; nth < 2; nth++) {
                uint64_t addresses[LANES], got[LANES]; /* of lanes 0, 2 and 3 */
                for (unsigned i = 0; i < LANES; i++) addresses[i] = WS_PROGRAM_SPACE_B + first + i;
                ws_local_addresses(&place, units_B[u], nth, 0xd, addresses, got);
                for (unsigned i = 0; i < LANES; i++)
                    assert_int_equal(got[i], places[2 + i + (i > 0)][first + i + nth * units_B[u]]);
            }
    }
}

/* A launch of more CTAs than there is room for has as many slots as can be resident, here one on each of two SMs. The
 * threads of a slot take up whole lines: 96 those of 128 B, as many as 128 threads do those of 256 B. */
static void slots_are_those_that_there_are(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        uint32_t line_B, threads;
    } cases[] = {{"gpu.clusters=2,sm.ctas=1", 128, 96},
                 {"gpu.clusters=2,sm.ctas=1,l1.line_B=256,l1.ways=2", 256, 128}};
    static found f;
    ws_trace *trace = local_trace(7, 4, WS_MEMORY_LOAD);
    for (size_t c = 0; c < WS_COUNT(cases); c++) {
        listen(trace, cases[c].settings, &f);
        for (uint32_t i = 0; i < f.count; i++) {
            uint64_t first = offset(f.at[i].cta, 0, 0, 0) / 4, match = 0,
                     thread = (uint64_t)cases[c].threads * f.at[i].sm + 32 * f.at[i].warp;
            for (uint32_t inst = 0; inst < INSTS; inst++) {
                uint64_t word = (first + 4 * inst) * 2 * cases[c].threads + thread;
                match += f.at[i].line == (0x1f880000 + 4 * word) / cases[c].line_B;
            }
            assert_int_equal(match, 1);
        }
        assert_int_equal(f.count, 7 * WARPS * INSTS);
    }
    ws_trace_close(trace);
}

/* With l1.access=sector, the words that 32 threads have of their own fill four sectors, so an access of two words is to
 * eight. Without interleaving all threads share the sector that the trace names. */
static void sectors(void **state) {
    (void)state;
    static found f;
    for (int op = WS_MEMORY_LOAD; op <= WS_MEMORY_STORE; op++) {
        ws_trace *trace = local_trace(2, 8, (ws_memory_op)op);
        uint32_t executions = 2 * WARPS * INSTS;
        assert_int_equal(listen(trace, "l1.access=sector", &f).l1_accesses, 2 * 4 * executions);
        assert_int_equal(listen(trace, "l1.access=sector,core.local_interleaved=false", &f).l1_accesses,
                         executions);
        assert_int_equal(f.at[0].line, offset(f.at[0].cta, 0, 0, 0) / LINE_B);
        ws_trace_close(trace);
    }
}

/* The words of a wide access go to the L1 in the order of core.coalesce_order, like the lines of other accesses. */
static void order_of_words(void **state) {
    (void)state;
    static found f;
    ws_trace *trace = local_trace(1, 16, WS_MEMORY_LOAD);
    for (int descending = 0; descending < 2; descending++) {
        listen(trace, descending ? "core.coalesce_order=descending" : "core.coalesce_order=ascending", &f);
        for (uint32_t i = 0; i + 1 < f.count; i++)
            if (f.at[i].warp == 0 && f.at[i + 1].warp == 0 && i % 4 != 3)
                assert_true((f.at[i].line > f.at[i + 1].line) == descending);
    }
    ws_trace_close(trace);
}

/* Local memory goes through the L1 even if global memory bypasses it. */
static void the_l1_serves_local_memory(void **state) {
    (void)state;
    static found f;
    ws_trace *trace = local_trace(2, 4, WS_MEMORY_LOAD);
    ws_timed_counters with = listen(trace, "core.global_past_l1=true", &f),
                      without = listen(trace, "l1.ways=4", &f);
    assert_true(without.l1_accesses > 0);
    assert_memory_equal(&with, &without, sizeof with);
    ws_trace_close(trace);
}

/* ---- no data are shared */

/* A word further with each instruction, the same for all threads. */
static uint64_t next_word(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)lane;
    return 4 * (uint64_t)inst;
}

static ws_trace *words_trace(uint32_t ctas, uint32_t warps) {
    generate_plan plan = generate_loads(ctas, warps, 16, next_word);
    plan.instruction.space = WS_SPACE_LOCAL;
    plan.opcode = "LDL";
    return generate_planned(&plan);
}

/* Two launches of different streams, of CTAs with 1 and with 3 warps. */
static ws_trace *two_streams(void) {
    ws_error err = WS_NO_ERROR;
    ws_writer *writer =
        ws_writer_new(folder_path("streams.wst"), "test", "test_local", 32, WS_FEATURE_REGISTERS, &err);
    ws_static load = {.class_ = WS_CLASS_MEM, .op = WS_MEMORY_LOAD, .space = WS_SPACE_LOCAL, .width_B = 4};
    load.text_width_B = 4;
    load.opcode = ws_writer_opcode(writer, "LDL", 3);
    uint32_t id = ws_writer_static(writer, &load);
    for (uint32_t launch = 0; launch < 2; launch++) {
        uint32_t warps = 1 + 2 * launch;
        ws_kernel kernel = {.name = "k",
                            .grid = {4, 1, 1},
                            .block = {32 * warps, 1, 1},
                            .registers_per_thread = 64,
                            .stream = launch};
        assert_true(ws_writer_kernel(writer, &kernel, &err));
        for (uint32_t cta = 0; cta < 4; cta++) {
            assert_true(ws_writer_cta(writer, (ws_dim3){cta, 0, 0}, &err));
            for (uint32_t warp = 0; warp < warps; warp++) {
                assert_true(ws_writer_warp(writer, warp, &err));
                for (uint64_t i = 0; i < 16; i++) {
                    uint64_t addresses[32];
                    for (uint32_t lane = 0; lane < 32; lane++) addresses[lane] = 4 * i;
                    assert_true(ws_writer_inst(writer, id, UINT32_MAX, addresses, &err));
                }
            }
        }
    }
    assert_true(ws_writer_finish(writer, &err));
    ws_writer_free(writer);
    return trace_written("streams.wst");
}

/* Fails unless each access, by all lanes of a warp to a word each, is to a line of its own. All CTAs are resident at
 * the same time. */
static void expect_own_lines(const ws_trace *trace, const char *settings) {
    static found f;
    ws_timed_counters c = listen(trace, settings, &f);
    assert_true(c.l1_accesses > 0 && f.count == c.l1_accesses);
    for (uint32_t i = 0; i < f.count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (f.at[i].line == f.at[j].line) fail_msg("%s: accesses %u and %u meet", settings, j, i);
}

static void no_data_are_shared(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *large = words_trace(2, 32), *few = words_trace(8, 1), *many = words_trace(12, 1),
             *streams = two_streams(), *joined = ws_trace_join(few, many, &err);
    assert_non_null(joined);
    static const char *const settings[] = {
        "gpu.clusters=4",
        "gpu.clusters=4,gpu.dispatch=global_rr",
        "gpu.clusters=4,gpu.dispatch=distributed",
        "gpu.clusters=4,gpu.dispatch=greedy",
        "gpu.clusters=4,gpu.sms_per_cluster=2,gpu.dispatch=distributed_block",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        expect_own_lines(few, settings[i]);
        expect_own_lines(many, settings[i]);
    }
    /* half of the second CTA comes beside the first */
    expect_own_lines(large, "gpu.clusters=1,mechanism.dispatch=warpman,warpman.spatial=on,sm.schedulers=1");
    expect_own_lines(joined, "gpu.clusters=2,core.loop_programs=false");
    expect_own_lines(joined, "gpu.clusters=4,core.loop_programs=false,core.first_launch_sms=2");
    expect_own_lines(joined,
                     "gpu.clusters=2,gpu.sms_per_cluster=2,gpu.dispatch=two_level_rr,core.loop_programs="
                     "false,core.first_launch_sms=3,sm.ctas=16");
    expect_own_lines(streams, "gpu.clusters=2,core.concurrent_launches=2");
    expect_own_lines(streams, "gpu.clusters=2,core.dependences=one_in_flight,mechanism.core=ilp,ilp.sms=1,"
                              "ilp.registers=2048"); /* one CTA fits the first SM */
    ws_trace_close(joined);
    ws_trace_close(large);
    ws_trace_close(few);
    ws_trace_close(many);
    ws_trace_close(streams);
}

/* ---- fidelity order */

static uint32_t want_addresses(const void *params) {
    (void)params;
    return WS_WANT_ADDRESSES;
}

static stream replay(const ws_trace *trace, uint32_t kernel) {
    static const ws_analysis with_addresses = {.wants = want_addresses};
    ws_config *config = config_for(NULL);
    stream s = stream_replayed(trace, kernel, config, &with_addresses);
    ws_config_free(config);
    return s;
}

/* Unit i of thread t, of all threads of the launch, is unit i * threads + t of a region; units of each width have a
 * region of their own. */
static uint64_t place(uint64_t unit_B, uint64_t unit, uint64_t threads, uint64_t thread) {
    return (UINT64_C(1) << 61) + (unit_B << 52) + unit_B * (unit * threads + thread);
}

/* An access requests the line of one word after another; the addresses of lanes are those of whole accesses. */
static void the_launch_has_words_for_all_threads(void **state) {
    (void)state;
    enum { CTAS = 5, THREADS = CTAS * WARPS * 32 };
    static const uint8_t widths[] = {1, 2, 4, 8, 16};
    for (size_t w = 0; w < sizeof widths; w++) {
        uint32_t words = widths[w] < 4 ? 1 : widths[w] / 4u, unit_B = 4 * words;
        ws_trace *trace = local_trace(CTAS, widths[w], WS_MEMORY_LOAD);
        stream s = replay(trace, 1);
        uint32_t met[CTAS * WARPS] = {0};
        assert_int_equal(s.count, CTAS * WARPS * INSTS * words);
        for (size_t i = 0; i < s.count; i++) {
            const record *r = &s.records[i];
            uint64_t word = offset(r->cta, 0, met[r->warp]++ / words, 0) / 4 + r->nth;
            assert_int_equal(s.line_address[r->line], place(4, word, THREADS, 32 * r->warp) / LINE_B);
            assert_int_equal(r->of, words);
            assert_int_equal(r->words, UINT32_MAX);
            assert_int_equal(r->bytes, widths[w] < 4 ? 32 * widths[w] : LINE_B);
        }
        memset(met, 0, sizeof met);
        assert_int_equal(s.inst_count, CTAS * WARPS * INSTS);
        for (size_t i = 0; i < s.inst_count; i++) {
            const inst_record *r = &s.insts[i];
            uint64_t at = offset(r->cta, 0, met[r->warp]++, 0);
            for (uint32_t lane = 0; lane < 32; lane++)
                assert_int_equal(r->address[lane], place(unit_B, at / unit_B, THREADS, 32 * r->warp + lane));
        }
        stream_free(&s);
        ws_trace_close(trace);
    }
}

/* A multiple of 16 that many lanes have of their own. */
static uint64_t scattered(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return 16 * (uint64_t)((7 * lane + 3 * warp + inst) % 23 + cta);
}

static void both_fidelities_count_the_same_requests(void **state) {
    (void)state;
    static found f;
    for (uint8_t width = 1; width <= 16; width *= 2)
        for (int op = WS_MEMORY_LOAD; op <= WS_MEMORY_STORE; op++)
            for (int own = 0; own < 2; own++) {
                generate_plan plan = local_plan(4, width, (ws_memory_op)op);
                if (own) plan.address = scattered;
                ws_trace *trace = generate_planned(&plan);
                stream s = replay(trace, 1);
                assert_int_equal(listen(trace, "l1.access=line", &f).l1_accesses, s.counters.requests);
                assert_int_equal(s.counters.requests, s.count);
                stream_free(&s);
                ws_trace_close(trace);
            }
}

/* In traces of isa llvm each lane has an address of its own, in both fidelities. */
static void addresses_of_llvm_are_kept(void **state) {
    (void)state;
    static found f;
    generate_plan plan = local_plan(2, 4, WS_MEMORY_LOAD);
    plan.isa = "llvm";
    plan.address = generate_a_line_each;
    ws_trace *trace = generate_planned(&plan);
    stream s = replay(trace, 1);
    assert_int_equal(listen(trace, "l1.access=line", &f).l1_accesses, 2 * WARPS * INSTS);
    assert_int_equal(s.count, 2 * WARPS * INSTS);
    uint32_t met[2 * WARPS] = {0};
    for (size_t i = 0; i < s.count; i++) {
        const record *r = &s.records[i];
        uint64_t address = generate_a_line_each(r->cta, r->warp % WARPS, met[r->warp]++, 0), match = 0;
        assert_int_equal(s.line_address[r->line], address / LINE_B);
        for (uint32_t k = 0; k < f.count; k++) match += f.at[k].line == address / LINE_B;
        assert_int_equal(match, 1);
        assert_int_equal(s.insts[i].address[31] - s.insts[i].address[0], 4 * 31);
    }
    stream_free(&s);
    ws_trace_close(trace);
}

/* Words do not meet global memory at the same addresses, nor those of the other program. */
static void local_memory_is_apart(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *few = words_trace(2, 1), *more = words_trace(3, 1), *joined = ws_trace_join(few, more, &err);
    assert_non_null(joined);
    for (uint32_t program = 0; program < 2; program++) {
        stream s = replay(joined, 1 + program);
        assert_int_equal(s.count, 16 * (2 + program));
        for (size_t i = 0; i < s.count; i++) {
            uint64_t address = s.line_address[s.records[i].line] * LINE_B;
            assert_int_equal(address / WS_PROGRAM_SPACE_B, program);
            assert_true(address % WS_PROGRAM_SPACE_B > UINT64_C(1) << 60);
        }
        stream_free(&s);
    }
    ws_trace_close(joined);
    ws_trace_close(few);
    ws_trace_close(more);
}

static uint64_t a_row_each(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)inst;
    return 128 * (uint64_t)lane;
}

/* 32 lanes can each have 32 words in lines of their own, which is as much as a batch has room for; 64 cannot. */
static void as_many_lines_as_a_batch_holds(void **state) {
    (void)state;
    for (uint32_t warp_size = 32; warp_size <= 64; warp_size *= 2) {
        generate_plan plan = local_plan(1, 128, WS_MEMORY_LOAD);
        plan.warp_size = warp_size;
        plan.address = a_row_each;
        ws_error err = WS_NO_ERROR;
        ws_order_counters counters;
        ws_trace *trace = generate_planned(&plan);
        ws_config *config = config_for(NULL);
        ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
        assert_int_equal(ws_replay_order(replayer, 1, config, NULL, 0, &counters, &err), warp_size == 32);
        if (warp_size == 32)
            assert_int_equal(counters.requests, WS_BATCH_MAX * WARPS * INSTS);
        else
            assert_non_null(strstr(err.text,
                                   "instruction LDL at pc 0x0: expected at most 1024 lines of 128 B "
                                   "per warp instruction, found 2048"));
        ws_replayer_free(replayer);
        ws_config_free(config);
        ws_trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_have_words_of_their_own),
        cmocka_unit_test(bytes_keep_their_place_in_a_unit),
        cmocka_unit_test(slots_are_those_that_there_are),
        cmocka_unit_test(sectors),
        cmocka_unit_test(order_of_words),
        cmocka_unit_test(no_data_are_shared),
        cmocka_unit_test(the_l1_serves_local_memory),
        cmocka_unit_test(the_launch_has_words_for_all_threads),
        cmocka_unit_test(both_fidelities_count_the_same_requests),
        cmocka_unit_test(addresses_of_llvm_are_kept),
        cmocka_unit_test(local_memory_is_apart),
        cmocka_unit_test(as_many_lines_as_a_batch_holds),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
