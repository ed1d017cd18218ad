/* Graphs from files: Matrix Market, METIS, edge lists. */
#include "graph.h"

#include "trace/import/text_source.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct reading {
    ws_text text;
    ws_error *err;
    const char *end; /* of the line at hand: its '\n' */
    graph_edges edges;
    int node_count;
} reading;

/* ---- lines and numbers */

/* A line at hand, where it begins; NULL at the end of the file, or on errors. */
static const char *next_line(reading *r, bool *good) {
    if (r->text.at == r->text.end) {
        const ws_text_state state = ws_text_more(&r->text, r->err);
        *good = state != WS_TEXT_ERROR;
        if (state != WS_TEXT_LINES) return NULL;
    }
    r->end = memchr(r->text.at, '\n', (size_t)(r->text.end - r->text.at));
    return r->text.at;
}

static void skip_blanks(const reading *r, const char **at) {
    while (*at < r->end && isspace((unsigned char)**at)) ++*at;
}

/* The next line that is no remark and, unless `blank_too`, not blank. */
static const char *next_content(reading *r, bool blank_too, bool *good) {
    const char *line;
    while ((line = next_line(r, good))) {
        const char *at = line;
        skip_blanks(r, &at);
        if (at == r->end ? blank_too : *at != '%' && *at != '#') return line;
        ws_text_advance(&r->text, r->end);
    }
    return NULL;
}

static void end_line(reading *r) {
    ws_text_advance(&r->text, r->end);
}

/* Fails with what stands at `at`, in the line at hand; NULL for the end of the file. */
__attribute__((format(printf, 3, 4))) static bool expected(reading *r, const char *at, const char *format,
                                                           ...) {
    enum { SHOWN = 40 };
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    int shown = 0;
    while (at && shown < SHOWN && at + shown < r->end && isprint((unsigned char)at[shown])) shown++;
    const char *end = at ? "the end of the line" : "the end of the file";
    return shown ? ws_fail(r->err, WS_ERROR_TRACE, "%s:%llu: expected %s, found '%.*s'", r->text.path,
                           (unsigned long long)r->text.line, what, shown, at)
                 : ws_fail(r->err, WS_ERROR_TRACE, "%s:%llu: expected %s, found %s", r->text.path,
                           (unsigned long long)r->text.line, what, end);
}

/* Reads a whole number within bounds, and the blanks around it. */
static bool read_number(reading *r, const char **at, const char *what, long long low, long long high,
                        long long *value) {
    skip_blanks(r, at);
    const char *digit = *at;
    *value = 0;
    while (digit < r->end && isdigit((unsigned char)*digit) && *value <= high)
        *value = 10 * *value + (*digit++ - '0');
    const bool ends = digit == r->end || isspace((unsigned char)*digit);
    if (digit == *at || !ends || *value < low || *value > high)
        return low < high ? expected(r, *at, "%s from %lld to %lld", what, low, high)
                          : expected(r, *at, "%s %lld", what, low);
    *at = digit;
    skip_blanks(r, at);
    return true;
}

static bool add(reading *r, long long from, long long to) {
    graph_add_edge(&r->edges, (int)from, (int)to);
    return !r->edges.failed ||
           ws_fail(r->err, WS_ERROR_MEMORY, "%s: out of memory for %d edges", r->text.path, r->edges.count);
}

/* ---- Matrix Market */

static const char market_head[] = "%%MatrixMarket";

static bool has_word(const reading *r, const char *line, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = line; at + length <= r->end; at++)
        if (strncasecmp(at, word, length) == 0) return true;
    return false;
}

static bool read_market(reading *r) {
    bool good = true;
    const char *at = r->text.at;
    if (!has_word(r, at, "coordinate")) return expected(r, at, "%%%%MatrixMarket matrix coordinate");
    end_line(r);
    at = next_content(r, false, &good);
    if (!good) return false;
    if (!at) return expected(r, NULL, "the numbers of rows, columns and entries");
    long long rows, columns, entries, from, to;
    if (!read_number(r, &at, "a number of rows", 1, GRAPH_NODES_MAX, &rows) ||
        !read_number(r, &at, "as many columns as rows,", rows, rows, &columns) ||
        !read_number(r, &at, "a number of entries", 0, GRAPH_ARCS_MAX, &entries))
        return false;
    end_line(r);
    r->node_count = (int)rows;
    for (long long i = 0; i < entries; i++) {
        at = next_content(r, false, &good);
        if (!good) return false;
        if (!at) return expected(r, NULL, "%lld entries, of which %lld are there", entries, i);
        if (!read_number(r, &at, "a row", 1, rows, &from) || !read_number(r, &at, "a column", 1, rows, &to) ||
            !add(r, from - 1, to - 1))
            return false;
        end_line(r);
    }
    at = next_content(r, false, &good);
    return good && (!at || expected(r, at, "the end after %lld entries", entries));
}

/* ---- METIS */

/* What a line holds beside neighbours. */
typedef struct metis_format {
    long long before; /* numbers at its begin: the node's size, its weights */
    bool edge_weights;
} metis_format;

static bool read_metis_head(reading *r, const char *at, long long *edges, metis_format *format) {
    long long nodes, digits = 0, constraints = 1;
    if (!read_number(r, &at, "a number of nodes", 1, GRAPH_NODES_MAX, &nodes) ||
        !read_number(r, &at, "a number of edges", 0, GRAPH_ARCS_MAX / 2, edges))
        return false;
    r->node_count = (int)nodes;
    if (at < r->end) {
        const char *text = at;
        if (!read_number(r, &at, "a format", 0, 111, &digits)) return false;
        if (digits % 10 > 1 || digits / 10 % 10 > 1) return expected(r, text, "a format of digits 0 and 1");
    }
    if (at < r->end && !read_number(r, &at, "a number of weights per node", 1, 64, &constraints))
        return false;
    *format = (metis_format){.before = digits / 100 + (digits / 10 % 10 ? constraints : 0),
                             .edge_weights = digits % 10};
    end_line(r);
    return true;
}

static bool read_metis_node(reading *r, const char *at, int node, const metis_format *format) {
    enum { WEIGHT_MAX = 1 << 30 };
    long long number;
    skip_blanks(r, &at);
    for (long long i = 0; i < format->before; i++)
        if (!read_number(r, &at, "a node's weight", 0, WEIGHT_MAX, &number)) return false;
    while (at < r->end) {
        if (!read_number(r, &at, "a neighbour", 1, r->node_count, &number) || !add(r, node, number - 1))
            return false;
        if (format->edge_weights && !read_number(r, &at, "the weight of an edge", 0, WEIGHT_MAX, &number))
            return false;
    }
    end_line(r);
    return true;
}

static bool read_metis(reading *r) {
    bool good = true;
    long long edges;
    metis_format format = {0};
    const char *at = next_content(r, false, &good);
    if (!good) return false;
    if (!at) return expected(r, NULL, "the numbers of nodes and edges");
    if (!read_metis_head(r, at, &edges, &format)) return false;
    for (int node = 0; node < r->node_count; node++) {
        at = next_content(r, true, &good); /* a blank line is a node without neighbours */
        if (!good) return false;
        if (!at) return expected(r, NULL, "a line for each of %d nodes", r->node_count);
        if (!read_metis_node(r, at, node, &format)) return false;
    }
    at = next_content(r, false, &good);
    if (!good) return false;
    if (at) return expected(r, at, "the end after %d nodes", r->node_count);
    return r->edges.count == 2 * edges || r->edges.count == edges ||
           ws_fail(r->err, WS_ERROR_TRACE, "%s:1: expected %d neighbours for %lld edges, found %d",
                   r->text.path, (int)(2 * edges), edges, r->edges.count);
}

/* ---- edge lists */

static int by_value(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

static int rank_of(const int *numbers, int count, int number) {
    int low = 0, high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Numbers become their ranks. */
static bool renumber(reading *r) {
    const size_t ends = 2 * (size_t)r->edges.count;
    int *numbers = malloc(ends * sizeof *numbers), count = 0;
    if (!numbers) return ws_fail(r->err, WS_ERROR_MEMORY, "%s: out of memory", r->text.path);
    memcpy(numbers, r->edges.edges, ends * sizeof *numbers);
    qsort(numbers, ends, sizeof *numbers, by_value);
    for (size_t i = 0; i < ends; i++)
        if (i == 0 || numbers[i] != numbers[i - 1]) numbers[count++] = numbers[i];
    for (int i = 0; i < r->edges.count; i++) {
        struct graph_edge *e = &r->edges.edges[i];
        *e = (struct graph_edge){rank_of(numbers, count, e->from), rank_of(numbers, count, e->to)};
    }
    r->node_count = count;
    free(numbers);
    return true;
}

static bool read_edge_list(reading *r) {
    bool good = true;
    long long from, to;
    const char *at;
    while ((at = next_content(r, false, &good))) {
        if (!read_number(r, &at, "a node", 0, INT32_MAX, &from) ||
            !read_number(r, &at, "a second node", 0, INT32_MAX, &to) || !add(r, from, to))
            return false;
        end_line(r);
    }
    if (!good) return false;
    if (r->edges.count == 0) return expected(r, NULL, "edges: two nodes a line");
    return renumber(r);
}

/* ---- all */

/* "x.graph.xz" ends with ".graph": what packs a file does not count. */
static bool ends_with(const char *path, const char *end) {
    static const char *const packers[] = {".xz", ".gz", ".zst"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof packers / sizeof *packers; i++) {
        const size_t packer = strlen(packers[i]);
        if (length > packer && strcmp(path + length - packer, packers[i]) == 0) {
            length -= packer;
            break;
        }
    }
    const size_t wanted = strlen(end);
    return length >= wanted && strncmp(path + length - wanted, end, wanted) == 0;
}

static bool read_any(reading *r) {
    bool good = true;
    const char *line = next_line(r, &good);
    if (!good) return false;
    if (!line) return expected(r, NULL, "a graph");
    const size_t head = sizeof market_head - 1;
    if ((size_t)(r->end - line) >= head && strncasecmp(line, market_head, head) == 0) return read_market(r);
    return ends_with(r->text.path, ".graph") || ends_with(r->text.path, ".metis") ? read_metis(r)
                                                                                  : read_edge_list(r);
}

graph *graph_read(const char *path, ws_error *err) {
    reading r = {.err = err};
    if (!ws_text_open(&r.text, path, NULL, err)) return NULL;
    const bool good = read_any(&r);
    ws_text_close(&r.text);
    if (good) return graph_of_edges(&r.edges, r.node_count, err);
    free(r.edges.edges);
    return NULL;
}
