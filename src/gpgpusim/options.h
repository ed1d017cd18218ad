/* Options as GPGPU-Sim reads them: files of "-name value", with comments that begin with '#', and with quotes around
 * values that contain blanks. Keeps every setting with its place; of several for one option the last counts. */
#ifndef WS_GPGPUSIM_OPTIONS_H
#define WS_GPGPUSIM_OPTIONS_H

#include "warpsweep/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_gs_option {
    char *name, *value; /* the name without its dash */
    char *place;        /* "path:line" */
    bool used;          /* true once ws_gs_find() has returned it */
} ws_gs_option;

typedef struct ws_gs_options {
    ws_gs_option *at;
    size_t count, room;
} ws_gs_options;

void ws_gs_options_free(ws_gs_options *options);

/* Adds the options of a file. They override options of the same name that were added before. */
bool ws_gs_read(ws_gs_options *options, const char *path, ws_error *err);
/* Adds the options of a Booksim file ("name = value;") under the names "icnt_file:name". */
bool ws_gs_read_booksim(ws_gs_options *options, const char *path, ws_error *err);

/* Finds an option and marks it as used; NULL if no file sets it. */
const ws_gs_option *ws_gs_find(ws_gs_options *options, const char *name);
/* Whether the option is the last of its name and nobody has asked for it. */
bool ws_gs_is_unused(const ws_gs_options *options, const ws_gs_option *option);
/* The simulator's default for an option; NULL if it has none, or none is known here. */
const char *ws_gs_default(const char *name);

#endif
