/* Which axes matter: an analysis of variance of complete grids, in SQL over temporary tables (effects.h), or of a
 * surface fitted to a sample. */
#include "report/effects/effects.h"

#include "report/effects/implied.h"

#include <stdlib.h>

/* ---- sums of squares; those that are differences may be 0, and are never below it by rounding */

static bool add_axis(effects *f, unsigned i, ws_error *err) {
    return ws_effects_run(
        f,
        sqlite3_mprintf(
            "INSERT INTO effect_level SELECT %u, v%u, p.k, avg(y) - mean FROM effect_point p JOIN "
            "effect_kernel USING (k) GROUP BY p.k, v%u;"
            "INSERT INTO effect_term SELECT %u, -1, k, sum(d * d) * %lld / count(*) FROM "
            "effect_level WHERE axis = %u GROUP BY k",
            i, f->axes[i].column, f->axes[i].column, i, (long long)f->combinations, i),
        err);
}

static bool add_pair(effects *f, unsigned i, unsigned j, ws_error *err) {
    return ws_effects_run(
        f,
        sqlite3_mprintf(
            "INSERT INTO effect_term SELECT %u, %u, k, max(0.0, sum(points * d * d) - "
            "(SELECT sum(ss) FROM effect_term t WHERE a IN (%u, %u) AND b = -1 AND t.k = c.k)) FROM "
            "(SELECT p.k AS k, count(*) AS points, avg(y) - mean AS d FROM effect_point p JOIN "
            "effect_kernel USING (k) GROUP BY p.k, v%u, v%u) c GROUP BY k",
            i, j, i, j, f->axes[i].column, f->axes[j].column),
        err);
}

static bool add_terms(effects *f, ws_error *err) {
    bool ok = ws_effects_run(
        f,
        sqlite3_mprintf("INSERT INTO effect_kernel SELECT k, mean, sum((y - mean) * (y - mean)) FROM "
                        "effect_point JOIN (SELECT k, avg(y) AS mean FROM effect_point GROUP BY k) "
                        "USING (k) GROUP BY k"),
        err);
    for (unsigned i = 0; ok && i < f->count; i++) ok = add_axis(f, i, err);
    for (unsigned i = 0; ok && i < f->count; i++)
        for (unsigned j = i + 1; ok && j < f->count; j++) ok = add_pair(f, i, j, err);
    if (!ok || f->count <= 2) return ok; /* then nothing is left */
    return ws_effects_run(
        f,
        sqlite3_mprintf("INSERT INTO effect_term SELECT -1, -1, k, max(0.0, total - sum(ss)) FROM "
                        "effect_kernel JOIN effect_term USING (k) GROUP BY k"),
        err);
}

/* Sums that the rounding of their terms explains become 0: else a term without effect has a share such as 4.5e-30. */
static bool drop_rounding(effects *f, ws_error *err) {
    return ws_effects_run(
        f,
        sqlite3_mprintf("UPDATE effect_term SET ss = 0.0 WHERE ss < 1e-12 * (SELECT total FROM "
                        "effect_kernel e WHERE e.k = effect_term.k)"),
        err);
}

static bool make_tables(effects *f, ws_error *err) {
    return ws_effects_run(
        f,
        sqlite3_mprintf("CREATE TEMP TABLE effect_kernel (k INTEGER PRIMARY KEY, mean, total);"
                        "CREATE TEMP TABLE effect_level (axis, v, k, d);"
                        "CREATE TEMP TABLE effect_term (a, b, k, ss, PRIMARY KEY (k, a, b)) WITHOUT ROWID"),
        err);
}

static bool of_grid(effects *f, ws_error *err) {
    return ws_effects_keep_grid(f, err) && make_tables(f, err) && add_terms(f, err);
}

static bool of_sample(effects *f, ws_error *err) {
    bool complete = false;
    if (!ws_effects_keep_sample(f, err) || !ws_effects_fill_sample(f, &complete, err)) return false;
    ws_effects_tell_dropped(f);
    f->fitted = !complete;
    if (f->fitted)
        return ws_effects_tell_fixed(f, err) && make_tables(f, err) && ws_effects_fit_surface(f, err);
    ws_effects_tell_implied(f);
    if (f->log) fputs("no surface is fitted: with these, all combinations are known\n", f->log);
    return make_tables(f, err) && add_terms(f, err);
}

/* ---- the answer */

/* Each term's share of all kernels' variation together. What it varies by from kernel to kernel tells how far it can be
 * trusted: as for any ratio of two means, by its linear part (Cochran, Sampling Techniques, ch. 6). */
static const char shares[] =
    "CREATE TEMP TABLE effect_share AS "
    "SELECT a, b, k, share + (ss - share * total) / mean AS share FROM "
    "(SELECT a, b, k, ss, total, sum(ss) OVER term / sum(total) OVER term AS share, avg(total) OVER term AS "
    "mean FROM effect_term JOIN effect_kernel USING (k) WINDOW term AS (PARTITION BY a, b))";

static bool name_axes(effects *f, ws_error *err) {
    bool ok = ws_effects_run(
        f, sqlite3_mprintf("CREATE TEMP TABLE effect_axis (axis INTEGER PRIMARY KEY, name, share)"), err);
    for (unsigned i = 0; ok && i < f->count; i++)
        ok = ws_effects_run(
            f,
            sqlite3_mprintf(
                "INSERT INTO effect_axis SELECT %u, %Q, avg(share) FROM effect_share WHERE a = %u AND b = -1",
                i, f->axes[i].name, i),
            err);
    return ok;
}

/* From the level with the lowest mean over kernels to the one with the highest. */
static const char spans[] =
    "CREATE TEMP TABLE effect_span AS "
    "WITH mean AS (SELECT axis, v, avg(d) AS d FROM effect_level GROUP BY axis, v), "
    "place AS (SELECT axis, v, row_number() OVER (PARTITION BY axis ORDER BY d, v) AS up, "
    "row_number() OVER (PARTITION BY axis ORDER BY d DESC, v) AS down FROM mean) "
    "SELECT l.axis AS axis, l.v AS lowest, h.v AS highest, k, b.d - a.d AS d "
    "FROM place l JOIN place h ON h.axis = l.axis AND h.down = 1 "
    "JOIN effect_level a ON a.axis = l.axis AND a.v IS l.v "
    "JOIN effect_level b USING (k) WHERE l.up = 1 AND b.axis = l.axis AND b.v IS h.v";

static const char of_axes[] =
    "SELECT coalesce(x.name || ' x ' || y.name, x.name, '(rest)') AS axis, avg(t.share) AS share, "
    "max(0.0, avg_low(t.share)) AS share_low, min(1.0, avg_high(t.share)) AS share_high, "
    "lowest AS lowest_at, highest AS highest_at, "
    "%s(avg(d)) AS %s, %s(avg_low(d)) AS %s_low, %s(avg_high(d)) AS %s_high, count(*) AS kernels "
    "FROM effect_share t "
    "LEFT JOIN effect_axis x ON x.axis = a LEFT JOIN effect_axis y ON y.axis = b "
    "LEFT JOIN effect_span s ON s.axis = a AND b = -1 AND s.k = t.k "
    "GROUP BY a, b ORDER BY 2 DESC, a, b";

static const char of_values[] =
    "SELECT name AS axis, l.v AS value, %s(avg(l.d - o.d)) AS %s, %s(avg_low(l.d - o.d)) AS %s_low, "
    "%s(avg_high(l.d - o.d)) AS %s_high, count(*) AS kernels "
    "FROM effect_axis x JOIN effect_level l USING (axis) "
    "JOIN (SELECT DISTINCT axis, lowest FROM effect_span) s USING (axis) "
    "JOIN effect_level o ON o.axis = l.axis AND o.k = l.k AND o.v IS lowest "
    "GROUP BY l.axis, l.v ORDER BY share DESC, l.axis, l.v";

/* A panel for each axis, with its share; each value's place in it, and its label. Long labels keep both ends, as names
 * that begin alike may differ at the end. */
static const char points_of[] =
    "SELECT axis || iif(share < 0.01, ' (< 1 %%)', printf(' (%%.0f %%%%)', 100 * share)) AS panel, "
    "'' AS series, row_number() OVER (PARTITION BY axis ORDER BY value) AS place, %s, %s_low, %s_high, "
    "typeof(value) IN ('integer', 'real') AS is_number, coalesce(iif(length(value) > 14, "
    "substr(value, 1, 6) || '..' || substr(value, -6), value), 'NULL') AS label "
    "FROM (%s) JOIN (SELECT name AS axis, share FROM effect_axis) USING (axis) "
    "ORDER BY share DESC, axis, place";

static const char *change(const effects *f) {
    return f->query->differences ? "difference" : "ratio";
}

static char *fill_in(const effects *f, const char *rows) {
    const char *scale = f->query->differences ? "" : "exp", *name = change(f);
    return sqlite3_mprintf(rows, scale, name, scale, name, scale, name);
}

char *ws_effects_rows(const effects *f) {
    return fill_in(f, f->query->values ? of_values : of_axes);
}

char *ws_effects_points(const effects *f) {
    const char *name = change(f);
    char *rows = fill_in(f, of_values);
    char *points = rows ? sqlite3_mprintf(points_of, name, name, name, rows) : NULL;
    sqlite3_free(rows);
    return points;
}

static const char drop_tables[] =
    "DROP TABLE IF EXISTS temp.effect_point; DROP TABLE IF EXISTS temp.effect_name; DROP TABLE IF EXISTS "
    "temp.effect_kernel;"
    "DROP TABLE IF EXISTS temp.effect_level; DROP TABLE IF EXISTS temp.effect_term;"
    "DROP TABLE IF EXISTS temp.effect_idle; DROP TABLE IF EXISTS temp.effect_implied;"
    "DROP TABLE IF EXISTS temp.effect_share; DROP TABLE IF EXISTS temp.effect_axis;"
    "DROP TABLE IF EXISTS temp.effect_span";

/* Finds what a surface misses, and warns of one that misses more than it has. */
static bool find_missed(effects *f, ws_error *err) {
    if (!f->fitted) return true;
    if (!ws_effects_number(f,
                           sqlite3_mprintf("SELECT CAST(round(100 * coalesce(avg(share), 0)) AS INTEGER) "
                                           "FROM effect_share WHERE a = -1"),
                           &f->missed_percent, err))
        return false;
    if (f->missed_percent > 50 && f->log)
        fprintf(
            f->log,
            "the surface misses %lld %% of the variance, the share of (rest): what it says of the axes may "
            "be wrong\n",
            (long long)f->missed_percent);
    return true;
}

/* Tables may be there: memory can run out where they are dropped, too. */
bool ws_effects_find(effects *f, ws_error *err) {
    if (!f->query->view || !f->query->metric)
        return ws_fail(err, WS_ERROR_INTERNAL, "effects: expected a view and a metric, found NULL");
    return ws_effects_run(f, sqlite3_mprintf("%s", drop_tables), err) && ws_effects_take_points(f, err) &&
           (f->query->surface ? of_sample(f, err) : of_grid(f, err)) && drop_rounding(f, err) &&
           ws_effects_run(f, sqlite3_mprintf("%s", shares), err) && name_axes(f, err) &&
           ws_effects_run(f, sqlite3_mprintf("%s", spans), err) &&
           ws_effects_number(f, sqlite3_mprintf("SELECT count(*) FROM effect_kernel"), &f->kernels, err) &&
           find_missed(f, err);
}

void ws_effects_drop(effects *f) {
    for (unsigned i = 0; i < f->total; i++) sqlite3_free(f->axes[i].name);
    free(f->axes);
    sqlite3_exec(f->db, drop_tables, NULL, NULL, NULL);
}

bool ws_effects(ws_store *store, const ws_effects_query *query, ws_query_format format, FILE *out, FILE *log,
                ws_error *err) {
    effects f = {.store = store, .db = ws_store_sqlite(store), .query = query, .log = log};
    bool ok = ws_effects_find(&f, err);
    char *rows = ok ? ws_effects_rows(&f) : NULL;
    if (ok) ok = rows ? ws_query(store, rows, format, 0, out, err) : ws_no_memory(err);
    sqlite3_free(rows);
    ws_effects_drop(&f);
    return ok;
}
