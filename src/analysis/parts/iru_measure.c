#include "analysis/parts/iru_measure.h"

#include "analysis/parts/tags.h"
#include "base/bits.h"
#include "base/room.h"
#include "replay/iru_sizes.h"
#include "replay/set_index.h"

#include <stdlib.h>

/* An access with an element of a reply, by the lane that got the element. */
typedef struct lane_access {
    uint64_t address;
    uint32_t round, inst;
    uint32_t lane;
} lane_access;

typedef struct measure {
    ws_iru_gather *gather;
    const ws_iru_feed *feed;
    uint32_t feed_number;
    const ws_iru_setup *setup;
    ws_iru_result *result;
    uint32_t *order; /* elements in the order of the array; for the unit, their place here is their number */
    uint64_t *address, *target; /* in that order */
    uint32_t *merged, *next;    /* in that order: first element merged into it; next one in its list */
    ws_iru_replies replies;
    lane_access *accesses; /* scratch: of one reply */
    size_t access_count, access_room;
    ws_tags *l1; /* per SM */
    /* per warp: the lanes that have asked the unit; those that got no element */
    uint64_t *asked, *disabled;
} measure;

/* ---- the unit's work */

static int by_place(const void *a, const void *b, void *context) {
    const ws_iru_element *elements = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (elements[x].address != elements[y].address) return elements[x].address < elements[y].address ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* The access by whose lines elements are collected: the one that uses the most elements; among equals the first. */
static uint32_t key_access(const measure *m, uint64_t *uses) {
    uint32_t key = 0;
    for (uint32_t i = 0; i < m->feed->access_count; i++)
        if (m->feed->accesses[i].round == 0) uses[m->feed->accesses[i].inst]++;
    for (uint32_t i = 1; i < m->gather->static_count; i++)
        if (uses[i] > uses[key]) key = i;
    return key;
}

static uint64_t target_of(const measure *m, uint32_t element, uint32_t key) {
    uint64_t target = WS_IRU_NO_TARGET;
    for (uint32_t a = m->feed->elements[element].last_access; a != WS_IRU_NONE;
         a = m->feed->accesses[a].previous)
        if (m->feed->accesses[a].inst == key)
            target = m->feed->accesses[a].address; /* the list runs backwards: the first access is met last */
    return target;
}

/* The filter; `auto` stands for what the kernel's access does with elements that have the same target. */
static enum ws_iru_filter filter_of(const measure *m, uint32_t key) {
    if (m->setup->filter != WS_IRU_FILTER_AUTO) return m->setup->filter;
    const ws_static *s = &ws_trace_statics(m->gather->trace)[key];
    return ws_iru_filter_of(s, ws_trace_opcode(m->gather->trace, s->opcode));
}

static bool allocate(measure *m) {
    const size_t elements = (size_t)m->feed->element_count + 1;
    m->order = malloc(elements * sizeof *m->order);
    m->address = malloc(elements * sizeof *m->address);
    m->target = malloc(elements * sizeof *m->target);
    m->merged = malloc(elements * sizeof *m->merged);
    m->next = malloc(elements * sizeof *m->next);
    m->result->after = calloc((size_t)m->gather->static_count + 1, sizeof *m->result->after);
    return m->order && m->address && m->target && m->merged && m->next && m->result->after;
}

/* Sorts the elements into the order of the array, and counts the unit's own requests: it fetches each line once. */
static void sort_elements(measure *m, uint32_t key) {
    const ws_iru_feed *f = m->feed;
    const unsigned shift = m->gather->coalescer.line_shift;
    for (uint32_t i = 0; i < f->element_count; i++) m->order[i] = i;
    qsort_r(m->order, f->element_count, sizeof *m->order, by_place, f->elements);
    for (uint32_t i = 0; i < f->element_count; i++) {
        m->address[i] = f->elements[m->order[i]].address;
        m->target[i] = target_of(m, m->order[i], key);
        m->result->untargeted += m->target[i] == WS_IRU_NO_TARGET;
        m->result->l1_after.behind += i == 0 || m->address[i] >> shift != m->address[i - 1] >> shift;
    }
}

/* True if indices of 24 bits reach all targets. */
static bool is_in_reach(const measure *m, uint32_t key) {
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t i = 0; i < m->feed->element_count; i++) {
        if (m->target[i] == WS_IRU_NO_TARGET) continue;
        first = m->target[i] < first ? m->target[i] : first;
        last = m->target[i] > last ? m->target[i] : last;
    }
    return last < first ||
           (last - first) / ws_trace_statics(m->gather->trace)[key].width_B < 1 << WS_IRU_INDEX_BITS;
}

static bool prepare(measure *m) {
    uint64_t *uses = calloc((size_t)m->gather->static_count + 1, sizeof *uses);
    bool ok = uses && allocate(m);
    if (ok) {
        uint32_t key = key_access(m, uses);
        m->result->filter = filter_of(m, key);
        sort_elements(m, key);
        if (!is_in_reach(m, key))
            m->result->trouble = "the accesses span more elements than an index of 24 bits reaches (IRU 4)";
    }
    free(uses);
    return ok;
}

static bool reorder(measure *m) {
    ws_iru_unit unit = m->setup->unit;
    unit.filter = m->result->filter != WS_IRU_FILTER_NONE;
    const ws_iru_work work = {.element_count = m->feed->element_count,
                              .address = m->address,
                              .target = m->target,
                              .request_count = m->feed->request_count,
                              .lanes = m->feed->lanes};
    if (!ws_iru_reorder(&unit, &work, &m->replies)) return false;
    for (uint32_t i = 0; i < m->feed->element_count; i++) m->merged[i] = WS_IRU_NONE;
    for (uint32_t i = 0; i < m->feed->element_count; i++) {
        uint32_t into = m->replies.merged_into[i];
        if (into == WS_IRU_NOBODY) continue;
        m->next[i] = m->merged[into];
        m->merged[into] = i;
        m->result->filtered++;
    }
    return true;
}

/* ---- replies */

static bool collect(measure *m, uint32_t element, uint32_t lane) {
    const ws_iru_access *accesses = m->feed->accesses;
    for (uint32_t a = m->feed->elements[m->order[element]].last_access; a != WS_IRU_NONE;
         a = accesses[a].previous) {
        if (!WS_ROOM_FOR(m->accesses, m->access_room, m->access_count + 1)) return false;
        m->accesses[m->access_count++] =
            (lane_access){accesses[a].address, accesses[a].round, accesses[a].inst, lane};
    }
    return true;
}

static int in_program_order(const void *a, const void *b) {
    const lane_access *x = a, *y = b;
    if (x->round != y->round) return x->round < y->round ? -1 : 1;
    if (x->inst != y->inst) return x->inst < y->inst ? -1 : 1;
    if (x->lane != y->lane) return x->lane < y->lane ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* Keeps one of equal accesses by one lane: it makes an access if any of the elements that it stands for does. */
static void drop_repeated(measure *m) {
    size_t kept = 0;
    for (size_t i = 0; i < m->access_count; i++) {
        const lane_access *a = &m->accesses[i], *last = kept ? &m->accesses[kept - 1] : NULL;
        if (last && last->round == a->round && last->inst == a->inst && last->lane == a->lane) {
            if (last->address != a->address)
                m->result->trouble = "elements of the same target are used for different addresses: the load "
                                     "gives no plain index, so they cannot be merged";
            continue;
        }
        m->accesses[kept++] = *a;
    }
    m->access_count = kept;
}

static bool collect_reply(measure *m, uint32_t request) {
    const size_t first = m->replies.first[request], count = m->replies.first[request + 1] - first;
    m->access_count = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        uint32_t element = m->replies.element[first + lane];
        if (!collect(m, element, lane)) return false;
        for (uint32_t i = m->merged[element]; i != WS_IRU_NONE; i = m->next[i])
            if (!collect(m, i, lane)) return false;
    }
    if (m->access_count > 0) qsort(m->accesses, m->access_count, sizeof *m->accesses, in_program_order);
    drop_repeated(m);
    m->result->disabled_requests += count == 0;
    return true;
}

/* ---- L1s */

static bool l1_init(measure *m) {
    for (uint32_t sm = 0; sm < m->gather->sms; sm++) {
        ws_tags_free(&m->l1[sm]);
        if (!ws_tags_init(&m->l1[sm], m->setup->l1_sets, m->setup->l1_ways, WS_TAGS_LRU, 0)) return false;
    }
    return true;
}

typedef struct request {
    uint32_t line;
    uint16_t sm;
    uint8_t op; /* ws_memory_op */
    bool local; /* to local memory */
} request;

static bool l1_request(measure *m, ws_iru_l1 *count, request r) {
    const uint32_t set = ws_set_of(WS_INDEX_LINEAR, m->gather->line_address[r.line], m->setup->l1_sets);
    ws_tags *tags = &m->l1[r.sm];
    bool passes = true;
    if (r.op == WS_MEMORY_LOAD) {
        uint32_t victim;
        ws_tags_answer answer = ws_tags_access(tags, set, r.line, 0, &victim);
        if (answer == WS_TAGS_NO_MEMORY) return false;
        passes = answer == WS_TAGS_MISS;
        count->misses += passes;
    } else if (r.op == WS_MEMORY_STORE && r.local) {
        passes = !ws_tags_touch(tags, set, r.line);
    } else {
        ws_tags_evict(tags, set, r.line);
    }
    count->accesses += r.op == WS_MEMORY_LOAD || r.op == WS_MEMORY_STORE;
    count->behind += passes;
    return true;
}

/* Makes the requests of the `nth` part of an execution with the unit. */
static bool execute_part(measure *m, uint16_t sm, uint32_t inst, unsigned nth, const uint64_t *addresses,
                         unsigned lanes) {
    const ws_static *s = &ws_trace_statics(m->gather->trace)[inst];
    ws_coalesced lines[WS_COALESCED_MAX];
    unsigned line_count, requests = ws_iru_requests(m->gather, s, nth, addresses, lanes, lines, &line_count);
    m->result->after[inst].requests += requests;
    m->result->l1_after.behind += requests - line_count; /* atomics that are split */
    request r = {.sm = sm, .op = s->op, .local = s->space == WS_SPACE_LOCAL};
    for (unsigned k = 0; k < line_count; k++)
        if (!ws_iru_line(m->gather, lines[k].line, &r.line) || !l1_request(m, &m->result->l1_after, r))
            return false;
    return true;
}

/* Makes the accesses with a reply's elements, instruction by instruction. */
static bool execute_reply(measure *m, uint16_t sm) {
    const ws_static *statics = ws_trace_statics(m->gather->trace);
    for (size_t i = 0, end; i < m->access_count; i = end) {
        const lane_access *first = &m->accesses[i];
        uint64_t addresses[WS_LANES_MAX];
        unsigned count = 0;
        for (end = i; end < m->access_count && m->accesses[end].inst == first->inst &&
                      m->accesses[end].round == first->round;
             end++)
            addresses[count++] = m->accesses[end].address;
        ws_iru_counts *after = &m->result->after[first->inst];
        after->instructions++;
        after->lanes += count;
        for (unsigned nth = 0; nth < ws_iru_parts(m->gather, &statics[first->inst]); nth++)
            if (!execute_part(m, sm, first->inst, nth, addresses, count)) return false;
    }
    return true;
}

/* Makes the requests that these lanes make for a line, whose events go from `e` to `end`. */
static bool make_requests(measure *m, ws_iru_l1 *count, const ws_iru_event *e, const ws_iru_event *end,
                          uint64_t lanes) {
    unsigned requests = 0;
    for (const ws_iru_event *at = e; at < end; at++) {
        const unsigned meet = ws_count_bits(at->lanes & lanes);
        requests = meet > requests ? meet : requests;
    }
    if (requests == 0) return true;
    if (ws_memory_is_atomic(e->op)) count->behind += requests - 1;
    return l1_request(m, count, (request){e->line, e->sm, e->op, e->local});
}

static const ws_iru_event *next_line(const ws_iru_event *e, const ws_iru_event *end) {
    do e++;
    while (e < end && e->is_further);
    return e;
}

static bool run_before(measure *m) {
    const ws_iru_event *end = m->gather->events + m->gather->event_count;
    if (!l1_init(m)) return false;
    for (const ws_iru_event *e = m->gather->events, *next; e < end; e = next) {
        next = next_line(e, end);
        if (e->op != WS_MEMORY_NONE && !make_requests(m, &m->result->l1_before, e, next, UINT64_MAX))
            return false;
    }
    return true;
}

/* The lowest of the lanes that ask get the elements, one each. The others are disabled for good: none are left for
 * later requests either. */
static bool answer(measure *m, const ws_iru_event *e) {
    uint64_t without = e->lanes;
    for (size_t i = m->replies.first[e->line]; i < m->replies.first[e->line + 1]; i++) without &= without - 1;
    m->asked[e->warp] |= e->lanes;
    m->disabled[e->warp] |= without;
    return collect_reply(m, e->line) && execute_reply(m, e->sm);
}

/* The lanes whose access stays where it was. */
static uint64_t staying(const measure *m, const ws_iru_event *e) {
    if (e->feed == m->feed_number + 1) return 0;
    return ~(e->fed_by >> m->feed_number & 1 ? m->asked : m->disabled)[e->warp];
}

/* Replays the launch with the unit: the index load's own requests bypass the L1s, and the accesses that it feeds come
 * right after each answer instead of where they were, but for what lanes that have never asked do. Disabled lanes make
 * no accesses. */
static bool run_after(measure *m) {
    const ws_iru_event *end = m->gather->events + m->gather->event_count;
    m->asked = calloc((size_t)m->gather->warps + 1, sizeof *m->asked);
    m->disabled = calloc((size_t)m->gather->warps + 1, sizeof *m->disabled);
    if (!m->asked || !m->disabled || !l1_init(m)) return false;
    for (const ws_iru_event *e = m->gather->events, *next; e < end; e = next) {
        next = next_line(e, end);
        bool ok = true;
        if (e->op != WS_MEMORY_NONE)
            ok = make_requests(m, &m->result->l1_after, e, next, staying(m, e));
        else if (e->feed == m->feed_number + 1)
            ok = answer(m, e);
        if (!ok) return false;
    }
    return true;
}

/* ---- all */

static bool serve_feed(measure *m) {
    ws_iru_result *r = m->result;
    r->has_feed = true;
    r->index_pc = m->feed->pc;
    r->requests = m->feed->request_count;
    r->elements = m->feed->element_count;
    r->unlinked = m->feed->unlinked;
    bool ok = prepare(m) && reorder(m) && run_after(m);
    r->by_entry = m->replies.by_entry;
    r->by_timeout = m->replies.by_timeout;
    r->by_end = m->replies.by_end;
    r->steps = m->replies.steps;
    return ok;
}

bool ws_iru_measure(ws_iru_gather *gather, uint32_t feed, const ws_iru_setup *setup, ws_iru_result *result) {
    measure m = {.gather = gather, .feed_number = feed, .setup = setup, .result = result};
    *result = (ws_iru_result){0};
    m.l1 = calloc(gather->sms, sizeof *m.l1);
    bool ok = m.l1 && run_before(&m);
    if (ok && feed < gather->feed_count) {
        m.feed = &gather->feeds[feed];
        ok = serve_feed(&m);
    } else {
        result->l1_after = result->l1_before;
    }
    ws_iru_replies_free(&m.replies);
    for (uint32_t sm = 0; m.l1 && sm < gather->sms; sm++) ws_tags_free(&m.l1[sm]);
    free(m.order), free(m.address), free(m.target), free(m.merged);
    free(m.next), free(m.accesses), free(m.l1), free(m.asked), free(m.disabled);
    return ok;
}

void ws_iru_result_free(ws_iru_result *result) {
    free(result->after);
    *result = (ws_iru_result){0};
}
