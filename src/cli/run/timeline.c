#include "cli/run/timeline.h"

#include "base/stream.h"
#include "report/format/format.h"

#include <csv.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *const cli_timeline_columns[CLI_TIMELINE_COLUMNS] = {"launch", "kernel", "period",
#define X(name, unit, help, value) #name,
                                                                WS_TIMELINE(X) WS_TIMELINE_RATIOS(X)
#undef X
};

#define FIRST_COLUMNS "launch,kernel"

/* Opens the file to write. Pipes and devices are written as they are. */
static bool open_place(cli_timeline *t, ws_error *err) {
    struct stat there;
    bool as_it_is = stat(t->path, &there) == 0 && !S_ISREG(there.st_mode);
    if (!as_it_is) return (t->file = ws_unfinished_create(&t->unfinished, t->path, err));
    t->file = fopen(t->path, "w");
    return t->file || ws_fail(err, WS_ERROR_IO, "%s: %s", t->path, strerror(errno));
}

bool cli_timeline_open(cli_timeline *t, const char *path, ws_error *err) {
    *t = (cli_timeline){.path = path};
    if (!path) return true;
    if (!ws_may_replace(path, "a timeline", (const char *const[]){FIRST_COLUMNS, NULL}, err)) return false;
    if (!open_place(t, err)) return false;
    for (size_t i = 0; i < CLI_TIMELINE_COLUMNS; i++)
        fprintf(t->file, "%s%s", i ? "," : "", cli_timeline_columns[i]);
    fputc('\n', t->file);
    return true;
}

/* Writes a name, in quotes if it contains a character that separates columns. */
static void put_name(const char *name, FILE *file) {
    if (strpbrk(name, ",\"\r\n"))
        csv_fwrite(file, name, strlen(name));
    else
        fputs(name, file);
}

/* Writes a ratio as a query would; an unknown one as an empty cell. */
static void put_ratio(double ratio, FILE *file) {
    char text[WS_REAL_SIZE];
    fprintf(file, ",%s", isnan(ratio) ? "" : ws_real_text(ratio, 0, text));
}

bool cli_timeline_launch(cli_timeline *t, const ws_kernel *kernel, uint32_t together, ws_error *err) {
    char others[16] = "";
    if (together > 1) snprintf(others, sizeof others, " +%" PRIu32, together - 1);
    free(t->name);
    t->kernel = kernel;
    t->periods = 0;
    t->before = (ws_timed_counters){0};
    if (asprintf(&t->name, "%s%s", kernel->short_name, others) < 0) t->name = NULL;
    return t->name || ws_no_memory(err);
}

void cli_timeline_sample(cli_timeline *t, const ws_timed_sample *sample) {
    int64_t values[WS_TIMELINE_COLUMNS];
    double ratios[WS_TIMELINE_RATIO_COUNT];
    ws_timeline_values(sample, &t->before, values);
    ws_timeline_ratios(values, ratios);
    t->before = *sample->counters;
    fprintf(t->file, "%" PRIu32 ",", t->kernel->index);
    put_name(t->name, t->file);
    fprintf(t->file, ",%" PRIu64, ++t->periods);
    for (size_t i = 0; i < WS_TIMELINE_COLUMNS; i++) fprintf(t->file, ",%" PRId64, values[i]);
    for (size_t i = 0; i < WS_TIMELINE_RATIO_COUNT; i++) put_ratio(ratios[i], t->file);
    fputc('\n', t->file);
}

bool cli_timeline_close(cli_timeline *t, bool keep, ws_error *err) {
    free(t->name);
    t->name = NULL;
    if (!t->file) return true;
    const char *why = ws_close_written(t->file);
    t->file = NULL;
    if (*t->unfinished.name && !ws_unfinished_end(&t->unfinished, keep && !why)) why = strerror(errno);
    return !why || ws_fail(err, WS_ERROR_IO, "%s: cannot be written: %s", t->path, why);
}
