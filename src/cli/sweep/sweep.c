#include "warpsweep/sweep.h"

#include "cli/inputs/kernels.h"
#include "cli/installed.h"
#include "cli/interrupt.h"
#include "cli/output.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DB, KERNELS, JOBS, SHARD, DRY_RUN, RETRY_FAILED, TIME_LIMIT, MEMORY_LIMIT };
enum { SHARDS_MAX = 100000 };

static void print_count(const char *name, uint64_t value) {
    char text[CLI_COUNT_SIZE];
    printf("%-16s %s\n", name, cli_count(value, text));
}

static void print_estimate(const char *name, uint64_t value) {
    char text[CLI_COUNT_SIZE];
    printf("%-16s %s%s\n", name, value ? "about " : "", cli_count(value, text));
}

/* Says what becomes of the axes' combinations, unless all are meant. */
static void print_left_out(const ws_sweep_report *r) {
    uint64_t equal = r->of_axes - r->outside - r->unsampled - r->combinations;
    if (r->of_axes == r->combinations) return;
    print_count("of the axes", r->of_axes);
    if (r->outside) print_count("- not in 'where'", r->outside);
    if (r->unsampled) print_count("- not sampled", r->unsampled);
    if (equal) print_count("- as others", equal);
}

static void print_plan(const ws_sweep_report *r) {
    print_count("traces", r->traces);
    print_count("launches", r->kernels);
    print_left_out(r);
    print_count("combinations", r->combinations);
    print_count("points", r->points);
    print_count("already stored", r->stored);
    print_count("failed before", r->stored_failed);
    if (r->elsewhere) print_count("of other shards", r->elsewhere);
    print_count("to compute", r->planned);
    if (r->refused) print_count(".. would fail", r->refused);
    print_count("passes", r->passes);
    if (r->passes) print_count(".. points, up to", r->points_of_pass);
    if (r->sample_error.code != WS_ERROR_NONE) printf("%-16s %s\n", "a sample failed", r->sample_error.text);
    if (r->unknown) {
        puts("rows, bytes, memory, time: unknown, because no sampled pass finished in time without an error");
        return;
    }
    print_estimate("rows", r->rows);
    print_estimate("database bytes", r->bytes);
    print_estimate("peak memory, B", r->peak_memory_B);
    printf("%-16s %.1f s on %" PRIu32 " idle core%s\n", "time", r->seconds, r->jobs, r->jobs == 1 ? "" : "s");
}

static void print_outcome(const ws_sweep_report *r, const char *db) {
    char combinations[CLI_COUNT_SIZE], launches[CLI_COUNT_SIZE];
    char points[CLI_COUNT_SIZE], done[CLI_COUNT_SIZE], stored[CLI_COUNT_SIZE], failed[CLI_COUNT_SIZE];
    printf("%s: combinations: %s, launches: %s, points: %s, computed: %s, already stored: %s, failed: %s", db,
           cli_count(r->combinations, combinations), cli_count(r->kernels, launches),
           cli_count(r->points, points), cli_count(r->done, done), cli_count(r->stored, stored),
           cli_count(r->failed + r->stored_failed, failed));
    if (r->elsewhere) printf(", of other shards: %s", cli_count(r->elsewhere, points));
    putchar('\n');
    if (r->alike)
        printf(
            "%s points more are of GPUs that equal others in all that this analysis reads: they are stored "
            "once, under the others' names\n",
            cli_count(r->alike * r->kernels, points));
}

/* Reads a shard, such as "0/8" to "7/8". */
static bool read_shard(const char *text, ws_sweep_options *options, ws_error *err) {
    int end = 0;
    if (!text) return true;
    bool ok = strspn(text, "0123456789/") == strlen(text) &&
              sscanf(text, "%9" SCNu32 "/%9" SCNu32 "%n", &options->shard, &options->shards, &end) == 2;
    if (ok && !text[end] && options->shard < options->shards && options->shards <= SHARDS_MAX) return true;
    return ws_fail(err, WS_ERROR_USAGE,
                   "option '--shard': expected I/N, I from 0 to N - 1 and N up to %d, found '%s'", SHARDS_MAX,
                   text);
}

/* Tells of points that failed in earlier runs and need not fail again; those of this run have been reported already. */
static void tell_failed_before(const ws_sweep_report *r) {
    char failed[CLI_COUNT_SIZE];
    if (r->stored_failed > r->stored_refused)
        fprintf(stderr, "%s of the points failed in an earlier run: --retry-failed computes them again\n",
                cli_count(r->stored_failed - r->stored_refused, failed));
}

/* Without the folder of what a specification names, it is refused because of the name: says what is missing. */
static void add_what_is_missing(const ws_error *missing, ws_error *err) {
    const ws_error refused = *err;
    if (missing->code != WS_ERROR_NONE && refused.code == WS_ERROR_SPEC)
        ws_fail(err, refused.code, "%s; %s", refused.text, missing->text);
}

static int run(const cli_args *args, ws_error *err) {
    uint32_t jobs;
    double time_limit_s, memory_limit_MiB;
    if (!cli_whole_number(args, JOBS, 1, 1024, 0, &jobs, err) ||
        !cli_number(args, TIME_LIMIT, 0, 1e9, 0, &time_limit_s, err) ||
        !cli_number(args, MEMORY_LIMIT, 0, 1e9, 0, &memory_limit_MiB, err))
        return 1;
    char gpus[PATH_MAX], energies[PATH_MAX];
    ws_error no_gpus = WS_NO_ERROR, no_energies = WS_NO_ERROR;
    ws_sweep_report report = {0};
    ws_sweep_options options = {
        .db = args->option[DB],
        .jobs = jobs,
        .kernels = args->option[KERNELS],
        .dry_run = args->option[DRY_RUN] != NULL,
        .retry_failed = args->option[RETRY_FAILED] != NULL,
        .time_limit_s = time_limit_s,
        .memory_limit_B = (uint64_t)ceil(memory_limit_MiB * 1024 * 1024), /* 0 means none */
        .argv = (const char *const *)args->argv,
        .log = stderr,
        .interrupted = cli_catch_interrupts(),
        .gpus = cli_data_folder(&cli_gpus, gpus, sizeof gpus, &no_gpus) ? gpus : NULL,
        .energies = cli_data_folder(&cli_energies, energies, sizeof energies, &no_energies) ? energies : NULL,
    };
    if (!read_shard(args->option[SHARD], &options, err)) return 1;
    if (!ws_sweep_run(args->argument[0], &options, &report, err)) {
        add_what_is_missing(&no_gpus, err);
        add_what_is_missing(&no_energies, err);
        return 1;
    }
    if (options.dry_run)
        print_plan(&report);
    else
        print_outcome(&report, options.db);
    if (!options.dry_run) tell_failed_before(&report);
    return !options.dry_run && report.failed + report.stored_failed ? CLI_SOME_FAILED : 0;
}

const cli_command cli_sweep = {
    .name = "sweep",
    .summary = "replay traces at every point of a specification and store the results",
    .arguments = {{.name = "SPEC.json",
                   .help =
                       "the specification: traces, kernels, an analysis, axes (sweeps/*.json are examples)"}},
    .options =
        {[DB] = {"db", 0, true, "FILE", "the results database; created if it does not exist"},
         [KERNELS] = {"kernels", 'k', false, "LIST",
                      CLI_KERNELS_HELP ", instead of those that the specification selects"},
         [JOBS] = {"jobs", 'j', false, "N", "worker processes (default: one per processor)"},
         [SHARD] = {"shard", 0, false, "I/N",
                    "compute only part I (from 0) of N parts, each into a database of its own; "
                    "'warpsweep merge' puts them together"},
         [DRY_RUN] = {"dry-run", 0, false, NULL,
                      "only say how many points, rows and seconds the sweep would take, and what would fail; "
                      "with --db, leave out what is stored already"},
         [RETRY_FAILED] = {"retry-failed", 0, false, NULL, "compute points again that failed before"},
         [TIME_LIMIT] = {"time-limit", 0, false, "S", "give up a pass after S seconds (default: 0, never)"},
         [MEMORY_LIMIT] = {"memory-limit", 0, false, "MiB",
                           "memory that one worker may use (default: no limit)"}},
    .waives = "dry-run",
    .details =
        "Points that are stored already are not computed again, so the same command resumes a sweep that\n"
        "was interrupted. A point that fails is a row with its reason; the sweep goes on and exits with 4.\n"
        "Where the file of a trace is damaged, the same command computes its points again.\n"
        "Ctrl-C, or SIGTERM, lets running passes end, stores them and exits with 130; a second one loses\n"
        "them. (In the background of a script SIGINT is ignored: send SIGTERM.) Results depend neither on\n"
        "-j nor on the order.\n"
        "\n"
        "Where --dry-run counts fewer combinations than the axes have, it says how many 'where' and the\n"
        "sampling leave out, and how many are as others. What is left are points of each launch.\n"
        "\n"
        "A sweep NAME has these views. They show the points of its last command: with --kernels, only those\n"
        "launches.\n"
        "\n"
        "  NAME                  a row per launch and point\n"
        "  NAME_by_kernel        the launches of one kernel together\n"
        "  NAME_TABLE            further tables of the analysis, launch by launch\n"
        "  NAME_speedup          points against a baseline (key \"baseline\"; the command says which it "
        "took)\n"
        "  NAME_pareto           what each setting gains for its storage\n"
        "  NAME_energy           joules by component (key \"energy\"; 'warpsweep help energy')\n"
        "\n"
        "A specification is a JSON object. sweeps/README.md, which is installed in share/doc/warpsweep,\n"
        "explains its keys with examples:\n"
        "\n"
        "  name, traces          the name of the views; .wst files or patterns\n"
        "  description           a text for readers; reports show it\n"
        "  kernels               which launches of these; all without it\n"
        "  analysis              what is measured: a name that 'warpsweep list' shows\n"
        "  fidelity              \"order\": who goes next, or \"timed\": cycle by cycle\n"
        "  gpu, base             the GPU, and the parameters that all points share\n"
        "  axes                  the parameters that vary; each combination of their values is a point of\n"
        "                        each launch:\n"
        "                        {\"l1.size_B\": {\"log2\": [8192, 65536]}, \"sm.scheduler\": [\"lrr\", "
        "\"gto\"]};\n"
        "                        {\"range\": [from, to, step]} is another form, {\"values\": [..]} the same "
        "as\n"
        "                        [..], and a list may hold such forms;\n"
        "                        parameters in \"zip\" vary together, and \"gpu\" can be an axis, too\n"
        "  derived, where        parameters computed from others, and a condition on the points, in SQL\n"
        "  sampling              {\"method\": \"sobol\", \"points\": 64}: only so many of the combinations\n"
        "  with                  traces whose programs run at the same time\n"
        "  baseline, energy      what points are compared with; a table of energies\n",
    .run = run,
};
