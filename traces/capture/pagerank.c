/* PageRank, two iterations. */
#include "frontier.h"

#include <stdlib.h>

enum { ITERATIONS = 2, DAMPING = 218 /* 256ths */, TOTAL = 1 << 30 };

static void reference(const graph *g, int base, int32_t *rank) {
    int32_t *label = host_allocate((size_t)g->node_count, sizeof *label);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        for (int node = 0; node < g->node_count; node++)
            for (int i = g->first[node]; i < g->first[node + 1]; i++)
                label[g->arcs[i]] += rank[node] / (g->first[node + 1] - g->first[node]);
        for (int node = 0; node < g->node_count; node++) {
            rank[node] = base + label[node] / 256 * DAMPING;
            label[node] = 0;
        }
    }
    free(label);
}

int main(int argc, char **argv) {
    graph *g = graph_of_arguments(&argc, argv, "kron:16384");
    const size_t nodes = (size_t)g->node_count, arcs = (size_t)g->arc_count;
    const int start = TOTAL / g->node_count, base = start / 256 * (256 - DAMPING), damping = DAMPING;
    int32_t *expected = host_allocate(nodes, sizeof *expected), *rank = host_allocate(nodes, sizeof *rank);
    for (size_t i = 0; i < nodes; i++) expected[i] = rank[i] = start;

    host_open(argc, argv);
    host_memory first = host_buffer(sizeof(int) * (nodes + 1), g->first);
    host_memory device_arcs = host_buffer(sizeof(int) * arcs, g->arcs);
    host_memory device_rank = host_buffer(sizeof(int32_t) * nodes, rank);
    host_memory edge_frontier = host_buffer(sizeof(int) * arcs, NULL);
    host_memory weight_frontier = host_buffer(sizeof(int32_t) * arcs, NULL);
    host_memory label = host_buffer(sizeof(int32_t) * nodes, NULL);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        HOST_LAUNCH("pr_expand", frontier_threads(g->node_count), 1, FRONTIER_BLOCK, 1,
                    HOST_ARG(g->node_count), HOST_ARG(first), HOST_ARG(device_arcs), HOST_ARG(device_rank),
                    HOST_ARG(edge_frontier), HOST_ARG(weight_frontier));
        HOST_LAUNCH("pr_contract", frontier_threads(g->arc_count), 1, FRONTIER_BLOCK, 1,
                    HOST_ARG(edge_frontier), HOST_ARG(weight_frontier), HOST_ARG(g->arc_count),
                    HOST_ARG(label));
        HOST_LAUNCH("pr_update", frontier_threads(g->node_count), 1, FRONTIER_BLOCK, 1,
                    HOST_ARG(g->node_count), HOST_ARG(base), HOST_ARG(damping), HOST_ARG(device_rank),
                    HOST_ARG(label));
    }
    host_read(device_rank, sizeof(int32_t) * nodes, rank);
    host_close();

    reference(g, base, expected);
    host_expect_ints("rank", rank, expected, nodes);
    free(expected), free(rank), graph_free(g);
    return EXIT_SUCCESS;
}
