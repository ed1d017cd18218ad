/* The prepared stream of the timed fidelity: the instructions of each CTA as the SM sees them, with the accesses that
 * they make to the L1. Unlike in the stream of fidelity `order` nothing is left out, as arithmetic takes units and
 * time, too. */
#ifndef WS_TIMED_LAUNCH_STREAM_H
#define WS_TIMED_LAUNCH_STREAM_H

#include "replay/branching.h"
#include "replay/local.h"
#include "timed/launch/accesses.h"
#include "timed/launch/statics.h"

/* An execution of a static instruction by a warp. */
typedef struct ws_timed_inst {
    uint32_t static_id;
    uint16_t access_count; /* number of its accesses to the L1 */
    uint8_t shared_cycles; /* passes through the banks of shared memory; 0 = no access */
    uint8_t lanes;         /* number of active lanes */
} ws_timed_inst;

/* What a core slot may look at of an execution, kept only where asked for. For the sake of data flow there is one for
 * instructions that are not issued (class meta), too. */
typedef struct ws_flow {
    uint32_t static_id;
    uint32_t value_at; /* index of its first value in the warp's `values` */
    /* set of operands that are the same in all active lanes, as in ws_warp; 0 without values */
    uint16_t uniform;
    bool issued;
    bool all_lanes; /* all lanes are active */
    bool no_lane;   /* none is */
    /* a memory instruction whose active lanes all name the same address */
    bool one_address;
} ws_flow;

typedef struct ws_timed_warp {
    uint32_t id; /* within the CTA */
    uint32_t inst_count;
    const ws_timed_inst *insts;
    const ws_access *accesses; /* those of all instructions, in order */
    const ws_flow *flow;       /* NULL where not asked for  */
    const uint64_t *values;    /* operand values, as in ws_warp; NULL where not asked for */
    const uint64_t *masks;     /* per inst: set of active lanes; NULL where not asked for */
    const uint8_t *branches;   /* per inst: enum ws_branch_outcome; NULL where not asked for */
} ws_timed_warp;

typedef struct ws_timed_cta {
    uint32_t warp_count;
    ws_timed_warp warps[]; /* ascending ids; warps without instructions are left out */
} ws_timed_cta;

typedef struct ws_timed_stream ws_timed_stream;

typedef struct ws_timed_stream_options {
    bool issue_meta;
    bool mappings; /* ws_access.other_mapping */
    bool flow;     /* ws_timed_warp.flow */
    bool values;   /* ws_timed_warp.values; needs flow, and a trace that has values */
    bool masks;    /* ws_timed_warp.masks */
    /* ws_timed_warp.branches, as found out from this many of the launch's first CTAs; 0: not asked for */
    uint32_t branch_ctas;
    /* Readers of the trace, kept by the caller: sharing one among all launches goes through the trace once. `reader`
     * reads the CTAs that are asked for; NULL: the stream has a reader of its own. `ahead` reads those from which
     * branches are found out. */
    ws_reader *reader, *ahead;
} ws_timed_stream_options;

/* `statics`: those of the trace; the caller keeps them. */
ws_timed_stream *ws_timed_stream_new(const ws_trace *trace, uint32_t kernel, const ws_timed_statics *statics,
                                     const ws_core_params *core, const ws_l1_params *l1,
                                     const ws_timed_stream_options *options, ws_error *err);
void ws_timed_stream_free(ws_timed_stream *stream); /* accepts NULL */

/* Switches to another launch of the trace. */
bool ws_timed_stream_turn(ws_timed_stream *stream, uint32_t kernel, uint32_t branch_ctas, ws_error *err);

/* For instructions that are made elsewhere: _put appends one; _take returns all that were put as a warp without an id,
 * to be freed with free(), or NULL if out of memory. `addresses`: as in ws_warp. */
void ws_timed_stream_put(ws_timed_stream *stream, uint32_t static_id, uint64_t mask,
                         const uint64_t *addresses);
ws_timed_warp *ws_timed_stream_take(ws_timed_stream *stream);

/* Indexed by static instruction; NULL without options.branch_ctas. */
const ws_branch *ws_timed_stream_branches(const ws_timed_stream *stream);

/* Prepares CTA `ordinal`, whose threads have their local memory at `place`; owned by the caller, to be freed with
 * free(). NULL on errors. */
ws_timed_cta *ws_timed_stream_cta(ws_timed_stream *stream, uint32_t ordinal, ws_local_place place,
                                  ws_error *err);

#endif
