#include "warpsweep/report.h"

#include "base/ends.h"
#include "base/progress.h"
#include "base/unfinished.h"
#include "cli/command.h"
#include "cli/installed.h"
#include "cli/results/results.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

enum { OUTPUT, FIGURE, NO_FIGURES };

static void tell(void *progress_, size_t drawn, size_t figures) {
    ws_progress *progress = progress_;
    progress->total = figures;
    ws_progress_update(progress, drawn, (double)drawn / (double)figures);
}

/* Finds the folder of figures, and checks that gnuplot can be run, before figures are drawn. */
static bool find_figures(const cli_args *args, char *folder, size_t size, ws_error *err) {
    return args->option[NO_FIGURES] ||
           (cli_data_folder(&cli_figures, folder, size, err) && ws_can_plot(err)) ||
           ws_fail_prefix(err, "figures (--no-figures leaves them out)");
}

static bool put_page(ws_store *store, const cli_args *args, const char *folder, FILE *out, ws_error *err) {
    const ws_report_figures figures = {folder, args->repeated, (size_t)args->repeated_count};
    ws_progress progress = ws_progress_start(stderr, "report", "figures", 0);
    bool done = ws_report(store, args->argument[0], args->option[NO_FIGURES] ? NULL : &figures, out, tell,
                          &progress, err);
    ws_progress_clear(&progress);
    return done;
}

static bool cannot_write(const char *path, ws_error *err) {
    return ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", path, strerror(errno));
}

/* Writes the page; the file appears when it is complete. */
static bool write_page(ws_store *store, const cli_args *args, const char *figures, ws_error *err) {
    const char *path = args->option[OUTPUT];
    ws_unfinished page;
    if (!ws_may_replace(path, "a page", (const char *const[]){"<!DOCTYPE html>", NULL}, err)) return false;
    FILE *file = ws_unfinished_create(&page, path, err);
    if (!file) return false;
    bool done = put_page(store, args, figures, file, err);
    if (!done && ferror(file)) ws_fail_prefix(err, "%s", path);
    if (fclose(file) != 0 && done) done = cannot_write(path, err);
    return (ws_unfinished_end(&page, done) || cannot_write(path, err)) && done;
}

static int run(const cli_args *args, ws_error *err) {
    const char *path = args->option[OUTPUT];
    if (!ws_ends_with(path, ".html") || strlen(path) > 4000) {
        ws_fail(err, WS_ERROR_USAGE, "expected a file name that ends in .html, found '%.200s'", path);
        return 0;
    }
    if (args->option[FIGURE] && args->option[NO_FIGURES]) {
        ws_fail(err, WS_ERROR_USAGE, "'--figure' and '--no-figures' exclude each other");
        return 0;
    }
    char figures[PATH_MAX];
    bool can_begin = find_figures(args, figures, sizeof figures, err);
    ws_store *store = can_begin ? cli_open_results(args->argument[0], err) : NULL;
    if (store && ws_store_is_file(store, path))
        ws_fail(err, WS_ERROR_USAGE, "%s: expected another file than the database", path);
    else if (store && write_page(store, args, figures, err))
        puts(path);
    ws_store_close(store);
    return 0;
}

const cli_command cli_report = {
    .name = "report",
    .summary = "an HTML page of a results database: how its sweeps went, and its figures",
    .arguments = {{.name = "DB", .help = "a results database; a sweep may still be writing to it"}},
    .options = {[OUTPUT] = {"output", 'o', true, "FILE.html",
                            "the file to write; it needs no other file beside it"},
                [FIGURE] = {"figure", 'f', false, "FILE.sql",
                            "also draw this query of your own, as 'warpsweep plot DB FILE.sql' does; may be "
                            "repeated"},
                [NO_FIGURES] = {"no-figures", 0, false, NULL, "leave the figures out, which need gnuplot"}},
    .repeats = "figure",
    .details =
        "The page begins with the figures of --figure, then come all that the database has the rows for\n"
        "('warpsweep plot DB' lists them). For each sweep it says how many points are done, why others\n"
        "failed, the values of the axes, the baseline if there is one, what each axis does to the speedup\n"
        "over it ('warpsweep help effects'), the best settings overall and for each kernel, and draws\n"
        "both; with a table of energies ('warpsweep help energy'), the settings of least time, energy and\n"
        "energy-delay product, and their areas where the table gives any; what the columns mean and their\n"
        "smallest and largest values, and the commands that computed it.\n"
        "\n"
        "  warpsweep report my/l1.db --figure my/miss.sql -o my/l1.html\n",
    .run = run,
};
