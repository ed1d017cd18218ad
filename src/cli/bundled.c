#include "cli/bundled.h"

#include "cli/installed.h"
#include "cli/usage.h"
#include "param/json_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- figures */

void cli_bundled_figures(ws_figure **figures, size_t *count) {
    char folder[PATH_MAX];
    *figures = NULL;
    *count = 0;
    if (cli_data_folder(&cli_figures, folder, sizeof folder, NULL)) ws_figures(folder, figures, count, NULL);
}

/* Prints the comments behind the title at the head of the query. */
static void print_head(const char *path, FILE *out) {
    FILE *query = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    for (int n = 0; query && getline(&line, &size, query) > 0 && strncmp(line, "-- ", 3) == 0; n++)
        if (n > 0) fputs(line + 3, out);
    free(line);
    if (query) fclose(query);
}

void cli_print_figure(const ws_figure *figure, FILE *out) {
    char folder[PATH_MAX], path[PATH_MAX + 128];
    fprintf(out, "figure %s ('warpsweep plot DB %s -o FILE.png')\n", figure->name, figure->name);
    cli_print_wrapped(figure->title, 0, out);
    if (!cli_data_folder(&cli_figures, folder, sizeof folder, NULL)) return;
    snprintf(path, sizeof path, "%s/%s.sql", folder, figure->name);
    print_head(path, out);
}

/* ---- specifications */

/* Sets `path` to the file of that name, which need not exist. */
static bool find_specification(const char *name, char *path, size_t size) {
    char folder[PATH_MAX];
    if (strchr(name, '/') || !cli_data_folder(&cli_sweeps, folder, sizeof folder, NULL)) return false;
    return snprintf(path, size, "%s/%s.json", folder, name) < (int)size;
}

/* The description of the specification at that path, a reference; NULL: there is none. */
static json_t *description_of(const char *path) {
    json_t *spec = ws_json_load(path, NULL, NULL);
    json_t *text = json_incref(json_object_get(spec, "description"));
    json_decref(spec);
    return text;
}

bool cli_is_specification(const char *name) {
    char path[PATH_MAX];
    json_t *text = find_specification(name, path, sizeof path) ? description_of(path) : NULL;
    bool is = json_is_string(text);
    json_decref(text);
    return is;
}

void cli_print_specification(const char *name, FILE *out) {
    char path[PATH_MAX];
    json_t *text = find_specification(name, path, sizeof path) ? description_of(path) : NULL;
    fprintf(out, "specification %s ('warpsweep sweep %s --db FILE')\n", name, path);
    if (text) cli_print_wrapped(json_string_value(text), 0, out);
    json_decref(text);
}
