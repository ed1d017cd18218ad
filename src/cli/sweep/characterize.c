/* The command `characterize`: runs the sweeps of sweeps/characterize.json over some traces, and shows what they say. */
#include "base/signals.h"
#include "base/unfinished.h"
#include "base/utf8.h"
#include "cli/inputs/gpus.h"
#include "cli/inputs/kernels.h"
#include "cli/installed.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/sweep/measures.h"
#include "cli/usage.h"
#include "param/json_file.h"
#include "sweep/plan/failures.h"
#include "trace/names.h"
#include "trace/twins.h"
#include "warpsweep/replay.h"
#include "warpsweep/report.h"
#include "warpsweep/sweep.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KERNELS, GPU, PLOTS, JSON, DB, JOBS };
enum { NAMES_MAX = 3 }; /* in the title of a picture */

/* The files in a temporary folder of our own: the specification that runs; without --db, the database, and what SQLite
 * keeps beside it. */
enum { SPEC, OWN_DB, DB_LOG, DB_INDEX, DB_JOURNAL, FILE_COUNT };
static const char *const file_names[] = {
    [SPEC] = "sweep.json",
    [OWN_DB] = "results.db",
    [DB_LOG] = "results.db-wal",
    [DB_INDEX] = "results.db-shm",
    [DB_JOURNAL] = "results.db-journal",
};

typedef struct work {
    const cli_args *args;
    uint32_t jobs;
    char sweeps[PATH_MAX], gpus[PATH_MAX]; /* folders */
    char folder[PATH_MAX];                 /* of our own */
    char files[FILE_COUNT][PATH_MAX + 32]; /* in it */
    const char *db;
    ws_config *config;              /* of the GPU */
    json_t *traces;                 /* patterns of the traces on the command line, of equal ones only one */
    json_t *names;                  /* of these traces */
    bool some_failed, gpu_to_blame; /* points, and some because of the GPU's parameters */
    ws_failures failures;           /* of all sweeps: a damaged trace has the same reason in each */
    const volatile bool *interrupted;
} work;

/* ---- a folder of our own */

/* Makes the folder, and notes it, so that a signal that ends the command removes it. */
static bool make_and_note(char *folder) {
    const sigset_t before = ws_signals_hold();
    bool made = mkdtemp(folder);
    if (made) ws_unfinished_add(folder);
    ws_signals_release(&before);
    return made;
}

static bool make_folder(work *w, ws_error *err) {
    const char *tmpdir = getenv("TMPDIR");
    if (!tmpdir || !*tmpdir) tmpdir = "/tmp";
    snprintf(w->folder, sizeof w->folder, "%s/warpsweep-XXXXXX", tmpdir);
    if (!make_and_note(w->folder)) {
        ws_fail(err, WS_ERROR_IO, "%s: no temporary folder can be made there: %s; TMPDIR names another place",
                tmpdir, strerror(errno));
        w->folder[0] = 0;
        return false;
    }
    for (size_t i = 0; i < FILE_COUNT; i++) {
        snprintf(w->files[i], sizeof w->files[i], "%s/%s", w->folder, file_names[i]);
        ws_unfinished_add(w->files[i]);
    }
    w->db = w->args->option[DB] ? w->args->option[DB] : w->files[OWN_DB];
    return true;
}

static void remove_folder(const work *w) {
    if (!w->folder[0]) return;
    for (size_t i = 0; i < FILE_COUNT; i++) {
        unlink(w->files[i]);
        ws_unfinished_done(w->files[i]);
    }
    rmdir(w->folder);
    ws_unfinished_done(w->folder);
}

/* ---- sweeps */

/* A trace's path as a pattern that matches it alone. */
static json_t *pattern_of(const char *path) {
    char pattern[2 * PATH_MAX];
    size_t n = 0;
    for (; *path && n < sizeof pattern - 2; path++) {
        if (strchr("*?[\\", *path)) pattern[n++] = '\\';
        pattern[n++] = *path;
    }
    return json_stringn(pattern, n);
}

/* Removes the path of our own specification from a message: it is no file of the user's. */
static void forget_path(const work *w, ws_error *err) {
    size_t length = strlen(w->files[SPEC]);
    if (strncmp(err->text, w->files[SPEC], length) == 0 && strncmp(err->text + length, ": ", 2) == 0)
        memmove(err->text, err->text + length + 2, strlen(err->text + length + 2) + 1);
}

static void note_failure(void *work_, const ws_error *why) {
    work *w = work_;
    ws_failures_add(&w->failures, why->text);
    w->gpu_to_blame |= why->code == WS_ERROR_SPEC;
}

/* Has a specification start from the GPU of the command line; where GPUs are an axis, it becomes the only one there. */
static void set_gpu(const work *w, json_t **root) {
    json_t *gpu = json_string(w->args->option[GPU]), *axes = json_object_get(*root, "axes");
    if (!json_object_get(axes, "gpu")) {
        cli_json_set(root, "gpu", gpu);
        return;
    }
    json_incref(axes);
    cli_json_set(&axes, "gpu", json_pack("[o]", gpu));
    cli_json_set(root, "axes", axes);
}

/* Runs the sweep of a specification on the traces of the command line. With `may_fail`, points that fail are not
 * reported, as not every trace has what the sweep needs. */
static bool sweep(work *w, const json_t *spec, bool may_fail, ws_error *err) {
    const cli_args *args = w->args;
    json_t *root = json_deep_copy(spec);
    cli_json_set(&root, "traces", json_incref(w->traces));
    json_object_del(root, "kernels");
    if (args->option[GPU]) set_gpu(w, &root);
    ws_sweep_options options = {.db = w->db,
                                .temporary = !args->option[DB],
                                .jobs = w->jobs,
                                .kernels = args->option[KERNELS],
                                .argv = (const char *const *)args->argv,
                                .log = may_fail ? NULL : stderr,
                                .failed = may_fail ? NULL : note_failure,
                                .failed_context = w,
                                .interrupted = w->interrupted,
                                .gpus = w->gpus};
    ws_sweep_report report = {0};
    bool ok = root || ws_no_memory(err);
    ok = ok && (json_dump_file(root, w->files[SPEC], JSON_INDENT(1)) == 0 ||
                ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", w->folder, strerror(errno)));
    ok = ok && ws_sweep_run(w->files[SPEC], &options, &report, err);
    if (!ok) forget_path(w, err);
    w->some_failed |= !may_fail && report.failed + report.stored_failed > 0;
    w->gpu_to_blame |=
        !may_fail && report.stored_refused > 0; /* by a configuration that is known to fail again */
    json_decref(root);
    return ok;
}

static bool may_fail(const json_t *part) {
    return json_is_true(json_object_get(part, "may_fail"));
}

static bool sweep_parts(work *w, const json_t *file, ws_error *err) {
    const json_t *parts = json_object_get(file, "parts");
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        if (!sweep(w, json_object_get(part, "sweep"), may_fail(part), err)) return false;
    }
    return true;
}

/* ---- pictures */

/* Runs the sweep of a picture, which is a specification in a file. */
static bool sweep_file(work *w, const json_t *picture, ws_error *err) {
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", w->sweeps, json_string_value(json_object_get(picture, "sweep")));
    json_t *spec = ws_json_load(path, NULL, err);
    if (!spec) return false;
    bool ok = sweep(w, spec, may_fail(picture), err);
    json_decref(spec);
    return ok;
}

static void tell_path(void *context, const char *path) {
    (void)context;
    fprintf(stderr, "%s\n", path);
}

/* Names the traces: "spmv", or, if there are many, "spmv, bfs and 8 others". */
static void name_subject(const work *w, char *out, size_t size) {
    size_t count = json_array_size(w->names), named = count > NAMES_MAX ? NAMES_MAX - 1 : count, length = 0;
    for (size_t i = 0; i < named && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s%s", i ? ", " : "",
                                   json_string_value(json_array_get(w->names, i)));
    if (named < count && length < size)
        snprintf(out + length, size - length, " and %zu others", count - named);
}

/* Draws a figure; one that these traces do not allow is reported and left out. */
static bool draw(const work *w, ws_store *store, const char *plots, const char *figure, ws_error *err) {
    char path[PATH_MAX + 64], subject[NAMES_MAX * NAME_MAX + 40];
    ws_error why = WS_NO_ERROR;
    name_subject(w, subject, sizeof subject);
    snprintf(path, sizeof path, "%s/%s.svg", w->args->option[PLOTS], figure);
    if (ws_plot(store, plots, figure, subject, path, stderr, tell_path, NULL, &why) || *w->interrupted)
        return true;
    if (why.code != WS_ERROR_USAGE) { /* the traces are not to blame: the next figure would fail as well */
        *err = why;
        return false;
    }
    fprintf(stderr, "no picture %s: %s\n", figure, why.text);
    return true;
}

static bool draw_picture(const work *w, ws_store *store, const char *plots, const json_t *picture,
                         ws_error *err) {
    const json_t *figures = json_object_get(picture, "figures");
    for (size_t i = 0; i < json_array_size(figures); i++) {
        if (!draw(w, store, plots, json_string_value(json_array_get(figures, i)), err)) return false;
        if (*w->interrupted)
            return ws_fail(err, WS_ERROR_INTERRUPTED, "stopped; the same command draws all pictures again");
    }
    return true;
}

static bool draw_all(work *w, const json_t *file, ws_error *err) {
    char plots[PATH_MAX];
    const json_t *pictures = json_object_get(file, "pictures");
    if (!cli_data_folder(&cli_figures, plots, sizeof plots, err)) return false;
    for (size_t i = 0; i < json_array_size(pictures); i++)
        if (!sweep_file(w, json_array_get(pictures, i), err)) return false;
    ws_store *store = ws_store_open_readonly(w->db, err);
    bool ok = store != NULL;
    for (size_t i = 0; ok && i < json_array_size(pictures); i++)
        ok = draw_picture(w, store, plots, json_array_get(pictures, i), err);
    ws_store_close(store);
    return ok;
}

/* ---- the command */

/* Says whose SMs the kernels are measured on: their limits decide which CTAs run side by side. */
static void print_gpu(const work *w) {
    const ws_sm_params *sm = ws_config_get(w->config, &ws_sm_component);
    const char *gpu = w->args->option[GPU];
    char limits[PATH_MAX + 256], threads[CLI_COUNT_SIZE], registers[CLI_COUNT_SIZE], shared_B[CLI_COUNT_SIZE];
    snprintf(limits, sizeof limits,
             "%s: an SM holds %lld CTAs, %lld warps, %s threads, %s registers, %s B of shared memory",
             gpu ? gpu : "the parameters' defaults (--gpu NAME takes those of a GPU)", (long long)sm->ctas,
             (long long)sm->warps, cli_count((uint64_t)sm->threads, threads),
             cli_count((uint64_t)sm->registers, registers), cli_count((uint64_t)sm->shared_B, shared_B));
    fputs("GPU: ", stdout);
    cli_print_wrapped(limits, 5, stdout);
    fputc('\n', stdout);
}

/* Adds the name of the GPU to each kernel; null: the parameters' defaults. They become NULL when out of memory. */
static void put_gpu(const work *w, json_t **kernels) {
    const char *gpu = w->args->option[GPU];
    json_t *kernel;
    size_t i;
    json_array_foreach(*kernels, i, kernel) {
        if (json_object_set_new(kernel, "gpu", gpu ? json_string(gpu) : json_null()) == 0) continue;
        json_decref(*kernels);
        *kernels = NULL;
        return;
    }
}

static bool show(const work *w, const json_t *file, ws_error *err) {
    ws_store *store = ws_store_open_readonly(w->db, err);
    json_t *kernels = store ? cli_measures_read(file, store, err) : NULL;
    bool ok = kernels != NULL;
    if (ok && w->args->option[JSON]) {
        put_gpu(w, &kernels);
        cli_put_json(json_incref(kernels));
    } else if (ok) {
        print_gpu(w);
        ok = cli_measures_print(file, kernels, stdout, err);
    }
    json_decref(kernels);
    ws_store_close(store);
    return ok;
}

static bool make_plots_folder(const char *path, ws_error *err) {
    struct stat found;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode)))
        return true;
    return ws_fail(err, WS_ERROR_IO, "%s: cannot be made: %s", path,
                   errno == EEXIST ? "there is a file of that name, where a folder is expected"
                                   : strerror(errno));
}

/* Says what --db or TMPDIR would change: without --db nothing is kept that the same command could resume from, and the
 * temporary folder may be where no room is. */
static void add_remedy(const work *w, ws_error *err) {
    const bool keeps = w->args->option[DB];
    const size_t length = strlen(w->folder);
    if (err->code == WS_ERROR_INTERRUPTED && !keeps)
        ws_fail(err, WS_ERROR_INTERRUPTED, "stopped; with --db FILE the same command would resume");
    if (err->code == WS_ERROR_NONE || !length || strncmp(err->text, w->folder, length) != 0) return;
    const ws_error plain = *err;
    ws_fail(err, plain.code, "%s; TMPDIR names another place%s", plain.text, keeps ? "" : ", or --db FILE");
}

/* Fails unless the path is UTF-8: it becomes part of specifications, which are JSON. */
static bool may_be_named(const char *path, ws_error *err) {
    return ws_is_utf8(path) ||
           ws_fail(err, WS_ERROR_USAGE, "%s: expected a path in UTF-8, found other bytes; rename it", path);
}

/* A trace of the command line; of those with one digest the one that is characterized. */
typedef struct taken {
    const char *path;
    char digest[sizeof((ws_trace_info *)NULL)->digest];
} taken;

/* Of two files with one digest keeps the one that is not damaged. This is told here, since otherwise each sweep
 * would. */
static bool keep_the_better(taken *kept, const char *path, const ws_trace *trace, ws_error *err) {
    if (strcmp(kept->path, path) == 0) return true;
    ws_trace *before = ws_trace_open(kept->path, err);
    if (!before) return false;
    if (ws_trace_replaces(trace, before, "", stderr)) kept->path = path;
    ws_trace_close(before);
    return true;
}

/* `all` are the `*count` traces before this one. */
static bool take_trace(taken *all, size_t *count, const char *path, ws_error *err) {
    ws_trace *trace = may_be_named(path, err) ? ws_trace_open(path, err) : NULL;
    if (!trace) return false;
    taken this = {.path = path};
    memcpy(this.digest, ws_trace_get_info(trace)->digest, sizeof this.digest);
    size_t i = 0;
    while (i < *count && strcmp(all[i].digest, this.digest) != 0) i++;
    bool ok = i == *count || keep_the_better(&all[i], path, trace, err);
    if (i == *count) all[(*count)++] = this;
    ws_trace_close(trace);
    return ok;
}

/* Fails if two traces have one name, by which results are told apart. */
static bool check_names(const work *w, const taken *all, ws_error *err) {
    for (size_t i = 0; i < json_array_size(w->names); i++)
        for (size_t before = 0; before < i; before++)
            if (json_equal(json_array_get(w->names, i), json_array_get(w->names, before)))
                return ws_fail(
                    err, WS_ERROR_USAGE,
                    "expected traces of different names, found two that are called '%s', %s and %s: "
                    "rename one",
                    json_string_value(json_array_get(w->names, i)), all[before].path, all[i].path);
    return true;
}

static bool name_trace(work *w, const char *path, ws_error *err) {
    char *name = ws_trace_name(path);
    bool ok = (name && json_array_append_new(w->traces, pattern_of(path)) == 0 &&
               json_array_append_new(w->names, json_string(name)) == 0) ||
              ws_no_memory(err);
    free(name);
    return ok;
}

static bool take_traces(work *w, ws_error *err) {
    const int given = w->args->repeated_count;
    taken *all = calloc((size_t)given, sizeof *all);
    size_t count = 0;
    bool ok = all || ws_no_memory(err);
    w->traces = json_array();
    w->names = json_array();
    for (int i = 0; ok && i < given; i++) ok = take_trace(all, &count, w->args->repeated[i], err);
    for (size_t i = 0; ok && i < count; i++) ok = name_trace(w, all[i].path, err);
    ok = ok && check_names(w, all, err);
    free(all);
    return ok;
}

/* Checks everything that can be wrong with the command line, before work begins. */
static bool check(work *w, ws_error *err) {
    const char *gpu = w->args->option[GPU];
    const cli_args no_settings = {0};
    if (gpu && !may_be_named(gpu, err)) return false;
    w->config = cli_gpu_config(gpu, &no_settings, err);
    if (!w->config || !take_traces(w, err)) return false;
    return !w->args->option[PLOTS] || (ws_can_plot(err) && make_plots_folder(w->args->option[PLOTS], err));
}

static bool prepare(work *w, ws_error *err) {
    return cli_whole_number(w->args, JOBS, 1, 1024, 0, &w->jobs, err) &&
           cli_data_folder(&cli_sweeps, w->sweeps, sizeof w->sweeps, err) &&
           cli_data_folder(&cli_gpus, w->gpus, sizeof w->gpus, err) && check(w, err) && make_folder(w, err);
}

static int run(const cli_args *args, ws_error *err) {
    work w = {.args = args, .interrupted = cli_catch_interrupts()};
    json_t *file = prepare(&w, err) ? cli_measures_load(w.sweeps, err) : NULL;
    bool ok = file && sweep_parts(&w, file, err) && show(&w, file, err);
    if (ok && args->option[PLOTS]) draw_all(&w, file, err);
    add_remedy(&w, err);
    ws_failures_tell(&w.failures, "failed", 1, stderr);
    if (ok && w.gpu_to_blame && !args->option[GPU])
        fputs("another GPU may do: --gpu NAME; 'warpsweep list' names them\n", stderr);
    ws_failures_free(&w.failures);
    ws_config_free(w.config);
    json_decref(file);
    json_decref(w.traces);
    json_decref(w.names);
    remove_folder(&w);
    return w.some_failed ? CLI_SOME_FAILED : 0;
}

const cli_command cli_characterize = {
    .name = "characterize",
    .summary = "a summary of each kernel: divergence, locality, contention, occupancy",
    .arguments = {{.name = "TRACE.wst", .help = "native traces"}},
    .repeats = "TRACE.wst",
    .options =
        {[KERNELS] = CLI_KERNELS_OPTION,
         [GPU] = {"gpu", 'g', false, "NAME",
                  "the GPU whose SMs run them: a name that 'warpsweep list' shows, or a file NAME.json; "
                  "without it, the parameters' defaults"},
         [PLOTS] = {"plots", 'p', false, "DIR",
                    "draw all figures into DIR, as .svg; takes longer, and needs gnuplot"},
         [JSON] = {"json", 0, false, NULL,
                   "the summaries as one JSON array; what is unknown is null, with a note"},
         [DB] = {"db", 0, false, "FILE",
                 "keep all results in this database, and do not compute again what it has"},
         [JOBS] = {"jobs", 'j', false, "N", "worker processes (default: one per processor)"}},
    .details =
        "All launches of a kernel count together. '-' is what the trace cannot tell; the note below "
        "says why.\n"
        "Instructions are replayed without latencies, in the order of the GPU's warp scheduler: gto,\n"
        "greedy then oldest, unless --gpu names one that has another.\n"
        "--gpu takes the limits and the scheduler of its SMs, how many there are and who gets the next CTA,\n"
        "and the line of its L1, by which accesses coalesce. Sizes that a row names, as those of its L1, of\n"
        "its windows or its clusters, are the row's own whatever the GPU, so that kernels compare.\n"
        "The heading of a kernel counts instructions of global or local memory that have an active lane, as\n"
        "lines per instruction do; 'memory' of the mix is all spaces, fences, and those without such a "
        "lane.\n"
        "The measurements are defined in 'sweeps/characterize.json' beside the command, or in\n"
        "$WARPSWEEP_SWEEPS: sweeps, and SQL over their views; 'warpsweep help NAME' shows each by its name\n"
        "in --json. --db keeps these for more questions.\n",
    .run = run,
};
