/* Any bytes as a native trace: header, index and blocks. plain_store.c makes checksums of changed bytes match. */
#include "memory_file.h"

#include "trace/wst/format.h"

enum { INSTS_MAX = 3000 };

/* Reads the last CTA of each launch, the last launch first, so that the reader must jump. */
static void read_backwards(const ws_trace *trace) {
    ws_error err = WS_NO_ERROR;
    ws_cta cta;
    ws_reader *reader = ws_reader_new(trace, &err);
    for (uint32_t k = ws_trace_get_info(trace)->kernel_count; reader && k > 0; k--) {
        uint64_t ctas = ws_trace_kernel(trace, k)->counters.ctas;
        if (ctas > 0 && ctas <= UINT32_MAX) ws_reader_cta(reader, k, (uint32_t)ctas - 1, &cta, &err);
    }
    ws_reader_free(reader);
}

/* What is predicted correctly takes no bytes, so a small input may hold very many instructions; checking it would only
 * take time. */
static bool is_small(const ws_trace *trace) {
    const ws_counters totals = ws_trace_totals(trace);
    return totals.warp_instructions + totals.meta_instructions <= INSTS_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = ws_trace_open(memory_file(bytes, size), &err);
    if (!trace) return 0;
    if (is_small(trace)) {
        ws_trace_check(trace, &err);
        read_backwards(trace);
    }
    ws_trace_close(trace);
    return 0;
}
