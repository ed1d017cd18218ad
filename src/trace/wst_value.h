/* Operand values in a block: columns of their own, so that a block without them is what it was, and a reader
 * that does not ask for them does not unpack them.
 *
 * Each operand of each static instruction is predicted in two ways. By its *course*: it is uniform or not as
 * last time, and moves on by a constant step, as addresses do. By its *origin*: it is what another operand was
 * when that was met last in this warp, as a source is what some instruction gave before. Encoder and decoder
 * trust the one that has been right more often of late. Runs of instructions whose operands all are as
 * predicted are counted; the others are written down. */
#ifndef WS_TRACE_WST_VALUE_H
#define WS_TRACE_WST_VALUE_H

#include "base/buffer.h"
#include "trace/wst_run.h"
#include "trace/wst_site.h"
#include "warpsweep/trace.h"

/* ---- what encoder and decoder remember */

/* An operand of a static instruction, within a block. */
typedef struct wst_operand {
    wst_course course;
    uint64_t value;  /* last uniform one */
    uint32_t warp;   /* that executed it last */
    uint32_t origin; /* WST_ORIGIN_NONE, or an operand */
    int8_t trust;    /* above 0: in the origin */
    bool uniform;    /* last time */
} wst_operand;

enum { WST_ORIGIN_NONE = 0, WST_TRUST_MAX = 3, WST_RECENT = 64 };

typedef struct wst_operands {
    wst_operand *operands; /* from 1; those of a static instruction lie together */
    uint32_t count, room;
    uint32_t *first_of; /* by static id: its first operand, 0 = not met in this block */
    uint32_t first_room;
    uint32_t warp;               /* serial number within the block, from 1 */
    uint32_t recent[WST_RECENT]; /* the last results of this warp, where an origin is looked for: a ring */
    uint32_t recent_count;
} wst_operands;

void wst_operands_begin_warp(wst_operands *known);

/* ---- columns
 * VALUE_RUN: instructions that are as predicted, between those that are not. VALUE: for each of the others
 * three groups of bits, one bit per operand: it is not as predicted; of these, it is uniform although predicted
 * otherwise or the reverse; of these, its literal has the bytes reversed. LITERAL: for each operand that is not
 * as predicted and uniform, zigzag of its difference from its course, or, where that is shorter (floating-point
 * numbers), its bytes in reverse, doubled, and 1 more for eight bytes rather than four. */

typedef struct wst_value_encoder {
    wst_operands known;
    uint64_t run;
    bool failed; /* memory ran out */
} wst_value_encoder;

void wst_value_encoder_free(wst_value_encoder *encoder);
/* For a new block. */
void wst_value_encoder_reset(wst_value_encoder *encoder);
/* An instruction with operands and at least one active lane; `uniform` and `values` as in ws_warp. */
void wst_value_encoder_inst(wst_value_encoder *encoder, ws_buffer *columns, uint32_t static_id,
                            const ws_static *s, uint32_t uniform, const uint64_t *values);

typedef struct wst_value_decoder {
    wst_operands known;
    wst_run run;
    ws_cursor code, literal;
    bool failed; /* memory ran out */
} wst_value_decoder;

void wst_value_decoder_init(wst_value_decoder *decoder, const ws_buffer *columns);
void wst_value_decoder_free(wst_value_decoder *decoder);
/* The operands of such an instruction; `values` has room for WS_OPERANDS_MAX. Returns how many values there
 * are, -1 on damage or when memory ran out (`failed`). */
int wst_value_decoder_inst(wst_value_decoder *decoder, uint32_t static_id, const ws_static *s,
                           uint16_t *uniform, uint64_t *values);

#endif
