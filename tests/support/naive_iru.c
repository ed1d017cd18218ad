/* A naive twin of the irregular accesses reorder unit: simulates it step by step and looks at all elements and entries
 * for each question. */
#include "naive.h"

#include "replay/local.h"
#include "replay/set_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ELEMENTS = 4096, REQUESTS = 1024, SETS = 64, HELD = 64, USES = 64, STATICS = 64, SMS = 8, WAYS = 16 };

typedef struct use {
    uint32_t inst, round;
    uint64_t address;
} use;

typedef struct element {
    uint64_t address;
    use uses[USES];
    unsigned use_count;
    unsigned request; /* of the thread that loads it */
    unsigned rank;    /* the number of lower lanes in that request */
    bool taken;       /* by its partition */
    int reply;        /* -1: none */
    int merged_into;
} element;

typedef struct request {
    unsigned lanes, sm;
    bool answered;
} request;

typedef struct counts {
    uint64_t instructions, lanes, requests;
} counts;

typedef struct cache {
    uint64_t line[SETS * WAYS], used[SETS * WAYS];
    bool there[SETS * WAYS];
} cache;

typedef struct memory {
    cache of[SMS];
    uint64_t clock, accesses, misses, behind; /* behind: requests that go on to the L2 */
} memory;

typedef struct unit {
    uint64_t l1_sets, l1_ways, hash_sets, partitions, timeout, interleave_B;
    enum ws_set_index hash;
    const ws_static *statics;
    unsigned line_B, warp_size;
    uint64_t local_threads; /* whose words are interleaved in local memory; 0: none are */
    element elements[ELEMENTS];
    request requests[REQUESTS];
    unsigned element_count, request_count;
    int held[SETS][HELD]; /* per entry of the hash: its elements, oldest first */
    unsigned held_count[SETS];
    uint32_t key, static_count, rounds; /* key: the access whose addresses the unit sorts elements by */
    bool filter, trouble;
    uint64_t *unlinked; /* per record of the stream: lanes without an element in an access that uses them */
    uint64_t by_entry, by_timeout, by_end, steps, since; /* since: the step of the last answer */
    counts before[STATICS], after[STATICS];              /* without and with the unit */
    memory memory_before, memory_after;
} unit;

static uint64_t number(const ws_config *config, const char *name) {
    json_t *value = ws_config_value(config, name);
    const uint64_t n = (uint64_t)json_integer_value(value);
    json_decref(value);
    return n;
}

static enum ws_set_index hash_of(const ws_config *config) {
    json_t *value = ws_config_value(config, "iru.hash");
    const char *name = json_string_value(value);
    const enum ws_set_index hash = strcmp(name, "linear") == 0 ? WS_INDEX_LINEAR
                                   : strcmp(name, "xor") == 0  ? WS_INDEX_XOR
                                                               : WS_INDEX_IPOLY;
    json_decref(value);
    return hash;
}

/* ---- requests and caches */

static bool is_atomic(const ws_static *s) {
    return s->op == WS_MEMORY_ATOMIC || s->op == WS_MEMORY_REDUCTION;
}

/* An access of several words of interleaved local memory asks for the lines of one word after another. */
static unsigned lines_of(const unit *u, const ws_static *s, const uint64_t *addresses, unsigned lanes,
                         uint64_t *lines) {
    bool in_words = s->space == WS_SPACE_LOCAL && s->width_B > 4 && u->local_threads;
    unsigned count = 0, parts = in_words ? (s->width_B + 3) / 4 : 1;
    for (unsigned nth = 0; nth < parts; nth++) {
        naive_request requests[256];
        uint64_t words[64];
        if (in_words) ws_local_nth_words(u->local_threads, s->width_B, nth, addresses, lanes, words);
        unsigned found = naive_coalesce(in_words ? words : addresses, lanes, in_words ? 4 : s->width_B,
                                        u->line_B, requests);
        for (unsigned i = 0; i < found; i++) lines[count++] = requests[i].line;
    }
    return count;
}

/* The number of requests: one for each line; of an atomic, each request serves at most one lane for each word of its
 * line, so lanes at the same word need a request each. */
static unsigned requests_of(const unit *u, const ws_static *s, const uint64_t *addresses, unsigned lanes) {
    uint64_t lines[256];
    unsigned count = lines_of(u, s, addresses, lanes, lines), requests = 0;
    if (!is_atomic(s)) return count;
    bool done[64] = {false};
    for (unsigned left = lanes; left > 0; requests++) {
        uint64_t line = UINT64_MAX, words[64];
        unsigned taken = 0;
        for (unsigned i = 0; i < lanes; i++) {
            if (done[i]) continue;
            if (line == UINT64_MAX) line = addresses[i] / u->line_B;
            bool fits = addresses[i] / u->line_B == line;
            for (unsigned t = 0; t < taken; t++) fits &= words[t] != addresses[i] / 4;
            if (!fits) continue;
            words[taken++] = addresses[i] / 4;
            done[i] = true;
            left--;
        }
    }
    return requests;
}

static void look_up(const unit *u, memory *m, unsigned sm, const ws_static *s, uint64_t line) {
    const uint8_t op = s->op;
    const uint64_t sets = u->l1_sets, ways = u->l1_ways, set = line % sets;
    cache *c = &m->of[sm];
    uint64_t place = set * ways, oldest = place;
    for (; place < (set + 1) * ways; place++)
        if (c->there[place] && c->line[place] == line) break;
    const bool found = place < (set + 1) * ways;
    m->accesses += op == WS_MEMORY_LOAD || op == WS_MEMORY_STORE;
    if (op == WS_MEMORY_STORE && s->space == WS_SPACE_LOCAL) {
        if (found) c->used[place] = ++m->clock;
        m->behind += !found;
        return;
    }
    if (op != WS_MEMORY_LOAD) {
        if (found) c->there[place] = false;
        m->behind++;
        return;
    }
    if (!found) {
        m->misses++;
        m->behind++;
        for (uint64_t w = set * ways; w < (set + 1) * ways; w++)
            if (!c->there[w] || (c->there[oldest] && c->used[w] < c->used[oldest])) oldest = w;
        place = oldest;
    }
    c->there[place] = true;
    c->line[place] = line;
    c->used[place] = ++m->clock;
}

/* Executes an instruction of a warp: its lines go to the L1; adds it to `count` unless that is NULL. */
static void execute(unit *u, memory *m, unsigned sm, uint32_t inst, const uint64_t *addresses, unsigned lanes,
                    counts *count) {
    const ws_static *s = &u->statics[inst];
    uint64_t lines[256];
    const unsigned line_count = lines_of(u, s, addresses, lanes, lines);
    const unsigned requests = requests_of(u, s, addresses, lanes);
    for (unsigned i = 0; i < line_count; i++) look_up(u, m, sm, s, lines[i]);
    m->behind += requests - line_count;
    if (!count) return;
    count->instructions++;
    count->lanes += lanes;
    count->requests += requests;
}

/* ---- the unit */

static bool target_of(const unit *u, const element *e, uint64_t *target) {
    for (unsigned i = 0; i < e->use_count; i++)
        if (e->uses[i].inst == u->key) {
            *target = e->uses[i].address;
            return true;
        }
    return false;
}

static unsigned set_of(const unit *u, const element *e) {
    uint64_t at;
    if (!target_of(u, e, &at)) at = e->address;
    return ws_set_of(u->hash, at / u->line_B, (uint32_t)u->hash_sets);
}

static unsigned held_in_all(const unit *u) {
    unsigned all = 0;
    for (unsigned s = 0; s < SETS; s++) all += u->held_count[s];
    return all;
}

static unsigned fullest(const unit *u) {
    unsigned best = 0;
    for (unsigned s = 1; s < SETS; s++)
        if (u->held_count[s] > u->held_count[best]) best = s;
    return best;
}

static unsigned answered(const unit *u) {
    unsigned n = 0;
    while (n < u->request_count && u->requests[n].answered) n++;
    return n;
}

static void answer(unit *u, unsigned at, uint64_t *counter) {
    request *r = &u->requests[at];
    for (unsigned given = 0; given < r->lanes && held_in_all(u) > 0; given++) {
        /* An entry is emptied before another one is chosen, even when it is no longer the fullest. */
        static unsigned from;
        if (given == 0 || u->held_count[from] == 0) from = fullest(u);
        u->elements[u->held[from][0]].reply = (int)at;
        memmove(&u->held[from][0], &u->held[from][1], (HELD - 1) * sizeof u->held[from][0]);
        u->held_count[from]--;
    }
    r->answered = true;
    u->since = u->steps;
    ++*counter;
}

static void answer_by_entry(unit *u) {
    for (;;) {
        const unsigned at = answered(u);
        if (at == u->request_count) return;
        if (u->held_count[fullest(u)] < u->requests[at].lanes) return;
        answer(u, at, &u->by_entry);
    }
}

static void answer_late(unit *u) {
    for (;;) {
        const unsigned at = answered(u);
        if (at == u->request_count) return;
        if (u->steps - u->since < u->timeout || held_in_all(u) < u->requests[at].lanes) return;
        answer(u, at, &u->by_timeout);
        answer_by_entry(u);
    }
}

/* Of the elements of a partition that it has not taken yet, the one that comes first in the array; -1: none. */
static int next_of(const unit *u, uint64_t partition) {
    int next = -1;
    for (unsigned i = 0; i < u->element_count; i++) {
        const element *e = &u->elements[i];
        if (e->taken || e->address / u->interleave_B % u->partitions != partition) continue;
        if (next < 0 || e->address < u->elements[next].address) next = (int)i;
    }
    return next;
}

static void take(unit *u, int at) {
    element *e = &u->elements[at];
    const unsigned set = set_of(u, e);
    uint64_t target, other;
    if (u->filter && target_of(u, e, &target))
        for (unsigned i = 0; i < u->held_count[set]; i++)
            if (target_of(u, &u->elements[u->held[set][i]], &other) && other == target) {
                e->merged_into = u->held[set][i];
                e->taken = true;
                return;
            }
    if (u->held_count[set] == u->warp_size) return;
    u->held[set][u->held_count[set]++] = at;
    e->taken = true;
}

static void reorder(unit *u) {
    for (;;) {
        bool any = false;
        for (uint64_t p = 0; p < u->partitions; p++) {
            const int next = next_of(u, p);
            if (next < 0) continue;
            any = true;
            take(u, next);
            answer_by_entry(u);
        }
        if (!any) break;
        answer_late(u);
        u->steps++;
    }
    for (unsigned at = answered(u); at < u->request_count; at++) answer(u, at, &u->by_end);
}

/* ---- what is gathered */

static bool depends(const ws_static *s, uint32_t pc) {
    for (unsigned k = 0; k < s->index_count; k++)
        if (s->index_pc[k] == pc) return true;
    return false;
}

typedef struct holder {
    uint32_t warp;
    bool there;
    int element[64]; /* -1: none */
} holder;

static holder *holder_of(holder *all, const inst_record *r) {
    holder *h = &all[r->sm * 64 + r->slot];
    if (!h->there || h->warp != r->warp)
        for (int lane = 0; lane < 64; lane++) h->element[lane] = -1;
    h->there = true;
    h->warp = r->warp;
    return h;
}

static void add_use(unit *u, element *e, uint32_t inst, uint64_t address) {
    uint32_t round = 0;
    for (unsigned i = 0; i < e->use_count; i++) round += e->uses[i].inst == inst;
    if (round >= u->rounds) u->rounds = round + 1;
    assert_true(e->use_count < USES);
    e->uses[e->use_count++] = (use){inst, round, address};
}

static uint64_t gather(unit *u, const stream *s, uint32_t pc) {
    holder *holders = calloc(SMS * 64, sizeof *holders);
    uint64_t unlinked = 0;
    for (size_t i = 0; i < s->inst_count; i++) {
        const inst_record *r = &s->insts[i];
        const ws_static *st = &u->statics[r->inst];
        if (!r->issued || !r->mask || !ws_static_is_global_or_local(st)) continue;
        const unsigned lanes = (unsigned)__builtin_popcountll(r->mask);
        execute(u, &u->memory_before, r->sm, r->inst, r->address, lanes, NULL);
        holder *h = holder_of(holders, r);
        uint64_t linked[64];
        unsigned count = 0;
        const uint64_t *address = r->address;
        for (unsigned lane = 0; lane < 64 && depends(st, pc); lane++) {
            if (!(r->mask >> lane & 1)) continue;
            if (h->element[lane] < 0) {
                unlinked++;
                u->unlinked[i] |= UINT64_C(1) << lane;
            } else {
                linked[count++] = *address;
                add_use(u, &u->elements[h->element[lane]], r->inst, *address);
            }
            address++;
        }
        if (count > 0) {
            u->before[r->inst].instructions++;
            u->before[r->inst].lanes += count;
            u->before[r->inst].requests += requests_of(u, st, linked, count);
        }
        if (st->pc != pc || st->op != WS_MEMORY_LOAD) continue;
        assert_true(u->request_count < REQUESTS && u->element_count + lanes <= ELEMENTS);
        u->requests[u->request_count++] = (request){lanes, r->sm, false};
        address = r->address;
        for (unsigned lane = 0; lane < 64; lane++) {
            if (!(r->mask >> lane & 1)) continue;
            u->elements[u->element_count] = (element){.address = *address,
                                                      .request = u->request_count - 1,
                                                      .rank = (unsigned)(address - r->address),
                                                      .reply = -1,
                                                      .merged_into = -1};
            address++;
            h->element[lane] = (int)u->element_count++;
        }
    }
    free(holders);
    return unlinked;
}

/* ---- what follows the answers */

static void execute_reply(unit *u, unsigned at) {
    for (uint32_t round = 0; round < u->rounds; round++)
        for (uint32_t inst = 0; inst < u->static_count; inst++) {
            uint64_t addresses[64];
            unsigned lanes = 0;
            for (unsigned i = 0; i < u->element_count; i++) {
                if (u->elements[i].reply != (int)at) continue;
                bool makes = false;
                uint64_t address = 0;
                for (unsigned k = u->filter ? 0 : i; k < (u->filter ? u->element_count : i + 1); k++) {
                    const element *e = &u->elements[k];
                    if (k != i && e->merged_into != (int)i) continue;
                    for (unsigned n = 0; n < e->use_count; n++) {
                        if (e->uses[n].inst != inst || e->uses[n].round != round) continue;
                        u->trouble |= makes && address != e->uses[n].address;
                        makes = true;
                        address = e->uses[n].address;
                    }
                }
                if (makes) addresses[lanes++] = address;
            }
            if (lanes > 0)
                execute(u, &u->memory_after, u->requests[at].sm, inst, addresses, lanes, &u->after[inst]);
        }
}

/* A request's elements go to its lowest lanes. The thread of a lane that is left without one does nothing more
 * (IRU Fig. 11); returns whether that is so of the thread that loads this element in the trace. */
static bool is_disabled(const unit *u, const element *e) {
    unsigned handed_out = 0;
    for (unsigned i = 0; i < u->element_count; i++) handed_out += u->elements[i].reply == (int)e->request;
    return e->rank >= handed_out;
}

static uint64_t disabled_lanes(const unit *u, const holder *h) {
    uint64_t lanes = 0;
    for (unsigned lane = 0; lane < 64; lane++)
        if (h->element[lane] >= 0 && is_disabled(u, &u->elements[h->element[lane]]))
            lanes |= UINT64_C(1) << lane;
    return lanes;
}

static void follow(unit *u, const stream *s, uint32_t pc) {
    holder *holders = calloc(SMS * 64, sizeof *holders);
    int loaded = 0;
    unsigned at = 0;
    for (size_t i = 0; i < s->inst_count; i++) {
        const inst_record *r = &s->insts[i];
        const ws_static *st = &u->statics[r->inst];
        if (!r->issued || !r->mask || !ws_static_is_global_or_local(st)) continue;
        holder *h = holder_of(holders, r);
        if (st->pc == pc && st->op == WS_MEMORY_LOAD) {
            execute_reply(u, at++);
            for (unsigned lane = 0; lane < 64; lane++)
                if (r->mask >> lane & 1) h->element[lane] = loaded++;
            continue;
        }
        const uint64_t stay = depends(st, pc) ? u->unlinked[i] : r->mask & ~disabled_lanes(u, h);
        if (!stay) continue;
        uint64_t addresses[64];
        unsigned lanes = 0, active = 0;
        for (unsigned lane = 0; lane < 64; lane++) {
            if (stay >> lane & 1) addresses[lanes++] = r->address[active];
            active += r->mask >> lane & 1;
        }
        execute(u, &u->memory_after, r->sm, r->inst, addresses, lanes, NULL);
    }
    free(holders);
}

static uint64_t index_lines(const unit *u) {
    uint64_t lines = 0;
    for (unsigned i = 0; i < u->element_count; i++) {
        bool is_new = true;
        for (unsigned k = 0; k < i; k++)
            is_new &= u->elements[k].address / u->line_B != u->elements[i].address / u->line_B;
        lines += is_new;
    }
    return lines;
}

static void choose_key(unit *u) {
    unsigned most = 0;
    for (uint32_t inst = 0; inst < u->static_count; inst++) {
        unsigned uses = 0;
        for (unsigned i = 0; i < u->element_count; i++)
            for (unsigned n = 0; n < u->elements[i].use_count; n++)
                uses += u->elements[i].uses[n].inst == inst && u->elements[i].uses[n].round == 0;
        if (uses > most) most = uses, u->key = inst;
    }
}

naive_iru_row naive_iru(const stream *s, const ws_trace *trace, const ws_config *config, unsigned line_B,
                        uint32_t pc, bool filter) {
    unit *u = calloc(1, sizeof *u);
    u->l1_sets = number(config, "iru.l1_sets");
    u->l1_ways = number(config, "iru.l1_ways");
    u->hash_sets = number(config, "iru.hash_sets");
    u->partitions = number(config, "iru.partitions");
    u->timeout = number(config, "iru.timeout");
    u->interleave_B = number(config, "iru.interleave_B");
    u->hash = hash_of(config);
    u->statics = ws_trace_statics(trace);
    u->line_B = line_B;
    u->static_count = ws_trace_get_info(trace)->static_count;
    u->warp_size = ws_trace_get_info(trace)->warp_size;
    if (ws_local_is_common(trace))
        u->local_threads = ws_local_threads(trace, ws_trace_kernel(trace, s->kernel));
    u->filter = filter;
    u->unlinked = calloc(s->inst_count + 1, sizeof *u->unlinked);
    naive_iru_row row = {.unlinked = gather(u, s, pc)};
    choose_key(u);
    reorder(u);
    follow(u, s, pc);
    row.requests = u->request_count;
    row.elements = u->element_count;
    for (unsigned i = 0; i < u->request_count; i++) {
        bool any = false;
        for (unsigned k = 0; k < u->element_count; k++) any |= u->elements[k].reply == (int)i;
        row.disabled += !any;
    }
    for (unsigned i = 0; i < u->element_count; i++) {
        uint64_t target;
        row.filtered += u->elements[i].merged_into >= 0;
        row.untargeted += !target_of(u, &u->elements[i], &target);
    }
    for (unsigned inst = 0; inst < STATICS; inst++) {
        row.instructions[0] += u->before[inst].instructions,
            row.instructions[1] += u->after[inst].instructions;
        row.lanes[0] += u->before[inst].lanes, row.lanes[1] += u->after[inst].lanes;
        row.memory[0] += u->before[inst].requests, row.memory[1] += u->after[inst].requests;
    }
    row.l1_accesses[0] = u->memory_before.accesses, row.l1_accesses[1] = u->memory_after.accesses;
    row.l1_misses[0] = u->memory_before.misses, row.l1_misses[1] = u->memory_after.misses;
    row.l2_accesses[0] = u->memory_before.behind,
    row.l2_accesses[1] = u->memory_after.behind + index_lines(u);
    row.by_entry = u->by_entry, row.by_timeout = u->by_timeout, row.by_end = u->by_end, row.steps = u->steps;
    row.trouble = u->trouble;
    free(u->unlinked);
    free(u);
    return row;
}
