/* Instructions of many warps, in the order in which a tracer met them, put together warp by warp (spill.h). */
#ifndef WS_TRACE_INTERLEAVED_H
#define WS_TRACE_INTERLEAVED_H

#include "trace/spill.h"
#include "warpsweep/trace.h"

/* A warp: launch, then CTA and warp as whoever puts them in orders them. */
typedef struct ws_interleaved_inst {
    ws_spill_key warp;
    uint32_t static_id;
    uint64_t mask;
    const uint64_t *addresses;    /* one per active lane; NULL for an instruction without */
    const uint64_t *stored_value; /* that all lanes store; NULL where it is unknown or they differ */
} ws_interleaved_inst;

bool ws_interleaved_put(ws_spill *spill, const ws_interleaved_inst *inst, ws_error *err);

/* Gives all instructions by ascending warps, each warp's in the order in which they were put. */
typedef bool ws_interleaved_visit(void *context, const ws_interleaved_inst *inst, ws_error *err);
bool ws_interleaved_read(ws_spill *spill, ws_interleaved_visit *visit, void *context, ws_error *err);

#endif
