#include "naive.h"

#include "replay/local.h"

enum { NONE = -1, PART = -2 };

/* Writes which word of `line`, counted in units of `width`, each lane reads: NONE if it reads nothing of the line, PART
 * if it reads no whole aligned word. */
static void map_of(const inst_record *r, unsigned width, unsigned line_B, uint64_t line,
                   int word[WS_LANES_MAX]) {
    unsigned i = 0;
    for (unsigned lane = 0; lane < WS_LANES_MAX; lane++) {
        word[lane] = NONE;
        if (!(r->mask >> lane & 1)) continue;
        uint64_t address = r->address[i++];
        unsigned bytes = 0;
        for (unsigned b = 0; b < width; b++) bytes += (address + b) / line_B == line;
        if (bytes > 0) word[lane] = bytes < width || address % width ? PART : (int)(address % line_B / width);
    }
}

static bool is_broadcast(const int *word, uint64_t mask) {
    int common = NONE;
    for (unsigned lane = 0; lane < WS_LANES_MAX; lane++) {
        if (!(mask >> lane & 1)) continue;
        if (common == NONE) common = word[lane];
        if (word[lane] < 0 || word[lane] != common) return false;
    }
    return true;
}

static bool is_consecutive(const int *word, unsigned warp_size) {
    for (int lane = 0; lane < (int)warp_size; lane++)
        if (word[lane] != lane) return false;
    return true;
}

/* True if lanes first .. last, and no others, read consecutive words from word[first] on. */
static bool is_range(const int *word, unsigned first, unsigned last) {
    for (unsigned lane = 0; lane < WS_LANES_MAX; lane++) {
        bool within = lane >= first && lane <= last;
        if (word[lane] != (within ? word[first] + (int)(lane - first) : NONE)) return false;
    }
    return word[first] >= 0;
}

static void count_line(naive_patterns *n, const inst_record *r, const int *word, unsigned warp_size,
                       unsigned words) {
    unsigned lanes = 0, first = 0, last = 0;
    for (unsigned lane = 0; lane < WS_LANES_MAX; lane++)
        if (word[lane] != NONE) {
            if (lanes++ == 0) first = lane;
            last = lane;
        }
    unsigned bits = 0, before = (unsigned)n->other;
    while (1u << bits < warp_size) bits++;
    for (unsigned told = 1; told < words; told *= 2) bits++;
    n->requests++;
    if (lanes == 1 && word[first] >= 0)
        n->single++;
    else if (lanes == 1)
        n->other++;
    else if (is_broadcast(word, r->mask))
        n->broadcast++;
    else if (is_consecutive(word, warp_size))
        n->consecutive++;
    else if (is_range(word, first, last)) {
        n->range++;
        n->range_bounded += last < warp_size - 1 && word[last] < (int)words - 1;
    } else
        n->other++;
    n->pattern_bits += n->other > before ? warp_size * bits : bits;
    n->map_bits += warp_size * bits;
}

static void count_load(naive_patterns *n, const inst_record *r, unsigned width, unsigned line_B,
                       unsigned warp_size) {
    naive_request requests[256];
    unsigned lanes = (unsigned)__builtin_popcountll(r->mask);
    unsigned count = naive_coalesce(r->address, lanes, width, line_B, requests);
    for (unsigned k = 0; k < count; k++) {
        int word[WS_LANES_MAX];
        map_of(r, width, line_B, requests[k].line, word);
        count_line(n, r, word, warp_size, line_B / width);
    }
}

/* Loads of several words from interleaved local memory are loads of one after another; test_mapping.c checks where
 * these are. */
static void count_words(naive_patterns *n, const inst_record *r, unsigned width, unsigned line_B,
                        const ws_trace *trace, const ws_kernel *kernel) {
    for (unsigned nth = 0; nth < (width + 3) / 4; nth++) {
        uint64_t addresses[WS_LANES_MAX];
        inst_record one = *r;
        one.address = addresses;
        ws_local_nth_words(ws_local_threads(trace, kernel), width, nth, r->address,
                           (unsigned)__builtin_popcountll(r->mask), addresses);
        count_load(n, &one, 4, line_B, ws_trace_get_info(trace)->warp_size);
    }
}

naive_patterns naive_mapping(const stream *s, const ws_trace *trace, unsigned line_B) {
    naive_patterns n = {0};
    for (size_t i = 0; i < s->inst_count; i++) {
        const inst_record *r = &s->insts[i];
        const ws_static *st = &ws_trace_statics(trace)[r->inst];
        if (st->op != WS_MEMORY_LOAD || !ws_static_is_global_or_local(st)) continue;
        if (st->space == WS_SPACE_LOCAL && st->width_B > 4 && ws_local_is_common(trace))
            count_words(&n, r, st->width_B, line_B, trace, ws_trace_kernel(trace, s->kernel));
        else
            count_load(&n, r, st->width_B, line_B, ws_trace_get_info(trace)->warp_size);
    }
    return n;
}
