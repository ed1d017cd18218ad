/* Body of a grouped file: #BEGIN_TB, "thread block = x,y,z", {"warp = n", "insts = k", k lines}, #END_TB,
 * again and again, with empty lines in between. */
#include "trace/import/accelsim.h"
#include "trace/import/accelsim_inst.h"
#include "trace/words.h"

#include <stdlib.h>
#include <string.h>

typedef struct body {
    ws_text *text;
    ws_writer *writer;
    const ws_kernel *kernel;
    ws_accelsim_columns columns;
    ws_accelsim_insts *insts;
    ws_losses *losses;
    ws_accelsim_shape shape;
    uint32_t position[4]; /* CTA and warp being read */
    uint32_t lanes;       /* mask of the lanes of this warp */
} body;

/* ---- instructions */

static bool wrong_place(const body *b, const ws_accelsim_inst *inst, ws_error *err) {
    if (b->columns.position && memcmp(inst->position, b->position, sizeof b->position) != 0)
        return ws_text_fail_expected(b->text, b->text->at, "", err, "an instruction of CTA %u,%u,%u warp %u",
                                     b->position[0], b->position[1], b->position[2], b->position[3]);
    return ws_text_fail_expected(b->text, ws_accelsim_insts_mask_at(b->insts),
                                 "the block dim has no more threads", err, "an active mask within %08x",
                                 b->lanes);
}

static bool read_instruction(body *b, uint32_t number, uint32_t count, ws_error *err) {
    ws_text *text = b->text;
    ws_accelsim_inst inst;
    char first = *text->at;
    if (first == '\n' || first == '#' || first == 'w' || first == 'i')
        return ws_text_fail_expected(text, text->at, "the insts count is wrong or lines are missing", err,
                                     "instruction %u of %u of warp %u", number, count, b->position[3]);
    if (!ws_accelsim_insts_read(b->insts, &inst, err)) return false;
    bool elsewhere = b->columns.position && memcmp(inst.position, b->position, sizeof b->position) != 0;
    if (elsewhere || inst.mask & ~b->lanes) return wrong_place(b, &inst, err);
    if (!inst.is_marker && !ws_writer_inst_values(b->writer, inst.static_id, inst.mask, inst.addresses,
                                                  inst.stores_one_value, &inst.stored_value, err))
        return ws_fail_prefix(err, "%s:%llu", text->path, (unsigned long long)text->line);
    ws_text_advance(text, inst.line_end);
    return true;
}

/* Makes a line available; at the end of the file, fails and says that `expected` is missing. */
static bool need_line(body *b, ws_error *err, const char *expected) {
    ws_text *text = b->text;
    if (text->at < text->end) return true;
    ws_text_state state = ws_text_more(text, err);
    return state == WS_TEXT_LINES ||
           (state == WS_TEXT_END &&
            ws_text_fail_expected(text, NULL, "the file is cut short", err, "%s", expected));
}

static bool read_instructions(body *b, uint32_t count, ws_error *err) {
    for (uint32_t i = 0; i < count; i++) {
        if (!need_line(b, err, "an instruction line")) return false;
        if (!read_instruction(b, i + 1, count, err)) return false;
    }
    return true;
}

/* ---- warps and CTAs */

static bool skip_empty_lines(body *b, const char *expected, ws_error *err) {
    do {
        if (!need_line(b, err, expected)) return false;
        if (*b->text->at != '\n') return true;
        ws_text_advance(b->text, b->text->at);
    } while (true);
}

/* True if the line starts with `word`; `*at` becomes the position behind it. */
static bool starts_with(const body *b, const char *word, const char **at) {
    *at = b->text->at;
    return ws_parse_text(at, b->text->end, word, strlen(word));
}

/* True if nothing but spaces follows `*at` in the line; `*at` becomes its '\n'. */
static bool line_ends(const char **at) {
    while (**at == ' ') ++*at;
    return **at == '\n';
}

/* Reads a line "key = number". The number must lie between `least` and `most`; `expected` says so in words. */
static bool read_number(body *b, const char *key, uint32_t least, uint32_t most, uint32_t *value,
                        const char *hint, ws_error *err, const char *expected) {
    const char *at;
    if (!need_line(b, err, expected)) return false;
    if (!starts_with(b, key, &at))
        return ws_text_fail_expected(b->text, b->text->at, hint, err, "%s", expected);
    const char *number = at;
    if (!ws_parse_decimal(&at, value) || *value < least || *value > most || !line_ends(&at))
        return ws_text_fail_expected(b->text, number, hint, err, "%s", expected);
    ws_text_advance(b->text, at);
    return true;
}

/* Reads one warp, whose number must be at least `least`. */
static bool read_warp(body *b, uint32_t least, ws_error *err) {
    uint32_t count, *warp = &b->position[3];
    char expected[96];
    snprintf(expected, sizeof expected,
             least ? "'#END_TB' or 'warp = ' and a number below %u, above %u"
                   : "'warp = ' and a number below %u",
             b->shape.warps, least - 1);
    if (!read_number(b, "warp = ", least, b->shape.warps - 1, warp,
                     least ? "warps come once, in ascending order; or the insts count before is wrong" : "",
                     err, expected))
        return false;
    b->lanes = ws_accelsim_lanes(&b->shape, *warp);
    return read_number(b, "insts = ", 0, UINT32_MAX, &count, "", err,
                       "'insts = ' and a number up to 4294967295") &&
           ws_writer_warp(b->writer, *warp, err) && read_instructions(b, count, err);
}

/* Reads the line "thread block = x,y,z" and begins that CTA. */
static bool begin_cta(body *b, ws_error *err) {
    static const char key[] = "thread block = ";
    ws_dim3 grid = b->kernel->grid;
    ws_text *text = b->text;
    ws_dim3 id;
    const char *at;
    if (!starts_with(b, key, &at)) return ws_text_fail_expected(text, text->at, "", err, "'%sx,y,z'", key);
    const char *start = at;
    if (!ws_parse_decimal(&at, &id.x) || *at++ != ',' || !ws_parse_decimal(&at, &id.y) || *at++ != ',' ||
        !ws_parse_decimal(&at, &id.z) || !line_ends(&at))
        return ws_text_fail_expected(text, start, "", err, "%sx,y,z", key);
    if (id.x >= grid.x || id.y >= grid.y || id.z >= grid.z)
        return ws_text_fail_expected(text, start, "", err, "a CTA inside the grid of (%u,%u,%u)", grid.x,
                                     grid.y, grid.z);
    if (!ws_writer_cta(b->writer, id, err))
        return ws_fail_prefix(err, "%s:%llu", text->path, (unsigned long long)text->line);
    memcpy(b->position, (uint32_t[]){id.x, id.y, id.z}, 3 * sizeof *b->position);
    ws_text_advance(text, at);
    return true;
}

/* Reads the lines that say which cluster the CTA belongs to; only version 6 prints them. */
static bool read_cluster(body *b, ws_error *err) {
    const char *at;
    while (need_line(b, err, "'warp = ..' or '#END_TB'")) {
        uint32_t rank;
        if (!starts_with(b, "cluster ", &at)) return true;
        if (starts_with(b, "cluster rank = ", &at)) {
            if (!read_number(b, "cluster rank = ", 0, UINT32_MAX, &rank, "", err,
                             "'cluster rank = ' and a number up to 4294967295"))
                return false;
            b->losses->clusters |= rank > 0;
        } else {
            ws_text_advance(b->text, memchr(at, '\n', (size_t)(b->text->end - at)));
        }
    }
    return false;
}

/* Reads one CTA, whose #BEGIN_TB has been read. */
static bool read_cta(body *b, ws_error *err) {
    uint32_t least = 0;
    const char *at;
    if (!skip_empty_lines(b, "'thread block = x,y,z'", err) || !begin_cta(b, err) || !read_cluster(b, err))
        return false;
    for (;;) {
        if (!skip_empty_lines(b, "'warp = ..' or '#END_TB'", err)) return false;
        if (starts_with(b, "#END_TB", &at) && line_ends(&at)) break;
        if (!read_warp(b, least, err)) return false;
        least = b->position[3] + 1;
    }
    ws_text_advance(b->text, at);
    return true;
}

/* Moves to the next #BEGIN_TB and past it; false at the end of the file, or with `*good` cleared. */
static bool next_cta(body *b, bool *good, ws_error *err) {
    ws_text *text = b->text;
    const char *at;
    for (;;) {
        if (text->at == text->end) {
            ws_text_state state = ws_text_more(text, err);
            *good = state != WS_TEXT_ERROR;
            if (state != WS_TEXT_LINES) return false;
        }
        if (*text->at != '\n') break;
        ws_text_advance(text, text->at);
    }
    *good = starts_with(b, "#BEGIN_TB", &at) && line_ends(&at);
    if (!*good) {
        ws_text_fail_expected(text, text->at, "", err, "'#BEGIN_TB' or the end of the file");
        return false;
    }
    ws_text_advance(text, at);
    return true;
}

static bool read_ctas(body *b, ws_error *err) {
    bool good;
    uint64_t count = 0;
    for (; next_cta(b, &good, err); count++)
        if (!read_cta(b, err)) return false;
    if (good && count == 0)
        return ws_text_fail_expected(b->text, NULL, "the file is cut short", err,
                                     "at least one CTA ('#BEGIN_TB'), or an instruction of a raw trace");
    return good;
}

static void body_free(body *b) {
    ws_accelsim_insts_free(b->insts);
    free(b);
}

bool ws_accelsim_read_grouped(ws_text *text, const ws_accelsim_header *header, ws_writer *writer,
                              ws_losses *losses, ws_error *err) {
    const ws_kernel *kernel = &header->kernel;
    body *b = calloc(1, sizeof *b);
    if (!b) return ws_no_memory(err);
    b->text = text;
    b->writer = writer;
    b->kernel = kernel;
    b->losses = losses;
    b->columns = ws_accelsim_columns_of(header, false);
    b->shape = ws_accelsim_shape_of(kernel);
    b->insts = ws_accelsim_insts_new(text, writer, kernel, b->columns, losses, err);
    bool good = b->insts && read_ctas(b, err);
    body_free(b);
    return good;
}
