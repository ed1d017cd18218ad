/* Writes .wst files: interns opcodes and static instructions, checks and counts what it is given, and writes blocks as
 * they fill up; the index follows, then the header. The file appears under its name when it is complete. */
#include "base/given.h"
#include "base/number_set.h"
#include "base/room.h"
#include "base/unfinished.h"
#include "base/utf8.h"
#include "trace/content.h"
#include "trace/names.h"
#include "trace/wst/format.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

/* Level 9 still finds the long repeats between CTAs and costs less than parsing text does. */
enum { BLOCK_LEVEL = 9, INDEX_LEVEL = 19, INDEX_LEVEL_LARGE = 6, INDEX_LARGE_B = 1 << 20 };

struct ws_writer {
    char *path;         /* as given */
    ws_unfinished part; /* its name is "" once it is complete, or could not be created */
    FILE *file;
    wst_header header;
    uint64_t lanes; /* mask of all lanes */
    wst_index index;
    size_t kernel_room, memcpy_room, static_room, opcode_room, block_room;
    uint64_t *static_digest;
    size_t static_digest_room;

    /* Interning: open addressing, entries are index + 1. */
    uint32_t *static_slots, *opcode_slots;
    size_t static_slot_count, opcode_slot_count;

    wst_encoder *encoder;
    ZSTD_CCtx *zstd;
    ws_buffer packed;
    ws_digest *digest;
    size_t digested_memcpys; /* how many of the copies the digest has; those during a launch come after it */
    uint64_t offset;
    bool refused; /* true if a static instruction or an opcode was refused as invalid */
    bool in_cta;
    ws_number_set ctas; /* CTAs of this launch that have been written */
    ws_dim3 cta;        /* the current one, or the last */
    uint32_t warps_in_cta, last_warp;
    ws_warp_account account;
};

/* ---- opening and closing */

/* Checks that readers know the features. */
static bool check_features(const char *path, uint32_t features, ws_error *err) {
    return !(features & ~WST_FEATURES) ||
           ws_fail(err, WS_ERROR_INTERNAL, "%s: features %#x: expected bits of WS_FEATURE_", path, features);
}

/* Checks that the header can hold these values, and that readers know them. */
static bool check_header(const char *path, const char *isa, uint32_t warp_size, uint32_t features,
                         ws_error *err) {
    const size_t isa_room = sizeof((wst_header){0}).isa;
    if (warp_size != 32 && warp_size != 64)
        return ws_fail(err, WS_ERROR_INTERNAL, "%s: a warp size of %u: expected 32 or 64", path, warp_size);
    if (strlen(isa) >= isa_room)
        return ws_fail(err, WS_ERROR_INTERNAL, "%s: instruction set '%s': expected at most %zu bytes", path,
                       isa, isa_room - 1);
    return check_features(path, features, err);
}

ws_writer *ws_writer_new(const char *path, const char *isa, const char *tracer, uint32_t warp_size,
                         uint32_t features, ws_error *err) {
    if (!WS_GIVEN(path, "a path", err) || !WS_GIVEN(isa, "an instruction set", err) ||
        !WS_GIVEN(tracer, "a tracer", err) || !check_header(path, isa, warp_size, features, err))
        return NULL;
    ws_writer *w = calloc(1, sizeof *w);
    if (!w) {
        ws_no_memory(err);
        return NULL;
    }
    w->path = strdup(path);
    w->encoder = wst_encoder_new(warp_size);
    w->zstd = ZSTD_createCCtx();
    w->digest = ws_digest_new();
    if (!w->path || !w->encoder || !w->zstd || !w->digest) {
        ws_no_memory(err);
        ws_writer_free(w);
        return NULL;
    }
    memcpy(w->header.magic, WST_MAGIC, sizeof w->header.magic);
    w->header.version = WST_VERSION;
    w->header.features = features;
    w->header.warp_size = warp_size;
    w->lanes = warp_size == 64 ? UINT64_MAX : UINT32_MAX;
    snprintf(w->header.isa, sizeof w->header.isa, "%s", isa);
    snprintf(w->header.tracer, sizeof w->header.tracer, "%s", tracer);
    w->offset = sizeof w->header;
    w->file = ws_unfinished_create(&w->part, path, err);
    if (!w->file || fwrite(&w->header, sizeof w->header, 1, w->file) != 1) {
        if (w->file) ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", path, strerror(errno));
        ws_writer_free(w);
        return NULL;
    }
    ws_digest_text(w->digest, isa);
    ws_digest_word(w->digest, warp_size);
    return w;
}

void ws_writer_free(ws_writer *w) {
    if (!w) return;
    if (w->file) fclose(w->file);
    if (*w->part.name) ws_unfinished_end(&w->part, false);
    free(w->path);
    wst_index_free(&w->index);
    ws_number_set_free(&w->ctas);
    free(w->static_digest);
    free(w->static_slots);
    free(w->opcode_slots);
    wst_encoder_free(w->encoder);
    ZSTD_freeCCtx(w->zstd);
    ws_buffer_free(&w->packed);
    ws_digest_free(w->digest);
    free(w);
}

void ws_writer_add_features(ws_writer *w, uint32_t features) {
    w->header.features |= features;
}

/* ---- tables */

/* Keeps a table of slots at most half full; `hash_of` gives the hash of entry i. */
static bool grow_slots(ws_writer *w, uint32_t **slots, size_t *slot_count, size_t count,
                       uint64_t (*hash_of)(const ws_writer *, size_t)) {
    if (count * 2 < *slot_count) return true;
    size_t wanted = *slot_count ? *slot_count * 2 : 256;
    uint32_t *grown = calloc(wanted, sizeof *grown);
    if (!grown) return false;
    for (size_t i = 0; i < count; i++) {
        size_t at = hash_of(w, i) & (wanted - 1);
        while (grown[at]) at = (at + 1) & (wanted - 1);
        grown[at] = (uint32_t)i + 1;
    }
    free(*slots);
    *slots = grown;
    *slot_count = wanted;
    return true;
}

static uint64_t hash_text(const char *text, size_t length) {
    return XXH3_64bits(text, length);
}

static uint64_t opcode_hash(const ws_writer *w, size_t i) {
    return hash_text(w->index.opcodes[i], strlen(w->index.opcodes[i]));
}

/* ws_writer_inst() will say that something could not be stored. */
static uint32_t refuse(ws_writer *w) {
    w->refused = true;
    return UINT32_MAX;
}

uint32_t ws_writer_opcode(ws_writer *w, const char *opcode, size_t length) {
    wst_index *index = &w->index;
    if (!opcode || memchr(opcode, 0, length)) return refuse(w);
    if (!grow_slots(w, &w->opcode_slots, &w->opcode_slot_count, index->opcode_count, opcode_hash))
        return UINT32_MAX;
    size_t mask = w->opcode_slot_count - 1, at = hash_text(opcode, length) & mask;
    for (; w->opcode_slots[at]; at = (at + 1) & mask) {
        const char *known = index->opcodes[w->opcode_slots[at] - 1];
        if (strlen(known) == length && memcmp(known, opcode, length) == 0) return w->opcode_slots[at] - 1;
    }
    char *copy = strndup(opcode, length);
    if (copy && !ws_is_utf8(copy)) {
        free(copy);
        return refuse(w);
    }
    if (!copy || !WS_ROOM_FOR(index->opcodes, w->opcode_room, index->opcode_count + 1)) {
        free(copy);
        return UINT32_MAX;
    }
    index->opcodes[index->opcode_count] = copy;
    w->opcode_slots[at] = (uint32_t)index->opcode_count + 1;
    return (uint32_t)index->opcode_count++;
}

static uint64_t static_hash(const ws_writer *w, size_t i) {
    return XXH3_64bits(&w->index.statics[i], sizeof(ws_static));
}

/* A copy without what lies in unused places, which a file does not keep. */
static ws_static plain_static(const ws_static *s) {
    ws_static plain = *s;
    for (unsigned i = s->dst_count; i < WS_DST_MAX; i++) plain.dst[i] = 0;
    for (unsigned i = s->src_count; i < WS_SRC_MAX; i++) plain.src[i] = 0;
    for (unsigned i = s->index_count; i < WS_INDEX_MAX; i++) plain.index_pc[i] = 0;
    memset(plain.reserved, 0, sizeof plain.reserved);
    return plain;
}

uint32_t ws_writer_static(ws_writer *w, const ws_static *given) {
    wst_index *index = &w->index;
    if (given->opcode == UINT32_MAX) return UINT32_MAX; /* there is no such opcode */
    if (given->opcode >= index->opcode_count || !wst_static_is_valid(given)) return refuse(w);
    const ws_static plain = plain_static(given), *s = &plain;
    if (!grow_slots(w, &w->static_slots, &w->static_slot_count, index->static_count, static_hash))
        return UINT32_MAX;
    size_t mask = w->static_slot_count - 1, at = XXH3_64bits(s, sizeof *s) & mask;
    for (; w->static_slots[at]; at = (at + 1) & mask)
        if (memcmp(&index->statics[w->static_slots[at] - 1], s, sizeof *s) == 0)
            return w->static_slots[at] - 1;
    if (!WS_ROOM_FOR(index->statics, w->static_room, index->static_count + 1) ||
        !WS_ROOM_FOR(w->static_digest, w->static_digest_room, index->static_count + 1))
        return UINT32_MAX;
    index->statics[index->static_count] = *s;
    if (wst_operand_count(s)) w->header.features |= WS_FEATURE_VALUES;
    if (s->index_count) w->header.features |= WS_FEATURE_INDEX_FLOW;
    w->static_digest[index->static_count] = ws_static_digest(s, index->opcodes[s->opcode]);
    w->static_slots[at] = (uint32_t)index->static_count + 1;
    return (uint32_t)index->static_count++;
}

/* ---- blocks */

static bool write_bytes(ws_writer *w, const void *bytes, size_t size, ws_error *err) {
    if (fwrite(bytes, 1, size, w->file) != size)
        return ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", w->path, strerror(errno));
    w->offset += size;
    return true;
}

/* Appends `raw` to w->packed, compressed where that is smaller. Returns the number of bytes appended; 0 if there are
 * none or on failure. */
static size_t pack(ws_writer *w, const ws_buffer *raw, int level) {
    size_t bound = ZSTD_compressBound(raw->size);
    if (raw->size == 0 || !ws_buffer_reserve(&w->packed, bound)) return 0;
    uint8_t *out = w->packed.data + w->packed.size;
    size_t size = ZSTD_compressCCtx(w->zstd, out, bound, raw->data, raw->size, level);
    if (ZSTD_isError(size) || size >= raw->size) {
        memcpy(out, raw->data, raw->size);
        size = raw->size;
    }
    w->packed.size += size;
    return size;
}

static bool flush_block(ws_writer *w, ws_error *err) {
    wst_index *index = &w->index;
    uint32_t ctas = wst_encoder_cta_count(w->encoder);
    if (ctas == 0) return true;
    wst_block_entry block = {.cta_count = ctas, .first_kernel = wst_encoder_first_kernel(w->encoder)};
    const ws_buffer *columns;
    bool ok = wst_encoder_finish(w->encoder, &columns);
    w->packed.size = 0;
    for (int c = 0; ok && c < WST_COLUMN_COUNT; c++) {
        block.raw_size[c] = (uint32_t)columns[c].size;
        block.size[c] = (uint32_t)pack(w, &columns[c], BLOCK_LEVEL);
    }
    if (!ok || w->packed.failed || !WS_ROOM_FOR(index->blocks, w->block_room, index->block_count + 1))
        return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", w->path);
    block.checksum = XXH3_64bits(w->packed.data, w->packed.size);
    index->blocks[index->block_count++] = block;
    return write_bytes(w, w->packed.data, w->packed.size, err);
}

/* ---- content */

static ws_kernel *current_kernel(ws_writer *w) {
    return &w->index.kernels[w->index.kernel_count - 1];
}

/* Fails if the current CTA exceeds a bound: reading needs memory for a CTA as a whole. */
static bool within_bounds(const ws_writer *w, ws_error *err) {
    const char *bound = wst_encoder_excess(w->encoder);
    return !bound ||
           ws_fail(
               err, WS_ERROR_TRACE,
               "kernel %s: CTA %u,%u,%u: expected at most %s, as a native trace holds of a CTA, found more",
               w->index.kernels[w->index.kernel_count - 1].name, w->cta.x, w->cta.y, w->cta.z, bound);
}

static bool end_cta(ws_writer *w, ws_error *err) {
    if (!w->file)
        return ws_fail(err, WS_ERROR_INTERNAL, "%s: nothing can be written after ws_writer_finish()",
                       w->path);
    if (!w->in_cta) return true;
    w->in_cta = false;
    if (!within_bounds(w, err)) return false;
    wst_encoder_end_cta(w->encoder);
    return !wst_encoder_is_full(w->encoder) || flush_block(w, err);
}

static void digest_memcpys(ws_writer *w) {
    for (; w->digested_memcpys < w->index.memcpy_count; w->digested_memcpys++)
        ws_digest_memcpy(w->digest, &w->index.memcpys[w->digested_memcpys]);
}

bool ws_writer_kernel(ws_writer *w, const ws_kernel *kernel, ws_error *err) {
    if (!end_cta(w, err)) return false;
    if (!kernel->name) return ws_fail(err, WS_ERROR_INTERNAL, "%s: a kernel without a name", w->path);
    if (!ws_dim3_valid(kernel->grid) || !ws_block_valid(kernel->block, w->header.warp_size))
        return ws_fail(err, WS_ERROR_TRACE,
                       "kernel %s: expected a grid of 1 to 2^40 CTAs and a block of 1 to %u threads, found a "
                       "grid of %u,%u,%u and a block of %u,%u,%u",
                       kernel->name, WS_CTA_WARPS_MAX * w->header.warp_size, kernel->grid.x, kernel->grid.y,
                       kernel->grid.z, kernel->block.x, kernel->block.y, kernel->block.z);
    if (!ws_is_utf8(kernel->name))
        return ws_fail(err, WS_ERROR_TRACE, "kernel %s: expected a name in UTF-8", kernel->name);
    wst_index *index = &w->index;
    if (!WS_ROOM_FOR(index->kernels, w->kernel_room, index->kernel_count + 1)) return ws_no_memory(err);
    ws_kernel copy = *kernel;
    copy.counters = (ws_counters){0};
    copy.name = strdup(kernel->name);
    copy.short_name = NULL; /* the reader derives it */
    if (!copy.name) return ws_no_memory(err);
    index->kernels[index->kernel_count++] = copy;
    digest_memcpys(w);
    ws_digest_kernel(w->digest, &copy);
    ws_number_set_free(&w->ctas);
    return true;
}

bool ws_writer_memcpy(ws_writer *w, uint64_t address, uint64_t bytes, ws_error *err) {
    wst_index *index = &w->index;
    if (!ws_memcpy_valid(address, bytes))
        return ws_fail(
            err, WS_ERROR_TRACE,
            "%s: a copy of %llu bytes to 0x%llx: expected at most 2^40 bytes, which end below 2^64", w->path,
            (unsigned long long)bytes, (unsigned long long)address);
    if (!WS_ROOM_FOR(index->memcpys, w->memcpy_room, index->memcpy_count + 1)) return ws_no_memory(err);
    uint32_t before = (uint32_t)index->kernel_count + 1;
    index->memcpys[index->memcpy_count++] = (ws_memcpy){before, address, bytes};
    return true;
}

bool ws_writer_cta(ws_writer *w, ws_dim3 id, ws_error *err) {
    if (!end_cta(w, err)) return false;
    if (w->index.kernel_count == 0) return ws_fail(err, WS_ERROR_INTERNAL, "a CTA before any kernel");
    ws_kernel *kernel = current_kernel(w);
    ws_dim3 grid = kernel->grid;
    if (id.x >= grid.x || id.y >= grid.y || id.z >= grid.z)
        return ws_fail(err, WS_ERROR_TRACE, "CTA %u,%u,%u: expected one inside the grid of %u,%u,%u", id.x,
                       id.y, id.z, grid.x, grid.y, grid.z);
    const uint64_t linear = ws_dim3_linear(grid, id);
    bool again;
    if (!ws_number_set_add(&w->ctas, linear, &again)) return ws_no_memory(err);
    if (again)
        return ws_fail(err, WS_ERROR_TRACE, "kernel %s: CTA %u,%u,%u: expected each CTA once, found it again",
                       kernel->name, id.x, id.y, id.z);
    kernel->counters.ctas++;
    wst_encoder_cta(w->encoder, (uint32_t)w->index.kernel_count, linear);
    ws_digest_word(w->digest, linear);
    w->in_cta = true;
    w->cta = id;
    w->warps_in_cta = 0;
    return true;
}

bool ws_writer_warp(ws_writer *w, uint32_t id, ws_error *err) {
    if (!w->in_cta) return ws_fail(err, WS_ERROR_INTERNAL, "a warp before any CTA");
    ws_kernel *kernel = current_kernel(w);
    uint64_t warps = (ws_dim3_count(kernel->block) + w->header.warp_size - 1) / w->header.warp_size;
    if (id >= warps || id >= WS_CTA_WARPS_MAX)
        return ws_fail(err, WS_ERROR_TRACE, "warp %u: expected one below %llu, as the block of %u,%u,%u has",
                       id, (unsigned long long)warps, kernel->block.x, kernel->block.y, kernel->block.z);
    if (w->warps_in_cta && id <= w->last_warp)
        return ws_fail(err, WS_ERROR_TRACE, "warp %u: expected one after warp %u", id, w->last_warp);
    kernel->counters.warps++;
    w->warps_in_cta++;
    w->last_warp = id;
    w->account = (ws_warp_account){0};
    wst_encoder_warp(w->encoder, id);
    ws_digest_word(w->digest, UINT64_C(1) << 63 | id);
    return true;
}

static bool put_values(ws_writer *w, uint32_t static_id, uint32_t uniform, const uint64_t *values,
                       ws_error *err) {
    const ws_static *s = &w->index.statics[static_id];
    if (uniform >> wst_operand_count(s) != 0 || (uniform && !values))
        return ws_fail(err, WS_ERROR_INTERNAL,
                       "%s: values of operands that %s does not have, or none of those", w->path,
                       w->index.opcodes[s->opcode]);
    wst_encoder_values(w->encoder, static_id, s, uniform, values);
    ws_digest_values(w->digest, uniform, values);
    return true;
}

/* Says why there is no such static instruction: it was refused, memory ran out, or nobody has made it. */
static bool fail_static(const ws_writer *w, uint32_t static_id, ws_error *err) {
    if (static_id != UINT32_MAX)
        return ws_fail(err, WS_ERROR_INTERNAL, "%s: static instruction %u: expected one of %zu, from 0 on",
                       w->path, static_id, w->index.static_count);
    if (!w->refused) return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", w->path);
    return ws_fail(
        err, WS_ERROR_INTERNAL,
        "%s: a static instruction with a count, class, op, space or opcode out of its bounds, one that "
        "accesses memory with a width of 0, or an opcode that is not text in UTF-8",
        w->path);
}

static bool fail_lanes(const ws_writer *w, const ws_static *s, uint64_t mask, ws_error *err) {
    if (mask & ~w->lanes)
        return ws_fail(err, WS_ERROR_INTERNAL, "%s: a mask of %llx: expected one of %u lanes", w->path,
                       (unsigned long long)mask, w->header.warp_size);
    return ws_fail(err, WS_ERROR_INTERNAL, "%s: an execution of %s, which accesses memory, without addresses",
                   w->path, w->index.opcodes[s->opcode]);
}

bool ws_writer_inst(ws_writer *w, uint32_t static_id, uint64_t mask, const uint64_t *addresses,
                    ws_error *err) {
    return ws_writer_inst_values(w, static_id, mask, addresses, 0, NULL, err);
}

bool ws_writer_inst_values(ws_writer *w, uint32_t static_id, uint64_t mask, const uint64_t *addresses,
                           uint32_t uniform, const uint64_t *values, ws_error *err) {
    if (!w->in_cta || !w->warps_in_cta)
        return ws_fail(err, WS_ERROR_INTERNAL, "an instruction before any warp");
    if (static_id >= w->index.static_count) return fail_static(w, static_id, err);
    const ws_static *s = &w->index.statics[static_id];
    if (s->op == WS_MEMORY_NONE) addresses = NULL;
    if (mask & ~w->lanes || (mask && s->op != WS_MEMORY_NONE && !addresses))
        return fail_lanes(w, s, mask, err);
    wst_encoder_inst(w->encoder, static_id, mask, addresses);
    ws_counters_inst(&current_kernel(w)->counters, &w->account, s, mask, addresses);
    ws_digest_word(w->digest, w->static_digest[static_id]);
    ws_digest_word(w->digest, mask);
    if (addresses)
        for (unsigned i = 0, n = (unsigned)__builtin_popcountll(mask); i < n; i++)
            ws_digest_word(w->digest, addresses[i]);
    if (mask && wst_operand_count(s) && !put_values(w, static_id, uniform, values, err)) return false;
    return within_bounds(w, err);
}

/* ---- the end */

static bool write_index(ws_writer *w, ws_error *err) {
    ws_buffer raw = {0};
    wst_index_write(&w->index, w->header.features, &raw);
    if (raw.size > WST_INDEX_MAX) {
        ws_buffer_free(&raw);
        return ws_fail(err, WS_ERROR_TRACE,
                       "%s: more launches, static instructions and blocks than an index can hold", w->path);
    }
    w->packed.size = 0;
    w->header.index_offset = w->offset;
    w->header.index_raw_size = raw.size;
    w->header.index_size = pack(w, &raw, raw.size < INDEX_LARGE_B ? INDEX_LEVEL : INDEX_LEVEL_LARGE);
    w->header.index_checksum = XXH3_64bits(w->packed.data, w->packed.size);
    bool ok = !raw.failed && !w->packed.failed;
    ws_buffer_free(&raw);
    if (!ok) return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", w->path);
    return write_bytes(w, w->packed.data, w->packed.size, err);
}

bool ws_writer_finish(ws_writer *w, ws_error *err) {
    if (!end_cta(w, err) || !check_features(w->path, w->header.features, err) || !flush_block(w, err) ||
        !write_index(w, err))
        return false;
    digest_memcpys(w);
    ws_digest_features(w->digest, w->header.features, w->index.statics, w->index.static_count);
    ws_digest_finish(w->digest, w->header.digest);
    w->header.checksum = XXH3_64bits(&w->header, offsetof(wst_header, checksum));
    bool ok = fseek(w->file, 0, SEEK_SET) == 0 && fwrite(&w->header, sizeof w->header, 1, w->file) == 1;
    ok = fflush(w->file) == 0 && ok && fsync(fileno(w->file)) == 0;
    ok = fclose(w->file) == 0 && ok;
    w->file = NULL;
    if (ok) {
        ok = ws_unfinished_end(&w->part, true);
        *w->part.name = 0;
    }
    return ok || ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", w->path, strerror(errno));
}
