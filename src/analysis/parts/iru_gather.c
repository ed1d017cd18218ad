#include "analysis/parts/iru_gather.h"

#include "base/bits.h"
#include "base/room.h"
#include "replay/local.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_SHIFT = 2 };

/* The elements that the warp in a slot holds: per lane the one that it loaded last, or WS_IRU_NONE. */
typedef struct iru_holder {
    uint32_t warp; /* its number + 1; 0: none yet */
    uint32_t element[WS_LANES_MAX];
} iru_holder;

static void out_of_memory(ws_iru_gather *g) {
    if (!g->trouble) g->trouble = "";
}

/* Returns `items`, moved if need be so that there is room for one more after `count`; NULL if out of memory. */
static void *reserve(ws_iru_gather *g, void *items, uint32_t count, uint32_t *room, size_t item_bytes) {
    if (count < *room) return items;
    uint32_t more = *room ? 2 * *room : 1024;
    void *grown = more > *room ? realloc(items, more * item_bytes) : NULL;
    if (grown)
        *room = more;
    else
        out_of_memory(g);
    return grown;
}

/* ---- lines */

bool ws_iru_line(ws_iru_gather *g, uint64_t line, uint32_t *number) {
    if (!ws_lines_number(&g->lines, line, number)) return false;
    if (!WS_ROOM_FOR(g->line_address, g->line_room, (size_t)*number + 1)) return false;
    g->line_address[*number] = line;
    return true;
}

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The largest number of lanes that touch the same word of `line`; `words` must be sorted. */
static unsigned most_alike(const uint64_t *words, unsigned lanes, uint64_t line, unsigned words_shift) {
    unsigned most = 1, alike = 0;
    for (unsigned i = 0; i < lanes; i++) {
        if (words[i] >> words_shift != line) continue;
        alike = i > 0 && words[i] == words[i - 1] ? alike + 1 : 1;
        most = alike > most ? alike : most;
    }
    return most;
}

unsigned ws_iru_parts(const ws_iru_gather *g, const ws_static *s) {
    return s->space == WS_SPACE_LOCAL && g->local_threads ? ws_local_words(s->width_B) : 1;
}

/* Where the lanes' `nth` parts are: a pointer to `addresses`, or to `words`, which it fills. `*width`: their bytes. */
static const uint64_t *find_part(const ws_iru_gather *g, const ws_static *s, unsigned nth,
                                 const uint64_t *addresses, unsigned lanes, uint64_t words[WS_LANES_MAX],
                                 unsigned *width) {
    *width = s->width_B;
    if (ws_iru_parts(g, s) == 1) return addresses;
    ws_local_nth_words(g->local_threads, s->width_B, nth, addresses, lanes, words);
    *width = WS_LOCAL_WORD_B;
    return words;
}

unsigned ws_iru_requests(const ws_iru_gather *g, const ws_static *s, unsigned nth, const uint64_t *addresses,
                         unsigned lanes, ws_coalesced lines[WS_COALESCED_MAX], unsigned *line_count) {
    const ws_coalescer *c = &g->coalescer;
    uint64_t parts[WS_LANES_MAX];
    unsigned width;
    addresses = find_part(g, s, nth, addresses, lanes, parts, &width);
    *line_count = ws_coalesce(c, addresses, lanes, width, lines);
    if (!ws_memory_is_atomic(s->op)) return *line_count;
    uint64_t words[WS_LANES_MAX];
    for (unsigned i = 0; i < lanes; i++) words[i] = addresses[i] >> WORD_SHIFT;
    qsort(words, lanes, sizeof *words, by_number);
    unsigned requests = 0;
    for (unsigned i = 0; i < *line_count; i++)
        requests += most_alike(words, lanes, lines[i].line, c->line_shift - WORD_SHIFT);
    return requests;
}

/* ---- index loads */

static int by_pc(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Marks the loads that the user or any access of the trace names as index loads. The access may be in another launch;
 * then nothing uses the load's elements here. */
static bool find_index_loads(ws_iru_gather *g) {
    const ws_static *statics = ws_trace_statics(g->trace);
    uint32_t *pcs = malloc(((size_t)g->static_count * WS_INDEX_MAX + 1) * sizeof *pcs);
    size_t count = 0;
    if (!pcs) return false;
    if (g->index_pc >= 0) pcs[count++] = (uint32_t)g->index_pc;
    for (uint32_t i = 0; g->index_pc < 0 && i < g->static_count; i++)
        for (uint32_t k = 0; k < statics[i].index_count; k++) pcs[count++] = statics[i].index_pc[k];
    qsort(pcs, count, sizeof *pcs, by_pc);
    for (uint32_t i = 0; i < g->static_count; i++)
        g->is_index_load[i] = statics[i].op == WS_MEMORY_LOAD && ws_static_is_global_or_local(&statics[i]) &&
                              bsearch(&statics[i].pc, pcs, count, sizeof *pcs, by_pc);
    free(pcs);
    return true;
}

static void add_feed(ws_iru_gather *g, uint32_t pc) {
    if (g->feed_count == WS_IRU_FEEDS_MAX) {
        g->trouble = "more than 8 index loads in the launch: name one with iru.index_pc";
        return;
    }
    ws_iru_feed *feed = &g->feeds[g->feed_count++]; /* freed with the others */
    feed->pc = pc;
    feed->before = calloc((size_t)g->static_count + 1, sizeof *feed->before);
    feed->holder = calloc((size_t)g->sms * WS_SLOTS, sizeof *feed->holder);
    if (!feed->before || !feed->holder) out_of_memory(g);
}

static bool is_named(const ws_iru_gather *g, uint32_t pc) {
    for (int k = 0; k < WS_IRU_ACCESS_PCS; k++)
        if (g->access_pc[k] == pc) return true;
    return false;
}

static bool names_any(const ws_iru_gather *g) {
    for (int k = 0; k < WS_IRU_ACCESS_PCS; k++)
        if (g->access_pc[k] >= 0) return true;
    return false;
}

/* Returns the feed of the load at `pc`, which it adds if need be; `feed_count` if the load is not wanted. */
static uint32_t meet_feed(ws_iru_gather *g, uint32_t pc) {
    uint32_t f = 0;
    while (f < g->feed_count && g->feeds[f].pc != pc) f++;
    const bool is_wanted = g->index_pc < 0 || g->index_pc == pc;
    if (f == g->feed_count && is_wanted) add_feed(g, pc);
    return f;
}

/* The set of feeds whose elements the access uses. */
static uint8_t fed_by(ws_iru_gather *g, const ws_static *s) {
    if (names_any(g)) return is_named(g, s->pc) ? (uint8_t)(1u << meet_feed(g, (uint32_t)g->index_pc)) : 0;
    unsigned feeds = 0;
    for (uint32_t k = 0; k < s->index_count && !g->trouble; k++) {
        const uint32_t f = meet_feed(g, s->index_pc[k]);
        if (f < g->feed_count) feeds |= 1u << f;
    }
    return (uint8_t)feeds;
}

/* ---- instructions */

typedef struct execution {
    const ws_static *s;
    uint32_t inst, warp;
    size_t holder;
    uint64_t mask;
    const uint64_t *address;
    uint16_t sm;
    unsigned lanes, width;
} execution;

static iru_holder *holder_of(const ws_iru_feed *feed, const execution *e) {
    iru_holder *holder = &feed->holder[e->holder];
    if (holder->warp == e->warp + 1) return holder;
    holder->warp = e->warp + 1;
    for (unsigned lane = 0; lane < WS_LANES_MAX; lane++) holder->element[lane] = WS_IRU_NONE;
    return holder;
}

static bool add_request(ws_iru_gather *g, ws_iru_feed *feed, unsigned lanes) {
    uint8_t *grown = reserve(g, feed->lanes, feed->request_count, &feed->request_room, sizeof *grown);
    if (!grown) return false;
    feed->lanes = grown;
    feed->lanes[feed->request_count++] = (uint8_t)lanes;
    return true;
}

static bool add_element(ws_iru_gather *g, ws_iru_feed *feed, ws_iru_element element) {
    ws_iru_element *elements =
        reserve(g, feed->elements, feed->element_count, &feed->element_room, sizeof *elements);
    if (!elements) return false;
    feed->elements = elements;
    feed->elements[feed->element_count++] = element;
    return true;
}

static bool add_access(ws_iru_gather *g, ws_iru_feed *feed, ws_iru_access access) {
    ws_iru_access *accesses =
        reserve(g, feed->accesses, feed->access_count, &feed->access_room, sizeof *accesses);
    if (!accesses) return false;
    feed->accesses = accesses;
    feed->accesses[feed->access_count++] = access;
    return true;
}

/* Executes the feed's load: each active lane holds a new element. */
static void load_elements(ws_iru_gather *g, ws_iru_feed *feed, const execution *e) {
    iru_holder *holder = holder_of(feed, e);
    if (!add_request(g, feed, e->lanes)) return;
    const uint64_t *address = e->address;
    for (uint64_t mask = e->mask; mask; mask &= mask - 1) {
        if (!add_element(g, feed, (ws_iru_element){*address++, WS_IRU_NONE})) return;
        holder->element[__builtin_ctzll(mask)] = feed->element_count - 1;
    }
}

static void use_element(ws_iru_gather *g, ws_iru_feed *feed, uint32_t element, uint32_t inst,
                        uint64_t address) {
    uint32_t previous = feed->elements[element].last_access, same = previous;
    while (same != WS_IRU_NONE && feed->accesses[same].inst != inst) same = feed->accesses[same].previous;
    uint32_t round = same == WS_IRU_NONE ? 0 : feed->accesses[same].round + 1;
    if (add_access(g, feed, (ws_iru_access){address, element, inst, round, previous}))
        feed->elements[element].last_access = feed->access_count - 1;
}

static void add_event(ws_iru_gather *g, ws_iru_event event) {
    if (WS_ROOM_FOR(g->events, g->event_room, g->event_count + 1))
        g->events[g->event_count++] = event;
    else
        out_of_memory(g);
}

/* Per line: the lanes that access it. */
static void find_lanes(const ws_coalescer *c, const execution *e, const ws_coalesced *lines, unsigned count,
                       uint64_t *of_line) {
    const uint64_t *address = e->address;
    unsigned at = 0;
    memset(of_line, 0, count * sizeof *of_line);
    for (uint64_t left = e->mask; left; left &= left - 1, address++) {
        const uint64_t first = *address >> c->line_shift,
                       last = ws_last_byte(*address, e->width) >> c->line_shift;
        while (at > 0 && lines[at].line > first) at--;
        while (lines[at].line < first) at++;
        for (unsigned i = at; i < count && lines[i].line <= last; i++) of_line[i] |= left & -left;
    }
}

static uint64_t word_of(const execution *e, unsigned lane) {
    return e->address[ws_count_bits(e->mask & (ws_bit(lane) - 1))] >> WORD_SHIFT;
}

/* Of `lanes`, those that access the same word as the lowest one. */
static uint64_t lanes_at_word(const execution *e, uint64_t lanes) {
    const uint64_t word = word_of(e, ws_lowest_bit(lanes));
    uint64_t same = 0;
    for (uint64_t left = lanes; left; left &= left - 1)
        if (word_of(e, ws_lowest_bit(left)) == word) same |= left & -left;
    return same;
}

/* Adds the lines that an execution, or a part of one, accesses as events like `event`. */
static void add_events(ws_iru_gather *g, const execution *e, ws_iru_event event) {
    ws_coalesced lines[WS_COALESCED_MAX];
    uint64_t of_line[WS_COALESCED_MAX];
    const unsigned count = ws_coalesce(&g->coalescer, e->address, e->lanes, e->width, lines);
    find_lanes(&g->coalescer, e, lines, count, of_line);
    event.op = e->s->op;
    for (unsigned i = 0; i < count && !g->trouble; i++) {
        if (!ws_iru_line(g, lines[i].line, &event.line)) out_of_memory(g);
        event.is_further = false;
        for (uint64_t left = of_line[i]; left; left &= ~event.lanes, event.is_further = true) {
            event.lanes = ws_memory_is_atomic(event.op) ? lanes_at_word(e, left) : left;
            add_event(g, event);
        }
    }
}

static void add_parts(ws_iru_gather *g, const execution *e, ws_iru_event event) {
    for (unsigned nth = 0; nth < ws_iru_parts(g, e->s) && !g->trouble; nth++) {
        uint64_t words[WS_LANES_MAX];
        execution part = *e;
        part.address = find_part(g, e->s, nth, e->address, e->lanes, words, &part.width);
        add_events(g, &part, event);
    }
}

static void use_elements(ws_iru_gather *g, uint32_t f, const execution *e) {
    ws_iru_feed *feed = &g->feeds[f];
    const iru_holder *holder = holder_of(feed, e);
    uint64_t linked[WS_LANES_MAX];
    unsigned count = 0, line_count;
    const uint64_t *address = e->address;
    for (uint64_t mask = e->mask; mask && !g->trouble; mask &= mask - 1, address++) {
        uint32_t element = holder->element[__builtin_ctzll(mask)];
        if (element == WS_IRU_NONE) {
            feed->unlinked++;
        } else {
            linked[count++] = *address;
            use_element(g, feed, element, e->inst, *address);
        }
    }
    if (count == 0) return;
    ws_coalesced lines[WS_COALESCED_MAX];
    ws_iru_counts *before = &feed->before[e->inst];
    before->instructions++;
    before->lanes += count;
    for (unsigned nth = 0; nth < ws_iru_parts(g, e->s); nth++)
        before->requests += ws_iru_requests(g, e->s, nth, linked, count, lines, &line_count);
}

static void execute(ws_iru_gather *g, const execution *e) {
    ws_iru_event event = {
        .warp = e->warp, .sm = e->sm, .fed_by = fed_by(g, e->s), .local = e->s->space == WS_SPACE_LOCAL};
    for (uint32_t f = 0; f < g->feed_count && !g->trouble; f++)
        if (event.fed_by >> f & 1) use_elements(g, f, e);
    if (g->is_index_load[e->inst] && !g->trouble) {
        const uint32_t f = meet_feed(g, e->s->pc);
        if (g->trouble) return;
        load_elements(g, &g->feeds[f], e);
        event.feed = (uint8_t)(f + 1);
        event.lanes = e->mask;
        event.line = g->feeds[f].request_count - 1;
        add_event(g, event);
    }
    add_parts(g, e, event);
}

void ws_iru_gather_batch(ws_iru_gather *g, const ws_instructions *b) {
    const ws_static *statics = ws_trace_statics(g->trace);
    for (size_t i = 0; i < b->count && !g->trouble; i++) {
        const ws_static *s = &statics[b->inst[i]];
        if (!b->issued[i] || !b->mask[i] || !ws_static_is_global_or_local(s)) continue;
        execute(g, &(execution){.s = s,
                                .inst = b->inst[i],
                                .warp = b->warp[i],
                                .holder = (size_t)b->sm[i] * WS_SLOTS + b->slot[i],
                                .mask = b->mask[i],
                                .address = b->address[i],
                                .sm = b->sm[i],
                                .lanes = (unsigned)__builtin_popcountll(b->mask[i])});
    }
}

uint32_t ws_iru_gather_chosen(const ws_iru_gather *g) {
    uint32_t chosen = g->feed_count, most = 0;
    for (uint32_t f = 0; f < g->feed_count; f++)
        if (g->feeds[f].access_count > most) {
            most = g->feeds[f].access_count;
            chosen = f;
        }
    return chosen;
}

/* ---- life */

bool ws_iru_gather_init(ws_iru_gather *g, const ws_stream_info *stream, int64_t index_pc,
                        const int64_t access_pc[WS_IRU_ACCESS_PCS]) {
    *g = (ws_iru_gather){.trace = stream->trace,
                         .coalescer = ws_coalescer_of(stream->line_B, stream->sector_B),
                         .sms = stream->sms,
                         .warps = (uint32_t)stream->kernel->counters.ctas * stream->warps_per_cta,
                         .static_count = ws_trace_get_info(stream->trace)->static_count,
                         .index_pc = index_pc};
    if (ws_local_is_common(g->trace)) g->local_threads = ws_local_threads(g->trace, stream->kernel);
    for (int i = 0; i < WS_IRU_ACCESS_PCS; i++) g->access_pc[i] = access_pc[i];
    g->is_index_load = calloc((size_t)g->static_count + 1, sizeof *g->is_index_load);
    return g->is_index_load && find_index_loads(g);
}

void ws_iru_gather_free(ws_iru_gather *g) {
    for (uint32_t f = 0; f < g->feed_count; f++) {
        ws_iru_feed *feed = &g->feeds[f];
        free(feed->elements);
        free(feed->lanes);
        free(feed->accesses);
        free(feed->before);
        free(feed->holder);
    }
    free(g->is_index_load);
    ws_lines_free(&g->lines);
    free(g->line_address);
    free(g->events);
    *g = (ws_iru_gather){0};
}
