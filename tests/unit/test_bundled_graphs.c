/* The bundled graph traces: what the three kernels of an iteration over a frontier hand to each other, and
 * PageRank's accesses. */
#include "../support/bundled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LAUNCHES_MAX = 1024, USES_MAX = 8 };

/* Counts how often operation `op` accesses the array that was copied to the device by copy number `copy`. */
typedef struct array_use {
    ws_memory_op op;
    uint32_t copy;
    uint64_t lanes[LAUNCHES_MAX], distinct[LAUNCHES_MAX]; /* indexed by launch number */
} array_use;

static void add_use(array_use *use, uint32_t launch, const ws_memcpy *array, uint32_t *last_use,
                    const uint64_t *addresses, uint32_t count) {
    for (uint32_t a = 0; a < count; a++) {
        const uint64_t at = addresses[a] - array->address;
        if (at >= array->bytes) continue;
        use->lanes[launch]++;
        use->distinct[launch] += last_use[at] != launch;
        last_use[at] = launch;
    }
}

static void find_uses(const ws_trace *trace, array_use *uses, size_t count) {
    ws_error err = WS_NO_ERROR;
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    uint32_t *last_use[USES_MAX];
    assert_true(count <= USES_MAX && ws_trace_get_info(trace)->kernel_count < LAUNCHES_MAX);
    for (size_t u = 0; u < count; u++)
        last_use[u] = calloc(ws_trace_memcpy(trace, uses[u].copy)->bytes, sizeof *last_use[u]);
    for (uint32_t launch = 1; launch <= ws_trace_get_info(trace)->kernel_count; launch++)
        for (uint32_t c = 0; c < ws_trace_kernel(trace, launch)->counters.ctas; c++) {
            assert_true(ws_reader_cta(reader, launch, c, &cta, &err));
            for (const ws_warp *warp = cta.warps; warp < cta.warps + cta.warp_count; warp++)
                for (uint32_t i = 0; i < warp->inst_count; i++)
                    for (size_t u = 0; u < count; u++)
                        if (ws_trace_statics(trace)[warp->static_id[i]].op == uses[u].op)
                            add_use(&uses[u], launch, ws_trace_memcpy(trace, uses[u].copy), last_use[u],
                                    warp->addresses + warp->address_at[i],
                                    warp->address_at[i + 1] - warp->address_at[i]);
        }
    for (size_t u = 0; u < count; u++) free(last_use[u]);
    ws_reader_free(reader);
}

static void expect_kernel(const ws_trace *trace, uint32_t launch, const char *name) {
    assert_string_equal(ws_trace_kernel(trace, launch)->name, name);
}

static const char *const graph_kinds[] = {"kron", "delaunay", "road", "collab"};

static ws_trace *open_graph(const char *program, const char *kind) {
    char name[64];
    snprintf(name, sizeof name, "graphs/%s-%s", program, kind);
    return bundled_open(name);
}

/* numbers of the copies to the device in the traces with frontiers */
enum { ARCS = 1, NODES = 2, EDGES, LOOKUP, LABEL };

/* Checks each iteration of three launches. Expansion writes the edges that the next two kernels read; the nodes that
 * contraction remembers in the lookup table are exactly the next frontier. `label_op` is the operation that changes
 * labels. Returns the number of arcs read. */
static uint64_t expect_frontiers(const ws_trace *trace, const char *const kernels[3], ws_memory_op label_op) {
    enum { NODES_READ, EDGES_WRITTEN, EDGES_READ, CHANGES, REMEMBERED, LOOKED_UP, NEXT, ARCS_READ, USES };
    static array_use uses[USES];
    memset(uses, 0, sizeof uses);
    static const uint32_t copies[USES] = {NODES, EDGES, EDGES, LABEL, LOOKUP, LOOKUP, NODES, ARCS};
    const ws_memory_op L = WS_MEMORY_LOAD, S = WS_MEMORY_STORE, ops[USES] = {L, S, L, label_op, S, L, S, L};
    for (size_t u = 0; u < USES; u++) uses[u].copy = copies[u], uses[u].op = ops[u];
    find_uses(trace, uses, USES);
    const uint32_t launches = ws_trace_get_info(trace)->kernel_count;
    uint64_t frontier = 1, changes = 0, arcs = 0;
    for (uint32_t launch = 1; launch <= launches; launch += 3) {
        for (uint32_t k = 0; k < 3; k++) expect_kernel(trace, launch + k, kernels[k]);
        assert_int_equal(uses[NODES_READ].lanes[launch], frontier);
        const uint64_t edges = uses[EDGES_WRITTEN].lanes[launch];
        assert_int_equal(uses[EDGES_WRITTEN].distinct[launch], edges);
        assert_int_equal(uses[ARCS_READ].lanes[launch], edges);
        for (uint32_t k = 1; k < 3; k++) {
            assert_int_equal(uses[EDGES_READ].lanes[launch + k], edges);
            assert_int_equal(uses[EDGES_READ].distinct[launch + k], edges);
        }
        assert_int_equal(uses[LOOKED_UP].lanes[launch + 2], edges);
        frontier = uses[NEXT].lanes[launch + 2];
        assert_int_equal(uses[NEXT].distinct[launch + 2], frontier);
        assert_int_equal(uses[REMEMBERED].distinct[launch + 1], frontier);
        assert_true(uses[CHANGES].distinct[launch + 1] >= frontier);
        changes += uses[CHANGES].lanes[launch + 1];
        arcs += edges;
    }
    assert_int_equal(frontier, 0);
    assert_true(changes > 0);
    return arcs;
}

/* BFS expands each node of the source's component once, so at most all arcs are read; the component has most of
 * them. */
static void test_bfs_push(void **state) {
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        ws_trace *trace = open_graph("bfs_push", graph_kinds[i]);
        const uint64_t all = ws_trace_memcpy(trace, ARCS)->bytes / 4;
        const uint64_t arcs = expect_frontiers(
            trace, (const char *const[]){"bfs_expand", "bfs_contract", "bfs_filter"}, WS_MEMORY_STORE);
        assert_in_range(arcs, all * 9 / 10, all);
        ws_trace_close(trace);
    }
}

static void test_sssp(void **state) {
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        ws_trace *trace = open_graph("sssp", graph_kinds[i]);
        const uint64_t all = ws_trace_memcpy(trace, ARCS)->bytes / 4;
        const uint64_t arcs = expect_frontiers(
            trace, (const char *const[]){"sssp_expand", "sssp_compaction", "sssp_filter"}, WS_MEMORY_ATOMIC);
        assert_true(arcs > all); /* nodes improve, and are expanded, more than once */
        ws_trace_close(trace);
    }
}

/* In each iteration every arc carries a share and adds it to its target's label. */
static void test_pagerank(void **state) {
    (void)state;
    static array_use uses[] = {{.op = WS_MEMORY_LOAD, .copy = 1 /* arcs */},
                               {.op = WS_MEMORY_STORE, .copy = 3 /* frontier of edges */},
                               {.op = WS_MEMORY_LOAD, .copy = 4 /* their shares */},
                               {.op = WS_MEMORY_REDUCTION, .copy = 5 /* label */}};
    for (size_t i = 0; i < 4; i++) {
        ws_trace *trace = open_graph("pagerank", graph_kinds[i]);
        const uint64_t arcs = ws_trace_memcpy(trace, 1)->bytes / 4;
        for (size_t u = 0; u < 4; u++) uses[u] = (array_use){.op = uses[u].op, .copy = uses[u].copy};
        find_uses(trace, uses, 4);
        assert_int_equal(ws_trace_get_info(trace)->kernel_count, 6);
        for (uint32_t launch = 1; launch <= 6; launch += 3) {
            expect_kernel(trace, launch, "pr_expand");
            expect_kernel(trace, launch + 1, "pr_contract");
            expect_kernel(trace, launch + 2, "pr_update");
            assert_int_equal(uses[0].distinct[launch], arcs);
            assert_int_equal(uses[1].distinct[launch], arcs);
            assert_int_equal(uses[2].distinct[launch + 1], arcs);
            assert_int_equal(uses[3].lanes[launch + 1], arcs);
        }
        ws_trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bfs_push),
        cmocka_unit_test(test_sssp),
        cmocka_unit_test(test_pagerank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
