#include "sweep/run/frame.h"

#include <stddef.h>
#include <xxhash.h>

static uint64_t header_sum(const ws_frame *frame) {
    return XXH3_64bits(frame, offsetof(ws_frame, header_sum));
}

void ws_frame_seal(ws_frame *frame, const void *payload) {
    frame->payload_sum = XXH3_64bits(payload, frame->size);
    frame->header_sum = header_sum(frame);
}

ws_frame_state ws_frame_parse(const ws_buffer *bytes, ws_frame *frame) {
    if (bytes->size < sizeof *frame) return WS_FRAME_PARTIAL;
    memcpy(frame, bytes->data, sizeof *frame);
    if (frame->header_sum != header_sum(frame)) return WS_FRAME_DAMAGED;
    if (bytes->size - sizeof *frame < frame->size) return WS_FRAME_PARTIAL;
    uint64_t sum = XXH3_64bits(bytes->data + sizeof *frame, frame->size);
    return sum == frame->payload_sum ? WS_FRAME_WHOLE : WS_FRAME_DAMAGED;
}
