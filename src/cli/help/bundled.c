#include "cli/help/bundled.h"

#include "cli/installed.h"
#include "cli/usage.h"
#include "param/json_file.h"

#include <stdlib.h>
#include <string.h>

/* ---- figures */

bool cli_figures_list(ws_figure **figures, size_t *count, ws_error *err) {
    char folder[PATH_MAX];
    return cli_data_folder(&cli_figures, folder, sizeof folder, err) &&
           ws_figures(folder, figures, count, err);
}

void cli_bundled_figures(ws_figure **figures, size_t *count) {
    *figures = NULL;
    *count = 0;
    cli_figures_list(figures, count, NULL);
}

/* Prints the comments behind the title at the head of the query. */
static void print_head(const char *path, FILE *out) {
    FILE *query = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    for (int n = 0; query && getline(&line, &size, query) > 0 && strncmp(line, "-- ", 3) == 0; n++) {
        line[strcspn(line, "\n")] = '\0';
        if (n > 0) cli_print_wrapped(line + 3, 0, out);
    }
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

json_t *cli_specification(const char *name, char path[PATH_MAX]) {
    char folder[PATH_MAX];
    if (strchr(name, '/') || !cli_data_folder(&cli_sweeps, folder, sizeof folder, NULL) ||
        snprintf(path, PATH_MAX, "%s/%s.json", folder, name) >= PATH_MAX)
        return NULL;
    json_t *spec = ws_json_load(path, NULL, NULL), *text = json_object_get(spec, "description");
    text = json_is_string(text) ? json_incref(text) : NULL;
    json_decref(spec);
    return text;
}
