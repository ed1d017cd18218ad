/* The graphs of the graph kernels: readers of three formats, what they refuse, generators. */
#include "../../traces/capture/graph.h"

#include "../support/folder.h"
#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static graph *must_read(const char *path) {
    ws_error err = WS_NO_ERROR;
    graph *g = graph_read(path, &err);
    if (!g) fail_msg("%s", err.text);
    return g;
}

/* Fails unless the graph is as `expected` says, each node with its neighbours: "0: 1 2; 1: 0; ..". Frees the graph. */
static void expect_graph(graph *g, const char *expected) {
    char text[1024] = "";
    size_t at = 0;
    for (int node = 0; node < g->node_count; node++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%d:", node ? "; " : "", node);
        for (int i = g->first[node]; i < g->first[node + 1]; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, " %d", g->arcs[i]);
    }
    assert_string_equal(text, expected);
    assert_int_equal(g->first[0], 0);
    assert_int_equal(g->first[g->node_count], g->arc_count);
    graph_free(g);
}

static void expect_file(const char *name, const char *content, const char *expected) {
    expect_graph(must_read(folder_write_text(name, content)), expected);
}

static void expect_refusal(const char *name, const char *content, const char *message) {
    ws_error err = WS_NO_ERROR;
    assert_null(graph_read(folder_write_text(name, content), &err));
    assert_int_equal(err.code, WS_ERROR_TRACE);
    const char *base = strstr(err.text, name);
    assert_non_null(base);
    assert_string_equal(base, message);
}

/* ---- formats */

static void matrix_market(void **state) {
    (void)state;
    const char *triangle = "0: 1 2; 1: 0 2; 2: 0 1; 3:";
    expect_file("a.mtx",
                "%%MatrixMarket matrix coordinate pattern symmetric\n% remark\n4 4 3\n2 1\n3 1\n3 2\n",
                triangle);
    expect_file("a.mtx",
                "%%matrixmarket matrix coordinate real general\r\n4 4 5\r\n2 1 0.5\r\n3 1 -1e3\r\n\r\n"
                "3 2 7\r\n2 3 7\r\n3 3 1\r\n",
                triangle);
}

static void metis(void **state) {
    (void)state;
    expect_file("a.graph", "% remark\n4 3\n2 3 \n1 3\n 1 2\n\n", "0: 1 2; 1: 0 2; 2: 0 1; 3:");
    expect_file("a.metis", "3 2 1\n2 50\n1 50 3 60\n2 60\n", "0: 1; 1: 0 2; 2: 1");
    expect_file("a.graph", "3 2 111 2\n9 8 7 2 50\n9 8 7 1 50 3 60\n9 8 7 2 60\n", "0: 1; 1: 0 2; 2: 1");
    expect_file("a.graph", "3 2 10\n9 2\n9 1 3\n9 2", "0: 1; 1: 0 2; 2: 1");
}

/* Numbers of nodes with gaps, CR LF, edges in one direction or both, further columns, loops, files without a head. */
static void edge_lists(void **state) {
    (void)state;
    expect_file("a.txt", "# Nodes: 3\r\n#\r\n100\t7\r\n7\t100\r\n5000\t7\r\n5000\t5000\r\n",
                "0: 1 2; 1: 0; 2: 0");
    expect_file("a.mtx", "2 1\n3 2\n", "0: 1; 1: 0 2; 2: 1");
    expect_file("a.el", "% konect\n1 2 5 1234567\n\n  2 3", "0: 1; 1: 0 2; 2: 1");
}

/* ---- refusals */

static void damaged_files_name_the_line(void **state) {
    (void)state;
    static const struct {
        const char *name, *content, *message;
    } cases[] = {
        {"a.mtx", "", "a.mtx:1: expected a graph, found the end of the file"},
        {"a.mtx", "%%MatrixMarket matrix array real general\n2 2\n",
         "a.mtx:1: expected %%MatrixMarket matrix coordinate, found '%%MatrixMarket matrix array real "
         "general'"},
        {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n",
         "a.mtx:2: expected as many columns as rows, 2, found '3 1'"},
        {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n",
         "a.mtx:4: expected 2 entries, of which 1 are there, found the end of the file"},
        {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n2 3\n",
         "a.mtx:4: expected the end after 1 entries, found '2 3'"},
        {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n0 2\n",
         "a.mtx:3: expected a row from 1 to 3, found '0 2'"},
        {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n% only a head\n",
         "a.mtx:3: expected the numbers of rows, columns and entries, found the end of the file"},
        {"a.graph", "3 2\n2\n1 4\n2\n", "a.graph:3: expected a neighbour from 1 to 3, found '4'"},
        {"a.graph", "3 2\n2\n1 3\n",
         "a.graph:4: expected a line for each of 3 nodes, found the end of the file"},
        {"a.graph", "3 2\n2\n1 3\n2\n1\n", "a.graph:5: expected the end after 3 nodes, found '1'"},
        {"a.graph", "3 3\n2\n1 3\n2\n", "a.graph:1: expected 6 neighbours for 3 edges, found 4"},
        {"a.graph", "3 2 12\n", "a.graph:1: expected a format of digits 0 and 1, found '12'"},
        {"a.graph", "3 2 1\n2\n1 50 3 60\n2 60\n",
         "a.graph:2: expected the weight of an edge from 0 to 1073741824, found the end of the line"},
        {"a.txt", "1 2\n1 x\n", "a.txt:2: expected a second node from 0 to 2147483647, found 'x'"},
        {"a.txt", "1 2\n\n1\r\n",
         "a.txt:3: expected a second node from 0 to 2147483647, found the end of the line"},
        {"a.txt", "1 2\n-1 2\n", "a.txt:2: expected a node from 0 to 2147483647, found '-1 2'"},
        {"a.txt", "1 99999999999999999999\n",
         "a.txt:1: expected a second node from 0 to 2147483647, found '99999999999999999999'"},
        {"a.txt", "# nothing\n", "a.txt:2: expected edges: two nodes a line, found the end of the file"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        expect_refusal(cases[i].name, cases[i].content, cases[i].message);
    ws_error err = WS_NO_ERROR;
    assert_null(graph_read(folder_path("absent.txt"), &err));
    assert_int_equal(err.code, WS_ERROR_IO);
}

/* A file in which bytes are changed, missing or added gives a graph or an error that names the file, and nothing
 * else. */
static void random_damage_is_no_crash(void **state) {
    (void)state;
    static const struct {
        const char *name, *content;
    } files[] = {
        {"a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n% remark\n4 4 3\n2 1\n3 1\n3 2\n"},
        {"a.graph", "3 2 111 2\n9 8 7 2 50\n9 8 7 1 50 3 60\n9 8 7 2 60\n"},
        {"a.txt", "# Nodes: 3\r\n100\t7\r\n7\t100\r\n5000\t7\r\n"},
    };
    uint64_t random = 1;
    for (int round = 0; round < 3000; round++) {
        const char *content = files[round % 3].content;
        char text[256];
        size_t length = 0;
        for (; *content; content++) {
            const bool hit = random_one_in(&random, 20);
            if (!hit || random_one_in(&random, 2)) text[length++] = *content;
            if (hit && random_one_in(&random, 2))
                text[length++] = "0123456789 \n\r%x-"[random_below(&random, 16)];
        }
        ws_error err = WS_NO_ERROR;
        graph *g = graph_read(folder_write(files[round % 3].name, text, length), &err);
        if (!g) assert_non_null(strstr(err.text, files[round % 3].name));
        graph_free(g);
    }
}

/* ---- generators */

static bool has_arc(const graph *g, int from, int to) {
    for (int i = g->first[from]; i < g->first[from + 1]; i++)
        if (g->arcs[i] == to) return true;
    return false;
}

static int degree(const graph *g, int node) {
    return g->first[node + 1] - g->first[node];
}

/* Fails unless every arc has its opposite, none is a loop, and each node's arcs ascend. */
static void expect_undirected(const graph *g) {
    for (int node = 0; node < g->node_count; node++)
        for (int i = g->first[node]; i < g->first[node + 1]; i++) {
            assert_in_range(g->arcs[i], 0, g->node_count - 1);
            assert_int_not_equal(g->arcs[i], node);
            assert_true(i == g->first[node] || g->arcs[i - 1] < g->arcs[i]);
            assert_true(has_arc(g, g->arcs[i], node));
        }
}

static graph *must_make(const char *text) {
    ws_error err = WS_NO_ERROR;
    graph *g = graph_make(text, &err);
    if (!g) fail_msg("%s", err.text);
    expect_undirected(g);
    return g;
}

static bool are_equal(const graph *a, const graph *b) {
    return a->node_count == b->node_count && a->arc_count == b->arc_count &&
           memcmp(a->first, b->first, sizeof(int) * ((size_t)a->node_count + 1)) == 0 &&
           memcmp(a->arcs, b->arcs, sizeof(int) * (size_t)a->arc_count) == 0;
}

static int largest_degree(const graph *g) {
    int most = 0;
    for (int node = 0; node < g->node_count; node++) most = degree(g, node) > most ? degree(g, node) : most;
    return most;
}

static void generators_have_their_shapes(void **state) {
    (void)state;
    /* A triangulated lattice: 32 x 16 nodes, rows, columns, a diagonal per square. */
    graph *g = must_make("delaunay:600");
    assert_int_equal(g->node_count, 512);
    assert_int_equal(g->arc_count, 2 * (31 * 16 + 32 * 15 + 31 * 15));
    assert_in_range(largest_degree(g), 6, 8);
    graph_free(g);
    /* 10 x 10 junctions, about three quarters of 180 roads between them; every other node lies on a road, with two
     * edges. */
    g = must_make("road:300");
    assert_int_equal(g->arc_count, 4 * (g->node_count - 100));
    assert_in_range(g->node_count, 100 + 110, 100 + 160);
    assert_in_range(largest_degree(g), 3, 4);
    graph_free(g);
    /* A few nodes have many neighbours. */
    g = must_make("collab:2000");
    assert_int_equal(g->node_count, 2000);
    assert_true(largest_degree(g) > 10 * g->arc_count / g->node_count);
    for (int node = 0; node < g->node_count; node++) assert_true(degree(g, node) > 0);
    graph_free(g);
    g = must_make("kron:1024");
    assert_int_equal(g->node_count, 1024);
    assert_in_range(g->arc_count, 1024 * 4, 1024 * 8);
    assert_true(largest_degree(g) > 10 * g->arc_count / g->node_count);
    graph_free(g);
}

static void seeds_decide(void **state) {
    (void)state;
    static const char *const kinds[] = {"kron:512", "delaunay:512", "road:512", "collab:512"};
    for (size_t i = 0; i < 4; i++) {
        char other[32];
        graph *a = must_make(kinds[i]);
        snprintf(other, sizeof other, "%s:1", kinds[i]);
        graph *b = must_make(other);
        snprintf(other, sizeof other, "%s:2", kinds[i]);
        graph *c = must_make(other);
        assert_true(are_equal(a, b));
        assert_false(are_equal(a, c));
        graph_free(a), graph_free(b), graph_free(c);
    }
}

static void unknown_descriptions_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",        "kron",      "kron:",           "tree:512",          "kron:100",
        "road:15", "road:512:", "road:5x",         "road:512:0",        "road:512:1x",
        "Road:99", "road:-512", "collab:16777217", "collab:99999999999"};
    for (size_t i = 0; i < WS_COUNT(bad); i++) {
        ws_error err = WS_NO_ERROR;
        if (graph_make(bad[i], &err)) fail_msg("%s", bad[i]);
        assert_int_equal(err.code, WS_ERROR_USAGE);
        assert_non_null(strstr(err.text, "kron, delaunay, road or collab"));
    }
}

/* ---- published graphs */

static void real_graphs(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int nodes, arcs; /* the collaborations are in the file in both directions */
    } files[] = {
        {"CA-CondMat_tab-sep.edgelist", 23133, 186878}, /* 186,936 lines, of which 58 are loops */
        {"dblp-2010.mtx.xz", 326186, 1615400},
        {"luxembourg_osm.mtx", 114599, 239332},
        {"delaunay_n15.graph", 32768, 196548},
    };
    const char *data = getenv("WARPSWEEP_TESTDATA");
    if (!data) skip();
    for (size_t i = 0; i < WS_COUNT(files); i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/graphs/%s", data, files[i].name);
        FILE *file = fopen(path, "rb");
        if (!file) skip();
        fclose(file);
        graph *g = must_read(path);
        assert_int_equal(g->node_count, files[i].nodes);
        assert_int_equal(g->arc_count, files[i].arcs);
        graph_free(g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_market),
        cmocka_unit_test(metis),
        cmocka_unit_test(edge_lists),
        cmocka_unit_test(damaged_files_name_the_line),
        cmocka_unit_test(random_damage_is_no_crash),
        cmocka_unit_test(generators_have_their_shapes),
        cmocka_unit_test(seeds_decide),
        cmocka_unit_test(unknown_descriptions_are_refused),
        cmocka_unit_test(real_graphs),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
