/* Fidelity `order`: which warp issues next, without latencies.
 *
 * Time is counted in steps. In a step, each scheduler of each SM issues one instruction of an eligible warp, in
 * ascending order of SMs and schedulers. What an issue changes (a barrier that opens, a CTA that ends and the one that
 * takes its place) takes effect in the next step. Steps in which no warp is eligible are skipped. */
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

/* Runs all CTAs that `dispatcher` hands out, and tells the taps. The batches carry what `prepared` keeps; it must keep
 * instructions if a tap takes them. `counters` (zeroed here) must not be NULL. False with an error. */
bool ws_order_run(const ws_order_machine *machine, ws_dispatcher *dispatcher, ws_prepared *prepared,
                  const ws_tap *taps, size_t tap_count, ws_order_counters *counters, ws_error *err);

#endif
