/* Names of enumerations and kernels, and other small facts that several trace files share. */
#ifndef WS_TRACE_NAMES_H
#define WS_TRACE_NAMES_H

#include "warpsweep/trace.h"

/* Returns the name of a function, mangled or as a demangler prints it, without return type, namespaces, template and
 * call arguments; the name itself if it is neither, or if the result would not be UTF-8. Heap string; NULL when memory
 * ran out. */
char *ws_short_name(const char *name);

/* The name of a file's trace in results: "atax" for "traces/atax.wst". Heap string; NULL if out of memory. */
char *ws_trace_name(const char *path);

/* The optional fields of a trace: the bit of `ws_trace_info.features`, its name in JSON, and what it is in words. */
typedef struct ws_feature {
    uint32_t bit;
    const char *name, *text;
} ws_feature;
enum { WS_FEATURE_COUNT = 5 };
extern const ws_feature ws_features[WS_FEATURE_COUNT];

/* True if all three are at least 1 and their product is at most 2^40. */
bool ws_dim3_valid(ws_dim3 dim);
/* True if the dimensions are valid and no CTA has more than WS_CTA_WARPS_MAX warps. */
bool ws_block_valid(ws_dim3 block, uint32_t warp_size);
static inline uint64_t ws_dim3_count(ws_dim3 dim) {
    return (uint64_t)dim.x * dim.y * dim.z;
}
/* True if the bytes end below 2^64, and are no more than any device has. */
bool ws_memcpy_valid(uint64_t address, uint64_t bytes);
#define WS_MEMCPY_MAX_B (UINT64_C(1) << 40)

/* Device addresses have at most 57 bits: texts with more are damaged. */
#define WS_ADDRESS_LIMIT      (UINT64_C(1) << 60)
#define WS_ADDRESSES_EXPECTED "addresses below 2^60"

/* Linear number of a CTA in its grid, x fastest. */
static inline uint64_t ws_dim3_linear(ws_dim3 grid, ws_dim3 id) {
    return id.x + (uint64_t)grid.x * (id.y + (uint64_t)grid.y * id.z);
}

#endif
