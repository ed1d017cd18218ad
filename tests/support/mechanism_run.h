/* Timed replays for tests of mechanisms. */
#ifndef WS_TESTS_MECHANISM_RUN_H
#define WS_TESTS_MECHANISM_RUN_H

#include "warpsweep/mechanism.h"
#include "warpsweep/timed.h"

typedef struct mechanism_result {
    ws_timed_counters counters;
    uint64_t counts[WS_MECHANISM_COUNTS_MAX]; /* of the one mechanism that is on; zeros if none is */
} mechanism_result;

/* The default configuration with settings "name=value,name=value", or that of a GPU if they begin with "gpu=name".
 * Fails the test if they are refused. */
ws_config *mechanism_config(const char *settings);
/* Writes the structures that these settings add to the baseline's hardware; returns their number. */
size_t mechanism_costs(const char *settings, ws_cost costs[WS_ADDED_COSTS_MAX]);
/* A GPU with these settings, on which launches of the trace run; fails the test if they are refused. */
ws_timed *mechanism_gpu(const ws_trace *trace, const char *settings);
/* Replays launch `kernel` (from 1) alone, from empty caches; and with somebody who listens. */
mechanism_result mechanism_run(const ws_trace *trace, uint32_t kernel, const char *settings);
mechanism_result mechanism_listen(const ws_trace *trace, uint32_t kernel, const char *settings,
                                  const ws_timed_taps *taps);
/* Replays the trace of generate_script(). */
mechanism_result mechanism_play(const char *const *warps, const char *settings);
/* Whether a GPU with these settings can replay the trace. */
bool mechanism_accepts(const ws_trace *trace, const char *settings);
/* The message with which these settings are refused, in static memory; fails the test if they are not. */
const char *mechanism_refusal(const ws_trace *trace, const char *settings);

/* Settings of small GPUs, which between them confront mechanisms with sectored caches, full queues and shared ports. */
enum { MECHANISM_GPUS = 3 };
extern const char *const mechanism_gpus[MECHANISM_GPUS];

/* Fails the test unless random traces have the same counters with these settings as without, on each of the GPUs. */
void mechanism_changes_nothing(const char *settings);
/* Fails the test unless each of `changes` (settings, NULL-terminated), made alone, changes the cycles of launch 1 of
 * the trace at `path`. */
void mechanism_each_matters(const char *path, const char *settings, const char *const *changes);

#endif
