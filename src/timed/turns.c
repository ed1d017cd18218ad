#include "timed/turns.h"

#include "timed/memory/channel.h"
#include "timed/memory/slice.h"
#include "timed/network/cluster.h"
#include "timed/network/network.h"
#include "timed/sm/core.h"

static void step_partition(ws_engine *e) {
    ws_wake_partition(e, e->now < e->start ? e->start : e->partition_slot->step(e->partition, e));
}

bool ws_agendas_init(ws_engine *e) {
    return ws_agenda_init(&e->memory_agenda, ws_memory_part_count(e)) &&
           ws_agenda_init(&e->sm_agenda, ws_sm_part_count(e));
}

void ws_agendas_free(ws_engine *e) {
    ws_agenda_free(&e->memory_agenda);
    ws_agenda_free(&e->sm_agenda);
}

/* ---- the turns of a side */

/* Gives the network its turn if it has one in this cycle. */
static inline void step_network(ws_engine *e, ws_network *n, const ws_agenda *side) {
    if (n->next_turn == e->now || side->polls) ws_network_step(e, n);
}

static void take_memory_turns(ws_engine *e) {
    ws_agenda_turns turns = ws_agenda_turns_now(&e->memory_agenda);
    uint32_t part, first_slice = ws_first_slice_part(e);
    while (ws_agenda_take(&turns, &part)) {
        if (part < first_slice)
            ws_channel_step(e, &e->channels[part]);
        else
            ws_slice_step(e, &e->slices[part - first_slice]);
    }
    step_network(e, &e->replies, &e->memory_agenda);
}

static bool take_sm_turns(ws_engine *e) {
    step_network(e, &e->requests, &e->sm_agenda);
    ws_agenda_turns turns = ws_agenda_turns_now(&e->sm_agenda);
    uint32_t part, first_sm = ws_first_sm_part(e), dispatch = ws_dispatch_part(e);
    while (ws_agenda_take(&turns, &part)) {
        if (part < first_sm)
            ws_cluster_step(e, part);
        else if (part < dispatch)
            ws_sm_step(e, &e->sms[e->cluster_parts ? ws_sm_at_place(e, part - first_sm) : part - first_sm]);
        else if (part > dispatch)
            step_partition(e);
        else if (!ws_launches_dispatch(e))
            return false;
    }
    return true;
}

/* ---- how far the memory side goes ahead of the SMs
 *
 * What an SM sends takes the latency of the L2 from a slice's port to its tags. What slices, channels and the network
 * for replies do until then is certain, and may be done before the SMs have come as far. These then know the replies
 * of many cycles, and go ahead of each other for as long (sm/ahead.c).
 *
 * What the SMs' side sees of memory, it sees in its own cycle: replies carry theirs, and slices note when no request
 * could leave their ports. Memory is ahead only while an SM awaits an answer that is still to be sent, so that no
 * launch ends before what memory has done already. */

/* Not where others ask slices for more than room at their ports. */
static bool memory_may_lead(const ws_engine *e) {
    return e->sms_go_ahead && e->slices_foresee;
}

void ws_lead_begin(ws_engine *e) {
    uint64_t before = e->lead;
    e->lead = memory_may_lead(e) ? (uint64_t)e->l2->latency : 0;
    e->unanswered = 0;
    e->lead_rests = false;
    /* in step, slices have turns for requests that the network otherwise asks for (slice.c) */
    for (uint32_t i = 0; before && !e->lead && i < e->slice_count; i++) ws_wake_slice(e, i, e->now + 1);
}

/* The two sides take turns in spans of at least half the lead, so that the host's caches hold what each needs. */
static bool has_lead_left(ws_engine *e, uint64_t ahead) {
    if (ahead > e->lead) e->lead_rests = true;
    if (ahead <= e->lead / 2) e->lead_rests = false;
    return !e->lead_rests;
}

static bool a_reply_port_fills(const ws_engine *e) {
    for (uint32_t port = 0; port < e->port_count; port++)
        if (ws_network_fills(&e->replies, port)) return true;
    return false;
}

/* Whether the memory side, whose next turns are in cycle `memory`, is to take them, and not that of the SMs those in
 * cycle `sms`. */
static bool memory_leads(ws_engine *e, uint64_t memory, uint64_t sms) {
    if (memory <= sms) {
        if (e->reply_port_fills) e->reply_port_fills = a_reply_port_fills(e);
        return true;
    }
    if (!e->unanswered || e->reply_port_fills || memory > ws_patience(e)) return false;
    return has_lead_left(e, memory - sms);
}

/* ---- which side goes on */

/* The side that has no turns keeps up with the other one, as its agenda holds only so many cycles from its own on.
 * `next`: the cycle of its next turns. */
static inline void keep_up(ws_agenda *a, uint64_t cycle, uint64_t next) {
    if (cycle > a->now && cycle < next) ws_agenda_go_to(a, cycle);
}

/* The side of the SMs may get turns in the same cycle. */
static inline void go_on_with_memory(ws_engine *e, uint64_t memory, uint64_t sms) {
    e->now = memory;
    ws_agenda_go_to(&e->memory_agenda, memory);
    keep_up(&e->sm_agenda, memory - 1, sms);
}

bool ws_go_on(ws_engine *e) {
    uint64_t memory = ws_next_of_memory(e), sms = ws_next_of_sms(e);
    if (memory == WS_NEVER && sms == WS_NEVER) {
        e->now = ws_later(e->memory_agenda.now, e->sm_agenda.now);
        return false;
    }
    e->memory_turn = memory_leads(e, memory, sms);
    if (e->memory_turn) {
        go_on_with_memory(e, memory, sms);
    } else {
        e->now = sms;
        ws_agenda_go_to(&e->sm_agenda, sms);
        keep_up(&e->memory_agenda, sms, memory);
    }
    return true;
}

/* A memory side that may be ahead goes on by itself for as long as ws_go_on() would have it go on. */
static inline bool goes_on_by_itself(ws_engine *e) {
    if (!e->lead || e->failed || e->packets.failed) return false;
    uint64_t memory = ws_next_of_memory(e), sms = ws_next_of_sms(e);
    if (memory > ws_patience(e) || !memory_leads(e, memory, sms)) return false;
    go_on_with_memory(e, memory, sms);
    return true;
}

bool ws_take_turns(ws_engine *e) {
    if (!e->memory_turn) return take_sm_turns(e);
    do take_memory_turns(e);
    while (goes_on_by_itself(e));
    return true;
}
