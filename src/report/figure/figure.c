#include "report/figure/figure.h"

#include "base/given.h"
#include "base/nearest.h"
#include "report/statement.h"
#include "store/sqlite.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b) {
    return strcmp(((const ws_figure *)a)->name, ((const ws_figure *)b)->name);
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    char *text = NULL;
    size_t size = 0;
    bool empty = getdelim(&text, &size, '\0', file) < 0;
    if (empty) free(text), text = feof(file) ? strdup("") : NULL;
    fclose(file);
    return text;
}

static char *read_part(const char *folder, const char *name, const char *extension) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s.%s", folder, name, extension) >= (int)sizeof path) return NULL;
    return read_file(path);
}

/* NAME of "NAME.sql"; NULL for all other files. */
static char *figure_name(const char *file) {
    const char *dot = strrchr(file, '.');
    return dot && dot > file && strcmp(dot, ".sql") == 0 ? strndup(file, (size_t)(dot - file)) : NULL;
}

static bool add_figure(const char *folder, const char *file, ws_figure **figures, size_t *count) {
    char *name = figure_name(file);
    if (!name) return true;
    ws_figure *larger = realloc(*figures, (*count + 1) * sizeof **figures);
    if (larger) *figures = larger;
    char *sql = larger ? read_part(folder, name, "sql") : NULL;
    char *title = larger ? ws_figure_title(sql ? sql : "") : NULL;
    free(sql);
    if (title) {
        larger[(*count)++] = (ws_figure){name, title};
        return true;
    }
    free(name);
    return false;
}

bool ws_figures(const char *folder, ws_figure **figures, size_t *count, ws_error *err) {
    *figures = NULL, *count = 0;
    if (!WS_GIVEN(folder, "a folder", err)) return false;
    DIR *files = opendir(folder);
    if (!files) return ws_fail(err, WS_ERROR_IO, "%s: cannot list the figures: %s", folder, strerror(errno));
    bool complete = true;
    for (const struct dirent *entry; complete && (entry = readdir(files));)
        complete = add_figure(folder, entry->d_name, figures, count);
    closedir(files);
    if (complete) {
        if (*count) qsort(*figures, *count, sizeof **figures, by_name);
        return true;
    }
    ws_figures_free(*figures, *count);
    return ws_no_memory(err);
}

void ws_figures_free(ws_figure *figures, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(figures[i].name);
        free(figures[i].title);
    }
    free(figures);
}

static void unknown_figure(const char *folder, const char *name, ws_error *err) {
    ws_figure *figures;
    size_t count;
    if (!ws_figures(folder, &figures, &count, err)) return;
    ws_nearest nearest = ws_nearest_to(name);
    for (size_t i = 0; i < count; i++) ws_nearest_offer(&nearest, figures[i].name);
    if (nearest.best && strcmp(nearest.best, name) == 0)
        ws_fail(err, WS_ERROR_IO, "%s: cannot read both %s.sql and %s.gp", folder, name, name);
    else if (nearest.best)
        ws_fail(err, WS_ERROR_USAGE, "unknown figure '%s': did you mean '%s'?", name, nearest.best);
    else
        ws_fail(err, WS_ERROR_USAGE, "unknown figure '%s': 'warpsweep plot DB' lists those in %s", name,
                folder);
    ws_figures_free(figures, count);
}

/* ---- the two files of a figure */

static bool is_path(const char *name) {
    const char *dot = strrchr(name, '.');
    return strchr(name, '/') || (dot && strcmp(dot, ".sql") == 0);
}

/* Reads a figure of the folder. */
static bool read_known(const char *folder, const char *name, char **sql, char **script, ws_error *err) {
    *sql = read_part(folder, name, "sql");
    *script = *sql ? read_part(folder, name, "gp") : NULL;
    if (!*script) unknown_figure(folder, name, err);
    return *script;
}

/* Reads a user's own figure: the query at `path`, and its script if there is one. */
static bool read_path(const char *path, char **sql, char **script, ws_error *err) {
    *sql = read_file(path);
    if (!*sql) return ws_fail(err, WS_ERROR_IO, "%s: %s", path, strerror(errno));
    const char *dot = strrchr(path, '.');
    size_t stem = dot && !strchr(dot, '/') ? (size_t)(dot - path) : strlen(path);
    char beside[4096];
    bool fits = snprintf(beside, sizeof beside, "%.*s.gp", (int)stem, path) < (int)sizeof beside;
    *script = fits ? read_file(beside) : NULL;
    return true;
}

bool ws_figure_own(const char *path, ws_figure *figure, ws_error *err) {
    *figure = (ws_figure){NULL, NULL};
    char *sql = read_file(path);
    if (!sql) return ws_fail(err, WS_ERROR_IO, "%s: %s", path, strerror(errno));
    *figure = (ws_figure){strdup(path), ws_figure_title(sql)};
    free(sql);
    return (figure->name && figure->title) || ws_no_memory(err);
}

char *ws_figure_script(const char *folder, const char *name, ws_error *err) {
    char *script = read_part(folder, name, "gp");
    if (!script)
        ws_fail(err, errno == ENOENT ? WS_ERROR_USAGE : WS_ERROR_IO, "%s: cannot read %s.gp: %s", folder,
                name, strerror(errno));
    return script;
}

bool ws_figure_read(const char *folder, const char *name, char **sql, char **script, bool *own,
                    ws_error *err) {
    *sql = *script = NULL;
    *own = is_path(name);
    if (*own ? read_path(name, sql, script, err) : read_known(folder, name, sql, script, err)) return true;
    free(*sql);
    *sql = NULL;
    return false;
}

bool ws_figure_fits(ws_store *store, const char *folder, const char *name) {
    char *sql = folder && name ? read_part(folder, name, "sql") : NULL;
    sqlite3_stmt *rows = sql ? ws_statement_prepare(ws_store_sqlite(store), sql, NULL) : NULL;
    sqlite3_finalize(rows);
    free(sql);
    return rows != NULL;
}

size_t ws_figures_fitting(ws_store *store, const char *folder, ws_figure *figures, size_t count) {
    size_t fitting = 0;
    for (size_t i = 0; i < count; i++) {
        if (!ws_figure_fits(store, folder, figures[i].name)) continue;
        ws_figure figure = figures[i];
        memmove(&figures[fitting + 1], &figures[fitting], (i - fitting) * sizeof *figures);
        figures[fitting++] = figure;
    }
    return fitting;
}
