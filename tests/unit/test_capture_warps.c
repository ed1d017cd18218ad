/* Warps formed out of work-items by the capture, compared with programs whose order in lockstep is known. */
#include "../../traces/capture/warps.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SITES_MAX = 64, STREAM_MAX = 1 << 14 };

/* ---- writing a CTA and reading it back */

typedef struct step {
    uint32_t pc, mask;
} step;

typedef struct stream {
    step steps[STREAM_MAX];
    size_t count;
} stream;

static void append(stream *s, uint32_t pc, uint32_t mask) {
    assert_true(s->count < STREAM_MAX);
    s->steps[s->count++] = (step){pc, mask};
}

typedef struct setup {
    ws_writer *writer;
    char path[64];
    capture_site sites[SITES_MAX];
    capture_lane lanes[2 * CAPTURE_WARP_SIZE];
    size_t lane_count;
} setup;

static void set_up(setup *t, size_t lane_count) {
    ws_error err = WS_NO_ERROR;
    *t = (setup){.lane_count = lane_count};
    snprintf(t->path, sizeof t->path, "/tmp/warpsweep-test-%d.wst", (int)getpid());
    t->writer = ws_writer_new(t->path, "llvm", "test", CAPTURE_WARP_SIZE, 0, &err);
    assert_non_null(t->writer);
    for (uint32_t pc = 0; pc < SITES_MAX; pc++)
        t->sites[pc].fixed = (ws_static){.pc = pc, .opcode = ws_writer_opcode(t->writer, "add", 3)};
}

/* Writes the lanes as the only CTA of a launch. The caller closes the trace. */
static ws_trace *write_and_open(setup *t) {
    ws_error err = WS_NO_ERROR;
    ws_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {(uint32_t)t->lane_count, 1, 1}};
    assert_true(ws_writer_kernel(t->writer, &kernel, &err));
    if (!capture_write_cta(t->writer, (ws_dim3){0, 0, 0}, t->sites, t->lanes, t->lane_count, &err))
        fail_msg("%s", err.text);
    assert_true(ws_writer_finish(t->writer, &err));
    ws_writer_free(t->writer);
    for (size_t i = 0; i < t->lane_count; i++) capture_lane_free(&t->lanes[i]);
    ws_trace *trace = ws_trace_open(t->path, &err);
    assert_non_null(trace);
    unlink(t->path);
    return trace;
}

static void expect_stream(setup *t, const stream *expected) {
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = write_and_open(t);
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    assert_true(ws_reader_cta(reader, 1, 0, &cta, &err));
    assert_int_equal(cta.warp_count, 1);
    assert_int_equal(cta.warps[0].inst_count, expected->count);
    for (size_t i = 0; i < expected->count; i++) {
        assert_int_equal(ws_trace_statics(trace)[cta.warps[0].static_id[i]].pc, expected->steps[i].pc);
        assert_int_equal(cta.warps[0].mask[i], expected->steps[i].mask);
    }
    ws_reader_free(reader);
    ws_trace_close(trace);
}

static void run_lane(setup *t, size_t lane, const uint32_t *pcs, size_t count) {
    for (size_t i = 0; i < count; i++) capture_lane_step(&t->lanes[lane], pcs[i]);
}
#define RUN_LANE(t, lane, ...)                                                                               \
    run_lane(t, lane, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* ---- single rules */

static void test_branches_meet_again(void **state) {
    (void)state;
    setup t;
    set_up(&t, 2);
    RUN_LANE(&t, 0, 0, 1, 3);
    RUN_LANE(&t, 1, 0, 2, 3);
    expect_stream(&t, &(stream){.steps = {{0, 3}, {1, 1}, {2, 2}, {3, 3}}, .count = 4});
}

static void test_loop_waits_for_its_last_lane(void **state) {
    (void)state;
    setup t;
    set_up(&t, 3);
    RUN_LANE(&t, 0, 0, 1, 2, 3);
    RUN_LANE(&t, 1, 0, 1, 2, 1, 2, 1, 2, 3);
    RUN_LANE(&t, 2, 0, 1, 2, 1, 2, 3);
    expect_stream(
        &t, &(stream){.steps = {{0, 7}, {1, 7}, {2, 7}, {1, 6}, {2, 6}, {1, 2}, {2, 2}, {3, 7}}, .count = 8});
}

/* Lane 1 calls the function at pc 5 while lane 0 goes on at a smaller pc: the call must end first. */
static void test_calls_end_before_the_caller_goes_on(void **state) {
    (void)state;
    setup t;
    set_up(&t, 2);
    t.sites[1].depth_change = 1;
    t.sites[6].depth_change = -1;
    RUN_LANE(&t, 0, 0, 2, 3);
    RUN_LANE(&t, 1, 0, 1, 5, 6, 3);
    expect_stream(&t, &(stream){.steps = {{0, 3}, {1, 2}, {5, 2}, {6, 2}, {2, 1}, {3, 3}}, .count = 6});
}

static void test_second_warp_has_the_lanes_left(void **state) {
    (void)state;
    setup t;
    set_up(&t, CAPTURE_WARP_SIZE + 3);
    for (size_t lane = 0; lane < t.lane_count; lane++) RUN_LANE(&t, lane, 0);
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = write_and_open(&t);
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    assert_true(ws_reader_cta(reader, 1, 0, &cta, &err));
    assert_int_equal(cta.warp_count, 2);
    assert_int_equal(cta.warps[0].mask[0], UINT32_MAX);
    assert_int_equal(cta.warps[1].mask[0], 7);
    ws_reader_free(reader);
    ws_trace_close(trace);
}

/* Lane 0 has two accesses of one instruction; lane 1 has one, which joins the second of these; lane 2 has none. */
static void test_accesses_of_one_instruction(void **state) {
    (void)state;
    setup t;
    set_up(&t, 3);
    t.sites[0].fixed.class_ = WS_CLASS_MEM;
    capture_lane_access(&t.lanes[0], 0x100, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 16);
    capture_lane_access(&t.lanes[0], 0x110, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 4);
    capture_lane_access(&t.lanes[1], 0x200, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 4);
    for (size_t lane = 0; lane < t.lane_count; lane++) RUN_LANE(&t, lane, 0);
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = write_and_open(&t);
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    assert_true(ws_reader_cta(reader, 1, 0, &cta, &err));
    const ws_warp *warp = &cta.warps[0];
    const uint64_t masks[] = {1, 3, 4}, addresses[] = {0x100, 0x110, 0x200};
    const uint8_t widths[] = {16, 4, 0};
    assert_int_equal(warp->inst_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(warp->mask[i], masks[i]);
        assert_int_equal(ws_trace_statics(trace)[warp->static_id[i]].width_B, widths[i]);
    }
    assert_int_equal(warp->address_at[3], 3);
    assert_memory_equal(warp->addresses, addresses, sizeof addresses);
    ws_reader_free(reader);
    ws_trace_close(trace);
}

/* ---- operands */

static void step_with(setup *t, size_t lane, uint32_t pc, const uint64_t *values, size_t count) {
    capture_lane_step(&t->lanes[lane], pc);
    for (size_t i = 0; i < count; i++) capture_lane_value(&t->lanes[lane], values[i]);
}
#define STEP_WITH(t, lane, pc, ...)                                                                          \
    step_with(t, lane, pc, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

static void expect_operands(const ws_warp *warp, uint32_t i, uint32_t mask, uint32_t uniform,
                            const uint64_t *values, size_t count) {
    assert_int_equal(warp->mask[i], mask);
    assert_int_equal(warp->uniform[i], uniform);
    assert_int_equal(warp->value_at[i + 1] - warp->value_at[i], count);
    assert_memory_equal(warp->values + warp->value_at[i], values, count * sizeof *values);
}
#define EXPECT_OPERANDS(warp, i, mask, uniform, ...)                                                         \
    expect_operands(warp, i, mask, uniform, (const uint64_t[]){__VA_ARGS__},                                 \
                    sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

/* pc 0: result = constant 5 op source; pc 1: lane 2 alone; pc 2: a load in two accesses; pc 3: no operands. */
static void test_operands(void **state) {
    (void)state;
    setup t;
    set_up(&t, 3);
    t.sites[0].fixed.result_values = 1;
    t.sites[0].fixed.source_values = 2;
    t.sites[0].constants = 1u << 1;
    t.sites[0].constant[1] = 5;
    t.sites[1].fixed.source_values = 1;
    t.sites[2].fixed.result_values = 1;
    t.sites[2].fixed.class_ = WS_CLASS_MEM;
    for (uint64_t lane = 0; lane < 3; lane++) {
        STEP_WITH(&t, lane, 0, 40 + lane, 7);
        if (lane == 2) STEP_WITH(&t, lane, 1, 99);
        capture_lane_access(&t.lanes[lane], 0x100, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 16);
        if (lane) capture_lane_access(&t.lanes[lane], 0x110, WS_MEMORY_LOAD, WS_SPACE_GLOBAL, 16);
        STEP_WITH(&t, lane, 2, lane ? 8 : 6);
        capture_lane_step(&t.lanes[lane], 3);
    }
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = write_and_open(&t);
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    assert_true(ws_reader_with_values(reader, &err));
    assert_true(ws_reader_cta(reader, 1, 0, &cta, &err));
    const ws_warp *warp = &cta.warps[0];
    assert_int_equal(warp->inst_count, 5);
    EXPECT_OPERANDS(warp, 0, 7, 6, 5, 7);
    EXPECT_OPERANDS(warp, 1, 4, 1, 99);
    expect_operands(warp, 2, 7, 0, NULL, 0); /* 6, 8, 8 */
    EXPECT_OPERANDS(warp, 3, 6, 1, 8);
    expect_operands(warp, 4, 7, 0, NULL, 0);
    ws_reader_free(reader);
    ws_trace_close(trace);
}

/* ---- random structured programs */

/* A program is a list of nodes; pcs ascend in the order of the source. */
typedef enum node_kind { PLAIN, IF, LOOP } node_kind;
typedef struct node {
    node_kind kind;
    /* of the instruction, of the branch, or of the branch at the end of a loop's round */
    uint32_t pc;
    int body, alternative; /* indexes of the first nodes, -1 for none */
    int next;
} node;

typedef struct program {
    node nodes[SITES_MAX];
    int count;
    uint32_t pcs;
    uint64_t random;
} program;

static int make_list(program *p, int depth) {
    int first = -1, last = -1;
    for (uint32_t n = 1 + random_below(&p->random, 3); n > 0 && p->count < SITES_MAX - 8; n--) {
        int i = p->count++;
        node made = {.kind = depth == 0 ? PLAIN : (node_kind)random_below(&p->random, 3),
                     .body = -1,
                     .alternative = -1,
                     .next = -1};
        if (made.kind != LOOP) made.pc = p->pcs++;
        if (made.kind != PLAIN) made.body = make_list(p, depth - 1);
        if (made.kind == IF && random_below(&p->random, 2)) made.alternative = make_list(p, depth - 1);
        if (made.kind == LOOP) made.pc = p->pcs++;
        p->nodes[i] = made;
        if (first < 0) first = i;
        if (last >= 0) p->nodes[last].next = i;
        last = i;
    }
    return first;
}

/* Whether a lane takes the branch of node `i` in the given round. Loops end after at most four rounds. */
static bool takes(const program *p, int i, int lane, uint32_t round) {
    if (p->nodes[i].kind == LOOP && round >= 4) return false;
    uint64_t random = p->random + (uint64_t)i * 1000003 + (uint64_t)lane * 7919 + round * 31;
    return random_one_in(&random, 2);
}

/* Executes the program with the lanes of `mask` in lockstep: the expected stream of the re-formed warp. */
static void run_together(const program *p, int i, uint32_t mask, stream *out) {
    for (; i >= 0 && mask; i = p->nodes[i].next) {
        const node *n = &p->nodes[i];
        if (n->kind == PLAIN) append(out, n->pc, mask);
        if (n->kind == IF) {
            uint32_t taken = 0;
            for (int lane = 0; lane < CAPTURE_WARP_SIZE; lane++)
                if (mask >> lane & 1 && takes(p, i, lane, 0)) taken |= 1u << lane;
            append(out, n->pc, mask);
            run_together(p, n->body, taken, out);
            run_together(p, n->alternative, mask & ~taken, out);
        }
        uint32_t inside = mask;
        for (uint32_t round = 0; n->kind == LOOP && inside; round++) {
            run_together(p, n->body, inside, out);
            append(out, n->pc, inside);
            for (int lane = 0; lane < CAPTURE_WARP_SIZE; lane++)
                if (inside >> lane & 1 && !takes(p, i, lane, round)) inside &= ~(1u << lane);
        }
    }
}

/* Executes the program with one lane alone, as a simulator of work-items would. */
static void run_alone(const program *p, int i, int lane, capture_lane *out) {
    for (; i >= 0; i = p->nodes[i].next) {
        const node *n = &p->nodes[i];
        if (n->kind != LOOP) capture_lane_step(out, n->pc);
        if (n->kind == IF) run_alone(p, takes(p, i, lane, 0) ? n->body : n->alternative, lane, out);
        for (uint32_t round = 0; n->kind == LOOP; round++) {
            run_alone(p, n->body, lane, out);
            capture_lane_step(out, n->pc);
            if (!takes(p, i, lane, round)) break;
        }
    }
}

static void test_random_programs(void **state) {
    (void)state;
    static stream expected;
    size_t diverged = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        program p = {.random = seed * 1000};
        int first = make_list(&p, 3);
        setup t;
        set_up(&t, CAPTURE_WARP_SIZE);
        for (int lane = 0; lane < CAPTURE_WARP_SIZE; lane++) run_alone(&p, first, lane, &t.lanes[lane]);
        expected.count = 0;
        run_together(&p, first, UINT32_MAX, &expected);
        for (size_t i = 0; i < expected.count; i++) diverged += expected.steps[i].mask != UINT32_MAX;
        expect_stream(&t, &expected);
    }
    assert_true(diverged > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branches_meet_again),
        cmocka_unit_test(test_loop_waits_for_its_last_lane),
        cmocka_unit_test(test_calls_end_before_the_caller_goes_on),
        cmocka_unit_test(test_second_warp_has_the_lanes_left),
        cmocka_unit_test(test_accesses_of_one_instruction),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
