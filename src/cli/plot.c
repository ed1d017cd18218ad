#include "cli/command.h"
#include "cli/installed.h"
#include "report/listing.h"
#include "warpsweep/report.h"

#include <limits.h>

enum { OUTPUT };

static bool list_figures(const char *folder, ws_error *err) {
    ws_figure *figures;
    size_t count;
    if (!ws_figures(folder, &figures, &count, err)) return false;
    ws_listing *listing = ws_listing_new(2, stdout);
    if (listing) {
        ws_listing_cell(listing, "figure", false);
        ws_listing_cell(listing, "title", false);
        for (size_t i = 0; i < count; i++) {
            ws_listing_cell(listing, figures[i].name, false);
            ws_listing_cell(listing, figures[i].title, false);
        }
    }
    bool complete = ws_listing_close(listing) && listing;
    ws_figures_free(figures, count);
    return complete || ws_fail(err, WS_ERROR_MEMORY, "out of memory");
}

static void print_path(void *context, const char *path) {
    (void)context;
    puts(path);
}

static int run(const cli_args *args, ws_error *err) {
    const char *figure = args->argument[1], *output = args->option[OUTPUT];
    char folder[PATH_MAX];
    if (!figure != !output) {
        ws_fail(err, WS_ERROR_USAGE,
                figure ? "expected -o FILE beside the figure" : "expected a figure beside -o");
        return 0;
    }
    ws_store *store = ws_store_open_readonly(args->argument[0], err);
    if (store && cli_data_folder(&cli_figures, folder, sizeof folder, err)) {
        if (figure)
            ws_plot(store, folder, figure, output, print_path, NULL, err);
        else
            list_figures(folder, err);
    }
    ws_store_close(store);
    return 0;
}

const cli_command cli_plot = {
    .name = "plot",
    .summary = "draw a figure from a results database",
    .arguments = {{.name = "DB", .help = "a results database"},
                  {.name = "FIGURE",
                   .optional = true,
                   .help = "its name; without it, the figures are listed"}},
    .options =
        {[OUTPUT] = {"output", 'o', false, "FILE",
                     "what to write: the name ends in .svg, .png or .pdf. More panels than fit on a page go "
                     "to FILE-2 and so on"}},
    .details =
        "A figure is a pair of files, NAME.sql and NAME.gp, in the folder 'plots' beside the command, or in\n"
        "$WARPSWEEP_PLOTS. Prints the files that it writes. Needs gnuplot.\n",
    .run = run,
};
