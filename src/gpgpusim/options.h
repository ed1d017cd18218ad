/* Options as GPGPU-Sim reads them: files of "-name value", with comments from '#' on and values in quotes where they
 * hold blanks. What no file says has the simulator's default. */
#ifndef WS_GPGPUSIM_OPTIONS_H
#define WS_GPGPUSIM_OPTIONS_H

#include "warpsweep/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_gs_option {
    char *name, *value; /* the name without its dash */
    char *place;        /* "folder/file:line" */
    bool used;
} ws_gs_option;

typedef struct ws_gs_options {
    ws_gs_option *at;
    size_t count, room;
} ws_gs_options;

void ws_gs_options_free(ws_gs_options *options);

/* Adds what a file says; of options that are there twice the later one counts. */
bool ws_gs_read(ws_gs_options *options, const char *path, ws_error *err);
/* The same of a file of Booksim's, "name = value;": its options are called "icnt_file:name". */
bool ws_gs_read_booksim(ws_gs_options *options, const char *path, ws_error *err);

/* NULL where no file has it. It counts as used from now on. */
const ws_gs_option *ws_gs_find(ws_gs_options *options, const char *name);
/* Its value where no file has it, or NULL. */
const char *ws_gs_default(const char *name);

#endif
