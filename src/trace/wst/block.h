/* Blocks of a .wst: the instructions of consecutive CTAs, predicted and stored as columns.
 *
 * Encoder and decoder keep the same small state per static instruction (a *site*), which predicts
 *   flow     the next instruction: the one that followed this one last time
 *   mask     the mask: that of the instruction before, unless the site changed this incoming mask last time
 *   address  the addresses: lanes are affine (base + lane * stride) with the site's last stride; the base advances by
 *            the site's step, which is learnt twice: from execution to execution, and from warp to warp for first
 *            executions.
 * Only departures from the predictions are stored, and the lengths of the runs of right predictions between them; all
 * of it is then compressed with zstd. Sites are numbered within a block in order of first use, so that their state is
 * small and a block can be decoded alone. */
#ifndef WS_TRACE_WST_BLOCK_H
#define WS_TRACE_WST_BLOCK_H

#include "base/buffer.h"
#include "warpsweep/trace.h"

enum wst_column {
    WST_COLUMN_LAYOUT,   /* CTAs: launch, position, warps, their instruction counts */
    WST_COLUMN_FLOW_RUN, /* numbers of right predictions of the next instruction between wrong ones */
    WST_COLUMN_FLOW,     /* the instruction that came instead */
    WST_COLUMN_MASK_RUN,
    WST_COLUMN_MASK,
    WST_COLUMN_ADDRESS_RUN,
    WST_COLUMN_ADDRESS, /* what differs (WST_ADDRESS_ bits), base and stride */
    WST_COLUMN_LANE,    /* differences from lane to lane where lanes are not affine */
    WST_COLUMN_PLAIN_COUNT,
    /* WS_FEATURE_VALUES only (value.h): */
    WST_COLUMN_VALUE_RUN = WST_COLUMN_PLAIN_COUNT,
    WST_COLUMN_VALUE,
    WST_COLUMN_LITERAL,
    WST_COLUMN_COUNT
};

/* The number of columns in the blocks of a trace with `features`; they are the first of the list. */
static inline int wst_column_count(uint32_t features) {
    return features & WS_FEATURE_VALUES ? WST_COLUMN_COUNT : WST_COLUMN_PLAIN_COUNT;
}

/* A block ends at the first CTA boundary past either bound. */
enum { WST_BLOCK_RAW_B = 2 << 20, WST_BLOCK_INSTS = 512 << 10 };
/* Bounds of a CTA (instructions, addresses, values) and of a block (bytes) past which writer and reader refuse it, so
 * that reading a CTA takes at most a gigabyte or so, whatever a file claims. The size of a file bounds none of these,
 * since right predictions cost no bytes. */
enum {
    WST_CTA_INSTS_MAX = 1 << 24,
    WST_CTA_ADDRESSES_MAX = 1 << 26,
    WST_CTA_VALUES_MAX = 1 << 25,
    WST_BLOCK_RAW_MAX_B = 512 << 20,
};

/* The number of operands whose values are recorded. */
static inline uint32_t wst_operand_count(const ws_static *s) {
    return (uint32_t)s->result_values + s->source_values;
}

/* ---- encoder */

typedef struct wst_encoder wst_encoder;

wst_encoder *wst_encoder_new(uint32_t warp_size);
void wst_encoder_free(wst_encoder *encoder);

/* Begins a CTA, of the last CTA's kernel or a later one; `linear` is x + grid.x * (y + grid.y * z). Its warps and their
 * instructions follow, then wst_encoder_end_cta(). */
void wst_encoder_cta(wst_encoder *encoder, uint32_t kernel, uint64_t linear);
void wst_encoder_warp(wst_encoder *encoder, uint32_t id);
/* `addresses`: one per bit of `mask`; NULL for an instruction without. */
void wst_encoder_inst(wst_encoder *encoder, uint32_t static_id, uint64_t mask, const uint64_t *addresses);
/* Operand values of the instruction just added, whose static is `s`; only if it has operands with values and an active
 * lane. */
void wst_encoder_values(wst_encoder *encoder, uint32_t static_id, const ws_static *s, uint32_t uniform,
                        const uint64_t *values);
void wst_encoder_end_cta(wst_encoder *encoder);

uint32_t wst_encoder_cta_count(const wst_encoder *encoder);
uint32_t wst_encoder_first_kernel(const wst_encoder *encoder);
/* True if the block is past one of the bounds at which it ends. */
bool wst_encoder_is_full(const wst_encoder *encoder);
/* If the current CTA exceeds a bound: that bound as a text, e.g. "2^24 warp instructions"; else NULL. */
const char *wst_encoder_excess(const wst_encoder *encoder);

/* Ends the block and returns its columns (WST_COLUMN_COUNT of them, valid until the next call); false if memory had run
 * out. Afterwards the encoder is empty again. */
bool wst_encoder_finish(wst_encoder *encoder, const ws_buffer **columns);

/* ---- decoder */

typedef struct wst_decoder wst_decoder;

/* Tables of the trace that decoding a block needs; they must outlive the decoder. */
typedef struct wst_tables {
    uint32_t warp_size, static_count, kernel_count;
    const ws_static *statics;
    const ws_kernel *kernels; /* their counters bound what a block may claim to hold */
} wst_tables;

/* Takes ownership of the content of `columns` (WST_COLUMN_COUNT buffers, left empty). `kernel` is that of the block's
 * first CTA. Without values, their columns may be empty. NULL when memory ran out. */
wst_decoder *wst_decoder_new(ws_buffer *columns, const wst_tables *tables, uint32_t kernel, bool with_values);
void wst_decoder_free(wst_decoder *decoder);

/* Growing arrays that hold one decoded CTA. Zero-initialise; free with wst_cta_free(). */
typedef struct wst_cta {
    uint32_t kernel;
    uint64_t linear;
    uint32_t warp_count;
    ws_warp *warps;
    uint32_t *static_id;
    uint64_t *mask;
    uint32_t *address_at;
    uint64_t *addresses;
    uint16_t *uniform;
    uint32_t *value_at;
    uint64_t *values;
    size_t warp_room, inst_room, at_room, address_room, uniform_room, value_at_room, value_room;
} wst_cta;
void wst_cta_free(wst_cta *cta);

/* Decodes the next CTA of the block. False on damage (`err` says what), or when memory ran out; the decoder is of no
 * further use then. */
bool wst_decoder_next(wst_decoder *decoder, wst_cta *cta, ws_error *err);

#endif
