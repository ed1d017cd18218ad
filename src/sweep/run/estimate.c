#include "sweep/run/estimate.h"

#include "sweep/run/crew.h"

#include <math.h>
#include <stdlib.h>

enum { PARTS = 6, SAMPLES = PARTS + 1 };
static const double sample_limit_s = 30;

/* ---- size */

/* Measured bytes of a parameter of a configuration, in its column and in its JSON; of a point with its key, its run and
 * its place in the sweep; of a row besides its cells; of a cell. */
enum { PARAMETER_B = 28, POINT_B = 130, ROW_B = 10, CELL_B = 3 };
/* Of a database without points: of the tables that each has; of a table of the analysis, a page at least; of a column,
 * a ratio or a parameter, which `metric` and the views name. */
enum { EMPTY_B = 75000, TABLE_B = 4096, NAME_B = 350 };

static uint64_t config_bytes(const ws_plan *plan) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < plan->spec->component_count; i++)
        bytes += PARAMETER_B * plan->spec->components[i]->param_count;
    return bytes * plan->combo_count;
}

uint64_t ws_estimate_bytes(const ws_plan *plan) {
    const ws_table *first = plan->spec->analysis->tables[0];
    return (POINT_B + ROW_B + CELL_B * first->column_count) * (uint64_t)plan->point_count +
           config_bytes(plan);
}

uint64_t ws_estimate_empty_bytes(const ws_plan *plan) {
    uint64_t bytes = EMPTY_B;
    for (const ws_table *const *t = plan->spec->analysis->tables; *t; t++)
        bytes += TABLE_B + NAME_B * ((*t)->column_count + (*t)->ratio_count);
    for (size_t i = 0; i < plan->spec->component_count; i++)
        bytes += NAME_B * plan->spec->components[i]->param_count;
    return bytes;
}

static size_t most_columns(const ws_plan *plan) {
    size_t most = 0;
    for (const ws_table *const *t = plan->spec->analysis->tables; *t; t++)
        if ((*t)->column_count > most) most = (*t)->column_count;
    return most;
}

/* ---- samples */

typedef struct tally {
    double work, cpu_s;
    uint64_t points, rows, bytes, peak_memory_B;
    ws_cell *cells; /* room for a row of any table */
    size_t room;
} tally;

static void count_rows(tally *t, const void *rows, size_t size) {
    uint32_t point, table;
    size_t at = 0, cell_count;
    while (ws_rows_next(rows, size, &at, &point, &table, t->cells, t->room, &cell_count)) {
        if (table == WS_ROWS_TRUNCATED) continue;
        t->rows++;
        t->bytes += ROW_B + CELL_B * cell_count;
    }
}

static int by_work(const void *a_, const void *b_) {
    const ws_pass *a = *(const ws_pass *const *)a_, *b = *(const ws_pass *const *)b_;
    return a->work == b->work ? (a > b) - (a < b) : a->work < b->work ? -1 : 1;
}

/* The number of points in the pass that are not known to fail. */
static uint32_t computable(const ws_pass *pass) {
    return pass->count - pass->refused;
}

/* A place in part `i` of `count` passes. The places are not at equal distances: passes of equal work, which are in
 * the order of the grid, might all have the same mechanism there, and so rows in the same tables. */
static size_t place_in_part(size_t i, size_t parts, size_t count) {
    static const double golden = 0.618033988749895;
    const size_t first = i * count / parts, end = (i + 1) * count / parts;
    return first + (size_t)(fmod((double)(i + 1) * golden, 1) * (double)(end - first));
}

/* Chooses from the passes that can run, by work: the smallest, and one of each sixth. Returns how many. */
static size_t choose(const ws_plan *plan, size_t *chosen, ws_error *err) {
    const ws_pass **sorted = calloc(plan->pass_count + 1, sizeof *sorted);
    if (!sorted) {
        ws_no_memory(err);
        return 0;
    }
    size_t there = 0, count = 0;
    for (size_t i = 0; i < plan->pass_count; i++)
        if (computable(&plan->passes[i])) sorted[there++] = &plan->passes[i];
    qsort(sorted, there, sizeof *sorted, by_work);
    size_t parts = there < PARTS ? there : PARTS;
    for (size_t i = 0; i < parts; i++) {
        size_t place = place_in_part(i, parts, there);
        if (i == 0 && place > 0) chosen[count++] = (size_t)(sorted[0] - plan->passes);
        chosen[count++] = (size_t)(sorted[place] - plan->passes);
    }
    free(sorted);
    return count;
}

static bool sample(const ws_plan *plan, ws_pool *pool, size_t pass, const volatile bool *interrupted,
                   tally *t, ws_error *err) {
    const ws_item item = {(uint32_t)pass, 0, computable(&plan->passes[pass]), 0};
    if (!ws_pool_give(pool, 0, &item, err)) return false;
    ws_outcome outcome;
    for (bool got = false; !got;) {
        if (interrupted && *interrupted)
            return ws_fail(err, WS_ERROR_INTERRUPTED, "stopped while timing samples");
        if (!ws_pool_wait(pool, 200, &outcome, &got, err)) return false;
    }
    if (outcome.kind != WS_OUTCOME_ROWS) return true; /* a failure tells nothing */
    t->work += plan->passes[pass].work;
    t->points += item.count;
    t->cpu_s += outcome.cpu_s;
    if (outcome.peak_memory_B > t->peak_memory_B) t->peak_memory_B = outcome.peak_memory_B;
    count_rows(t, outcome.rows, outcome.size);
    return true;
}

static double largest_work(const ws_plan *plan) {
    double most = 0;
    for (size_t i = 0; i < plan->pass_count; i++) most = fmax(most, plan->passes[i].work);
    return most;
}

/* Takes samples, which come with growing work; leaves out those that would take too long, judging by those before. */
static bool take_samples(const ws_plan *plan, const ws_sweep_options *options, const size_t *chosen,
                         size_t count, tally *t, ws_error *err) {
    double limit_s = options->time_limit_s > 0 ? options->time_limit_s : sample_limit_s;
    ws_crew crew = {plan, NULL};
    ws_pool *pool = ws_crew_new(&crew, 1, limit_s, options->memory_limit_B, err);
    bool ok = pool != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        double expected_s = t->work > 0 ? t->cpu_s / t->work * plan->passes[chosen[i]].work : 0;
        if (expected_s < limit_s) ok = sample(plan, pool, chosen[i], options->interrupted, t, err);
    }
    ws_pool_free(pool);
    return ok;
}

static void extrapolate(const ws_plan *plan, const tally *t, uint32_t jobs, ws_sweep_report *report) {
    report->unknown = t->points == 0;
    if (report->unknown) return;
    double more = (double)(plan->point_count - plan->refused) / (double)t->points;
    report->rows = (uint64_t)((double)t->rows * more);
    report->bytes = (uint64_t)((double)t->bytes * more) + POINT_B * plan->point_count + config_bytes(plan);
    double rate = t->cpu_s / t->work; /* no pass is done by two workers */
    report->seconds = rate * fmax(plan->work / jobs, largest_work(plan));
    report->peak_memory_B = t->peak_memory_B * jobs;
}

bool ws_estimate(const ws_plan *plan, const ws_sweep_options *options, uint32_t jobs, ws_sweep_report *report,
                 ws_error *err) {
    size_t chosen[SAMPLES], count;
    if (plan->point_count == plan->refused) return true;
    tally t = {.room = most_columns(plan)};
    t.cells = calloc(t.room, sizeof *t.cells);
    bool ok = (t.cells || ws_no_memory(err)) && (count = choose(plan, chosen, err)) &&
              take_samples(plan, options, chosen, count, &t, err);
    if (ok) extrapolate(plan, &t, jobs, report);
    free(t.cells);
    return ok;
}
