/* A preset in the making: options go in, parameters with their sources come out. After an error, which `err` keeps,
 * nothing more is done, so that whoever drafts needs to look for it only once. */
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

/* The option's value, or the simulator's default; "" after an error. */
const char *ws_gs_text(ws_gs_draft *d, const char *option);
bool ws_gs_is_on(ws_gs_draft *d, const char *option);
int64_t ws_gs_whole(ws_gs_draft *d, const char *option);
/* The number `index` (from 0) of several that `separator` is between. */
int64_t ws_gs_part(ws_gs_draft *d, const char *option, char separator, int index);
/* The number of "KEY=number", of several that ':' is between. */
int64_t ws_gs_keyed(ws_gs_draft *d, const char *option, const char *key);
double ws_gs_part_real(ws_gs_draft *d, const char *option, char separator, int index);

/* What is wrong with the option's value. */
void ws_gs_fail(ws_gs_draft *d, const char *option, const char *expected);

/* Sets a parameter; its source is the option as its file has it, and `why` unless that is NULL. `option` NULL: how the
 * simulator always is, which `why` says. The value is released. */
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
/* The option's number as it is. */
static inline void ws_gs_copy(ws_gs_draft *d, const char *parameter, const char *option) {
    ws_gs_put_whole(d, parameter, ws_gs_whole(d, option), option, NULL);
}

/* Says that the option's value is not modelled, and what is instead. */
void ws_gs_tell(ws_gs_draft *d, const char *option, const char *instead);

/* A cache, as the simulator writes one: "S:4:128:64,L:T:m:L:L,A:512:8,16:0,32". */
typedef struct ws_gs_cache {
    uint32_t sets, line_B, ways, mshr_entries, mshr_merges, miss_queue, port_B; /* port_B: 0 is a line */
    char kind, replacement, write, allocation, write_allocation, index;         /* letters of gpu-cache.h */
} ws_gs_cache;

ws_gs_cache ws_gs_cache_of(ws_gs_draft *d, const char *option); /* caches.c */

static inline int64_t ws_gs_cache_B(const ws_gs_cache *cache) {
    return (int64_t)cache->sets * cache->line_B * cache->ways;
}

/* The sections of a preset. */
void ws_gs_draft_core(ws_gs_draft *d);    /* core.c: SMs, their schedulers and units */
void ws_gs_draft_caches(ws_gs_draft *d);  /* caches.c: L1, L2 */
void ws_gs_draft_network(ws_gs_draft *d); /* network.c */
void ws_gs_draft_dram(ws_gs_draft *d);    /* dram.c */

#endif
