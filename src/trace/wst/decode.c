/* Decodes the CTAs of a block (block.h), the counterpart of encode.c. It trusts nothing: all that it reads is
 * checked against the format's bounds, the tables and the launches' counters. */
#include "base/pair.h"
#include "base/room.h"
#include "trace/wst/block.h"
#include "trace/wst/run.h"
#include "trace/wst/site.h"
#include "trace/wst/value.h"

#include <stdlib.h>

/* The one error text that does not mean damage; recognized by its address. */
static const char no_memory[] = "out of memory";

struct wst_decoder {
    ws_buffer column[WST_COLUMN_COUNT];
    ws_cursor layout, flow, mask_column, address, lane;
    wst_run flow_run, mask_run, address_run;

    wst_tables tables;
    uint64_t lanes; /* mask of all lanes */

    wst_sites sites;
    uint32_t warp, kernel;
    uint64_t linear;

    /* What the block may still hold of its current launch, by the launch's counters. */
    uint64_t launch_insts, launch_addresses;
    uint64_t insts; /* of the block's CTAs so far */

    bool with_values;
    wst_value_decoder values;
};

/* Begins launch `kernel`, whose counters bound what this block may hold of it. */
static void begin_kernel(wst_decoder *d, uint32_t kernel) {
    const ws_counters *c = &d->tables.kernels[kernel - 1].counters;
    d->kernel = kernel;
    d->linear = UINT64_MAX;
    d->launch_insts = c->warp_instructions + c->meta_instructions;
    d->launch_addresses = (c->trace_memory_lines + c->meta_instructions) * d->tables.warp_size;
}

wst_decoder *wst_decoder_new(ws_buffer *columns, const wst_tables *tables, uint32_t kernel,
                             bool with_values) {
    wst_decoder *d = calloc(1, sizeof *d);
    if (!d || !wst_sites_add(&d->sites, UINT32_MAX)) {
        free(d);
        return NULL;
    }
    for (int c = 0; c < WST_COLUMN_COUNT; c++) {
        d->column[c] = columns[c];
        columns[c] = (ws_buffer){0};
    }
#define CURSOR(c) ws_cursor_over(d->column[c].data, d->column[c].size)
    d->layout = CURSOR(WST_COLUMN_LAYOUT);
    d->flow = CURSOR(WST_COLUMN_FLOW);
    d->mask_column = CURSOR(WST_COLUMN_MASK);
    d->address = CURSOR(WST_COLUMN_ADDRESS);
    d->lane = CURSOR(WST_COLUMN_LANE);
#undef CURSOR
    d->flow_run = wst_run_over(&d->column[WST_COLUMN_FLOW_RUN]);
    d->mask_run = wst_run_over(&d->column[WST_COLUMN_MASK_RUN]);
    d->address_run = wst_run_over(&d->column[WST_COLUMN_ADDRESS_RUN]);
    d->with_values = with_values;
    wst_value_decoder_init(&d->values, d->column);
    d->tables = *tables;
    d->lanes = tables->warp_size == 64 ? ~UINT64_C(0) : (UINT64_C(1) << tables->warp_size) - 1;
    begin_kernel(d, kernel);
    return d;
}

void wst_decoder_free(wst_decoder *d) {
    if (!d) return;
    for (int c = 0; c < WST_COLUMN_COUNT; c++) ws_buffer_free(&d->column[c]);
    wst_value_decoder_free(&d->values);
    free(d->sites.at);
    free(d);
}

void wst_cta_free(wst_cta *cta) {
    free(cta->warps);
    free(cta->static_id);
    free(cta->mask);
    free(cta->address_at);
    free(cta->addresses);
    free(cta->uniform);
    free(cta->value_at);
    free(cta->values);
    *cta = (wst_cta){0};
}

/* ---- room for a CTA */

/* Makes room for `insts` instructions, and `ats` offsets in all. One element more than needed: warps without
 * instructions, or without accesses, point into the arrays too. */
static bool reserve_insts(wst_cta *cta, size_t insts, size_t ats) {
    size_t room = cta->inst_room;
    if (!WS_ROOM_FOR(cta->addresses, cta->address_room, 1)) return false;
    if (!WS_ROOM_FOR(cta->static_id, room, insts + 1)) return false;
    if (!WS_ROOM_FOR(cta->mask, cta->inst_room, insts + 1)) return false;
    return WS_ROOM_FOR(cta->address_at, cta->at_room, ats);
}

enum { ADDRESSES_AT_ONCE = 8 };

/* Makes room for the addresses of one more instruction, and for some more, as several are written at a time. */
static inline bool reserve_addresses(wst_cta *cta, size_t addresses) {
    size_t need = addresses + WS_LANES_MAX + ADDRESSES_AT_ONCE;
    return WS_ROOM_FOR(cta->addresses, cta->address_room, need);
}

/* ---- addresses */

/* The number of equal bytes at the cursor that are a varint each: up to eight; 0 if fewer bytes are left. */
static unsigned equal_steps(const ws_cursor *lane) {
    uint64_t word;
    if (ws_cursor_left(lane) < sizeof word) return 0;
    memcpy(&word, lane->at, sizeof word);
    uint64_t differs = (word ^ *lane->at * UINT64_C(0x0101010101010101)) | (word & 0x80);
    return differs ? (unsigned)__builtin_ctzll(differs) / 8 : ADDRESSES_AT_ONCE;
}

/* Lanes often follow one another in equal steps for a while, as those of a tile's row do. These are written eight at a
 * time, so that up to seven addresses more are written; others in fours, lest each lane is asked for a run. */
static bool read_list(wst_decoder *d, uint64_t *out, unsigned count, uint64_t first, unsigned scale) {
    enum { RUN_MIN = 4 };
    ws_cursor lane = d->lane; /* a copy, which compilers keep in registers */
    uint64_t *end = out + count, at = first;
    for (*out++ = at; out < end;) {
        unsigned left = (unsigned)(end - out), run = equal_steps(&lane);
        if (run < RUN_MIN) {
            for (unsigned i = left < RUN_MIN ? left : RUN_MIN; i; i--)
                *out++ = at += (uint64_t)ws_unzigzag(ws_cursor_varint_of_any_size(&lane)) * scale;
            continue;
        }
        if (run > left) run = left;
        uint64_t step = (uint64_t)ws_unzigzag(*lane.at) * scale;
        ws_pair pair = {at + step, at + 2 * step}, two = {2 * step, 2 * step};
        for (unsigned i = 0; i < ADDRESSES_AT_ONCE; i += 2, pair += two) *(ws_pair_in *)(out + i) = pair;
        at += run * step;
        out += run;
        lane.at += run;
    }
    d->lane = lane;
    return !lane.failed;
}

/* Writes base + lane * stride for each lane of `mask`; contiguous lanes four at a time, so that up to three addresses
 * more are written. */
static void expand_affine(uint64_t *out, uint64_t mask, uint64_t base, uint64_t stride) {
    unsigned lane = (unsigned)__builtin_ctzll(mask), count = (unsigned)__builtin_popcountll(mask);
    uint64_t first = base + lane * stride;
    if ((mask >> lane) + 1 == (UINT64_C(1) << (count & 63)) || count == WS_LANES_MAX) {
        ws_pair at = {first, first + stride}, half = {2 * stride, 2 * stride}, step = half + half;
        for (unsigned i = 0; i < count; i += 4, at += step) {
            *(ws_pair_in *)(out + i) = at;
            *(ws_pair_in *)(out + i + 2) = at + half;
        }
    } else {
        for (; mask; mask &= mask - 1) *out++ = base + (unsigned)__builtin_ctzll(mask) * stride;
    }
}

/* Reads the addresses of one instruction into `out` (room for WS_LANES_MAX). */
static bool read_addresses(wst_decoder *d, wst_site *site, uint64_t mask, uint64_t *out) {
    uint64_t base = wst_course_predict(&site->base, d->warp);
    uint64_t code = 0;
    if (!wst_run_step(&d->address_run)) {
        code = ws_cursor_varint(&d->address);
        if (code & WST_ADDRESS_STRIDE) site->stride = (uint64_t)ws_unzigzag(ws_cursor_varint(&d->address));
        if (code & WST_ADDRESS_BASE) base += (uint64_t)ws_unzigzag(ws_cursor_varint(&d->address));
        if (d->address.failed || code == 0 || code > 15) return false;
    }
    wst_course_update(&site->base, d->warp, base);
    if (code & WST_ADDRESS_LIST)
        return read_list(d, out, (unsigned)__builtin_popcountll(mask), base,
                         code & WST_ADDRESS_SCALED ? WST_LIST_SCALE_B : 1);
    expand_affine(out, mask, base, site->stride);
    return true;
}

/* ---- instructions */

/* Reads the site that follows where the prediction failed; WST_SITE_START on damage. False if out of memory. */
static bool read_flow(wst_decoder *d, uint32_t *next) {
    uint64_t site = ws_cursor_varint(&d->flow);
    *next = WST_SITE_START;
    if (site == d->sites.count) {
        uint64_t static_id = ws_cursor_varint(&d->flow);
        const bool there = !d->flow.failed && static_id < d->tables.static_count;
        if (!there || d->sites.count > d->tables.static_count) return true;
        if (!wst_sites_add(&d->sites, (uint32_t)static_id)) return false;
        d->sites.at[site].has_addresses = d->tables.statics[static_id].op != WS_MEMORY_NONE;
    }
    if (!d->flow.failed && site < d->sites.count) *next = (uint32_t)site;
    return true;
}

static const char *read_mask(wst_decoder *d, uint64_t *mask) {
    const void *bytes = ws_cursor_take(&d->mask_column, d->tables.warp_size / 8);
    if (!bytes) return "a mask is missing";
    *mask = 0;
    memcpy(mask, bytes, d->tables.warp_size / 8);
    return *mask & ~d->lanes ? "a mask with more lanes than the warp" : NULL;
}

/* How far a CTA has been read, in numbers of instructions, offsets and addresses; and of its present warp: where its
 * addresses begin, and the site and mask of the latest instruction. */
typedef struct position {
    size_t insts, ats, addresses, first_address;
    uint32_t previous;
    uint64_t mask;
} position;

/* Appends the next `count` instructions of a warp, for which there is room but for their addresses. Returns what is
 * wrong, or NULL. */
static const char *read_insts(wst_decoder *d, wst_cta *cta, position *p, uint32_t count) {
    uint32_t *static_ids = cta->static_id + p->insts, *address_at = cta->address_at + p->ats;
    uint64_t *masks = cta->mask + p->insts, mask = p->mask;
    uint32_t previous = p->previous;
    size_t addresses = p->addresses;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = d->sites.at[previous].next;
        if (!wst_run_step(&d->flow_run)) {
            if (!read_flow(d, &index)) return no_memory;
            d->sites.at[previous].next = index;
        }
        if (index == WST_SITE_START) return "an instruction that does not exist";

        wst_site *site = &d->sites.at[index];
        uint64_t incoming = mask;
        mask = wst_site_predict_mask(site, incoming);
        const char *wrong = wst_run_step(&d->mask_run) ? NULL : read_mask(d, &mask);
        if (wrong) return wrong;
        wst_site_update_mask(site, incoming, mask);

        static_ids[i] = site->static_id;
        masks[i] = mask;
        address_at[i] = (uint32_t)(addresses - p->first_address);
        if (mask && site->has_addresses) {
            if (!reserve_addresses(cta, addresses)) return no_memory;
            if (!read_addresses(d, site, mask, cta->addresses + addresses)) return "an address is missing";
            addresses += (size_t)__builtin_popcountll(mask);
            if (addresses > WST_CTA_ADDRESSES_MAX) return "more addresses than a CTA may have";
            if (addresses > d->launch_addresses) return "more addresses than its launch has";
        }
        previous = index;
    }
    p->insts += count;
    p->ats += count;
    p->addresses = addresses;
    p->previous = previous;
    p->mask = mask;
    return NULL;
}

/* Instructions for which room is made at a time: a damaged block may claim very many. */
enum { INSTS_AT_ONCE = 1024 };

/* Appends one warp's instructions to `cta`, and advances `p`. Returns what is wrong, or NULL. */
static const char *read_warp(wst_decoder *d, wst_cta *cta, const ws_warp *warp, position *p) {
    const char *wrong = NULL;
    p->previous = WST_SITE_START;
    p->mask = 0;
    p->first_address = p->addresses;
    for (uint32_t left = warp->inst_count, count; !wrong && left; left -= count) {
        count = left < INSTS_AT_ONCE ? left : INSTS_AT_ONCE;
        wrong =
            reserve_insts(cta, p->insts + count, p->ats + count) ? read_insts(d, cta, p, count) : no_memory;
    }
    if (wrong) return wrong;
    if (!reserve_insts(cta, p->insts + 1, p->ats + 1)) return no_memory;
    cta->address_at[p->ats++] = (uint32_t)(p->addresses - p->first_address);
    return NULL;
}

/* Appends the operand values of a warp whose instructions and offsets `cta` holds from `inst` and `at` on. `values` is
 * the number in use, and is advanced. As above, arrays have one element more than needed. */
static const char *read_values(wst_decoder *d, wst_cta *cta, const ws_warp *warp, size_t inst, size_t at,
                               size_t *values) {
    const size_t first_value = *values;
    wst_operands_begin_warp(&d->values.known);
    if (!WS_ROOM_FOR(cta->values, cta->value_room, 1) ||
        !WS_ROOM_FOR(cta->uniform, cta->uniform_room, inst + warp->inst_count + 1) ||
        !WS_ROOM_FOR(cta->value_at, cta->value_at_room, at + warp->inst_count + 1))
        return no_memory;
    for (uint32_t i = 0; i < warp->inst_count; i++, inst++) {
        const ws_static *s = &d->tables.statics[cta->static_id[inst]];
        cta->value_at[at++] = (uint32_t)(*values - first_value);
        cta->uniform[inst] = 0;
        if (!cta->mask[inst] || !wst_operand_count(s)) continue;
        if (!WS_ROOM_FOR(cta->values, cta->value_room, *values + WS_OPERANDS_MAX)) return no_memory;
        int count = wst_value_decoder_inst(&d->values, cta->static_id[inst], s, &cta->uniform[inst],
                                           cta->values + *values);
        if (count < 0) return d->values.failed ? no_memory : "an operand's value is missing";
        *values += (size_t)count;
        if (*values > WST_CTA_VALUES_MAX) return "more values than a CTA may have";
    }
    cta->value_at[at] = (uint32_t)(*values - first_value);
    return NULL;
}

/* Sets the warps' pointers, once the CTA is complete: arrays may move while they grow. */
static void point_warps(wst_cta *cta, bool with_values) {
    size_t insts = 0, ats = 0, addresses = 0, values = 0;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        ws_warp *warp = &cta->warps[w];
        warp->static_id = cta->static_id + insts;
        warp->mask = cta->mask + insts;
        warp->address_at = cta->address_at + ats;
        warp->addresses = cta->addresses + addresses;
        addresses += warp->address_at[warp->inst_count];
        if (with_values) {
            warp->uniform = cta->uniform + insts;
            warp->value_at = cta->value_at + ats;
            warp->values = cta->values + values;
            values += warp->value_at[warp->inst_count];
        }
        insts += warp->inst_count;
        ats += warp->inst_count + 1;
    }
}

static const char *read_layout(wst_decoder *d, wst_cta *cta) {
    uint64_t kernels = ws_cursor_varint(&d->layout);
    int64_t skipped = ws_unzigzag(ws_cursor_varint(&d->layout));
    uint64_t warps = ws_cursor_varint(&d->layout);
    if (d->layout.failed || kernels > d->tables.kernel_count - d->kernel || warps > WS_CTA_WARPS_MAX)
        return "no CTA here";
    if (d->insts >= WST_BLOCK_INSTS) return "more CTAs than a block may have";
    if (kernels) begin_kernel(d, d->kernel + (uint32_t)kernels);
    cta->kernel = d->kernel;
    cta->linear = d->linear += (uint64_t)skipped + 1;
    cta->warp_count = (uint32_t)warps;
    if (!WS_ROOM_FOR(cta->warps, cta->warp_room, warps)) return no_memory;

    uint64_t id = 0, insts = 0; /* id: the lowest that may come next */
    for (uint32_t w = 0; w < cta->warp_count; w++, id++) {
        const uint64_t skip = ws_cursor_varint(&d->layout), count = ws_cursor_varint(&d->layout);
        /* The skip is compared, as a sum might wrap around to a number that has been. */
        if (d->layout.failed || skip >= WS_CTA_WARPS_MAX - id) return "a warp number out of range";
        id += skip;
        if (count > WST_CTA_INSTS_MAX || (insts += count) > WST_CTA_INSTS_MAX)
            return "more instructions than a CTA may have";
        cta->warps[w] = (ws_warp){.id = (uint32_t)id, .inst_count = (uint32_t)count};
    }
    if (insts > d->launch_insts) return "more instructions than its launch has";
    d->launch_insts -= insts;
    d->insts += insts;
    return NULL;
}

bool wst_decoder_next(wst_decoder *d, wst_cta *cta, ws_error *err) {
    const char *wrong = read_layout(d, cta);
    position at = {0};
    size_t values = 0;
    for (uint32_t w = 0; !wrong && w < cta->warp_count; w++) {
        const size_t first_inst = at.insts, first_at = at.ats;
        d->warp++;
        wrong = read_warp(d, cta, &cta->warps[w], &at);
        if (!wrong && d->with_values)
            wrong = read_values(d, cta, &cta->warps[w], first_inst, first_at, &values);
    }
    if (wrong == no_memory) return ws_fail(err, WS_ERROR_MEMORY, "%s", wrong);
    if (wrong) return ws_fail(err, WS_ERROR_DAMAGED, "damaged block: %s", wrong);
    d->launch_addresses -= at.addresses;
    point_warps(cta, d->with_values);
    return true;
}
