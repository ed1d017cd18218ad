/* Breadth-first search by frontiers. */
#include "frontier.h"

#include <stdlib.h>

/* Distances from `source`. */
static int32_t *reference(const graph *g, int source) {
    int32_t *label = host_allocate((size_t)g->node_count, sizeof *label);
    int *queue = host_allocate((size_t)g->node_count, sizeof *queue), head = 0, tail = 0;
    for (int i = 0; i < g->node_count; i++) label[i] = FRONTIER_FAR;
    label[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        const int node = queue[head++];
        for (int i = g->first[node]; i < g->first[node + 1]; i++) {
            if (label[g->arcs[i]] != FRONTIER_FAR) continue;
            label[g->arcs[i]] = label[node] + 1;
            queue[tail++] = g->arcs[i];
        }
    }
    free(queue);
    return label;
}

int main(int argc, char **argv) {
    graph *g = graph_of_arguments(&argc, argv, "kron:16384");
    const int source = frontier_source(g);
    int32_t *expected = reference(g, source), *label = host_allocate((size_t)g->node_count, sizeof *label);

    host_open(argc, argv);
    frontier f = frontier_start(g, source);
    for (int distance = 1;; distance++) {
        HOST_LAUNCH("bfs_expand", frontier_threads(f.node_count), 1, FRONTIER_BLOCK, 1, HOST_ARG(f.nodes),
                    HOST_ARG(f.node_count), HOST_ARG(f.first), HOST_ARG(f.arcs), HOST_ARG(f.edges),
                    HOST_ARG(f.edge_counter));
        frontier_take_edges(&f);
        if (f.edge_count == 0) break;
        HOST_LAUNCH("bfs_contract", frontier_threads(f.edge_count), 1, FRONTIER_BLOCK, 1, HOST_ARG(f.edges),
                    HOST_ARG(f.edge_count), HOST_ARG(distance), HOST_ARG(f.label), HOST_ARG(f.lookup));
        HOST_LAUNCH("bfs_filter", frontier_threads(f.edge_count), 1, FRONTIER_BLOCK, 1, HOST_ARG(f.edges),
                    HOST_ARG(f.edge_count), HOST_ARG(f.lookup), HOST_ARG(f.nodes), HOST_ARG(f.node_counter));
        frontier_take_nodes(&f);
        if (f.node_count == 0) break;
    }
    host_read(f.label, sizeof(int32_t) * (size_t)g->node_count, label);
    host_close();

    host_expect_ints("label", label, expected, (size_t)g->node_count);
    free(expected), free(label), graph_free(g);
    return EXIT_SUCCESS;
}
