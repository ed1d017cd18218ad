/* Analysis `mapping`: which lanes read which words of the lines that loads ask for (WP 3.6, Figs. 8, 9). Frequent
 * patterns need only a few bits; any other mapping takes an entry of WarpPool's thread map table. */
#include "analysis/analyses.h"
#include "base/array.h"
#include "base/bits.h"
#include "replay/coalesce.h"
#include "replay/local.h"

#include <stdlib.h>

enum pattern { SINGLE, BROADCAST, CONSECUTIVE, RANGE, OTHER, PATTERNS };

/* ---- tables */

#define PATTERN(name, help)                                                                                  \
    { name, WS_TYPE_INT, "requests", WS_ADDS_SUM, help }

static const ws_column columns[] = {
    PATTERN("requests",
            "Lines that global and local loads ask for, after coalescing within the warp. A word is what one "
            "lane loads: 4 bytes in WP, here the width of the access; from interleaved local memory, which "
            "answers one word after another, at most 4 bytes."),
    PATTERN("single", "Requests in which one lane reads one word (WP 3.6)."),
    PATTERN(
        "broadcast",
        "Requests in which all active lanes of the instruction, at least two, read the same word (WP 3.6)."),
    PATTERN("consecutive",
            "Requests in which lane i reads word i of the line, for all lanes of the warp (WP 3.6)."),
    PATTERN("range", "Requests in which a run of neighbouring lanes, at least two, reads as many consecutive "
                     "words in the same order (WP 3.6)."),
    PATTERN("other", "Requests with none of the four patterns: the mapping takes an entry of the thread map "
                     "table (WP 3.6). Words across two lines, or not aligned to their width, are here."),
    PATTERN("range_bounded",
            "Ranges that end before the last lane and before the last word of the line. They need a length "
            "beside lane and word, which is more than the bits that WP counts for a pattern."),
    {"pattern_bits", WS_TYPE_INT, "bit", WS_ADDS_SUM,
     "Bits for all these mappings: a lane and a word for each pattern (10 bits for 32 lanes and lines of 32 "
     "words, WP 3.6; 12 where a lane loads one of 128 bytes), a lane and a word for each lane otherwise "
     "(320)."},
    {"map_bits", WS_TYPE_INT, "bit", WS_ADDS_SUM,
     "Bits without patterns: a lane and a word for each lane (WP 3.6)."},
};

#define SHARE(name, what)                                                                                    \
    {                                                                                                        \
        name "_share", "", "1.0 * " name " / nullif(requests, 0)",                                           \
            "Share of load requests that are " what " (WP Fig. 9)."                                          \
    }

static const ws_ratio ratios[] = {
    SHARE("single", "single mappings"),
    SHARE("broadcast", "broadcasts"),
    SHARE("consecutive", "consecutive mappings"),
    SHARE("range", "ranges"),
    SHARE("other", "none of the patterns"),
    {"bits_per_request", "bit per request", "1.0 * pattern_bits / nullif(requests, 0)",
     "Mean bits for a mapping, with patterns (WP 3.6: at most 10 against 320)."},
    {"bits_share", "", "1.0 * pattern_bits / nullif(map_bits, 0)", "Bits with patterns over bits without."},
};

static const ws_table table = {"mapping", "Word-to-thread mapping patterns of load requests",
                               columns,   WS_COUNT(columns),
                               ratios,    WS_COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

/* ---- one request */

/* A request, with what the lanes added so far read of it. */
typedef struct request {
    uint64_t line;
    unsigned lanes;
    unsigned last_lane, first_word, last_word;
    bool whole;   /* each lane reads one aligned word */
    bool same;    /* all lanes read the same word */
    bool in_step; /* from lane to lane, lane number and word both grow by one */
} request;

static void add_lane(request *r, unsigned lane, unsigned word, bool whole) {
    if (r->lanes == 0) {
        r->first_word = word;
        r->whole = r->same = r->in_step = true;
    } else {
        r->same &= word == r->first_word;
        r->in_step &= lane == r->last_lane + 1 && word == r->last_word + 1;
    }
    r->whole &= whole;
    r->last_lane = lane;
    r->last_word = word;
    r->lanes++;
}

typedef struct analysis {
    const ws_static *statics;
    ws_coalescer coalescer;
    unsigned warp_size, line_B;
    uint64_t local_threads; /* whose words are interleaved in local memory; 0: none are */
    uint64_t of[PATTERNS], range_bounded, pattern_bits, map_bits;
} analysis;

static enum pattern pattern_of(const analysis *a, const request *r, unsigned active) {
    if (!r->whole) return OTHER;
    if (r->lanes == 1) return SINGLE;
    if (r->same) return r->lanes == active ? BROADCAST : OTHER;
    if (!r->in_step) return OTHER;
    return r->lanes == a->warp_size && r->first_word == 0 ? CONSECUTIVE : RANGE;
}

/* A mapping is a lane and a word of the request, or with OTHER such a pair for each lane. */
static void count_request(analysis *a, const request *r, unsigned active, unsigned words) {
    enum pattern pattern = pattern_of(a, r, active);
    uint64_t bits = ws_bits_for(a->warp_size) + ws_bits_for(words);
    a->of[pattern]++;
    a->pattern_bits += pattern == OTHER ? a->warp_size * bits : bits;
    a->map_bits += a->warp_size * bits;
    a->range_bounded += pattern == RANGE && r->last_lane + 1 < a->warp_size && r->last_word + 1 < words;
}

/* ---- one instruction */

/* The index of the request of `line`, which must be there; requests are in ascending order. `hint`: the likely
 * index. */
static unsigned find(const request *requests, unsigned count, unsigned hint, uint64_t line) {
    if (requests[hint].line == line) return hint;
    unsigned low = 0, high = count;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (requests[middle].line <= line)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void count_load(analysis *a, uint64_t mask, const uint64_t *addresses, unsigned width) {
    ws_coalesced lines[WS_COALESCED_MAX];
    request requests[WS_COALESCED_MAX];
    unsigned active = (unsigned)__builtin_popcountll(mask), at = 0, i = 0, shift = a->coalescer.line_shift;
    unsigned count = ws_coalesce(&a->coalescer, addresses, active, width, lines);
    for (unsigned k = 0; k < count; k++) requests[k] = (request){.line = lines[k].line};
    for (; mask; mask &= mask - 1, i++) {
        unsigned lane = (unsigned)__builtin_ctzll(mask);
        uint64_t end = ws_last_byte(addresses[i], width);
        at = find(requests, count, at, addresses[i] >> shift);
        bool whole = addresses[i] % width == 0 && addresses[i] >> shift == end >> shift;
        unsigned word = (unsigned)(addresses[i] & (a->line_B - 1)) / width;
        add_lane(&requests[at], lane, word, whole);
        while (requests[at].line != end >> shift) add_lane(&requests[++at], lane, 0, false);
    }
    for (unsigned k = 0; k < count; k++) count_request(a, &requests[k], active, a->line_B / width);
}

/* Loads of several words from interleaved local memory ask for the lines of one word after another. */
static void count_local_words(analysis *a, uint64_t mask, const uint64_t *addresses, unsigned width) {
    uint64_t words[WS_LANES_MAX];
    unsigned active = (unsigned)__builtin_popcountll(mask);
    for (unsigned nth = 0; nth < ws_local_words(width); nth++) {
        ws_local_nth_words(a->local_threads, width, nth, addresses, active, words);
        count_load(a, mask, words, WS_LOCAL_WORD_B);
    }
}

static void count_accesses(analysis *a, const ws_static *s, uint64_t mask, const uint64_t *addresses) {
    if (s->space == WS_SPACE_LOCAL && a->local_threads && s->width_B > WS_LOCAL_WORD_B)
        count_local_words(a, mask, addresses, s->width_B);
    else
        count_load(a, mask, addresses, s->width_B);
}

static void instructions(void *self, const ws_instructions *batch) {
    analysis *a = self;
    for (size_t i = 0; i < batch->count; i++) {
        const ws_static *s = &a->statics[batch->inst[i]];
        if (s->op == WS_MEMORY_LOAD && ws_static_is_global_or_local(s) && batch->issued[i])
            count_accesses(a, s, batch->mask[i], batch->address[i]);
    }
}

/* ---- life */

static void *create(const void *const *params, size_t points, const ws_stream_info *stream, ws_error *err) {
    (void)params, (void)points;
    analysis *a = calloc(1, sizeof *a);
    if (!a) {
        ws_no_memory(err);
        return NULL;
    }
    a->statics = ws_trace_statics(stream->trace);
    a->coalescer = ws_coalescer_of(stream->line_B, stream->sector_B);
    a->warp_size = ws_trace_get_info(stream->trace)->warp_size;
    a->line_B = stream->line_B;
    if (ws_local_is_common(stream->trace)) a->local_threads = ws_local_threads(stream->trace, stream->kernel);
    return a;
}

static bool finish(void *self, uint32_t point, ws_rows *rows, ws_error *err) {
    (void)err;
    const analysis *a = self;
    uint64_t requests = 0;
    for (int p = 0; p < PATTERNS; p++) requests += a->of[p];
    ws_rows_begin(rows, point, 0);
    ws_rows_count(rows, requests);
    for (int p = 0; p < PATTERNS; p++) ws_rows_count(rows, a->of[p]);
    ws_rows_count(rows, a->range_bounded);
    ws_rows_count(rows, a->pattern_bits);
    ws_rows_count(rows, a->map_bits);
    return true;
}

static uint32_t wants(const void *params) {
    (void)params;
    return WS_WANT_ADDRESSES;
}

const ws_analysis ws_analysis_mapping = {
    .name = "mapping",
    .summary = "Word-to-thread mapping patterns: single, broadcast, consecutive, range, other",
    .source = "WP 3.6, Figs. 8, 9",
    .version = 3,
    .tables = tables,
    .wants = wants,
    .create = create,
    .instructions = instructions,
    .finish = finish,
    .destroy = free,
};
