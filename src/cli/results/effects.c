#include "cli/command.h"
#include "cli/installed.h"
#include "cli/results/results.h"
#include "warpsweep/report.h"

#include <limits.h>

enum { DB, VIEW, METRIC };
enum { WHERE, DIFFERENCES, SURFACE, VALUES, OUTPUT, CSV, JSON };

static void print_path(void *context, const char *path) {
    (void)context;
    puts(path);
}

static bool draw(ws_store *store, const ws_effects_query *query, const char *path, ws_error *err) {
    char folder[PATH_MAX];
    return cli_data_folder(&cli_figures, folder, sizeof folder, err) &&
           ws_plot_effects(store, folder, query, path, stderr, print_path, NULL, err);
}

static int run(const cli_args *args, ws_error *err) {
    if (args->option[CSV] && args->option[JSON])
        return ws_fail(err, WS_ERROR_USAGE, "expected one of --csv and --json, found both");
    if (args->option[OUTPUT] && (args->option[CSV] || args->option[JSON]))
        return ws_fail(err, WS_ERROR_USAGE, "expected a table or a figure (-o), found options for both");
    ws_query_format format = args->option[CSV]    ? WS_QUERY_CSV
                             : args->option[JSON] ? WS_QUERY_JSON
                                                  : WS_QUERY_TABLE;
    const ws_effects_query query = {.view = args->argument[VIEW],
                                    .metric = args->argument[METRIC],
                                    .where = args->option[WHERE],
                                    .differences = args->option[DIFFERENCES] != NULL,
                                    .surface = args->option[SURFACE] != NULL,
                                    .values = args->option[VALUES] != NULL};
    ws_store *store = cli_open_results(args->argument[DB], err);
    if (store) ws_store_watch(store);
    bool done = store && (args->option[OUTPUT] ? draw(store, &query, args->option[OUTPUT], err)
                                               : ws_effects(store, &query, format, stdout, stderr, err));
    if (done) ws_store_tell_unfinished(store, stderr, err);
    ws_store_close(store);
    return 0;
}

const cli_command cli_effects = {
    .name = "effects",
    .summary = "which axes of a sweep matter for a metric, and how much",
    .arguments = {{.name = "DB", .help = "a results database"},
                  {.name = "VIEW",
                   .help = "a sweep's view with a row per kernel and point, such as NAME_by_kernel"},
                  {.name = "METRIC", .help = "a column of the view, or SQL over its columns"}},
    .options = {[WHERE] = {"where", 'w', false, "SQL", "only rows for which this condition holds"},
                [DIFFERENCES] =
                    {"differences", 0, false, NULL,
                     "compare differences of the metric, which may then be 0 or negative, instead of ratios"},
                [SURFACE] = {"surface", 0, false, NULL,
                             "for a sample: fit a polynomial to the points, and report on it instead"},
                [VALUES] = {"values", 0, false, NULL,
                            "a row for each value of each axis: its mean relative to the axis' lowest mean"},
                [OUTPUT] = {"output", 'o', false, "FILE",
                            "draw these means, a panel for each axis: the name ends in .svg, .png or .pdf"},
                [CSV] = {"csv", 0, false, NULL, "comma-separated values with a header line"},
                [JSON] = {"json", 0, false, NULL, "an array of objects"}},
    .details =
        "An analysis of variance, with kernels as blocks: which share of the metric's variation within\n"
        "kernels goes back to each axis, and to each pair of axes beyond what each does alone. Squares of\n"
        "all kernels are added up, so that shares add up to 1, and a kernel counts by what it varies: one\n"
        "that hardly does says little about the axes. 'ratio' is the highest geometric mean of the metric\n"
        "at any value of the axis over the lowest, in which all kernels count alike; 'lowest_at' and\n"
        "'highest_at' are these values. '_low' and '_high' are the bounds of the 95 % interval over the\n"
        "kernels (Student's t). A kernel needs all combinations of the axes' values; kernels that lack some\n"
        "are left out (it says which ones the most complete of these lacks), and so are axes that follow\n"
        "from others, and points that lack launches which their kernel has at others, because these failed\n"
        "or are still to come.\n"
        "\n"
        "A sweep may leave out combinations that repeat others, as they differ from them only in axes that\n"
        "change nothing there, such as parameters of a mechanism that is off. These are filled in with the\n"
        "others' results (it says how many), so that effects are those of all combinations. Not so for a\n"
        "metric that names such an axis, and where another axis that does matter follows from it.\n"
        "\n"
        "--values prints, and -o draws, what each value of an axis does: the (geometric) mean of a kernel's\n"
        "points at that value, relative to the axis' value with the lowest mean, averaged over the kernels.\n"
        "The bounds are those of this ratio: two other values can differ even if their bounds overlap.\n"
        "Two or three kernels tell little, so that bounds over them lie far apart. As the lowest value is\n"
        "chosen from the same kernels, ratios tend to be too high.\n"
        "\n"
        "With --surface the points may be any, such as a sample, or a grid without some combinations: a\n"
        "polynomial of the axes, with squares and products if the points are enough and tell these apart,\n"
        "is fitted to each kernel by least squares. Positive numbers whose logarithms are spaced more\n"
        "evenly, as those of sizes, count as these. '(rest)' is then what it misses of points that it was\n"
        "not fitted to: the smaller, the better it describes all points. Where what is filled in completes\n"
        "the grid, no surface is fitted. Else it knows nothing of such axes: if a sample has one value of\n"
        "them wherever they change nothing, it may count for them what other axes do, and it warns of that.\n"
        "\n"
        "  warpsweep effects my/l1.db l1_sizes_by_kernel cycles\n"
        "  warpsweep effects my/l1.db l1_sizes_by_kernel 'dram_bytes / cycles' --where 'launches = 1'\n"
        "  warpsweep effects my/l1.db l1_sizes_by_kernel cycles -o my/cycles.svg\n"
        "  warpsweep effects my/mrpb.db mrpb_sample_by_kernel cycles --surface\n",
    .run = run,
};
