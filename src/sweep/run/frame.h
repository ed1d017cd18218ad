/* What a worker sends back: one frame per item, with checksums, because a worker may die or misbehave at any byte. */
#ifndef WS_SWEEP_RUN_FRAME_H
#define WS_SWEEP_RUN_FRAME_H

#include "base/buffer.h"

/* A worker's piece of work: points `first` .. `first + count - 1` of a pass. */
typedef struct ws_item {
    uint32_t pass, first, count;
    uint32_t attempt; /* from 0 */
} ws_item;

typedef struct ws_frame {
    ws_item item;
    uint32_t code;   /* WS_ERROR_NONE: the payload is rows; or else it is the text of an error of this code */
    uint32_t common; /* 1: every point of the item has this error */
    uint64_t size;   /* of the payload, in bytes */
    uint64_t cpu_ns, peak_memory_B;
    uint64_t payload_sum, header_sum;
} ws_frame;

/* Fills in the checksums, once all other fields are set. */
void ws_frame_seal(ws_frame *frame, const void *payload);

typedef enum ws_frame_state { WS_FRAME_PARTIAL, WS_FRAME_WHOLE, WS_FRAME_DAMAGED } ws_frame_state;

/* Tells whether `bytes` begin with a whole frame. If so, it is copied to `*frame`; its payload follows it in
 * `bytes`. */
ws_frame_state ws_frame_parse(const ws_buffer *bytes, ws_frame *frame);

#endif
