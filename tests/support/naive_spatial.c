#include "naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS, WARPS, CTAS, REGISTERS, SHARED, RESOURCES };
static const char *const names[RESOURCES] = {"threads", "warps", "ctas", "registers", "shared_B"};

/* Whether a CTA alone on the SM may need more of the resource than there is. */
static bool may_exceed(const ws_sm_params *sm, int resource, int64_t before) {
    if (!sm->oversized_ctas) return false;
    return (resource == REGISTERS && before == sm->registers) ||
           (resource == SHARED && before == sm->shared_B);
}

/* Takes what one CTA needs out of `left`, unit by unit. Returns false, and names what ran out, if that is too much. */
static bool place(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm,
                  int64_t left[RESOURCES], char *ran_out) {
    int64_t before[RESOURCES], unit = sm->register_unit ? sm->register_unit : 1;
    memcpy(before, left, sizeof before);
    left[CTAS]--;
    left[SHARED] -= kernel->shared_B;
    int64_t threads = (int64_t)kernel->block.x * kernel->block.y * kernel->block.z;
    for (; threads > 0; threads -= warp_size) {
        left[WARPS]--;
        for (uint32_t lane = 0; lane < warp_size; lane++) {
            left[THREADS]--;
            for (int64_t r = 0; r < kernel->registers_per_thread; r += unit) left[REGISTERS] -= unit;
        }
    }
    for (int r = 0; r < RESOURCES; r++) {
        if (left[r] < 0 && may_exceed(sm, r, before[r])) left[r] = 0;
        if (left[r] >= 0) continue;
        if (*ran_out) strcat(ran_out, "+");
        strcat(ran_out, names[r]);
    }
    return *ran_out == 0;
}

/* The number of CTAs that fit if there is plenty of all resources but one; -1 if a CTA takes nothing of that one. */
static int64_t alone(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm, int resource,
                     int64_t have) {
    for (int64_t ctas = 0, plenty = INT64_C(1) << 40;; ctas++) {
        char ran_out[64] = "";
        int64_t left[RESOURCES] = {plenty, plenty, plenty, plenty, plenty};
        left[resource] = have;
        if (!place(kernel, warp_size, sm, left, ran_out)) return ctas;
        if (left[resource] == have) return -1; /* never runs out */
        have = left[resource];
    }
}

char *naive_spatial(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm) {
    static const char unknown[] = "the_trace_does_not_say_how_many_registers_a_thread_has";
    const int64_t have[RESOURCES] = {sm->threads, sm->warps, sm->ctas, sm->registers, sm->shared_B};
    int64_t left[RESOURCES], taken[RESOURCES] = {0};
    memcpy(left, have, sizeof left);
    char ran_out[64] = "", *text = NULL;
    int64_t ctas = 0;
    for (; place(kernel, warp_size, sm, left, ran_out); ctas++)
        for (int r = 0; r < RESOURCES; r++) taken[r] = have[r] - left[r];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    bool known = kernel->registers_per_thread > 0;
    if (known)
        fprintf(out, "0 0 %lld %s", (long long)ctas, ran_out);
    else
        fprintf(out, "0 0 %s %s", unknown, unknown);
    fprintf(out, " %lld", (long long)alone(kernel, warp_size, sm, THREADS, have[THREADS]));
    fprintf(out, " %lld", (long long)alone(kernel, warp_size, sm, WARPS, have[WARPS]));
    if (known)
        fprintf(out, " %lld", (long long)alone(kernel, warp_size, sm, REGISTERS, have[REGISTERS]));
    else
        fprintf(out, " %s", unknown);
    if (kernel->shared_B > 0)
        fprintf(out, " %lld", (long long)alone(kernel, warp_size, sm, SHARED, have[SHARED]));
    else
        fputs(" the_kernel_needs_no_shared_memory", out);
    static const int shares[] = {THREADS, WARPS, REGISTERS, SHARED};
    for (int i = 0; i < 4; i++) {
        if (known)
            fprintf(out, " %lld", (long long)taken[shares[i]]);
        else
            fprintf(out, " %s", unknown);
        fprintf(out, " %lld", (long long)have[shares[i]]);
    }
    fputc('\n', out);
    fclose(out);
    return text;
}
