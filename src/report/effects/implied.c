#include "report/effects/implied.h"

#include "base/words.h"
#include "mechanism/matters.h"
#include "report/effects/stored_config.h"
#include "report/statement.h"
#include "warpsweep/analysis.h"

#include <string.h>

enum { BITS = 62 }; /* of the number that says which axes change nothing, a set of axes */

/* Both free `sql`. */
static bool run(effects *f, char *sql, ws_error *err) {
    return ws_store_run(f->store, sql, "finding implied points", err);
}

static bool number(effects *f, char *sql, int64_t *value, ws_error *err) {
    return ws_store_number(f->store, sql, "finding implied points", value, err);
}

static int64_t bit(unsigned axis) {
    return axis < BITS ? (int64_t)1 << axis : 0;
}

/* ---- which axes change nothing in which of the sweep's configurations */

/* `*analysis`: NULL if there is none of that name. */
static bool find_analysis(effects *f, int64_t *sweep, const ws_analysis **analysis, ws_error *err) {
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(
        f->db, "SELECT id, analysis FROM sweep WHERE id = (SELECT sweep FROM sweep_view WHERE name = ?1)", -1,
        &row, NULL);
    *analysis = NULL;
    if (code == SQLITE_OK) code = sqlite3_bind_text(row, 1, f->query->view, -1, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        *sweep = sqlite3_column_int64(row, 0);
        *analysis = ws_analysis_find((const char *)sqlite3_column_text(row, 1), NULL);
    }
    bool ok = code == SQLITE_ROW || ws_statement_failed(f->db, err);
    sqlite3_finalize(row);
    return ok;
}

/* The query of the sweep's configurations: their fidelity, all parameters as JSON, and the axes' values. */
static char *select_configurations(const effects *f, const ws_analysis *analysis, int64_t sweep) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    bool gpu = false;
    sqlite3_str_appendall(sql, "SELECT c.fidelity, c.json");
    for (unsigned i = 0; i < f->total; i++) {
        char column[128];
        const bool parameter = strchr(f->axes[i].name, '.') != NULL;
        ws_param_column(f->axes[i].name, column, sizeof column);
        sqlite3_str_appendf(sql, ", %s.\"%w\"", parameter ? "c" : "s", column);
        gpu |= !parameter;
    }
    sqlite3_str_appendf(sql,
                        " FROM \"%w_config\" c JOIN (SELECT DISTINCT p.config AS config%s FROM sweep_point "
                        "s JOIN point p ON p.id = s.point WHERE s.sweep = %lld) s ON s.config = c.id",
                        analysis->name, gpu ? ", s.gpu AS gpu" : "", (long long)sweep);
    return sqlite3_str_finish(sql);
}

/* The set of axes that change nothing. It is not stored whether two programs ran: what matters to two is taken to
 * matter. */
static int64_t idle_axes(const effects *f, const ws_config *config) {
    int64_t idle = 0;
    for (unsigned i = 0; i < f->total; i++)
        if (!ws_param_matters(config, f->axes[i].name, true)) idle |= bit(i);
    return idle;
}

static bool find_idle_axes(const effects *f, const ws_analysis *analysis, const char *fidelity,
                           const char *json, int64_t *idle, ws_error *err) {
    const ws_component *components[WS_COMPONENTS_MAX];
    ws_config *config = ws_stored_config(analysis, fidelity, json, components, err);
    if (config) *idle = idle_axes(f, config);
    const bool ok = config != NULL;
    ws_config_free(config);
    return ok;
}

static bool put_idle(effects *f, const ws_analysis *analysis, sqlite3_stmt *row, sqlite3_stmt *insert,
                     ws_error *err) {
    int64_t idle;
    if (!find_idle_axes(f, analysis, (const char *)sqlite3_column_text(row, 0),
                        (const char *)sqlite3_column_text(row, 1), &idle, err))
        return false;
    int code = sqlite3_bind_int64(insert, 1, idle);
    for (unsigned i = 0; code == SQLITE_OK && i < f->total; i++)
        code = sqlite3_bind_value(insert, (int)(2 + i), sqlite3_column_value(row, (int)(2 + i)));
    bool ok = (code == SQLITE_OK && sqlite3_step(insert) == SQLITE_DONE) || ws_statement_failed(f->db, err);
    sqlite3_reset(insert);
    return ok;
}

/* Appends the columns of the axes, in the order of f->axes. `row`: "" or, for those of a table, "TABLE.". */
static void append_axes(sqlite3_str *sql, const effects *f, const char *row, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        sqlite3_str_appendf(sql, "%s%sv%u", i ? ", " : "", row, f->axes[i].column);
}

static bool make_idle(effects *f, ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendall(sql, "CREATE TEMP TABLE effect_idle (idle, ");
    append_axes(sql, f, "", f->total);
    sqlite3_str_appendall(sql, "); CREATE INDEX temp.effect_idle_at ON effect_idle (");
    append_axes(sql, f, "", f->count);
    sqlite3_str_appendall(sql, ")");
    return run(f, sqlite3_str_finish(sql), err);
}

static char *insert_idle(const effects *f) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendall(sql, "INSERT INTO effect_idle VALUES (?");
    for (unsigned i = 0; i < f->total; i++) sqlite3_str_appendall(sql, ", ?");
    sqlite3_str_appendall(sql, ")");
    return sqlite3_str_finish(sql);
}

static bool fill_idle(effects *f, const ws_analysis *analysis, sqlite3_stmt *row, ws_error *err) {
    char *sql = insert_idle(f);
    sqlite3_stmt *insert = NULL;
    bool ok = sql ? sqlite3_prepare_v2(f->db, sql, -1, &insert, NULL) == SQLITE_OK ||
                        ws_statement_failed(f->db, err)
                  : ws_no_memory(err);
    int code = SQLITE_DONE;
    while (ok && (code = sqlite3_step(row)) == SQLITE_ROW) ok = put_idle(f, analysis, row, insert, err);
    ok = ok && (code == SQLITE_DONE || ws_statement_failed(f->db, err));
    sqlite3_finalize(insert);
    sqlite3_free(sql);
    return ok;
}

/* Prepares `*row` to read the configurations; NULL where the database does not have them. */
static bool read_configurations(effects *f, const ws_analysis *analysis, int64_t sweep, sqlite3_stmt **row,
                                ws_error *err) {
    char *sql = select_configurations(f, analysis, sweep);
    int code = sql ? sqlite3_prepare_v2(f->db, sql, -1, row, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return code == SQLITE_OK || code == SQLITE_ERROR ||
           (code == SQLITE_NOMEM ? ws_no_memory(err) : ws_statement_failed(f->db, err));
}

/* Makes the table effect_idle (idle, v0 ..): of each configuration, which axes change nothing. `*known` is false where
 * the database does not tell. */
static bool find_idle(effects *f, bool *known, ws_error *err) {
    int64_t sweep = 0;
    const ws_analysis *analysis;
    sqlite3_stmt *row = NULL;
    *known = false;
    bool ok = find_analysis(f, &sweep, &analysis, err) &&
              (!analysis || read_configurations(f, analysis, sweep, &row, err));
    if (ok && row) {
        *known = true;
        ok = make_idle(f, err) && fill_idle(f, analysis, row, err);
    }
    sqlite3_finalize(row);
    return ok;
}

/* ---- points of which others tell */

/* Counts the combinations that the points have of the axes which are kept but not in `set`, and of axis `with`, unless
 * that is f->total. */
static bool count_without(effects *f, int64_t set, unsigned with, int64_t *count, ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendall(sql, "SELECT count(*) FROM (SELECT DISTINCT 1");
    for (unsigned i = 0; i < f->total; i++)
        if (i == with || (i < f->count && !(set & bit(i))))
            sqlite3_str_appendf(sql, ", v%u", f->axes[i].column);
    sqlite3_str_appendall(sql, " FROM effect_point)");
    return number(f, sqlite3_str_finish(sql), count, err);
}

/* Whether axes that were dropped, as they follow from others, keep their values when those of `set` change, unless they
 * change nothing either. Else another value of such a pair is another configuration. */
static bool others_stay(effects *f, int64_t set, bool *stay, ws_error *err) {
    int64_t without, with;
    if (!count_without(f, set, f->total, &without, err)) return false;
    *stay = true;
    for (unsigned i = f->count; *stay && i < f->total; i++) {
        if (f->axes[i].constant || (set & bit(i))) continue;
        if (!count_without(f, set, i, &with, err)) return false;
        *stay = with == without;
    }
    return true;
}

/* Those axes of `set` that vary, and that the metric does not name: it may differ by their values alone. */
static int64_t free_axes(const effects *f, int64_t set) {
    int64_t free_ = 0;
    char column[128];
    for (unsigned i = 0; i < f->count; i++) {
        ws_param_column(f->axes[i].name, column, sizeof column);
        if (!ws_has_word(f->query->metric, column)) free_ |= set & bit(i);
    }
    return free_;
}

static unsigned place_of(const effects *f, unsigned column) {
    unsigned i = 0;
    while (f->axes[i].column != column) i++;
    return i;
}

/* Puts into effect_implied what the points at which exactly the axes of `idle` change nothing tell of the other values
 * of the axes of `free_`. */
static bool imply_from(effects *f, int64_t idle, int64_t free_, ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendall(sql, "INSERT INTO effect_implied SELECT p.k");
    for (unsigned c = 0; c < f->total; c++)
        sqlite3_str_appendf(sql, free_ & bit(place_of(f, c)) ? ", l%u.v" : ", p.v%u", c);
    sqlite3_str_appendf(sql, ", p.n, p.s, p.y FROM effect_point p JOIN effect_idle e ON e.idle = %lld AND (",
                        (long long)idle);
    append_axes(sql, f, "e.", f->total);
    sqlite3_str_appendall(sql, ") IS (");
    append_axes(sql, f, "p.", f->total);
    sqlite3_str_appendall(sql, ")");
    for (unsigned i = 0; i < f->count; i++)
        if (free_ & bit(i))
            sqlite3_str_appendf(sql, " JOIN (SELECT DISTINCT v%u AS v FROM effect_point) l%u",
                                f->axes[i].column, f->axes[i].column);
    return run(f, sqlite3_str_finish(sql), err);
}

/* For each set of axes that change nothing somewhere. */
static bool imply_from_all(effects *f, ws_error *err) {
    for (int64_t idle = 0;;) {
        bool stay = false;
        if (!number(f,
                    sqlite3_mprintf("SELECT min(idle) FROM effect_idle WHERE idle > %lld", (long long)idle),
                    &idle, err))
            return false;
        if (!idle) return true;
        const int64_t free_ = free_axes(f, idle);
        if (!free_) continue;
        if (!others_stay(f, idle, &stay, err)) return false;
        if (!stay) continue;
        if (!imply_from(f, idle, free_, err)) return false;
        f->implied_axes |= free_;
    }
}

static bool make_implied(effects *f, ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendall(sql, "CREATE TEMP TABLE effect_implied AS SELECT * FROM effect_point WHERE 0; "
                               "CREATE INDEX temp.effect_point_at ON effect_point (k, ");
    append_axes(sql, f, "", f->count);
    sqlite3_str_appendall(sql, ")");
    return run(f, sqlite3_str_finish(sql), err);
}

/* Takes what effect_implied has beyond effect_point. Several points may tell of the same one, as they should, alike. */
static bool take_implied(effects *f, ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendall(sql, "INSERT INTO effect_point SELECT k");
    for (unsigned c = 0; c < f->total; c++) sqlite3_str_appendf(sql, ", v%u", c);
    sqlite3_str_appendall(sql, ", n, s, min(y) FROM effect_implied i WHERE NOT EXISTS (SELECT 1 FROM "
                               "effect_point p WHERE p.k = i.k AND (");
    append_axes(sql, f, "p.", f->count);
    sqlite3_str_appendall(sql, ") IS (");
    append_axes(sql, f, "i.", f->count);
    sqlite3_str_appendall(sql, ")) GROUP BY k, ");
    append_axes(sql, f, "", f->count);
    sqlite3_str_appendall(sql, " HAVING min(y) = max(y)");
    const bool ok = run(f, sqlite3_str_finish(sql), err);
    if (ok) f->implied = sqlite3_changes64(f->db);
    return ok;
}

bool ws_effects_imply(effects *f, ws_error *err) {
    int64_t kernels;
    f->implied = f->implied_axes = 0;
    if (!number(f, sqlite3_mprintf("SELECT count(DISTINCT k) FROM effect_point"), &kernels, err) ||
        !find_idle(f, &f->idle_known, err))
        return false;
    return !f->idle_known || f->combinations > WS_IMPLIED_MAX / kernels ||
           (make_implied(f, err) && imply_from_all(f, err) && take_implied(f, err));
}

void ws_effects_tell_implied(const effects *f) {
    const char *before = " (";
    if (!f->log || !f->implied) return;
    fputs("filled in, points that differ from others only in axes that change nothing there", f->log);
    for (unsigned i = 0; i < f->count; i++)
        if (f->implied_axes & bit(i)) fprintf(f->log, "%s%s", before, f->axes[i].name), before = ", ";
    fprintf(f->log, "): %lld\n", (long long)f->implied);
}

/* Counts the values that the axis has where it changes nothing. */
static bool count_idle_values(effects *f, unsigned axis, int64_t *count, ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendf(
        sql, "SELECT count(DISTINCT p.v%u) FROM effect_point p JOIN effect_idle e ON e.idle & %lld AND (",
        f->axes[axis].column, (long long)bit(axis));
    append_axes(sql, f, "e.", f->total);
    sqlite3_str_appendall(sql, ") IS (");
    append_axes(sql, f, "p.", f->total);
    sqlite3_str_appendall(sql, ")");
    return number(f, sqlite3_str_finish(sql), count, err);
}

bool ws_effects_tell_fixed(effects *f, ws_error *err) {
    static const char which[] = "axes that have one value wherever they change nothing: ";
    const char *before = which;
    for (unsigned i = 0; f->log && f->idle_known && i < f->count; i++) {
        int64_t values;
        if (!count_idle_values(f, i, &values, err)) return false;
        if (values == 1) fprintf(f->log, "%s%s", before, f->axes[i].name), before = ", ";
    }
    if (before != which) fputs("; the surface may count for them what other axes do\n", f->log);
    return true;
}
