/* Single-source shortest paths. */
#include "frontier.h"

#include <stdlib.h>

enum { WEIGHT_MAX = 16 };

/* Weights from 1 to WEIGHT_MAX, the same in both directions of an edge. */
static int *make_weights(const graph *g) {
    int *weights = host_allocate((size_t)g->arc_count, sizeof *weights);
    for (int node = 0; node < g->node_count; node++)
        for (int i = g->first[node]; i < g->first[node + 1]; i++) {
            const uint64_t low = (uint64_t)(node < g->arcs[i] ? node : g->arcs[i]);
            const uint64_t high = (uint64_t)(node < g->arcs[i] ? g->arcs[i] : node);
            uint64_t random = low << 32 | high;
            weights[i] = 1 + (int)host_random_below(&random, WEIGHT_MAX);
        }
    return weights;
}

/* Distances from `source`: relaxes all edges until none improves (Bellman and Ford). */
static int32_t *reference(const graph *g, const int *weights, int source) {
    int32_t *label = host_allocate((size_t)g->node_count, sizeof *label);
    for (int i = 0; i < g->node_count; i++) label[i] = FRONTIER_FAR;
    label[source] = 0;
    for (bool improved = true; improved;) {
        improved = false;
        for (int node = 0; node < g->node_count; node++)
            for (int i = g->first[node]; i < g->first[node + 1]; i++) {
                if (label[node] == FRONTIER_FAR || label[node] + weights[i] >= label[g->arcs[i]]) continue;
                label[g->arcs[i]] = label[node] + weights[i];
                improved = true;
            }
    }
    return label;
}

int main(int argc, char **argv) {
    graph *g = graph_of_arguments(&argc, argv, "kron:16384");
    const int source = frontier_source(g);
    int *weights = make_weights(g);
    int32_t *expected = reference(g, weights, source),
            *label = host_allocate((size_t)g->node_count, sizeof *label);

    host_open(argc, argv);
    frontier f = frontier_start(g, source);
    host_memory device_weights = host_buffer(sizeof(int) * (size_t)g->arc_count, weights);
    host_memory weight_frontier = host_buffer(sizeof(int) * (size_t)g->arc_count, NULL);
    for (;;) {
        HOST_LAUNCH("sssp_expand", frontier_threads(f.node_count), 1, FRONTIER_BLOCK, 1, HOST_ARG(f.nodes),
                    HOST_ARG(f.node_count), HOST_ARG(f.first), HOST_ARG(f.arcs), HOST_ARG(device_weights),
                    HOST_ARG(f.label), HOST_ARG(f.edges), HOST_ARG(weight_frontier),
                    HOST_ARG(f.edge_counter));
        frontier_take_edges(&f);
        if (f.edge_count == 0) break;
        HOST_LAUNCH("sssp_compaction", frontier_threads(f.edge_count), 1, FRONTIER_BLOCK, 1,
                    HOST_ARG(f.edges), HOST_ARG(weight_frontier), HOST_ARG(f.edge_count), HOST_ARG(f.label),
                    HOST_ARG(f.lookup));
        HOST_LAUNCH("sssp_filter", frontier_threads(f.edge_count), 1, FRONTIER_BLOCK, 1, HOST_ARG(f.edges),
                    HOST_ARG(f.edge_count), HOST_ARG(f.lookup), HOST_ARG(f.nodes), HOST_ARG(f.node_counter));
        frontier_take_nodes(&f);
        if (f.node_count == 0) break;
    }
    host_read(f.label, sizeof(int32_t) * (size_t)g->node_count, label);
    host_close();

    host_expect_ints("label", label, expected, (size_t)g->node_count);
    free(weights), free(expected), free(label), graph_free(g);
    return EXIT_SUCCESS;
}
