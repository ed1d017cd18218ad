/* Two programs at the same time: each does what it does alone, and the one that ends first begins anew. */
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/pair.h"
#include "base/array.h"
#include "timed/memory/address_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *with(const char *settings, const char *more) {
    static char text[800];
    snprintf(text, sizeof text, "%s,%s", settings, more);
    return text;
}

/* ---- alone, as often as it has finished */

static void alone_it_runs_as_often(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *quick = generate_random(2, 32), *slow = generate_random(104, 32), *joined;
    const char *gpu = "gpu.clusters=2,dram.channels=2,core.first_launch_sms=1";
    joined = ws_trace_join(quick, slow, &err);
    ws_config *config = mechanism_config(gpu);
    ws_timed *timed = ws_timed_new(joined, config, &err), *alone = ws_timed_new(quick, config, &err);
    ws_timed_counters counters;
    assert_true(ws_timed_run(timed, 1, &counters, &err) && ws_timed_run_alone(timed, &err));
    uint64_t runs = ws_timed_runs_of(timed, 1).runs;
    ws_timed_share expected[2] = {0};
    for (uint64_t run = 0; run < runs; run++)
        for (uint32_t i = 0; i < 2; i++) {
            assert_true(ws_timed_run(alone, i + 1, &counters, &err));
            ws_timed_share share = ws_timed_share_of(alone, i + 1);
#define X(name) expected[i].name += share.name;
            WS_TIMED_SHARE(X)
#undef X
        }
    for (uint32_t i = 0; i < 2; i++) {
        ws_timed_share found = ws_timed_alone_of(timed, i + 1);
        assert_memory_equal(&found, &expected[i], sizeof found);
    }
    ws_timed_free(alone);
    ws_timed_free(timed);
    ws_config_free(config);
    ws_trace_close(joined);
    ws_trace_close(quick);
    ws_trace_close(slow);
}

/* ---- closed form: additions, on SMs of their own */

static uint32_t length;
static uint32_t so_many(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return length;
}

/* Returns the number of runs that end within `cycles`; there is one cycle between a run and the next. */
static uint64_t runs_within(uint64_t cycles, uint64_t of_run) {
    return (cycles + 1) / (of_run + 1);
}

static void check_loop(const char *gpu) {
    ws_trace *quick = additions(3, 2, ten), *slow = additions(2, 3, so_many);
    uint64_t of_quick = mechanism_run(quick, 1, gpu).counters.cycles,
             of_slow = mechanism_run(slow, 1, gpu).counters.cycles, expected = runs_within(of_slow, of_quick);
    assert_true(expected > 2);
    char settings[200];
    snprintf(settings, sizeof settings, "%s,gpu.clusters=4,core.first_launch_sms=2", gpu);
    pair p = run_pair(quick, slow, settings), q = run_pair(slow, quick, settings);
    for (int i = 0; i < 2; i++) {
        const pair *r = i ? &q : &p;
        assert_int_equal(r->all.cycles, of_slow);
        assert_int_equal(r->runs[1 - i].runs, 1);
        assert_int_equal(r->runs[1 - i].cycles, of_slow);
        assert_int_equal(r->share[1 - i].cycles, of_slow);
        assert_int_equal(r->runs[i].runs, expected);
        assert_int_equal(r->runs[i].cycles, expected * of_quick);
        assert_int_equal(r->runs[i].ctas, expected * 3);
        assert_int_equal(r->share[i].cycles,
                         of_slow > expected * (of_quick + 1) ? of_slow - expected : expected * of_quick);
        assert_true(r->share[i].warp_instructions >= expected * 60);
        assert_true(r->share[i].warp_instructions <= (expected + 1) * 60);
    }
    ws_trace_close(quick);
    ws_trace_close(slow);
}

static void the_shorter_one_begins_anew_until_the_longer_has_ended(void **state) {
    (void)state;
    for (length = 40; length < 80;
         length++) { /* so that one ends at any time of the other's run, and between runs */
        check_loop("gpu.clusters=2");
        check_loop("gpu.clusters=2,core.launch_cycles=7");
    }
}

/* The cycles before a launch begins do not count as cycles without progress. */
static void a_launch_that_begins_late_is_no_deadlock(void **state) {
    (void)state;
    ws_trace *quick = additions(1, 1, ten), *two_launches = generate_random(2, 32);
    pair p = run_pair(quick, two_launches,
                      "gpu.clusters=2,dram.channels=2,core.loop_programs=false,core.launch_cycles=20000,"
                      "core.deadlock_cycles=10000");
    assert_int_equal(p.launches, 3);
    for (uint32_t i = 0; i < p.launches; i++) assert_int_equal(p.runs[i].runs, 1);
    ws_trace_close(quick);
    ws_trace_close(two_launches);
}

static void or_it_rests(void **state) {
    (void)state;
    ws_trace *quick = additions(3, 2, ten), *slow = additions(2, 3, hundred);
    /* A program that runs alone has all SMs, whatever core.first_launch_sms says. */
    uint64_t of_quick = mechanism_run(quick, 1, "gpu.clusters=2,core.first_launch_sms=1").counters.cycles;
    assert_int_equal(of_quick, mechanism_run(quick, 1, "gpu.clusters=2").counters.cycles);
    pair p = run_pair(quick, slow, "gpu.clusters=4,core.first_launch_sms=2,core.loop_programs=false");
    assert_int_equal(p.runs[0].runs, 1);
    assert_int_equal(p.share[0].cycles, of_quick);
    assert_int_equal(p.share[0].warp_instructions, 60);
    assert_int_equal(p.share[1].warp_instructions, 606);
    ws_trace_close(quick);
    ws_trace_close(slow);
}

/* ---- laws, of random programs */

static const char *const gpus[] = {
    "gpu.clusters=1,dram.channels=2",
    "gpu.clusters=3,dram.channels=2,gpu.dispatch=global_rr,sm.scheduler=lrr",
    "gpu.clusters=2,gpu.sms_per_cluster=2,dram.channels=2,gpu.dispatch=greedy,core.launch_cycles=50",
    ("gpu.clusters=2,dram.channels=2,gpu.dispatch=distributed,l1.access=sector,l1.write=through_lazy,"
     "l1.banks=4,l1.index=linear"),
    ("gpu.clusters=2,dram.channels=3,gpu.dispatch=distributed_block,sm.warps=16,sm.threads=512,"
     "mechanism.front=mrpb"),
    "gpu.clusters=3,dram.channels=2,core.first_launch_sms=1",
    "gpu.clusters=2,dram.channels=2,core.first_launch_sms=1,core.coalescers=2,l1.replacement=random",
    "gpu.clusters=2,gpu.sms_per_cluster=2,dram.channels=2,mechanism.cluster=icc",
    "gpu.clusters=2,dram.channels=2,mechanism.fetch=coarse,coarse.dueling=false,coarse.grain_window=0",
};
enum { GPUS = WS_COUNT(gpus) };

/* Checks that a launch of the pair has done what it does alone at least `least` and at most `most` times. */
static void check_executions(const ws_timed_share *share, const ws_timed_counters *alone, uint64_t least,
                             uint64_t most) {
    const struct {
        uint64_t found, once;
    } parts[] = {{share->ctas, alone->ctas},
                 {share->warp_instructions, alone->warp_instructions},
                 {share->thread_instructions, alone->thread_instructions},
                 {share->loads, alone->loads},
                 {share->l1_accesses + share->l1_bypasses, alone->l1_accesses + alone->l1_bypasses}};
    for (size_t i = 0; i < WS_COUNT(parts); i++)
        if (parts[i].found < least * parts[i].once || parts[i].found > most * parts[i].once)
            fail_msg("part %zu: %llu, expected %llu to %llu times %llu", i,
                     (unsigned long long)parts[i].found, (unsigned long long)least, (unsigned long long)most,
                     (unsigned long long)parts[i].once);
}

/* Each cycle of a scheduler is counted in exactly one way, also where its SM starts anew for another launch. */
static void check_scheduler_cycles(const ws_timed_counters *c, const char *gpu) {
    ws_config *config = mechanism_config(gpu);
    const ws_gpu_params *g = ws_config_get(config, &ws_gpu_component);
    const ws_sm_params *sm = ws_config_get(config, &ws_sm_component);
    assert_int_equal(c->scheduler_issues + c->scheduler_memory + c->scheduler_unit + c->scheduler_data +
                         c->scheduler_barrier + c->scheduler_fetch + c->scheduler_empty,
                     c->cycles * (uint64_t)(g->clusters * g->sms_per_cluster * sm->schedulers));
    ws_config_free(config);
}

static void check_sums(const pair *p) {
    ws_timed_share sum = {0};
    for (uint32_t i = 0; i < p->launches; i++) {
#define X(name) sum.name += p->share[i].name;
        WS_TIMED_SHARE(X)
#undef X
    }
    sum.cycles = p->all.cycles;
#define X(name) assert_int_equal(sum.name, p->all.name);
    WS_TIMED_SHARE(X)
#undef X
    for (uint32_t i = 0; i < p->launches; i += 2)
        assert_true(p->share[i].cycles + p->share[i + 1].cycles <= p->all.cycles);
}

static void check_laws(const ws_trace *a, const ws_trace *b, const char *gpu) {
    pair looped = run_pair(a, b, gpu), again = run_pair(a, b, gpu),
         once = run_pair(a, b, with(gpu, "core.loop_programs=false"));
    assert_memory_equal(&looped, &again, sizeof again);
    assert_int_equal(looped.launches, 4);
    uint64_t fewest = looped.runs[0].runs < looped.runs[2].runs ? looped.runs[0].runs : looped.runs[2].runs;
    assert_int_equal(fewest, 1);
    check_sums(&looped);
    check_sums(&once);
    check_scheduler_cycles(&looped.all, gpu);
    check_scheduler_cycles(&once.all, gpu);
    const char *alone_gpu = strstr(gpu, "first_launch_sms") ? "gpu.clusters=2,dram.channels=2" : gpu;
    for (uint32_t i = 0; i < 4; i++) {
        ws_timed_counters alone = mechanism_run(i < 2 ? a : b, i % 2 + 1, alone_gpu).counters;
        check_executions(&once.share[i], &alone, 1, 1);
        check_executions(&looped.share[i], &alone, looped.runs[i].runs, looped.runs[i].runs + 1);
        assert_int_equal(looped.runs[i].runs, looped.runs[i / 2 * 2].runs);
        assert_true(looped.runs[i].cycles <= looped.share[i].cycles);
        assert_int_equal(once.runs[i].cycles, once.share[i].cycles);
    }
}

static void each_does_what_it_does_alone(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        ws_trace *a = generate_random(seed, 32), *b = generate_random(seed + 100, 32);
        for (int g = (int)seed % EVERY; g < GPUS; g += EVERY) check_laws(a, b, gpus[g]);
        check_laws(a, a, gpus[seed % GPUS]);
        ws_trace_close(a);
        ws_trace_close(b);
    }
}

/* ---- a neighbour that asks the memory for nothing takes no time */

/* A GPU whose first three SMs take launches of few threads: the random program runs on them, the neighbour's additions,
 * of many threads, on the last SM. Each program takes as long as alone, launch after launch, whichever comes first in
 * the pair: a launch finds its SMs as they are when a GPU begins, and only the L2 keeps what earlier launches left.
 * Local memory is as traced, since a program that might share its SMs has it elsewhere. */
static const char kinds[] = "gpu.clusters=4,dram.channels=2,core.local_interleaved=false,core.dependences="
                            "one_in_flight,mechanism.core=ilp,ilp.sms=3,"
                            "ilp.steering=true,ilp.steering_warps=0,ilp.steering_threads=40000";

static void check_undisturbed(const ws_trace *trace, const ws_trace *neighbour, const char *settings) {
    ws_error err = WS_NO_ERROR;
    ws_timed *timed = mechanism_gpu(trace, settings);
    pair first = run_pair(trace, neighbour, settings), second = run_pair(neighbour, trace, settings);
    for (uint32_t i = 0; i < 2; i++) {
        ws_timed_counters alone;
        if (!ws_timed_run(timed, i + 1, &alone, &err)) fail_msg("%s: %s", settings, err.text);
        ws_timed_share expected = ws_timed_share_of(timed, i + 1);
        assert_memory_equal(&first.share[i], &expected, sizeof expected);
        assert_memory_equal(&second.share[i + 1], &expected, sizeof expected);
    }
    uint64_t of_neighbour = mechanism_run(neighbour, 1, settings).counters.cycles;
    assert_int_equal(first.share[2].cycles, of_neighbour);
    assert_int_equal(second.share[0].cycles, of_neighbour);
    ws_timed_free(timed);
}

static void a_quiet_neighbour_takes_no_time(void **state) {
    (void)state;
    static const char *const variants[] = {
        "core.loop_programs=false",
        "core.loop_programs=false,core.launch_cycles=30,sm.scheduler=lrr",
        ("core.loop_programs=false,l1.replacement=random,l1.unified_B=65536,l1.size_B=32768,"
         "ilp.prediction=gshare"),
        "core.loop_programs=false,mechanism.front=mrpb,l1.misses_per_cycle=1,l1.banks=2",
        "core.loop_programs=false,mechanism.front=warppool,sm.scheduler=two_level",
    };
    ws_trace *neighbour = additions(160, 8, ten);
    for (uint64_t seed = 2; seed <= 12; seed += 2) {
        ws_trace *trace = generate_random(seed, 32);
        for (size_t v = 0; v < WS_COUNT(variants); v++)
            check_undisturbed(trace, neighbour, with(kinds, variants[v]));
        ws_trace_close(trace);
    }
    ws_trace_close(neighbour);
}

/* Consecutive launches of one CTA go to consecutive SMs: of all when the program is alone, of its own when it is
 * not. */
static void launches_go_on_behind_the_last_cta(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    generate_plan plan = generate_loads(1, 1, 3, NULL);
    plan.instruction = (ws_static){.class_ = WS_CLASS_INT};
    plan.more_launches = 2;
    ws_trace *trace = generate_planned(&plan), *neighbour = additions(1, 1, ten);
    pair beside = run_pair(neighbour, trace,
                           "gpu.clusters=5,gpu.dispatch=global_rr,core.first_launch_sms=2,"
                           "core.loop_programs=false"),
         alone = {.launches = 0};
    ws_timed *timed = mechanism_gpu(trace, "gpu.clusters=5,gpu.dispatch=global_rr");
    ws_timed_tap(timed, &(ws_timed_taps){.self = &alone, .warp_end = pair_hear_end});
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(ws_timed_run(timed, i + 1, &alone.all, &err));
        assert_int_equal(alone.warps_on[1][i], 1); /* life->instructions is odd */
        assert_int_equal(beside.warps_on[1][i + 2], 1);
    }
    ws_timed_free(timed);
    ws_trace_close(trace);
    ws_trace_close(neighbour);
}

/* ---- memory */

static uint64_t own_line(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x10000) + 128 * (uint64_t)(cta * 40 + warp * 20 + inst) + 4 * lane;
}

/* Each program has an address space of its own: equal addresses are different data, and the programs share room
 * alone. */
static void address_spaces_are_their_own(void **state) {
    (void)state;
    generate_plan plan = generate_loads(4, 2, 20, own_line);
    ws_trace *trace = generate_planned(&plan);
    const char *gpu = "gpu.clusters=1,dram.channels=2,core.loop_programs=false";
    ws_timed_counters alone = mechanism_run(trace, 1, gpu).counters;
    pair p = run_pair(trace, trace, gpu);
    assert_int_equal(alone.l2_hits, 0);
    assert_int_equal(p.all.l2_hits + p.all.l1_hits + p.all.l1_pending_hits, 0);
    assert_int_equal(p.all.l2_misses + p.all.l2_sector_misses,
                     2 * (alone.l2_misses + alone.l2_sector_misses));
    assert_int_equal(p.all.dram_reads, 2 * alone.dram_reads);
    ws_trace_close(trace);
}

/* DRAM rows differ between programs, too. There are fewer rows than lines, so equal addresses of the two programs lie
 * half of all rows apart, and a row is never open for both. */
static void so_are_the_rows_of_the_dram(void **state) {
    (void)state;
    ws_config *config = mechanism_config("dram.channels=4");
    const ws_l1_params *l1 = ws_config_get(config, &ws_l1_component);
    ws_address_map map;
    ws_address_map_init(&map, l1, ws_config_get(config, &ws_l2_component),
                        ws_config_get(config, &ws_dram_component));
    map.programs = true;
    for (uint64_t line = 0; line < 100000; line += 97) {
        uint32_t bank[2];
        uint64_t row[2], other = line + WS_PROGRAM_SPACE_B / (uint64_t)l1->line_B;
        ws_dram_place(&map, line, &bank[0], &row[0]);
        ws_dram_place(&map, other, &bank[1], &row[1]);
        assert_int_equal(ws_slice_of(&map, line), ws_slice_of(&map, other));
        assert_int_equal(bank[0], bank[1]);
        assert_int_equal((row[0] + map.rows.value / 2) % map.rows.value, row[1]);
    }
    ws_config_free(config);
}

static void copies_lie_in_the_l2_for_each_program(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 4, own_line);
    ws_trace *bare = generate_planned(&plan);
    plan.copy_address = 0x10000, plan.copy_B = 4 * 128;
    ws_trace *copied = generate_planned(&plan);
    const char *gpu = "gpu.clusters=1,dram.channels=2,l2.copies=true,core.loop_programs=false";
    assert_int_equal(run_pair(bare, bare, gpu).all.dram_reads,
                     2 * run_pair(bare, copied, gpu).all.dram_reads);
    assert_int_equal(run_pair(copied, copied, gpu).all.dram_reads, 0);
    ws_trace_close(bare);
    ws_trace_close(copied);
}

/* A copy is in the L2 in time for the launch that it comes before: that launch, one of four, reads nothing from
 * DRAM. */
static void copies_come_with_their_launches(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 4, own_line);
    plan.more_launches = 1;
    ws_trace *bare = generate_planned(&plan);
    plan.copy_B = 4 * 128;
    const char *gpu = "gpu.clusters=1,dram.channels=2,l2.copies=true,core.loop_programs=false";
    uint64_t reads = run_pair(bare, bare, gpu).all.dram_reads;
    for (uint32_t launch = 0; launch < 2; launch++) {
        plan.copy_before = launch;
        plan.copy_address = 0x10000 + 40 * 128 * launch;
        ws_trace *copied = generate_planned(&plan);
        assert_int_equal(run_pair(bare, copied, gpu).all.dram_reads, reads - reads / 4);
        assert_int_equal(run_pair(copied, bare, gpu).all.dram_reads, reads - reads / 4);
        ws_trace_close(copied);
    }
    ws_trace_close(bare);
}

enum { L2_LINES = 16 };

/* A copy between two launches is not made before the first one has ended: it fills the whole L2, and so would evict
 * what the other program has copied and not read yet. */
static void no_copy_comes_early(void **state) {
    (void)state;
    generate_plan reads = generate_loads(1, 1, 8, own_line), filling = generate_loads(1, 1, 2, own_line);
    reads.copy_address = 0x10000, reads.copy_B = 8 * 128;
    filling.more_launches = 1;
    filling.copy_before = 1, filling.copy_address = 0x10000 + 40 * 128, filling.copy_B = L2_LINES * 128;
    ws_trace *reader = generate_planned(&reads), *filler = generate_planned(&filling);
    const char *gpu = "gpu.clusters=2,core.first_launch_sms=1,dram.channels=1,l2.slices_per_channel=1,"
                      "l2.size_B=2048,l2.ways=16,l2.copies=true,core.loop_programs=false";
    /* The sectors of all 8 lines that the reader reads, and of the 2 of the filler's second launch. */
    assert_int_equal(run_pair(reader, filler, gpu).all.l2_hits, 4 * (8 + 2));
    assert_int_equal(run_pair(filler, reader, gpu).all.l2_hits, 4 * (8 + 2));
    ws_trace_close(reader);
    ws_trace_close(filler);
}

/* Copies are made in a launch's first run only. The first launch reads as many lines as the L2 has, all of them copied;
 * the second reads as many others. So the only hits are those of the first launch's first run. */
static void copies_are_made_in_the_first_run(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, L2_LINES, own_line);
    plan.more_launches = 1;
    plan.copy_address = 0x10000, plan.copy_B = L2_LINES * 128;
    length = 2000;
    ws_trace *copied = generate_planned(&plan), *slow = additions(1, 1, so_many);
    const char *gpu = "gpu.clusters=2,core.first_launch_sms=1,dram.channels=1,l2.slices_per_channel=1,"
                      "l2.size_B=2048,l2.ways=16,l2.copies=true";
    pair p = run_pair(copied, slow, gpu), q = run_pair(slow, copied, gpu);
    assert_true(p.runs[0].runs >= 3 && q.runs[1].runs >= 3);
    assert_int_equal(p.all.l2_hits, 4 * L2_LINES);
    assert_int_equal(q.all.l2_hits, 4 * L2_LINES);
    ws_trace_close(copied);
    ws_trace_close(slow);
}

/* With all data in the L2 from the beginning, and schedulers that do not take turns, all runs take equally long. A
 * neighbour that goes on for `more` runs of the program longer, and ends at the same point of a run, lets the program
 * do `more` times what it does alone in addition. */
static void check_later_runs(const ws_trace *quick, const char *gpu) {
    ws_error err = WS_NO_ERROR;
    ws_timed *timed = mechanism_gpu(quick, with(gpu, "gpu.clusters=2"));
    ws_timed_counters counters;
    assert_true(ws_timed_run(timed, 1, &counters, &err));
    ws_timed_share alone = ws_timed_share_of(timed, 1);
    uint64_t period = counters.cycles + 1, cycles[3];
    const uint32_t lengths[] = {700, 701, 700 + (uint32_t)period};
    pair p[3];
    for (int i = 0; i < 3; i++) {
        length = lengths[i];
        ws_trace *slow = additions(1, 1, so_many);
        p[i] = run_pair(quick, slow, with(gpu, "gpu.clusters=3,core.first_launch_sms=2"));
        cycles[i] = p[i].runs[1].cycles;
        ws_trace_close(slow);
    }
    /* cycles per addition, so `period` more additions last for `more` runs */
    uint64_t more = cycles[1] - cycles[0];
    assert_int_equal(cycles[2] - cycles[0], more * period);
    assert_int_equal(p[2].runs[0].runs - p[0].runs[0].runs, more);
    assert_int_equal(p[2].runs[0].cycles - p[0].runs[0].cycles, more * alone.cycles);
    assert_int_equal(p[2].runs[0].ctas - p[0].runs[0].ctas, more * alone.ctas);
    assert_true(more > 2 && alone.l1_misses > 0);
#define X(name) assert_int_equal(p[2].share[0].name - p[0].share[0].name, more * alone.name);
    WS_TIMED_SHARE(X)
#undef X
    ws_timed_free(timed);
}

static void later_runs_count_like_the_first(void **state) {
    (void)state;
    generate_plan plan = generate_loads(3, 1, 6, own_line);
    plan.copy_address = 0x10000, plan.copy_B = 128 * 128;
    ws_trace *quick = generate_planned(&plan);
    check_later_runs(quick, "dram.channels=2,l2.copies=true,sm.ctas=1");
    check_later_runs(quick, "dram.channels=2,l2.copies=true,sm.ctas=1,core.launch_cycles=9");
    ws_trace_close(quick);
}

/* ---- mechanisms */

/* What ilp has counted on an SM is not lost when the SM starts anew. */
static void counts_of_mechanisms_are_those_of_all_launches(void **state) {
    (void)state;
    enum { BOARDED, ALONE, SM_CYCLES = 8 };
    for (uint64_t seed = 2; seed <= 6; seed += 2) {
        ws_trace *a = generate_random(seed, 32), *b = generate_random(seed + 100, 32);
        pair p =
            run_pair(a, b,
                     "gpu.clusters=4,dram.channels=2,core.first_launch_sms=2,core.dependences=one_in_flight,"
                     "mechanism.core=ilp");
        assert_true(p.counts[BOARDED] > 0);
        assert_int_equal(p.counts[BOARDED] + p.counts[ALONE], p.all.warp_instructions);
        assert_int_equal(p.counts[SM_CYCLES], 4 * p.all.cycles);
        ws_trace_close(a);
        ws_trace_close(b);
    }
}

/* The same for a front slot: each access is queued or passes, and reads that the L1 cannot take go past it. */
static void counts_of_buffers_are_those_of_all_launches(void **state) {
    (void)state;
    enum { QUEUED, PASSED, STALL_CYCLES, BYPASSED };
    uint64_t bypassed = 0;
    for (uint64_t seed = 2; seed <= 12; seed += 2) {
        ws_trace *a = generate_random(seed, 32), *b = generate_random(seed + 100, 32);
        pair p = run_pair(a, b,
                          "gpu.clusters=4,dram.channels=2,core.first_launch_sms=2,mechanism.front=mrpb,"
                          "mrpb.bypass=all_stalls,l1.mshr_entries=2");
        assert_true(p.counts[BYPASSED] <= p.all.l1_bypasses);
        /* More have reached the buffer than the L1: some are on their way when both programs stop. */
        assert_true(p.counts[QUEUED] + p.counts[PASSED] >= p.all.l1_accesses + p.all.l1_bypasses);
        bypassed += p.counts[BYPASSED];
        ws_trace_close(a);
        ws_trace_close(b);
    }
    assert_true(bypassed > 0);
}

/* The same for a fetch slot, whose first count is that of all reads that the L1s have served. */
static void counts_of_fetches_are_those_of_all_launches(void **state) {
    (void)state;
    generate_plan plan = generate_loads(3, 2, 12, own_line);
    plan.more_launches = 1;
    ws_trace *a = generate_planned(&plan);
    length = 3000;
    ws_trace *b = additions(1, 1, so_many);
    pair p =
        run_pair(a, b, "gpu.clusters=3,core.first_launch_sms=2,mechanism.fetch=coarse,coarse.dueling=false");
    assert_true(p.runs[0].runs >= 2);
    assert_int_equal(p.counts[0], p.all.l1_accesses);
    ws_trace_close(a);
    ws_trace_close(b);
}

/* Runs a launch with an even number of instructions per warp beside one with an odd number and many threads. Launches
 * of few threads go to SM 0 (ilp.sms = 1), launches of many threads to the others. */
static void check_steering(uint32_t ctas, uint32_t warps_per_cta, const char *more, bool few) {
    ws_trace *trace = additions(ctas, warps_per_cta, ten), *other = additions(400, 4, hundred);
    char settings[400];
    snprintf(settings, sizeof settings,
             "gpu.clusters=4,core.dependences=one_in_flight,mechanism.core=ilp,ilp.sms=1,ilp.steering=true%s",
             more);
    pair p = run_pair(trace, other, settings);
    assert_int_equal(p.warps_on[0][0] > 0, few);
    assert_int_equal(p.warps_on[0][1] + p.warps_on[0][2] + p.warps_on[0][3] > 0, !few);
    assert_int_equal(p.warps_on[1][0], 0);
    assert_true(p.warps_on[1][3] > 0);
    ws_trace_close(trace);
    ws_trace_close(other);
}

/* A launch has few threads if an SM holds fewer than 16 of its warps, or if it has 32,768 threads or less (XI 4.5). */
static void launches_are_steered_by_their_threads(void **state) {
    (void)state;
    check_steering(1024, 1, "", true);             /* 32,768 threads */
    check_steering(1025, 1, ",sm.ctas=16", false); /* one CTA more; 16 warps on an SM */
    check_steering(1025, 1, ",sm.ctas=15", true);  /* 15 warps on an SM */
    check_steering(1025, 1, ",sm.ctas=15,ilp.steering_warps=15", false);
    check_steering(1024, 1, ",sm.ctas=16,ilp.steering_threads=32767", false);
    check_steering(300, 4, ",ilp.steering_threads=38400", true);
}

static void a_steered_launch_runs_alone_on_its_kind(void **state) {
    (void)state;
    ws_trace *trace = additions(40, 2, hundred);
    const char *kind =
        "core.dependences=one_in_flight,mechanism.core=ilp,ilp.bypass=false,ilp.scoreboard_entries=0,"
        "ilp.prediction=none";
    char steered[400];
    snprintf(steered, sizeof steered, "gpu.clusters=5,ilp.sms=2,ilp.steering=true,%s", kind);
    uint64_t cycles = mechanism_run(trace, 1, steered).counters.cycles;
    snprintf(steered, sizeof steered, "gpu.clusters=2,%s", kind);
    assert_int_equal(cycles, mechanism_run(trace, 1, steered).counters.cycles);
    ws_trace_close(trace);
}

/* ---- refusals */

static void refuses(const ws_trace *joined, const char *settings, const char *why) {
    const char *text = mechanism_refusal(joined, settings);
    if (!strstr(text, why)) fail_msg("%s: expected \"%s\", found \"%s\"", settings, why, text);
}

static void refusals(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *a = generate_random(2, 32), *joined = ws_trace_join(a, a, &err);
    refuses(joined, "mechanism.dispatch=warpman", "expected one program with mechanism.dispatch");
    refuses(joined, "core.simd_width=8,mechanism.core=scalar", "expected one program with mechanism.core");
    refuses(joined, "core.concurrent_launches=2", "core.concurrent_launches: expected 1 with two programs");
    refuses(joined, "gpu.clusters=2,core.first_launch_sms=2",
            "core.first_launch_sms: expected less than the 2 SMs");
    refuses(joined, "gpu.clusters=2,core.first_launch_sms=1,gpu.dispatch=distributed",
            "gpu.dispatch: expected two_level_rr, global_rr or greedy where launches have SMs of their own, "
            "found distributed, which binds CTAs to clusters");
    refuses(joined, "gpu.clusters=2,core.first_launch_sms=1,gpu.dispatch=distributed_block",
            "found distributed_block, which binds CTAs to clusters");
    ws_config *config = mechanism_config("gpu.clusters=1");
    ws_timed *timed = ws_timed_new(joined, config, &err);
    ws_timed_counters counters;
    assert_false(ws_timed_run(timed, 2, &counters, &err));
    assert_non_null(strstr(err.text, "two programs begin with launch 1, found 2"));
    ws_timed_free(timed);
    ws_config_free(config);
    config = mechanism_config("gpu.clusters=1,sm.shared_B=16");
    timed = ws_timed_new(joined, config, &err);
    assert_false(ws_timed_run(timed, 1, &counters, &err));
    if (!strstr(err.text, "shared_B")) fail_msg("%s", err.text);
    ws_timed_free(timed);
    ws_config_free(config);
    config = mechanism_config("gpu.clusters=1");
    timed = ws_timed_new(joined, config, &err);
    assert_true(ws_timed_run(timed, 1, &counters, &err));
    assert_false(ws_timed_run(timed, 1, &counters, &err));
    assert_non_null(strstr(err.text, "start with a new one"));
    ws_timed_free(timed);
    ws_config_free(config);
    ws_trace_close(joined);
    ws_trace_close(a);
}

static void a_program_without_launches_is_refused(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *some = additions(1, 1, ten);
    const ws_trace_info *info = ws_trace_get_info(some);
    ws_writer *writer =
        ws_writer_new(folder_path("empty.wst"), info->isa, "test", info->warp_size, info->features, &err);
    assert_true(writer && ws_writer_finish(writer, &err));
    ws_writer_free(writer);
    ws_trace *none = ws_trace_open(folder_path("empty.wst"), &err);
    for (int i = 0; i < 2; i++) {
        ws_trace *joined = ws_trace_join(i ? none : some, i ? some : none, &err);
        ws_timed *timed = mechanism_gpu(joined, "gpu.clusters=1");
        ws_timed_counters counters;
        assert_true(joined && timed);
        assert_false(ws_timed_run(timed, 1, &counters, &err));
        if (!strstr(err.text, "empty.wst: expected launches, found none")) fail_msg("%s", err.text);
        ws_timed_free(timed);
        ws_trace_close(joined);
    }
    ws_trace_close(none);
    ws_trace_close(some);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shorter_one_begins_anew_until_the_longer_has_ended),
        cmocka_unit_test(or_it_rests),
        cmocka_unit_test(a_launch_that_begins_late_is_no_deadlock),
        cmocka_unit_test(alone_it_runs_as_often),
        cmocka_unit_test(each_does_what_it_does_alone),
        cmocka_unit_test(a_quiet_neighbour_takes_no_time),
        cmocka_unit_test(launches_go_on_behind_the_last_cta),
        cmocka_unit_test(address_spaces_are_their_own),
        cmocka_unit_test(so_are_the_rows_of_the_dram),
        cmocka_unit_test(copies_lie_in_the_l2_for_each_program),
        cmocka_unit_test(copies_come_with_their_launches),
        cmocka_unit_test(no_copy_comes_early),
        cmocka_unit_test(copies_are_made_in_the_first_run),
        cmocka_unit_test(later_runs_count_like_the_first),
        cmocka_unit_test(counts_of_mechanisms_are_those_of_all_launches),
        cmocka_unit_test(counts_of_buffers_are_those_of_all_launches),
        cmocka_unit_test(counts_of_fetches_are_those_of_all_launches),
        cmocka_unit_test(launches_are_steered_by_their_threads),
        cmocka_unit_test(a_steered_launch_runs_alone_on_its_kind),
        cmocka_unit_test(refusals),
        cmocka_unit_test(a_program_without_launches_is_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
