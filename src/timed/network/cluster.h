/* Clusters (cluster.c): what lies between an SM and the network; and what an SM asks of the owner of the partition slot
 * (partition.c). */
#ifndef WS_TIMED_NETWORK_CLUSTER_H
#define WS_TIMED_NETWORK_CLUSTER_H

#include "timed/engine.h"
#include "timed/sm/core.h"

bool ws_clusters_init(ws_engine *engine);
/* To be called when a launch begins while there are no CTAs left to start: there are from cycle `from` on. Counts for
 * how long clusters have been at rest. */
void ws_clusters_go_on(ws_engine *engine, uint64_t from);
/* Returns whether the cluster has no CTA and, if so, since which cycle. */
bool ws_cluster_is_idle(const ws_engine *engine, uint32_t cluster);
uint64_t ws_cluster_idle_from(const ws_engine *engine, uint32_t cluster);
void ws_clusters_free(ws_engine *engine);
/* Takes the cluster's turn in cycle `engine->now`, and asks for its next one. */
void ws_cluster_step(ws_engine *engine, uint32_t cluster);

/* Returns the port of either network that an SM shares with those next to it in its cluster (noc.ports_per_cluster). */
static inline uint32_t ws_port_of(const ws_engine *e, uint32_t sm) {
    return (uint32_t)ws_quotient(sm, e->sms_per_port);
}

/* Sends a packet of the SM towards memory. False: it cannot be taken now; the SM gets a turn once it can. */
static inline bool ws_sm_send(ws_engine *e, ws_sm *s, uint32_t packet);
/* Whether a packet with `units` units of data may find room, so that none need be made if it does not; the SM then gets
 * a turn once it may. */
static inline bool ws_sm_admits(ws_engine *e, const ws_sm *s, uint32_t units) {
    return e->cluster_parts || ws_network_admits(e, &e->requests, s->index, units);
}
/* Returns the cycle from which a port that has replies enough to fill it has room for another: the present one, as they
 * are no longer in its buffer; or WS_NEVER: not before ws_cluster_note_room() or ws_network_take() is called. */
uint64_t ws_cluster_room_from(const ws_engine *engine, uint32_t port);
/* The queue in which replies for the SM arrive. */
ws_queue *ws_sm_replies(ws_engine *engine, ws_sm *sm);
/* To be called when the SM may have room for another reply: if one waits for that at the port, or in front of it, the
 * cluster or the network gets a turn in the next cycle. */
void ws_cluster_note_room(ws_engine *engine, const ws_sm *sm);
/* Takes the first reply of an SM; _alone(): of one that has a port of its own. */
static inline uint32_t ws_sm_take_reply_alone(ws_engine *e, ws_sm *s) {
    s->awaited -= ws_sector_count(e->packets.at[ws_queue_first(s->replies)->id].sectors);
    return e->replies.watches ? ws_network_take_watched(&e->replies, s->index, e->now, e->now + 1)
                              : ws_queue_pop(s->replies);
}
static inline uint32_t ws_sm_take_reply(ws_engine *e, ws_sm *s) {
    if (!e->cluster_parts) return ws_sm_take_reply_alone(e, s);
    ws_cluster_note_room(e, s);
    return ws_queue_pop(&s->inbox);
}
/* Wake the SM that has a port, or its cluster if that has turns: from cycle `when` on the port has a reply. */
void ws_cluster_wake_for_reply(ws_engine *engine, uint32_t port, uint64_t when);
/* Wakes the SMs that share a port: from cycle `when` on it has room for requests. */
void ws_cluster_wake_for_room(ws_engine *engine, uint32_t port, uint64_t when);

/* ws_sm_send() for an SM that shares its port, and for one that does not. How much an SM awaits is known only to the
 * latter. What its L1 writes back is not answered. */
bool ws_cluster_send_for(ws_engine *engine, ws_sm *sm, uint32_t packet);
static inline bool ws_sm_send_alone(ws_engine *e, ws_sm *s, uint32_t packet) {
    if (!ws_network_send(e, &e->requests, s->index, packet, e->now + 1)) return false;
    const ws_packet *p = &e->packets.at[packet];
    if (p->kind != WS_PACKET_WRITE_BACK) ws_sm_awaits(e, s, ws_sector_count(p->sectors));
    return true;
}
static inline bool ws_sm_send(ws_engine *e, ws_sm *s, uint32_t packet) {
    return e->cluster_parts ? ws_cluster_send_for(e, s, packet) : ws_sm_send_alone(e, s, packet);
}

/* Sends a request to the owner of the partition slot (partition.c). False: it cannot be taken now. */
bool ws_sm_ask_partition(ws_engine *engine, ws_sm *sm, const ws_memory_inst *inst);

#endif
