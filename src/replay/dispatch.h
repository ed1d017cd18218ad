/* CTA dispatch: which SM gets which CTA next (ICC 2.3, 4.1, 5). A dispatcher knows the pool of CTAs that have
 * not started and the free CTA slots of each SM. */
#ifndef WS_REPLAY_DISPATCH_H
#define WS_REPLAY_DISPATCH_H

#include "warpsweep/replay.h"

typedef struct ws_dispatcher ws_dispatcher;

/* Whose turn it is in round robin, over clusters and within each of them, and which clusters have had theirs in this
 * round. Launches on one GPU have this in common, whether they follow each other or share its SMs: round robin goes on
 * behind the last CTA of any of them (GPGPU-Sim: m_last_cluster_issue, m_cta_issue_next_core). */
typedef struct ws_dispatch_turns ws_dispatch_turns;

/* The first SM's turn comes first. NULL if out of memory. */
ws_dispatch_turns *ws_dispatch_turns_new(const ws_gpu_params *gpu);
void ws_dispatch_turns_free(ws_dispatch_turns *turns); /* accepts NULL */

/* Starts with CTAs 0 .. ctas - 1 in the pool, and `ctas_per_sm` (at least 1) free slots on every SM. `turns` must
 * outlive it; NULL: no other launch has them in common. NULL if out of memory. */
ws_dispatcher *ws_dispatcher_new(const ws_gpu_params *gpu, uint32_t ctas_per_sm, uint32_t ctas,
                                 ws_dispatch_turns *turns);
void ws_dispatcher_free(ws_dispatcher *dispatcher); /* accepts NULL */

/* Begins round `round` (not 0), such as a cycle, or goes on with it. In a round a cluster gets one CTA at most, but
 * under global_rr and greedy (GPGPU-Sim: simt_core_cluster::issue_block2core); without rounds, as many as there is room
 * for. */
void ws_dispatcher_begin_round(ws_dispatcher *dispatcher, uint64_t round);

/* Whether a CTA waits for the next round: a cluster that has had its turn in this one has room for it. */
bool ws_dispatcher_rests(const ws_dispatcher *dispatcher);

/* Gives the next CTA to start and its SM; false if none can start before another has ended, or in this round. */
bool ws_dispatcher_next(ws_dispatcher *dispatcher, uint32_t *sm, uint32_t *cta);

/* A CTA of `sm` has ended: one slot is free again. */
void ws_dispatcher_ended(ws_dispatcher *dispatcher, uint32_t sm);

/* Sets how many CTAs `sm` can take now, for a caller that decides this itself. */
void ws_dispatcher_set_room(ws_dispatcher *dispatcher, uint32_t sm, uint32_t ctas);

#endif
