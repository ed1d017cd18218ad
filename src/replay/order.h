/* Fidelity `order`: who goes next, without latencies.
 *
 * Time is counted in steps. In a step every scheduler of every SM issues one instruction of an eligible warp,
 * SMs and schedulers ascending. What an issue changes (a barrier that opens, a CTA that ends and the one that
 * takes its place) holds from the next step on. Where no warp is eligible, time jumps. */
#ifndef WS_REPLAY_ORDER_H
#define WS_REPLAY_ORDER_H

#include "replay/dispatch.h"
#include "replay/prepared.h"

/* What the engine needs to know of the machine. */
typedef struct ws_order_machine {
    uint32_t sms, schedulers;
    enum ws_scheduler scheduler;
    uint32_t warps_per_cta, ctas_per_sm; /* their product is at most 64 */
    uint64_t load_delay;                 /* steps */
} ws_order_machine;

/* Runs all CTAs that `dispatcher` hands out. The batches carry what `prepared` keeps; it keeps instructions where a tap
 * takes them. `counters` (zeroed here) must not be NULL. */
bool ws_order_run(const ws_order_machine *machine, ws_dispatcher *dispatcher, ws_prepared *prepared,
                  const ws_tap *taps, size_t tap_count, ws_order_counters *counters, ws_error *err);

#endif
