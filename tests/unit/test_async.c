/* Asynchronous copies: the exact cycle at which a wait for copy groups ends, and that it is the cycle at which a
 * wait for the destination registers of the same number of loads would end. */
#include "../support/async_program.h"
#include "../support/folder.h"
#include "../support/mechanism_run.h"
#include "../support/random.h"
#include "../support/trace.h"
#include "base/array.h"
#include "timed/sm/core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- which warps wait, against a naive list of all copies in flight */

enum { COPIES = 40, STEPS = 20000 };

typedef struct naive_copy {
    bool flies;
    uint32_t group;
} naive_copy;

typedef struct naive_warp {
    naive_copy copies[COPIES]; /* indexed by load number */
    uint32_t group;
    bool waits;
    uint32_t open; /* the number of latest groups that the wait leaves open */
} naive_warp;

/* True if some copy in flight belongs to a group that is closed and not among the last `open` ones. */
static bool naive_waits(const naive_warp *w) {
    for (uint32_t i = 0; w->waits && i < COPIES; i++)
        if (w->copies[i].flies && w->copies[i].group + w->open < w->group) return true;
    return false;
}

/* Warps that do not wait issue copies, commits and waits at random; copies return in any order. */
static void waits_end_with_their_last_copy(void **state) {
    (void)state;
    enum { WARPS = 3 };
    uint64_t random = 1, waited = 0, at_once = 0;
    ws_engine e = {0};
    ws_sm *s = calloc(1, sizeof *s);
    s->load_places.room = COPIES;
    naive_warp warps[WARPS] = {0};
    bool taken[COPIES] = {false};
    for (uint32_t step = 0; step < STEPS; step++) {
        unsigned at = random_below(&random, WARPS);
        uint32_t load = random_below(&random, COPIES);
        naive_warp *w = &warps[at];
        ws_timed_static commit = {.async = WS_ASYNC_COMMIT},
                        wait = {.async = WS_ASYNC_WAIT, .open_groups = (uint16_t)random_below(&random, 4)};
        if (taken[load]) {
            for (at = 0; !warps[at].copies[load].flies;) at++;
            warps[at].copies[load].flies = taken[load] = false;
            ws_async_copied(&e, s, at, load);
        } else if (!naive_waits(w)) {
            w->waits = false;
            switch (random_below(&random, 4)) {
            case 0:
                w->group++;
                ws_async_issued(s, at, &commit);
                break;
            case 1:
                w->waits = true;
                w->open = wait.open_groups;
                ws_async_issued(s, at, &wait);
                *(naive_waits(w) ? &waited : &at_once) += 1;
                break;
            default:
                w->copies[load] = (naive_copy){.flies = true, .group = w->group};
                taken[load] = true;
                ws_async_copy_issued(&e, s, at, load);
            }
        }
        for (unsigned i = 0; i < WARPS; i++) assert_int_equal(s->copying >> i & 1, naive_waits(&warps[i]));
    }
    assert_true(waited > 100 && at_once > 100);
    assert_false(e.failed);
    ws_async_free(s);
    free(s);
}

/* ---- the same programs with loads into registers instead of copies */

static void assert_same(const async_random *scripts, const char *settings) {
    ws_trace *copies = async_script(scripts->warps, scripts->ctas, ASYNC_COPIES),
             *twin = async_script(scripts->warps, scripts->ctas, ASYNC_REGISTERS);
    mechanism_result a = mechanism_run(copies, 1, settings), b = mechanism_run(twin, 1, settings);
    if (memcmp(&a, &b, sizeof a) != 0)
        fail_msg("%s, '%s' ..: %llu cycles, with registers %llu", settings, scripts->warps[0],
                 (unsigned long long)a.counters.cycles, (unsigned long long)b.counters.cycles);
    assert_int_equal(a.counters.loads, scripts->loads); /* each load returns once */
    ws_trace_close(copies);
    ws_trace_close(twin);
}

static void waits_last_as_long_as_those_for_registers(void **state) {
    (void)state;
    static const char *const variants[] = {"sm.scheduler=lrr",
                                           "sm.scheduler=gto,l1.latency=20",
                                           "sm.scheduler=two_level,core.active_warps=1",
                                           "sm.scheduler=swl,core.swl_warps=2",
                                           "core.memory_queue=1,l1.mshr_entries=1,noc.in_buffer=1",
                                           "core.coalescers=3,l1.banks=2",
                                           "mechanism.front=warppool",
                                           "mechanism.front=mrpb",
                                           "core.dependences=one_in_flight"};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        async_random scripts;
        async_randomize(&scripts, seed);
        for (size_t v = 0; v < WS_COUNT(variants); v++) {
            char settings[400];
            snprintf(settings, sizeof settings, "%s,%s", mechanism_gpus[(seed + v) % MECHANISM_GPUS],
                     variants[v]);
            assert_same(&scripts, settings);
        }
    }
}

/* ---- exact answers */

static ws_timed_counters run(const char *script, const char *settings) {
    ws_trace *trace = async_script((const char *const[]){script, NULL}, 1, ASYNC_COPIES);
    char all[200];
    snprintf(all, sizeof all,
             "gpu.clusters=1,core.fetch_insts=16,core.pipeline_cycles=6,l1.latency=30,sm.schedulers=1%s%s",
             *settings ? "," : "", settings);
    ws_timed_counters c = mechanism_run(trace, 1, all).counters;
    ws_trace_close(trace);
    return c;
}

static uint64_t cycles(const char *script) {
    return run(script, "").cycles;
}

/* cycles from the issue of an access that hits to the issue of the instruction that depends on it */
enum { HIT = 30 + 6 - 1 };

static void each_wait_takes_a_hit(void **state) {
    (void)state;
    ws_timed_counters few = run("C0 G W0 C0 G W0 A", ""), many = run("C0 G W0 C0 G W0 C0 G W0 A", "");
    assert_int_equal(many.cycles - few.cycles, HIT);
    assert_int_equal(many.scheduler_issues - few.scheduler_issues, 3);
    assert_int_equal(many.scheduler_data - few.scheduler_data, HIT - 3);
    assert_int_equal(many.scheduler_fetch, few.scheduler_fetch);
}

/* In steady state a hit's latency is shared by the copies in flight: with one group left open two overlap, with two
 * three. */
static void open_groups_overlap(void **state) {
    (void)state;
    assert_int_equal(cycles("C0 G W0 C0 G C0 G W1 C0 G W1 C0 G W1 C0 G W1 A") -
                         cycles("C0 G W0 C0 G C0 G W1 C0 G W1 A"),
                     HIT);
    assert_int_equal(cycles("C0 G W0 C0 G C0 G C0 G W2 C0 G W2 C0 G W2 C0 G W2 C0 G W2 C0 G W2 A") -
                         cycles("C0 G W0 C0 G C0 G C0 G W2 C0 G W2 C0 G W2 A"),
                     HIT);
}

/* A wait ignores copies in groups that are not closed or that it leaves open, and a wait whose lanes are all
 * inactive waits for nothing. */
static void what_is_not_waited_for(void **state) {
    (void)state;
    uint64_t all = cycles("C0 G C4 G W0 L8 L12"), first = cycles("C0 G C4 G A L8 L12");
    assert_true(all > first + 100);
    assert_int_equal(cycles("C0 G C4 G W2 L8 L12"), first);
    assert_int_equal(cycles("C0 G C4 G W9 L8 L12"), first);
    assert_int_equal(cycles("C0 G C4 G W65536 L8 L12"), first);
    assert_int_equal(cycles("C0 G C4 G w0 L8 L12"), first);
    assert_int_equal(cycles("C0 A C4 A W0 L8 L12"), first);
    assert_int_equal(cycles("c0 G c4 G W0 L8"), cycles("c0 G c4 G A L8"));
    assert_int_equal(cycles("A G A G W0 L8"), cycles("A G A G A L8"));
    assert_int_equal(cycles("W0 A W3 L8"), cycles("A A A L8"));
    /* a negative operand is read like a missing immediate */
    assert_int_equal(cycles("C0 G C4 G W-1 L8 L12"), all);
}

/* A group ends with its slowest copy, in whatever order they return, and implies that earlier groups have ended. */
static void groups_end_with_their_slowest(void **state) {
    (void)state;
    uint64_t slow = cycles("C0 G W0 C9 G W0 L0");
    assert_int_equal(cycles("C0 G W0 C9 C0 G W0 L0"), slow);
    assert_int_equal(cycles("C0 G W0 C9 G C0 G W1 L0"), slow);
    assert_int_equal(cycles("C0 G W0 C9 G C0 G W0 L0"), slow);
}

/* A warp does not end before its last copy has returned, whether it waits for it or not. */
static void a_warp_ends_with_its_last_copy(void **state) {
    (void)state;
    assert_int_equal(cycles("C0"), cycles("L0"));
    assert_int_equal(cycles("C0 G W0"), cycles("C0 G A"));
}

static void a_deadlock_tells_of_the_wait(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = async_script((const char *const[]){"C0 G W0 A", NULL}, 1, ASYNC_COPIES);
    ws_timed *timed = mechanism_gpu(trace, "dram.latency=2000,core.deadlock_cycles=1000");
    ws_timed_counters counters;
    assert_false(ws_timed_run(timed, 1, &counters, &err));
    assert_non_null(strstr(err.text, "warp 0 waiting for asynchronous copies, "));
    ws_timed_free(timed);
    ws_trace_close(trace);
}

/* A trace with one instruction LDGSTS of that operation and space; a program of the user's own may write any. */
static ws_trace *lone_copy(ws_memory_op op, ws_space space) {
    ws_error err = WS_NO_ERROR;
    const ws_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    const uint64_t addresses[] = {0, 4};
    ws_writer *w = ws_writer_new(folder_path("t.wst"), "sass", "test", 32, 0, &err);
    ws_static s = {
        .class_ = WS_CLASS_MEM, .op = (uint8_t)op, .space = (uint8_t)space, .width_B = 4, .text_width_B = 4};
    s.opcode = ws_writer_opcode(w, "LDGSTS", strlen("LDGSTS"));
    if (!ws_writer_kernel(w, &kernel, &err) || !ws_writer_cta(w, (ws_dim3){0, 0, 0}, &err) ||
        !ws_writer_warp(w, 0, &err) || !ws_writer_inst(w, ws_writer_static(w, &s), 3, addresses, &err) ||
        !ws_writer_finish(w, &err))
        fail_msg("%s", err.text);
    ws_writer_free(w);
    return trace_written("t.wst");
}

static void an_access_that_is_no_load_of_global_memory_is_no_copy(void **state) {
    (void)state;
    for (int op = WS_MEMORY_LOAD; op < WS_MEMORY_OP_COUNT; op++)
        for (int space = WS_SPACE_GLOBAL; space < WS_SPACE_COUNT; space++) {
            ws_trace *trace = lone_copy((ws_memory_op)op, (ws_space)space);
            mechanism_run(trace, 1, "gpu=accelsim-qv100"); /* with operand collectors */
            mechanism_run(trace, 1, mechanism_gpus[0]);
            ws_trace_close(trace);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_end_with_their_last_copy),
        cmocka_unit_test(waits_last_as_long_as_those_for_registers),
        cmocka_unit_test(each_wait_takes_a_hit),
        cmocka_unit_test(open_groups_overlap),
        cmocka_unit_test(what_is_not_waited_for),
        cmocka_unit_test(groups_end_with_their_slowest),
        cmocka_unit_test(a_warp_ends_with_its_last_copy),
        cmocka_unit_test(a_deadlock_tells_of_the_wait),
        cmocka_unit_test(an_access_that_is_no_load_of_global_memory_is_no_copy),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
