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

/* The option's value, or the simulator's default; "" if there is neither, which is an error. After an error the
 * functions below return 0, ws_gs_part_real() 1, by which one may divide. */
const char *ws_gs_text(ws_gs_draft *d, const char *option);
bool ws_gs_is_on(ws_gs_draft *d, const char *option);
int64_t ws_gs_whole(ws_gs_draft *d, const char *option);
/* The number at `index` (from 0) of a list with that separator. */
int64_t ws_gs_part(ws_gs_draft *d, const char *option, char separator, int index);
/* The number of "KEY=number" in a list separated by ':'. */
int64_t ws_gs_keyed(ws_gs_draft *d, const char *option, const char *key);
double ws_gs_part_real(ws_gs_draft *d, const char *option, char separator, int index);

/* Records the error that the option's value is not what is expected, unless an error was recorded before. */
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

/* Tells the caller (`note`) that the option's value is not modelled; `instead` says what is. */
void ws_gs_tell(ws_gs_draft *d, const char *option, const char *instead);

/* An option of which one value is modelled; `instead` says what it means. */
typedef struct ws_gs_fixed {
    const char *option, *modelled, *instead;
} ws_gs_fixed;

/* Tells the options that have another value. */
void ws_gs_tell_fixed(ws_gs_draft *d, const ws_gs_fixed *fixed, size_t count);

/* A cache, which the simulator describes as "S:4:128:64,L:T:m:L:L,A:512:8,16:0,32". */
typedef struct ws_gs_cache {
    uint32_t sets, line_B, ways, mshr_entries, mshr_merges, miss_queue, port_B; /* port_B 0: a line's */
    char kind, replacement, write, allocation, write_allocation, index;         /* letters of gpu-cache.h */
} ws_gs_cache;

/* All fields are 0 after an error. */
ws_gs_cache ws_gs_cache_of(ws_gs_draft *d, const char *option); /* caches.c */

/* Less than 2 GiB. */
static inline int64_t ws_gs_cache_B(const ws_gs_cache *cache) {
    return (int64_t)cache->sets * cache->line_B * cache->ways;
}

/* True if a warp's accesses are coalesced into sectors, not lines: since Maxwell, and where global memory bypasses the
 * L1. */
bool ws_gs_coalesces_by_sectors(ws_gs_draft *d); /* core.c */

/* The sections of a preset, by the parameters that they set. */
void ws_gs_draft_core(ws_gs_draft *d);    /* core.c: gpu.*, sm.*, core.*, l1.access */
void ws_gs_draft_caches(ws_gs_draft *d);  /* caches.c: l1.*, l2.* */
void ws_gs_draft_network(ws_gs_draft *d); /* network.c: noc.* */
void ws_gs_draft_dram(ws_gs_draft *d);    /* dram.c: dram.*, l2.interleave_B */

#endif
