#include "base/buffer.h"

#include <stdlib.h>

void ws_buffer_free(ws_buffer *buffer) {
    free(buffer->data);
    *buffer = (ws_buffer){0};
}

bool ws_buffer_reserve_slow(ws_buffer *buffer, size_t more) {
    if (buffer->failed || more > SIZE_MAX / 2 - buffer->size) {
        buffer->failed = true;
        return false;
    }
    size_t capacity = buffer->capacity ? buffer->capacity : 256;
    while (capacity - buffer->size < more) capacity *= 2;
    uint8_t *data = realloc(buffer->data, capacity);
    if (!data) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

uint64_t ws_cursor_varint_slow(ws_cursor *cursor) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && cursor->at < cursor->end; shift += 7) {
        uint8_t byte = *cursor->at++;
        if (shift == 63 && byte > 1) break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
    cursor->failed = true;
    return 0;
}
