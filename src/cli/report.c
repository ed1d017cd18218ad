#include "warpsweep/report.h"
#include "base/progress.h"
#include "base/unfinished.h"
#include "cli/command.h"
#include "cli/installed.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUT, NO_FIGURES };

static void tell(void *progress_, size_t drawn, size_t figures) {
    ws_progress *progress = progress_;
    progress->total = figures;
    ws_progress_update(progress, drawn, (double)drawn / (double)figures);
}

/* The page, complete. Heap string; NULL with an error. */
static char *page_of(const char *path, bool with_figures, size_t *size, ws_error *err) {
    char folder[PATH_MAX], *page = NULL;
    if (with_figures && !(cli_data_folder(&cli_figures, folder, sizeof folder, err) && ws_can_plot(err))) {
        ws_fail_prefix(err, "figures (--no-figures leaves them out)");
        return NULL;
    }
    ws_store *store = ws_store_open_readonly(path, err);
    FILE *out = store ? open_memstream(&page, size) : NULL;
    ws_progress progress = ws_progress_start(stderr, "report", "figures", 0);
    bool done = out && ws_report(store, path, with_figures ? folder : NULL, out, tell, &progress, err);
    ws_progress_clear(&progress);
    if (store && !out) ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    if (out && fclose(out) != 0 && done) done = ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    ws_store_close(store);
    if (done) return page;
    free(page);
    return NULL;
}

/* The file appears when it is complete. */
static bool write_page(const char *path, const char *page, size_t size, ws_error *err) {
    char unfinished[4200];
    snprintf(unfinished, sizeof unfinished, "%s.%ld.part", path, (long)getpid());
    ws_unfinished_add(unfinished);
    FILE *file = fopen(unfinished, "w");
    bool done = file && fwrite(page, 1, size, file) == size;
    if (file) done = fclose(file) == 0 && done;
    done = done && rename(unfinished, path) == 0;
    if (!done) ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", path, strerror(errno));
    if (file && !done) unlink(unfinished);
    ws_unfinished_done(unfinished);
    return done;
}

static bool ends_in(const char *text, const char *ending) {
    size_t length = strlen(text), of_ending = strlen(ending);
    return length >= of_ending && strcmp(text + length - of_ending, ending) == 0;
}

static int run(const cli_args *args, ws_error *err) {
    const char *path = args->option[OUTPUT];
    if (!ends_in(path, ".html") || strlen(path) > 4000) {
        ws_fail(err, WS_ERROR_USAGE, "expected a file name that ends in .html, found '%.200s'", path);
        return 0;
    }
    size_t size = 0;
    char *page = page_of(args->argument[0], !args->option[NO_FIGURES], &size, err);
    if (page && write_page(path, page, size, err)) puts(path);
    free(page);
    return 0;
}

const cli_command cli_report = {
    .name = "report",
    .summary = "a page for a browser: how the sweeps of a database went, and its figures",
    .arguments = {{.name = "DB", .help = "a results database, also one that a sweep still writes to"}},
    .options = {[OUTPUT] = {"output", 'o', true, "FILE.html", "what to write; it needs no other file"},
                [NO_FIGURES] = {"no-figures", 0, false, NULL, "leave the figures out, which need gnuplot"}},
    .details =
        "All figures that the database has the rows for ('warpsweep plot DB' lists them); of each sweep how\n"
        "many of its points are done, why others failed, the values of its axes, where it has a baseline\n"
        "the speedups of its settings over it and the best setting of each kernel, what its columns mean "
        "and\n"
        "between which values they lie, and the commands that computed it.\n",
    .run = run,
};
