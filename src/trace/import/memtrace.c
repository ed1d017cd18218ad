/* NVBit's mem_trace prints, between its own banner and what the program prints, one line per launch and one per memory
 * instruction of a warp:
 *
 *   MEMTRACE: CTX 0x.. - LAUNCH - Kernel pc 0x.. - Kernel name N - grid launch id N - grid size x,y,z -
 *     block size x,y,z - nregs N - shmem N - cuda stream id N
 *   MEMTRACE: CTX 0x.. - grid_launch_id N - CTA x,y,z - warp N - OPCODE - 0x<address> x 32
 *
 * An address of 0 marks an inactive lane. A widespread variant ends in
 *   - OPCODE - pc N - Size N - MREF per threads(..) : Thread<lane>,0x<data>,0x<address> ..
 * An LDGSTS has a line for each of its two memory operands, of which the second, its read of global memory, is kept.
 * Instructions come in order of arrival. Warp numbers are places in the SM, which only distinguish the warps of a CTA.
 * Stock lines have no pc, so all instructions of one opcode become one static instruction. */
#include "trace/import/memtrace.h"

#include "base/ends.h"
#include "base/room.h"
#include "base/utf8.h"
#include "trace/import/import_formats.h"
#include "trace/names.h"
#include "trace/sass.h"
#include "trace/words.h"

#include <stdlib.h>
#include <string.h>

enum { OPCODE_MAX = 96, WIDTH_MAX = 128 };

typedef struct reader {
    ws_text *text;
    ws_gathered *gathered;
    uint64_t *ids; /* grid launch ids, parallel to gathered->launches */
    size_t room;
    const char *at, *end; /* the rest of the current line, without trailing spaces */
} reader;

static bool expected(const reader *r, ws_error *err, const char *what) {
    return ws_text_fail_expected(r->text, r->at, "", err, "%s", what);
}

static bool take(reader *r, const char *word) {
    size_t size = strlen(word);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0) return false;
    r->at += size;
    return true;
}

static bool take_hex(reader *r, uint64_t *value) {
    return take(r, "0x") && ws_parse_hex(&r->at, 16, value);
}

static bool take_triple(reader *r, ws_dim3 *dim) {
    return ws_parse_decimal(&r->at, &dim->x) && take(r, ",") && ws_parse_decimal(&r->at, &dim->y) &&
           take(r, ",") && ws_parse_decimal(&r->at, &dim->z);
}

static bool take_context(reader *r, ws_error *err) {
    uint64_t context;
    return (take(r, "CTX ") && take_hex(r, &context) && take(r, " - ")) || expected(r, err, "'CTX 0x.. - '");
}

/* ---- launches */

static bool add_launch(reader *r, const ws_kernel *kernel, uint64_t id, ws_error *err) {
    size_t count = r->gathered->count;
    for (size_t i = 0; i < count; i++)
        if (r->ids[i] == id) return expected(r, err, "a grid launch id that has not come before");
    if (count == WS_GATHERED_LAUNCHES_MAX) return expected(r, err, "at most 65536 launches");
    if (!WS_ROOM_FOR(r->ids, r->room, count + 1)) return ws_no_memory(err);
    r->ids[count] = id;
    return ws_gathered_launch_new(r->gathered, kernel, err);
}

static bool take_sizes(reader *r, ws_kernel *kernel) {
    return take(r, "grid size ") && take_triple(r, &kernel->grid) && take(r, " - block size ") &&
           take_triple(r, &kernel->block) && take(r, " - nregs ") &&
           ws_parse_decimal(&r->at, &kernel->registers_per_thread) && take(r, " - shmem ") &&
           ws_parse_decimal(&r->at, &kernel->shared_B) && take(r, " - cuda stream id ") &&
           ws_parse_signed(&r->at, &kernel->stream);
}

/* Reads what follows the name, which may contain " - " itself. */
static bool read_extents(reader *r, ws_kernel *kernel, uint64_t *id, ws_error *err) {
    const char *sizes = NULL;
    if (!take(r, " - grid launch id ") || !ws_parse_signed(&r->at, id) || !take(r, " - ") ||
        !(sizes = r->at) || !take_sizes(r, kernel))
        return expected(
            r, err,
            "'grid launch id N - grid size x,y,z - block size x,y,z - nregs N - shmem N - cuda stream id N'");
    r->at = sizes;
    return (ws_dim3_valid(kernel->grid) && ws_block_valid(kernel->block, WS_SASS_LANES)) ||
           expected(r, err, "a grid and a block of at least 1,1,1 (at most 32768 threads)");
}

static bool read_launch(reader *r, ws_error *err) {
    static const char mark[] = " - grid launch id ";
    ws_kernel kernel = {0};
    uint64_t pc, id = 0;
    if (!take(r, "Kernel pc ") || !take_hex(r, &pc) || !take(r, " - Kernel name "))
        return expected(r, err, "'Kernel pc 0x.. - Kernel name ..'");
    const char *name = r->at, *name_end = memmem(name, (size_t)(r->end - name), mark, sizeof mark - 1);
    if (!name_end || name_end == name) return expected(r, err, "a name, then 'grid launch id ..'");
    r->at = name_end;
    if (!read_extents(r, &kernel, &id, err)) return false;
    r->at = name;
    char *text = strndup(name, (size_t)(name_end - name));
    if (!text) return ws_no_memory(err);
    kernel.name = text;
    bool good = ws_is_utf8(text) ? add_launch(r, &kernel, id, err) : expected(r, err, "a name in UTF-8");
    free(text);
    return good;
}

/* ---- accesses */

typedef struct access {
    size_t launch;
    uint64_t cta;
    uint32_t warp, pc, width_B;
    const char *opcode;
    size_t opcode_length;
    uint32_t mask;
    uint64_t lanes[WS_SASS_LANES];
} access;

static bool take_place(reader *r, access *a, ws_error *err) {
    uint64_t id;
    ws_dim3 cta;
    const char *start = r->at;
    if (!take(r, "grid_launch_id ") || !ws_parse_signed(&r->at, &id))
        return expected(r, err, "'grid_launch_id N'");
    a->launch = r->gathered->count;
    while (a->launch > 0 && r->ids[a->launch - 1] != id) a->launch--;
    if (a->launch-- == 0) {
        r->at = start;
        return expected(r, err, "the grid_launch_id of a LAUNCH line above");
    }
    ws_dim3 grid = r->gathered->launches[a->launch].kernel.grid;
    if (!take(r, " - CTA ")) return expected(r, err, "' - CTA x,y,z'");
    start = r->at;
    if (!take_triple(r, &cta) || cta.x >= grid.x || cta.y >= grid.y || cta.z >= grid.z) {
        r->at = start;
        return expected(r, err, "a CTA (x,y,z) inside the grid");
    }
    a->cta = ws_dim3_linear(grid, cta);
    if (!take(r, " - warp ")) return expected(r, err, "' - warp N - '");
    start = r->at;
    if (ws_parse_decimal(&r->at, &a->warp) && a->warp < WS_GATHERED_WARPS_MAX && take(r, " - ")) return true;
    r->at = start;
    return expected(r, err, "a warp number below 4096, then ' - '");
}

static bool take_opcode(reader *r, access *a, ws_error *err) {
    a->opcode = r->at;
    while ((unsigned char)*r->at > ' ' && (unsigned char)*r->at < 0x7f) r->at++;
    a->opcode_length = (size_t)(r->at - a->opcode);
    if (a->opcode_length > 0 && a->opcode_length <= OPCODE_MAX && take(r, " - ")) return true;
    r->at = a->opcode;
    return expected(r, err, "an opcode such as LDG.E.64, then ' - '");
}

/* Takes the address of a lane; `or_else` is what was expected where there is none. */
static bool take_lane(reader *r, access *a, uint32_t lane, const char *or_else, ws_error *err) {
    const char *start = r->at;
    if (!take_hex(r, &a->lanes[lane])) return expected(r, err, or_else);
    if (a->lanes[lane]) a->mask |= UINT32_C(1) << lane;
    if (a->lanes[lane] < WS_ADDRESS_LIMIT) return true;
    r->at = start;
    return expected(r, err, WS_ADDRESSES_EXPECTED);
}

static bool take_lanes(reader *r, access *a, ws_error *err) {
    for (uint32_t lane = 0; lane < WS_SASS_LANES; lane++) {
        if (!take_lane(r, a, lane, "32 addresses (0x..), one per lane", err)) return false;
        if (r->at < r->end && *r->at == ' ') r->at++;
    }
    return true;
}

/* Parses the end of the variant's lines: pc, size, then lane, data and address of each thread. */
static bool take_threads(reader *r, access *a, ws_error *err) {
    static const char line[] = "'pc N - Size N - MREF per threads(..) : Thread0,0x..,0x.. ..'";
    const char *colon, *size;
    if (!ws_parse_decimal(&r->at, &a->pc) || !take(r, " - Size ")) return expected(r, err, line);
    size = r->at;
    if (!ws_parse_decimal(&r->at, &a->width_B) || a->width_B == 0 || a->width_B > WIDTH_MAX) {
        r->at = size;
        return expected(r, err, "a Size of 1 to 128 bytes");
    }
    if (!take(r, " - MREF per threads") || !(colon = memchr(r->at, ':', (size_t)(r->end - r->at))))
        return expected(r, err, line);
    r->at = colon + 1;
    static const char thread[] = "Thread<0 to 31>,0x<data>,0x<address>";
    for (uint32_t seen = 0;;) {
        uint32_t lane;
        uint64_t data;
        while (r->at < r->end && *r->at == ' ') r->at++;
        if (r->at == r->end) return true;
        if (!take(r, "Thread") || !ws_parse_decimal(&r->at, &lane) || lane >= WS_SASS_LANES ||
            !take(r, ",") || !take_hex(r, &data) || !take(r, ","))
            return expected(r, err, thread);
        if (!take_lane(r, a, lane, thread, err)) return false;
        if (seen >> lane & 1) return expected(r, err, "each thread once, but for the one before this place");
        seen |= UINT32_C(1) << lane;
    }
}

static bool put(reader *r, const access *a, ws_error *err) {
    ws_writer *writer = r->gathered->writer;
    ws_sass sass = ws_sass_decode(a->opcode, a->opcode_length);
    uint64_t addresses[WS_SASS_LANES];
    unsigned count = 0;
    for (unsigned lane = 0; lane < WS_SASS_LANES; lane++)
        if (a->mask >> lane & 1) addresses[count++] = a->lanes[lane];
    ws_static s = {.pc = a->pc, .class_ = sass.class_, .op = sass.op, .space = sass.space};
    if (sass.op != WS_MEMORY_NONE) {
        s.width_B = sass.width_B ? sass.width_B : a->width_B ? (uint8_t)a->width_B : 4;
        s.text_width_B = a->width_B ? (uint8_t)a->width_B : s.width_B;
    }
    if (sass.class_ == WS_CLASS_OTHER && a->mask) {
        ws_losses_opcode(&r->gathered->losses, a->opcode, a->opcode_length);
        r->gathered->losses.accesses++;
    }
    s.opcode = ws_writer_opcode(writer, a->opcode, a->opcode_length);
    uint32_t id = ws_writer_static(writer, &s);
    bool is_copy = ws_begins_with(a->opcode, a->opcode_length, "LDGSTS");
    if (is_copy && !ws_gathered_copy(r->gathered, id, err)) return false;
    return ws_gathered_put(r->gathered, a->launch, a->cta, a->warp, id, a->mask,
                           s.op == WS_MEMORY_NONE ? NULL : addresses, err);
}

static bool read_access(reader *r, ws_error *err) {
    access a = {0};
    if (!take_place(r, &a, err) || !take_opcode(r, &a, err)) return false;
    bool good = take(r, "pc ") ? take_threads(r, &a, err) : take_lanes(r, &a, err);
    if (!good) return false;
    if (r->at != r->end) return expected(r, err, "the end of the line");
    return put(r, &a, err);
}

/* ---- lines */

/* Reads a line. Those that do not begin with MEMTRACE are the tool's banner, or the program's own, and are skipped. */
static bool read_line(reader *r, const char *newline, ws_error *err) {
    r->at = r->text->at;
    if (!take(r, "MEMTRACE: ")) {
        if (!memmem(r->at, (size_t)(r->end - r->at), "MEMTRACE: CTX", 13)) return true;
        return ws_text_fail_expected(r->text, r->at, "print what the program prints to another file", err,
                                     "'MEMTRACE: ' at the beginning of the line");
    }
    if (!ws_text_expect_whole(r->text, newline, err) || !take_context(r, err)) return false;
    return take(r, "LAUNCH - ") ? read_launch(r, err) : read_access(r, err);
}

bool ws_memtrace_read(ws_text *text, ws_gathered *gathered, ws_error *err) {
    reader r = {.text = text, .gathered = gathered};
    ws_text_state state;
    bool good = true;
    gathered->rank_warps = true;
    while (good && (state = ws_text_more(text, err)) == WS_TEXT_LINES) {
        const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
        r.end = newline;
        while (r.end > text->at && r.end[-1] == ' ') r.end--;
        good = read_line(&r, newline, err);
        if (good) ws_text_advance(text, newline);
    }
    good = good && state == WS_TEXT_END;
    if (good && gathered->count == 0)
        good = ws_text_fail_expected(text, NULL, "", err,
                                     "at least one line 'MEMTRACE: CTX 0x.. - LAUNCH - ..'");
    free(r.ids);
    return good;
}

bool ws_memtrace_import(const char *source, const char *out, const ws_import_options *options,
                        ws_error *err) {
    return ws_gathered_import(source, out, options, "nvbit mem_trace", ws_memtrace_read, err);
}
