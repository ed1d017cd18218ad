/* `warpsweep run --timeline`: a CSV file with a row per period of each launch. */
#ifndef CLI_TIMELINE_H
#define CLI_TIMELINE_H

#include "base/unfinished.h"
#include "warpsweep/timed.h"

#include <stdio.h>

typedef struct cli_timeline {
    FILE *file; /* NULL: none is written */
    const char *path;
    ws_unfinished unfinished; /* its name is "" if it is not a regular file */
    const ws_kernel *kernel;  /* that is running */
    ws_timed_counters before; /* at the end of the last period */
} cli_timeline;

/* `path` may be NULL: then nothing is written. A file appears, or is replaced, only when it is complete. */
bool cli_timeline_open(cli_timeline *timeline, const char *path, ws_error *err);
/* Begin a launch; write a sample of it, at the end of each period. Only if there is a file. */
void cli_timeline_launch(cli_timeline *timeline, const ws_kernel *kernel);
void cli_timeline_sample(cli_timeline *timeline, const ws_timed_sample *sample);
/* `keep`: whether the run is complete; else no file is left. */
bool cli_timeline_close(cli_timeline *timeline, bool keep, ws_error *err);

#endif
