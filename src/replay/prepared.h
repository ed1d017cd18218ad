/* The prepared stream of a kernel for fidelity `order`: each CTA's instructions, coalesced once and kept within a
 * memory budget. What the replay does not look into (arithmetic, shared memory ..) is only counted: a warp is a list of
 * *runs*. A run is a number of such plain instructions and the instruction that closes it, which makes requests, waits,
 * or ends the warp. */
#ifndef WS_REPLAY_PREPARED_H
#define WS_REPLAY_PREPARED_H

#include "warpsweep/replay.h"

enum {
    WS_RUN_DELAYS = 1 << 0,  /* the closing instruction waits for values from memory */
    WS_RUN_BARRIER = 1 << 1, /* it is a barrier of the CTA */
    WS_RUN_ENDS = 1 << 2,    /* it is the warp's last */
};

typedef struct ws_run {
    uint32_t issues;   /* the number of warp instructions, the closing one included; at least 1 */
    uint32_t inst;     /* static instruction of the closing one, if it makes requests or is a barrier */
    uint32_t threads;  /* active lanes of all instructions, summed */
    uint16_t requests; /* the number of requests of the closing one, at most WS_BATCH_MAX */
    uint8_t lanes;     /* active lanes of the closing one, if it makes requests */
    uint8_t flags : 4; /* WS_RUN_ */
    uint8_t op : 3;    /* ws_memory_op of the closing one */
    uint8_t local : 1; /* it accesses local memory */
} ws_run;

typedef struct ws_request {
    uint64_t words;
    uint32_t line; /* number of the line within the kernel */
    uint16_t bytes;
    uint8_t sectors;
} ws_request;

/* ---- single instructions, kept for taps that look at all of them */
enum {
    WS_INST_ISSUED = 1 << 0,
    WS_INST_ACCESSES = 1 << 1, /* it has addresses */
    /* it is the last of those that taps are told of at one issue: skipped ones, and the one that issues */
    WS_INST_CLOSES = 1 << 2,
};
typedef struct ws_inst {
    uint64_t mask;
    uint32_t inst;
    uint16_t uniform; /* as in ws_warp; with WS_WANT_VALUES only */
    uint8_t flags;    /* WS_INST_ */
} ws_inst;

typedef struct ws_prepared_warp {
    uint32_t id; /* within the CTA */
    uint32_t run_count, inst_count;
    const ws_run *runs;
    const ws_request *requests; /* of all runs, in order */
    /* NULL unless kept: */
    const uint64_t *addresses;      /* lane addresses of all runs that make requests, in order */
    const ws_inst *insts;           /* all instructions, skipped ones included */
    const uint64_t *inst_addresses; /* lane addresses of all instructions that have an op, in order */
    const uint64_t *values;         /* operand values of all instructions, in order */
} ws_prepared_warp;

typedef struct ws_prepared_cta {
    size_t size_B; /* of the whole allocation */
    uint32_t warp_count;
    ws_prepared_warp warps[]; /* ascending ids; the arrays that they point to follow in the same allocation */
} ws_prepared_cta;

typedef struct ws_prepared ws_prepared;

/* A bit beside the WS_WANT_ bits: single instructions are kept. */
enum { WS_KEEP_INSTRUCTIONS = 1u << 30 };
typedef struct ws_prepared_options {
    ws_coalesce_params coalesce;
    bool issue_meta;
    /* WS_WANT_ bits and WS_KEEP_INSTRUCTIONS, without which WS_WANT_ADDRESSES and WS_WANT_VALUES have no meaning */
    uint32_t keep;
} ws_prepared_options;

/* NULL with an error. `trace` and `reader` must outlive it. The streams of one kernel after another should share a
 * reader, which goes on where it is: small launches lie in one block of the trace, and a new reader would decode that
 * block from its beginning for each of them. */
ws_prepared *ws_prepared_new(const ws_trace *trace, ws_reader *reader, uint32_t kernel,
                             const ws_prepared_options *options, size_t budget_B, ws_error *err);
void ws_prepared_free(ws_prepared *prepared); /* accepts NULL */

/* True if it is the stream of this kernel under these options, so that it can be used again. */
bool ws_prepared_is(const ws_prepared *prepared, uint32_t kernel, const ws_prepared_options *options);

/* What it keeps: WS_WANT_ bits and WS_KEEP_INSTRUCTIONS. */
uint32_t ws_prepared_keeps(const ws_prepared *prepared);

/* Per line number: address / line_B of the line. Valid until the next ws_prepared_acquire(). */
const uint64_t *ws_prepared_line_addresses(const ws_prepared *prepared);

/* Says that the next replay asks for CTAs below `ctas` only, so that no others are prepared ahead. By default all are
 * expected. */
void ws_prepared_expect(ws_prepared *prepared, uint32_t ctas);

/* Returns CTA `ordinal` of the kernel, prepared now unless it is kept; NULL on errors. Valid until it is released. */
const ws_prepared_cta *ws_prepared_acquire(ws_prepared *prepared, uint32_t ordinal, ws_error *err);
void ws_prepared_release(ws_prepared *prepared, uint32_t ordinal);

/* For tests: bytes of the CTAs that are prepared now. */
size_t ws_prepared_kept_B(const ws_prepared *prepared);

#endif
