/* Timed replays for tests of mechanisms. */
#ifndef WS_TESTS_MECHANISM_RUN_H
#define WS_TESTS_MECHANISM_RUN_H

#include "warpsweep/mechanism.h"
#include "warpsweep/timed.h"

typedef struct mechanism_result {
    ws_timed_counters counters;
    uint64_t counts[WS_MECHANISM_COUNTS_MAX]; /* of the one mechanism that is on, else 0 */
} mechanism_result;

/* "name=value,name=value": the defaults with these settings. The test fails where they are refused. */
ws_config *mechanism_config(const char *settings);
/* The hardware that these settings add to the baseline's; how many structures. */
size_t mechanism_costs(const char *settings, ws_cost costs[WS_ADDED_COSTS_MAX]);
/* Launch `kernel` on an empty GPU. */
mechanism_result mechanism_run(const ws_trace *trace, uint32_t kernel, const char *settings);
/* The text with which a configuration is refused; the test fails where it is not. Static memory. */
const char *mechanism_refusal(const ws_trace *trace, const char *settings);

/* Small GPUs, as settings, that differ in what mechanisms meet: caches with sectors, full queues, shared ports. */
enum { MECHANISM_GPUS = 3 };
extern const char *const mechanism_gpus[MECHANISM_GPUS];

/* With these settings random traces count on all of the GPUs what they count without. */
void mechanism_changes_nothing(const char *settings);
/* Each of the changes, NULL-terminated, gives launch 1 of a trace another number of cycles. */
void mechanism_each_matters(const char *path, const char *settings, const char *const *changes);

#endif
