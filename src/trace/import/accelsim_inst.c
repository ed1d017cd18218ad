/* Nearly all of an import's time goes to the instruction lines. The text that an instruction prints alike at each
 * execution is remembered (a *known* instruction, found by its pc): a line with that text costs a comparison, and only
 * its mask and its addresses are parsed. Every other line takes the careful path, which also words all errors. */
#include "trace/import/accelsim_inst.h"
#include "trace/words.h"

#include "base/ends.h"
#include "base/room.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = 1 << 14,
    CHAIN_MAX = 64, /* most texts remembered per bucket, so that damaged files do not make it slow */
};
/* Size of the windows of generic addresses that map to shared and to local memory. */
#define WINDOW_B (UINT64_C(1) << 24)

typedef struct known {
    uint32_t pc, source_line;
    uint32_t next; /* in its bucket: index + 1, 0 for none */
    uint32_t body_size, tail_size;
    bool has_addresses, loses_addresses, is_copy, is_marker;
    ws_static fixed;
    uint32_t static_id;           /* with the space of `fixed` */
    uint32_t shared_id, local_id; /* of a generic access that has hit that window, else UINT32_MAX */
    char *text;                   /* body, then tail */
} known;

struct ws_accelsim_insts {
    ws_text *text;
    ws_writer *writer;
    const ws_kernel *kernel;
    ws_accelsim_columns columns;
    ws_losses *losses;
    known *items;
    size_t count, room;
    uint32_t buckets[BUCKETS]; /* by pc: index + 1 */
};

/* ---- known instructions */

static uint32_t *bucket_of(ws_accelsim_insts *insts, uint32_t pc) {
    return &insts->buckets[pc >> 3 & (BUCKETS - 1)];
}

static bool has_prefix(const ws_accelsim_line *line, const char *prefix) {
    return ws_begins_with(line->opcode, line->opcode_length, prefix);
}

static bool intern(ws_accelsim_insts *insts, const ws_accelsim_line *line, known *item, ws_error *err) {
    *item = (known){.fixed = line->fixed, .is_marker = has_prefix(line, "REPLAY_")};
    if (item->is_marker) return true;
    item->is_copy = item->fixed.op != WS_MEMORY_NONE && has_prefix(line, "LDGSTS");
    item->fixed.opcode = ws_writer_opcode(insts->writer, line->opcode, line->opcode_length);
    item->static_id = ws_writer_static(insts->writer, &item->fixed);
    item->shared_id = item->local_id = UINT32_MAX;
    item->loses_addresses = item->fixed.class_ == WS_CLASS_OTHER && line->tail != line->body_end;
    if (item->loses_addresses) ws_losses_opcode(insts->losses, line->opcode, line->opcode_length);
    return item->static_id != UINT32_MAX || ws_no_memory(err);
}

/* Remembers the text of a line, unless it varies or its bucket is full. */
static bool remember(ws_accelsim_insts *insts, const ws_accelsim_line *line, known *item, ws_error *err) {
    uint32_t *bucket = bucket_of(insts, line->fixed.pc), length = 0;
    for (uint32_t at = *bucket; at; at = insts->items[at - 1].next) length++;
    if (line->varies || length >= CHAIN_MAX) return true;
    if (!WS_ROOM_FOR(insts->items, insts->room, insts->count + 1)) return ws_no_memory(err);
    item->pc = line->fixed.pc;
    item->source_line = line->fixed.source_line;
    item->has_addresses = line->tail != line->body_end;
    item->body_size = (uint32_t)(line->body_end - line->body);
    item->tail_size = (uint32_t)(line->line_end + 1 - line->tail);
    item->text = malloc(item->body_size + item->tail_size);
    if (!item->text) return ws_no_memory(err);
    memcpy(item->text, line->body, item->body_size);
    memcpy(item->text + item->body_size, line->tail, item->tail_size);
    item->next = *bucket;
    insts->items[insts->count++] = *item;
    *bucket = (uint32_t)insts->count;
    return true;
}

/* The space that a generic address falls in; `*base` is where that begins. */
static ws_space space_of(const ws_kernel *kernel, uint64_t address, uint64_t *base) {
    *base = kernel->shared_base;
    if (*base && address - *base < WINDOW_B) return WS_SPACE_SHARED;
    *base = kernel->local_base;
    if (*base && address - *base < WINDOW_B) return WS_SPACE_LOCAL;
    *base = 0;
    return WS_SPACE_GENERIC;
}

/* Static index of a generic access that has hit `space`. */
static uint32_t generic_id(ws_accelsim_insts *insts, known *item, ws_space space) {
    uint32_t *id = space == WS_SPACE_SHARED  ? &item->shared_id
                   : space == WS_SPACE_LOCAL ? &item->local_id
                                             : &item->static_id;
    ws_static fixed = item->fixed;
    fixed.space = (uint8_t)space;
    if (*id == UINT32_MAX) *id = ws_writer_static(insts->writer, &fixed);
    return *id;
}

/* Gives a generic access the space of its first lane, and the addresses that LDS or LDL would have: offsets in that
 * space. Lanes in another space keep their addresses. */
static void resolve_generic(ws_accelsim_insts *insts, known *item, ws_accelsim_inst *inst) {
    uint64_t first_base, base;
    ws_space space = space_of(insts->kernel, inst->addresses[0], &first_base);
    unsigned lanes = (unsigned)__builtin_popcount(inst->mask);
    bool mixed = false;
    for (unsigned i = 0; i < lanes; i++) {
        if (space_of(insts->kernel, inst->addresses[i], &base) == space)
            inst->addresses[i] -= first_base;
        else
            mixed = true;
    }
    insts->losses->mixed += mixed;
    inst->static_id = generic_id(insts, item, space);
}

static void complete(ws_accelsim_insts *insts, known *item, ws_accelsim_inst *inst) {
    inst->static_id = item->static_id;
    inst->is_marker = item->is_marker;
    inst->stores_one_value = false;
    inst->is_copy = item->is_copy;
    inst->has_addresses = item->fixed.op != WS_MEMORY_NONE;
    insts->losses->accesses += item->loses_addresses && inst->mask;
    if (item->fixed.space == WS_SPACE_GENERIC && inst->mask) resolve_generic(insts, item, inst);
}

/* ---- instructions */

static inline bool take_space(const char **at) {
    return *(*at)++ == ' ';
}

/* Parses the columns up to and including the mask; false for anything unusual. */
static inline bool scan_start(const ws_accelsim_insts *insts, const char **at, ws_accelsim_inst *inst,
                              uint32_t *source_line, uint64_t *pc) {
    *source_line = 0;
    for (unsigned i = 0; i < insts->columns.position; i++)
        if (!ws_parse_decimal(at, &inst->position[i]) || !take_space(at)) return false;
    if (insts->columns.source_line && (!ws_parse_decimal(at, source_line) || !take_space(at))) return false;
    if (!ws_parse_hex(at, 8, pc) || !take_space(at)) return false;
    uint64_t mask;
    const char *start = *at;
    if (!ws_parse_hex(at, 8, &mask) || *at - start != 8 || !take_space(at)) return false;
    inst->mask = (uint32_t)mask;
    return true;
}

/* Reads the current line if its text is known. */
static bool read_known(ws_accelsim_insts *insts, ws_accelsim_inst *inst) {
    const char *at = insts->text->at, *end = insts->text->end;
    uint32_t source_line;
    uint64_t pc;
    if (!scan_start(insts, &at, inst, &source_line, &pc)) return false;
    for (uint32_t i = *bucket_of(insts, (uint32_t)pc); i; i = insts->items[i - 1].next) {
        known *item = &insts->items[i - 1];
        const char *p = at;
        if (item->pc != pc || item->source_line != source_line ||
            !ws_parse_text(&p, end, item->text, item->body_size))
            continue;
        if (item->has_addresses) {
            if (ws_accelsim_parse_addresses(&p, inst->mask, inst->addresses)) return false;
            if (!ws_parse_text(&p, end, item->text + item->body_size, item->tail_size)) continue;
        }
        complete(insts, item, inst);
        inst->line_end = p - 1;
        return true;
    }
    return false;
}

static void note_drops(ws_losses *losses, const ws_accelsim_line *line) {
    losses->values += (line->drops & WS_DROPS_STORED) != 0;
    losses->registers += (line->drops & WS_DROPS_REGISTERS) != 0;
    losses->bulk += (line->drops & WS_DROPS_BULK) != 0;
    losses->mbarriers |= (line->drops & WS_DROPS_MBARRIER) != 0;
}

static void take_values(const ws_accelsim_line *line, ws_accelsim_inst *inst) {
    inst->stores_one_value = line->stored_values > 0;
    inst->stored_value = line->stored[0];
    for (unsigned i = 1; i < line->stored_values; i++)
        if (line->stored[i] != line->stored[0]) inst->stores_one_value = false;
}

/* Parses the current line in full, and remembers its text. */
static bool read_unknown(ws_accelsim_insts *insts, ws_accelsim_inst *inst, ws_error *err) {
    ws_accelsim_line line;
    ws_accelsim_fault fault;
    known item;
    if (!ws_accelsim_parse_line(insts->text->at, insts->columns, &line, &fault))
        return ws_text_fail_expected(insts->text, fault.at, fault.hint, err, "%s", fault.expected);
    if (!intern(insts, &line, &item, err) || !remember(insts, &line, &item, err)) return false;
    memcpy(inst->position, line.position, sizeof inst->position);
    memcpy(inst->addresses, line.addresses, line.address_count * sizeof *line.addresses);
    inst->mask = line.mask;
    inst->line_end = line.line_end;
    complete(insts, &item, inst);
    note_drops(insts->losses, &line);
    take_values(&line, inst);
    return true;
}

bool ws_accelsim_insts_read(ws_accelsim_insts *insts, ws_accelsim_inst *inst, ws_error *err) {
    return read_known(insts, inst) || read_unknown(insts, inst, err);
}

const char *ws_accelsim_insts_mask_at(const ws_accelsim_insts *insts) {
    unsigned columns = insts->columns.position + (insts->columns.source_line ? 1u : 0u) + 1u;
    const char *at = insts->text->at;
    while (columns-- > 0) at = strchr(at, ' ') + 1;
    return at;
}

ws_accelsim_insts *ws_accelsim_insts_new(ws_text *text, ws_writer *writer, const ws_kernel *kernel,
                                         ws_accelsim_columns columns, ws_losses *losses, ws_error *err) {
    ws_accelsim_insts *insts = calloc(1, sizeof *insts);
    if (!insts) {
        ws_no_memory(err);
        return NULL;
    }
    insts->text = text;
    insts->writer = writer;
    insts->kernel = kernel;
    insts->columns = columns;
    insts->losses = losses;
    return insts;
}

void ws_accelsim_insts_free(ws_accelsim_insts *insts) {
    if (!insts) return;
    for (size_t i = 0; i < insts->count; i++) free(insts->items[i].text);
    free(insts->items);
    free(insts);
}
