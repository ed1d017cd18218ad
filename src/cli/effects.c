#include "cli/command.h"
#include "cli/installed.h"
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
    ws_store *store = ws_store_open_readonly(args->argument[DB], err);
    if (store && args->option[OUTPUT])
        draw(store, &query, args->option[OUTPUT], err);
    else if (store)
        ws_effects(store, &query, format, stdout, stderr, err);
    ws_store_close(store);
    return 0;
}

const cli_command cli_effects = {
    .name = "effects",
    .summary = "which axes of a sweep matter for a metric, and how much",
    .arguments = {{.name = "DB", .help = "a results database"},
                  {.name = "VIEW", .help = "a sweep's view with rows of kernels, as NAME_by_kernel"},
                  {.name = "METRIC", .help = "a column of it, or SQL over its columns"}},
    .options = {[WHERE] = {"where", 'w', false, "SQL", "only rows of which this holds"},
                [DIFFERENCES] = {"differences", 0, false, NULL,
                                 "of the metric itself, which may be 0 or negative; without it ratios count"},
                [SURFACE] = {"surface", 0, false, NULL,
                             "of a sample: fit a polynomial to the points, and tell what it says of all"},
                [VALUES] = {"values", 0, false, NULL,
                            "a row for each value of each axis: its mean relative to the axis' lowest"},
                [OUTPUT] = {"output", 'o', false, "FILE",
                            "draw these values, a panel for each axis: the name ends in .svg, .png or .pdf"},
                [CSV] = {"csv", 0, false, NULL, "comma-separated values with a head"},
                [JSON] = {"json", 0, false, NULL, "an array of objects"}},
    .details =
        "An analysis of variance: how much of what the metric varies within a kernel goes back to each\n"
        "axis, and to two of them together beyond what each does alone; the mean of the kernels, which add\n"
        "up to 1. 'ratio' is that of the highest geometric mean of an axis' values to the lowest, and\n"
        "'lowest_at' and 'highest_at' are these values. Bounds '_low' and '_high' are of the 95 % bootstrap\n"
        "interval over the kernels. Kernels must have all combinations of the axes' values; those that lack\n"
        "some are left out, and so are axes that follow from others.\n"
        "\n"
        "--values tells, and -o draws, what each value of an axis does: the (geometric) mean of a kernel's\n"
        "points that have it, relative to that of the axis' value with the lowest mean, in the mean of the\n"
        "kernels. The bounds are those of this ratio: two other values can differ though their bounds\n"
        "overlap. Bounds over two or three kernels are rough, and as the lowest value is chosen by the same\n"
        "kernels, ratios are rather too high.\n"
        "\n"
        "With --surface points may be any, as of a sample: a polynomial of the axes, with squares and\n"
        "products where there are points enough, is fitted to each kernel by least squares. '(rest)' is\n"
        "then what it misses of points that it was not fitted to: the less, the better it stands for all.\n"
        "\n"
        "  warpsweep effects my/l1.db l1_sizes_by_kernel cycles\n"
        "  warpsweep effects my/l1.db l1_sizes_by_kernel 'dram_bytes / cycles' --where 'launches = 1'\n"
        "  warpsweep effects my/l1.db l1_sizes_by_kernel cycles -o my/cycles.svg\n"
        "  warpsweep effects my/mrpb.db mrpb_sample_by_kernel cycles --surface\n",
    .run = run,
};
