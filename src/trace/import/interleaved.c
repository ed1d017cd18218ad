/* Stores an instruction as a record: static index, mask, form, then base and stride, or base and differences; then the
 * value that it stores, if known. */
#include "trace/import/interleaved.h"

#include "base/buffer.h"

enum { FORM_NONE, FORM_STRIDE, FORM_LIST };
enum { VARINT_B = 10, RECORD_B = (4 + WS_LANES_MAX) * VARINT_B };
_Static_assert((int)RECORD_B <= (int)WS_SPILL_RECORD_MAX, "an instruction is a record");

static uint8_t *put_varint(uint8_t *at, uint64_t value) {
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static bool has_one_stride(const uint64_t *addresses, unsigned count) {
    for (unsigned i = 2; i < count; i++)
        if (addresses[i] - addresses[i - 1] != addresses[1] - addresses[0]) return false;
    return true;
}

static uint8_t *put_addresses(uint8_t *at, const uint64_t *addresses, unsigned count) {
    bool affine = has_one_stride(addresses, count);
    unsigned steps = affine && count > 2 ? 2 : count;
    *at++ = affine ? FORM_STRIDE : FORM_LIST;
    for (unsigned i = 0; i < steps; i++)
        at = put_varint(at, i ? ws_zigzag((int64_t)(addresses[i] - addresses[i - 1])) : addresses[0]);
    return at;
}

bool ws_interleaved_put(ws_spill *spill, const ws_interleaved_inst *inst, ws_error *err) {
    uint8_t bytes[RECORD_B], *at = bytes;
    at = put_varint(at, inst->static_id);
    at = put_varint(at, inst->mask);
    if (inst->addresses)
        at = put_addresses(at, inst->addresses, (unsigned)__builtin_popcountll(inst->mask));
    else
        *at++ = FORM_NONE;
    if (inst->stored_value) at = put_varint(at, *inst->stored_value);
    return ws_spill_add(spill, inst->warp, bytes, (size_t)(at - bytes), err);
}

static void get_addresses(ws_cursor *in, bool affine, uint64_t *addresses, unsigned count) {
    uint64_t step = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i == 0) {
            addresses[0] = ws_cursor_varint(in);
            continue;
        }
        if (!affine || i == 1) step = (uint64_t)ws_unzigzag(ws_cursor_varint(in));
        addresses[i] = addresses[i - 1] + step;
    }
}

typedef struct visitor {
    ws_interleaved_visit *visit;
    void *context;
} visitor;

static bool visit_record(void *context, ws_spill_key key, const void *record, size_t size, ws_error *err) {
    const visitor *v = context;
    uint64_t addresses[WS_LANES_MAX];
    ws_cursor in = ws_cursor_over(record, size);
    ws_interleaved_inst inst = {.warp = key, .static_id = (uint32_t)ws_cursor_varint(&in)};
    inst.mask = ws_cursor_varint(&in);
    uint64_t form = ws_cursor_varint(&in);
    if (form != FORM_NONE) {
        get_addresses(&in, form == FORM_STRIDE, addresses, (unsigned)__builtin_popcountll(inst.mask));
        inst.addresses = addresses;
    }
    uint64_t value;
    if (in.at < in.end) {
        value = ws_cursor_varint(&in);
        inst.stored_value = &value;
    }
    if (in.failed) return ws_fail(err, WS_ERROR_IO, "a temporary file was changed while it was in use");
    return v->visit(v->context, &inst, err);
}

bool ws_interleaved_read(ws_spill *spill, ws_interleaved_visit *visit, void *context, ws_error *err) {
    return ws_spill_read(spill, visit_record, &(visitor){visit, context}, err);
}
