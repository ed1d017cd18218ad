#include "timed/network/entry.h"

#include "timed/engine.h"

/* Finds out in which cycles flits enter, as far as that is known: a flit needs the credit of the one that came as many
 * flits before it as the buffer holds. */
static void look_ahead(const ws_network *n, ws_network_input *in) {
    ws_flit_entry *y = &in->entry;
    while (y->known < y->put && y->known < y->left + n->in_limit) {
        const ws_queued *packet = ws_queue_behind(&in->queue, y->packet);
        if (!y->rest) y->rest = packet->weight;
        uint64_t when = ws_later(packet->when, y->next);
        if (y->known >= n->in_limit)
            when = ws_later(when, y->times[(y->known - n->in_limit) & n->entry_mask]);
        y->times[y->known++ & n->entry_mask] = when;
        y->next = when + 1;
        if (--y->rest == 0) y->packet++;
    }
}

void ws_entry_put(const ws_network *n, ws_network_input *in, uint32_t flits) {
    in->entry.put += flits;
    look_ahead(n, in);
}

/* A place is free from the next cycle on, even without latency. That one credit comes back per cycle changes nothing,
 * as flits enter no faster. */
void ws_entry_leave(const ws_network *n, ws_network_input *in, uint64_t now) {
    ws_flit_entry *y = &in->entry;
    y->times[y->left++ & n->entry_mask] = now + (n->entry_latency ? n->entry_latency : 1);
    look_ahead(n, in);
}

uint64_t ws_entry_left_in_front(const ws_network *n, const ws_network_input *in, uint32_t flits) {
    const ws_flit_entry *y = &in->entry;
    if (y->put <= y->left + flits) return 0;
    uint64_t others = y->put - flits;
    return others > y->known ? WS_NEVER : y->times[(others - 1) & n->entry_mask] + !n->to_memory;
}
