#include "warpsweep/store.h"

#include "cli/command.h"
#include "cli/output.h"
#include "cli/results/results.h"

#include <stdio.h>

enum { DB };

/* Opens each part once, so that what is wrong with one is told before anything is written. */
static bool check_parts(const cli_args *args, ws_error *err) {
    for (int i = 0; i < args->repeated_count; i++) {
        ws_store *part = cli_open_results(args->repeated[i], err);
        if (!part) return false;
        ws_store_close(part);
    }
    return true;
}

static bool merge(ws_store *store, const char *path, ws_error *err) {
    char points[CLI_COUNT_SIZE], added[CLI_COUNT_SIZE];
    ws_merge_report report;
    if (!ws_store_merge(store, path, stderr, &report, err)) return false;
    printf("%s: points: %s, added: %s\n", path, cli_count(report.points, points),
           cli_count(report.added, added));
    fflush(stdout); /* the next one may take a while */
    return true;
}

static int run(const cli_args *args, ws_error *err) {
    ws_store *store = check_parts(args, err) ? ws_store_open(args->option[DB], err) : NULL;
    for (int i = 0; store && i < args->repeated_count; i++)
        if (!merge(store, args->repeated[i], err)) break;
    ws_store_close(store);
    return 0;
}

const cli_command cli_merge = {
    .name = "merge",
    .summary = "put the results of several databases into one",
    .arguments = {{.name = "PART.db", .help = "results databases; they are not changed"}},
    .repeats = "PART.db",
    .options = {[DB] = {"db", 0, true, "FILE", "the database to merge into; created if it does not exist"}},
    .details =
        "What FILE already has stays, so a merge can be repeated when parts have grown. Points that failed\n"
        "in one part and are done in another are done. Databases with different results for the same point\n"
        "come from different versions of the program, and are refused.\n"
        "\n"
        "A sweep on three machines: 'warpsweep sweep SPEC.json --db part0.db --shard 0/3' on the first, 1/3\n"
        "and 2/3 on the others. Then 'warpsweep merge part*.db --db all.db' has all points and the sweep's\n"
        "views, and 'warpsweep sweep SPEC.json --db all.db' computes what is missing.\n",
    .run = run,
};
