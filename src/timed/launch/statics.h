/* The static instructions of a trace as the SM sees them: unit, latency, registers. Launches share them, but for those
 * that a launch cuts. */
#ifndef WS_TIMED_LAUNCH_STATICS_H
#define WS_TIMED_LAUNCH_STATICS_H

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

/* What an instruction does with asynchronous copies to shared memory (sm/async.c). */
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
    bool local;   /* accesses local memory */
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
    uint16_t regs[WS_DST_MAX + WS_SRC_MAX]; /* numbered densely within the trace */
    /* With register banks four bits per bank, numbered as warp 0 sees them: the number of registers of the bank that
     * the instruction reads; whether it writes one. */
    uint64_t reads, writes;
} ws_timed_static;

/* Sets `async` and `open_groups` (sm/async.c). */
void ws_async_decode(ws_timed_static *timed, const ws_static *inst, const char *opcode);

/* One word of two sets of registers: those that a static instruction names, and those that it writes. */
typedef struct ws_register_sets {
    uint64_t named, written;
} ws_register_sets;

typedef struct ws_timed_statics {
    ws_timed_static *at; /* indexed by static instruction */
    /* `register_words` words, at least one, per static instruction; each bit is a register, numbered from 0 */
    ws_register_sets *registers;
    uint32_t count, register_words;
    bool branches_apart; /* as it was made */
    bool is_cut;         /* some of these ask the partition slot's owner */
    bool store_locally;  /* some of these are stores to local memory */
    bool load_past_l1;   /* some of these are loads that bypass the L1 */
} ws_timed_statics;

/* Whether branches have units of their own in that launch. */
bool ws_branches_are_apart(const ws_core_params *core, const ws_kernel *kernel);
/* `register_banks`: banks per scheduler, at most 16; 0: `reads` and `writes` are not asked for. False if out of
 * memory. */
bool ws_timed_statics_init(ws_timed_statics *statics, const ws_trace *trace, const ws_core_params *core,
                           uint32_t register_banks, bool branches_apart);
void ws_timed_statics_free(ws_timed_statics *statics); /* accepts one that is all zero */

/* Turns the loads at address `pc` into requests to the partition slot's owner: a warp's instructions then end with the
 * first such load that has an active lane. _mend turns them back. */
void ws_timed_statics_cut(ws_timed_statics *statics, const ws_trace *trace, uint32_t pc);
void ws_timed_statics_mend(ws_timed_statics *statics);

#endif
