/* Rodinia's BFS on a Kronecker graph (Leskovec et al. 2010, with the parameters of Graph 500). */
#include "host.h"

#include <stdlib.h>

enum { SCALE = 15, NODES = 1 << SCALE, EDGE_FACTOR = 4, DRAWN = NODES * EDGE_FACTOR, BLOCK = 512 };

typedef struct node {
    int first, count;
} node;

typedef struct edge {
    int from, to;
} edge;

typedef struct graph {
    node nodes[NODES];
    int edges[2 * DRAWN];
    int edge_count;
} graph;

/* One edge: at each scale, one of four quadrants with probabilities 0.57, 0.19, 0.19, 0.05. */
static edge draw_edge(uint64_t *random) {
    edge e = {0, 0};
    for (int bit = 0; bit < SCALE; bit++) {
        const uint32_t percent = host_random_below(random, 100);
        e.from = e.from << 1 | (percent >= 76);
        e.to = e.to << 1 | ((percent >= 57 && percent < 76) || percent >= 95);
    }
    return e;
}

/* A random order of the nodes, so that a node's number says nothing of its degree. */
static int *draw_order(uint64_t *random) {
    int *order = host_allocate(NODES, sizeof *order);
    for (int i = 0; i < NODES; i++) order[i] = i;
    for (int i = NODES - 1; i > 0; i--) {
        const int j = (int)host_random_below(random, (uint32_t)i + 1), other = order[j];
        order[j] = order[i];
        order[i] = other;
    }
    return order;
}

static int by_ends(const void *a, const void *b) {
    const edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Undirected: each drawn edge in both directions; without loops and repetitions. */
static graph *make_graph(void) {
    uint64_t random = 1;
    graph *g = host_allocate(1, sizeof *g);
    int *order = draw_order(&random);
    edge *edges = host_allocate(2 * DRAWN, sizeof *edges);
    for (size_t i = 0; i < 2 * DRAWN; i += 2) {
        const edge drawn = draw_edge(&random);
        edges[i] = (edge){order[drawn.from], order[drawn.to]};
        edges[i + 1] = (edge){edges[i].to, edges[i].from};
    }
    qsort(edges, 2 * DRAWN, sizeof *edges, by_ends);
    for (size_t i = 0; i < 2 * DRAWN; i++) {
        const edge *e = &edges[i];
        if (e->from == e->to || (i > 0 && by_ends(e, e - 1) == 0)) continue;
        node *from = &g->nodes[e->from];
        if (from->count++ == 0) from->first = g->edge_count;
        g->edges[g->edge_count++] = e->to;
    }
    free(edges), free(order);
    return g;
}

static int first_connected(const graph *g) {
    int id = 0;
    while (g->nodes[id].count == 0) id++;
    return id;
}

/* Distances from `source`, -1 where there is no path. */
static int32_t *reference(const graph *g, int source) {
    int32_t *cost = host_allocate(NODES, sizeof *cost);
    int *queue = host_allocate(NODES, sizeof *queue), head = 0, tail = 0;
    for (int i = 0; i < NODES; i++) cost[i] = -1;
    cost[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        const int id = queue[head++];
        for (int i = g->nodes[id].first; i < g->nodes[id].first + g->nodes[id].count; i++)
            if (cost[g->edges[i]] < 0) {
                cost[g->edges[i]] = cost[id] + 1;
                queue[tail++] = g->edges[i];
            }
    }
    free(queue);
    return cost;
}

int main(int argc, char **argv) {
    const int node_count = NODES;
    graph *g = make_graph();
    const int source = first_connected(g);
    int32_t *expected = reference(g, source), *cost = host_allocate(NODES, sizeof *cost);
    char *at_source = host_allocate(NODES, 1);
    at_source[source] = 1;
    for (int i = 0; i < NODES; i++) cost[i] = i == source ? 0 : -1;

    host_open(argc, argv);
    cl_mem nodes = host_buffer(sizeof g->nodes, g->nodes);
    cl_mem edges = host_buffer(sizeof(int) * (size_t)g->edge_count, g->edges);
    cl_mem frontier = host_buffer(NODES, at_source), next = host_buffer(NODES, NULL);
    cl_mem visited = host_buffer(NODES, at_source), device_cost = host_buffer(sizeof(int32_t) * NODES, cost);
    cl_mem device_again = host_buffer(1, NULL);
    for (char again = 1; again;) {
        again = 0;
        host_write(device_again, 1, &again);
        HOST_LAUNCH("bfs_1", NODES, 1, BLOCK, 1, HOST_ARG(nodes), HOST_ARG(edges), HOST_ARG(frontier),
                    HOST_ARG(next), HOST_ARG(visited), HOST_ARG(device_cost), HOST_ARG(node_count));
        HOST_LAUNCH("bfs_2", NODES, 1, BLOCK, 1, HOST_ARG(frontier), HOST_ARG(next), HOST_ARG(visited),
                    HOST_ARG(device_again), HOST_ARG(node_count));
        host_read(device_again, 1, &again);
    }
    host_read(device_cost, sizeof(int32_t) * NODES, cost);
    host_close();

    host_expect_ints("cost", cost, expected, NODES);
    free(g), free(expected), free(cost), free(at_source);
    return EXIT_SUCCESS;
}
