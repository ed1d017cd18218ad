/* Encodes CTAs as the columns of a block (block.h); decode.c is the counterpart. */
#include "base/room.h"
#include "trace/wst/block.h"
#include "trace/wst/site.h"
#include "trace/wst/value.h"

#include <stdlib.h>

struct wst_encoder {
    ws_buffer column[WST_COLUMN_COUNT];
    uint32_t warp_size;

    /* Sites of this block; `site_of` maps a static instruction to its site, 0 = not yet (site 0 is the
     * start). */
    wst_sites sites;
    uint32_t *site_of;
    size_t site_of_room;
    bool failed;

    uint32_t previous; /* site of the previous instruction */
    uint64_t mask;     /* its mask; 0 at a warp's start */
    uint32_t warp;     /* serial number of the warp within the block, from 1 */
    uint64_t flow_run, mask_run, address_run;
    wst_value_encoder values;

    /* The CTA in progress: its warps go to the layout column when it ends. */
    uint32_t cta_count, first_kernel, kernel;
    uint64_t linear;
    ws_buffer warps;
    uint32_t warp_count, warp_id, warp_insts;
    uint64_t insts;
    uint64_t cta_insts, cta_addresses, cta_values;
};

wst_encoder *wst_encoder_new(uint32_t warp_size) {
    wst_encoder *e = calloc(1, sizeof *e);
    if (e) e->warp_size = warp_size;
    return e;
}

void wst_encoder_free(wst_encoder *e) {
    if (!e) return;
    for (int c = 0; c < WST_COLUMN_COUNT; c++) ws_buffer_free(&e->column[c]);
    ws_buffer_free(&e->warps);
    wst_value_encoder_free(&e->values);
    free(e->sites.at);
    free(e->site_of);
    free(e);
}

/* ---- layout */

static void begin_block(wst_encoder *e, uint32_t kernel) {
    for (int c = 0; c < WST_COLUMN_COUNT; c++) e->column[c].size = 0;
    e->first_kernel = e->kernel = kernel;
    e->linear = UINT64_MAX; /* the first CTA is predicted to be number 0 */
    if (!wst_sites_add(&e->sites, UINT32_MAX)) e->failed = true;
}

void wst_encoder_cta(wst_encoder *e, uint32_t kernel, uint64_t linear) {
    if (e->cta_count == 0) begin_block(e, kernel);
    ws_buffer *layout = &e->column[WST_COLUMN_LAYOUT];
    ws_buffer_put_varint(layout, kernel - e->kernel);
    if (kernel != e->kernel) e->linear = UINT64_MAX;
    ws_buffer_put_varint(layout, ws_zigzag((int64_t)(linear - (e->linear + 1))));
    e->kernel = kernel;
    e->linear = linear;
    e->cta_count++;
    e->warp_count = 0;
    e->warps.size = 0;
    e->cta_insts = e->cta_addresses = e->cta_values = 0;
}

static void end_warp(wst_encoder *e) {
    if (e->warp_count) ws_buffer_put_varint(&e->warps, e->warp_insts);
    e->warp_insts = 0;
}

void wst_encoder_warp(wst_encoder *e, uint32_t id) {
    end_warp(e);
    ws_buffer_put_varint(&e->warps, e->warp_count ? id - e->warp_id - 1 : id);
    e->warp_id = id;
    e->warp_count++;
    e->warp++;
    e->previous = WST_SITE_START;
    e->mask = 0;
    wst_operands_begin_warp(&e->values.known);
}

void wst_encoder_end_cta(wst_encoder *e) {
    end_warp(e);
    ws_buffer_put_varint(&e->column[WST_COLUMN_LAYOUT], e->warp_count);
    ws_buffer_put(&e->column[WST_COLUMN_LAYOUT], e->warps.data, e->warps.size);
}

/* ---- addresses */

/* True if the addresses are base + lane * stride; sets both. A single active lane fits any stride: the site's own is
 * taken. */
static bool find_affine(uint64_t mask, const uint64_t *addresses, uint64_t site_stride, uint64_t *base,
                        uint64_t *stride) {
    unsigned lane = (unsigned)__builtin_ctzll(mask);
    uint64_t first = addresses[0], step = site_stride;
    uint64_t rest = mask & (mask - 1);
    *base = first - lane * step;
    *stride = step;
    if (!rest) return true;

    unsigned gap = (unsigned)__builtin_ctzll(rest) - lane;
    int64_t difference = (int64_t)(addresses[1] - first);
    if (gap == 1)
        step = (uint64_t)difference;
    else if (difference % (int64_t)gap == 0)
        step = (uint64_t)(difference / (int64_t)gap);
    else
        return false;

    uint64_t origin = first - lane * step;
    unsigned count = (unsigned)__builtin_popcountll(mask);
    if ((mask >> lane) + 1 == (UINT64_C(1) << (count & 63)) || count == WS_LANES_MAX) { /* contiguous lanes */
        uint64_t wrong = 0;
        for (unsigned i = 1; i < count; i++) wrong |= addresses[i] ^ (first + i * step);
        if (wrong) return false;
    } else {
        const uint64_t *address = addresses + 1;
        for (; rest; rest &= rest - 1)
            if (*address++ != origin + (unsigned)__builtin_ctzll(rest) * step) return false;
    }
    *base = origin;
    *stride = step;
    return true;
}

static void put_list(wst_encoder *e, const uint64_t *addresses, unsigned count, unsigned scale) {
    ws_buffer *lane = &e->column[WST_COLUMN_LANE];
    for (unsigned i = 1; i < count; i++) {
        int64_t difference = (int64_t)(addresses[i] - addresses[i - 1]);
        ws_buffer_put_varint(lane, ws_zigzag(difference / (int64_t)scale));
    }
}

static bool list_is_scaled(const uint64_t *addresses, unsigned count) {
    uint64_t odd = 0;
    for (unsigned i = 1; i < count; i++) odd |= addresses[i] - addresses[0];
    return odd % WST_LIST_SCALE_B == 0;
}

static void put_addresses(wst_encoder *e, wst_site *site, uint64_t mask, const uint64_t *addresses) {
    uint64_t base, stride;
    unsigned code = 0, count = (unsigned)__builtin_popcountll(mask);
    bool affine = find_affine(mask, addresses, site->stride, &base, &stride);
    if (!affine) {
        base = addresses[0];
        code = WST_ADDRESS_LIST | (list_is_scaled(addresses, count) ? WST_ADDRESS_SCALED : 0);
    } else if (stride != site->stride) {
        code = WST_ADDRESS_STRIDE;
    }
    uint64_t predicted = wst_course_predict(&site->base, e->warp);
    if (base != predicted) code |= WST_ADDRESS_BASE;

    if (code == 0) {
        e->address_run++;
    } else {
        ws_buffer *column = &e->column[WST_COLUMN_ADDRESS];
        ws_buffer_put_varint(&e->column[WST_COLUMN_ADDRESS_RUN], e->address_run);
        e->address_run = 0;
        ws_buffer_put_varint(column, code);
        if (code & WST_ADDRESS_STRIDE) ws_buffer_put_varint(column, ws_zigzag((int64_t)stride));
        if (code & WST_ADDRESS_BASE) ws_buffer_put_varint(column, ws_zigzag((int64_t)(base - predicted)));
        if (code & WST_ADDRESS_LIST)
            put_list(e, addresses, count, code & WST_ADDRESS_SCALED ? WST_LIST_SCALE_B : 1);
    }
    if (affine) site->stride = stride;
    wst_course_update(&site->base, e->warp, base);
}

/* ---- instructions */

/* Site of a static instruction; `*is_new` if this is its first use in the block. 0 when memory ran out. */
static uint32_t find_site(wst_encoder *e, uint32_t static_id, bool *is_new) {
    if (!WS_ZEROED_ROOM_FOR(e->site_of, e->site_of_room, static_id + 1)) return 0;
    *is_new = e->site_of[static_id] == 0;
    if (*is_new) {
        if (!wst_sites_add(&e->sites, static_id)) return 0;
        e->site_of[static_id] = e->sites.count - 1;
    }
    return e->site_of[static_id];
}

void wst_encoder_inst(wst_encoder *e, uint32_t static_id, uint64_t mask, const uint64_t *addresses) {
    bool is_new;
    uint32_t site_index = find_site(e, static_id, &is_new);
    if (!site_index) {
        e->failed = true;
        return;
    }
    wst_site *site = &e->sites.at[site_index], *previous = &e->sites.at[e->previous];

    if (previous->next == site_index) {
        e->flow_run++;
    } else {
        ws_buffer_put_varint(&e->column[WST_COLUMN_FLOW_RUN], e->flow_run);
        ws_buffer_put_varint(&e->column[WST_COLUMN_FLOW], site_index);
        if (is_new) ws_buffer_put_varint(&e->column[WST_COLUMN_FLOW], static_id);
        e->flow_run = 0;
        previous->next = site_index;
    }

    if (wst_site_predict_mask(site, e->mask) == mask) {
        e->mask_run++;
    } else {
        ws_buffer_put_varint(&e->column[WST_COLUMN_MASK_RUN], e->mask_run);
        ws_buffer_put(&e->column[WST_COLUMN_MASK], &mask, e->warp_size / 8);
        e->mask_run = 0;
    }
    wst_site_update_mask(site, e->mask, mask);

    if (addresses && mask) {
        put_addresses(e, site, mask, addresses);
        e->cta_addresses += (unsigned)__builtin_popcountll(mask);
    }
    e->previous = site_index;
    e->mask = mask;
    e->warp_insts++;
    e->cta_insts++;
    e->insts++;
}

void wst_encoder_values(wst_encoder *e, uint32_t static_id, const ws_static *s, uint32_t uniform,
                        const uint64_t *values) {
    wst_value_encoder_inst(&e->values, e->column, static_id, s, uniform, values);
    e->cta_values += (unsigned)__builtin_popcount(uniform);
}

/* ---- the block as a whole */

uint32_t wst_encoder_cta_count(const wst_encoder *e) {
    return e->cta_count;
}
uint32_t wst_encoder_first_kernel(const wst_encoder *e) {
    return e->first_kernel;
}

static size_t raw_size(const wst_encoder *e) {
    size_t bytes = 0;
    for (int c = 0; c < WST_COLUMN_COUNT; c++) bytes += e->column[c].size;
    return bytes;
}

bool wst_encoder_is_full(const wst_encoder *e) {
    return raw_size(e) >= WST_BLOCK_RAW_B || e->insts >= WST_BLOCK_INSTS;
}

const char *wst_encoder_excess(const wst_encoder *e) {
    if (e->cta_insts > WST_CTA_INSTS_MAX) return "2^24 warp instructions";
    if (e->cta_addresses > WST_CTA_ADDRESSES_MAX) return "2^26 addresses";
    if (e->cta_values > WST_CTA_VALUES_MAX) return "2^25 operand values";
    if (raw_size(e) > WST_BLOCK_RAW_MAX_B) return "512 MiB when encoded";
    return NULL;
}

static void reset(wst_encoder *e) {
    for (uint32_t s = 1; s < e->sites.count; s++) e->site_of[e->sites.at[s].static_id] = 0;
    e->sites.count = 0;
    e->flow_run = e->mask_run = e->address_run = 0;
    wst_value_encoder_reset(&e->values);
    e->warp = 0;
    e->cta_count = 0;
    e->insts = 0;
}

/* A last run of right predictions is not stored: the decoder takes the end of a run column as an endless run. */
bool wst_encoder_finish(wst_encoder *e, const ws_buffer **columns) {
    bool ok = !e->failed && !e->warps.failed && !e->values.failed;
    for (int c = 0; c < WST_COLUMN_COUNT; c++) ok = ok && !e->column[c].failed;
    *columns = e->column;
    reset(e);
    return ok;
}
