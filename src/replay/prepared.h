/* The prepared stream of a kernel: each CTA's instructions, coalesced once and kept within a budget. What the
 * replay does not look into (arithmetic, shared memory ..) is only counted: a warp is a list of *runs*, each
 * a number of such plain instructions closed by one that makes requests, waits or ends the warp. */
#ifndef WS_REPLAY_PREPARED_H
#define WS_REPLAY_PREPARED_H

#include "warpsweep/replay.h"

enum {
    WS_RUN_DELAYS = 1 << 0,  /* the closing instruction returns values from memory */
    WS_RUN_BARRIER = 1 << 1, /* it waits for the CTA */
    WS_RUN_ENDS = 1 << 2,    /* it is the warp's last */
};

typedef struct ws_run {
    uint32_t issues;  /* warp instructions, the closing one among them; at least 1 */
    uint32_t inst;    /* static instruction of the closing one, where it makes requests */
    uint32_t threads; /* active lanes of all these instructions */
    uint8_t flags;    /* WS_RUN_ */
    uint8_t op;       /* ws_memory_op */
    uint8_t requests; /* of the closing one */
    uint8_t lanes;    /* active lanes of the closing one */
} ws_run;

typedef struct ws_request {
    uint64_t words;
    uint32_t line; /* number of the line within the kernel */
    uint16_t bytes;
    uint8_t sectors;
} ws_request;

/* An instruction, kept for those who look at all of them. */
enum {
    WS_INST_ISSUED = 1 << 0,
    WS_INST_ACCESSES = 1 << 1, /* it has addresses */
    WS_INST_CLOSES =
        1 << 2, /* the last of those that are told with one issue: skipped ones, and the one that issues */
};
typedef struct ws_inst {
    uint64_t mask;
    uint32_t inst;
    uint16_t uniform; /* WS_WANT_VALUES */
    uint8_t flags;    /* WS_INST_ */
} ws_inst;

typedef struct ws_prepared_warp {
    uint32_t id; /* within the CTA */
    uint32_t run_count, inst_count;
    const ws_run *runs;
    const ws_request *requests; /* of all runs, in order */
    /* Each NULL unless kept: */
    const uint64_t *addresses;      /* of the lanes of all runs that make requests, in order */
    const ws_inst *insts;           /* skipped ones, too */
    const uint64_t *inst_addresses; /* of the lanes of all instructions that have an op, in order */
    const uint64_t *values;         /* of all instructions, in order */
} ws_prepared_warp;

typedef struct ws_prepared_cta {
    size_t size_B; /* of the whole allocation */
    uint32_t warp_count;
    ws_prepared_warp warps[]; /* ascending ids; then what they point to */
} ws_prepared_cta;

typedef struct ws_prepared ws_prepared;

/* What is prepared: WS_WANT_ bits, and whether instructions are kept one by one. */
enum { WS_KEEP_INSTRUCTIONS = 1u << 30 };
typedef struct ws_prepared_options {
    ws_coalesce_params coalesce;
    bool issue_meta;
    uint32_t keep; /* WS_WANT_ADDRESSES, WS_WANT_VALUES have a meaning with WS_KEEP_INSTRUCTIONS only */
} ws_prepared_options;

/* `trace` and its reader must outlive it. Those of one kernel after another share a reader, which goes on where it is:
 * small launches lie in one block, and a reader of its own would decode that from its beginning for each of them. */
ws_prepared *ws_prepared_new(const ws_trace *trace, ws_reader *reader, uint32_t kernel,
                             const ws_prepared_options *options, size_t budget_B, ws_error *err);
void ws_prepared_free(ws_prepared *prepared); /* accepts NULL */

/* Whether it is the stream of this kernel under these options. */
bool ws_prepared_is(const ws_prepared *prepared, uint32_t kernel, const ws_prepared_options *options);

/* What it keeps: WS_WANT_ bits and WS_KEEP_INSTRUCTIONS. */
uint32_t ws_prepared_keeps(const ws_prepared *prepared);

/* Per line number: address / line_B of the line. Valid until the next ws_prepared_acquire(). */
const uint64_t *ws_prepared_line_addresses(const ws_prepared *prepared);

/* The next replay asks for CTAs below `ctas` only: none of the others is prepared ahead. At first all are expected. */
void ws_prepared_expect(ws_prepared *prepared, uint32_t ctas);

/* CTA `ordinal` of the kernel, prepared now unless it is kept; NULL on errors. Valid until it is released. */
const ws_prepared_cta *ws_prepared_acquire(ws_prepared *prepared, uint32_t ordinal, ws_error *err);
void ws_prepared_release(ws_prepared *prepared, uint32_t ordinal);

/* Bytes of the CTAs that are prepared now. */
size_t ws_prepared_kept_B(const ws_prepared *prepared);

#endif
