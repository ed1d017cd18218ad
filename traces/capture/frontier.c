#include "frontier.h"

#include <stdlib.h>

int frontier_source(const graph *g) {
    int source = 0;
    for (int i = 1; i < g->node_count; i++)
        if (g->first[i + 1] - g->first[i] > g->first[source + 1] - g->first[source]) source = i;
    return source;
}

frontier frontier_start(const graph *g, int source) {
    const size_t nodes = (size_t)g->node_count, arcs = (size_t)g->arc_count;
    int32_t *label = host_allocate(nodes, sizeof *label), *lookup = host_allocate(nodes, sizeof *lookup),
            *frontier_nodes = host_allocate(nodes, sizeof *frontier_nodes);
    for (size_t i = 0; i < nodes; i++) {
        label[i] = FRONTIER_FAR;
        lookup[i] = -1;
    }
    label[source] = 0;
    frontier_nodes[0] = source;
    frontier f = {.node_count = 1};
    f.first = host_buffer(sizeof(int) * (nodes + 1), g->first);
    f.arcs = host_buffer(sizeof(int) * arcs, g->arcs);
    f.nodes = host_buffer(sizeof(int32_t) * nodes, frontier_nodes);
    f.edges = host_buffer(sizeof(int32_t) * arcs, NULL);
    f.lookup = host_buffer(sizeof(int32_t) * nodes, lookup);
    f.label = host_buffer(sizeof(int32_t) * nodes, label);
    f.node_counter = host_buffer(sizeof(int), NULL);
    f.edge_counter = host_buffer(sizeof(int), NULL);
    free(label), free(lookup), free(frontier_nodes);
    return f;
}

size_t frontier_threads(int count) {
    return ((size_t)count + FRONTIER_BLOCK - 1) / FRONTIER_BLOCK * FRONTIER_BLOCK;
}

static int take(host_memory counter) {
    int count;
    const int zero = 0;
    host_read(counter, sizeof count, &count);
    host_write(counter, sizeof zero, &zero);
    return count;
}

void frontier_take_edges(frontier *f) {
    f->edge_count = take(f->edge_counter);
}

void frontier_take_nodes(frontier *f) {
    f->node_count = take(f->node_counter);
}
