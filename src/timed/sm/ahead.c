/* How an SM takes its turn, or several in a row. As long as nothing that other parts do can reach it, an SM goes on
 * alone, ahead of the others (conservative lookahead): the state of all SMs is more than the host's nearest cache
 * holds, and an SM that has several turns in a row finds its own state there. What it sends carries its cycle; results
 * are those of turns in step with the others. */
#include "base/inline.h"
#include "timed/l1/turn.h"
#include "timed/sm/collect.h"
#include "timed/sm/core.h"
#include "timed/turns.h"

enum { AHEAD_MAX = 256 }; /* cycles; fewer than the agenda holds */

/* Whether SMs may go ahead: they share nothing with each other, and nothing watches them. */
static bool sms_go_ahead(const ws_engine *e) {
    bool slots = e->dispatch_slot || e->core_slot || e->front_slot || e->l1_slot || e->fetch_slot ||
                 e->cluster_slot || e->partition_slot;
    bool taps = e->taps.access || e->taps.issue || e->taps.load_end || e->taps.warp_end || e->taps.sample;
    /* the port for replies, from which the SM takes one a cycle, is never full */
    bool port =
        e->noc->crossbar_speedup == 1 && !e->noc->boundary_buffer && e->noc->out_buffer > e->noc->latency + 2;
    return port && !slots && !taps && !e->core->icache_B && !e->cluster_parts && !e->sm_agenda.polls &&
           !ws_launches_share(e);
}

void ws_ahead_begin(ws_engine *e) {
    e->sms_go_ahead = sms_go_ahead(e);
    e->turns_are_plain = e->sms_go_ahead && !e->tags_forget && !e->schedules_always && ws_l1_is_plain(e);
    e->l1_acknowledges = e->statics.store_locally && e->l1->write == WS_WRITE_EVICT;
}

/* Cycles from a reply's turn in the network to the SM's turn that takes it. */
static uint64_t cycles_through(const ws_engine *e) {
    return 2 + (uint64_t)e->noc->latency;
}

/* What joins an earlier read in front of the L2 may get its data at once. */
void ws_sm_awaits_first(const ws_engine *e, ws_sm *s) {
    uint64_t in_l2 = e->l2->lrc_entries ? 0 : (uint64_t)e->l2->latency + 1;
    s->reply_from = e->now + in_l2 + 2 * cycles_through(e) - 1;
}

/* Returns the first cycle in which the network for replies may have its next turn. One that waits for room at a port
 * may in the cycle after any SM has taken a reply. */
static uint64_t next_replies(const ws_engine *e, uint64_t now) {
    return e->replies.watches ? now + 1 : ws_earlier(ws_next_of_memory(e), now + 1 + e->lead);
}

/* Whether the SM can find no reply in cycle `when` that is not at its port yet. `replies`: the first cycle in which one
 * could come to any SM. */
static inline bool sees_all(const ws_sm *s, uint64_t when, uint64_t replies) {
    return when < replies || !s->awaited || when < s->reply_from;
}

/* Whether the port for replies is sure to have room for those that come until the SM has turned as far as it may now:
 * so it does not matter that those in it are taken early. Values that bypass the L1 can hold them up there. */
static bool replies_have_room(const ws_engine *e, const ws_sm *s) {
    return s->replies->count + cycles_through(e) + 2 < (uint64_t)e->noc->out_buffer;
}

/* Whether a CTA may come to the SM. Start and end of a CTA concern all parts. */
static bool may_begin(const ws_engine *e, const ws_sm *s) {
    const ws_launch *l = &e->launches[0];
    bool left = l->holds || l->started < l->ctas;
    return left && s->resident < e->ctas_per_sm;
}

/* Whether one of the CTAs whose warps have issued all may end in cycle `when`: not before its last write has been
 * acknowledged, by the L2 or by the L1. */
static __attribute__((noinline)) bool is_acknowledged(const ws_engine *e, const ws_sm *s, uint64_t when) {
    if (s->banks_used && e->l1_acknowledges) return true;
    for (uint64_t rest = s->ending; rest; rest &= rest - 1)
        if (!s->cta_writes[__builtin_ctzll(rest)]) return true;
    if (!ws_queue_ready(s->replies, when - 1)) return false;
    const ws_packet *p = &e->packets.at[ws_queue_head(s->replies)->id];
    return p->kind == WS_PACKET_WRITE && s->ending >> s->warps[p->warp].cta_of & 1;
}

/* Whether a CTA may end in cycle `when`. */
static inline bool may_end(const ws_engine *e, const ws_sm *s, uint64_t when) {
    return s->leaving || (s->ending && is_acknowledged(e, s, when));
}

/* Whether the network's port has room for what the SM may send in a turn: a miss or, while accesses bypass the
 * L1, as many of the largest packets as it can send. */
static __attribute__((noinline)) bool finds_room(ws_engine *e, const ws_sm *s) {
    if (s->past_l1) {
        uint32_t sends = 1 + (uint32_t)e->core->coalescers; /* a miss, and an access of each coalescer */
        return ws_network_has_room_for(e, &e->requests, s->index, sends * e->requests.widest);
    }
    return ws_network_has_room(e, &e->requests, s->index, ws_queue_head(&s->miss_queue)->id);
}
static inline bool port_has_room(ws_engine *e, const ws_sm *s) {
    if (!s->past_l1 && (!s->miss_queue.count || ws_network_has_much_room(&e->requests, s->index)))
        return true;
    return finds_room(e, s);
}

/* ---- turns
 *
 * Functions with a parameter `plain`, which is ws_engine.turns_are_plain, are compiled once for each of its values. */

/* Takes a turn in cycle `e->now`, and returns the cycle in which the SM wants the next one. The order matters: results
 * come before the accesses of this cycle, collectors free latches before the schedulers issue into them, and what is
 * fetched can issue in a later cycle only. */
WS_INLINE uint64_t take_turn(ws_engine *e, ws_sm *s, bool plain) {
    bool collects = !plain && e->collecting.used, caches = !plain && e->core->icache_B;
    if ((!plain && e->schedules_always) || s->schedule_next <= e->now) ws_sm_touch(e, s);
    if (s->event_next <= e->now) ws_sm_take_events(e, s);
    bool again = ws_lsu_step(e, s, plain);
    if (collects && s->collectors.next <= e->now) ws_collect_step(e, s);
    if (s->touched) ws_sm_run_schedulers(e, s);
    if (s->hungry || s->leaving || (caches && ws_icache_of(e, s)->miss_count))
        again |= ws_instructions_step(e, s);
    uint64_t next = again ? e->now + 1 : s->schedule_next;
    if (collects) next = ws_earlier(next, s->collectors.next);
    if (next > e->now + 1) next = ws_earlier(next, ws_earlier(ws_lsu_next(e, s, plain), s->event_next));
    return next;
}

/* How far an SM may go ahead that has had its turn: to which cycle; and the first one in which a reply could come to an
 * SM that is not at its port yet. */
typedef struct horizon {
    uint64_t end, replies;
} horizon;

static horizon horizon_of(const ws_engine *e, const ws_sm *s) {
    if (!e->sms_go_ahead || may_begin(e, s) || !replies_have_room(e, s)) return (horizon){0};
    return (horizon){.end = ws_earlier(e->now + AHEAD_MAX, ws_patience(e) + 1),
                     .replies = next_replies(e, e->now) + cycles_through(e)};
}

/* Takes the SM's turn in cycle `e->now`, and those that come next, as long as it may go ahead. Returns the cycle of the
 * next one. */
WS_INLINE uint64_t take_turns(ws_engine *e, ws_sm *s, bool plain) {
    uint64_t now = e->now, next;
    horizon h = {0};
    for (;; e->now = next, s->ahead = next + 1) {
        next = take_turn(e, s, plain);
        if (e->now == now) h = horizon_of(e, s);
        if (next >= h.end || !sees_all(s, next, h.replies) || may_end(e, s, next) || !port_has_room(e, s))
            break;
    }
    e->now = now;
    return next;
}

void ws_sm_step(ws_engine *e, ws_sm *s) {
    if (!s->made || s->ahead > e->now) return;
    ws_wake_sm(e, s->index, e->turns_are_plain ? take_turns(e, s, true) : take_turns(e, s, false));
}
