/* Any bytes as the columns of a block, including operand values, decoded without a file around it. The input begins
 * with the size of each column but the last, two bytes each. */
#include "block_statics.h"
#include "memory_file.h"

#include <stdlib.h>

enum { COLUMN_MAX = 1 << 12, CTAS = 8, INSTS_MAX = 3000 };

static volatile uint64_t seen; /* keeps the reads */

static void read_cta(const wst_cta *cta) {
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const ws_warp *warp = &cta->warps[w];
        if (warp->inst_count == 0) continue;
        const uint32_t last = warp->inst_count - 1;
        seen += warp->static_id[last] + warp->mask[last] + warp->uniform[last];
        for (uint32_t a = 0; a < warp->address_at[warp->inst_count]; a++) seen += warp->addresses[a];
        for (uint32_t v = 0; v < warp->value_at[warp->inst_count]; v++) seen += warp->values[v];
    }
}

static void fill_columns(ws_buffer columns[WST_COLUMN_COUNT], const uint8_t *bytes, size_t size) {
    ws_cursor in = ws_cursor_over(bytes, size);
    const uint8_t *sizes = ws_cursor_take(&in, 2 * (WST_COLUMN_COUNT - 1));
    for (int c = 0; sizes && c < WST_COLUMN_COUNT; c++) {
        size_t want =
            c < WST_COLUMN_COUNT - 1 ? (sizes[2 * c] | sizes[2 * c + 1] << 8) % COLUMN_MAX : SIZE_MAX;
        if (want > ws_cursor_left(&in)) want = ws_cursor_left(&in);
        ws_buffer_put(&columns[c], in.at, want);
        in.at += want;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ws_static statics[BLOCK_STATICS];
    const ws_kernel kernels[2] = {
        {.counters = {.warp_instructions = INSTS_MAX, .trace_memory_lines = INSTS_MAX}},
        {.counters = {.warp_instructions = INSTS_MAX, .trace_memory_lines = INSTS_MAX}}};
    const wst_tables tables = {32, BLOCK_STATICS, 2, statics, kernels};
    ws_buffer columns[WST_COLUMN_COUNT] = {0};
    ws_error err = WS_NO_ERROR;
    wst_cta cta = {0};
    block_statics(statics);
    fill_columns(columns, bytes, size);
    wst_decoder *decoder = wst_decoder_new(columns, &tables, 1, true);
    if (!decoder) abort();
    for (int i = 0; i < CTAS && wst_decoder_next(decoder, &cta, &err); i++) read_cta(&cta);
    wst_cta_free(&cta);
    wst_decoder_free(decoder);
    return 0;
}
