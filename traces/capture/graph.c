#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void graph_free(graph *g) {
    if (!g) return;
    free(g->first);
    free(g->arcs);
    free(g);
}

void graph_add_edge(graph_edges *e, int from, int to) {
    if (e->failed) return;
    if (e->count == e->room) {
        const int room = e->room ? 2 * e->room : 1 << 12;
        struct graph_edge *edges =
            room <= GRAPH_ARCS_MAX ? realloc(e->edges, (size_t)room * sizeof *edges) : NULL;
        e->failed = !edges;
        if (e->failed) return;
        e->edges = edges;
        e->room = room;
    }
    e->edges[e->count++] = (struct graph_edge){from, to};
}

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

/* Sorts each node's arcs and drops repeated ones. */
static void tidy(graph *g) {
    int kept = 0;
    for (int node = 0; node < g->node_count; node++) {
        const int begin = g->first[node], end = g->first[node + 1];
        qsort(g->arcs + begin, (size_t)(end - begin), sizeof *g->arcs, by_number);
        g->first[node] = kept;
        for (int i = begin; i < end; i++)
            if (i == begin || g->arcs[i] != g->arcs[i - 1]) g->arcs[kept++] = g->arcs[i];
    }
    g->first[g->node_count] = g->arc_count = kept;
}

/* Counts each node's arcs, gives them room one node after the other, and puts them there. */
static void place(graph *g, const graph_edges *e) {
    for (int i = 0; i < e->count; i++) {
        if (e->edges[i].from == e->edges[i].to) continue;
        g->first[e->edges[i].from]++;
        g->first[e->edges[i].to]++;
    }
    int end = 0;
    for (int node = 0; node < g->node_count; node++) g->first[node] = end += g->first[node];
    g->first[g->node_count] = end;
    for (int i = 0; i < e->count; i++) {
        const int from = e->edges[i].from, to = e->edges[i].to;
        if (from == to) continue;
        g->arcs[--g->first[from]] = to;
        g->arcs[--g->first[to]] = from;
    }
}

graph *graph_of_edges(graph_edges *e, int node_count, ws_error *err) {
    graph *g = e->failed || e->count > GRAPH_ARCS_MAX / 2 ? NULL : calloc(1, sizeof *g);
    if (g) {
        g->node_count = node_count;
        g->first = calloc((size_t)node_count + 1, sizeof *g->first);
        g->arcs = calloc((size_t)e->count * 2 + 1, sizeof *g->arcs);
    }
    const bool good = g && g->first && g->arcs;
    if (good) {
        place(g, e);
        tidy(g);
    } else {
        ws_fail(err, WS_ERROR_MEMORY, "out of memory for %d edges", e->count);
        graph_free(g);
    }
    free(e->edges);
    *e = (graph_edges){0};
    return good ? g : NULL;
}

graph *graph_of_arguments(int *argc, char **argv, const char *otherwise) {
    ws_error err = WS_NO_ERROR;
    graph *g;
    int used = 2;
    if (*argc > 2 && strcmp(argv[1], "--graph") == 0) {
        g = graph_read(argv[2], &err);
    } else if (*argc > 2 && strcmp(argv[1], "--make") == 0) {
        g = graph_make(argv[2], &err);
    } else {
        g = graph_make(otherwise, &err);
        used = 0;
    }
    if (g && g->arc_count == 0) {
        ws_fail(&err, WS_ERROR_TRACE, "expected a graph with edges, found none");
        graph_free(g);
        g = NULL;
    }
    if (!g) {
        fprintf(stderr, "%s: %s\n", argv[0], err.text);
        exit(EXIT_FAILURE);
    }
    *argc -= used;
    memmove(argv + 1, argv + 1 + used, (size_t)(*argc) * sizeof *argv);
    return g;
}
