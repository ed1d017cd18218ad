/* Graphs by seeded generators. */
#include "graph.h"

#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MIN = 16, NODES_MOST = 1 << 24 };

/* ---- Kronecker */

/* One edge: at each scale, one of four quadrants with probabilities 0.57, 0.19, 0.19, 0.05. */
static struct graph_edge draw_edge(int scale, uint64_t *random) {
    struct graph_edge e = {0, 0};
    for (int bit = 0; bit < scale; bit++) {
        const uint32_t percent = host_random_below(random, 100);
        e.from = e.from << 1 | (percent >= 76);
        e.to = e.to << 1 | ((percent >= 57 && percent < 76) || percent >= 95);
    }
    return e;
}

static void make_kron(graph_edges *edges, int nodes, const int *order, uint64_t *random) {
    enum { EDGES_PER_NODE = 4 };
    int scale = 0;
    while (1 << scale < nodes) scale++;
    for (int i = 0; i < nodes * EDGES_PER_NODE; i++) {
        const struct graph_edge e = draw_edge(scale, random);
        graph_add_edge(edges, order[e.from], order[e.to]);
    }
}

/* ---- triangulation */

/* Bits of x and y in turn: neighbours in the plane have numbers that are near, mostly. */
static int z_order(int x, int y) {
    int number = 0;
    for (int bit = 0; bit < 15; bit++)
        number |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1);
    return number;
}

/* Powers of two, the width as high as the height or twice, so that the numbers are all below their product. */
static void make_delaunay(graph_edges *edges, int width, int height, uint64_t *random) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int here = z_order(x, y);
            if (x + 1 < width) graph_add_edge(edges, here, z_order(x + 1, y));
            if (y + 1 < height) graph_add_edge(edges, here, z_order(x, y + 1));
            if (x + 1 == width || y + 1 == height) continue;
            if (host_random_below(random, 2))
                graph_add_edge(edges, here, z_order(x + 1, y + 1));
            else
                graph_add_edge(edges, z_order(x + 1, y), z_order(x, y + 1));
        }
}

/* ---- roads */

/* A road between two junctions, by way of a node of its own. */
static void add_road(graph_edges *edges, int from, int to, int *nodes, uint64_t *random) {
    if (host_random_below(random, 4) == 0) return;
    graph_add_edge(edges, from, *nodes);
    graph_add_edge(edges, *nodes, to);
    ++*nodes;
}

/* A row of junctions, then the nodes of the roads that leave them, then the next row. Returns the number of nodes. */
static int make_road(graph_edges *edges, int side, uint64_t *random) {
    int nodes = 0, row = 0, row_above = 0;
    for (int y = 0; y < side; y++, row_above = row) {
        row = nodes;
        nodes += side;
        for (int x = 0; x < side; x++) {
            if (x + 1 < side) add_road(edges, row + x, row + x + 1, &nodes, random);
            if (y > 0) add_road(edges, row_above + x, row + x, &nodes, random);
        }
    }
    return nodes;
}

/* ---- collaborations */

/* `authorship` has room for AUTHORS_MAX per node: whoever has many papers stands in it often. */
static void make_collab(graph_edges *edges, int nodes, const int *order, int *authorship, uint64_t *random) {
    enum { AUTHORS_MAX = 6 };
    int known = 0, count = 0;
    while (known < nodes) {
        const int authors = 2 + (int)host_random_below(random, AUTHORS_MAX - 1), first = count;
        for (int i = 0; i < authors; i++) {
            const bool is_new = i == 0 || known < AUTHORS_MAX || host_random_below(random, 3) == 0;
            const int author = is_new && known < nodes
                                   ? known++
                                   : authorship[host_random_below(random, first ? (uint32_t)first : 1)];
            for (int k = first; k < count; k++) graph_add_edge(edges, order[authorship[k]], order[author]);
            authorship[count++] = author;
        }
    }
}

/* ---- all */

/* A random order of the nodes, so that a node's number says nothing of its degree. */
static void draw_order(int *order, int nodes, uint64_t *random) {
    for (int i = 0; i < nodes; i++) order[i] = i;
    for (int i = nodes - 1; i > 0; i--) {
        const int j = (int)host_random_below(random, (uint32_t)i + 1), other = order[j];
        order[j] = order[i];
        order[i] = other;
    }
}

/* The largest whole number whose square is at most `area`. */
static int side_of(int area) {
    int side = 1;
    while ((side + 1) * (side + 1) <= area) side++;
    return side;
}

graph *graph_make(const char *text, ws_error *err) {
    char kind[16] = "";
    int nodes = 0, end = 0;
    unsigned long long seed = 1;
    int found = sscanf(text, "%15[a-z]:%9d%n:%18llu%n", kind, &nodes, &end, &seed, &end);
    const bool kron = strcmp(kind, "kron") == 0, delaunay = strcmp(kind, "delaunay") == 0,
               road = strcmp(kind, "road") == 0, collab = strcmp(kind, "collab") == 0;
    if (found < 2 || text[end] || seed == 0 || !(kron || delaunay || road || collab) || nodes < NODES_MIN ||
        nodes > NODES_MOST || (kron && (nodes & (nodes - 1)))) {
        ws_fail(err, WS_ERROR_USAGE,
                "expected kron, delaunay, road or collab, ':', a number of nodes from %d to %d (kron: a "
                "power of two), "
                "and perhaps ':' and a seed from 1 on, found '%s'",
                NODES_MIN, NODES_MOST, text);
        return NULL;
    }
    uint64_t random = seed;
    graph_edges edges = {0};
    enum { AUTHORSHIPS_PER_NODE = 6 };
    int *order = calloc((size_t)nodes, sizeof *order);
    int *authorship = calloc((size_t)nodes * AUTHORSHIPS_PER_NODE + AUTHORSHIPS_PER_NODE, sizeof *authorship);
    edges.failed = !order || !authorship;
    if (!edges.failed && (kron || collab)) draw_order(order, nodes, &random);
    if (!edges.failed && kron) make_kron(&edges, nodes, order, &random);
    if (!edges.failed && collab) make_collab(&edges, nodes, order, authorship, &random);
    if (!edges.failed && delaunay) {
        int width = 1, height = 1;
        while (2 * width * height <= nodes) *(width > height ? &height : &width) *= 2;
        nodes = width * height;
        make_delaunay(&edges, width, height, &random);
    }
    if (!edges.failed && road) {
        enum { NODES_PER_JUNCTION = 3 }; /* itself, and two roads at most */
        nodes = make_road(&edges, side_of(nodes / NODES_PER_JUNCTION), &random);
    }
    free(order);
    free(authorship);
    return graph_of_edges(&edges, nodes, err);
}
