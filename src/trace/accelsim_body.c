/* Body of a grouped file: #BEGIN_TB, "thread block = x,y,z", {"warp = n", "insts = k", k lines}, #END_TB,
 * again and again, with empty lines in between.
 *
 * Nearly all of the time goes to the instruction lines. What an instruction prints at each execution alike is
 * kept as text (a *known* instruction, found by its pc), and a line whose text agrees costs a comparison;
 * only its mask and its addresses are parsed. Every line that does not agree takes the careful path, which
 * also words all errors. */
#include "trace/accelsim.h"
#include "trace/names.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = 1 << 14,
    CHAIN_MAX = 64,      /* texts remembered per bucket: damaged files shall not make it slow */
    PAGE_CTAS = 1 << 15, /* CTAs per page of `seen` */
};
/* Size of the windows through which generic addresses reach shared and local memory. */
#define WINDOW_B (UINT64_C(1) << 24)

typedef struct known {
    uint32_t pc, source_line;
    uint32_t next; /* in its bucket: index + 1, 0 for none */
    uint32_t body_size, tail_size;
    bool has_addresses;
    ws_static fixed;
    uint32_t static_id;           /* with the space of `fixed` */
    uint32_t shared_id, local_id; /* of a generic access that met that window, else UINT32_MAX */
    char *text;                   /* body, then tail */
} known;

typedef struct body {
    ws_text *text;
    ws_writer *writer;
    const ws_kernel *kernel;
    ws_accelsim_columns columns;
    uint32_t warps_per_cta;
    uint32_t last_warp_lanes; /* mask of the lanes that the block's last warp has */
    uint32_t position[4];     /* CTA and warp being read */
    uint32_t lanes;           /* mask of the lanes of this warp */
    uint64_t **seen;          /* pages of bits: CTAs that have come */
    known *items;
    size_t count, room;
    uint32_t buckets[BUCKETS]; /* by pc: index + 1 */
} body;

/* ---- known instructions */

static uint32_t *bucket_of(body *b, uint32_t pc) {
    return &b->buckets[pc >> 3 & (BUCKETS - 1)];
}

static bool intern(body *b, const ws_accelsim_line *line, known *item, ws_error *err) {
    item->fixed = line->fixed;
    item->fixed.opcode = ws_writer_opcode(b->writer, line->opcode, line->opcode_length);
    item->static_id = ws_writer_static(b->writer, &item->fixed);
    item->shared_id = item->local_id = UINT32_MAX;
    return item->static_id != UINT32_MAX || ws_fail(err, WS_ERROR_MEMORY, "out of memory");
}

/* Remembers the text of a line, unless it varies or its bucket is full. */
static bool remember(body *b, const ws_accelsim_line *line, known *item, ws_error *err) {
    uint32_t *bucket = bucket_of(b, line->fixed.pc), length = 0;
    for (uint32_t at = *bucket; at; at = b->items[at - 1].next) length++;
    if (line->has_store_data || length >= CHAIN_MAX) return true;
    if (b->count == b->room) {
        size_t room = b->room ? b->room * 2 : 256;
        known *items = realloc(b->items, room * sizeof *items);
        if (!items) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
        b->items = items;
        b->room = room;
    }
    item->pc = line->fixed.pc;
    item->source_line = line->fixed.source_line;
    item->has_addresses = line->tail != line->body_end;
    item->body_size = (uint32_t)(line->body_end - line->body);
    item->tail_size = (uint32_t)(line->line_end + 1 - line->tail);
    item->text = malloc(item->body_size + item->tail_size);
    if (!item->text) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    memcpy(item->text, line->body, item->body_size);
    memcpy(item->text + item->body_size, line->tail, item->tail_size);
    item->next = *bucket;
    b->items[b->count++] = *item;
    *bucket = (uint32_t)b->count;
    return true;
}

/* Static index of a generic access, by where its first lane goes. */
static uint32_t resolve_generic(body *b, known *item, uint64_t address) {
    const ws_kernel *kernel = b->kernel;
    uint32_t *id = &item->static_id;
    ws_static fixed = item->fixed;
    if (kernel->shared_base && address - kernel->shared_base < WINDOW_B) {
        id = &item->shared_id;
        fixed.space = WS_SPACE_SHARED;
    } else if (kernel->local_base && address - kernel->local_base < WINDOW_B) {
        id = &item->local_id;
        fixed.space = WS_SPACE_LOCAL;
    }
    if (*id == UINT32_MAX) *id = ws_writer_static(b->writer, &fixed);
    return *id;
}

static bool write_inst(body *b, known *item, uint32_t mask, const uint64_t *addresses, ws_error *err) {
    uint32_t id = item->static_id;
    if (item->fixed.space == WS_SPACE_GENERIC && mask) id = resolve_generic(b, item, addresses[0]);
    return ws_writer_inst(b->writer, id, mask, addresses, err);
}

/* ---- instructions */

static bool match(const char **at, const char *end, const char *text, size_t size) {
    if ((size_t)(end - *at) < size || memcmp(*at, text, size) != 0) return false;
    *at += size;
    return true;
}

static inline bool take_space(const char **at) {
    return *(*at)++ == ' ';
}

/* The columns up to the mask; false for anything unusual. */
static inline bool scan_start(const body *b, const char **at, uint32_t *source_line, uint64_t *pc,
                              uint64_t *mask) {
    *source_line = 0;
    for (unsigned i = 0; b->columns.position && i < 4; i++) {
        uint32_t value;
        if (!ws_parse_decimal(at, &value) || value != b->position[i] || !take_space(at)) return false;
    }
    if (b->columns.source_line && (!ws_parse_decimal(at, source_line) || !take_space(at))) return false;
    if (!ws_parse_hex(at, 8, pc) || !take_space(at)) return false;
    const char *start = *at;
    return ws_parse_hex(at, 8, mask) && *at - start == 8 && take_space(at) && !(*mask & ~(uint64_t)b->lanes);
}

typedef enum outcome { DONE, UNKNOWN, FAILED } outcome;

/* The line at hand, if its text is known. */
static outcome read_known(body *b, ws_error *err) {
    ws_text *text = b->text;
    const char *at = text->at;
    uint32_t source_line;
    uint64_t pc, mask, addresses[WS_SASS_LANES];
    if (!scan_start(b, &at, &source_line, &pc, &mask)) return UNKNOWN;
    for (uint32_t i = *bucket_of(b, (uint32_t)pc); i; i = b->items[i - 1].next) {
        known *item = &b->items[i - 1];
        const char *p = at;
        if (item->pc != pc || item->source_line != source_line ||
            !match(&p, text->end, item->text, item->body_size))
            continue;
        if (item->has_addresses) {
            if (ws_accelsim_parse_addresses(&p, (uint32_t)mask, addresses)) return UNKNOWN;
            if (!match(&p, text->end, item->text + item->body_size, item->tail_size)) continue;
        }
        if (!write_inst(b, item, (uint32_t)mask, addresses, err)) return FAILED;
        ws_text_advance(text, p - 1);
        return DONE;
    }
    return UNKNOWN;
}

static bool check_line(const body *b, const ws_accelsim_line *line, ws_error *err) {
    const ws_text *text = b->text;
    if (b->columns.position && memcmp(line->position, b->position, sizeof line->position) != 0)
        return ws_text_expected(text, text->at, "", err, "an instruction of CTA %u,%u,%u warp %u",
                                b->position[0], b->position[1], b->position[2], b->position[3]);
    if (line->mask & ~b->lanes)
        return ws_text_expected(text, line->body - 9, "the block dim has no more threads", err,
                                "an active mask within %08x", b->lanes);
    return true;
}

/* The line at hand, whatever it is. */
static bool read_unknown(body *b, uint32_t number, uint32_t count, ws_error *err) {
    ws_text *text = b->text;
    ws_accelsim_line line;
    ws_accelsim_fault fault;
    char first = *text->at;
    if (first == '\n' || first == '#' || first == 'w' || first == 'i')
        return ws_text_expected(text, text->at, "the insts count is wrong or lines are missing", err,
                                "instruction %u of %u of warp %u", number, count, b->position[3]);
    if (!ws_accelsim_parse_line(text->at, b->columns, &line, &fault))
        return ws_text_expected(text, fault.at, fault.hint, err, "%s", fault.expected);
    known item;
    if (!check_line(b, &line, err) || !intern(b, &line, &item, err) || !remember(b, &line, &item, err))
        return false;
    if (!write_inst(b, &item, line.mask, line.addresses, err)) return false;
    ws_text_advance(text, line.line_end);
    return true;
}

/* True where a line is at hand; at the end of the file fails and says that `expected` is missing. */
static bool need_line(body *b, ws_error *err, const char *expected) {
    ws_text *text = b->text;
    if (text->at < text->end) return true;
    ws_text_state state = ws_text_more(text, err);
    return state == WS_TEXT_LINES ||
           (state == WS_TEXT_END &&
            ws_text_expected(text, NULL, "the file is cut short", err, "%s", expected));
}

static bool read_instructions(body *b, uint32_t count, ws_error *err) {
    for (uint32_t i = 0; i < count; i++) {
        if (!need_line(b, err, "an instruction line")) return false;
        outcome result = read_known(b, err);
        if (result == FAILED || (result == UNKNOWN && !read_unknown(b, i + 1, count, err))) return false;
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

/* The line starts with `word`, and nothing but spaces follow behind `*at`, which becomes its '\n'. */
static bool starts_with(const body *b, const char *word, const char **at) {
    *at = b->text->at;
    return match(at, b->text->end, word, strlen(word));
}

static bool line_ends(const char **at) {
    while (**at == ' ') ++*at;
    return **at == '\n';
}

/* "key = number". `least` and `most` bound it; `expected` words both. */
static bool read_number(body *b, const char *key, uint32_t least, uint32_t most, uint32_t *value,
                        const char *hint, ws_error *err, const char *expected) {
    const char *at;
    if (!need_line(b, err, expected)) return false;
    if (!starts_with(b, key, &at)) return ws_text_expected(b->text, b->text->at, hint, err, "%s", expected);
    const char *number = at;
    if (!ws_parse_decimal(&at, value) || *value < least || *value > most || !line_ends(&at))
        return ws_text_expected(b->text, number, hint, err, "%s", expected);
    ws_text_advance(b->text, at);
    return true;
}

/* One warp, whose number must be at least `least`. */
static bool read_warp(body *b, uint32_t least, ws_error *err) {
    uint32_t count, *warp = &b->position[3];
    char expected[96];
    snprintf(expected, sizeof expected,
             least ? "'#END_TB' or 'warp = ' and a number below %u, above %u"
                   : "'warp = ' and a number below %u",
             b->warps_per_cta, least - 1);
    if (!read_number(b, "warp = ", least, b->warps_per_cta - 1, warp,
                     least ? "warps come once, in ascending order; or the insts count before is wrong" : "",
                     err, expected))
        return false;
    b->lanes = *warp == b->warps_per_cta - 1 ? b->last_warp_lanes : UINT32_MAX;
    return read_number(b, "insts = ", 0, UINT32_MAX, &count, "", err, "'insts = ' and a number") &&
           ws_writer_warp(b->writer, *warp, err) && read_instructions(b, count, err);
}

/* Marks the CTA as seen; `*again` tells whether it was before. */
static bool mark_seen(body *b, ws_dim3 id, bool *again, ws_error *err) {
    ws_dim3 grid = b->kernel->grid;
    uint64_t linear = id.x + (uint64_t)grid.x * (id.y + (uint64_t)grid.y * id.z);
    uint64_t **page = &b->seen[linear / PAGE_CTAS], bit = UINT64_C(1) << linear % 64;
    if (!*page) *page = calloc(PAGE_CTAS / 64, sizeof **page);
    if (!*page) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    uint64_t *word = &(*page)[linear % PAGE_CTAS / 64];
    *again = *word & bit;
    *word |= bit;
    return true;
}

/* "thread block = x,y,z" */
static bool read_position(body *b, ws_dim3 *id, ws_error *err) {
    static const char key[] = "thread block = ";
    ws_dim3 grid = b->kernel->grid;
    ws_text *text = b->text;
    const char *at;
    bool again = false;
    if (!starts_with(b, key, &at)) return ws_text_expected(text, text->at, "", err, "'%sx,y,z'", key);
    const char *start = at;
    if (!ws_parse_decimal(&at, &id->x) || *at++ != ',' || !ws_parse_decimal(&at, &id->y) || *at++ != ',' ||
        !ws_parse_decimal(&at, &id->z) || !line_ends(&at))
        return ws_text_expected(text, start, "", err, "%sx,y,z", key);
    if (id->x >= grid.x || id->y >= grid.y || id->z >= grid.z)
        return ws_text_expected(text, start, "", err, "a CTA inside the grid of (%u,%u,%u)", grid.x, grid.y,
                                grid.z);
    if (!mark_seen(b, *id, &again, err)) return false;
    if (again)
        return ws_text_expected(text, start, "each CTA comes once", err, "a CTA that has not come before");
    memcpy(b->position, (uint32_t[]){id->x, id->y, id->z}, 3 * sizeof *b->position);
    ws_text_advance(text, at);
    return true;
}

/* One CTA, from behind its #BEGIN_TB. */
static bool read_cta(body *b, ws_error *err) {
    ws_dim3 id;
    uint32_t least = 0;
    const char *at;
    if (!skip_empty_lines(b, "'thread block = x,y,z'", err) || !read_position(b, &id, err) ||
        !ws_writer_cta(b->writer, id, err))
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
        ws_text_expected(text, text->at,
                         ws_is_digit(*text->at) ? "raw .trace files must be grouped first" : "", err,
                         "'#BEGIN_TB' or the end of the file");
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
        return ws_text_expected(b->text, NULL, "the file is cut short", err,
                                "at least one CTA ('#BEGIN_TB')");
    return good;
}

static void body_free(body *b) {
    for (uint64_t i = 0; b->seen && i <= ws_dim3_count(b->kernel->grid) / PAGE_CTAS; i++) free(b->seen[i]);
    for (size_t i = 0; i < b->count; i++) free(b->items[i].text);
    free(b->seen);
    free(b->items);
    free(b);
}

bool ws_accelsim_read_body(ws_text *text, const ws_accelsim_header *header, ws_writer *writer,
                           ws_error *err) {
    const ws_kernel *kernel = &header->kernel;
    body *b = calloc(1, sizeof *b);
    if (!b) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    uint32_t threads = (uint32_t)ws_dim3_count(kernel->block), rest = threads % WS_SASS_LANES;
    b->text = text;
    b->writer = writer;
    b->kernel = kernel;
    b->columns = ws_accelsim_grouped_columns(header);
    b->warps_per_cta = (threads + WS_SASS_LANES - 1) / WS_SASS_LANES;
    b->last_warp_lanes = rest ? (UINT32_C(1) << rest) - 1 : UINT32_MAX;
    b->seen = calloc(ws_dim3_count(kernel->grid) / PAGE_CTAS + 1, sizeof *b->seen);
    bool good = b->seen ? read_ctas(b, err) : ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    body_free(b);
    return good;
}
