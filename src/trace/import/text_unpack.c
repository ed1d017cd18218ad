#include "trace/import/text_unpack.h"

#include "base/array.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* The most memory that unpacking may take; `xz -9` asks for 65 MiB, `zstd --ultra -22` for 128 MiB. */
#define XZ_MEMORY_B (UINT64_C(256) << 20)
enum { ZSTD_WINDOW_LOG = 27, GZIP_WINDOW = 15 + 16 };

typedef ws_unpack_state step_kind(ws_unpack *unpack, ws_unpack_bytes *bytes, bool last);

typedef struct kind {
    const char *name;
    uint8_t magic[WS_UNPACK_MAGIC_B];
    size_t magic_size;
    bool (*begin)(ws_unpack *unpack); /* false when memory ran out */
    step_kind *step;
    void (*end)(ws_unpack *unpack);
} kind;

struct ws_unpack {
    const kind *kind;
    const char *fault;
    bool between; /* a packed part has ended, and no other has begun */
    lzma_stream xz;
    z_stream gzip;
    ZSTD_DStream *zstd;
};

static const char cut_short[] = "a file that is cut short", damaged[] = "damaged data",
                  too_large[] = "one that asks for more than 256 MiB to be unpacked";

static ws_unpack_state fault(ws_unpack *unpack, const char *text) {
    unpack->fault = text;
    return WS_UNPACK_FAULT;
}

/* ---- xz */

static bool xz_begin(ws_unpack *unpack) {
    unpack->xz = (lzma_stream)LZMA_STREAM_INIT;
    return lzma_stream_decoder(&unpack->xz, XZ_MEMORY_B, LZMA_CONCATENATED) == LZMA_OK;
}

static void xz_end(ws_unpack *unpack) {
    lzma_end(&unpack->xz);
}

static ws_unpack_state xz_step(ws_unpack *unpack, ws_unpack_bytes *bytes, bool last) {
    lzma_stream *xz = &unpack->xz;
    xz->next_in = bytes->in;
    xz->avail_in = bytes->in_size;
    xz->next_out = bytes->out;
    xz->avail_out = bytes->out_room;
    lzma_ret code = lzma_code(xz, last ? LZMA_FINISH : LZMA_RUN);
    *bytes = (ws_unpack_bytes){xz->next_in, xz->avail_in, xz->next_out, xz->avail_out};
    switch (code) {
    case LZMA_OK:
        return WS_UNPACK_MORE;
    case LZMA_STREAM_END:
        return WS_UNPACK_END;
    case LZMA_MEM_ERROR:
        return WS_UNPACK_MEMORY;
    case LZMA_BUF_ERROR:
        return last ? fault(unpack, cut_short) : WS_UNPACK_MORE;
    case LZMA_MEMLIMIT_ERROR:
        return fault(unpack, too_large);
    case LZMA_FORMAT_ERROR:
        return fault(unpack, "bytes that are not xz");
    case LZMA_OPTIONS_ERROR:
        return fault(unpack, "options that liblzma does not know");
    default:
        return fault(unpack, damaged);
    }
}

/* ---- gzip */

static bool gzip_begin(ws_unpack *unpack) {
    return inflateInit2(&unpack->gzip, GZIP_WINDOW) == Z_OK;
}

static void gzip_end(ws_unpack *unpack) {
    inflateEnd(&unpack->gzip);
}

static ws_unpack_state gzip_step(ws_unpack *unpack, ws_unpack_bytes *bytes, bool last) {
    if (bytes->in_size == 0 && last && unpack->between) return WS_UNPACK_END;
    z_stream *z = &unpack->gzip;
    if (unpack->between) {
        if (inflateReset(z) != Z_OK) return fault(unpack, damaged);
        unpack->between = false;
    }
    z->next_in = (Bytef *)(uintptr_t)bytes->in;
    z->avail_in = (uInt)bytes->in_size;
    z->next_out = bytes->out;
    z->avail_out = (uInt)bytes->out_room;
    int code = inflate(z, Z_NO_FLUSH);
    *bytes = (ws_unpack_bytes){z->next_in, z->avail_in, z->next_out, z->avail_out};
    switch (code) {
    case Z_STREAM_END:
        unpack->between = true;
        return WS_UNPACK_MORE;
    case Z_OK:
        return last && z->avail_in == 0 && z->avail_out > 0 ? fault(unpack, cut_short) : WS_UNPACK_MORE;
    case Z_BUF_ERROR:
        return last ? fault(unpack, cut_short) : WS_UNPACK_MORE;
    case Z_MEM_ERROR:
        return WS_UNPACK_MEMORY;
    default:
        return fault(unpack, damaged);
    }
}

/* ---- zstd */

static bool zstd_begin(ws_unpack *unpack) {
    unpack->zstd = ZSTD_createDStream();
    return unpack->zstd &&
           !ZSTD_isError(ZSTD_DCtx_setParameter(unpack->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG));
}

static void zstd_end(ws_unpack *unpack) {
    ZSTD_freeDStream(unpack->zstd);
}

static ws_unpack_state zstd_step(ws_unpack *unpack, ws_unpack_bytes *bytes, bool last) {
    if (bytes->in_size == 0 && last && unpack->between) return WS_UNPACK_END;
    ZSTD_inBuffer in = {bytes->in, bytes->in_size, 0};
    ZSTD_outBuffer out = {bytes->out, bytes->out_room, 0};
    size_t code = ZSTD_decompressStream(unpack->zstd, &out, &in);
    if (ZSTD_isError(code)) {
        switch (ZSTD_getErrorCode(code)) {
        case ZSTD_error_memory_allocation:
            return WS_UNPACK_MEMORY;
        case ZSTD_error_frameParameter_windowTooLarge:
            return fault(unpack, too_large);
        default:
            return fault(unpack, damaged);
        }
    }
    *bytes = (ws_unpack_bytes){bytes->in + in.pos, bytes->in_size - in.pos, bytes->out + out.pos,
                               bytes->out_room - out.pos};
    unpack->between = code == 0;
    bool stuck = last && code != 0 && bytes->in_size == 0 && bytes->out_room > 0;
    return stuck ? fault(unpack, cut_short) : WS_UNPACK_MORE;
}

/* ---- all kinds */

static const kind kinds[] = {
    {"xz", {0xfd, '7', 'z', 'X', 'Z', 0}, 6, xz_begin, xz_step, xz_end},
    {"gzip", {0x1f, 0x8b, 8}, 3, gzip_begin, gzip_step, gzip_end},
    {"zstd", {0x28, 0xb5, 0x2f, 0xfd}, 4, zstd_begin, zstd_step, zstd_end},
};

bool ws_unpack_begin(const uint8_t *bytes, size_t size, ws_unpack **unpack) {
    const kind *found = NULL;
    for (size_t i = 0; i < WS_COUNT(kinds); i++)
        if (size >= kinds[i].magic_size && memcmp(bytes, kinds[i].magic, kinds[i].magic_size) == 0)
            found = &kinds[i];
    *unpack = NULL;
    if (!found) return false;
    ws_unpack *made = calloc(1, sizeof *made);
    if (!made) return true;
    made->kind = found;
    if (found->begin(made))
        *unpack = made;
    else
        ws_unpack_free(made);
    return true;
}

void ws_unpack_free(ws_unpack *unpack) {
    if (!unpack) return;
    unpack->kind->end(unpack);
    free(unpack);
}

ws_unpack_state ws_unpack_step(ws_unpack *unpack, ws_unpack_bytes *bytes, bool last) {
    return unpack->kind->step(unpack, bytes, last);
}

const char *ws_unpack_fault(const ws_unpack *unpack) {
    return unpack->fault;
}

const char *ws_unpack_name(const ws_unpack *unpack) {
    return unpack->kind->name;
}
