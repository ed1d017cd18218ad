/* The prepared stream of the timed fidelity: each CTA's instructions as the SM sees them, with the accesses that they
 * make to the L1. Unlike the stream of fidelity `order` nothing is left out: arithmetic takes units and time. */
#ifndef WS_TIMED_STREAM_H
#define WS_TIMED_STREAM_H

#include "replay/branching.h"
#include "timed/accesses.h"
#include "warpsweep/timed.h"

/* Where an instruction executes. */
enum ws_unit {
    WS_UNIT_INT,
    WS_UNIT_FP,
    WS_UNIT_DP,
    WS_UNIT_SFU,
    WS_UNIT_TENSOR,
    WS_UNIT_BRANCH,
    WS_UNIT_UNIFORM,
    WS_UNIT_MEMORY,
    WS_UNIT_COUNT
};

/* What it has to do with asynchronous copies to shared memory (async.c). */
enum ws_async_role {
    WS_ASYNC_NONE,
    WS_ASYNC_COPY,   /* LDGSTS: is one */
    WS_ASYNC_COMMIT, /* LDGDEPBAR: closes the group of those since the last one */
    WS_ASYNC_WAIT    /* DEPBAR: waits for all groups but the last few */
};

/* What the SM needs to know of a static instruction. */
typedef struct ws_timed_static {
    uint8_t unit; /* enum ws_unit, after missing units are replaced */
    uint8_t op;   /* ws_memory_op; NONE for all but memory instructions */
    bool shared;  /* shared memory */
    bool arithmetic;
    bool barrier, fence, exit, jumps;
    bool past_l1;                 /* of a memory instruction: its accesses pass the L1 by */
    bool asks;                    /* its executions are requests to the owner of the partition slot */
    uint8_t reg_count, dst_count; /* destinations first, then sources */
    uint8_t async;                /* enum ws_async_role */
    uint16_t latency, interval;
    uint16_t open_groups; /* of WS_ASYNC_WAIT: how many it does not wait for */
    uint32_t pc;
    uint16_t regs[WS_DST_MAX + WS_SRC_MAX]; /* numbered densely within the kernel */
    /* With options.register_banks four bits for each of them, as warp 0 sees them: how many registers of that bank the
     * instruction reads; whether it writes one. */
    uint64_t reads, writes;
} ws_timed_static;

/* Sets `async` and `open_groups` (async.c). */
void ws_async_decode(ws_timed_static *timed, const ws_static *inst, const char *opcode);

/* One word of the sets of registers that a static instruction names, and that it writes. */
typedef struct ws_register_sets {
    uint64_t named, written;
} ws_register_sets;

typedef struct ws_timed_inst {
    uint32_t static_id;
    uint16_t access_count; /* of its accesses to the L1 */
    uint8_t shared_cycles; /* passes through the banks of shared memory; 0 = no access */
    uint8_t lanes;         /* active */
} ws_timed_inst;

/* Where asked for: what a core slot may look at of an execution, of instructions that are not issued (class meta), too,
 * for the sake of data flow. */
typedef struct ws_flow {
    uint32_t static_id;
    uint32_t value_at; /* of the warp's values: where its own begin */
    uint16_t uniform;  /* operands that are the same in all active lanes, as in ws_warp; 0 without values */
    bool issued;
    bool all_lanes;   /* are active */
    bool one_address; /* of a memory instruction: its active lanes name one */
} ws_flow;

typedef struct ws_timed_warp {
    uint32_t id; /* within the CTA */
    uint32_t inst_count;
    const ws_timed_inst *insts;
    const ws_access *accesses; /* of all instructions, in order */
    const ws_flow *flow;       /* NULL where not asked for  */
    const uint64_t *values;    /* of operands, as in ws_warp; NULL where not asked for */
    const uint64_t *masks;     /* active lanes of insts; NULL where not asked for */
    const uint8_t *branches;   /* enum ws_branch_outcome of insts; NULL where not asked for */
} ws_timed_warp;

typedef struct ws_timed_cta {
    size_t size_B;
    uint32_t warp_count;
    ws_timed_warp warps[]; /* ascending ids; warps without instructions are left out */
} ws_timed_cta;

/* Where the threads of a CTA have their words of local memory: the place of the first, among those of all threads that
 * the GPU holds. */
typedef struct ws_local_place {
    uint64_t first_thread, threads; /* threads: 0: accesses are at the addresses that the trace has */
} ws_local_place;

typedef struct ws_timed_stream ws_timed_stream;

typedef struct ws_timed_stream_options {
    bool issue_meta;
    bool mappings;           /* ws_access.other_mapping */
    bool flow;               /* ws_timed_warp.flow */
    bool values;             /* ws_timed_warp.values, with flow; the trace has them */
    bool masks;              /* ws_timed_warp.masks */
    uint32_t register_banks; /* of each scheduler, at most 16; 0: nobody asks */
    uint32_t branch_ctas;    /* ws_timed_warp.branches, as so many of the first CTAs tell them; 0: none */
    /* of the trace; one for all launches goes through it once. NULL: the stream has its own */
    ws_reader *reader;
} ws_timed_stream_options;

ws_timed_stream *ws_timed_stream_new(const ws_trace *trace, uint32_t kernel, const ws_core_params *core,
                                     const ws_l1_params *l1, const ws_timed_stream_options *options,
                                     ws_error *err);
void ws_timed_stream_free(ws_timed_stream *stream); /* accepts NULL */

/* Goes on with another launch of the trace. */
bool ws_timed_stream_turn(ws_timed_stream *stream, uint32_t kernel, uint32_t branch_ctas, ws_error *err);

/* Makes the loads at address `pc` requests: a warp's instructions end with the first one that has an active lane. */
void ws_timed_stream_cut(ws_timed_stream *stream, uint32_t pc);
/* Instructions that are made elsewhere, one after the other; what they are is taken as a warp without an id, which
 * free() frees. NULL if out of memory. `addresses`: as in ws_warp. */
void ws_timed_stream_put(ws_timed_stream *stream, uint32_t static_id, uint64_t mask,
                         const uint64_t *addresses);
ws_timed_warp *ws_timed_stream_take(ws_timed_stream *stream);

const ws_timed_static *ws_timed_stream_statics(const ws_timed_stream *stream);
/* By static instruction; NULL without options.branch_ctas. */
const ws_branch *ws_timed_stream_branches(const ws_timed_stream *stream);
/* Of each static instruction so many words, one at least: bits are registers, numbered from 0. */
const ws_register_sets *ws_timed_stream_registers(const ws_timed_stream *stream, uint32_t *words);

/* CTA `ordinal`, prepared now; owned by the caller, freed with free(). NULL on errors. */
ws_timed_cta *ws_timed_stream_cta(ws_timed_stream *stream, uint32_t ordinal, ws_local_place place,
                                  ws_error *err);

#endif
