/* Two programs that run at the same time, for tests. */
#ifndef WS_TESTS_PAIR_H
#define WS_TESTS_PAIR_H

#include "mechanism_run.h"

enum { PAIR_LAUNCHES = 4, PAIR_SMS = 8 };

typedef struct pair {
    ws_timed_counters all;
    uint32_t launches;
    ws_timed_share share[PAIR_LAUNCHES];
    ws_timed_runs runs[PAIR_LAUNCHES];
    uint64_t counts[WS_MECHANISM_COUNTS_MAX]; /* of the one mechanism that is on */
    uint64_t warps_on[2]
                     [PAIR_SMS]; /* by parity of the instructions that a warp executed, by SM: warps ended */
} pair;

/* Runs them with these settings (mechanism_run.h); a refusal fails the test. */
pair run_joined(const ws_trace *joined, const char *settings);
pair run_pair(const ws_trace *first, const ws_trace *second, const char *settings);

/* A tap that fills `warps_on` of the pair `self`. */
void pair_hear_end(void *self, const ws_timed_warp_life *life);

/* A launch each of whose warps executes work(cta, warp, 0) additions: ten of them, or about a hundred. */
ws_trace *additions(uint32_t ctas, uint32_t warps,
                    uint32_t (*work)(uint32_t cta, uint32_t warp, uint32_t part));
uint32_t ten(uint32_t cta, uint32_t warp, uint32_t part);
uint32_t hundred(uint32_t cta, uint32_t warp, uint32_t part);

#endif
