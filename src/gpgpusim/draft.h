/* A preset in the making: options go in, parameters with their sources come out. The first error is kept in `err` and
 * `failed`, so callers check for errors only once, at the end. */
#ifndef WS_GPGPUSIM_DRAFT_H
#define WS_GPGPUSIM_DRAFT_H

#include "gpgpusim/options.h"
#include "warpsweep/gpgpusim.h"

#include <jansson.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_gs_draft {
    ws_gs_options *options;
    json_t *parameters;
    ws_gpgpusim_note *note;
    void *context;
    ws_error *err;
    bool failed;
} ws_gs_draft;

/* The option's value, or the simulator's default; "" if there is neither, which is an error. The numbers below are 0
 * after an error. */
const char *ws_gs_text(ws_gs_draft *d, const char *option);
bool ws_gs_is_on(ws_gs_draft *d, const char *option);
int64_t ws_gs_whole(ws_gs_draft *d, const char *option);
/* Number `index` (from 0) of a list with that separator. */
int64_t ws_gs_part(ws_gs_draft *d, const char *option, char separator, int index);
/* The number of "KEY=number" in a list separated by ':'. */
int64_t ws_gs_keyed(ws_gs_draft *d, const char *option, const char *key);
double ws_gs_part_real(ws_gs_draft *d, const char *option, char separator, int index);

/* Fails because of the option's value. */
void ws_gs_fail(ws_gs_draft *d, const char *option, const char *expected);

/* Sets a parameter. Its source is the option with its value and place, followed by `why` unless that is NULL. `option`
 * NULL: no option decides it, and `why` says how the simulator does it. Takes over the reference to the value. */
void ws_gs_put(ws_gs_draft *d, const char *parameter, json_t *value, const char *option, const char *why);

static inline void ws_gs_put_whole(ws_gs_draft *d, const char *parameter, int64_t value, const char *option,
                                   const char *why) {
    ws_gs_put(d, parameter, json_integer(value), option, why);
}
static inline void ws_gs_put_bool(ws_gs_draft *d, const char *parameter, bool value, const char *option,
                                  const char *why) {
    ws_gs_put(d, parameter, json_boolean(value), option, why);
}
static inline void ws_gs_put_text(ws_gs_draft *d, const char *parameter, const char *value,
                                  const char *option, const char *why) {
    ws_gs_put(d, parameter, json_string(value), option, why);
}
/* Sets a parameter to the option's number. */
static inline void ws_gs_copy(ws_gs_draft *d, const char *parameter, const char *option) {
    ws_gs_put_whole(d, parameter, ws_gs_whole(d, option), option, NULL);
}

/* Notes that the option's value is not modelled; `instead` says what is. */
void ws_gs_tell(ws_gs_draft *d, const char *option, const char *instead);

/* A cache, which the simulator describes as "S:4:128:64,L:T:m:L:L,A:512:8,16:0,32". */
typedef struct ws_gs_cache {
    uint32_t sets, line_B, ways, mshr_entries, mshr_merges, miss_queue, port_B; /* port_B 0: a line */
    char kind, replacement, write, allocation, write_allocation, index;         /* letters of gpu-cache.h */
} ws_gs_cache;

ws_gs_cache ws_gs_cache_of(ws_gs_draft *d, const char *option); /* caches.c */

static inline int64_t ws_gs_cache_B(const ws_gs_cache *cache) {
    return (int64_t)cache->sets * cache->line_B * cache->ways;
}

/* Whether accesses are of sectors and not of lines: since Maxwell, and where global memory bypasses the L1. */
bool ws_gs_coalesces_by_sectors(ws_gs_draft *d); /* core.c */

/* The sections of a preset. */
void ws_gs_draft_core(ws_gs_draft *d);    /* core.c: SMs, their schedulers and units */
void ws_gs_draft_caches(ws_gs_draft *d);  /* caches.c: L1, L2 */
void ws_gs_draft_network(ws_gs_draft *d); /* network.c */
void ws_gs_draft_dram(ws_gs_draft *d);    /* dram.c */

#endif
