/* Regroups the instructions of many warps, in the order in which a tracer met them, warp by warp (by means of
 * spill.h). */
#ifndef WS_TRACE_IMPORT_INTERLEAVED_H
#define WS_TRACE_IMPORT_INTERLEAVED_H

#include "trace/import/spill.h"
#include "warpsweep/trace.h"

/* A warp instruction. The key `warp` is its launch and a place, which the caller computes from CTA and warp so that
 * ascending places give the order in which warps are to be visited. */
typedef struct ws_interleaved_inst {
    ws_spill_key warp;
    uint32_t static_id;
    uint64_t mask;
    const uint64_t *addresses;    /* one per active lane; NULL for an instruction without */
    const uint64_t *stored_value; /* the value all active lanes store; NULL if unknown or they differ */
} ws_interleaved_inst;

bool ws_interleaved_put(ws_spill *spill, const ws_interleaved_inst *inst, ws_error *err);

/* Visits all instructions by ascending warp, those of a warp in the order in which they were put. */
typedef bool ws_interleaved_visit(void *context, const ws_interleaved_inst *inst, ws_error *err);
bool ws_interleaved_read(ws_spill *spill, ws_interleaved_visit *visit, void *context, ws_error *err);

#endif
