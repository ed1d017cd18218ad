/* Instruction-level parallelism in the timed replay (XI 4.4): chains with exact answers; a naive core that is simulated
 * cycle by cycle; laws; parameters that matter; cost. Also its baseline, the core with one instruction in flight. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/naive_ilp.h"
#include "../support/random.h"
#include "../support/trace.h"
#include "base/array.h"
#include "timed/slots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BOARDED, ALONE, BYPASSED, BRANCHES, DIVERGENT, MISPREDICTED, ENTRY_CYCLES, PEAK, SM_CYCLES };

/* A core as in XI 4.4.1: stages EX1 to EX8, then one cycle to write back. Fetching is fast enough that instructions
 * wait for nothing but each other. */
#define CORE                                                                                                 \
    "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1,sm.schedulers=1,sm.scheduler=lrr,core.fp_units=1,"    \
    "core.int_latency=8,core.fp_latency=8,core.branch_latency=8,core.pipeline_cycles=1,core.fetch_insts=16," \
    "core.fetches_per_cycle=8,core.dependences=one_in_flight"
#define ILP CORE ",mechanism.core=ilp"

#define ALL UINT64_C(0xffffffff)

static mechanism_result play(const generate_inst *const *warps, const char *settings) {
    ws_trace *trace = generate_code("llvm", warps);
    mechanism_result r = mechanism_run(trace, 1, settings);
    ws_trace_close(trace);
    return r;
}

static uint64_t cycles_of(const generate_inst *code, const char *settings) {
    return play((const generate_inst *const[]){code, NULL}, settings).counters.cycles;
}

/* ---- chains */

enum { LONGEST = 16 };

/* Writes `count` instructions of a kind. If `dependent`, each reads what the one before wrote; else none does. */
static void make_chain(generate_inst *code, char kind, unsigned count, bool dependent) {
    for (unsigned i = 0; i < count; i++)
        code[i] = (generate_inst){.pc = i,
                                  .mask = ALL,
                                  .kind = kind,
                                  .dst = (uint16_t)(dependent ? 1 : i + 1),
                                  .a = dependent ? 1 : 0};
    code[count] = (generate_inst){.kind = 0};
}

/* Fails unless each further instruction of a chain takes `cycles` more cycles. */
static void each_costs(char kind, bool dependent, const char *settings, uint64_t cycles) {
    generate_inst code[LONGEST + 1];
    make_chain(code, kind, 1, dependent);
    uint64_t one = cycles_of(code, settings);
    for (unsigned count = 2; count <= LONGEST; count++) {
        make_chain(code, kind, count, dependent);
        assert_int_equal(cycles_of(code, settings), one + (count - 1) * cycles);
    }
}

/* However far ahead a result is: those beyond the event wheel wait at its end, and go on from there. */
static void results_come_when_they_are_due(void **state) {
    (void)state;
    for (unsigned latency = 100; latency <= 900; latency += 10) {
        char settings[512];
        snprintf(settings, sizeof settings, CORE ",core.fp_latency=%u", latency);
        each_costs('f', true, settings, latency + 1);
    }
}

/* XI 4.4: with one instruction in flight, a warp's ready bit is cleared at issue and set at write-back, whatever its
 * next instruction reads. */
static void one_in_flight_waits_for_write_back(void **state) {
    (void)state;
    each_costs('i', true, CORE, 9);
    each_costs('i', false, CORE, 9);
    each_costs('f', false, CORE ",core.fp_latency=5,core.pipeline_cycles=3", 8);
    each_costs('j', false, CORE ",core.branch_latency=4", 5);
    each_costs('i', true, CORE ",core.dependences=registers", 9);
    each_costs('i', false, CORE ",core.dependences=registers", 1);
}

/* XI 4.4.1: dependent instructions issue EX + 1 cycles apart, EX apart when results are bypassed. */
static void bypassing_saves_the_write_back(void **state) {
    (void)state;
#define BOARD(n) ILP ",ilp.scoreboard_entries=" n
    for (int entries = 0; entries < 2; entries++) {
        const char *with = entries ? BOARD("16") : BOARD("0"),
                   *without = entries ? BOARD("16,ilp.bypass=false") : BOARD("0,ilp.bypass=false");
        each_costs('i', true, with, 8);
        each_costs('f', true, with, 8);
        each_costs('i', true, without, 9);
        each_costs('u', true, with, 201); /* special functions are not bypassed */
    }
    /* Nor are others to which these units must do: */
    each_costs('u', true, ILP ",core.sfu_units=0", 201);
    each_costs('t', true, ILP ",core.tensor_latency=16", 17);
    each_costs('d', true, ILP ",core.sfu_units=0,core.dp_latency=16", 17);
    each_costs('k', true, ILP, 9); /* "data from memory never can" */
    each_costs('i', true, ILP ",core.int_latency=3", 3);
    each_costs('i', true, ILP ",core.int_latency=3,core.pipeline_cycles=4,ilp.bypass=false", 7);
    each_costs('i', true, ILP ",core.int_latency=3,core.pipeline_cycles=4", 3);
}

/* Behind operand collectors a result leaves its unit two cycles before it is written, which the bypass saves.
 * core.pipeline_cycles has no effect. */
static void bypassing_behind_collectors(void **state) {
    (void)state;
    static const char *const collectors[] = {"core.collectors=2", "core.sub_cores=false,core.collectors=2"};
    generate_inst one[LONGEST + 1], many[LONGEST + 1];
    make_chain(one, 'i', 1, true);
    make_chain(many, 'i', LONGEST, true);
    for (size_t i = 0; i < WS_COUNT(collectors); i++) {
        uint64_t each[2][2];
        for (int bypass = 0; bypass < 2; bypass++)
            for (int late = 0; late < 2; late++) {
                char settings[600];
                snprintf(settings, sizeof settings, ILP ",%s,ilp.bypass=%s,core.pipeline_cycles=%d",
                         collectors[i], bypass ? "true" : "false", late ? 40 : 1);
                each[bypass][late] = cycles_of(many, settings) - cycles_of(one, settings);
            }
        assert_int_equal(each[0][0], each[0][1]);
        assert_int_equal(each[1][0], each[1][1]);
        assert_int_equal(each[0][0] - each[1][0], 2 * (LONGEST - 1));
        assert_true(each[1][0] > 8 * (LONGEST - 1)); /* not before it is computed */
    }
}

/* XI 4.4.1, of instructions that read a load's result: "Instead, they wait until the data are fetched and being written
 * to the register file." */
static void memory_is_not_bypassed(void **state) {
    (void)state;
    generate_inst code[4] = {{.pc = 0, .mask = ALL, .kind = 'l', .dst = 1},
                             {.pc = 1, .mask = ALL, .kind = 'i', .dst = 2, .a = 1},
                             {.kind = 0}};
    mechanism_result with = play((const generate_inst *const[]){code, NULL}, ILP),
                     without = play((const generate_inst *const[]){code, NULL}, ILP ",ilp.bypass=false");
    assert_int_equal(with.counters.cycles, without.counters.cycles);
    assert_int_equal(with.counts[BYPASSED], 1);
    assert_int_equal(without.counts[BYPASSED], 0);
}

/* ---- the scoreboard */

/* n entries let n instructions of a warp be in flight. One issues per cycle until all entries are taken, then one with
 * each commit. Instructions commit in order, each 9 cycles after its issue. */
static void entries_bound_what_is_under_way(void **state) {
    (void)state;
    each_costs('i', false, BOARD("16"), 1);
    generate_inst code[LONGEST + 1];
    make_chain(code, 'i', LONGEST, false);
    uint64_t unbounded = cycles_of(code, BOARD("16"));
    for (unsigned entries = 2; entries <= LONGEST; entries++) {
        uint64_t issue[LONGEST];
        for (unsigned i = 0; i < LONGEST; i++) {
            issue[i] = i ? issue[i - 1] + 1 : 0;
            if (i >= entries && issue[i] < issue[i - entries] + 9) issue[i] = issue[i - entries] + 9;
        }
        char settings[600];
        snprintf(settings, sizeof settings, ILP ",ilp.scoreboard_entries=%u", entries);
        mechanism_result r = play((const generate_inst *const[]){code, NULL}, settings);
        assert_int_equal(r.counters.cycles, unbounded + issue[LONGEST - 1] - (LONGEST - 1));
        assert_int_equal(r.counts[PEAK], entries < 9 ? entries : 9);
        assert_int_equal(r.counts[ENTRY_CYCLES], 9 * LONGEST);
        assert_int_equal(r.counts[BOARDED], LONGEST);
    }
}

/* XI 4.4.2, "the warp is not stalled until it encounters the consumer": arithmetic under a miss costs nothing. */
static void independent_work_hides_under_a_miss(void **state) {
    (void)state;
    generate_inst code[] = {{.pc = 0, .mask = ALL, .kind = 'l', .dst = 1},
                            {.pc = 1, .mask = ALL, .kind = 'i', .dst = 2},
                            {.pc = 2, .mask = ALL, .kind = 'i', .dst = 3, .a = 2},
                            {.pc = 3, .mask = ALL, .kind = 'i', .dst = 4, .a = 1},
                            {.kind = 0}},
                  load_use[] = {code[0], code[3], {.kind = 0}};
    assert_int_equal(cycles_of(code, ILP), cycles_of(load_use, ILP));
    assert_int_equal(cycles_of(code, CORE), cycles_of(load_use, CORE) + 2 * 9);
}

/* Instructions commit in order, one per cycle. So those that issue behind a load, one per cycle, hold their entries for
 * as long as the load. */
static void entries_are_held_until_their_turn(void **state) {
    (void)state;
    generate_inst code[LONGEST + 2] = {{.pc = 0, .mask = ALL, .kind = 'l', .dst = 31}, {.kind = 0}};
    uint64_t of_load = play((const generate_inst *const[]){code, NULL}, BOARD("32")).counts[ENTRY_CYCLES];
    for (unsigned count = 1; count <= LONGEST; count++) {
        make_chain(code + 1, 'i', count, false);
        mechanism_result r = play((const generate_inst *const[]){code, NULL}, BOARD("32"));
        assert_int_equal(r.counts[ENTRY_CYCLES], (count + 1) * of_load);
    }
}

/* A store or an atomic issues only as the oldest instruction in flight of its warp. Instructions of other warps do not
 * delay it. */
static void stores_wait_for_their_warp(void **state) {
    (void)state;
    const generate_inst slow = {.pc = 0, .mask = ALL, .kind = 'i', .dst = 1},
                        store = {.pc = 1, .mask = ALL, .kind = 's', .line = 3},
                        load = {.pc = 2, .mask = ALL, .kind = 'l', .dst = 2, .line = 3},
                        atomic = {.pc = 3, .mask = ALL, .kind = 'a', .dst = 2, .line = 3};
    const generate_inst first[] = {slow, store, {.kind = 0}}, second[] = {slow, load, {.kind = 0}},
                        third[] = {slow, atomic, {.kind = 0}}, only_slow[] = {slow, {.kind = 0}},
                        only_store[] = {store, {.kind = 0}};
#define LATER ILP ",core.int_latency=48"
    assert_int_equal(cycles_of(first, LATER) - cycles_of(first, ILP), 40);
    assert_int_equal(cycles_of(second, LATER) - cycles_of(second, ILP), 0);
    assert_int_equal(cycles_of(third, LATER) - cycles_of(third, ILP), 40);
    const generate_inst *const apart[] = {only_slow, only_store, NULL};
    assert_int_equal(play(apart, LATER).counters.cycles - play(apart, ILP).counters.cycles, 0);
}

/* Warp 0's loads fill the scoreboard; meanwhile warp 1's instructions issue without an entry, one at a time. */
static void a_full_board_admits_one_at_a_time(void **state) {
    (void)state;
    const generate_inst loads[] = {{.pc = 0, .mask = ALL, .kind = 'l', .dst = 1, .line = 1},
                                   {.pc = 1, .mask = ALL, .kind = 'l', .dst = 2, .line = 2},
                                   {.kind = 0}};
    generate_inst chain[LONGEST + 1];
    make_chain(chain, 'i', 5, false);
    const generate_inst *const warps[] = {loads, chain, NULL};
    mechanism_result r = play(warps, BOARD("2,ilp.bypass=false,l2.latency=400"));
    assert_int_equal(r.counts[BOARDED] + r.counts[ALONE], 7);
    assert_int_equal(r.counts[PEAK], 2);
    assert_in_range(r.counts[ALONE], 4, 5); /* the first may come before the second load */
    r = play(warps, BOARD("8,ilp.bypass=false,l2.latency=400"));
    assert_int_equal(r.counts[ALONE], 0);
}

/* Instructions with two results on a scoreboard of three entries: each waits for the entries of the one before. */
static void wide_results_wait_for_all_their_entries(void **state) {
    (void)state;
    generate_plan plan = {.warp_size = 32, .ctas = 1, .warps_per_cta = 1, .insts = 4, .opcode = "ADD"};
    plan.instruction = (ws_static){.class_ = WS_CLASS_INT, .dst_count = 2, .dst = {1, 2}};
    ws_trace *trace = generate_planned(&plan);
    mechanism_result r = mechanism_run(trace, 1, BOARD("3"));
    assert_int_equal(r.counts[BOARDED], 4);
    assert_int_equal(r.counts[PEAK], 2);
    assert_int_equal(r.counts[ENTRY_CYCLES], 4 * 2 * 9);
    ws_trace_close(trace);
}

/* ---- branches */

/* Returns the cycles of a loop of `rounds` rounds: an instruction at pc 1, the branch back at pc 2; then one at pc 3.
 * Each instruction issues a cycle after the one before, or 9 cycles after it if that is a branch which must be resolved
 * first. */
static uint64_t loop_cycles(unsigned rounds, const char *settings, mechanism_result *r) {
    generate_inst code[2 * LONGEST], *at = code;
    for (unsigned i = 0; i < rounds; i++) {
        *at++ = (generate_inst){.pc = 1, .mask = ALL, .kind = 'i', .dst = (uint16_t)(i + 2)};
        *at++ = (generate_inst){.pc = 2, .mask = ALL, .kind = 'j', .a = 1};
    }
    *at++ = (generate_inst){.pc = 3, .mask = ALL, .kind = 'i', .dst = 20};
    *at = (generate_inst){.kind = 0};
    *r = play((const generate_inst *const[]){code, NULL}, settings);
    return r->counters.cycles;
}

static void branches_wait_unless_predicted(void **state) {
    (void)state;
    mechanism_result r;
#define WIDE BOARD("32")
    uint64_t perfect = loop_cycles(1, WIDE ",ilp.prediction=perfect", &r);
    for (unsigned rounds = 2; rounds <= 7; rounds++) {
        perfect += 2;
        assert_int_equal(loop_cycles(rounds, WIDE ",ilp.prediction=perfect", &r), perfect);
        assert_int_equal(loop_cycles(rounds, WIDE ",ilp.prediction=none", &r), perfect + 8 * rounds);
        assert_int_equal(loop_cycles(rounds, WIDE ",ilp.prediction=static", &r),
                         perfect + 8); /* mispredicted at the end */
        assert_int_equal(r.counts[BRANCHES], rounds);
        assert_int_equal(r.counts[MISPREDICTED], 1);
        /* gshare predicts not taken at first, and each round has another history: wrong in each round but the last */
        assert_int_equal(loop_cycles(rounds, WIDE ",ilp.prediction=gshare", &r), perfect + 8 * (rounds - 1));
        assert_int_equal(r.counts[MISPREDICTED], rounds - 1);
        /* with a single counter gshare is wrong in the first round and in the last */
        assert_int_equal(loop_cycles(rounds, WIDE ",ilp.prediction=gshare,ilp.gshare_entries=1", &r),
                         perfect + 8 * 2);
        assert_int_equal(loop_cycles(rounds, WIDE ",ilp.prediction=none,core.branch_latency=1", &r),
                         perfect + rounds);
    }
}

/* XI 4.4.3: "unconditional branches should impose no control hazards"; "divergent branches are immune to
 * mispredictions". */
static void some_branches_cost_nothing(void **state) {
    (void)state;
    const generate_inst jump[] = {{.pc = 1, .mask = ALL, .kind = 'j'},
                                  {.pc = 9, .mask = ALL, .kind = 'i', .dst = 1},
                                  {.kind = 0}},
                        divergent[] = {{.pc = 1, .mask = ALL, .kind = 'j', .a = 5},
                                       {.pc = 2, .mask = 0xff, .kind = 'i', .dst = 1},
                                       {.pc = 9, .mask = ALL ^ 0xff, .kind = 'i', .dst = 2},
                                       {.kind = 0}},
                        back[] = {{.pc = 4, .mask = ALL, .kind = 'j', .a = 5},
                                  divergent[1],
                                  divergent[2],
                                  {.kind = 0}},
                        plain[] = {{.pc = 1, .mask = ALL, .kind = 'i', .dst = 3}, jump[1], {.kind = 0}},
                        plain3[] = {plain[0], divergent[1], divergent[2], {.kind = 0}};
    static const char *const predictions[] = {",ilp.prediction=static", ",ilp.prediction=gshare"};
    for (int p = 0; p < 2; p++) {
        char settings[600];
        snprintf(settings, sizeof settings, "%s%s", ILP, predictions[p]);
        assert_int_equal(cycles_of(jump, settings), cycles_of(plain, settings));
        assert_int_equal(cycles_of(divergent, settings), cycles_of(plain3, settings));
        assert_int_equal(cycles_of(back, settings), cycles_of(plain3, settings)); /* static: taken */
        mechanism_result r = play((const generate_inst *const[]){divergent, NULL}, settings);
        assert_int_equal(r.counts[BRANCHES], 1);
        assert_int_equal(r.counts[DIVERGENT], 1);
        assert_int_equal(r.counts[MISPREDICTED], 0);
        r = play((const generate_inst *const[]){jump, NULL}, settings);
        assert_int_equal(r.counts[BRANCHES], 0);
    }
    assert_int_equal(cycles_of(jump, ILP ",ilp.prediction=none"), cycles_of(plain, ILP) + 8);
    assert_int_equal(cycles_of(divergent, ILP ",ilp.prediction=none"), cycles_of(plain3, ILP) + 8);
}

/* XI 4.4.3: from a divergent branch gshare learns its own prediction. It is wrong about the first execution, which is
 * taken; predicts taken for the second one, which diverges; and is still right about the third. */
static void divergent_branches_teach_the_prediction(void **state) {
    (void)state;
    const generate_inst branch = {.pc = 4, .mask = ALL, .kind = 'j', .a = 5},
                        back = {.pc = 1, .mask = ALL, .kind = 'i', .dst = 1},
                        some_back = {.pc = 1, .mask = 0xff, .kind = 'i', .dst = 2},
                        others_on = {.pc = 5, .mask = ALL ^ 0xff, .kind = 'i', .dst = 3};
    const generate_inst code[] = {branch, back, branch, some_back, others_on, branch, back, {.kind = 0}};
    mechanism_result r =
        play((const generate_inst *const[]){code, NULL}, ILP ",ilp.prediction=gshare,ilp.gshare_entries=1");
    assert_int_equal(r.counts[BRANCHES], 3);
    assert_int_equal(r.counts[DIVERGENT], 1);
    assert_int_equal(r.counts[MISPREDICTED], 1);
}

/* A branch that reads no register counts as conditional if its executions go different ways, even if only those of
 * different CTAs do. */
static void branches_are_known_from_all_ctas(void **state) {
    (void)state;
    const generate_inst there[] = {{.pc = 1, .mask = ALL, .kind = 'j'},
                                   {.pc = 9, .mask = ALL, .kind = 'i', .dst = 1},
                                   {.kind = 0}},
                        on[] = {there[0], {.pc = 2, .mask = ALL, .kind = 'i', .dst = 1}, {.kind = 0}};
    const generate_inst *const warps[] = {there, there, on, NULL};
    ws_trace *trace = generate_coded_ctas("llvm", 3, warps);
    assert_int_equal(mechanism_run(trace, 1, ILP).counts[BRANCHES], 3);
    assert_int_equal(mechanism_run(trace, 1, ILP ",limit.ctas=2").counts[BRANCHES], 0);
    ws_trace_close(trace);
}

/* XI 4.4.3, of a misprediction: "we only need to nullify those from the same warp". */
static void a_misprediction_holds_its_own_warp(void **state) {
    (void)state;
    const generate_inst wrong[] = {{.pc = 1, .mask = ALL, .kind = 'j', .a = 5}, /* forward, and taken */
                                   {.pc = 9, .mask = ALL, .kind = 'i', .dst = 1},
                                   {.kind = 0}};
    generate_inst chain[LONGEST + 1];
    make_chain(chain, 'i', 12, false);
    const generate_inst *const both[] = {wrong, chain, NULL}, *const alone[] = {chain, NULL};
    mechanism_result r = play(both, WIDE);
    assert_int_equal(r.counts[MISPREDICTED], 1);
    /* the other warp's two instructions take two issue slots between the twelve, which never wait */
    assert_int_equal(r.counters.cycles, play(alone, WIDE).counters.cycles + 2);
}

/* ---- against a naive core, simulated cycle by cycle */

static void random_code(uint64_t *r, generate_inst *code, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        bool jumps = random_one_in(r, 6);
        code[i] = (generate_inst){.pc = i,
                                  .mask = random_one_in(r, 4) ? random_next(r) & ALL : ALL,
                                  .kind = jumps ? 'j' : 'i',
                                  .dst = (uint16_t)(jumps ? 0 : random_below(r, 6)),
                                  .a = (uint16_t)random_below(r, 6),
                                  .b = (uint16_t)random_below(r, 6)};
    }
    code[count] = (generate_inst){.kind = 0};
}

static void random_cores_are_like_naive(void **state) {
    (void)state;
    const generate_inst one[] = {{.mask = ALL, .kind = 'i'}, {.kind = 0}}, *const single[] = {one, NULL};
    for (uint64_t seed = 1; seed <= 150; seed++) {
        uint64_t r = seed;
        generate_inst code[7][LONGEST + 1]; /* not 8: a cycle's last fetch takes a cycle more */
        const generate_inst *warps[8] = {NULL};
        for (unsigned w = 0, count = 1 + random_below(&r, 7); w < count; w++) {
            random_code(&r, code[w], 1 + random_below(&r, LONGEST));
            warps[w] = code[w];
        }
        naive_ilp_core core = {.entries = random_below(&r, 20),
                               .latency = 1 + random_below(&r, 10),
                               .branch_latency = 1 + random_below(&r, 10),
                               .pipeline = 1 + random_below(&r, 3),
                               .bypasses = random_one_in(&r, 2),
                               .predicts = random_one_in(&r, 2)};
        char settings[900];
        snprintf(settings, sizeof settings,
                 ILP
                 ",ilp.scoreboard_entries=%u,core.int_latency=%u,core.branch_latency=%u,core.fp_latency=%u,"
                 "core.pipeline_cycles=%u,ilp.bypass=%s,ilp.prediction=%s",
                 core.entries, core.latency, core.branch_latency, core.latency, core.pipeline,
                 core.bypasses ? "true" : "false", core.predicts ? "perfect" : "none");
        uint64_t expected = naive_ilp_run(&core, warps) - naive_ilp_run(&core, single);
        uint64_t got = play(warps, settings).counters.cycles - play(single, settings).counters.cycles;
        if (got != expected)
            fail_msg("seed %d, %s: %d cycles, expected %d", (int)seed, settings, (int)got, (int)expected);
    }
}

/* ---- laws */

static void laws_on_random_traces(void **state) {
    (void)state;
    static const char *const designs[] = {
        "ilp.scoreboard_entries=8", "ilp.scoreboard_entries=2,ilp.prediction=gshare",
        "ilp.scoreboard_entries=3,ilp.bypass=false,ilp.prediction=none",
        "ilp.scoreboard_entries=16,ilp.prediction=perfect", "ilp.scoreboard_entries=0"};
    uint64_t alone = 0, boarded = 0, mispredicted = 0;
    for (uint64_t seed = 2; seed <= 40; seed += 2) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (int g = 0; g < MECHANISM_GPUS; g++) {
            char base[600], with[900];
            snprintf(base, sizeof base, "%s,core.dependences=one_in_flight", mechanism_gpus[g]);
            snprintf(with, sizeof with, "%s,mechanism.core=ilp,%s", base,
                     designs[(seed / 2 + (uint64_t)g) % 5]);
            mechanism_result off = mechanism_run(trace, 1, base), on = mechanism_run(trace, 1, with),
                             again = mechanism_run(trace, 1, with);
            assert_memory_equal(&on, &again, sizeof on);
            assert_int_equal(on.counters.warp_instructions, off.counters.warp_instructions);
            assert_int_equal(on.counters.thread_instructions, off.counters.thread_instructions);
            assert_int_equal(on.counters.l1_accesses, off.counters.l1_accesses);
            assert_int_equal(on.counters.l1_bypasses, off.counters.l1_bypasses);
            assert_int_equal(on.counts[BOARDED] + on.counts[ALONE], on.counters.warp_instructions);
            assert_true(on.counts[ENTRY_CYCLES] <= on.counts[PEAK] * on.counters.sm_cycles);
            assert_int_equal(on.counts[SM_CYCLES], on.counters.sm_cycles);
            assert_true(on.counts[DIVERGENT] + on.counts[MISPREDICTED] <= on.counts[BRANCHES]);
            alone += on.counts[ALONE];
            boarded += on.counts[BOARDED];
            mispredicted += on.counts[MISPREDICTED];
        }
        ws_trace_close(trace);
    }
    assert_true(alone > 1000 && boarded > 1000 && mispredicted > 100);
}

/* Without entries, bypassing and prediction the mechanism is its baseline, one instruction in flight, under every
 * scheduler. */
static void sized_to_nothing_is_one_in_flight(void **state) {
    (void)state;
    static const char *const schedulers[] = {"gto", "two_level,core.active_warps=2", "swl,core.swl_warps=2"};
    for (uint64_t seed = 2; seed <= 12; seed += 2) {
        ws_trace *trace = generate_random(seed, 32);
        for (size_t i = 0; i < MECHANISM_GPUS * WS_COUNT(schedulers); i++) {
            char base[600], with[900];
            snprintf(base, sizeof base, "%s,core.dependences=one_in_flight,sm.scheduler=%s",
                     mechanism_gpus[i % MECHANISM_GPUS], schedulers[i / MECHANISM_GPUS]);
            snprintf(with, sizeof with,
                     "%s,mechanism.core=ilp,ilp.scoreboard_entries=0,ilp.bypass=false,ilp.prediction=none",
                     base);
            mechanism_result off = mechanism_run(trace, 1, base), on = mechanism_run(trace, 1, with);
            assert_memory_equal(&off.counters, &on.counters, sizeof off.counters);
            assert_int_equal(on.counts[BOARDED] + on.counts[BYPASSED] + on.counts[MISPREDICTED], 0);
        }
        ws_trace_close(trace);
    }
}

enum { LINES = 300 };
static uint32_t two_rounds(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return 2 * LINES;
}
static uint64_t line_of_round(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return 128 * (inst % LINES) + 4 * lane;
}

/* Nor does it then change how many CTAs an SM gets, by which the L1's part of a unified array is chosen: each SM gets
 * one of the four CTAs that it could hold, whose shared memory leaves room in the L1 for all lines. */
static void sized_to_nothing_the_l1_is_that_of_the_baseline(void **state) {
    (void)state;
    ws_trace *trace = generate_worked(&(generate_work){.ctas = 8,
                                                       .warps_per_cta = 1,
                                                       .registers_per_thread = 16,
                                                       .shared_B = 24000,
                                                       .parts = 1,
                                                       .work = two_rounds,
                                                       .address = line_of_round});
    static const char base[] = "gpu=v100,gpu.clusters=8,core.dependences=one_in_flight";
    char with[300];
    snprintf(with, sizeof with,
             "%s,mechanism.core=ilp,ilp.scoreboard_entries=0,ilp.bypass=false,ilp.prediction=none", base);
    mechanism_result off = mechanism_run(trace, 1, base), on = mechanism_run(trace, 1, with);
    assert_int_equal(off.counters.l1_hits, off.counters.l1_accesses / 2);
    assert_memory_equal(&off.counters, &on.counters, sizeof off.counters);
    ws_trace_close(trace);
}

/* Scheduler two_level with one active warp: the second warp's load goes out while the first warp waits for its own,
 * because it reads the register, because it is at a store, which must be its warp's oldest instruction, or, without
 * entries, because nothing may issue beside the load. */
static void a_warp_that_waits_for_a_load_leaves_the_active_set(void **state) {
    (void)state;
    static const generate_inst reads[] = {{.pc = 0, .mask = ALL, .kind = 'l', .dst = 1, .line = 0},
                                          {.pc = 8, .mask = ALL, .kind = 'i', .dst = 2, .a = 1},
                                          {.kind = 0}};
    static const generate_inst stores[] = {{.pc = 0, .mask = ALL, .kind = 'l', .dst = 1, .line = 0},
                                           {.pc = 8, .mask = ALL, .kind = 's', .a = 3, .line = 9},
                                           {.kind = 0}};
    static const generate_inst adds[] = {{.pc = 0, .mask = ALL, .kind = 'l', .dst = 1, .line = 0},
                                         {.pc = 8, .mask = ALL, .kind = 'i', .dst = 2, .a = 3},
                                         {.kind = 0}};
    static const generate_inst other[] = {{.pc = 16, .mask = ALL, .kind = 'l', .dst = 1, .line = 40},
                                          {.kind = 0}};
#define ONE_ACTIVE ILP ",sm.scheduler=two_level,core.active_warps=1"
#define NO_ENTRIES ONE_ACTIVE ",ilp.scoreboard_entries=0"
    static const struct {
        const generate_inst *first;
        const char *settings;
    } cases[] = {{reads, ONE_ACTIVE}, {stores, ONE_ACTIVE}, {adds, NO_ENTRIES}, {stores, NO_ENTRIES}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        const generate_inst *both[] = {cases[i].first, other, NULL};
        uint64_t alone = cycles_of(cases[i].first, cases[i].settings);
        assert_in_range(play(both, cases[i].settings).counters.cycles, alone, alone + 40);
    }
}

static void works_beside_others(void **state) {
    (void)state;
    static const char *const others[] = {"mechanism.front=mrpb", "mechanism.dispatch=warpman",
                                         "mechanism.front=warppool", "mechanism.cluster=icc",
                                         "sm.scheduler=two_level,core.active_warps=2"};
    for (uint64_t seed = 2; seed <= 8; seed += 2) {
        ws_trace *trace = generate_random(seed, 32);
        for (size_t o = 0; o < WS_COUNT(others); o++)
            for (int one = 0; one < 2; one++) {
                char settings[900];
                snprintf(settings, sizeof settings, "%s,core.dependences=one_in_flight,%s%s",
                         mechanism_gpus[1], one ? "" : "mechanism.core=ilp,", others[o]);
                mechanism_result r = mechanism_run(trace, 1, settings);
                assert_int_equal(r.counters.warp_instructions,
                                 mechanism_run(trace, 1, mechanism_gpus[1]).counters.warp_instructions);
            }
        ws_trace_close(trace);
    }
}

/* XI 4.5: only the first ilp.sms SMs have the mechanism, here three of four with a CTA each. The GPU takes as long as
 * the slower kind of SM; the instructions of three CTAs have entries, those of the fourth issue alone. */
static void some_sms_may_have_it(void **state) {
    (void)state;
    generate_plan plan = {.warp_size = 32, .ctas = 4, .warps_per_cta = 1, .insts = 20, .opcode = "ADD"};
    plan.instruction = (ws_static){.class_ = WS_CLASS_INT, .dst_count = 1, .dst = {1}};
    ws_trace *trace = generate_planned(&plan);
#define FOUR ILP ",gpu.clusters=4,sm.ctas=1"
    mechanism_result all = mechanism_run(trace, 1, FOUR),
                     none = mechanism_run(trace, 1, FOUR ",mechanism.core=none"),
                     some = mechanism_run(trace, 1, FOUR ",ilp.sms=3"),
                     one = mechanism_run(trace, 1, FOUR ",limit.ctas=1");
    assert_true(all.counters.cycles < none.counters.cycles);
    assert_int_equal(some.counters.cycles, none.counters.cycles);
    assert_int_equal(all.counts[BOARDED], 4 * 20);
    assert_int_equal(some.counts[BOARDED], 3 * 20);
    assert_int_equal(some.counts[ALONE], 20);
    assert_int_equal(all.counts[PEAK], one.counts[PEAK]);
    assert_int_equal(some.counts[SM_CYCLES], 3 * some.counters.cycles);
    ws_trace_close(trace);
    plan.instruction = (ws_static){.class_ = WS_CLASS_BRANCH, .src_count = 1, .src = {1}};
    trace = generate_planned(&plan);
    assert_int_equal(mechanism_run(trace, 1, FOUR ",ilp.sms=3").counts[BRANCHES], 3 * 20);
    ws_trace_close(trace);
}

/* XI 4.5: SMs with ILP may have fewer registers, and so hold fewer CTAs. If all SMs have ILP, this is the same as
 * sm.registers being smaller. */
static void sms_with_it_may_have_fewer_registers(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = trace_open("traces/hotspot.wst");
#define HALVES                                                                                               \
    "gpu.clusters=3,limit.warp_instructions=20000,core.dependences=one_in_flight,mechanism.core=ilp,"
    mechanism_result all = mechanism_run(trace, 1, HALVES "sm.registers=16384"),
                     few = mechanism_run(trace, 1, HALVES "sm.registers=8192"),
                     same = mechanism_run(trace, 1, HALVES "sm.registers=16384,ilp.registers=8192"),
                     one = mechanism_run(trace, 1, HALVES "sm.registers=16384,ilp.registers=8192,ilp.sms=1"),
                     none = mechanism_run(trace, 1, HALVES "sm.registers=16384,ilp.registers=1,ilp.sms=1");
    assert_memory_equal(&same, &few, sizeof few);
    assert_true(one.counters.warp_cycles > few.counters.warp_cycles);
    assert_true(few.counters.cycles > all.counters.cycles);
    assert_int_equal(none.counts[BOARDED], 0); /* no CTA fits on the one SM that has it */
    assert_int_equal(none.counters.warp_instructions, all.counters.warp_instructions);
    assert_non_null(strstr(mechanism_refusal(trace, HALVES "sm.registers=8192,ilp.registers=8193"),
                           "expected at most sm.registers = 8192"));
    static const char *const refused[][2] = {
        {HALVES "sm.registers=16384,ilp.registers=1", "registers"},
        /* nor does any fit on the SMs that the launch is steered to */
        {HALVES
         "sm.registers=16384,ilp.registers=1,ilp.sms=1,ilp.steering=true,ilp.steering_threads=1000000000",
         "registers"},
        {HALVES "sm.registers=16384,ilp.registers=8192,mechanism.dispatch=warpman",
         "mechanism.dispatch: expected none"},
        /* nor on the SM of the cluster that they belong to */
        {HALVES "sm.registers=16384,ilp.registers=1,ilp.sms=1,gpu.dispatch=distributed",
         "none of cluster 0 holds a CTA, found distributed: "}};
    for (int i = 0; i < 4; i++) {
        ws_timed *timed = mechanism_gpu(trace, refused[i][0]);
        ws_timed_counters counters;
        assert_non_null(timed);
        assert_false(ws_timed_run(timed, 1, &counters, &err));
        assert_non_null(strstr(err.text, refused[i][1]));
        ws_timed_free(timed);
    }
    ws_trace_close(trace);
}

/* ---- parameters, refusals, cost */

static void each_parameter_matters(void **state) {
    (void)state;
    static const char *const changes[] = {"ilp.scoreboard_entries=2",
                                          "ilp.bypass=false",
                                          "ilp.prediction=static",
                                          "ilp.prediction=none",
                                          "ilp.prediction=perfect",
                                          "ilp.gshare_entries=1",
                                          "ilp.sms=1",
                                          "ilp.registers=4096",
                                          "mechanism.core=none",
                                          "core.dependences=registers,mechanism.core=none",
                                          NULL};
    mechanism_each_matters(
        "traces/spmv.wst",
        "gpu.clusters=2,core.dependences=one_in_flight,mechanism.core=ilp,ilp.prediction=gshare,"
        "limit.warp_instructions=20000",
        changes);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    ws_trace *with = generate_random(2, 32), *without = generate_random(1, 32);
#define ON "core.dependences=one_in_flight,mechanism.core=ilp"
    assert_non_null(strstr(mechanism_refusal(without, ON), "expected registers, found none"));
    assert_non_null(strstr(mechanism_refusal(with, "mechanism.core=ilp"),
                           "core.dependences: expected one_in_flight with mechanism.core ilp"));
    assert_non_null(
        strstr(mechanism_refusal(with, ON ",ilp.gshare_entries=500"), "expected a power of two, found 500"));
    assert_non_null(
        strstr(mechanism_refusal(with, ON ",gpu.clusters=2,ilp.sms=3"), "expected at most the GPU's 2 SMs"));
    mechanism_run(with, 1, ON ",gpu.clusters=2,gpu.sms_per_cluster=2,ilp.sms=4");
#define STEERED ON ",gpu.clusters=2,ilp.steering=true"
    assert_non_null(strstr(mechanism_refusal(with, STEERED), "ilp.sms: expected some but not all"));
    assert_non_null(strstr(mechanism_refusal(with, STEERED ",ilp.sms=2"), "expected some but not all"));
    assert_non_null(strstr(mechanism_refusal(with, STEERED ",ilp.sms=1,core.first_launch_sms=1"),
                           "core.first_launch_sms: expected 0 with ilp.steering"));
#define ALIKE ",gpu.dispatch=distributed_block"
    assert_non_null(strstr(mechanism_refusal(with, ON ALIKE ",ilp.registers=100"),
                           "ilp.registers: expected 0 with gpu.dispatch distributed_block"));
    mechanism_run(with, 1, ON ALIKE);
    mechanism_run(with, 1, ON ",sm.registers=65536,ilp.registers=65536");
    ws_trace_close(with);
    ws_trace_close(without);
}

/* XI 4.4.2, 4.4.4, with the 16k registers and 32 warps of XI tab. 6: bits of tags, data, the scheduler, gshare's table,
 * its history. */
static void cost_is_the_published(void **state) {
    (void)state;
    static const uint64_t bits[] = {80, 8736, 256, 1024, 9};
#define TABLE_6 ON ",sm.registers=16384,sm.warps=32,sm.threads=1024,ilp.prediction=gshare"
    ws_cost costs[WS_ADDED_COSTS_MAX];
    assert_int_equal(mechanism_costs(TABLE_6, costs), 5);
    for (int i = 0; i < 5; i++) assert_int_equal(costs[i].bits, bits[i]);
    assert_int_equal(mechanism_costs(TABLE_6 ",gpu.clusters=38,ilp.sms=18", costs), 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(costs[i].bits, 18 * bits[i]);
        assert_int_equal(costs[i].per, WS_PER_GPU);
    }
    /* 8,192 registers: 256 vectors, whose numbers take a bit less; no table without gshare. */
    mechanism_costs(TABLE_6 ",ilp.registers=8192,ilp.prediction=static", costs);
    assert_int_equal(costs[0].bits, 8 * (8 + 1));
    assert_int_equal(costs[3].bits + costs[4].bits, 0);
}

/* A launch has few threads if an SM holds fewer warps of it than ilp.steering_warps, or if it has at most
 * ilp.steering_threads (XI 4.5). Those go to the SMs that have the mechanism. */
static void launches_are_steered_by_their_size(void **state) {
    (void)state;
    static const struct {
        uint32_t warps;
        uint64_t threads;
        bool few;
    } cases[] = {{15, 1000, true}, {16, 100, true}, {16, 101, false}, {15, 101, true}, {16, 0, true}};
    ws_config *config = mechanism_config("mechanism.core=ilp,core.dependences=one_in_flight,gpu.clusters=4,"
                                         "ilp.sms=2,ilp.steering=true,ilp.steering_threads=100");
    const void *params = ws_config_get(config, &ws_ilp_component);
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        for (uint32_t sm = 0; sm < 4; sm++)
            assert_int_equal(ws_mechanism_ilp.core->is_for(params, cases[i].warps, cases[i].threads, sm),
                             cases[i].few == (sm < 2));
    ws_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_come_when_they_are_due),
        cmocka_unit_test(one_in_flight_waits_for_write_back),
        cmocka_unit_test(bypassing_saves_the_write_back),
        cmocka_unit_test(bypassing_behind_collectors),
        cmocka_unit_test(memory_is_not_bypassed),
        cmocka_unit_test(entries_bound_what_is_under_way),
        cmocka_unit_test(independent_work_hides_under_a_miss),
        cmocka_unit_test(entries_are_held_until_their_turn),
        cmocka_unit_test(stores_wait_for_their_warp),
        cmocka_unit_test(a_full_board_admits_one_at_a_time),
        cmocka_unit_test(wide_results_wait_for_all_their_entries),
        cmocka_unit_test(branches_wait_unless_predicted),
        cmocka_unit_test(some_branches_cost_nothing),
        cmocka_unit_test(divergent_branches_teach_the_prediction),
        cmocka_unit_test(branches_are_known_from_all_ctas),
        cmocka_unit_test(a_misprediction_holds_its_own_warp),
        cmocka_unit_test(random_cores_are_like_naive),
        cmocka_unit_test(laws_on_random_traces),
        cmocka_unit_test(sized_to_nothing_is_one_in_flight),
        cmocka_unit_test(sized_to_nothing_the_l1_is_that_of_the_baseline),
        cmocka_unit_test(a_warp_that_waits_for_a_load_leaves_the_active_set),
        cmocka_unit_test(works_beside_others),
        cmocka_unit_test(some_sms_may_have_it),
        cmocka_unit_test(sms_with_it_may_have_fewer_registers),
        cmocka_unit_test(each_parameter_matters),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(cost_is_the_published),
        cmocka_unit_test(launches_are_steered_by_their_size),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
