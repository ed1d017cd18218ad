/* For formats whose instructions come in any order, and whose grid and block may only follow from the instructions
 * (CSV, mem_trace): gathers everything, then writes launch by launch, CTA by CTA, warp by warp. */
#ifndef WS_TRACE_IMPORT_GATHERED_H
#define WS_TRACE_IMPORT_GATHERED_H

#include "trace/import/interleaved.h"
#include "trace/import/losses.h"
#include "trace/import/text_source.h"

enum {
    WS_GATHERED_LAUNCHES_MAX = 1 << 16,
    WS_GATHERED_WARPS_MAX = 1 << 12, /* bound of the warp numbers in a CTA, which may have gaps */
};

typedef struct ws_gathered_launch {
    ws_kernel kernel; /* name owned; grid.x or block.x is 0 where it is to be derived from the instructions */
    bool selected;
    uint64_t inst_count, cta_end; /* 1 + the highest CTA number met */
    uint32_t warp_end;            /* 1 + the highest warp number met */
} ws_gathered_launch;

typedef struct ws_gathered {
    ws_writer *writer;
    const ws_selection *kernels; /* may be NULL */
    ws_spill *spill;
    ws_gathered_launch *launches;
    size_t count, room;
    ws_losses losses;
    const char *hint; /* closes messages about what a native trace cannot hold; may be NULL */
    bool rank_warps;  /* warp numbers only distinguish the warps of a CTA: they are renumbered from 0 */
    bool *is_copy;    /* by static index: an LDGSTS, put twice */
    size_t static_room;

    /* State of writing: launches begun, the next warp's rank in its CTA, and the current warp's place; the static index
     * of an LDGSTS of which the first half has come. */
    uint32_t launch, next_warp;
    uint64_t place;
    bool half;
    uint32_t half_id;
} ws_gathered;

bool ws_gathered_begin(ws_gathered *g, ws_writer *writer, const ws_import_options *options,
                       const ws_spill_options *spill, ws_error *err);
void ws_gathered_free(ws_gathered *g);

/* Appends a launch, which the selection knows by its place, from 1 on; `kernel` is copied. Its index in `launches` is
 * count - 1. */
bool ws_gathered_launch_new(ws_gathered *g, const ws_kernel *kernel, ws_error *err);

/* Adds a warp instruction; `cta` is the linear CTA number, x fastest. Instructions of launches that are not selected
 * are dropped. */
bool ws_gathered_put(ws_gathered *g, size_t launch, uint64_t cta, uint32_t warp, uint32_t static_id,
                     uint64_t mask, const uint64_t *addresses, ws_error *err);

/* Says that the instruction is an LDGSTS, which each warp puts twice in a row: its write of shared memory, then its
 * read of global memory. Only the second is written. */
bool ws_gathered_copy(ws_gathered *g, uint32_t static_id, ws_error *err);

/* Writes everything and finishes the trace; `path` is named in messages. */
bool ws_gathered_finish(ws_gathered *g, const char *path, ws_error *err);

/* The ws_import_function of such a format, but for its reader, which reads all of `text` into `gathered`, and for what
 * the trace calls its tracer. */
typedef bool ws_gathered_read(ws_text *text, ws_gathered *gathered, ws_error *err);
bool ws_gathered_import(const char *source, const char *out, const ws_import_options *options,
                        const char *tracer, ws_gathered_read *read, ws_error *err);

#endif
