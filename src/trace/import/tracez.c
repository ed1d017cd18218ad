/* Layout of a .tracez, numbers little-endian (accel-sim-framework 2.0, tracez_format.h, post-traces-processing.cpp):
 *
 *   header      text, then a byte 0
 *   dictionary  u32 its size, u32 instructions per chunk (0: all of a warp), the zstd dictionary
 *   warps       each u32 instructions, u32 chunks; each chunk u32 size, a zstd frame of lines joined by '\n'
 *   index       u32 CTAs; each u32 x y z, cluster x y z, CTA x y z within it, rank, warps; each warp u32 instructions,
 *               u32 chunks, u64 its position in the file, for each chunk u32 instructions
 *   u64         position of the index
 *
 * Memory is bounded: of the index, too, only the part that is being read is kept. */
#include "trace/import/tracez.h"

#include "base/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    WINDOW_B = 64 << 10,
    HEADER_MAX_B = 1 << 20,
    ZSTD_WINDOW_LOG = 27,
    CTA_FIELDS = 11, /* x y z, cluster x y z, CTA x y z within it, rank, warps */
    RANK = 9,
    WARPS = 10,
    WARP_B = 16,
    WARP_HEADER_B = 8,
};

/* A part of the file that is in memory. */
typedef struct window {
    uint64_t start;
    size_t filled;
    uint8_t bytes[WINDOW_B];
} window;

typedef struct tracez {
    const char *path;
    int file;
    uint64_t index_start, index_at, index_end;
    window index, data;
    /* how far data have been read, and how many bytes of that since the last call: some are read again, and the index,
     * at the end, is read first */
    uint64_t farthest, stored;
    ZSTD_DDict *dictionary;
    ZSTD_DCtx *unpack;

    ws_buffer piece; /* text between chunks: that from `piece_at` on comes next */
    size_t piece_at;
    uint32_t ctas_left, warps_left, chunks_left; /* beyond the current ones */
    bool in_cta, in_frame;
    uint32_t cta[CTA_FIELDS], warp;
    uint64_t data_at, frame_left; /* what comes next of the current warp; bytes of its frame */
} tracez;

/* ---- the file */

static bool damaged(const tracez *z, const char *expected, ws_error *err) {
    return ws_fail(err, WS_ERROR_TRACE,
                   "%s: expected %s, found a file that is cut short or damaged; make or copy it again",
                   z->path, expected);
}

/* Reads up to `size` bytes at `at`: fewer only at the file's end. */
static bool read_at(tracez *z, uint64_t at, void *out, size_t size, size_t *got, ws_error *err) {
    for (*got = 0; *got < size;) {
        ssize_t n = pread(z->file, (char *)out + *got, size - *got, (off_t)(at + *got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return ws_fail(err, WS_ERROR_IO, "%s: reading failed: %s", z->path, strerror(errno));
        if (n == 0) break;
        *got += (size_t)n;
    }
    return true;
}

static void note_progress(tracez *z, uint64_t end) {
    if (end <= z->farthest) return;
    z->stored += end - z->farthest;
    z->farthest = end;
}

/* The bytes at `at`, `size` of them at least, `*there` at most. NULL, with an error that names what was `expected`, if
 * the file has not that many. */
static const uint8_t *bytes_at(tracez *z, window *w, uint64_t at, size_t size, size_t *there,
                               const char *expected, ws_error *err) {
    if (at < w->start || at - w->start > w->filled || w->filled - (at - w->start) < size) {
        if (!read_at(z, at, w->bytes, WINDOW_B, &w->filled, err)) return NULL;
        w->start = at;
        if (w == &z->data) note_progress(z, at + w->filled);
        if (w->filled < size) {
            damaged(z, expected, err);
            return NULL;
        }
    }
    if (there) *there = w->filled - (size_t)(at - w->start);
    return w->bytes + (at - w->start);
}

static uint32_t u32_of(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint64_t u64_of(const uint8_t *bytes) {
    return u32_of(bytes) | (uint64_t)u32_of(bytes + 4) << 32;
}

/* The next `size` bytes of the index. */
static const uint8_t *take_index(tracez *z, size_t size, ws_error *err) {
    static const char expected[] = "an index of all CTAs and warps at its end";
    if (z->index_end - z->index_at < size) {
        damaged(z, expected, err);
        return NULL;
    }
    const uint8_t *bytes = bytes_at(z, &z->index, z->index_at, size, NULL, expected, err);
    z->index_at += size;
    return bytes;
}

/* ---- pieces of text */

static void put(tracez *z, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(tracez *z, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ws_buffer_put(&z->piece, text, (size_t)length);
}

static bool begin_cta(tracez *z, ws_error *err) {
    const uint8_t *fields = take_index(z, CTA_FIELDS * sizeof *z->cta, err);
    if (!fields) return false;
    for (size_t i = 0; i < CTA_FIELDS; i++) z->cta[i] = u32_of(fields + i * sizeof *z->cta);
    const uint32_t *c = z->cta;
    put(z, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", c[0], c[1], c[2]);
    put(z, "cluster id = %u,%u,%u\ncluster cta = %u,%u,%u\n", c[3], c[4], c[5], c[6], c[7], c[8]);
    put(z, "cluster rank = %u\n", c[RANK]);
    z->ctas_left--;
    z->warps_left = c[WARPS];
    z->warp = UINT32_MAX;
    z->in_cta = true;
    return true;
}

/* Begins the next warp: what the index says of it must be what stands before its chunks. */
static bool begin_warp(tracez *z, ws_error *err) {
    static const char expected[] = "warps where the index says that they are";
    const uint8_t *entry = take_index(z, WARP_B, err);
    if (!entry) return false;
    uint32_t insts = u32_of(entry), chunks = u32_of(entry + 4);
    uint64_t at = u64_of(entry + 8), counts_B = (uint64_t)chunks * sizeof(uint32_t);
    if (z->index_end - z->index_at < counts_B || at > z->index_start - WARP_HEADER_B)
        return damaged(z, expected, err);
    z->index_at += counts_B;
    const uint8_t *header = bytes_at(z, &z->data, at, WARP_HEADER_B, NULL, expected, err);
    if (!header) return false;
    if (u32_of(header) != insts || u32_of(header + 4) != chunks) return damaged(z, expected, err);
    put(z, "\nwarp = %u\ninsts = %u\n", ++z->warp, insts);
    z->warps_left--;
    z->chunks_left = chunks;
    z->data_at = at + WARP_HEADER_B;
    return true;
}

static void end_cta(tracez *z) {
    put(z, "\n#END_TB\n");
    z->in_cta = false;
}

/* ---- chunks */

static bool begin_chunk(tracez *z, ws_error *err) {
    static const char expected[] = "chunks before the index";
    const uint8_t *size = bytes_at(z, &z->data, z->data_at, sizeof(uint32_t), NULL, expected, err);
    if (!size) return false;
    z->frame_left = u32_of(size);
    z->data_at += sizeof(uint32_t);
    if (z->data_at > z->index_start || z->frame_left > z->index_start - z->data_at)
        return damaged(z, expected, err);
    ZSTD_DCtx_reset(z->unpack, ZSTD_reset_session_only);
    z->chunks_left--;
    z->in_frame = true;
    return true;
}

static bool unpack_error(const tracez *z, size_t code, ws_error *err) {
    if (ZSTD_isError(code) && ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return ws_no_memory(err);
    return ws_fail(
        err, WS_ERROR_TRACE,
        "%s: CTA %u,%u,%u warp %u: expected intact zstd data, found %s; make or copy the file again", z->path,
        z->cta[0], z->cta[1], z->cta[2], z->warp,
        ZSTD_isError(code) ? ZSTD_getErrorName(code) : "a chunk that is cut short or too long");
}

/* Unpacks more of the chunk. Its last line lacks a '\n'. */
static bool unpack_chunk(tracez *z, ZSTD_outBuffer *out, ws_error *err) {
    size_t there = 0;
    const uint8_t *bytes = NULL;
    if (z->frame_left > 0 && !(bytes = bytes_at(z, &z->data, z->data_at, 1, &there, "a whole chunk", err)))
        return false;
    size_t before = out->pos;
    ZSTD_inBuffer in = {bytes, there < z->frame_left ? there : (size_t)z->frame_left, 0};
    size_t code = ZSTD_decompressStream(z->unpack, out, &in);
    z->data_at += in.pos;
    z->frame_left -= in.pos;
    z->in_frame = code != 0;
    bool ended = code == 0 && z->frame_left == 0;
    bool goes_on = code != 0 && (z->frame_left > 0 || out->pos > before);
    if (ZSTD_isError(code) || !(ended || goes_on)) return unpack_error(z, code, err);
    if (ended) put(z, "\n");
    return true;
}

/* ---- the text */

static void take_piece(tracez *z, ZSTD_outBuffer *out) {
    size_t room = out->size - out->pos, left = z->piece.size - z->piece_at, taken = left < room ? left : room;
    memcpy((char *)out->dst + out->pos, z->piece.data + z->piece_at, taken);
    out->pos += taken;
    z->piece_at += taken;
    if (z->piece_at == z->piece.size) z->piece.size = z->piece_at = 0;
}

static bool make(void *context, void *bytes, size_t size, size_t *got, uint64_t *stored, ws_error *err) {
    tracez *z = context;
    ZSTD_outBuffer out = {bytes, size, 0};
    bool good = true, ended = false;
    while (good && !ended && out.pos < size) {
        if (z->piece.size > 0)
            take_piece(z, &out);
        else if (z->in_frame)
            good = unpack_chunk(z, &out, err);
        else if (z->chunks_left > 0)
            good = begin_chunk(z, err);
        else if (z->warps_left > 0)
            good = begin_warp(z, err);
        else if (z->in_cta)
            end_cta(z);
        else if (z->ctas_left > 0)
            good = begin_cta(z, err);
        else
            ended = true;
        if (z->piece.failed) return ws_no_memory(err);
    }
    *got = out.pos;
    *stored = z->stored;
    z->stored = 0;
    return good;
}

/* ---- opening */

static void close_tracez(void *context) {
    tracez *z = context;
    if (z->file >= 0) close(z->file);
    ZSTD_freeDDict(z->dictionary);
    ZSTD_freeDCtx(z->unpack);
    ws_buffer_free(&z->piece);
    free(z);
}

/* Reads the header, which becomes the first piece, and tells where it ends. */
static bool read_header(tracez *z, uint64_t *end, ws_error *err) {
    ws_buffer *header = &z->piece;
    for (;;) {
        size_t got;
        const uint8_t *zero;
        if (!ws_buffer_reserve(header, WINDOW_B)) return ws_no_memory(err);
        if (!read_at(z, header->size, header->data + header->size, WINDOW_B, &got, err)) return false;
        zero = memchr(header->data + header->size, 0, got);
        header->size = zero ? (size_t)(zero - header->data) : header->size + got;
        if (zero) break;
        if (got < WINDOW_B || header->size > HEADER_MAX_B)
            return damaged(z, "a header that ends in a byte 0", err);
    }
    *end = header->size + 1;
    return true;
}

static bool read_dictionary(tracez *z, uint64_t at, ws_error *err) {
    static const char expected[] = "a dictionary behind the header";
    const uint8_t *sizes = bytes_at(z, &z->data, at, 2 * sizeof(uint32_t), NULL, expected, err);
    if (!sizes) return false;
    size_t size = u32_of(sizes), got;
    at += 2 * sizeof(uint32_t);
    if (size == 0) return true;
    if (at > z->index_start || size > z->index_start - at) return damaged(z, expected, err);
    void *bytes = malloc(size);
    if (!bytes) return ws_no_memory(err);
    bool good = read_at(z, at, bytes, size, &got, err) && (got == size || damaged(z, expected, err));
    if (good) z->dictionary = ZSTD_createDDict(bytes, size);
    free(bytes);
    return !good || z->dictionary || damaged(z, expected, err);
}

static bool find_index(tracez *z, uint64_t data_start, ws_error *err) {
    static const char expected[] = "an index whose position its last 8 bytes give";
    struct stat status;
    if (fstat(z->file, &status) != 0)
        return ws_fail(err, WS_ERROR_IO, "%s: reading failed: %s", z->path, strerror(errno));
    uint64_t size = (uint64_t)status.st_size, last_B = sizeof(uint64_t);
    if (size < data_start + last_B) return damaged(z, expected, err);
    z->index_end = size - last_B;
    const uint8_t *last = bytes_at(z, &z->index, z->index_end, last_B, NULL, expected, err);
    if (!last) return false;
    z->index_start = z->index_at = u64_of(last);
    if (z->index_start < data_start || z->index_start > z->index_end) return damaged(z, expected, err);
    const uint8_t *ctas = take_index(z, sizeof(uint32_t), err);
    if (ctas) z->ctas_left = u32_of(ctas);
    return ctas != NULL;
}

static bool start_unpacking(tracez *z, ws_error *err) {
    z->unpack = ZSTD_createDCtx();
    return (z->unpack &&
            !ZSTD_isError(ZSTD_DCtx_setParameter(z->unpack, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG)) &&
            !ZSTD_isError(ZSTD_DCtx_refDDict(z->unpack, z->dictionary))) ||
           ws_no_memory(err);
}

static bool open_file(tracez *z, ws_error *err) {
    uint64_t header_end = 0;
    z->file = open(z->path, O_RDONLY | O_CLOEXEC);
    if (z->file < 0) return ws_fail(err, WS_ERROR_IO, "%s: cannot be opened: %s", z->path, strerror(errno));
    return read_header(z, &header_end, err) && find_index(z, header_end + 2 * sizeof(uint32_t), err) &&
           read_dictionary(z, header_end, err) && start_unpacking(z, err);
}

bool ws_tracez_open(ws_text *text, const char *path, ws_text_watch *watch, ws_error *err) {
    tracez *z = calloc(1, sizeof *z);
    *text = (ws_text){0};
    if (!z) return ws_no_memory(err);
    z->path = path;
    if (open_file(z, err))
        return ws_text_open_source(text, path, (ws_text_source){make, close_tracez, z}, watch, err);
    close_tracez(z);
    return false;
}

/* True if the bytes begin with a header, and it is what a byte 0 ends: one elsewhere is damage of a text. */
static bool ends_header(const char *bytes, size_t size) {
    static const char last[] = "\n#traces format";
    const char *zero = *bytes == '-' ? memchr(bytes, 0, size) : NULL;
    const char *at = zero ? memmem(bytes, (size_t)(zero - bytes), last, sizeof last - 1) : NULL;
    if (!at) return false;
    at += sizeof last - 1;
    while (at < zero && *at != '\n') at++;
    while (at < zero && (*at == '\n' || *at == '\r')) at++;
    return at == zero;
}

bool ws_tracez_is(const char *path) {
    char bytes[WINDOW_B];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t got = read(file, bytes, sizeof bytes);
    close(file);
    return got > 0 && ends_header(bytes, (size_t)got);
}
