/* The part of a sweep's page about its baseline: what each axis does to the speedup over it, and which settings gain
 * most, overall and for each kernel. */
#include "report/effects/effects.h"
#include "report/figure/figure.h"
#include "report/html.h"
#include "report/page/page.h"
#include "warpsweep/mechanism.h"

#include <stdlib.h>
#include <string.h>

/* The text that a query of one value returns; free with sqlite3_free(). */
static char *text_of(const page *p, const char *sql, const char *value) {
    sqlite3_stmt *row = page_prepare(p, sql, value);
    if (!row) return NULL;
    char *copy = NULL;
    const char *text;
    bool done = true;
    if (page_next(p, row, &done) && page_text(p, row, 0, &text) && !(copy = sqlite3_mprintf("%s", text)))
        page_no_memory(p);
    sqlite3_finalize(row);
    return copy;
}

/* SQL: whether a row has the baseline's values. Older databases do not know these: then any row has them. */
static char *baseline_of(const page *p, const sweep *s) {
    static const char values[] =
        "SELECT coalesce("
        "group_concat(printf('\"%w\" IS %s', replace(key, '.', '_'), quote(value)), ' AND '), '1') "
        "FROM json_each((SELECT baseline FROM sweep WHERE name = ?))";
    int64_t known;
    if (!page_has_column(p, "sweep", "", "baseline", &known)) return NULL;
    return text_of(p, known ? values : "SELECT '1' WHERE ? NOT NULL", s->name);
}

/* Appends SQL: whether a row lacks the mechanism that the parameter belongs to, if that varies. */
static void append_is_off(sqlite3_str *sql, const sweep *s, const char *name) {
    const ws_mechanism *mechanism = ws_mechanism_of_param(name);
    const ws_param *slot = mechanism ? ws_mechanism_switch(mechanism) : NULL;
    char quoted[64], column[64];
    if (!slot) return;
    snprintf(quoted, sizeof quoted, "\"%s\"", slot->name);
    ws_param_column(slot->name, column, sizeof column);
    if (strstr(s->axes, quoted)) sqlite3_str_appendf(sql, " OR \"%w\" IS NOT %Q", column, mechanism->name);
}

/* SQL: a row's setting, that is, the axes whose value is not the one that all rows of the table `base` have, but for
 * parameters of a mechanism that is off. Each gives ", NAME VALUE" or nothing; the first comma is cut off. */
static char *setting_of(const page *p, const sweep *s) {
    sqlite3_stmt *axis = page_prepare(p, "SELECT value, replace(value, '.', '_') FROM json_each(?)", s->axes);
    if (!axis) return NULL;
    sqlite3_str *sql = sqlite3_str_new(p->db);
    const char *name, *c;
    bool done = true;
    sqlite3_str_appendall(sql, "coalesce(nullif(substr(''");
    while (page_next(p, axis, &done) && (done = page_text(p, axis, 0, &name) && page_text(p, axis, 1, &c))) {
        sqlite3_str_appendf(
            sql, " || iif(\"%w\" IS (SELECT iif(min(\"%w\") IS max(\"%w\"), min(\"%w\"), NULL) FROM base)", c,
            c, c, c);
        append_is_off(sql, s, name);
        sqlite3_str_appendf(sql, ", '', ', %q ' || \"%w\")", name, c);
    }
    sqlite3_finalize(axis);
    sqlite3_str_appendall(sql, ", 3), ''), 'the baseline')");
    if (done && sqlite3_str_errcode(sql) != SQLITE_OK) done = page_no_memory(p);
    char *text = sqlite3_str_finish(sql);
    if (done) return text;
    sqlite3_free(text);
    return NULL;
}

/* Counts the rows that have a baseline, and tells of those that have none. */
static bool count_compared(const page *p, const sweep *s, int64_t *compared) {
    int64_t rows;
    if (!page_number(p, sqlite3_mprintf("SELECT count(*) FROM \"%w_speedup\"", s->name), &rows) ||
        !page_number(p, sqlite3_mprintf("SELECT count(speedup) FROM \"%w_speedup\"", s->name), compared))
        return false;
    if (rows > *compared) {
        fprintf(p->out, "<p>%lld of %lld rows of ", (long long)(rows - *compared), (long long)rows);
        ws_html_text(p->out, s->name);
        fputs("_speedup have no baseline (their note says why) and are left out here.</p>\n", p->out);
    }
    return true;
}

/* SQL: a table `compared` with a row for each kernel and setting; points that differ in what has no effect are one
 * setting. Goes before a query. */
static char *compared_of(const page *p, const sweep *s, const char *baseline, const char *setting) {
    char *sql = sqlite3_mprintf(
        "WITH base AS MATERIALIZED (SELECT * FROM \"%w_speedup\" WHERE %s), compared AS (SELECT trace, "
        "kernel, max(launches) AS launches, speedup, %s AS setting FROM \"%w_speedup\" WHERE speedup NOT "
        "NULL "
        "GROUP BY trace, kernel, setting)",
        s->name, baseline, setting, s->name);
    if (!sql) page_no_memory(p);
    return sql;
}

/* In a sweep that still runs, or with points that failed, some settings have few kernels, or few of their launches;
 * they come last. */
#define BEST_FIRST " ORDER BY count(*) DESC, sum(launches) DESC, geomean(speedup) DESC"

/* What each setting gains, over kernels. */
static bool put_by_setting(const page *p, const char *compared) {
    page_head(p, 3,
              "Speedup over the baseline, by setting (what differs from the baseline; geometric means over "
              "kernels, first those with most kernels and launches; the 50 highest)");
    return page_rows(
        p, sqlite3_mprintf(
               "%s SELECT count(*) AS kernels, round(geomean(speedup), 4) AS speedup, "
               "round(geomean_low(speedup), 4) AS \"95 %% from\", round(geomean_high(speedup), 4) "
               "AS \"to\", round(min(speedup), 4) AS lowest, round(max(speedup), 4) AS highest, "
               "sum(launches) AS launches, setting FROM compared GROUP BY setting" BEST_FIRST " LIMIT 50",
               compared));
}

/* ---- the picture: bars of each kernel for the best settings */

enum { SETTINGS_SHOWN = 6 }; /* as many bars as stay legible beside each other */

/* The settings to show, as columns of a query and as a list, each behind a comma. */
typedef struct shown {
    sqlite3_str *columns, *list;
    int count;
} shown;

static bool find_shown(const page *p, const sweep *s, const char *compared, shown *of) {
    char *best =
        sqlite3_mprintf("%s SELECT setting FROM compared WHERE setting <> 'the baseline' AND ? NOT NULL "
                        "GROUP BY setting" BEST_FIRST " LIMIT %d",
                        compared, SETTINGS_SHOWN);
    if (!best) return page_no_memory(p);
    sqlite3_stmt *rows = page_prepare(p, best, s->name);
    bool done = rows;
    const char *setting;
    while (rows && page_next(p, rows, &done) && (done = page_text(p, rows, 0, &setting))) {
        sqlite3_str_appendf(of->columns, ", geomean(speedup) FILTER (WHERE setting = %Q) AS \"%w\"", setting,
                            setting);
        sqlite3_str_appendf(of->list, ", %Q", setting);
        of->count++;
    }
    sqlite3_finalize(rows);
    sqlite3_free(best);
    if (done && (sqlite3_str_errcode(of->columns) || sqlite3_str_errcode(of->list))) return page_no_memory(p);
    return done;
}

/* The query of the bars: a row for each kernel, and one of means over the kernels that have all settings. NULL if out
 * of memory. */
static char *bars_of(const sweep *s, const char *compared, const shown *of) {
    const char *columns = sqlite3_str_value(of->columns), *list = sqlite3_str_value(of->list) + 2;
    return sqlite3_mprintf(
        "-- Speedup of %s over its baseline by the settings that gain most\n"
        "-- axis: speedup\n"
        "%s, named AS ("
        "SELECT *, iif(min(trace) OVER same = max(trace) OVER same, kernel, trace || ': ' || kernel) AS name "
        "FROM compared WINDOW same AS (PARTITION BY kernel)), "
        "whole AS (SELECT name FROM named WHERE setting IN (%s) GROUP BY name HAVING count(*) = %d) "
        "SELECT * FROM (SELECT name%s FROM named GROUP BY name ORDER BY trace, kernel) UNION ALL "
        "SELECT 'geometric mean'%s FROM named JOIN whole USING (name) GROUP BY 1 "
        "HAVING count(DISTINCT name) > 1",
        s->name, compared, list, of->count, columns, columns);
}

/* Draws nothing if there is no setting but the baseline. */
static bool put_picture(const page *p, const sweep *s, const char *compared) {
    shown of = {sqlite3_str_new(p->db), sqlite3_str_new(p->db), 0};
    bool done = find_shown(p, s, compared, &of);
    if (done && of.count) {
        ws_error why = WS_NO_ERROR;
        pictures pages = {p->out, "the speedup of each kernel by the settings that gain most"};
        char *query = bars_of(s, compared, &of);
        done = query ? ws_query_pages(p->store, p->figures, query, page_picture, &pages, &why) ||
                           page_why(p, "p", &why)
                     : page_no_memory(p);
        sqlite3_free(query);
    }
    sqlite3_free(sqlite3_str_finish(of.columns));
    sqlite3_free(sqlite3_str_finish(of.list));
    return done;
}

/* What each kernel gains by its best setting, of those with most of its launches; of equally good ones that of least
 * storage, and of these a baseline: a larger cache costs no storage, but is not best where it gains nothing. */
static bool put_by_kernel(const page *p, const sweep *s, const char *baseline, const char *setting) {
    page_head(p, 3,
              "Speedup over the baseline, by kernel (its best setting among those with most launches, of "
              "equal ones that of least storage, if possible a baseline; the 50 highest)");
    return page_rows(
        p, sqlite3_mprintf(
               "WITH base AS MATERIALIZED (SELECT * FROM \"%w_speedup\" WHERE %s) "
               "SELECT trace, kernel, launches, kernel_class AS \"class\", round(speedup, 4) AS "
               "speedup, setting FROM "
               "(SELECT *, row_number() OVER (PARTITION BY trace, kernel ORDER BY launches DESC, "
               "speedup DESC, cost_bits IS NULL, cost_bits, (%s) IS NOT TRUE, setting) AS place FROM "
               "(SELECT *, %s AS setting FROM \"%w_speedup\" WHERE speedup NOT NULL)) "
               "WHERE place = 1 ORDER BY speedup DESC, trace, kernel LIMIT 50",
               s->name, baseline, baseline, setting, s->name));
}

/* Writes lines, which tell what was left out, as paragraphs. */
static void put_lines(const page *p, char *lines) {
    char *rest;
    for (const char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        fputs("<p>", p->out);
        ws_html_text(p->out, line);
        fputs("</p>\n", p->out);
    }
}

/* Nothing but the error if the points do not tell. */
static bool put_shares(const page *p, effects *f, ws_error *why) {
    char *told = NULL, *rows = NULL;
    size_t size;
    bool done = (f->log = open_memstream(&told, &size)) && ws_effects_find(f, why);
    if (!f->log || fclose(f->log) != 0 || (done && !(rows = ws_effects_rows(f)))) done = ws_no_memory(why);
    if (done)
        fputs("<p>Shares of the variance of its logarithm within all kernels together, and the ratio of the\n"
              "axis' highest mean to its lowest, with 95 % intervals over kernels (warpsweep help\n"
              "effects).</p>\n",
              p->out);
    done = done && ws_query(p->store, rows, WS_QUERY_HTML, 0, p->out, why);
    if (done) put_lines(p, told);
    sqlite3_free(rows);
    free(told);
    return done;
}

static void put_untold(const page *p, const ws_error *why) {
    fputs("<p>These points do not tell: ", p->out);
    ws_html_text(p->out, why->text);
    fputs("; 'warpsweep effects --where' takes conditions</p>\n", p->out);
}

/* What each axis does to the speedup: in a complete grid, or else on a surface fitted to the points that there are. */
static bool put_effects(const page *p, const sweep *s) {
    char *view = sqlite3_mprintf("%s_speedup", s->name);
    if (!view) return page_no_memory(p);
    ws_effects_query query = {.view = view, .metric = "speedup"};
    effects f = {.store = p->store, .db = p->db, .query = &query};
    ws_error why = WS_NO_ERROR;
    page_head(p, 3, "What each axis does to the speedup");
    bool done = put_shares(p, &f, &why);
    if (!done && why.code == WS_ERROR_USAGE) {
        ws_effects_drop(&f);
        query.surface = true;
        f = (effects){.store = p->store, .db = p->db, .query = &query};
        done = put_shares(p, &f, &why);
    }
    pictures pages = {p->out, "what each value of each axis does to the speedup"};
    bool untold = !done && why.code == WS_ERROR_USAGE;
    if (done && p->figures) done = ws_effects_pages(&f, p->figures, page_picture, &pages, &why);
    if (untold) put_untold(p, &why);
    ws_effects_drop(&f);
    sqlite3_free(view);
    return done || untold || page_why(p, "p", &why);
}

bool page_compared(const page *p, const sweep *s) {
    int64_t has, rows = 0;
    if (!page_has_column(p, s->name, "_speedup", "speedup", &has) || (has && !count_compared(p, s, &rows)))
        return false;
    if (!rows) return true;
    char *baseline = baseline_of(p, s), *setting = baseline ? setting_of(p, s) : NULL,
         *compared = setting ? compared_of(p, s, baseline, setting) : NULL;
    bool done = compared && put_effects(p, s) && put_by_setting(p, compared) &&
                (!p->figures || put_picture(p, s, compared)) && put_by_kernel(p, s, baseline, setting) &&
                page_energy(p, s, baseline, setting);
    sqlite3_free(baseline);
    sqlite3_free(setting);
    sqlite3_free(compared);
    return done;
}
