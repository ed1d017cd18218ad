#include "base/ends.h"
#include "cli/command.h"
#include "cli/installed.h"
#include "cli/results/results.h"
#include "cli/run/timeline.h"
#include "report/format/listing.h"
#include "warpsweep/report.h"

#include <limits.h>
#include <stdlib.h>

enum { OUTPUT, SWEEP, WHERE };

static bool print_figures(const ws_figure *figures, size_t count, ws_error *err) {
    ws_listing *listing = ws_listing_new(2, stdout);
    if (!listing) return ws_no_memory(err);
    ws_listing_cell(listing, "figure", false);
    ws_listing_cell(listing, "title", false);
    for (size_t i = 0; i < count; i++) {
        ws_listing_cell(listing, figures[i].name, false);
        ws_listing_cell(listing, figures[i].title, false);
    }
    return ws_listing_close(listing) || ws_no_memory(err);
}

/* Lists the figures that the database has the rows for, and says how many others there are. */
static bool list_figures(ws_store *store, const char *folder, ws_error *err) {
    ws_figure *figures;
    size_t count;
    if (!ws_figures(folder, &figures, &count, err)) return false;
    size_t fitting = ws_figures_fitting(store, folder, figures, count);
    bool ok = fitting == 0 || print_figures(figures, fitting, err);
    ws_figures_free(figures, count);
    if (fitting < count)
        fprintf(stderr,
                "%zu%s figures in %s are of sweeps that this database does not have: 'warpsweep list "
                "figures' names all; 'warpsweep plot DB NAME -o FILE.svg' says which sweep, and whether one "
                "of the database would do; 'warpsweep help plot' how a query of your own is drawn\n",
                count - fitting, fitting ? " other" : "", folder);
    return ok;
}

static void print_path(void *context, const char *path) {
    (void)context;
    puts(path);
}

/* `subject` (NULL: none) stands before the title. */
static bool draw(ws_store *store, const char *folder, const char *figure, const char *subject,
                 const char *output, ws_error *err) {
    return ws_plot(store, folder, figure, subject, output, stderr, print_path, NULL, err);
}

static bool draw_results(ws_store *store, const char *folder, const cli_args *args, ws_error *err) {
    const char *figure = args->argument[1], *sweep = args->option[SWEEP];
    char *subject = NULL;
    bool done = ws_plot_rows(store, folder, figure, sweep, args->option[WHERE], stderr, &subject, err);
    ws_store_watch(store); /* not before: to find the rows, views are read that the figure may not read */
    done = done && draw(store, folder, figure, subject, args->option[OUTPUT], err) &&
           ws_store_tell_unfinished(store, stderr, err);
    free(subject);
    return done;
}

/* Draws the figure, or lists the figures if none is named. */
static void plot_results(const cli_args *args, const char *folder, ws_error *err) {
    ws_store *store = cli_open_results(args->argument[0], err);
    if (store && args->argument[1])
        draw_results(store, folder, args, err);
    else if (store)
        list_figures(store, folder, err);
    ws_store_close(store);
}

static void plot_timeline(const char *path, const char *folder, const char *output, ws_error *err) {
    ws_store *store = cli_timeline_read(path, err);
    if (store) draw(store, folder, "timeline", NULL, output, err);
    ws_store_close(store);
}

static bool arguments_go_together(const cli_args *args, bool is_timeline, ws_error *err) {
    const char *path = args->argument[0], *figure = args->argument[1], *output = args->option[OUTPUT];
    if (is_timeline)
        return (output && !figure && !args->option[SWEEP] && !args->option[WHERE]) ||
               ws_fail(err, WS_ERROR_USAGE, "%s: expected -o FILE beside a timeline, and nothing else", path);
    if (figure && !output) return ws_fail(err, WS_ERROR_USAGE, "expected -o FILE beside the figure");
    return figure || (!output && !args->option[SWEEP] && !args->option[WHERE]) ||
           ws_fail(err, WS_ERROR_USAGE, "expected a figure beside %s",
                   output                ? "-o"
                   : args->option[SWEEP] ? "--sweep"
                                         : "--where");
}

static int run(const cli_args *args, ws_error *err) {
    const bool is_timeline = ws_has_suffix(args->argument[0], ".csv");
    char folder[PATH_MAX];
    if (!arguments_go_together(args, is_timeline, err) ||
        !cli_data_folder(&cli_figures, folder, sizeof folder, err))
        return 0;
    if (is_timeline)
        plot_timeline(args->argument[0], folder, args->option[OUTPUT], err);
    else
        plot_results(args, folder, err);
    return 0;
}

const cli_command cli_plot = {
    .name = "plot",
    .summary = "draw a figure from a results database, or a timeline",
    .arguments = {{.name = "DB",
                   .help = "a results database; or the CSV file of 'warpsweep run --timeline', TIMELINE.csv, "
                           "whose figure has no name"},
                  {.name = "FIGURE",
                   .optional = true,
                   .help = "the name of a figure, or a query of your own, FILE.sql; without it, the figures "
                           "that the database has the rows for are listed"}},
    .options =
        {[OUTPUT] = {"output", 'o', false, "FILE",
                     "the file to write: its name ends in .svg, .png or .pdf. Panels that do not fit on the "
                     "first page go to FILE-2 and so on"},
         [SWEEP] = {"sweep", 's', false, "NAME",
                    "draw this sweep of the database in place of the one that the figure names"},
         [WHERE] = {"where", 'w', false, "SQL", "only rows of its views for which this condition holds"}},
    .details =
        "A figure is a pair of files, NAME.sql and NAME.gp, in the folder 'plots' beside the command, or in\n"
        "$WARPSWEEP_PLOTS. A query of your own, FILE.sql, is drawn by its columns. For curves: panel, "
        "series,\n"
        "and two numbers, the first along x and the second along y:\n"
        "\n"
        "  SELECT trace AS panel, kernel AS series, l1_size_B AS \"L1 size (B)\",\n"
        "         l1_miss_rate AS \"L1 miss rate\"\n"
        "  FROM l1_sizes_by_kernel ORDER BY trace, kernel, l1_size_B\n"
        "\n"
        "For bars, with a group for each row: a name, then numbers of one kind. A column 'panel' before "
        "them\n"
        "makes panels:\n"
        "\n"
        "  -- Two sizes of the L1\n"
        "  -- axis: instructions per cycle\n"
        "  SELECT kernel, max(ipc) FILTER (WHERE l1_size_B = 16384) AS \"16 KB\",\n"
        "         max(ipc) FILTER (WHERE l1_size_B = 65536) AS \"64 KB\"\n"
        "  FROM l1_sizes_by_kernel GROUP BY kernel\n"
        "\n"
        "The first line, '-- TEXT', is the title. Below it, comments before the query set how it is drawn:\n"
        "\n"
        "  -- x: log            of curves: a logarithmic axis, or 'linear'; else the numbers decide\n"
        "  -- y: free           of curves: a scale for each panel, or 'shared'; else the numbers decide\n"
        "  -- style: points     of curves: no lines between the points, or 'lines'\n"
        "  -- axis: TEXT        of bars of several numbers: the name of their axis\n"
        "\n"
        "A file FILE.gp beside the query, if there is one, draws it instead.\n"
        "\n"
        "Axes of the sweep that the query does not name are told of, as rows may then be of several points.\n"
        "Where that is meant, or other conditions leave one value, name them in a comment:\n"
        "\n"
        "  -- Best of all l1_mshr_entries and mrpb_entries.\n"
        "\n"
        "A figure reads the views of the sweep that its query names. With --sweep NAME it reads those of\n"
        "sweep NAME instead, which must have their columns; parameters that are no axes of that sweep have\n"
        "the value that they have in all of its points, unless they have no effect there, as those of a\n"
        "mechanism that is off. The title then begins with the names of both; labels and other text stay as\n"
        "they are written. The query has to be one of a single sweep, whose views it does not call "
        "main.VIEW.\n"
        "\n"
        "With --where a figure reads only the rows of these views for which a condition holds, which the\n"
        "title then says. Means that the figure takes are over these rows; what the views themselves have\n"
        "found out, such as speedups, stays:\n"
        "\n"
        "  warpsweep plot results/demo.db window_reduction -w \"kernel = 'spmv'\" -o my/spmv.svg\n"
        "\n"
        "A subquery in the condition reads all rows of a view, so that it can choose kernels:\n"
        "\n"
        "  -w \"kernel IN (SELECT kernel FROM window_reduction_by_kernel WHERE remaining < 0.5)\"\n"
        "\n"
        "A timeline's figure has the first 100 periods of each launch; 'run --period' sets their length:\n"
        "\n"
        "  warpsweep run traces/spmv.wst --timeline my/spmv.csv --period 250\n"
        "  warpsweep plot my/spmv.csv -o my/spmv.png\n"
        "\n"
        "Prints the names of the files that it writes. Needs gnuplot.\n",
    .run = run,
};
