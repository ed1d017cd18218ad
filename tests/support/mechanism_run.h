/* Timed replays for tests of mechanisms. */
#ifndef WS_TESTS_MECHANISM_RUN_H
#define WS_TESTS_MECHANISM_RUN_H

#include "warpsweep/timed.h"

typedef struct mechanism_result {
    ws_timed_counters counters;
    uint64_t counts[WS_MECHANISM_COUNTS_MAX]; /* of the one mechanism that is on, else 0 */
} mechanism_result;

/* "name=value,name=value": the defaults with these settings. The test fails where they are refused. */
ws_config *mechanism_config(const char *settings);
/* Launch `kernel` on an empty GPU. */
mechanism_result mechanism_run(const ws_trace *trace, uint32_t kernel, const char *settings);
/* The text with which a configuration is refused; the test fails where it is not. Static memory. */
const char *mechanism_refusal(const ws_trace *trace, const char *settings);

#endif
