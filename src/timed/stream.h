/* The prepared stream of the timed fidelity: the instructions of each CTA as the SM sees them, with the accesses that
 * they make to the L1. Unlike in the stream of fidelity `order` nothing is left out, as arithmetic takes units and
 * time, too. */
#ifndef WS_TIMED_STREAM_H
#define WS_TIMED_STREAM_H

#include "replay/branching.h"
#include "timed/accesses.h"
#include "warpsweep/timed.h"

/* The kinds of units that instructions execute in. */
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

/* What an instruction does with asynchronous copies to shared memory (async.c). */
enum ws_async_role {
    WS_ASYNC_NONE,
    WS_ASYNC_COPY,   /* LDGSTS: is a copy */
    WS_ASYNC_COMMIT, /* LDGDEPBAR: closes the group of the copies since the last one */
    WS_ASYNC_WAIT    /* DEPBAR: waits for all groups but the last few */
};

/* What the SM needs to know of a static instruction. */
typedef struct ws_timed_static {
    uint8_t unit; /* enum ws_unit, after missing kinds of units are replaced */
    uint8_t op;   /* ws_memory_op; NONE for all but memory instructions */
    bool shared;  /* accesses shared memory */
    bool arithmetic;
    bool plain_alu; /* an integer or single-precision instruction, and executes in such a unit */
    bool barrier, fence, exit, jumps;
    bool past_l1;                 /* a memory instruction whose accesses bypass the L1 */
    bool asks;                    /* its executions are requests to the partition slot's owner */
    uint8_t reg_count, dst_count; /* of `regs`: destinations first, then sources */
    uint8_t async;                /* enum ws_async_role */
    uint16_t latency, interval;
    uint16_t open_groups; /* WS_ASYNC_WAIT: the number of latest groups that it does not wait for */
    uint32_t pc;
    uint16_t regs[WS_DST_MAX + WS_SRC_MAX]; /* numbered densely within the kernel */
    /* With options.register_banks four bits per register bank, numbered as warp 0 sees them: the number of registers of
     * the bank that the instruction reads; whether it writes one. */
    uint64_t reads, writes;
} ws_timed_static;

/* Sets `async` and `open_groups` (async.c). */
void ws_async_decode(ws_timed_static *timed, const ws_static *inst, const char *opcode);

/* One word of two sets of registers: those that a static instruction names, and those that it writes. */
typedef struct ws_register_sets {
    uint64_t named, written;
} ws_register_sets;

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
    size_t size_B;
    uint32_t warp_count;
    ws_timed_warp warps[]; /* ascending ids; warps without instructions are left out */
} ws_timed_cta;

/* Where the threads of a CTA have their words of local memory. `first_thread` is the CTA's first thread, numbered among
 * the `threads` threads that the whole GPU holds. threads 0: accesses are at the addresses that the trace has. */
typedef struct ws_local_place {
    uint64_t first_thread, threads;
} ws_local_place;

typedef struct ws_timed_stream ws_timed_stream;

typedef struct ws_timed_stream_options {
    bool issue_meta;
    bool mappings;           /* ws_access.other_mapping */
    bool flow;               /* ws_timed_warp.flow */
    bool values;             /* ws_timed_warp.values; needs flow, and a trace that has values */
    bool masks;              /* ws_timed_warp.masks */
    uint32_t register_banks; /* register banks per scheduler, at most 16; 0: not asked for */
    /* ws_timed_warp.branches, as found out from this many of the launch's first CTAs; 0: not asked for */
    uint32_t branch_ctas;
    /* A reader of the trace, kept by the caller: sharing one among all launches goes through the trace once. NULL: the
     * stream has a reader of its own. */
    ws_reader *reader;
} ws_timed_stream_options;

ws_timed_stream *ws_timed_stream_new(const ws_trace *trace, uint32_t kernel, const ws_core_params *core,
                                     const ws_l1_params *l1, const ws_timed_stream_options *options,
                                     ws_error *err);
void ws_timed_stream_free(ws_timed_stream *stream); /* accepts NULL */

/* Switches to another launch of the trace. */
bool ws_timed_stream_turn(ws_timed_stream *stream, uint32_t kernel, uint32_t branch_ctas, ws_error *err);

/* Turns the loads at address `pc` into requests to the partition slot's owner: a warp's instructions then end with the
 * first such load that has an active lane. */
void ws_timed_stream_cut(ws_timed_stream *stream, uint32_t pc);
/* For instructions that are made elsewhere: _put appends one; _take returns all that were put as a warp without an id,
 * to be freed with free(), or NULL if out of memory. `addresses`: as in ws_warp. */
void ws_timed_stream_put(ws_timed_stream *stream, uint32_t static_id, uint64_t mask,
                         const uint64_t *addresses);
ws_timed_warp *ws_timed_stream_take(ws_timed_stream *stream);

const ws_timed_static *ws_timed_stream_statics(const ws_timed_stream *stream);
/* Indexed by static instruction; NULL without options.branch_ctas. */
const ws_branch *ws_timed_stream_branches(const ws_timed_stream *stream);
/* `*words` words, at least one, per static instruction; each bit is a register, numbered from 0. */
const ws_register_sets *ws_timed_stream_registers(const ws_timed_stream *stream, uint32_t *words);

/* Prepares CTA `ordinal`; owned by the caller, to be freed with free(). NULL on errors. */
ws_timed_cta *ws_timed_stream_cta(ws_timed_stream *stream, uint32_t ordinal, ws_local_place place,
                                  ws_error *err);

#endif
