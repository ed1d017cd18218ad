/* How flits enter the buffer of a router's input (ws_flit_entry): one per cycle, once their packet is due, and once the
 * credit of the flit that had their place has come back. Those that have not entered yet wait in front of the buffer.
 * As nothing else decides it, the cycles are known long before. */
#ifndef WS_TIMED_NETWORK_ENTRY_H
#define WS_TIMED_NETWORK_ENTRY_H

#include "timed/network/network.h"

/* To be called when a packet of `flits` flits has come to the end of the input's queue. */
void ws_entry_put(const ws_network *net, ws_network_input *in, uint32_t flits);
/* To be called when a flit leaves the buffer in cycle `now`. */
void ws_entry_leave(const ws_network *net, ws_network_input *in, uint64_t now);

/* Returns the cycle in which the flit enters that leaves next. There must be one. */
static inline uint64_t ws_entry_next(const ws_network *n, const ws_network_input *in) {
    return in->entry.times[in->entry.left & n->entry_mask];
}

/* Returns the first cycle in which whoever fills the input finds that all but `flits` flits have entered: an SM sees
 * what enters in the same cycle, a slice comes before that. WS_NEVER: it depends on when others leave. */
uint64_t ws_entry_left_in_front(const ws_network *net, const ws_network_input *in, uint32_t flits);

#endif
