#include "cli/command.h"
#include "cli/results/results.h"
#include "warpsweep/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINES, CSV, JSON, SQL_FILE, TIMEOUT };

/* Reads a file, or standard input for "-", as a heap string. */
static char *read_sql(const char *path, ws_error *err) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    ssize_t length = file ? getdelim(&text, &size, '\0', file) : -1;
    if (!file || (length < 0 && ferror(file)))
        ws_fail(err, WS_ERROR_IO, "%s: cannot read: %s", path, strerror(errno));
    else if (length <= 0 || !*text)
        ws_fail(err, WS_ERROR_USAGE, "%s: expected SQL, found nothing", path);
    if (file && file != stdin) fclose(file);
    if (err->code == WS_ERROR_NONE) return text;
    free(text);
    return NULL;
}

static bool query(const cli_args *args, const char *sql, ws_error *err) {
    ws_query_format format = args->option[LINES]  ? WS_QUERY_LINES
                             : args->option[CSV]  ? WS_QUERY_CSV
                             : args->option[JSON] ? WS_QUERY_JSON
                                                  : WS_QUERY_TABLE;
    double timeout_s;
    if (!cli_number(args, TIMEOUT, 0, 1e9, 0, &timeout_s, err)) return false;
    ws_store *store = cli_open_results(args->argument[0], err);
    if (store) ws_store_watch(store);
    bool done = store && ws_query(store, sql, format, timeout_s, stdout, err) &&
                ws_store_tell_unfinished(store, stderr, err);
    ws_store_close(store);
    return done;
}

static int run(const cli_args *args, ws_error *err) {
    const char *sql = args->argument[1], *path = args->option[SQL_FILE];
    if (!!args->option[LINES] + !!args->option[CSV] + !!args->option[JSON] > 1) {
        ws_fail(err, WS_ERROR_USAGE, "expected one of --lines, --csv and --json, found several");
    } else if (sql && path) {
        ws_fail(err, WS_ERROR_USAGE, "expected SQL or --file, found both");
    } else if (!sql && !path) {
        ws_fail(
            err, WS_ERROR_USAGE,
            "expected SQL or --file, found neither; 'SELECT name FROM sweep_view' gives what can be asked");
    } else if (sql) {
        query(args, sql, err);
    } else {
        char *text = read_sql(path, err);
        if (text && !query(args, text, err)) ws_fail_prefix(err, "%s", path);
        free(text);
    }
    return 0;
}

const cli_command cli_query = {
    .name = "query",
    .summary = "ask a results database in SQL",
    .arguments = {{.name = "DB", .help = "a results database; it is opened read-only"},
                  {.name = "SQL", .optional = true, .help = "one statement"}},
    .options = {[LINES] = {"lines", 'l', false, NULL, "a line per column, for rows of many columns"},
                [CSV] = {"csv", 0, false, NULL, "comma-separated values with a header line; NULL is empty"},
                [JSON] = {"json", 0, false, NULL, "an array of objects, or nothing at all if a row fails"},
                [SQL_FILE] = {"file", 'f', false, "FILE.sql",
                              "take the statement from a file; '-' is standard input"},
                [TIMEOUT] = {"timeout", 't', false, "S", "give up after S seconds (default: 0, never)"}},
    .standard_input = "file",
    .details =
        "Each sweep has a view of its own name, with a row per launch and point and with its axes and\n"
        "metrics as columns (a '.' in a parameter's name becomes '_'), and a view NAME_by_kernel, in which\n"
        "the launches of a kernel are added up. NULL means unknown; the column 'note' says why ('warpsweep\n"
        "help note'), but for a ratio to a count of 0. Join views of a sweep on trace, kernel, launch or\n"
        "launch_set, and its axes. The table 'metric' holds the unit and the meaning of every parameter and\n"
        "result; 'warpsweep help NAME' explains the other columns of views, too: note, launches ..\n"
        "\n"
        "In addition to SQLite's own functions there are the aggregates geomean(x), geomean_left_out(x),\n"
        "median(x) and quantile(x, p); the bounds of 95 % intervals of means, geomean_low(x),\n"
        "geomean_high(x), avg_low(x) and avg_high(x); and the correlations pearson(x, y) and spearman(x, "
        "y).\n"
        "'warpsweep help geomean' and so on say what each leaves out. Other programs that open the database\n"
        "have its views, but not these.\n"
        "\n"
        "  SELECT name FROM sweep_view           the views\n"
        "  SELECT * FROM NAME_by_kernel LIMIT 1  the columns of one, with their first values (add --lines)\n"
        "\n"
        "The files in results/*.sql are questions to begin with.\n",
    .run = run,
};
