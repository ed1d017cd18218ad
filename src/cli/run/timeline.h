/* `warpsweep run --timeline`: a CSV file with a row per period of each launch; and reading it again, to draw it. */
#ifndef WS_CLI_RUN_TIMELINE_H
#define WS_CLI_RUN_TIMELINE_H

#include "analysis/timeline.h"
#include "base/unfinished.h"
#include "warpsweep/store.h"

#include <stdio.h>

/* The columns of the file: those of the view NAME_timeline_period, without the trace's. */
enum { CLI_TIMELINE_COLUMNS = 3 + WS_TIMELINE_COLUMNS + WS_TIMELINE_RATIO_COUNT };
extern const char *const cli_timeline_columns[CLI_TIMELINE_COLUMNS];

typedef struct cli_timeline {
    FILE *file; /* NULL: none is written */
    const char *path;
    ws_unfinished unfinished; /* its name is "" if it is not a regular file */
    const ws_kernel *kernel;  /* that is running */
    char *name;               /* of it, and how many others run with it */
    uint64_t periods;         /* of it, until now */
    ws_timed_counters before; /* at the end of the last period */
} cli_timeline;

/* `path` may be NULL: then nothing is written. A file appears, or is replaced, only when it is complete. */
bool cli_timeline_open(cli_timeline *timeline, const char *path, ws_error *err);
/* Begin a launch, with which `together` - 1 others run; write a sample of it, at the end of each period. Only if there
 * is a file. */
bool cli_timeline_launch(cli_timeline *timeline, const ws_kernel *kernel, uint32_t together, ws_error *err);
void cli_timeline_sample(cli_timeline *timeline, const ws_timed_sample *sample);
/* `keep`: whether the run is complete; else no file is left. */
bool cli_timeline_close(cli_timeline *timeline, bool keep, ws_error *err);

/* Reads such a file into a database in memory, where its rows are those of the view that the figure `timeline` reads,
 * of a trace without a name. NULL with an error: WS_ERROR_USAGE tells the line that is no timeline's. */
ws_store *cli_timeline_read(const char *path, ws_error *err);

#endif
