/* Says in words what a sweep's points are compared with. */
#include "store/store.h"

#include <string.h>

#define LIST(of, before, item) "(SELECT '" before "' || group_concat(" item ", ', ') FROM json_each(" of "))"
static const char in_words[] = "SELECT " LIST("baseline", "", "key || ' ' || value") " || coalesce(" LIST(
    "compared_at", ", at equal ", "value") ", '') FROM sweep WHERE name = %Q AND baseline NOT NULL";

bool ws_store_baseline(ws_store *store, const char *sweep, char **text, ws_error *err) {
    sqlite3_stmt *row = NULL;
    int64_t known;
    *text = NULL;
    if (!ws_store_number(
            store, sqlite3_mprintf("SELECT count(*) FROM pragma_table_info('sweep') WHERE name = 'baseline'"),
            "looking for baselines", &known, err))
        return false;
    if (!known) return true;
    if (!ws_store_prepare_text(store, &row, sqlite3_mprintf(in_words, sweep), err)) return false;
    int code = sqlite3_step(row);
    bool ok = code == SQLITE_DONE || code == SQLITE_ROW || ws_store_fail(store, "reading a baseline", err);
    if (code == SQLITE_ROW) {
        const char *words = (const char *)sqlite3_column_text(row, 0);
        *text = words ? strdup(words) : NULL;
        ok = *text || ws_no_memory(err);
    }
    sqlite3_finalize(row);
    return ok;
}
