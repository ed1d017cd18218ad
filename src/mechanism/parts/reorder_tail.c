#include "mechanism/parts/reorder_tail.h"

#include "base/bits.h"
#include "base/room.h"

#include <stdlib.h>

/* Where a lane of the warp is in the tail of one of its elements, or of its own thread. */
typedef struct reorder_cursor {
    const reorder_warp *from;
    uint32_t at;
    uint8_t there, lane; /* the lane in `from`; the lane in the warp that is being answered */
    bool disabled;
} cursor;

static const ws_static *next_of(const reorder_tails *t, const cursor *c) {
    return c->at < c->from->inst_count ? &t->statics[c->from->static_id[c->at]] : NULL;
}

static bool executes(const reorder_tails *t, const cursor *c) {
    uint32_t id = c->from->static_id[c->at];
    if (!(c->from->path[c->at] & ws_bit(c->there)) || t->work->dropped[id]) return false;
    return !c->disabled || t->statics[id].class_ == WS_CLASS_BARRIER ||
           t->statics[id].class_ == WS_CLASS_EXIT;
}

static void find_next(const reorder_tails *t, cursor *c) {
    while (c->at < c->from->inst_count && !executes(t, c)) c->at++;
}

static bool add(reorder_tails *t, cursor c) {
    if (!WS_ROOM_FOR(t->cursors, t->room, t->count + 1)) return false;
    find_next(t, &c);
    t->cursors[t->count++] = c;
    return true;
}

static bool add_element(reorder_tails *t, uint32_t element, unsigned lane) {
    const reorder_element *e = &t->work->elements[element];
    return add(t, (cursor){.from = &t->work->warps[e->warp], .there = e->lane, .lane = (uint8_t)lane});
}

static bool add_elements(reorder_tails *t, const reorder_answer *a, uint32_t element, unsigned lane) {
    bool ok = add_element(t, element, lane);
    for (uint32_t i = a->merged[element]; ok && i != REORDER_NOBODY; i = a->next[i])
        ok = add_element(t, i, lane);
    return ok;
}

static bool add_own(reorder_tails *t, const reorder_warp *w, unsigned lane, bool disabled) {
    return add(t, (cursor){.from = w, .there = (uint8_t)lane, .lane = (uint8_t)lane, .disabled = disabled});
}

static bool add_lanes(reorder_tails *t, const reorder_answer *a) {
    const reorder_warp *w = &t->work->warps[a->warp];
    uint64_t lanes = w->asks;
    for (uint32_t i = 0; i < w->inst_count; i++) lanes |= w->path[i];
    bool ok = true;
    for (uint32_t given = 0; ok && lanes; lanes &= lanes - 1) {
        unsigned lane = ws_lowest_bit(lanes);
        if (!(w->asks & ws_bit(lane)))
            ok = add_own(t, w, lane, false);
        else if (given < a->count)
            ok = add_elements(t, a, a->elements[given++], lane);
        else
            ok = add_own(t, w, lane, true);
    }
    return ok;
}

/* The static instruction to execute next: the one with the lowest address that a lane has come to; UINT32_MAX: none. */
static uint32_t lowest(const reorder_tails *t) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < t->count; i++) {
        const ws_static *s = next_of(t, &t->cursors[i]);
        if (!s) continue;
        uint32_t id = t->cursors[i].from->static_id[t->cursors[i].at];
        if (best == UINT32_MAX || s->pc < t->statics[best].pc || (s->pc == t->statics[best].pc && id < best))
            best = id;
    }
    return best;
}

typedef struct step {
    uint64_t mask;
    uint64_t address[WS_LANES_MAX]; /* per lane */
    bool conflict;                  /* merged elements use different addresses */
} step;

static void join(const reorder_tails *t, const cursor *c, uint32_t id, step *s) {
    const reorder_warp *w = c->from;
    uint64_t mask = w->mask[c->at];
    if (!(mask & ws_bit(c->there))) return;
    if (t->statics[id].op == WS_MEMORY_NONE) {
        s->mask |= ws_bit(c->lane);
        return;
    }
    uint64_t below = mask & (ws_bit(c->there) - 1);
    uint64_t address = w->address[w->address_at[c->at] + ws_count_bits(below)];
    if (s->mask & ws_bit(c->lane))
        s->conflict |= t->work->fed[id] && s->address[c->lane] != address;
    else
        s->address[c->lane] = address;
    s->mask |= ws_bit(c->lane);
}

/* Executes one instruction with all lanes that have come to it. False: merged elements use different addresses. */
static bool execute(reorder_tails *t, uint32_t id) {
    step s = {.mask = 0};
    for (uint32_t i = 0; i < t->count; i++) {
        cursor *c = &t->cursors[i];
        if (c->at == c->from->inst_count || c->from->static_id[c->at] != id) continue;
        join(t, c, id, &s);
        c->at++;
        find_next(t, c);
    }
    unsigned lanes = 0;
    for (uint64_t rest = s.mask; rest; rest &= rest - 1) s.address[lanes++] = s.address[ws_lowest_bit(rest)];
    ws_timed_stream_put(t->stream, id, s.mask, s.address);
    return !s.conflict;
}

ws_timed_warp *reorder_tail(reorder_tails *t, const reorder_answer *answer, ws_error *err) {
    t->count = 0;
    bool ok = add_lanes(t, answer), agree = true;
    for (uint32_t id = ok ? lowest(t) : UINT32_MAX; id != UINT32_MAX && agree; id = lowest(t))
        agree = execute(t, id);
    ws_timed_warp *tail = ws_timed_stream_take(t->stream);
    if (ok && tail && agree) return tail;
    free(tail);
    if (agree)
        ws_no_memory(err);
    else
        ws_fail(
            err, WS_ERROR_TRACE,
            "elements of the same target are used for different addresses: the load gives no plain index, so "
            "they cannot be merged; set reorder.filter to none");
    return NULL;
}

void reorder_tails_free(reorder_tails *t) {
    free(t->cursors);
    t->cursors = NULL;
    t->room = 0;
}
