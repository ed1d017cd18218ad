/* A launch that the timed engine runs (launches.c). */
#ifndef WS_TIMED_LAUNCH_H
#define WS_TIMED_LAUNCH_H

#include "replay/dispatch.h"
#include "replay/occupancy.h"
#include "timed/stream.h"

/* Several run at the same time when they are of different streams. */
typedef struct ws_launch {
    const ws_kernel *kernel;
    uint32_t ctas; /* as far as limits let them run */
    ws_occupancy occupancy;
    ws_residency needs[WS_RESOURCES]; /* of a CTA; what an SM has */
    ws_timed_stream *stream;
    const ws_branch *branches; /* by static instruction; NULL where the core slot does not ask for them */
    ws_dispatcher *dispatcher;
    bool holds; /* CTA `cta` is next, and SM `sm` cannot start it yet */
    uint32_t sm, cta;
    uint64_t started, ended; /* CTAs; cycle of the last end */
    ws_timed_share counters; /* where several run at the same time */
} ws_launch;

#endif
