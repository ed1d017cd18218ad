/* What the SMs of a cluster share: ports of either network, and the slot between these and their L1s. An SM that shares
 * them with no other uses its port directly, and there is then no cluster part that would have to take turns
 * (ws_engine.cluster_parts); but with core.perfect_memory, where clusters do what the network and memory would. */
#include "timed/network/cluster.h"

#include "timed/l1/l1.h"
#include "timed/sm/core.h"
#include "timed/turns.h"

/* ---- life */

bool ws_clusters_init(ws_engine *e) {
    e->clusters = calloc(e->cluster_count, sizeof *e->clusters);
    if (!e->clusters) return false;
    for (uint32_t i = 0; e->cluster_slot && i < e->cluster_count; i++)
        if (!(e->clusters[i] = e->cluster_slot->create(e, i, e->cluster_params))) return false;
    return true;
}

void ws_clusters_free(ws_engine *e) {
    for (uint32_t i = 0; e->clusters && e->cluster_slot && i < e->cluster_count; i++)
        e->cluster_slot->destroy(e->clusters[i]);
    free(e->clusters);
    e->clusters = NULL;
}

bool ws_cluster_is_idle(const ws_engine *e, uint32_t cluster) {
    uint32_t sms = (uint32_t)e->sms_per_cluster.value;
    for (const ws_sm *s = &e->sms[cluster * sms], *end = s + sms; s < end; s++)
        if (s->resident) return false;
    return true;
}

uint64_t ws_cluster_idle_from(const ws_engine *e, uint32_t cluster) {
    uint32_t sms = (uint32_t)e->sms_per_cluster.value;
    uint64_t from = 0;
    for (const ws_idle *idle = &e->idle[cluster * sms], *end = idle + sms; idle < end; idle++)
        from = ws_later(from, idle->from);
    return from;
}

/* Turns that its SMs have asked for are those of places, which others have from now on. */
static void end_rest(ws_engine *e, uint32_t cluster, uint64_t cycles) {
    uint32_t sms = (uint32_t)e->sms_per_cluster.value;
    e->rested[cluster] += cycles;
    for (uint32_t sm = cluster * sms; sm < (cluster + 1) * sms; sm++)
        if (e->sms[sm].made) ws_wake_sm(e, sm, e->now + 1);
}

void ws_clusters_go_on(ws_engine *e, uint64_t from) {
    uint64_t none_left = ws_later(e->dispatched + 1, e->goes_on_from);
    for (uint32_t i = 0; e->now && i < e->cluster_count; i++)
        if (ws_cluster_is_idle(e, i)) end_rest(e, i, from - ws_later(none_left, ws_cluster_idle_from(e, i)));
    e->goes_on_from = from;
}

/* ---- memory without limits (core.perfect_memory): what is sent comes back at once, at the port for replies */

/* Answers that wait at a port, at most (GPGPU-Sim: n_simt_ejection_buffer_size). */
enum { ANSWERS_MAX = 32 };

static ws_queue *answers_at(const ws_engine *e, uint32_t port) {
    return &e->replies.out[port].queue;
}

static void queue_answer(ws_engine *e, uint32_t port, uint32_t packet, uint64_t when) {
    if (!ws_queue_insert(answers_at(e, port), packet, 1, when - 1)) e->failed = true;
    ws_cluster_wake_for_reply(e, port, when);
}

/* Has the request answered in cycle `when`, each of its lines on its own. False: the port has no room. */
static bool answer(ws_engine *e, uint32_t port, uint32_t packet, uint64_t when) {
    ws_packet p = e->packets.at[packet];
    if (p.kind == WS_PACKET_WRITE_BACK) {
        ws_packet_free(&e->packets, packet);
        return true;
    }
    if (answers_at(e, port)->count >= ANSWERS_MAX) return false;
    queue_answer(e, port, packet, when);
    while (p.also) {
        e->packets.at[packet].also = 0;
        packet = ws_fetch_rest(e, &p);
        p = e->packets.at[packet];
        queue_answer(e, port, packet, when);
    }
    return true;
}

static uint32_t take_answer(ws_engine *e, uint32_t port) {
    if (answers_at(e, port)->count >= ANSWERS_MAX) ws_cluster_wake_for_room(e, port, e->now);
    return ws_queue_pop(answers_at(e, port));
}

/* ---- to memory */

bool ws_cluster_has_room(ws_engine *e, uint32_t packet) {
    uint32_t port = ws_port_of(e, e->packets.at[packet].sm);
    if (e->core->perfect_memory) return answers_at(e, port)->count < ANSWERS_MAX;
    return ws_network_admits_packet(e, &e->requests, port, packet);
}

bool ws_cluster_send(ws_engine *e, uint32_t packet, uint64_t when) {
    uint32_t port = ws_port_of(e, e->packets.at[packet].sm);
    if (e->core->perfect_memory) return answer(e, port, packet, when);
    return ws_network_send(e, &e->requests, port, packet, when);
}

bool ws_cluster_send_for(ws_engine *e, ws_sm *s, uint32_t packet) {
    uint32_t cluster = (uint32_t)ws_quotient(s->index, e->sms_per_cluster);
    if (e->cluster_slot) return e->cluster_slot->offer(e->clusters[cluster], e, s, packet);
    return ws_cluster_send(e, packet, e->now + 1);
}

/* ---- and back */

void ws_cluster_deliver(ws_engine *e, uint32_t sm, uint32_t packet, uint64_t when) {
    if (!ws_queue_insert(&e->sms[sm].inbox, packet, 1, when - 1)) e->failed = true;
    ws_wake_sm(e, sm, when);
}

/* Whether the SM has room for a reply behind values that wait for its registers. If not, all that comes later waits at
 * the port, too, whatever SM it is for (GPGPU-Sim: simt_core_cluster::m_response_fifo). What the owner of a cluster
 * slot delivers is its own business. */
static bool has_room_behind(const ws_engine *e, const ws_sm *s) {
    return e->cluster_slot || s->inbox.count + ws_returns_values_behind(s) < WS_REPLIES_BEHIND;
}

/* A reply leaves the port's buffer, one per cycle, as soon as there is room for it between the port and the SM: in a
 * buffer of the cluster and, of an SM that has the port for itself, behind the values at its load/store unit. Those
 * that have left it, but not for the SM, are still among the port's; so is one that leaves in the cluster's turn, which
 * is later than that of the network. */
uint64_t ws_cluster_room_from(const ws_engine *e, uint32_t port) {
    const ws_queue *replies = &e->replies.out[port].queue;
    uint32_t limit = e->replies.out_limit + WS_VALUES_IN_FRONT;
    if (!e->cluster_parts)
        return replies->count + ws_returns_values(&e->sms[port]) < limit ? e->now : WS_NEVER;
    limit -= WS_VALUES_AT_UNIT;
    if (replies->count < limit) return e->now;
    const ws_sm *s = &e->sms[e->packets.at[ws_queue_head(replies)->id].sm];
    return replies->count == limit && has_room_behind(e, s) ? ws_later(e->now, replies->when + 1) : WS_NEVER;
}

/* One reply per cycle leaves a port. */
static void take_reply(ws_engine *e, uint32_t cluster, uint32_t port) {
    const ws_queue *replies = &e->replies.out[port].queue;
    if (!replies->count) return;
    if (replies->when + 1 > e->now) {
        ws_wake_cluster(e, cluster, replies->when + 1);
        return;
    }
    if (!has_room_behind(e, &e->sms[e->packets.at[ws_queue_head(replies)->id].sm])) return;
    uint32_t packet = e->core->perfect_memory ? take_answer(e, port)
                                              : ws_network_take(&e->replies, port, e->now, e->now + 1);
    if (e->cluster_slot)
        e->cluster_slot->deliver(e->clusters[cluster], e, packet);
    else
        ws_cluster_deliver(e, e->packets.at[packet].sm, packet, e->now);
    if (replies->count) ws_wake_cluster(e, cluster, e->now + 1);
}

void ws_cluster_step(ws_engine *e, uint32_t cluster) {
    uint32_t ports = (uint32_t)e->noc->ports_per_cluster, first = cluster * ports;
    for (uint32_t port = first; port < first + ports; port++) take_reply(e, cluster, port);
}

ws_queue *ws_sm_replies(ws_engine *e, ws_sm *s) {
    return e->cluster_parts ? &s->inbox : &e->replies.out[s->index].queue;
}

void ws_cluster_note_room(ws_engine *e, const ws_sm *s) {
    uint32_t port = ws_port_of(e, s->index);
    if (e->replies.watches) ws_network_note_room(&e->replies, port, e->now + 1);
    if (e->cluster_parts && e->replies.out[port].queue.count) ws_cluster_wake_for_reply(e, port, e->now + 1);
}

void ws_cluster_wake_for_reply(ws_engine *e, uint32_t port, uint64_t when) {
    uint32_t sm = port * (uint32_t)e->sms_per_port.value;
    if (e->cluster_parts)
        ws_wake_cluster(e, (uint32_t)ws_quotient(sm, e->sms_per_cluster), when);
    else
        ws_wake_sm(e, sm, when);
}

/* An SM that is ahead of the others finds the room in its next turn. */
void ws_cluster_wake_for_room(ws_engine *e, uint32_t port, uint64_t when) {
    uint32_t sms = (uint32_t)e->sms_per_port.value, first = port * sms;
    for (uint32_t i = first; i < first + sms; i++)
        ws_wake_sm(e, i, when > e->sms[i].ahead ? when : e->sms[i].ahead);
}
