/* What happens in an SM at known cycles: results of arithmetic are written, data of shared memory have been read, the
 * buffers of warps are filled. A wheel has a list of events for each of the next cycles, and sets of those that have
 * any. Events farther ahead wait as far ahead as can be, and go on from there. */
#include "base/bits.h"
#include "timed/l1/lsu.h"
#include "timed/sm/collect.h"
#include "timed/sm/core.h"

/* ---- ahead */

/* Notes that the SM has something to do in cycle `when`. */
static inline void note_event(ws_sm *s, uint64_t when) {
    uint32_t bucket = (uint32_t)(when % WS_WHEEL);
    s->wheel_used[bucket / 64] |= ws_bit(bucket % 64);
    s->wheel_words |= 1u << bucket / 64;
    s->event_next = ws_earlier(s->event_next, when);
}

/* Cycles that an event may lie ahead in the wheel. Fewer than it has, as turns look ahead themselves (l1/foresee.c,
 * l1/lsu.c): what they schedule must not come round to the present. */
enum { REACH = WS_WHEEL - 128 };

void ws_sm_schedule(ws_engine *e, ws_sm *s, uint64_t when, ws_event event) {
    if (!s->event_places.free) {
        ws_event *events = ws_places_grow(&s->event_places, s->events, sizeof *events, 128);
        if (!events) {
            e->failed = true;
            return;
        }
        s->events = events;
    }
    uint64_t farthest = e->now + REACH;
    event.later = when > farthest ? (uint32_t)(when - farthest) : 0;
    when -= event.later;
    uint32_t at = ws_places_take(&s->event_places, s->events, sizeof *s->events),
             *first = &s->wheel[when % WS_WHEEL];
    event.next = *first;
    s->events[at] = event;
    *first = at + 1;
    note_event(s, when);
}

void ws_sm_schedule_fetched(ws_sm *s, uint64_t when, uint64_t warps) {
    s->arriving[when % WS_FETCH_WHEEL] |= warps;
    note_event(s, when);
}

/* ---- now */

/* Returns the first cycle after `now` with an event, or WS_NEVER. */
static uint64_t next_event(const ws_sm *s, uint64_t now) {
    if (!s->wheel_words) return WS_NEVER;
    uint32_t from = (uint32_t)((now + 1) % WS_WHEEL), word = from / 64;
    uint64_t used = s->wheel_used[word] & ~UINT64_C(0) << from % 64;
    if (!used) {
        uint32_t later = word + 1 < WS_WHEEL / 64 ? s->wheel_words >> (word + 1) << (word + 1) : 0;
        word = (uint32_t)__builtin_ctz(later ? later : s->wheel_words);
        used = s->wheel_used[word];
    }
    return now + 1 + (word * 64 + ws_lowest_bit(used) + WS_WHEEL - from) % WS_WHEEL;
}

static void take_fetched(ws_engine *e, ws_sm *s, uint64_t warps) {
    ws_sm_note_change(e, s);
    s->fetched |= warps;
    ws_sm_touch_if_ready(e, s, warps);
    for (uint64_t rest = e->taps.issue ? warps : 0; rest; rest &= rest - 1)
        ws_note_wait_ended(e, s, ws_lowest_bit(rest), WS_TIMED_WAIT_FETCH);
}

/* The instruction has been executed, and its results are written. */
static void take_result(ws_engine *e, ws_sm *s, const ws_event *event) {
    ws_collect_write(e, s, event->warp, event->static_id, e->now);
    if (ws_returns_wait(s) && e->collecting.used) ws_collect_take_ports(e, s, event->warp, event->static_id);
    ws_sm_complete(e, s, event->warp, event->static_id, (uint8_t)event->tag);
}

void ws_sm_take_events(ws_engine *e, ws_sm *s) {
    uint32_t bucket = (uint32_t)(e->now % WS_WHEEL), at = s->wheel[bucket];
    s->wheel[bucket] = 0;
    s->wheel_used[bucket / 64] &= ~ws_bit(bucket % 64);
    if (!s->wheel_used[bucket / 64]) s->wheel_words &= ~(1u << bucket / 64);
    s->event_next = next_event(s, e->now);
    uint64_t *arriving = &s->arriving[e->now % WS_FETCH_WHEEL], fetched = *arriving;
    *arriving = 0;
    if (fetched) take_fetched(e, s, fetched);
    while (at) {
        ws_event event = s->events[at - 1];
        ws_places_give(&s->event_places, s->events, sizeof *s->events, at - 1);
        at = event.next;
        if (event.later)
            ws_sm_schedule(e, s, e->now + event.later, event);
        else if (event.kind == WS_EVENT_COMPLETE)
            take_result(e, s, &event);
        else if (event.kind == WS_EVENT_SHARED)
            ws_returns_pass_shared(e, s, event.warp, event.static_id, (uint8_t)event.tag);
        else
            e->core_slot->event(s->core, e, s, event.warp, event.tag);
    }
}
