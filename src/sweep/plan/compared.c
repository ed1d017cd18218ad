#include "sweep/plan/compared.h"

#include <inttypes.h>
#include <stdlib.h>

bool ws_tell_baseline(ws_store *store, const ws_plan *plan, FILE *log, ws_error *err) {
    const char *sweep = plan->spec->name;
    const ws_table *comparison = plan->spec->analysis->comparison;
    char *text = NULL;
    int64_t rows, compared;
    if (!log || !comparison || plan->elsewhere) return true;
    if (!ws_store_baseline(store, sweep, &text, err)) return false;
    bool ok = !text || ws_store_count_compared(store, &rows, &compared, err);
    if (ok && text) {
        fprintf(log, "%s_%s: over %s; ", sweep, comparison->name, text);
        if (compared < rows)
            fprintf(log, "%" PRId64 " of %" PRId64 " rows have no baseline\n", rows - compared, rows);
        else if (rows > 0)
            fprintf(log, "all %" PRId64 " rows have a baseline\n", rows);
        else
            fprintf(log, "no rows to compare\n");
    }
    free(text);
    return ok;
}
