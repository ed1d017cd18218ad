/* The index of a .wst, from and to its stored form: launches, copies, opcodes, static instructions and blocks, each
 * part a count and its entries. Launches and static instructions differ little from their predecessors, which zstd
 * exploits when like fields lie at like distances. */
#include "base/array.h"
#include "base/utf8.h"
#include "trace/content.h"
#include "trace/names.h"
#include "trace/wst/format.h"
#include "trace/wst/instances.h"

#include <stdlib.h>

void wst_index_free(wst_index *index) {
    for (size_t k = 0; k < index->kernel_count; k++) {
        free((char *)(uintptr_t)index->kernels[k].name);
        free((char *)(uintptr_t)index->kernels[k].short_name);
    }
    for (size_t o = 0; o < index->opcode_count; o++) free(index->opcodes[o]);
    free(index->kernels);
    free(index->first_cta);
    free(index->memcpys);
    free(index->statics);
    free(index->opcodes);
    free(index->blocks);
    *index = (wst_index){0};
}

bool wst_static_is_valid(const ws_static *s) {
    return s->dst_count <= WS_DST_MAX && s->src_count <= WS_SRC_MAX && s->class_ < WS_CLASS_COUNT &&
           s->op < WS_MEMORY_OP_COUNT && s->space < WS_SPACE_COUNT && s->result_values <= WS_DST_MAX &&
           s->source_values <= WS_SRC_MAX && s->index_count <= WS_INDEX_MAX &&
           (s->op == WS_MEMORY_NONE || s->width_B > 0);
}

/* ---- writing */

static void put_text(ws_buffer *out, const char *text) {
    size_t length = strlen(text);
    ws_buffer_put_varint(out, length);
    ws_buffer_put(out, text, length);
}

static void put_kernel(ws_buffer *out, const ws_kernel *k) {
    put_text(out, k->name);
    uint64_t words[WS_KERNEL_WORDS];
    ws_kernel_words(k, words);
    for (size_t i = 0; i < WS_KERNEL_WORDS; i++) ws_buffer_put_varint(out, words[i]);
#define X(name, unit, help) ws_buffer_put_varint(out, k->counters.name);
    WS_COUNTERS(X)
#undef X
}

static void put_static(ws_buffer *out, const ws_static *s, uint32_t pc_before, uint32_t features) {
    ws_buffer_put_varint(out, ws_zigzag((int64_t)s->pc - (int64_t)pc_before));
    ws_buffer_put_varint(out, s->opcode);
    const uint8_t bytes[] = {s->dst_count, s->src_count, s->class_,      s->op,
                             s->space,     s->width_B,   s->text_width_B};
    ws_buffer_put(out, bytes, sizeof bytes);
    for (unsigned i = 0; i < s->dst_count; i++) ws_buffer_put_varint(out, s->dst[i]);
    for (unsigned i = 0; i < s->src_count; i++) ws_buffer_put_varint(out, s->src[i]);
    ws_buffer_put_varint(out, ws_zigzag(s->immediate));
    ws_buffer_put_varint(out, s->source_line);
    if (features & WS_FEATURE_VALUES)
        ws_buffer_put(out, (const uint8_t[]){s->result_values, s->source_values}, 2);
    if (features & WS_FEATURE_INDEX_FLOW) {
        ws_buffer_put_varint(out, s->index_count);
        for (unsigned i = 0; i < s->index_count; i++) ws_buffer_put_varint(out, s->index_pc[i]);
    }
}

static void put_block(ws_buffer *out, const wst_block_entry *b, uint32_t features) {
    ws_buffer_put(out, &b->checksum, sizeof b->checksum);
    ws_buffer_put_varint(out, b->first_kernel);
    ws_buffer_put_varint(out, b->cta_count);
    for (int c = 0; c < wst_column_count(features); c++) {
        ws_buffer_put_varint(out, b->raw_size[c]);
        ws_buffer_put_varint(out, b->size[c]);
    }
}

void wst_index_write(const wst_index *index, uint32_t features, ws_buffer *out) {
    ws_buffer_put_varint(out, index->kernel_count);
    for (size_t k = 0; k < index->kernel_count; k++) put_kernel(out, &index->kernels[k]);
    ws_buffer_put_varint(out, index->memcpy_count);
    for (size_t m = 0; m < index->memcpy_count; m++) {
        ws_buffer_put_varint(out, index->memcpys[m].before_kernel);
        ws_buffer_put_varint(out, index->memcpys[m].address);
        ws_buffer_put_varint(out, index->memcpys[m].bytes);
    }
    ws_buffer_put_varint(out, index->opcode_count);
    for (size_t o = 0; o < index->opcode_count; o++) put_text(out, index->opcodes[o]);
    ws_buffer_put_varint(out, index->static_count);
    for (size_t s = 0; s < index->static_count; s++)
        put_static(out, &index->statics[s], s ? index->statics[s - 1].pc : 0, features);
    ws_buffer_put_varint(out, index->block_count);
    for (size_t b = 0; b < index->block_count; b++) put_block(out, &index->blocks[b], features);
}

/* ---- reading */

/* Fails because a part could not be read: it is not what it has to be, unless memory ran out. */
static bool fail_part(const char *part, bool no_memory, ws_error *err) {
    if (no_memory) return ws_no_memory(err);
    return ws_fail(err, WS_ERROR_DAMAGED, "damaged index: expected %s, found something else", part);
}

/* Reads a number of entries, each of at least `entry_B` stored bytes; false if the rest cannot hold so many. */
static bool get_count(ws_cursor *in, size_t entry_B, size_t *count) {
    uint64_t value = ws_cursor_varint(in);
    *count = value;
    return !in->failed && value <= ws_cursor_left(in) / entry_B && value <= UINT32_MAX;
}

/* calloc() that returns a pointer for zero elements, too. */
static void *array_of(size_t count, size_t size, bool *no_memory) {
    void *array = calloc(count ? count : 1, size);
    if (!array) *no_memory = true;
    return array;
}

static char *get_text(ws_cursor *in, bool *no_memory) {
    uint64_t length = ws_cursor_varint(in);
    const char *text = in->failed ? NULL : ws_cursor_take(in, length);
    if (!text || memchr(text, 0, length)) return NULL;
    char *copy = strndup(text, length);
    if (!copy) *no_memory = true;
    return copy;
}

static uint32_t get_u32(ws_cursor *in) {
    uint64_t value = ws_cursor_varint(in);
    if (value > UINT32_MAX) in->failed = true;
    return (uint32_t)value;
}

static bool get_names(ws_cursor *in, ws_kernel *k, bool *no_memory) {
    k->name = get_text(in, no_memory);
    k->short_name = k->name ? ws_short_name(k->name) : NULL;
    if (k->name && !k->short_name) *no_memory = true;
    return k->short_name != NULL;
}

static bool get_kernel(ws_cursor *in, ws_kernel *k, uint32_t number, uint32_t warp_size, bool *no_memory) {
    k->index = number;
    if (!get_names(in, k, no_memory)) return false;
    uint32_t *const dims[] = {&k->grid.x, &k->grid.y, &k->grid.z, &k->block.x, &k->block.y, &k->block.z};
    for (int i = 0; i < 6; i++) *dims[i] = get_u32(in);
    k->registers_per_thread = get_u32(in);
    k->shared_B = get_u32(in);
    k->stream = ws_cursor_varint(in);
    k->isa_version = get_u32(in);
    k->shared_base = ws_cursor_varint(in);
    k->local_base = ws_cursor_varint(in);
#define X(name, unit, help) k->counters.name = ws_cursor_varint(in);
    WS_COUNTERS(X)
#undef X
    return !in->failed && ws_dim3_valid(k->grid) && ws_block_valid(k->block, warp_size);
}

static bool get_kernels(ws_cursor *in, wst_index *index, uint32_t warp_size, bool *no_memory) {
    size_t count;
    if (!get_count(in, 24, &count)) return false;
    index->kernels = array_of(count, sizeof *index->kernels, no_memory);
    index->first_cta = array_of(count + 1, sizeof *index->first_cta, no_memory);
    if (!index->kernels || !index->first_cta) return false;
    index->kernel_count = count;
    for (size_t k = 0; k < count; k++) {
        if (!get_kernel(in, &index->kernels[k], (uint32_t)(k + 1), warp_size, no_memory)) return false;
        uint64_t ctas = index->kernels[k].counters.ctas;
        if (ctas > UINT32_MAX) return false;
        index->first_cta[k + 1] = index->first_cta[k] + ctas;
    }
    *no_memory = !ws_tell_instances_apart(index->kernels, count);
    return !*no_memory;
}

static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Checks the counters of a launch against the most that its grid and its other counters allow. Decoding relies on
 * them. */
static bool check_counters(const ws_kernel *k, ws_error *err) {
    const ws_counters *c = &k->counters;
    const uint64_t insts = times(c->ctas, WST_CTA_INSTS_MAX);
    const struct {
        const char *name;
        uint64_t found, most;
    } bounds[] = {
        {"CTAs", c->ctas, ws_dim3_count(k->grid)},
        {"warps", c->warps, times(c->ctas, WS_CTA_WARPS_MAX)},
        {"warp instructions", c->warp_instructions, insts},
        {"instructions of class meta", c->meta_instructions, insts},
        {"memory lines", c->trace_memory_lines, c->warp_instructions},
        {"memory instructions", c->memory_instructions, c->trace_memory_lines},
        {"lane accesses", c->lane_accesses, times(c->memory_instructions, WS_LANES_MAX)},
        {"requests", c->requests, times(c->lane_accesses, 1 + UINT8_MAX / WS_LINE_B + 1)},
        {"sectors", c->sectors, times(c->lane_accesses, 1 + UINT8_MAX / WS_SECTOR_B + 1)},
        {"corrected widths", c->corrected_widths, c->trace_memory_lines},
        {"instructions after an exit", c->after_exit, c->warp_instructions},
    };
    for (size_t i = 0; i < WS_COUNT(bounds); i++)
        if (bounds[i].found > bounds[i].most)
            return ws_fail(err, WS_ERROR_DAMAGED,
                           "damaged index: launch %u: expected at most %llu %s, found %llu", k->index,
                           (unsigned long long)bounds[i].most, bounds[i].name,
                           (unsigned long long)bounds[i].found);
    return true;
}

static bool check_name(const ws_kernel *k, ws_error *err) {
    return ws_is_utf8(k->name) ||
           ws_fail(err, WS_ERROR_DAMAGED,
                   "damaged index: launch %u: expected a name in UTF-8, found other bytes", k->index);
}

static bool get_memcpys(ws_cursor *in, wst_index *index, bool *no_memory) {
    size_t count;
    if (!get_count(in, 3, &count)) return false;
    index->memcpys = array_of(count, sizeof *index->memcpys, no_memory);
    if (!index->memcpys) return false;
    index->memcpy_count = count;
    for (size_t m = 0; m < count; m++) {
        index->memcpys[m].before_kernel = get_u32(in);
        index->memcpys[m].address = ws_cursor_varint(in);
        index->memcpys[m].bytes = ws_cursor_varint(in);
        if (!ws_memcpy_valid(index->memcpys[m].address, index->memcpys[m].bytes)) return false;
    }
    return !in->failed;
}

static bool check_memcpys(const wst_index *index, ws_error *err) {
    uint32_t first = 1;
    const uint32_t last = (uint32_t)index->kernel_count + 1;
    for (size_t m = 0; m < index->memcpy_count; m++) {
        const uint32_t before = index->memcpys[m].before_kernel;
        if (before < first || before > last)
            return ws_fail(err, WS_ERROR_DAMAGED,
                           "damaged index: copy %zu to the device: expected it before one of the launches %u "
                           "to %u, found %u",
                           m + 1, first, last, before);
        first = before;
    }
    return true;
}

static bool get_opcodes(ws_cursor *in, wst_index *index, bool *no_memory) {
    size_t count;
    if (!get_count(in, 1, &count)) return false;
    index->opcodes = array_of(count, sizeof *index->opcodes, no_memory);
    if (!index->opcodes) return false;
    index->opcode_count = count;
    for (size_t o = 0; o < count; o++)
        if (!(index->opcodes[o] = get_text(in, no_memory)) || !ws_is_utf8(index->opcodes[o])) return false;
    return true;
}

static bool get_value_counts(ws_cursor *in, ws_static *s) {
    const uint8_t *bytes = ws_cursor_take(in, 2);
    if (!bytes) return false;
    s->result_values = bytes[0], s->source_values = bytes[1];
    return s->result_values <= WS_DST_MAX && s->source_values <= WS_SRC_MAX;
}

static bool get_index_loads(ws_cursor *in, ws_static *s) {
    const uint32_t count = get_u32(in);
    if (in->failed || count > WS_INDEX_MAX) return false;
    s->index_count = (uint8_t)count;
    for (unsigned i = 0; i < count; i++) s->index_pc[i] = get_u32(in);
    return !in->failed;
}

static bool get_static(ws_cursor *in, ws_static *s, uint32_t pc_before, size_t opcode_count,
                       uint32_t features) {
    uint64_t pc = pc_before + (uint64_t)ws_unzigzag(ws_cursor_varint(in)); /* below 0, it wraps around */
    s->pc = (uint32_t)pc;
    s->opcode = get_u32(in);
    const uint8_t *bytes = ws_cursor_take(in, 7);
    if (!bytes || pc > UINT32_MAX || s->opcode >= opcode_count) return false;
    s->dst_count = bytes[0], s->src_count = bytes[1], s->class_ = bytes[2], s->op = bytes[3];
    s->space = bytes[4], s->width_B = bytes[5], s->text_width_B = bytes[6];
    if (!wst_static_is_valid(s)) return false;
    for (unsigned i = 0; i < s->dst_count; i++) s->dst[i] = (uint16_t)get_u32(in);
    for (unsigned i = 0; i < s->src_count; i++) s->src[i] = (uint16_t)get_u32(in);
    s->immediate = (int32_t)ws_unzigzag(ws_cursor_varint(in));
    s->source_line = get_u32(in);
    if (features & WS_FEATURE_VALUES && !get_value_counts(in, s)) return false;
    if (features & WS_FEATURE_INDEX_FLOW && !get_index_loads(in, s)) return false;
    return !in->failed;
}

static bool get_statics(ws_cursor *in, wst_index *index, uint32_t features, bool *no_memory) {
    size_t count;
    if (!get_count(in, 11, &count)) return false;
    index->statics = array_of(count, sizeof *index->statics, no_memory);
    if (!index->statics) return false;
    index->static_count = count;
    for (size_t s = 0; s < count; s++)
        if (!get_static(in, &index->statics[s], s ? index->statics[s - 1].pc : 0, index->opcode_count,
                        features))
            return false;
    return true;
}

static bool get_block(ws_cursor *in, const wst_index *index, wst_block_entry *b, int columns) {
    const void *checksum = ws_cursor_take(in, sizeof b->checksum);
    if (!checksum) return false;
    memcpy(&b->checksum, checksum, sizeof b->checksum);
    b->first_kernel = get_u32(in);
    b->cta_count = get_u32(in);
    if (b->cta_count == 0 || b->first_kernel == 0 || b->first_kernel > index->kernel_count) return false;
    uint64_t raw_size = 0;
    for (int c = 0; c < columns; c++) {
        b->raw_size[c] = get_u32(in);
        b->size[c] = get_u32(in);
        if (b->size[c] > b->raw_size[c]) return false;
        raw_size += b->raw_size[c];
    }
    return !in->failed && raw_size <= WST_BLOCK_RAW_MAX_B &&
           b->cta_count <= b->raw_size[WST_COLUMN_LAYOUT] / WST_LAYOUT_CTA_B;
}

static bool get_blocks(ws_cursor *in, wst_index *index, int columns, uint64_t end_of_blocks,
                       bool *no_memory) {
    size_t count;
    if (!get_count(in, 10 + 2 * (size_t)columns, &count)) return false;
    index->blocks = array_of(count, sizeof *index->blocks, no_memory);
    if (!index->blocks) return false;
    index->block_count = count;
    uint64_t offset = sizeof(wst_header), cta = 0;
    for (size_t b = 0; b < count; b++) {
        wst_block_entry *block = &index->blocks[b];
        if (!get_block(in, index, block, columns)) return false;
        block->offset = offset;
        block->first_cta = cta;
        cta += block->cta_count;
        for (int c = 0; c < columns; c++) offset += block->size[c];
        uint64_t first_of_kernel = index->first_cta[block->first_kernel - 1];
        if (block->first_cta < first_of_kernel || block->first_cta >= index->first_cta[block->first_kernel])
            return false;
    }
    return offset == end_of_blocks && cta == index->first_cta[index->kernel_count];
}

bool wst_index_read(wst_index *index, const wst_header *header, const void *bytes, size_t size,
                    ws_error *err) {
    ws_cursor in = ws_cursor_over(bytes, size);
    const uint32_t features = header->features;
    bool no_memory = false;
    if (!get_kernels(&in, index, header->warp_size, &no_memory))
        return fail_part("the launches", no_memory, err);
    for (size_t k = 0; k < index->kernel_count; k++)
        if (!check_name(&index->kernels[k], err) || !check_counters(&index->kernels[k], err)) return false;
    if (!get_memcpys(&in, index, &no_memory)) return fail_part("the copies to the device", no_memory, err);
    if (!check_memcpys(index, err)) return false;
    if (!get_opcodes(&in, index, &no_memory)) return fail_part("the opcodes", no_memory, err);
    if (!get_statics(&in, index, features, &no_memory))
        return fail_part("the static instructions", no_memory, err);
    if (!get_blocks(&in, index, wst_column_count(features), header->index_offset, &no_memory))
        return fail_part("the list of blocks", no_memory, err);
    if (ws_cursor_left(&in)) return fail_part("its end", false, err);
    return true;
}
