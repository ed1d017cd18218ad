/* How far the memory side goes ahead of the SMs. What an SM sends takes the latency of the L2 from a slice's port to
 * its tags. What slices, channels and the network for replies do until then is certain, and may be done before the SMs
 * have come as far. These then know the replies of many cycles, and go ahead of each other for as long (sm/ahead.c).
 *
 * What the SMs' side sees of memory, it sees in its own cycle: replies carry theirs, and slices note when no request
 * could leave their ports. Memory is ahead only while an SM awaits an answer that is still to be sent, so that no
 * launch ends before what memory has done already. */
#include "timed/turns.h"

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

bool ws_memory_leads(ws_engine *e) {
    uint64_t memory = e->memory_agenda.next, sms = e->sm_agenda.next;
    if (memory <= sms) {
        if (e->reply_port_fills) e->reply_port_fills = a_reply_port_fills(e);
        return true;
    }
    if (!e->unanswered || e->reply_port_fills || memory > ws_patience(e)) return false;
    return has_lead_left(e, memory - sms);
}
