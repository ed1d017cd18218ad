/* The trace checker: decodes everything, computes digest and counters again, and compares them with those in the
 * file. */
#include "base/number_set.h"
#include "trace/content.h"
#include "trace/names.h"

#include <stdlib.h>
#include <string.h>

static void add_warp(const ws_trace *t, const ws_warp *warp, const uint64_t *static_digest, ws_digest *digest,
                     ws_counters *counters) {
    const ws_static *statics = ws_trace_statics(t);
    ws_warp_account account = {0};
    counters->warps++;
    ws_digest_word(digest, UINT64_C(1) << 63 | warp->id);
    for (uint32_t i = 0; i < warp->inst_count; i++) {
        const ws_static *s = &statics[warp->static_id[i]];
        const uint64_t *addresses = warp->addresses + warp->address_at[i];
        uint32_t count = warp->address_at[i + 1] - warp->address_at[i];
        ws_counters_inst(counters, &account, s, warp->mask[i], addresses);
        ws_digest_word(digest, static_digest[warp->static_id[i]]);
        ws_digest_word(digest, warp->mask[i]);
        for (uint32_t a = 0; a < count; a++) ws_digest_word(digest, addresses[a]);
        if (warp->mask[i] && (s->result_values || s->source_values))
            ws_digest_values(digest, warp->uniform[i], warp->values + warp->value_at[i]);
    }
}

static bool is_new(const ws_trace *t, const ws_kernel *k, ws_dim3 cta, ws_number_set *ctas, ws_error *err) {
    bool again;
    if (!ws_number_set_add(ctas, ws_dim3_linear(k->grid, cta), &again)) return ws_no_memory(err);
    return !again ||
           ws_fail(err, WS_ERROR_TRACE, "%s: launch %u: expected each CTA once, found CTA %u,%u,%u again",
                   ws_trace_path(t), k->index, cta.x, cta.y, cta.z);
}

static bool check_cta(const ws_trace *t, const ws_kernel *k, const ws_cta *cta, const uint64_t *static_digest,
                      ws_digest *digest, ws_counters *counters, ws_error *err) {
    uint32_t warp_size = ws_trace_get_info(t)->warp_size;
    uint64_t warps = (ws_dim3_count(k->block) + warp_size - 1) / warp_size;
    counters->ctas++;
    ws_digest_word(digest, ws_dim3_linear(k->grid, cta->id));
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        if (cta->warps[w].id >= warps)
            return ws_fail(
                err, WS_ERROR_TRACE, "%s: launch %u, CTA %u: expected warps below %llu, found warp %u",
                ws_trace_path(t), k->index, cta->ordinal, (unsigned long long)warps, cta->warps[w].id);
        add_warp(t, &cta->warps[w], static_digest, digest, counters);
    }
    return true;
}

static bool check_counters(const ws_trace *t, const ws_kernel *k, const ws_counters *found, ws_error *err) {
#define X(name, unit, help)                                                                                  \
    if (k->counters.name != found->name)                                                                     \
        return ws_fail(err, WS_ERROR_TRACE, "%s: launch %u: expected %llu " #name ", found %llu",            \
                       ws_trace_path(t), k->index, (unsigned long long)k->counters.name,                     \
                       (unsigned long long)found->name);
    WS_COUNTERS(X)
#undef X
    return true;
}

static bool check_kernel(const ws_trace *t, ws_reader *reader, const ws_kernel *k,
                         const uint64_t *static_digest, ws_digest *digest, ws_error *err) {
    ws_counters found = {0};
    ws_number_set ctas = {0};
    ws_cta cta;
    bool ok = true;
    ws_digest_kernel(digest, k);
    for (uint32_t i = 0; ok && i < k->counters.ctas; i++)
        ok = ws_reader_cta(reader, k->index, i, &cta, err) && is_new(t, k, cta.id, &ctas, err) &&
             check_cta(t, k, &cta, static_digest, digest, &found, err);
    ws_number_set_free(&ctas);
    return ok && check_counters(t, k, &found, err);
}

static void digest_memcpys(const ws_trace *t, uint32_t before, uint32_t *next, ws_digest *digest) {
    for (; *next < ws_trace_get_info(t)->memcpy_count; ++*next) {
        const ws_memcpy *copy = ws_trace_memcpy(t, *next);
        if (copy->before_kernel != before) return;
        ws_digest_memcpy(digest, copy);
    }
}

/* Checks the selected launches alone. The digest covers all launches, so there is none to compare. */
static bool check_some(const ws_trace *t, ws_reader *reader, const ws_selection *kernels,
                       const uint64_t *static_digest, ws_digest *digest, ws_error *err) {
    for (uint32_t i = 1; i <= ws_trace_get_info(t)->kernel_count; i++) {
        const ws_kernel *k = ws_trace_kernel(t, i);
        if (ws_selection_has(kernels, i, k->name, k->short_name) &&
            !check_kernel(t, reader, k, static_digest, digest, err))
            return false;
    }
    return true;
}

static bool check_content(const ws_trace *t, ws_reader *reader, const uint64_t *static_digest,
                          ws_digest *digest, ws_error *err) {
    const ws_trace_info *info = ws_trace_get_info(t);
    uint32_t memcpys = 0;
    ws_digest_text(digest, info->isa);
    ws_digest_word(digest, info->warp_size);
    for (uint32_t k = 1; k <= info->kernel_count; k++) {
        digest_memcpys(t, k, &memcpys, digest);
        if (!check_kernel(t, reader, ws_trace_kernel(t, k), static_digest, digest, err)) return false;
    }
    digest_memcpys(t, info->kernel_count + 1, &memcpys, digest);
    ws_digest_features(digest, info->features, ws_trace_statics(t), info->static_count);

    uint8_t bytes[16];
    char text[33];
    ws_digest_finish(digest, bytes);
    for (int i = 0; i < 16; i++) snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    if (strcmp(text, info->digest) != 0)
        return ws_fail(err, WS_ERROR_TRACE, "%s: expected content digest %s, found %s", ws_trace_path(t),
                       info->digest, text);
    return true;
}

bool ws_trace_check(const ws_trace *t, ws_error *err) {
    return ws_trace_check_kernels(t, NULL, err);
}

bool ws_trace_check_kernels(const ws_trace *t, const ws_selection *kernels, ws_error *err) {
    const ws_trace_info *info = ws_trace_get_info(t);
    if (info->programs > 1)
        return ws_fail(err, WS_ERROR_INTERNAL, "%s: joined traces are checked one by one", ws_trace_path(t));
    const ws_static *statics = ws_trace_statics(t);
    uint64_t *static_digest = calloc(info->static_count + 1, sizeof *static_digest);
    ws_digest *digest = ws_digest_new();
    ws_reader *reader = ws_reader_new(t, err);
    bool ok = static_digest && digest && reader;
    if (!ok) ws_no_memory(err);
    if (info->features & WS_FEATURE_VALUES) ok = ok && ws_reader_with_values(reader, err);
    for (uint32_t s = 0; ok && s < info->static_count; s++)
        static_digest[s] = ws_static_digest(&statics[s], ws_trace_opcode(t, statics[s].opcode));
    ok = ok && (kernels ? check_some(t, reader, kernels, static_digest, digest, err)
                        : check_content(t, reader, static_digest, digest, err));
    ws_reader_free(reader);
    ws_digest_free(digest);
    free(static_digest);
    return ok;
}
