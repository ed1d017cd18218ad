/* Operand values in a block. They have columns of their own: blocks without values are as they were before values
 * existed, and a reader that does not ask for values does not unpack them.
 *
 * Each operand of each static instruction is predicted in two ways. By its *course*: it is uniform or not, as last
 * time, and its value advances by a constant step, as addresses do. By its *origin*: it is what another operand was
 * when that was last met in this warp, as a source is the result of some earlier instruction. Encoder and decoder
 * trust the way that has been right more often of late. Instructions whose operands are all as predicted are
 * only counted; the others are written down. */
#ifndef WS_TRACE_WST_VALUE_H
#define WS_TRACE_WST_VALUE_H

#include "base/buffer.h"
#include "trace/wst/run.h"
#include "trace/wst/site.h"
#include "warpsweep/trace.h"

/* ---- what encoder and decoder remember */

/* An operand of a static instruction, within a block. */
typedef struct wst_operand {
    wst_course course;
    uint64_t value;  /* the last uniform one */
    uint32_t warp;   /* the warp that executed it last */
    uint32_t origin; /* WST_ORIGIN_NONE, or index of an operand */
    int8_t trust;    /* above 0: the origin is trusted; else the course */
    bool uniform;    /* as of its last execution */
} wst_operand;

enum { WST_ORIGIN_NONE = 0, WST_TRUST_MAX = 3, WST_RECENT = 64 };

typedef struct wst_operands {
    wst_operand *operands; /* from 1; those of a static instruction are contiguous */
    uint32_t count;
    size_t room;
    uint32_t *first_of; /* by static id: its first operand, 0 = not met in this block */
    size_t first_room;
    uint32_t warp;               /* serial number within the block, from 1 */
    uint32_t recent[WST_RECENT]; /* ring of this warp's last results, the candidates for an origin */
    uint32_t recent_count;
} wst_operands;

void wst_operands_begin_warp(wst_operands *known);

/* ---- columns
 * VALUE_RUN: the numbers of instructions as predicted between those that are not. VALUE: for each of the latter three
 * groups of bits, one bit per operand: it is not as predicted; if so, it is uniform although predicted otherwise, or
 * the reverse; if so, its literal has its bytes reversed. LITERAL: for each operand that is uniform and not as
 * predicted, the zigzag of its difference from its course; or, where that is shorter (floating-point numbers), its
 * bytes in reverse order, shifted left by one, with the lowest bit set for eight bytes and clear for four. */

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
/* Reads the operands of an instruction that has operands and at least one active lane; `values` has room for
 * WS_OPERANDS_MAX. Returns how many values there are, or -1 on damage or when memory ran out (`failed`). */
int wst_value_decoder_inst(wst_value_decoder *decoder, uint32_t static_id, const ws_static *s,
                           uint16_t *uniform, uint64_t *values);

#endif
