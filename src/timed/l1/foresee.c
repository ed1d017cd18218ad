/* What an L1 can do before its cycle has come, as its outcome is certain: this spares an SM that may go ahead of the
 * others (sm/ahead.c) turns in which nothing that it could see changes. Each function here must leave the state that
 * the turn would have left. */
#include "timed/l1/l1.h"
#include "timed/turns.h"

/* ---- replies that are foreseen: on their way to an SM that may go ahead (sm/ahead.c) */

/* Takes sectors of a line, unless they are the last that it waits for. */
static bool foresees_data(ws_sm *s, const ws_packet *p) {
    ws_mshr_entry *m = &s->mshr.entry[ws_l1_entry_of(s, p)];
    if (!(m->missing & ~p->sectors)) return false;
    m->missing &= (uint8_t)~p->sectors;
    return true;
}

/* Takes an acknowledgement, unless it may be the warp's last, with which the warp may end: if the warp waits for others
 * than those at the port, they come later, but for those of its L1. */
static bool foresees_acknowledgement(ws_engine *e, ws_sm *s, const ws_packet *p) {
    const ws_sm_warp *w = &s->warps[p->warp];
    if (e->l1_acknowledges || w->writes - w->acknowledged == ws_sector_count(p->sectors)) return false;
    ws_l1_take_acknowledgement(e, s, p);
    return true;
}

/* Whether data of shared memory may come no later than in cycle `until`: some are under way, or it is so fast that the
 * next instruction's may. */
static bool awaits_shared(const ws_engine *e, const ws_sm *s, uint64_t until) {
    return s->shared_awaited || e->now + (uint64_t)e->core->shared_latency <= until;
}

/* Takes values of an atomic or of a read that bypassed the L1. Their load gets them in the cycle after that in which
 * they come, behind data that come before; so nothing unforeseen may come before them, such as reads that join others
 * in an MSHR entry, or data of shared memory. Before memory that is ahead, there is too much that may. */
static bool foresees_values(ws_engine *e, ws_sm *s, const ws_packet *p, uint64_t when) {
    uint64_t passes = ws_l1_values_pass(e, when);
    bool others = e->collecting.used && s->ready[WS_FROM_L1].count;
    bool full = ws_returns_values(s) + 1 >= WS_VALUES_IN_FRONT;
    if (e->lead || s->replies->count || others || full || awaits_shared(e, s, passes)) return false;
    ws_returns_pass(e, s, p->load, ws_sector_count(p->sectors), WS_NO_ENTRY, passes);
    uint64_t next = ws_returns_next(e, s);
    if (next != WS_NEVER) ws_wake_sm(e, s->index, next > e->now ? next : e->now);
    return true;
}

/* Whether other replies than values must keep their places among these, which wait for each other at the port. */
static bool are_among_values(const ws_engine *e, const ws_sm *s) {
    return e->collecting.used && s->counters.bypasses && (ws_returns_values(s) || s->replies->count);
}

static bool takes_reply(ws_engine *e, ws_sm *s, const ws_packet *p, uint64_t when) {
    if ((p->kind == WS_PACKET_READ || p->kind == WS_PACKET_WRITE) && are_among_values(e, s)) return false;
    return p->kind == WS_PACKET_READ    ? foresees_data(s, p)
           : p->kind == WS_PACKET_WRITE ? foresees_acknowledgement(e, s, p)
                                        : foresees_values(e, s, p, when);
}

static __attribute__((noinline)) bool foresees(ws_engine *e, ws_sm *s, uint32_t id, uint64_t when) {
    const ws_packet *p = &e->packets.at[id];
    if (!takes_reply(e, s, p, when)) {
        if (p->kind == WS_PACKET_WRITE) s->warps[p->warp].acknowledged += ws_sector_count(p->sectors);
        return false;
    }
    s->foreseen = when;
    s->awaited -= ws_sector_count(p->sectors);
    ws_packet_free(&e->packets, id);
    return true;
}

/* Whether it brings the last sectors that an MSHR entry waits for, as nearly all do. */
static inline bool brings_last(const ws_sm *s, const ws_packet *p) {
    return p->kind == WS_PACKET_READ && p->entry != WS_NO_ENTRY &&
           !(s->mshr.entry[p->entry].missing & ~p->sectors);
}

bool ws_sm_foresees_part(ws_engine *e, uint32_t cluster, uint32_t id, uint64_t when) {
    ws_sm *s = &e->sms[cluster];
    return !brings_last(s, &e->packets.at[id]) && foresees(e, s, id, when);
}

/* ---- what is certain of the next cycle: an SM that may go ahead needs no turn for it */

/* Sends what has come from the only bank to the empty miss queue in this turn, and would leave it in the next: nothing
 * else that the SM sends goes before it. A miss that has displaced a written line is not alone: what is written back
 * leaves a cycle later. */
static bool sends_only_miss(ws_engine *e, ws_sm *s) {
    const ws_queue *queue = &s->miss_queue;
    if (queue->when != e->now || queue->count > 1 || !ws_sm_send(e, s, ws_queue_head(queue)->id))
        return false;
    ws_queue_clear(&s->miss_queue);
    return true;
}

/* If the head of the only bank is a write that has just come there and finds the miss queue full, from which nothing
 * can leave, it waits: the SM is told in time when the network's port has room. */
static __attribute__((noinline)) void stall_at_miss_queue(ws_engine *e, ws_sm *s) {
    const ws_l1_bank *bank = s->only_bank;
    if (bank->since || ws_l1_miss_queue_has_room(e, s, 0) || !ws_queue_ready(&bank->queue, e->now)) return;
    const ws_packet *p = &e->packets.at[ws_queue_head(&bank->queue)->id];
    if (p->kind == WS_PACKET_WRITE && e->l1->write == WS_WRITE_EVICT && !p->local &&
        !ws_cluster_has_room(e, ws_queue_head(&s->miss_queue)->id))
        ws_l1_stall_only_bank(s, WS_FAIL_MISS_QUEUE_FULL, e->now);
}

void ws_l1_foresee_sending(ws_engine *e, ws_sm *s) {
    if (!e->sms_go_ahead || e->tags_forget) return;
    e->now++;
    if (sends_only_miss(e, s))
        ws_l1_stall_without_mshr(e, s, e->now);
    else
        stall_at_miss_queue(e, s);
    e->now--;
}
