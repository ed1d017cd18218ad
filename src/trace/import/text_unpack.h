/* Unpacks .xz, .gz and .zst, recognized by their first bytes, as streams in bounded memory. A concatenation of packed
 * files unpacks to the concatenation of their texts. */
#ifndef WS_TRACE_IMPORT_TEXT_UNPACK_H
#define WS_TRACE_IMPORT_TEXT_UNPACK_H

#include "warpsweep/error.h"

#include <stdint.h>

enum { WS_UNPACK_MAGIC_B = 6 }; /* first bytes that tell the kind */

typedef struct ws_unpack ws_unpack;

/* The outcome of one step. */
typedef enum ws_unpack_state {
    WS_UNPACK_MORE,
    WS_UNPACK_END,
    WS_UNPACK_FAULT,
    WS_UNPACK_MEMORY
} ws_unpack_state;

/* True when `bytes` begin a packed text; `*unpack` is its unpacker, NULL when memory ran out. */
bool ws_unpack_begin(const uint8_t *bytes, size_t size, ws_unpack **unpack);
void ws_unpack_free(ws_unpack *unpack); /* accepts NULL */

typedef struct ws_unpack_bytes {
    const uint8_t *in;
    size_t in_size;
    uint8_t *out;
    size_t out_room;
} ws_unpack_bytes;

/* Unpacks until the input or the room for output is used up, and advances the four fields. `last`: no more input
 * follows. */
ws_unpack_state ws_unpack_step(ws_unpack *unpack, ws_unpack_bytes *bytes, bool last);

/* After WS_UNPACK_FAULT: what was found, a literal. */
const char *ws_unpack_fault(const ws_unpack *unpack);
/* "xz", "gzip" or "zstd", which is also the command that tests a file (with -t). */
const char *ws_unpack_name(const ws_unpack *unpack);

#endif
