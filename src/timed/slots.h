/* Slots: where a mechanism takes the place of what the baseline does (warpsweep/mechanism.h describes a mechanism; the
 * parts of the engine that have a slot call its owner, and do not know who that is).
 *
 *   cluster   between the L1s of a cluster and its port of the network
 *
 * An instance belongs to one place of the GPU (a cluster, an SM) and to one launch. Whatever it is handed it owns until
 * it hands it on; it hands everything on, each packet once. */
#ifndef WS_TIMED_SLOTS_H
#define WS_TIMED_SLOTS_H

#include "warpsweep/mechanism.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_engine ws_engine;
typedef struct ws_sm ws_sm;

typedef struct ws_cluster_slot {
    /* `index`: of the cluster. NULL without memory. */
    void *(*create)(const ws_engine *engine, uint32_t index, const void *params);
    void (*destroy)(void *self); /* accepts NULL */
    /* An SM has a packet for memory: a read that missed, a write, an atomic. Answers false when it cannot be taken now;
     * the SM offers it again once the port has room. ws_cluster_send() sends it on. */
    bool (*offer)(void *self, ws_engine *engine, ws_sm *sm, uint32_t packet);
    /* A packet has come back. ws_cluster_deliver() hands it to an SM. */
    void (*deliver)(void *self, ws_engine *engine, uint32_t packet);
    /* Adds what it has counted to the columns of its mechanism's table. */
    void (*count)(const void *self, uint64_t *counts);
} ws_cluster_slot;

/* What the owner of a cluster slot calls. */

/* Whether the cluster's port has room for the packet. */
bool ws_cluster_has_room(const ws_engine *engine, uint32_t cluster, uint32_t packet);
/* Puts a packet into the cluster's port, which it can leave from cycle `when` on; false when the port has no room. */
bool ws_cluster_send(ws_engine *engine, uint32_t cluster, uint32_t packet, uint64_t when);
/* Hands a packet to an SM of the cluster, which can take it in cycle `when` at the earliest, this one included. Calls
 * come with ascending `when`. */
void ws_cluster_deliver(ws_engine *engine, uint32_t sm, uint32_t packet, uint64_t when);

#endif
