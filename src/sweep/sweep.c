/* Runs sweeps: reads the specification, plans what is to be computed, lets workers compute it, and stores the
 * results. */
#include "warpsweep/sweep.h"

#include "base/given.h"
#include "base/progress.h"
#include "store/sqlite.h"
#include "sweep/grid/idle.h"
#include "sweep/grid/repeats.h"
#include "sweep/plan/compared.h"
#include "sweep/plan/failures.h"
#include "sweep/plan/record.h"
#include "sweep/plan/shard.h"
#include "sweep/run/crew.h"
#include "sweep/run/estimate.h"
#include "sweep/run/schedule.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { TICK_MS = 200 };

/* ---- running */

typedef struct run {
    const ws_spec *spec;
    const ws_inputs *inputs;
    const ws_grid *grid;
    const ws_sweep_options *options;
    ws_sweep_report *report;
    ws_experiment experiment;
    ws_store *store; /* of a dry run: NULL if there is no database yet */
    ws_plan *plan;
    ws_pool *pool;
    ws_schedule *schedule;
    ws_progress progress;
    ws_failures failures;
    /* why the analysis failed for several points, whose halves were tried then */
    ws_failures together;
    double work;        /* done so far, in the plan's units */
    bool told;          /* true once the user knows that running passes will end first */
    bool told_of_wait;  /* the same, that another program holds the database */
    bool told_of_kill;  /* the same, that a worker was killed */
    ws_point_row *rows; /* room for the largest pass */
    bool *recorded;     /* by combination: its configuration is in the database */
} run;

/* Prepares a point's row, and stores the configuration that the row refers to. */
static bool make_row(run *r, size_t point, ws_point_row *row, ws_error *err) {
    const ws_plan *plan = r->plan;
    const ws_planned_point *p = &plan->points[point];
    *row = (ws_point_row){p->id, plan->inputs->kernels[p->kernel].id, plan->grid->combos[p->combo].id};
    if (!r->recorded[p->combo] && !ws_record_config(r->store, plan, p->combo, err)) return false;
    r->recorded[p->combo] = true;
    return true;
}

/* Stores the rows of an outcome. `*misfit` is set if they are not what the analysis declared; then nothing is
 * stored. */
static bool store_rows(run *r, const ws_outcome *outcome, ws_error *misfit, ws_error *err) {
    const ws_pass *pass = &r->plan->passes[outcome->item.pass];
    for (uint32_t i = 0; i < outcome->item.count; i++)
        if (!make_row(r, pass->first + outcome->item.first + i, &r->rows[i], err)) return false;
    if (ws_store_done(r->store, r->rows, outcome->item.count, outcome->rows, outcome->size, misfit)) {
        r->report->done += outcome->item.count;
        return true;
    }
    if (misfit->code == WS_ERROR_INTERNAL) return true;
    *err = *misfit;
    return false;
}

static bool store_failure(run *r, size_t point, const ws_error *why, ws_error *err) {
    ws_point_row row;
    if (!make_row(r, point, &row, err) || !ws_store_failed(r->store, &row, why, err)) return false;
    r->report->failed++;
    if (r->options->failed) {
        r->options->failed(r->options->failed_context, why);
        return true;
    }
    if (!r->options->log || ws_failures_know(&r->plan->refusals, why->text) ||
        !ws_failures_add(&r->failures, why->text))
        return true;
    char text[400];
    ws_plan_describe(r->plan, point, text, sizeof text);
    ws_progress_clear(&r->progress);
    fprintf(r->options->log, "failed: %s: %s\n", text, why->text);
    return true;
}

static bool fail_points(run *r, const ws_item *item, const ws_error *why, ws_error *err) {
    const ws_pass *pass = &r->plan->passes[item->pass];
    for (uint32_t i = 0; i < item->count; i++)
        if (!store_failure(r, pass->first + item->first + i, why, err)) return false;
    r->work += pass->work * item->count / pass->count;
    return true;
}

/* Fails the points behind a late one, which would only wait as long to be late, too: others of its launch, and those of
 * later launches. */
static bool fail_behind(run *r, const ws_item *late, const ws_error *why, ws_error *err) {
    const ws_plan *plan = r->plan;
    const ws_planned_point *of_pass = &plan->points[plan->passes[late->pass].first];
    const uint32_t launch = of_pass[late->first].kernel;
    const ws_kernel *kernel = plan->inputs->kernels[launch].kernel;
    ws_error before;
    ws_fail(&before, why->code, "launch %u (%.100s), which is computed before it, %s", kernel->index,
            kernel->short_name, why->text);
    ws_item behind;
    while (ws_schedule_give_up(r->schedule, late, &behind)) {
        uint32_t own = 0;
        while (own < behind.count && of_pass[behind.first + own].kernel == launch) own++;
        ws_item same = behind, later = behind;
        same.count = own;
        later.first += own;
        later.count -= own;
        if (!fail_points(r, &same, why, err) || !fail_points(r, &later, &before, err)) return false;
    }
    return true;
}

/* A killed worker leaves no trace in the database, as its points are computed again. */
static void tell_of_kill(run *r, const char *reason) {
    if (r->told_of_kill || !r->options->log) return;
    r->told_of_kill = true;
    ws_progress_clear(&r->progress);
    fprintf(r->options->log,
            "%s, by somebody or because memory ran out (fewer jobs, -j, need less); what it had is computed "
            "again\n",
            reason);
}

/* Takes a failed item. Its points are stored as failed, or come back in other items. In a timed pass a point needs all
 * that those before it need, as the launches follow each other. */
static bool take_failure(run *r, const ws_outcome *outcome, const ws_error *why, ws_error *err) {
    const ws_item *item = &outcome->item;
    bool late = outcome->kind == WS_OUTCOME_LATE && r->plan->spec->fidelity == WS_FIDELITY_TIMED,
         blameless = outcome->kind == WS_OUTCOME_KILLED;
    bool over = outcome->kind == WS_OUTCOME_COMMON || (late && ws_schedule_is_given_up(r->schedule, item));
    if (!over && !ws_schedule_failed(r->schedule, item, blameless, &over, err)) return false;
    if (!over) {
        if (blameless) tell_of_kill(r, why->text);
        if (!blameless && why->code == WS_ERROR_INTERNAL) ws_failures_add(&r->together, why->text);
        return true;
    }
    return fail_points(r, item, why, err) && (!late || fail_behind(r, item, why, err));
}

static bool take(run *r, const ws_outcome *outcome, ws_error *err) {
    const ws_item *item = &outcome->item;
    const ws_pass *pass = &r->plan->passes[item->pass];
    if (outcome->kind != WS_OUTCOME_ROWS) return take_failure(r, outcome, &outcome->why, err);
    ws_error misfit = WS_NO_ERROR;
    if (!store_rows(r, outcome, &misfit, err)) return false;
    if (misfit.code != WS_ERROR_NONE) return take_failure(r, outcome, &misfit, err);
    r->work += pass->work * item->count / pass->count;
    return true;
}

static bool interrupted(const run *r) {
    return r->options->interrupted && *r->options->interrupted;
}

/* Tells, once, that running passes will end first: they may take minutes, in which Ctrl-C would seem to do nothing. */
static void tell_what_runs(run *r) {
    uint32_t busy = ws_pool_busy(r->pool);
    if (r->told || !r->options->log) return;
    r->told = true;
    ws_progress_clear(&r->progress);
    if (r->options->temporary)
        fprintf(r->options->log, "interrupted: %u running pass%s will end; interrupt again not to wait\n",
                busy, busy == 1 ? "" : "es");
    else
        fprintf(r->options->log,
                "interrupted: %u running pass%s will end and be stored; interrupt again to lose %s: the same "
                "command resumes in any case\n",
                busy, busy == 1 ? "" : "es", busy == 1 ? "it" : "them");
}

static bool give_items(run *r, ws_error *err) {
    int worker;
    ws_item item;
    while (!interrupted(r) && (worker = ws_pool_idle(r->pool)) >= 0 &&
           ws_schedule_next(r->schedule, worker, &item))
        if (!ws_pool_give(r->pool, worker, &item, err)) return false;
    return true;
}

static bool work(run *r, ws_error *err) {
    for (;;) {
        if (!give_items(r, err)) return false;
        if (ws_pool_busy(r->pool) == 0) return true;
        if (interrupted(r)) tell_what_runs(r);
        ws_outcome outcome;
        bool got;
        if (!ws_pool_wait(r->pool, TICK_MS, &outcome, &got, err)) return false;
        if (got && !take(r, &outcome, err)) return false;
        ws_progress_update(&r->progress, r->report->done + r->report->failed, r->work / r->plan->work);
    }
}

/* Tells of failures that no point has by itself: the results are there, but the analysis does not do what it is to, and
 * passes that come back in halves take longer. */
static void tell_of_together(const run *r) {
    if (!r->options->log || r->options->failed || r->failures.others) return; /* known are only those told */
    for (size_t i = 0; i < r->together.count; i++)
        if (!ws_failures_know(&r->failures, r->together.reasons[i].text))
            fprintf(r->options->log, "points of one pass failed together, but not alone: %s\n",
                    r->together.reasons[i].text);
}

static size_t largest_pass(const ws_plan *plan) {
    size_t most = 1;
    for (size_t i = 0; i < plan->pass_count; i++)
        if (plan->passes[i].count > most) most = plan->passes[i].count;
    return most;
}

/* Where the user has stopped it, says so. */
static bool passes_ended(const run *r, bool ok, ws_error *err) {
    uint64_t finished = r->report->done + r->report->failed;
    bool stopped = ok ? finished < r->plan->point_count : err && err->code == WS_ERROR_INTERRUPTED;
    if (!stopped) return ok;
    return ws_fail(err, WS_ERROR_INTERRUPTED, "stopped after %llu of %zu points; the same command resumes",
                   (unsigned long long)finished, r->plan->point_count);
}

static bool run_passes(run *r, ws_error *err) {
    const ws_plan *plan = r->plan;
    const ws_sweep_options *options = r->options;
    uint32_t jobs = r->report->jobs;
    if (jobs > plan->point_count) jobs = (uint32_t)plan->point_count;
    ws_crew crew = {plan, r->store};
    r->rows = calloc(largest_pass(plan), sizeof *r->rows);
    r->recorded = calloc(plan->grid->count, sizeof *r->recorded);
    bool ok = ((r->rows && r->recorded) || ws_no_memory(err)) &&
              (r->schedule = ws_schedule_new(plan, jobs, err)) &&
              (r->pool = ws_crew_new(&crew, jobs, options->time_limit_s, options->memory_limit_B, err));
    if (ok) {
        if (options->log) ws_failures_tell(&plan->refusals, "will fail", 1, options->log);
        r->progress = ws_progress_start(options->log, plan->spec->name, "points", plan->point_count);
        ok = work(r, err);
        ws_progress_end(&r->progress, r->report->done + r->report->failed);
        if (options->log) ws_failures_tell(&r->failures, "failed", 2, options->log);
        if (ok) tell_of_together(r);
    }
    ws_failures_free(&r->failures);
    ws_failures_free(&r->together);
    ws_pool_free(r->pool);
    ws_schedule_free(r->schedule);
    free(r->rows);
    free(r->recorded);
    return passes_ended(r, ok, err);
}

/* ---- with a database */

/* Warns if the disk has less free space than the points need. The sweep runs all the same: that is an estimate, others
 * may free or fill the disk meanwhile, and what is stored by then stays. */
static bool tell_of_disk(const ws_plan *plan, const ws_sweep_options *options, ws_error *err) {
    char *copy = strdup(options->db);
    if (!copy) return ws_no_memory(err);
    const char *folder = dirname(copy);
    struct statvfs fs;
    double need = (double)ws_estimate_bytes(plan);
    double have = statvfs(folder, &fs) == 0 ? (double)fs.f_bavail * (double)fs.f_frsize : need;
    if (options->log && plan->point_count && have < need)
        fprintf(options->log, "%s: %.1f MiB are free, but %zu points need %.1f MiB or more%s\n", folder,
                have / (1 << 20), plan->point_count, need / (1 << 20),
                options->temporary ? ""
                                   : "; if they do not fit, what is stored by then stays: free some space, "
                                     "and the same command resumes");
    free(copy);
    return true;
}

static void report_plan(const ws_plan *plan, ws_sweep_report *report) {
    report->traces = plan->inputs->trace_count;
    report->kernels = plan->inputs->kernel_count;
    report->of_axes = plan->grid->all;
    report->outside = plan->grid->outside;
    report->unsampled = plan->grid->unsampled;
    report->combinations = plan->grid->count;
    report->points = plan->all_count;
    for (size_t i = 0; i < plan->grid->alike_count; i++) report->alike += plan->grid->alike[i].count;
    report->stored = plan->stored;
    report->stored_failed = plan->stored_failed;
    report->stored_refused = plan->stored_refused;
    report->elsewhere = plan->elsewhere;
    report->planned = plan->point_count;
    for (size_t i = 0; i < plan->pass_count; i++) {
        uint32_t points = plan->passes[i].count - plan->passes[i].refused;
        report->passes += points > 0;
        if (points > report->points_of_pass) report->points_of_pass = points;
    }
    report->refused = plan->refused;
}

static bool make_plan(run *r, ws_error *err) {
    const ws_sweep_options *options = r->options;
    bool *ours = NULL;
    if (options->shards &&
        !(ours = ws_shard_points(r->spec, r->inputs, r->grid, options->shard, options->shards, err)))
        return false;
    const ws_plan_options plan_options = {r->store, options->retry_failed, r->report->jobs, ours};
    r->plan = ws_plan_new(r->spec, r->inputs, r->grid, &plan_options, err);
    free(ours);
    if (r->plan) report_plan(r->plan, r->report);
    ws_preparing_clear(r->spec->preparing);
    return r->plan != NULL;
}

static bool tell_lacking(const run *r, ws_error *err) {
    FILE *log = r->options->log;
    return !log || !r->store || !r->plan->stored ||
           ws_store_tell_lacking(r->store, &r->experiment, r->plan->all, r->plan->all_count, log, err);
}

static bool run_plan(run *r, ws_error *err) {
    const ws_sweep_options *options = r->options;
    ws_sweep_report *report = r->report;
    bool ok = (r->plan->point_count == 0 || run_passes(r, err)) &&
              ws_tell_baseline(r->store, r->plan, options->log, err);
    const char *outcome = ok ? "done" : err && err->code == WS_ERROR_INTERRUPTED ? "interrupted" : "error";
    bool recorded = ws_store_end_run(r->store, outcome, report->done, report->failed, ok ? err : NULL);
    return ok && recorded;
}

/* A sweep of a night is not to end because a backup reads the database for a minute. */
static bool wait_for_database(void *run_, double seconds) {
    run *r = run_;
    if (interrupted(r)) return false;
    if (seconds >= 1 && !r->told_of_wait && r->options->log) {
        r->told_of_wait = true;
        ws_progress_clear(&r->progress);
        fprintf(r->options->log, "another program holds the database; waiting for it\n");
        fflush(r->options->log);
    }
    return true;
}

static bool record(run *r, ws_error *err) {
    ws_preparing_step(r->spec->preparing, "recording the plan", "points", r->plan->all_count);
    return tell_of_disk(r->plan, r->options, err) &&
           ws_record_plan(r->store, r->plan, &r->experiment, r->options, r->report->jobs, err);
}

/* Makes the plan, and unless it is for a dry run, records it; or, if that is stopped, does nothing. */
static bool prepare(run *r, ws_error *err) {
    ws_preparing *preparing = r->spec->preparing;
    sqlite3 *db = r->store ? ws_store_sqlite(r->store) : NULL;
    if (db) ws_preparing_watch(preparing, db);
    bool ok = make_plan(r, err) && tell_lacking(r, err) && (r->options->dry_run || record(r, err));
    if (db) sqlite3_progress_handler(db, 0, NULL, NULL); /* from now on passes end first */
    ws_preparing_clear(preparing);
    if (!ok) ws_preparing_at(preparing, 0, err); /* instead of what SQLite says of a stop */
    return ok;
}

/* The store is opened, and so locked, before the plan is made, so that nobody else can store its points in between. */
static bool run_sweep(run *r, ws_error *err) {
    r->store = ws_store_open(r->options->db, err);
    if (!r->store) return false;
    ws_store_wait(r->store, wait_for_database, r);
    if (!r->options->temporary) ws_store_will_resume(r->store);
    bool ok = prepare(r, err) && run_plan(r, err);
    ws_store_close(r->store);
    return ok;
}

/* False for an empty file, too: a sweep makes a database of it. */
static bool has_database(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && !(S_ISREG(there.st_mode) && there.st_size == 0);
}

static bool dry_run(run *r, ws_error *err) {
    const ws_sweep_options *options = r->options;
    bool exists = options->db && has_database(options->db);
    r->store = exists ? ws_store_open_readonly(options->db, err) : NULL;
    if (exists && !r->store) return false;
    bool ok = prepare(r, err);
    ws_store_close(r->store);
    r->store = NULL;
    if (r->plan && options->log) ws_failures_tell(&r->plan->refusals, "would fail", 1, options->log);
    ok = ok && ws_estimate(r->plan, options, r->report->jobs, r->report, err);
    if (ok && !exists) r->report->bytes += ws_estimate_empty_bytes(r->plan);
    return ok;
}

static bool check_options(const ws_sweep_options *options, const ws_analysis *const *analyses,
                          ws_error *err) {
    if (!options->db && !options->dry_run)
        return ws_fail(err, WS_ERROR_USAGE, "a sweep that is no dry run: expected a database, found none");
    if (options->shards && options->shard >= options->shards)
        return ws_fail(err, WS_ERROR_USAGE, "a part of a sweep in %u: expected one from 0 to %u, found %u",
                       options->shards, options->shards - 1, options->shard);
    if (!(options->time_limit_s >= 0)) /* nor NaN */
        return ws_fail(err, WS_ERROR_USAGE, "the time limit of a pass: expected 0 or more seconds, found %g",
                       options->time_limit_s);
    for (const ws_analysis *const *a = analyses; *a; a++) {
        if (!ws_analysis_check(*a, err)) return false;
        for (const ws_analysis *const *before = analyses; before < a; before++)
            if (strcmp((*before)->name, (*a)->name) == 0)
                return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: it is there twice", (*a)->name);
    }
    return true;
}

bool ws_sweep_run(const char *spec_path, const ws_sweep_options *options, ws_sweep_report *report,
                  ws_error *err) {
    ws_error own = WS_NO_ERROR;
    if (!err) err = &own; /* its code is needed */
    ws_sweep_report unread;
    if (!report) report = &unread;
    *report = (ws_sweep_report){0};
    if (!WS_GIVEN(spec_path, "a path", err) || !WS_GIVEN(options, "options", err)) return false;
    const ws_analysis *const *analyses = options->analyses ? options->analyses : ws_analyses();
    if (!check_options(options, analyses, err)) return false;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    report->jobs = options->jobs ? options->jobs : processors > 0 ? (uint32_t)processors : 1;

    const ws_spec_folders folders = {options->gpus, options->energies};
    ws_preparing preparing = ws_preparing_start(options->interrupted, options->log);
    ws_spec *spec = ws_spec_load(spec_path, analyses, &folders, err);
    if (spec) spec->preparing = &preparing;
    bool selected = spec && (!options->kernels || ws_spec_select(spec, options->kernels, "--kernels", err));
    ws_inputs *inputs = selected ? ws_inputs_open(spec, options->log, err) : NULL;
    ws_grid *grid = inputs ? ws_grid_new(spec, err) : NULL;
    bool ok = grid != NULL;
    ws_preparing_clear(&preparing);
    if (ok) {
        if (options->log) {
            ws_tell_idle(spec, grid, options->log);
            ws_tell_one_stream(spec, inputs, options->log);
            ws_tell_repeats(spec, grid, options->log);
        }
        run r = {.spec = spec, .inputs = inputs, .grid = grid, .options = options, .report = report};
        r.experiment = ws_experiment_of(spec->analysis, spec->components, spec->component_count);
        ok = options->dry_run ? dry_run(&r, err) : run_sweep(&r, err);
        ws_plan_free(r.plan);
    }
    ws_grid_free(grid);
    ws_inputs_free(inputs);
    ws_spec_free(spec);
    return ok;
}
