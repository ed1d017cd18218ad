/* The native trace file, .wst, version 1.
 *
 *   header | block | block | .. | index
 *
 * A block holds consecutive CTAs, possibly of several launches, as columns (block.h); each column is a
 * zstd frame (or plain bytes where that is smaller). The index, a zstd frame too, holds everything else:
 * strings, launches with their counters, static instructions, copies, and for each block its size, checksum
 * and number of CTAs, so that any CTA can be found and read alone. All integers are little endian; "varint"
 * is LEB128.
 *
 * Versions say how to parse; feature bits say which optional fields are inside. */
#ifndef WS_TRACE_WST_FORMAT_H
#define WS_TRACE_WST_FORMAT_H

#include "trace/wst/block.h"
#include "warpsweep/trace.h"

#define WST_MAGIC   "\x89WST\r\n\x1a\n"
#define WST_VERSION 1u
#define WST_FEATURES                                                                                         \
    (WS_FEATURE_REGISTERS | WS_FEATURE_IMMEDIATES | WS_FEATURE_SOURCE_LINE | WS_FEATURE_VALUES |             \
     WS_FEATURE_INDEX_FLOW)
#define WST_INDEX_MAX (UINT64_C(1) << 27) /* most raw bytes of an index: enough for a million launches */

/* Bound of zstd's compression ratio: each block of a frame takes at least 4 bytes and holds at most 128 KiB. */
enum { WST_PACKED_MOST = (128 << 10) / 4 };
/* The least number of bytes of a CTA in the layout column. */
enum { WST_LAYOUT_CTA_B = 3 };

typedef struct wst_header {
    char magic[8];
    uint32_t version, features;
    uint32_t warp_size, reserved;
    char isa[16], tracer[64];
    uint64_t index_offset, index_size, index_raw_size;
    uint64_t index_checksum; /* XXH3-64 of the stored index */
    uint8_t digest[16];      /* canonical XXH128 of the content (trace/content.h) */
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
    uint64_t *first_cta; /* of each kernel: its number through all launches; kernel_count + 1 entries */
    ws_memcpy *memcpys;
    ws_static *statics;
    char **opcodes;
    wst_block_entry *blocks;
    size_t kernel_count, memcpy_count, static_count, opcode_count, block_count;
} wst_index;

void wst_index_free(wst_index *index);

/* True if the counts, codes and width are within what an index may hold. */
bool wst_static_is_valid(const ws_static *s);

/* Appends the stored form of `index` (before compression) of a trace with `features`. */
void wst_index_write(const wst_index *index, uint32_t features, ws_buffer *out);

/* Parses the stored form, and fills in what is not stored (offsets and CTA numbers). Of the header it needs the
 * features, the warp size, and where the index begins, as the last block must end there. False if the index is damaged;
 * the error names the part. */
bool wst_index_read(wst_index *index, const wst_header *header, const void *bytes, size_t size,
                    ws_error *err);

#endif
