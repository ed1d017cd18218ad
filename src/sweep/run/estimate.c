#include "sweep/run/estimate.h"

#include "sweep/run/crew.h"
#include "sweep/run/draws.h"

#include <math.h>
#include <stdlib.h>

/* FEW passes are drawn, and then more, until all samples have taken enough time. */
enum { FEW = 8, MOST = 16 };
static const double enough_s = 20, sample_limit_s = 30;

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

/* A pass that has been sampled. */
typedef struct sampled {
    size_t pass;
    uint32_t draws; /* how often it has been drawn */
    bool is_known;  /* it has given rows */
    double cpu_s;
    uint64_t points, rows, bytes;
} sampled;

typedef struct sampling {
    const ws_plan *plan;
    const ws_sweep_options *options;
    ws_pool *pool;
    double limit_s; /* of a pass */
    sampled samples[1 + MOST];
    uint32_t count;
    double work, cpu_s; /* of those that are known */
    uint64_t peak_memory_B;
    ws_error first_error;
    ws_cell *cells; /* room for a row of any table */
    size_t room;
} sampling;

static void count_rows(const sampling *s, const ws_outcome *outcome, sampled *sample) {
    uint32_t point, table;
    size_t at = 0, cell_count;
    while (ws_rows_next(outcome->rows, outcome->size, &at, &point, &table, s->cells, s->room, &cell_count)) {
        if (table == WS_ROWS_TRUNCATED) continue;
        sample->rows++;
        sample->bytes += ROW_B + CELL_B * cell_count;
    }
}

/* Runs the sample's pass. A failure tells nothing of what passes take. */
static bool run_sample(sampling *s, sampled *sample, ws_error *err) {
    const ws_pass *pass = &s->plan->passes[sample->pass];
    const ws_item item = {(uint32_t)sample->pass, 0, pass->count - pass->refused, 0};
    const volatile bool *interrupted = s->options->interrupted;
    if (!ws_pool_give(s->pool, 0, &item, err)) return false;
    ws_outcome outcome;
    for (bool got = false; !got;) {
        if (interrupted && *interrupted)
            return ws_fail(err, WS_ERROR_INTERRUPTED, "stopped while timing samples");
        if (!ws_pool_wait(s->pool, 200, &outcome, &got, err)) return false;
    }
    if (outcome.kind != WS_OUTCOME_ROWS) {
        if (s->first_error.code == WS_ERROR_NONE) s->first_error = outcome.why;
        return true;
    }
    sample->is_known = true;
    sample->cpu_s = outcome.cpu_s;
    sample->points = item.count;
    count_rows(s, &outcome, sample);
    s->work += pass->work;
    s->cpu_s += outcome.cpu_s;
    if (outcome.peak_memory_B > s->peak_memory_B) s->peak_memory_B = outcome.peak_memory_B;
    return true;
}

/* Returns what a pass will take, judging by the samples that are known. */
static double expected_s(const sampling *s, double work) {
    return s->work > 0 ? s->cpu_s / s->work * work : 0;
}

/* Makes the pass a sample, unless it is one, and runs it if it will not take too long. Returns it, or NULL on an
 * error. */
static sampled *take(sampling *s, size_t pass, ws_error *err) {
    for (uint32_t i = 0; i < s->count; i++)
        if (s->samples[i].pass == pass) return &s->samples[i];
    sampled *sample = &s->samples[s->count++];
    *sample = (sampled){.pass = pass};
    bool runs = expected_s(s, s->plan->passes[pass].work) < s->limit_s;
    return !runs || run_sample(s, sample, err) ? sample : NULL;
}

static bool take_draw(sampling *s, size_t pass, ws_error *err) {
    sampled *sample = take(s, pass, err);
    if (sample) sample->draws++;
    return sample != NULL;
}

static int ascending(const void *a_, const void *b_) {
    size_t a = *(const size_t *)a_, b = *(const size_t *)b_;
    return (a > b) - (a < b);
}

/* Whether the samples have taken as long as they may: so long, or a tenth of what all passes will take. */
static bool took_enough(const sampling *s) {
    return s->cpu_s >= fmin(enough_s, expected_s(s, s->plan->work) / 10);
}

/* The smallest pass comes first, and then a few draws with growing work, so that each tells whether the next will take
 * too long. */
static bool take_samples(sampling *s, const ws_draws *draws, ws_error *err) {
    size_t ranks[FEW];
    for (uint32_t k = 0; k < FEW; k++) ranks[k] = ws_draw(draws, k);
    qsort(ranks, FEW, sizeof *ranks, ascending);
    bool ok = take(s, draws->passes[0], err) != NULL;
    for (uint32_t k = 0; ok && k < FEW; k++) ok = take_draw(s, draws->passes[ranks[k]], err);
    for (uint32_t k = FEW; ok && k < MOST && !took_enough(s); k++)
        ok = take_draw(s, draws->passes[ws_draw(draws, k)], err);
    return ok;
}

/* ---- from the samples to all passes */

/* What passes have for each unit of work. */
typedef struct density {
    double cpu_s, points, rows, bytes;
} density;

/* The means of all draws that are known; of the smallest pass alone if none is. Each pass has been drawn with a chance
 * in proportion to its work, so these are the means of all passes. */
static density density_of(const sampling *s) {
    density sum = {0};
    uint32_t draws = 0;
    for (uint32_t i = 0; i < s->count; i++) draws += s->samples[i].is_known * s->samples[i].draws;
    for (uint32_t i = 0; i < s->count; i++) {
        const sampled *sample = &s->samples[i];
        if (!sample->is_known) continue;
        double share = draws ? (double)sample->draws / draws : 1,
               weight = share / s->plan->passes[sample->pass].work;
        sum.cpu_s += weight * sample->cpu_s;
        sum.points += weight * (double)sample->points;
        sum.rows += weight * (double)sample->rows;
        sum.bytes += weight * (double)sample->bytes;
    }
    return sum;
}

static double largest_work(const ws_plan *plan) {
    double most = 0;
    for (size_t i = 0; i < plan->pass_count; i++) most = fmax(most, plan->passes[i].work);
    return most;
}

static void extrapolate(const sampling *s, uint32_t jobs, ws_sweep_report *report) {
    const ws_plan *plan = s->plan;
    report->sample_error = s->first_error;
    report->unknown = s->work == 0;
    if (report->unknown) return;
    density each = density_of(s);
    double points = (double)(plan->point_count - plan->refused);
    report->rows = (uint64_t)round(each.rows / each.points * points);
    report->bytes =
        (uint64_t)(each.bytes / each.points * points) + POINT_B * plan->point_count + config_bytes(plan);
    report->seconds =
        each.cpu_s * fmax(plan->work / jobs, largest_work(plan)); /* no pass is done by two workers */
    report->peak_memory_B = s->peak_memory_B * jobs;
}

bool ws_estimate(const ws_plan *plan, const ws_sweep_options *options, uint32_t jobs, ws_sweep_report *report,
                 ws_error *err) {
    if (plan->point_count == plan->refused) return true;
    ws_draws draws;
    ws_crew crew = {plan, NULL};
    sampling s = {.plan = plan, .options = options, .room = most_columns(plan)};
    s.limit_s = options->time_limit_s > 0 ? options->time_limit_s : sample_limit_s;
    s.cells = calloc(s.room, sizeof *s.cells);
    bool ok = ws_draws_init(&draws, plan, err) && (s.cells || ws_no_memory(err)) &&
              (s.pool = ws_crew_new(&crew, 1, s.limit_s, options->memory_limit_B, err)) &&
              take_samples(&s, &draws, err);
    if (ok) extrapolate(&s, jobs, report);
    ws_pool_free(s.pool);
    ws_draws_free(&draws);
    free(s.cells);
    return ok;
}
