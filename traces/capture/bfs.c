/* Rodinia's BFS. */
#include "graph.h"
#include "host.h"

#include <stdlib.h>

enum { BLOCK = 512 };

typedef struct node {
    int first, count;
} node;

static node *make_nodes(const graph *g) {
    node *nodes = host_allocate((size_t)g->node_count, sizeof *nodes);
    for (int i = 0; i < g->node_count; i++) nodes[i] = (node){g->first[i], g->first[i + 1] - g->first[i]};
    return nodes;
}

static int first_connected(const graph *g) {
    int id = 0;
    while (g->first[id] == g->first[id + 1]) id++;
    return id;
}

/* Distances from `source`, -1 where there is no path. */
static int32_t *reference(const graph *g, int source) {
    int32_t *cost = host_allocate((size_t)g->node_count, sizeof *cost);
    int *queue = host_allocate((size_t)g->node_count, sizeof *queue), head = 0, tail = 0;
    for (int i = 0; i < g->node_count; i++) cost[i] = -1;
    cost[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        const int id = queue[head++];
        for (int i = g->first[id]; i < g->first[id + 1]; i++)
            if (cost[g->arcs[i]] < 0) {
                cost[g->arcs[i]] = cost[id] + 1;
                queue[tail++] = g->arcs[i];
            }
    }
    free(queue);
    return cost;
}

int main(int argc, char **argv) {
    graph *g = graph_of_arguments(&argc, argv, "kron:32768");
    const int node_count = g->node_count, source = first_connected(g);
    const size_t count = (size_t)node_count, threads = (count + BLOCK - 1) / BLOCK * BLOCK;
    node *nodes = make_nodes(g);
    int32_t *expected = reference(g, source), *cost = host_allocate(count, sizeof *cost);
    char *at_source = host_allocate(count, 1);
    at_source[source] = 1;
    for (int i = 0; i < node_count; i++) cost[i] = i == source ? 0 : -1;

    host_open(argc, argv);
    host_memory device_nodes = host_buffer(sizeof *nodes * count, nodes);
    host_memory edges = host_buffer(sizeof(int) * (size_t)g->arc_count, g->arcs);
    host_memory frontier = host_buffer(count, at_source), next = host_buffer(count, NULL);
    host_memory visited = host_buffer(count, at_source),
                device_cost = host_buffer(sizeof(int32_t) * count, cost);
    host_memory device_again = host_buffer(1, NULL);
    for (char again = 1; again;) {
        again = 0;
        host_write(device_again, 1, &again);
        HOST_LAUNCH("bfs_1", threads, 1, BLOCK, 1, HOST_ARG(device_nodes), HOST_ARG(edges),
                    HOST_ARG(frontier), HOST_ARG(next), HOST_ARG(visited), HOST_ARG(device_cost),
                    HOST_ARG(node_count));
        HOST_LAUNCH("bfs_2", threads, 1, BLOCK, 1, HOST_ARG(frontier), HOST_ARG(next), HOST_ARG(visited),
                    HOST_ARG(device_again), HOST_ARG(node_count));
        host_read(device_again, 1, &again);
    }
    host_read(device_cost, sizeof(int32_t) * count, cost);
    host_close();

    host_expect_ints("cost", cost, expected, count);
    graph_free(g), free(nodes), free(expected), free(cost), free(at_source);
    return EXIT_SUCCESS;
}
