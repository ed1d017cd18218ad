/* Draws figures, page by page, into files or for somebody who takes the pages. */
#include "report/figure/gnuplot.h"

#include "base/given.h"
#include "base/unfinished.h"
#include "report/effects/effects.h"
#include "report/figure/filtered.h"
#include "report/figure/renamed.h"
#include "report/figure/shape.h"
#include "report/figure/unnamed.h"
#include "store/sqlite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool ws_can_plot(ws_error *err) {
    return ws_gnuplot(NULL, NULL, err);
}

/* ---- pages: into files */

typedef struct files {
    const char *path, *ending; /* of the first page; `ending` points into it */
    void (*written)(void *context, const char *path);
    void *context;
    FILE *log; /* may be NULL */
} files;

/* The path of a page: "a/b.svg" for page 1, "a/b-2.svg" for page 2. */
static void page_path(const char *path, const char *ending, size_t number, char *out, size_t size) {
    if (number == 1)
        snprintf(out, size, "%s", path);
    else
        snprintf(out, size, "%.*s-%zu%s", (int)(ending - path), path, number, ending);
}

static bool is_complete(const ws_page *p) {
    FILE *file = fopen(p->path, "rb");
    bool complete = file && ws_gnuplot_completed(p, file);
    if (file) fclose(file);
    return complete;
}

static bool cannot_write(const char *path, ws_error *err) {
    return ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", path, strerror(errno));
}

static bool draw_file(ws_page *p, const char *path, ws_error *err) {
    ws_unfinished file;
    FILE *empty = ws_unfinished_create(&file, path, err); /* gnuplot opens it again */
    if (!empty) return false;
    fclose(empty);
    p->path = file.name;
    bool done = ws_gnuplot(p, NULL, err) &&
                (is_complete(p) || ws_fail(err, WS_ERROR_IO, "%s: cannot write: is the disk full?", path));
    return (ws_unfinished_end(&file, done) || cannot_write(path, err)) && done;
}

/* Tells of pages that an earlier figure of this name, with more of them, has left: they look like pages of this one.
 * They stay, for nothing tells them from other pictures of the user's. */
static void tell_left_over(const files *f, size_t pages) {
    char first[4096], path[4096];
    size_t next = pages + 1;
    page_path(f->path, f->ending, next, first, sizeof first);
    for (;; next++) {
        page_path(f->path, f->ending, next, path, sizeof path);
        if (access(path, F_OK) != 0) break;
    }
    if (!f->log || next == pages + 1) return;
    page_path(f->path, f->ending, next - 1, path, sizeof path);
    bool one = next == pages + 2;
    fprintf(f->log, "%s%s%s %s not of this figure, which has %zu page%s: left from an earlier one?\n", first,
            one ? "" : " to ", one ? "" : path, one ? "is" : "are", pages, pages == 1 ? "" : "s");
}

static bool to_file(ws_page *p, void *files_, ws_error *err) {
    static const char *const pictures[] = {"<?xml", "<svg", "\x89PNG", "%PDF", NULL};
    const files *f = files_;
    char path[4096];
    page_path(f->path, f->ending, p->number, path, sizeof path);
    if (!ws_may_replace(path, "a picture", pictures, err) || !draw_file(p, path, err)) return false;
    if (f->written) f->written(f->context, path);
    if (p->number == p->count) tell_left_over(f, p->count);
    return true;
}

/* ---- or to somebody who takes them */

typedef struct taker {
    bool (*take)(void *context, FILE *svg, ws_error *err);
    void *context;
} taker;

static bool to_taker(ws_page *p, void *taker_, ws_error *err) {
    const taker *t = taker_;
    FILE *drawing = tmpfile();
    if (!drawing) return ws_fail(err, WS_ERROR_IO, "cannot make a temporary file: %s", strerror(errno));
    bool done =
        ws_gnuplot(p, drawing, err) && (ws_gnuplot_completed(p, drawing) ||
                                        ws_fail(err, WS_ERROR_IO, "a temporary file: is the disk full?"));
    rewind(drawing);
    done = done && t->take(t->context, drawing, err);
    fclose(drawing);
    return done;
}

/* Where pages go. */
typedef struct sink {
    const ws_terminal *terminal;
    bool (*draw)(ws_page *p, void *context, ws_error *err);
    void *context;
} sink;

static bool draw_pages(ws_page *p, const ws_figure_spread *spread, const sink *to, ws_error *err) {
    p->part.series = calloc(p->data->series_count, sizeof *p->part.series);
    bool done = (ws_long_names_of(p->data, &p->long_names) && p->part.series) || ws_no_memory(err);
    p->count = spread->count;
    for (p->number = 1; done && p->number <= p->count; p->number++) {
        ws_figure_part_of(p->data, spread, p->number - 1, &p->part);
        done = to->draw(p, to->context, err);
    }
    free(p->part.series);
    free(p->long_names.names);
    return done;
}

/* ---- figures whose sweep the database does not have */

/* Lists "'warpsweep sweep sweeps/swl.json --db DB'" for each sweep that the query's comments name. */
static void commands_of(const char *sql, char *out, size_t size) {
    static const char folder[] = "sweeps/", ending[] = ".json";
    size_t length = 0;
    *out = 0;
    for (const char *at = sql; length < size && (at = strstr(at, folder)); at++) {
        size_t name = strlen(folder) + strspn(at + strlen(folder), "abcdefghijklmnopqrstuvwxyz0123456789_-");
        if (strncmp(at + name, ending, strlen(ending)) != 0) continue;
        length += (size_t)snprintf(out + length, size - length, "%s'warpsweep sweep %.*s%s --db DB'",
                                   length ? ", " : "", (int)name, at, ending);
    }
}

/* Appends the sweep if it has results. */
static bool append_if_done(ws_store *store, const char *sweep, char *out, size_t size, ws_error *err) {
    int64_t done = 0;
    const size_t length = strlen(out);
    if (!sweep) return ws_no_memory(err);
    bool ok = ws_store_number(
        store,
        sqlite3_mprintf("SELECT count(*) FROM sweep s JOIN sweep_point a ON a.sweep = s.id JOIN point p ON "
                        "p.id = a.point WHERE s.name = %Q AND p.status = 'done'",
                        sweep),
        "counting points", &done, err);
    if (done) snprintf(out + length, size - length, "%s%s", length ? ", " : "", sweep);
    return ok;
}

/* Lists the sweeps that a query reads, of those with results, as far as there is room. */
static bool results_of(ws_store *store, const char *sql, char *out, size_t size, ws_error *err) {
    sqlite3_stmt *sweeps = NULL;
    *out = 0;
    bool ok = ws_store_sweeps_of(store, sql, &sweeps, err);
    int code = SQLITE_ROW;
    while (ok && (code = sqlite3_step(sweeps)) == SQLITE_ROW)
        ok = append_if_done(store, (const char *)sqlite3_column_text(sweeps, 0), out, size, err);
    if (ok && code != SQLITE_DONE) ok = ws_store_fail(store, "reading the names of sweeps", err);
    sqlite3_finalize(sweeps);
    return ok;
}

/* A sweep may have results none of which the query takes, as one of kernels of 50 MPKI; to sweep once more would not
 * help. */
static bool no_rows(ws_store *store, const char *sql, ws_error *err) {
    char commands[400], sweeps[200];
    if (!results_of(store, sql, sweeps, sizeof sweeps, err)) return false;
    if (*sweeps)
        return ws_fail(
            err, WS_ERROR_USAGE,
            "the database holds no rows for it: no result of sweep %s meets the conditions of its query",
            sweeps);
    commands_of(sql, commands, sizeof commands);
    return ws_fail(err, WS_ERROR_USAGE, "the database holds no rows for it%s%s",
                   *commands ? "; they come from " : "", commands);
}

/* Replaces SQLite's message about a missing table by the sweep to run, which helps more. */
static bool no_table(ws_store *store, const char *sql, const char *name, ws_error *err) {
    static const char words[] = "no such table: ";
    char commands[400], table[200], others[300];
    const char *found = err ? strstr(err->text, words) : NULL;
    commands_of(sql, commands, sizeof commands);
    if (!found || !*commands) return false;
    snprintf(table, sizeof table, "%.*s", (int)strcspn(found + strlen(words), ";"), found + strlen(words));
    if (!ws_tell_sweeps(store, sql, name, table, others, sizeof others, err)) return false;
    return ws_fail(err, WS_ERROR_USAGE, "the database has no %s: run %s first%s", table, commands, others);
}

/* Says what to do where the sweep has the name that the figure asks for, but lacks some of its axes. */
static bool no_column(const char *sql, ws_error *err) {
    char commands[400];
    commands_of(sql, commands, sizeof commands);
    if (!*commands || !err || !strstr(err->text, "no such column: ")) return false;
    const ws_error why = *err;
    return ws_fail(err, WS_ERROR_USAGE,
                   "%s; it draws what %s stores, and a sweep with fewer axes under another name, which "
                   "computes nothing anew: --sweep NAME",
                   why.text, commands);
}

static bool read_data(ws_store *store, const char *sql, const char *name, bool own, ws_figure_data *data,
                      ws_error *err) {
    if (!ws_figure_data_read(store, sql, own, data, err))
        return no_table(store, sql, name, err) || no_column(sql, err);
    return data->panel_count || no_rows(store, sql, err);
}

/* ---- figures */

static char *title_of(const char *sql, const char *subject) {
    char *title = ws_figure_title(sql), *whole = NULL;
    if (!subject || !title) return title;
    if (asprintf(&whole, *title ? "%s: %s" : "%s%s", subject, title) < 0) whole = NULL;
    free(title);
    return whole;
}

static bool draw(const ws_figure_data *data, const ws_figure_spread *spread, const char *folder,
                 const char *title, const ws_figure_head *head, const char *script, const sink *to,
                 ws_error *err) {
    ws_page p = {.data = data,
                 .folder = folder,
                 .title = title,
                 .script = script,
                 .head = head,
                 .terminal = to->terminal};
    return draw_pages(&p, spread, to, err);
}

/* Whether the first number, which the script expects, is the place of a bar in the group of its series. */
static bool has_groups(const ws_figure_data *data, bool shaped) {
    return !shaped && strcmp(data->columns[0], "bar") == 0;
}

/* A figure's query, and the script that draws it; NULL: that of the data's shape. */
typedef struct drawn {
    const char *name, *sql, *title, *script;
    bool own;
} drawn;

static bool draw_query(ws_store *store, const char *folder, const drawn *f, const sink *to, FILE *log,
                       ws_error *err) {
    ws_figure_data data = {0};
    ws_figure_spread spread;
    ws_figure_head head = {{NULL}};
    char *of_shape = NULL;
    const bool shaped = !f->script;
    bool done =
        (ws_figure_head_read(f->sql, &head, err) && read_data(store, f->sql, f->name, f->own, &data, err) &&
         ws_tell_unnamed_axes(store, f->sql, f->name, log, err) &&
         (shaped ? (of_shape = ws_figure_script_of_shape(folder, &data, &head, err)) != NULL
                 : ws_figure_has_points(&data, f->own, err)) &&
         (!has_groups(&data, shaped) || ws_figure_has_one_row_for_each_bar(&data, err)) &&
         ws_figure_spread_of(&data, data.bars || has_groups(&data, shaped), &spread, err)) ||
        ws_fail_prefix(err, "figure %s", f->name);
    if (done) done = draw(&data, &spread, folder, f->title, &head, shaped ? of_shape : f->script, to, err);
    if (done && log) ws_figure_tell(&data, shaped ? &head : NULL, f->name, log);
    ws_figure_data_free(&data);
    ws_figure_head_free(&head);
    free(of_shape);
    return done;
}

static bool draw_figure(ws_store *store, const char *folder, const char *name, const char *subject,
                        const sink *to, FILE *log, ws_error *err) {
    char *sql, *script;
    bool own;
    if (!ws_figure_read(folder, name, &sql, &script, &own, err)) return false;
    char *title = title_of(sql, subject);
    drawn f = {name, sql, title, script, own};
    bool done = title ? draw_query(store, folder, &f, to, log, err) : ws_no_memory(err);
    free(sql);
    free(script);
    free(title);
    return done;
}

static char *title_of_effects(const effects *f) {
    const ws_effects_query *q = f->query;
    char *title = NULL, over[100] = "", surface[100] = "";
    if (f->kernels > 1)
        snprintf(over, sizeof over, "; bars: 95 %% intervals over %lld kernels", (long long)f->kernels);
    if (f->fitted)
        snprintf(surface, sizeof surface, "; of a surface fitted to each kernel, which misses %lld %% of it",
                 (long long)f->missed_percent);
    if (asprintf(&title, "%s in %s along each axis, with its share of the variance within kernels%s%s%s%s",
                 q->metric, q->view, over, surface, q->where ? "; where " : "", q->where ? q->where : "") < 0)
        title = NULL;
    return title;
}

static bool draw_effects(const effects *f, const char *folder, const sink *to, ws_error *err) {
    ws_figure_data data = {0};
    ws_figure_spread spread;
    char *sql = NULL, *title = NULL, *script = ws_figure_script(folder, "effects", err);
    bool done =
        script && (((sql = ws_effects_points(f)) && (title = title_of_effects(f))) || ws_no_memory(err));
    done = done && ws_figure_data_read(f->store, sql, false, &data, err) &&
           ws_figure_spread_of(&data, false, &spread, err) &&
           draw(&data, &spread, folder, title, &(ws_figure_head){{NULL}}, script, to, err);
    ws_figure_data_free(&data);
    sqlite3_free(sql);
    free(title);
    free(script);
    return done;
}

/* ---- where figures go */

static bool open_files(files *f, const ws_store *store, sink *to, ws_error *err) {
    f->ending = strrchr(f->path, '.');
    *to = (sink){f->ending ? ws_terminal_of(f->ending) : NULL, to_file, f};
    if (!to->terminal)
        return ws_fail(err, WS_ERROR_USAGE,
                       "expected a file name that ends in .svg, .png or .pdf, found '%s'", f->path);
    if (strlen(f->path) > 4000)
        return ws_fail(err, WS_ERROR_USAGE, "the file name is longer than 4000 bytes");
    return !ws_store_is_file(store, f->path) ||
           ws_fail(err, WS_ERROR_USAGE, "%s: expected another file than the database", f->path);
}

bool ws_plot(ws_store *store, const char *folder, const char *name, const char *subject, const char *path,
             FILE *log, void (*written)(void *context, const char *path), void *context, ws_error *err) {
    files f = {.path = path, .written = written, .context = context, .log = log};
    sink to;
    return WS_GIVEN(folder, "a folder", err) && WS_GIVEN(name, "a figure", err) &&
           WS_GIVEN(path, "a path", err) && open_files(&f, store, &to, err) &&
           draw_figure(store, folder, name, subject, &to, log, err);
}

/* "where CONDITION, SWEEP in place of NAME", of which either may be missing. NULL if out of memory. */
static char *subject_of(const char *sweep, const char *named, const char *where) {
    char *text;
    const char *of = named ? sweep : "", *in_place = named ? " in place of " : "";
    const int length = asprintf(&text, "%s%s%s%s%s%s", where ? "where " : "", where ? where : "",
                                named && where ? ", " : "", of, in_place, named ? named : "");
    return length < 0 ? NULL : text;
}

bool ws_plot_rows(ws_store *store, const char *folder, const char *name, const char *sweep, const char *where,
                  FILE *log, char **subject, ws_error *err) {
    char *sql, *script, *named = NULL;
    bool own;
    *subject = NULL;
    if (!WS_GIVEN(folder, "a folder", err) || !WS_GIVEN(name, "a figure", err) ||
        !ws_figure_read(folder, name, &sql, &script, &own, err))
        return false;
    bool done = ((!sweep || ws_rename_sweep(store, sql, sweep, &named, err)) &&
                 (!where || ws_filter_views(store, sql, where, err))) ||
                ws_fail_prefix(err, "figure %s", name);
    if (done && named && log)
        fprintf(log, "figure %s: %s in place of %s, for which its labels and other text are written\n", name,
                sweep, named);
    if (done && (named || where) && !(*subject = subject_of(sweep, named, where))) done = ws_no_memory(err);
    free(sql);
    free(script);
    free(named);
    return done;
}

bool ws_plot_effects(ws_store *store, const char *folder, const ws_effects_query *query, const char *path,
                     FILE *log, void (*written)(void *context, const char *path), void *context,
                     ws_error *err) {
    if (!WS_GIVEN(folder, "a folder", err) || !WS_GIVEN(path, "a path", err)) return false;
    files places = {.path = path, .written = written, .context = context, .log = log};
    sink to;
    effects f = {.store = store, .db = ws_store_sqlite(store), .query = query, .log = log};
    bool done = open_files(&places, store, &to, err) && ws_effects_find(&f, err) &&
                draw_effects(&f, folder, &to, err);
    ws_effects_drop(&f);
    return done;
}

bool ws_figure_pages(ws_store *store, const char *folder, const char *name,
                     bool (*take)(void *context, FILE *svg, ws_error *err), void *context, FILE *log,
                     ws_error *err) {
    taker t = {take, context};
    return draw_figure(store, folder, name, NULL, &(sink){ws_terminal_of(".svg"), to_taker, &t}, log, err);
}

bool ws_query_pages(ws_store *store, const char *folder, const char *sql,
                    bool (*take)(void *context, FILE *svg, ws_error *err), void *context, ws_error *err) {
    taker t = {take, context};
    char *title = title_of(sql, NULL);
    drawn f = {.name = "of the page", .sql = sql, .title = title, .own = true};
    bool done = title
                    ? draw_query(store, folder, &f, &(sink){ws_terminal_of(".svg"), to_taker, &t}, NULL, err)
                    : ws_no_memory(err);
    free(title);
    return done;
}

bool ws_effects_pages(const effects *f, const char *folder,
                      bool (*take)(void *context, FILE *svg, ws_error *err), void *context, ws_error *err) {
    taker t = {take, context};
    return draw_effects(f, folder, &(sink){ws_terminal_of(".svg"), to_taker, &t}, err);
}
