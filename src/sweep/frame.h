/* What a worker sends back: one frame per item, with checksums, because a worker may die, or go mad, at any byte. */
#ifndef WS_SWEEP_FRAME_H
#define WS_SWEEP_FRAME_H

#include "base/buffer.h"

/* A worker's piece of work: points `first` .. `first + count - 1` of a pass. */
typedef struct ws_item {
    uint32_t pass, first, count;
    uint32_t attempt; /* from 0 */
} ws_item;

typedef struct ws_frame {
    ws_item item;
    uint32_t ok;     /* payload: 1: rows; 0: the text of an error */
    uint32_t common; /* the error is that of every point of the item */
    uint64_t size;   /* of the payload */
    uint64_t nanoseconds, peak_memory_B;
    uint64_t payload_sum, header_sum;
} ws_frame;

void ws_frame_seal(ws_frame *frame, const void *payload);

typedef enum ws_frame_state { WS_FRAME_PARTIAL, WS_FRAME_WHOLE, WS_FRAME_DAMAGED } ws_frame_state;

/* Is there a whole frame at the start of `bytes`? Then it is copied to `*frame`, and its payload follows it there. */
ws_frame_state ws_frame_parse(const ws_buffer *bytes, ws_frame *frame);

#endif
