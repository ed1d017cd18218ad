#include "sweep/compared.h"

#include "store/sqlite.h"

#include <stdlib.h>

/* Counts the view's rows in which `column` is not NULL; "*" counts all. */
static bool count(ws_store *store, const char *sweep, const char *comparison, const char *column,
                  int64_t *rows, ws_error *err) {
    return ws_store_number(store,
                           sqlite3_mprintf("SELECT count(%s) FROM \"%w_%w\"", column, sweep, comparison),
                           "counting what is compared", rows, err);
}

bool ws_tell_baseline(ws_store *store, const ws_plan *plan, FILE *log, ws_error *err) {
    const char *sweep = plan->spec->name;
    const ws_table *comparison = plan->spec->analysis->comparison;
    char *text = NULL;
    int64_t rows, without;
    if (!log || !comparison || plan->elsewhere) return true;
    if (!ws_store_baseline(store, sweep, &text, err)) return false;
    bool ok = !text || (count(store, sweep, comparison->name, "*", &rows, err) &&
                        count(store, sweep, comparison->name, "note", &without, err));
    if (ok && text) {
        fprintf(log, "%s_%s: over %s; ", sweep, comparison->name, text);
        if (without)
            fprintf(log, "%lld of %lld rows have no baseline\n", (long long)without, (long long)rows);
        else
            fprintf(log, "all %lld rows have a baseline\n", (long long)rows);
    }
    free(text);
    return ok;
}
