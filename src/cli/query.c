#include "cli/command.h"
#include "warpsweep/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CSV, JSON, SQL_FILE, TIMEOUT };

/* The text of a file, or of standard input for "-". Heap string. */
static char *read_sql(const char *path, ws_error *err) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!file || (getdelim(&text, &size, '\0', file) < 0 && ferror(file)))
        ws_fail(err, WS_ERROR_IO, "%s: cannot read: %s", path, strerror(errno));
    else if (feof(file) && (!text || !*text))
        ws_fail(err, WS_ERROR_USAGE, "%s: expected SQL, found nothing", path);
    if (file && file != stdin) fclose(file);
    if (err->code == WS_ERROR_NONE) return text;
    free(text);
    return NULL;
}

static bool query(const cli_args *args, const char *sql, ws_error *err) {
    ws_query_format format = args->option[CSV]    ? WS_QUERY_CSV
                             : args->option[JSON] ? WS_QUERY_JSON
                                                  : WS_QUERY_TABLE;
    double timeout_s;
    if (!cli_number(args, TIMEOUT, 0, 1e9, 0, &timeout_s, err)) return false;
    ws_store *store = ws_store_open_readonly(args->argument[0], err);
    bool done = store && ws_query(store, sql, format, timeout_s, stdout, err);
    ws_store_close(store);
    return done;
}

static int run(const cli_args *args, ws_error *err) {
    const char *sql = args->argument[1], *path = args->option[SQL_FILE];
    if (args->option[CSV] && args->option[JSON]) {
        ws_fail(err, WS_ERROR_USAGE, "expected one of --csv and --json, found both");
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
    .arguments = {{.name = "DB", .help = "a results database; nothing can change it here"},
                  {.name = "SQL", .optional = true, .help = "one statement"}},
    .options = {[CSV] = {"csv", 0, false, NULL, "comma-separated values with a head; NULL is empty"},
                [JSON] = {"json", 0, false, NULL, "an array of objects"},
                [SQL_FILE] = {"file", 'f', false, "FILE.sql",
                              "take the statement from a file, or from standard input ('-')", true},
                [TIMEOUT] = {"timeout", 't', false, "S", "give up after S seconds (default: never)"}},
    .details =
        "Each sweep has a view of its own name, one row per launch, with its axes and metrics as columns\n"
        "(a '.' in a parameter's name is a '_' there), and a view NAME_by_kernel with the launches of a\n"
        "kernel added up. NULL is what is not known; the column 'note' says why ('warpsweep help note').\n"
        "Views of a sweep are joined by their columns trace, kernel, launch or launches, and its axes. The\n"
        "table 'metric' holds the unit and the meaning of every column. Beside SQLite's own functions there\n"
        "are geomean(x), geomean_left_out(x), median(x), quantile(x, p), and the bounds of means' 95 %\n"
        "bootstrap intervals: geomean_low(x), geomean_high(x), avg_low(x), avg_high(x);\n"
        "pearson(x, y) and spearman(x, y) are correlations, the latter of ranks.\n"
        "\n"
        "  SELECT name FROM sweep_view           the views\n"
        "  SELECT * FROM NAME_by_kernel LIMIT 1  the columns of one, with their first values\n"
        "\n"
        "The files in results/*.sql are questions to begin with.\n",
    .run = run,
};
