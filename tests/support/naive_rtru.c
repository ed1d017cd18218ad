#include "naive.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* The number of instructions of each warp, counted in the trace itself. */
static uint64_t *count_instructions(const ws_trace *trace, const ws_kernel *kernel, uint32_t warps,
                                    bool meta) {
    ws_error err = WS_NO_ERROR;
    uint64_t *counts = calloc((size_t)kernel->counters.ctas * warps + 1, sizeof *counts);
    ws_reader *reader = ws_reader_new(trace, &err);
    assert_non_null(counts);
    assert_non_null(reader);
    for (uint32_t c = 0; c < kernel->counters.ctas; c++) {
        ws_cta cta;
        assert_true(ws_reader_cta(reader, kernel->index, c, &cta, &err));
        for (uint32_t w = 0; w < cta.warp_count; w++)
            for (uint32_t i = 0; i < cta.warps[w].inst_count; i++)
                if (meta || ws_trace_statics(trace)[cta.warps[w].static_id[i]].class_ != WS_CLASS_META)
                    counts[(size_t)c * warps + cta.warps[w].id]++;
    }
    ws_reader_free(reader);
    return counts;
}

static uint64_t longest_of(const uint64_t *times, uint32_t warps) {
    uint64_t longest = 0;
    for (uint32_t w = 0; w < warps; w++) longest = times[w] > longest ? times[w] : longest;
    return longest;
}

double naive_rtru_of(const uint64_t *times, uint32_t warps) {
    double longest = (double)longest_of(times, warps), wasted = 0;
    for (uint32_t w = 0; w < warps; w++) wasted += longest - (double)times[w];
    return longest > 0 ? wasted / (warps * longest) : 0;
}

/* Goes through all warps for each bin. Bins are (a, a + bin]; the first one ends at 0 and holds warps without
 * instructions. */
static void print_histogram(const uint64_t *counts, size_t warps, int64_t bin, FILE *out) {
    int64_t most = 0;
    for (size_t i = 0; i < warps; i++) most = (int64_t)counts[i] > most ? (int64_t)counts[i] : most;
    for (int64_t a = -bin; a < most; a += bin) {
        int64_t members = 0;
        for (size_t i = 0; i < warps; i++) members += (int64_t)counts[i] > a && (int64_t)counts[i] <= a + bin;
        if (members > 0)
            fprintf(out, "0 2 %lld %lld %lld\n", (long long)a, (long long)(a + bin), (long long)members);
    }
}

naive_divergence naive_rtru(const ws_trace *trace, uint32_t index, uint32_t ctas, uint32_t warps, bool meta,
                            int64_t bin, int64_t chosen) {
    const ws_kernel *kernel = ws_trace_kernel(trace, index);
    uint64_t *counts = count_instructions(trace, kernel, warps, meta);
    naive_divergence d = {0};
    size_t size;
    FILE *out = open_memstream(&d.rows, &size);
    assert_non_null(out);
    double product = 1, most = -1, wasted_all = 0, held_all = 0;
    uint32_t most_at = 0;
    for (uint32_t c = 0; c < ctas; c++) {
        const uint64_t *times = &counts[(size_t)c * warps];
        uint64_t longest = longest_of(times, warps), wasted = 0;
        for (uint32_t w = 0; w < warps; w++) wasted += longest - times[w];
        fprintf(out, "0 1 %u %u %llu %llu\n", c, warps, (unsigned long long)longest,
                (unsigned long long)wasted);
        double rtru = naive_rtru_of(times, warps);
        if (rtru > most) most = rtru, most_at = c;
        if (longest == 0) continue;
        d.ctas++;
        d.mean += rtru;
        wasted_all += (double)wasted;
        held_all += (double)longest * warps;
        if (rtru > 0) product *= rtru; /* tests have so few CTAs that this does not underflow */
        if (rtru == 0) d.even++;
    }
    d.mean /= d.ctas;
    d.geomean = d.ctas > d.even ? pow(product, 1.0 / (double)(d.ctas - d.even)) : 0;
    d.most = most > 0 ? most : 0;
    d.weighted = wasted_all / held_all;
    if (chosen < 0) chosen = most_at;
    for (uint32_t w = 0; chosen < (int64_t)ctas && w < warps; w++) {
        unsigned long long count = counts[(size_t)chosen * warps + w];
        fprintf(out, "0 3 %lld %u 0 %llu %llu fidelity_order_has_no_L1\n", (long long)chosen, w, count,
                count);
    }
    print_histogram(counts, (size_t)ctas * warps, bin, out);
    fclose(out);
    free(counts);
    return d;
}
