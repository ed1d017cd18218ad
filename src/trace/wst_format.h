/* The native trace file, .wst, version 1.
 *
 *   header | block | block | .. | index
 *
 * A block holds consecutive CTAs, possibly of several launches, as columns (wst_block.h); each column is a
 * zstd frame (or plain bytes where that is smaller). The index, a zstd frame too, holds everything else:
 * strings, launches with their counters, static instructions, copies, and for each block its size, checksum
 * and number of CTAs, so that any CTA can be found and read alone. All integers are little endian; "varint"
 * is LEB128.
 *
 * Versions say how to parse; feature bits say which optional fields are inside. */
#ifndef WS_TRACE_WST_FORMAT_H
#define WS_TRACE_WST_FORMAT_H

#include "trace/wst_block.h"
#include "warpsweep/trace.h"

#define WST_MAGIC   "\x89WST\r\n\x1a\n"
#define WST_VERSION 1u
#define WST_FEATURES                                                                                         \
    (WS_FEATURE_REGISTERS | WS_FEATURE_IMMEDIATES | WS_FEATURE_SOURCE_LINE | WS_FEATURE_VALUES |             \
     WS_FEATURE_INDEX_FLOW)
#define WST_INDEX_MAX (UINT64_C(1) << 27) /* raw bytes of an index: a million launches, or more */

/* A zstd frame holds at most 128 KiB in each block of 4 bytes or more. */
enum { WST_PACKED_MOST = (128 << 10) / 4 };
/* The least bytes of a CTA in the layout column. */
enum { WST_LAYOUT_CTA_B = 3 };

typedef struct wst_header {
    char magic[8];
    uint32_t version, features;
    uint32_t warp_size, reserved;
    char isa[16], tracer[64];
    uint64_t index_offset, index_size, index_raw_size;
    uint64_t index_checksum; /* XXH3-64 of the stored index */
    uint8_t digest[16];      /* canonical XXH128 of the content (content.h) */
    uint64_t checksum;       /* XXH3-64 of the bytes before */
} wst_header;
_Static_assert(sizeof(wst_header) == 160, "the header is stored as it lies in memory");

typedef struct wst_block_entry {
    uint64_t offset; /* in the file; not stored: blocks lie back to back */
    uint64_t checksum;
    uint64_t first_cta; /* counted through all launches; not stored */
    uint32_t cta_count, first_kernel;
    uint32_t raw_size[WST_COLUMN_COUNT], size[WST_COLUMN_COUNT];
} wst_block_entry;

/* What the index holds. */
typedef struct wst_index {
    ws_kernel *kernels;
    uint64_t *first_cta; /* of each kernel, counted through all launches; kernel_count + 1 entries */
    ws_memcpy *memcpys;
    ws_static *statics;
    char **opcodes;
    wst_block_entry *blocks;
    size_t kernel_count, memcpy_count, static_count, opcode_count, block_count;
} wst_index;

void wst_index_free(wst_index *index);

/* Whether its counts, codes and width are such as an index may hold. */
bool wst_static_is_valid(const ws_static *s);

/* Appends the stored form of `index` (before compression) of a trace with `features`. */
void wst_index_write(const wst_index *index, uint32_t features, ws_buffer *out);

/* Parses it; false with a text that names the field when it is damaged. `end_of_blocks` is where the last
 * block must end. Fills offsets and CTA numbers. */
bool wst_index_read(wst_index *index, uint32_t features, const void *bytes, size_t size,
                    uint64_t end_of_blocks, ws_error *err);

#endif
