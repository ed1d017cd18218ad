/* Opens .wst files, and reads CTAs from them and from joined traces. */
#include "base/given.h"
#include "trace/content.h"
#include "trace/names.h"
#include "trace/wst/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

/* ---- opening */

static bool map_file(ws_trace *t, ws_error *err) {
    int fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is refused at once */
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        ws_fail(err, WS_ERROR_IO, "%s: cannot open: %s", t->path, strerror(errno));
        if (fd >= 0) close(fd);
        return false;
    }
    bool ok = S_ISREG(status.st_mode);
    if (S_ISDIR(status.st_mode))
        ws_fail(err, WS_ERROR_TRACE,
                "%s: expected a .wst file, found a folder; name one of the .wst files in it", t->path);
    else if (!ok)
        ws_fail(err, WS_ERROR_TRACE, "%s: expected a .wst file, found something that is no regular file",
                t->path);
    if (ok && (size_t)status.st_size < sizeof(wst_header)) {
        ok = ws_fail(err, WS_ERROR_TRACE,
                     "%s: expected a .wst file, found only %lld byte%s; `warpsweep import` reads trace texts",
                     t->path, (long long)status.st_size, status.st_size == 1 ? "" : "s");
    }
    if (ok) {
        t->info.file_bytes = (uint64_t)status.st_size;
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (bytes == MAP_FAILED)
            ok = ws_fail(err, WS_ERROR_IO, "%s: cannot map: %s", t->path, strerror(errno));
        else
            t->bytes = bytes;
    }
    close(fd);
    return ok;
}

static const char no_memory[] = "out of memory", damaged[] = "it does not unpack";

/* Unpacks `size` stored bytes to the `raw_size` bytes they must give, into `out` (emptied first). Memory is only
 * allocated if the stored bytes confirm that size. Returns what is wrong, one of the above, or NULL. */
static const char *unpack(const uint8_t *stored, size_t size, size_t raw_size, ws_buffer *out) {
    out->size = 0;
    if (raw_size == 0) return size == 0 ? NULL : damaged;
    if (raw_size > size * WST_PACKED_MOST) return damaged;
    if (size != raw_size && ZSTD_getFrameContentSize(stored, size) != raw_size) return damaged;
    if (!ws_buffer_reserve(out, raw_size)) return no_memory;
    if (size == raw_size) {
        memcpy(out->data, stored, size);
    } else {
        size_t got = ZSTD_decompress(out->data, raw_size, stored, size);
        if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation) return no_memory;
        if (ZSTD_isError(got) || got != raw_size) return damaged;
    }
    out->size = raw_size;
    return NULL;
}

static bool fail_memory(const ws_trace *t, ws_error *err) {
    return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", t->path);
}

static bool read_header(ws_trace *t, wst_header *h, ws_error *err) {
    memcpy(h, t->bytes, sizeof *h);
    if (memcmp(h->magic, WST_MAGIC, sizeof h->magic) != 0)
        return ws_fail(err, WS_ERROR_TRACE,
                       "%s: expected a .wst file, found another format; `warpsweep import` reads trace texts",
                       t->path);
    if (h->version != WST_VERSION)
        return ws_fail(err, WS_ERROR_TRACE, "%s: expected .wst version %u, found version %u: %s", t->path,
                       WST_VERSION, h->version,
                       h->version > WST_VERSION ? "use a newer warpsweep" : "import the source again");
    if (h->checksum != XXH3_64bits(h, offsetof(wst_header, checksum)))
        return ws_fail(err, WS_ERROR_DAMAGED, "%s: damaged header (its checksum does not match)", t->path);
    if (h->features & ~WST_FEATURES)
        return ws_fail(err, WS_ERROR_TRACE, "%s: fields this version cannot read (feature bits 0x%x)",
                       t->path, h->features & ~WST_FEATURES);
    if (h->index_offset < sizeof *h || h->index_offset > t->info.file_bytes ||
        h->index_size != t->info.file_bytes - h->index_offset)
        return ws_fail(err, WS_ERROR_DAMAGED, "%s: expected %llu bytes, found %llu: %s", t->path,
                       (unsigned long long)(h->index_offset + h->index_size),
                       (unsigned long long)t->info.file_bytes,
                       h->index_offset + h->index_size > t->info.file_bytes ? "the file is truncated"
                                                                            : "something was appended");
    if ((h->warp_size != 32 && h->warp_size != 64) || h->index_raw_size > WST_INDEX_MAX ||
        memchr(h->isa, 0, sizeof h->isa) == NULL || memchr(h->tracer, 0, sizeof h->tracer) == NULL)
        return ws_fail(err, WS_ERROR_DAMAGED, "%s: damaged header", t->path);
    return true;
}

static bool read_index(ws_trace *t, const wst_header *h, ws_error *err) {
    const uint8_t *stored = t->bytes + h->index_offset;
    if (XXH3_64bits(stored, h->index_size) != h->index_checksum)
        return ws_fail(err, WS_ERROR_DAMAGED, "%s: damaged index (its checksum does not match)", t->path);
    ws_buffer raw = {0};
    const char *wrong = unpack(stored, h->index_size, h->index_raw_size, &raw);
    bool ok = !wrong;
    if (wrong == no_memory)
        fail_memory(t, err);
    else if (wrong)
        ws_fail(err, WS_ERROR_DAMAGED, "%s: damaged index (%s)", t->path, wrong);
    if (ok && !wst_index_read(&t->index, h, raw.data, raw.size, err)) ok = ws_fail_prefix(err, "%s", t->path);
    ws_buffer_free(&raw);
    return ok;
}

ws_trace *ws_trace_open(const char *path, ws_error *err) {
    if (!WS_GIVEN(path, "a path", err)) return NULL;
    ws_trace *t = calloc(1, sizeof *t);
    if (!t || !(t->path = strdup(path))) {
        ws_no_memory(err);
        ws_trace_close(t);
        return NULL;
    }
    wst_header h;
    if (!map_file(t, err) || !read_header(t, &h, err) || !read_index(t, &h, err)) {
        ws_trace_close(t);
        return NULL;
    }
    memcpy(t->info.isa, h.isa, sizeof h.isa);
    memcpy(t->info.tracer, h.tracer, sizeof h.tracer);
    t->info.warp_size = h.warp_size;
    t->info.programs = 1;
    t->info.features = h.features;
    for (int i = 0; i < 16; i++) snprintf(t->info.digest + 2 * i, 3, "%02x", h.digest[i]);
    t->info.kernel_count = (uint32_t)t->index.kernel_count;
    t->info.memcpy_count = (uint32_t)t->index.memcpy_count;
    t->info.static_count = (uint32_t)t->index.static_count;
    return t;
}

void ws_trace_close(ws_trace *t) {
    if (!t) return;
    if (t->bytes) munmap((void *)(uintptr_t)t->bytes, t->info.file_bytes);
    wst_index_free(&t->index);
    free(t->path);
    free(t);
}

const char *ws_trace_path(const ws_trace *t) {
    return t->path;
}
const ws_trace_info *ws_trace_get_info(const ws_trace *t) {
    return &t->info;
}
const ws_kernel *ws_trace_kernel(const ws_trace *t, uint32_t index) {
    return index >= 1 && index <= t->index.kernel_count ? &t->index.kernels[index - 1] : NULL;
}
const ws_kernel *ws_trace_expect_kernel(const ws_trace *t, uint32_t index, ws_error *err) {
    const ws_kernel *kernel = ws_trace_kernel(t, index);
    if (!kernel)
        ws_fail(err, WS_ERROR_INTERNAL, "%s: expected one of its %zu launches, found %u", t->path,
                t->index.kernel_count, index);
    return kernel;
}
uint32_t ws_trace_one_stream_from(const ws_trace *t) {
    uint32_t launch = (uint32_t)t->index.kernel_count;
    while (launch > 1 && ws_trace_kernel(t, launch - 1)->stream == ws_trace_kernel(t, launch)->stream)
        launch--;
    return launch;
}
const ws_memcpy *ws_trace_memcpy(const ws_trace *t, uint32_t i) {
    return i < t->index.memcpy_count ? &t->index.memcpys[i] : NULL;
}
const ws_static *ws_trace_statics(const ws_trace *t) {
    return t->index.statics;
}
const char *ws_trace_opcode(const ws_trace *t, uint32_t opcode) {
    return opcode < t->index.opcode_count ? t->index.opcodes[opcode] : NULL;
}

ws_counters ws_trace_totals(const ws_trace *t) {
    ws_counters totals = {0};
    for (size_t k = 0; k < t->index.kernel_count; k++)
        ws_counters_add(&totals, &t->index.kernels[k].counters);
    return totals;
}

/* ---- readers
 * A reader keeps several blocks open, each at its own position: dispatch policies that walk through distant parts
 * of a grid side by side then decode each CTA once. A block that was read to its end is closed, and so are those
 * used least recently when all together take more than the budget. */

enum { READER_BLOCKS = 32, READER_BUDGET_B = 256 << 20 };

typedef struct open_block {
    wst_decoder *decoder; /* NULL: free */
    size_t block;
    uint32_t next; /* CTA of the block that the decoder gives next */
    uint64_t used; /* for eviction: the clock at the last use */
} open_block;

struct ws_reader {
    const ws_trace *trace;
    open_block open[READER_BLOCKS];
    uint64_t clock;
    bool with_values;
    wst_cta cta;
    ws_reader *part[WS_PROGRAMS_MAX]; /* for joined traces: the readers of both, which do all the work */
};

ws_reader *ws_reader_new(const ws_trace *trace, ws_error *err) {
    ws_reader *r = calloc(1, sizeof *r);
    if (!r) {
        ws_no_memory(err);
        return NULL;
    }
    r->trace = trace;
    for (int p = 0; p < WS_PROGRAMS_MAX && trace->part[p]; p++)
        if (!(r->part[p] = ws_reader_new(trace->part[p], err))) {
            ws_reader_free(r);
            return NULL;
        }
    return r;
}

static void close_block(open_block *b) {
    wst_decoder_free(b->decoder);
    *b = (open_block){0};
}

void ws_reader_free(ws_reader *r) {
    if (!r) return;
    for (int i = 0; i < READER_BLOCKS; i++) close_block(&r->open[i]);
    for (int p = 0; p < WS_PROGRAMS_MAX; p++) ws_reader_free(r->part[p]);
    wst_cta_free(&r->cta);
    free(r);
}

bool ws_reader_with_values(ws_reader *r, ws_error *err) {
    if (!(r->trace->info.features & WS_FEATURE_VALUES))
        return ws_fail(err, WS_ERROR_TRACE, "%s: expected a trace with operand values, found one without",
                       r->trace->path);
    if (r->with_values) return true; /* the open blocks have their values, too */
    for (int i = 0; i < READER_BLOCKS; i++) close_block(&r->open[i]);
    for (int p = 0; p < WS_PROGRAMS_MAX && r->part[p]; p++)
        if (!ws_reader_with_values(r->part[p], err)) return false;
    r->with_values = true;
    return true;
}

/* The block that holds CTA number `cta` of the trace. */
static size_t find_block(const wst_index *index, uint64_t cta) {
    size_t low = 0, high = index->block_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (index->blocks[middle].first_cta <= cta)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static size_t raw_size(const wst_block_entry *entry) {
    size_t size = 0;
    for (int c = 0; c < WST_COLUMN_COUNT; c++) size += entry->raw_size[c];
    return size;
}

bool wst_block_is_whole(const ws_trace *t, size_t block, ws_error *err) {
    const wst_block_entry *entry = &t->index.blocks[block];
    size_t size = 0;
    for (int c = 0; c < WST_COLUMN_COUNT; c++) size += entry->size[c];
    return XXH3_64bits(t->bytes + entry->offset, size) == entry->checksum ||
           ws_fail(err, WS_ERROR_DAMAGED, "%s: damaged block %zu at byte %llu (its checksum does not match)",
                   t->path, block + 1, (unsigned long long)entry->offset);
}

static bool load_block(ws_reader *r, open_block *slot, size_t block, ws_error *err) {
    const ws_trace *t = r->trace;
    const wst_block_entry *entry = &t->index.blocks[block];
    const uint8_t *stored = t->bytes + entry->offset;
    if (!wst_block_is_whole(t, block, err)) return false;
    ws_buffer columns[WST_COLUMN_COUNT] = {0};
    const int wanted = r->with_values ? WST_COLUMN_COUNT : WST_COLUMN_PLAIN_COUNT;
    const char *wrong = NULL;
    for (int c = 0; !wrong && c < wanted; c++) {
        wrong = unpack(stored, entry->size[c], entry->raw_size[c], &columns[c]);
        stored += entry->size[c];
    }
    if (!wrong) {
        const wst_tables tables = {t->info.warp_size, t->info.static_count, t->info.kernel_count,
                                   t->index.statics, t->index.kernels};
        slot->decoder = wst_decoder_new(columns, &tables, entry->first_kernel, r->with_values);
        slot->block = block;
        slot->next = 0;
        if (!slot->decoder) wrong = no_memory;
    }
    for (int c = 0; c < WST_COLUMN_COUNT; c++) ws_buffer_free(&columns[c]);
    if (wrong == no_memory) return fail_memory(t, err);
    return !wrong || ws_fail(err, WS_ERROR_DAMAGED, "%s: damaged block %zu at byte %llu (%s)", t->path,
                             block + 1, (unsigned long long)entry->offset, wrong);
}

/* An open decoder of `block` that has not yet passed `cta`; NULL if there is none. */
static open_block *find_open(ws_reader *r, size_t block, uint32_t cta) {
    for (open_block *b = r->open; b < r->open + READER_BLOCKS; b++)
        if (b->decoder && b->block == block && b->next <= cta) return b;
    return NULL;
}

/* Finds a free place for `block`, by closing the block used least recently if need be. A decoder of `block` itself is
 * past the wanted CTA, so it is closed. */
static open_block *make_place(ws_reader *r, size_t block) {
    const wst_block_entry *entries = r->trace->index.blocks;
    for (;;) {
        open_block *empty = NULL, *oldest = NULL;
        size_t open_B = raw_size(&entries[block]);
        for (open_block *b = r->open; b < r->open + READER_BLOCKS; b++) {
            if (b->decoder && b->block == block) close_block(b);
            if (!b->decoder) {
                empty = b;
                continue;
            }
            open_B += raw_size(&entries[b->block]);
            if (!oldest || b->used < oldest->used) oldest = b;
        }
        if (empty && (!oldest || open_B <= READER_BUDGET_B)) return empty;
        close_block(oldest);
    }
}

static open_block *block_at(ws_reader *r, size_t block, uint32_t cta, ws_error *err) {
    open_block *b = find_open(r, block, cta);
    if (!b) {
        b = make_place(r, block);
        if (!load_block(r, b, block, err)) return NULL;
    }
    b->used = ++r->clock;
    return b;
}

/* Reads a CTA of joined traces with the program's own reader, then moves it to where the program's code and data
 * lie. */
static bool read_joined(ws_reader *r, uint32_t kernel, uint32_t ordinal, ws_cta *cta, ws_error *err) {
    const ws_trace_info *first = &r->trace->part[0]->info;
    uint32_t program = kernel > first->kernel_count;
    ws_reader *part = r->part[program];
    return ws_reader_cta(part, kernel - program * first->kernel_count, ordinal, cta, err) &&
           wst_move_to_program(&part->cta, part->trace, program, program * first->static_count, err);
}

bool ws_reader_cta(ws_reader *r, uint32_t kernel, uint32_t ordinal, ws_cta *cta, ws_error *err) {
    if (r->part[0]) return read_joined(r, kernel, ordinal, cta, err);
    const wst_index *index = &r->trace->index;
    const ws_kernel *k = ws_trace_kernel(r->trace, kernel);
    if (!k || ordinal >= k->counters.ctas)
        return ws_fail(err, WS_ERROR_INTERNAL, "%s: no CTA %u in launch %u", r->trace->path, ordinal, kernel);
    uint64_t number = index->first_cta[kernel - 1] + ordinal;
    size_t block = find_block(index, number);
    uint32_t in_block = (uint32_t)(number - index->blocks[block].first_cta);
    open_block *b = block_at(r, block, in_block, err);
    if (!b) return false;
    bool ok = true;
    while (ok && b->next <= in_block) {
        ok = wst_decoder_next(b->decoder, &r->cta, err);
        b->next++;
    }
    if (ok && (r->cta.kernel != kernel || r->cta.linear >= ws_dim3_count(k->grid)))
        ok = ws_fail(err, WS_ERROR_DAMAGED, "damaged block: a CTA that its launch does not have");
    if (!ok) {
        close_block(b);
        return ws_fail_prefix(err, "%s: block %zu", r->trace->path, block + 1);
    }
    if (b->next == index->blocks[block].cta_count) close_block(b);
    uint64_t linear = r->cta.linear;
    cta->id.x = (uint32_t)(linear % k->grid.x);
    cta->id.y = (uint32_t)(linear / k->grid.x % k->grid.y);
    cta->id.z = (uint32_t)(linear / k->grid.x / k->grid.y);
    cta->ordinal = ordinal;
    cta->warp_count = r->cta.warp_count;
    cta->warps = r->cta.warps;
    return true;
}
