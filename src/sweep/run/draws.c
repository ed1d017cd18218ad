#include "sweep/run/draws.h"

#include <math.h>
#include <stdlib.h>

static int by_work(const void *a_, const void *b_) {
    const ws_pass *a = *(const ws_pass *const *)a_, *b = *(const ws_pass *const *)b_;
    return a->work == b->work ? (a > b) - (a < b) : a->work < b->work ? -1 : 1;
}

/* Fills in the passes that can run. */
static void sort_passes(ws_draws *d, const ws_plan *plan, const ws_pass **sorted) {
    for (size_t i = 0; i < plan->pass_count; i++)
        if (plan->passes[i].refused < plan->passes[i].count) sorted[d->count++] = &plan->passes[i];
    qsort(sorted, d->count, sizeof *sorted, by_work);
    double sum = 0;
    for (size_t i = 0; i < d->count; i++) {
        d->passes[i] = (size_t)(sorted[i] - plan->passes);
        d->sums[i] = sum += sorted[i]->work;
    }
}

bool ws_draws_init(ws_draws *d, const ws_plan *plan, ws_error *err) {
    *d = (ws_draws){.passes = calloc(plan->pass_count + 1, sizeof *d->passes),
                    .sums = calloc(plan->pass_count + 1, sizeof *d->sums)};
    const ws_pass **sorted = calloc(plan->pass_count + 1, sizeof *sorted);
    bool ok = d->passes && d->sums && sorted;
    if (ok) sort_passes(d, plan, sorted);
    free(sorted);
    return ok || ws_no_memory(err);
}

void ws_draws_free(ws_draws *d) {
    free(d->passes);
    free(d->sums);
}

size_t ws_draw(const ws_draws *d, uint32_t k) {
    static const double golden = 0.618033988749895; /* multiples of it are spread evenly in [0, 1) (Weyl) */
    double place = fmod((k + 1) * golden, 1) * d->sums[d->count - 1];
    size_t first = 0, last = d->count - 1;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (d->sums[middle] > place)
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}
