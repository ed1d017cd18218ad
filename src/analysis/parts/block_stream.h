/* A stream of accesses to blocks of n bytes, made from batches of requests: lane by lane, or request by request where
 * blocks are lines or larger. For the measures of locality (XI 5.2.1). */
#ifndef WS_ANALYSIS_PARTS_BLOCK_STREAM_H
#define WS_ANALYSIS_PARTS_BLOCK_STREAM_H

#include "replay/lines.h"
#include "warpsweep/replay.h"

enum ws_stream_unit { WS_STREAM_REQUESTS, WS_STREAM_LANES };
extern const char *const ws_stream_unit_names[]; /* "requests", "lane_accesses", NULL */

/* Takes a batch whose "lines" are blocks: `line` is a block's number, dense from 0, and line_address, by number, its
 * address divided by its size. Of lane accesses line, warp, cta, sm, slot, op and inst are set, and nothing else. False
 * if out of memory. */
typedef bool ws_block_stream_take(void *self, const ws_requests *batch);

typedef struct ws_block_stream {
    enum ws_stream_unit unit;
    unsigned shift;  /* from an address, or from a line's for requests, to that of a block */
    ws_lines blocks; /* numbers of the blocks */
    uint64_t *block_address;
    size_t block_room;
    uint32_t *block_of; /* requests: per line the number of its block + 1, 0 = not yet known */
    size_t line_room;
    uint32_t block[WS_BATCH_MAX], warp[WS_BATCH_MAX], cta[WS_BATCH_MAX], inst[WS_BATCH_MAX];
    uint16_t sm[WS_BATCH_MAX];
    uint8_t slot[WS_BATCH_MAX], op[WS_BATCH_MAX];
} ws_block_stream;

/* `block_B`: a power of two, of requests at least `line_B`. A lane's access belongs to the block of its first byte. */
void ws_block_stream_init(ws_block_stream *stream, enum ws_stream_unit unit, uint32_t block_B,
                          uint32_t line_B);
void ws_block_stream_free(ws_block_stream *stream); /* accepts one that is all zero */

/* Makes a batch of requests into batches of accesses, and hands them to `take`. Those of lanes need lane_address. False
 * if out of memory. */
bool ws_block_stream_batch(ws_block_stream *stream, const ws_requests *batch, ws_block_stream_take *take,
                           void *self);

#endif
