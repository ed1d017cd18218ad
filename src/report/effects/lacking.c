/* Which combinations of the axes' values a kernel lacks, so that one sees what to compute or to leave out. */
#include "report/effects/effects.h"

#define TOLD_MAX "4" /* combinations */

/* Appends the incomplete kernel with the most points: k, and their number. */
static void append_fullest(sqlite3_str *sql, const effects *f) {
    sqlite3_str_appendf(sql,
                        "SELECT k, count(*) AS points FROM effect_point GROUP BY k HAVING count(*) < %lld "
                        "ORDER BY 2 DESC, k LIMIT 1",
                        (long long)f->combinations);
}

static void append_levels(sqlite3_str *sql, const effects *f) {
    for (unsigned i = 0; i < f->count; i++) sqlite3_str_appendf(sql, "%sl%u.v", i ? ", " : "", i);
}

/* Appends the combinations that it lacks, as texts, with the value of each axis. */
static void append_lacks(sqlite3_str *sql, const effects *f) {
    sqlite3_str_appendall(sql, "SELECT ");
    for (unsigned i = 0; i < f->count; i++)
        sqlite3_str_appendf(sql, "%s'%s%q ' || l%u.v", i ? " || " : "", i ? ", " : "", f->axes[i].name, i);
    sqlite3_str_appendall(sql, " AS lack");
    for (unsigned i = 0; i < f->count; i++) sqlite3_str_appendf(sql, ", l%u.v AS c%u", i, i);
    for (unsigned i = 0; i < f->count; i++)
        sqlite3_str_appendf(sql, "%s(SELECT DISTINCT v%u AS v FROM effect_point) l%u", i ? ", " : " FROM ",
                            f->axes[i].column, i);
    sqlite3_str_appendall(sql, " WHERE (");
    append_levels(sql, f);
    sqlite3_str_appendall(sql, ") NOT IN (SELECT ");
    for (unsigned i = 0; i < f->count; i++)
        sqlite3_str_appendf(sql, "%sv%u", i ? ", " : "", f->axes[i].column);
    sqlite3_str_appendall(sql, " FROM effect_point WHERE k = (SELECT k FROM fullest)) ORDER BY ");
    append_levels(sql, f);
}

/* Appends what these have in common: the axes on which they have one value. */
static void append_common(sqlite3_str *sql, const effects *f) {
    sqlite3_str_appendall(sql, "nullif(substr(''");
    for (unsigned i = 0; i < f->count; i++)
        sqlite3_str_appendf(sql, " || iif(min(c%u) = max(c%u), ', %q ' || min(c%u), '')", i, i,
                            f->axes[i].name, i);
    sqlite3_str_appendall(sql, ", 3), '')");
}

/* The query of the text: few combinations, or what many have in common, or one of them. Of a kernel that lacks most, as
 * in a sample, it only tells how many it has. */
static char *query_of(const effects *f) {
    const long long all = f->combinations;
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendall(sql, "WITH fullest AS MATERIALIZED (");
    append_fullest(sql, f);
    sqlite3_str_appendf(
        sql,
        ") SELECT name || iif(2 * points < %lld, ' has ' || points, ' lacks ' || (%lld - points) "
        "|| (SELECT iif(count(*) <= " TOLD_MAX
        ", ': ' || group_concat(lack, '; '), coalesce(', all with ' || ",
        all, all);
    append_common(sql, f);
    sqlite3_str_appendall(sql, ", ', such as ' || min(lack))) FROM (");
    append_lacks(sql, f);
    sqlite3_str_appendall(sql, "))) FROM fullest JOIN effect_name USING (k)");
    return sqlite3_str_finish(sql);
}

bool ws_effects_lacking(effects *f, char **text, ws_error *err) {
    sqlite3_stmt *row = NULL;
    *text = NULL;
    if (!ws_store_prepare_text(f->store, &row, query_of(f), err)) return false;
    const int code = sqlite3_step(row);
    bool ok = code == SQLITE_DONE || code == SQLITE_ROW || ws_store_fail(f->store, "finding effects", err);
    if (code == SQLITE_ROW && !(*text = sqlite3_mprintf("%s", sqlite3_column_text(row, 0))))
        ok = ws_no_memory(err);
    sqlite3_finalize(row);
    return ok;
}
