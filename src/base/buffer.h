/* A growable byte buffer, and a bounds-checked cursor over bytes; both speak LEB128 varints and zigzag.
 * A failed allocation is remembered (`failed`), so a sequence of puts needs one check at its end. */
#ifndef WS_BASE_BUFFER_H
#define WS_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct ws_buffer {
    uint8_t *data;
    size_t size, capacity;
    bool failed;
} ws_buffer;

void ws_buffer_free(ws_buffer *buffer); /* leaves an empty buffer */

/* Makes room for `more` bytes behind the content; false when memory ran out. */
bool ws_buffer_reserve_slow(ws_buffer *buffer, size_t more);

static inline bool ws_buffer_reserve(ws_buffer *buffer, size_t more) {
    return buffer->capacity - buffer->size >= more || ws_buffer_reserve_slow(buffer, more);
}

static inline void ws_buffer_put(ws_buffer *buffer, const void *bytes, size_t size) {
    if (size == 0 || !ws_buffer_reserve(buffer, size)) return;
    memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
}

static inline uint64_t ws_zigzag(int64_t value) {
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}
static inline int64_t ws_unzigzag(uint64_t value) {
    return (int64_t)((value >> 1) ^ (UINT64_C(0) - (value & 1)));
}

static inline void ws_buffer_put_varint(ws_buffer *buffer, uint64_t value) {
    if (!ws_buffer_reserve(buffer, 10)) return;
    uint8_t *at = buffer->data + buffer->size;
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    buffer->size = (size_t)(at - buffer->data);
}

typedef struct ws_cursor {
    const uint8_t *at, *end;
    bool failed; /* read past the end, or a varint of more than 64 bits */
} ws_cursor;

static inline ws_cursor ws_cursor_over(const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    return (ws_cursor){at, at ? at + size : at, false};
}

static inline size_t ws_cursor_left(const ws_cursor *cursor) {
    return (size_t)(cursor->end - cursor->at);
}

uint64_t ws_cursor_varint_slow(ws_cursor *cursor);

static inline uint64_t ws_cursor_varint(ws_cursor *cursor) {
    if (cursor->at < cursor->end && *cursor->at < 0x80) return *cursor->at++;
    return ws_cursor_varint_slow(cursor);
}

/* A call that does not make the caller keep the cursor in memory. */
static inline uint64_t ws_cursor_varint_by_copy(ws_cursor *cursor) {
    ws_cursor copy = *cursor;
    uint64_t value = ws_cursor_varint_slow(&copy);
    *cursor = copy;
    return value;
}

/* The same for varints of unpredictable lengths: up to four bytes are read at once, without a branch for each. */
static inline uint64_t ws_cursor_varint_of_any_size(ws_cursor *cursor) {
    uint32_t word = UINT32_MAX;
    if (ws_cursor_left(cursor) >= sizeof word) memcpy(&word, cursor->at, sizeof word);
    uint32_t ends = ~word & UINT32_C(0x80808080); /* of bytes that are a varint's last */
    if (!ends) return ws_cursor_varint_by_copy(cursor);
    cursor->at += (__builtin_ctz(ends) + 1) / 8;
    word &= ends ^ (ends - 1);
    return (word & 0x7f) | (word & 0x7f00) >> 1 | (word & 0x7f0000) >> 2 | (word & 0x7f000000) >> 3;
}

/* The next `size` bytes, or NULL (and `failed`) when fewer are left. */
static inline const void *ws_cursor_take(ws_cursor *cursor, size_t size) {
    if (ws_cursor_left(cursor) < size) {
        cursor->failed = true;
        return NULL;
    }
    const void *bytes = cursor->at;
    cursor->at += size;
    return bytes;
}

#endif
