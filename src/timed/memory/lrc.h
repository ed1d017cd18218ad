/* The coalescer in front of the tags of an L2 slice (LRC, L2 request coalescer): a read of a sector that an earlier
 * read is on its way to fetch does not go to the tags, but gets its data with that one. An entry is made when a read
 * leaves the network's port, and ends when the L2 answers it. As in Accel-Sim 2.0 (L2RequestCoalescer), where atomics
 * join, too, which are served one by one here, and an entry ends when the answer leaves the queue to the network. */
#ifndef WS_TIMED_MEMORY_LRC_H
#define WS_TIMED_MEMORY_LRC_H

#include "timed/engine.h"

/* Whether the coalescer has room for all sectors of any request; true without a coalescer. */
static inline bool ws_lrc_has_room(const ws_engine *e, const ws_slice *s) {
    uint32_t sectors = e->map.l1_sectors;
    return !e->l2->lrc_entries || s->lrc.used + sectors < s->lrc.entries;
}

/* Returns whether the packet, which asks for one sector, waits for an earlier read. If not, it has to go on to the
 * tags, and has an entry unless it is a write or an atomic. There must be room. */
bool ws_lrc_joins(ws_engine *engine, ws_slice *slice, uint32_t packet);
/* Ends the entry of a packet for this line that the L2 answers. Returns the first of those that wait for it, linked
 * through ws_packet.next; WS_MSHR_NONE if none does, or if the packet has no entry. */
uint32_t ws_lrc_end(ws_slice *slice, uint64_t line, uint32_t packet);

#endif
