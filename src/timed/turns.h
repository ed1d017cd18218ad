/* The order of turns within a cycle: on the memory side DRAM channels, L2 slices, the network for replies; then on the
 * side of the SMs the network for requests, clusters, SMs (those of a cluster in an order that rotates), CTA dispatch,
 * the owner of the partition slot. Each side has an agenda, in which its parts are numbered in this order, but for its
 * network, which often is the only part that has a turn. Here they ask for turns. */
#ifndef WS_TIMED_TURNS_H
#define WS_TIMED_TURNS_H

#include "timed/engine.h"

bool ws_agendas_init(ws_engine *engine); /* false if out of memory */
void ws_agendas_free(ws_engine *engine);

/* Goes on to the next cycle in which a side has turns. False if neither has any more. */
bool ws_go_on(ws_engine *engine);
/* Takes the turns in this cycle of the side that has gone on to it, and those that are next after them, as long as they
 * are certain to be of the same side. False with engine->err on failure. */
bool ws_take_turns(ws_engine *engine);

/* Return the next cycle in which a side has turns, or WS_NEVER. */
static inline uint64_t ws_next_of_memory(const ws_engine *e) {
    return ws_earlier(e->memory_agenda.next, e->replies.next_turn);
}
static inline uint64_t ws_next_of_sms(const ws_engine *e) {
    return ws_earlier(e->sm_agenda.next, e->requests.next_turn);
}

/* Returns the cycle that both sides have come to: the present one, unless the memory side is ahead. In its turns it
 * knows the requests that have come to slices' ports by then. */
static inline uint64_t ws_common_cycle(const ws_engine *e) {
    return ws_earlier(e->now, ws_next_of_sms(e));
}

/* Sets how far the memory side may be ahead. To be called when a launch begins. */
void ws_lead_begin(ws_engine *engine);

/* ---- numbers of parts: those of the first slice, and so on; of each side from 0 */

static inline uint32_t ws_first_slice_part(const ws_engine *e) {
    return e->channel_count;
}
static inline uint32_t ws_memory_part_count(const ws_engine *e) {
    return ws_first_slice_part(e) + e->slice_count;
}
static inline uint32_t ws_first_sm_part(const ws_engine *e) {
    return e->cluster_parts;
}
static inline uint32_t ws_dispatch_part(const ws_engine *e) {
    return ws_first_sm_part(e) + e->sm_count;
}
static inline uint32_t ws_partition_part(const ws_engine *e) {
    return ws_dispatch_part(e) + 1;
}
static inline uint32_t ws_sm_part_count(const ws_engine *e) {
    return ws_partition_part(e) + !!e->partition_slot;
}

/* ---- the order of a cluster's SMs
 *
 * SMs of a cluster share a port, and where it is nearly full the first of them take its room. So that none starves, the
 * first place moves on by one per cycle, as in GPGPU-Sim (gpgpu_simt_core_sim_order 1), unless the cluster has no CTA
 * and no launch has one left to start. */

/* Returns the SM of the cluster that has the first place in cycle `when`. */
static inline uint32_t ws_first_sm(const ws_engine *e, uint32_t cluster, uint64_t when) {
    return (uint32_t)ws_remainder(when - 1 - e->rested[cluster], e->sms_per_cluster);
}
static inline uint32_t ws_place_of_sm(const ws_engine *e, uint32_t sm, uint64_t when) {
    uint32_t sms = (uint32_t)e->sms_per_cluster.value,
             cluster = (uint32_t)ws_quotient(sm, e->sms_per_cluster), own = sm - cluster * sms,
             first = ws_first_sm(e, cluster, when);
    return cluster * sms + (own < first ? own + sms : own) - first;
}
static inline uint32_t ws_sm_at_place(const ws_engine *e, uint32_t place) {
    uint32_t sms = (uint32_t)e->sms_per_cluster.value,
             cluster = (uint32_t)ws_quotient(place, e->sms_per_cluster),
             own = place - cluster * sms + ws_first_sm(e, cluster, e->now);
    return cluster * sms + (own < sms ? own : own - sms);
}

/* ---- asking for a turn in cycle `when`, which may be the present one if the part's turn in it is still to come */

static inline void ws_wake_channel(ws_engine *e, uint32_t channel, uint64_t when) {
    ws_agenda_add(&e->memory_agenda, channel, when);
}
static inline void ws_wake_slice(ws_engine *e, uint32_t slice, uint64_t when) {
    ws_agenda_add(&e->memory_agenda, ws_first_slice_part(e) + slice, when);
}
static inline void ws_wake_network(ws_network *net, uint64_t when) {
    net->next_turn = ws_earlier(net->next_turn, when);
}
static inline void ws_wake_cluster(ws_engine *e, uint32_t cluster, uint64_t when) {
    ws_agenda_add(&e->sm_agenda, cluster, when);
}
static inline void ws_wake_sm(ws_engine *e, uint32_t sm, uint64_t when) {
    uint32_t place = e->cluster_parts ? ws_place_of_sm(e, sm, ws_agenda_within(&e->sm_agenda, when)) : sm;
    ws_agenda_add(&e->sm_agenda, ws_first_sm_part(e) + place, when);
}
static inline void ws_wake_dispatch(ws_engine *e, uint64_t when) {
    ws_agenda_add(&e->sm_agenda, ws_dispatch_part(e), when);
}
static inline void ws_wake_partition(ws_engine *e, uint64_t when) {
    ws_agenda_add(&e->sm_agenda, ws_partition_part(e), when);
}

#endif
