/* Reader of Accel-Sim's NVBit traces: grouped .traceg files of tracer versions up to 5, and the kernelslist.g
 * that names them. */
#ifndef WS_TRACE_ACCELSIM_H
#define WS_TRACE_ACCELSIM_H

#include "trace/accelsim_line.h"
#include "trace/text_source.h"

/* ---- one .traceg */

typedef struct ws_accelsim_header {
    char *name;            /* heap; kernel.name points to it */
    ws_kernel kernel;      /* what the header tells of it */
    uint32_t version;      /* of the tracer: 1 .. 5, 0 for the first ones, which did not say */
    char version_text[16]; /* as printed, "1.2" */
    bool has_line_info;
} ws_accelsim_header;

enum { WS_ACCELSIM_VERSION_MAX = 5 };

/* Reads up to and with the "#traces format" line. */
bool ws_accelsim_read_header(ws_text *text, ws_accelsim_header *header, ws_error *err);
void ws_accelsim_header_free(ws_accelsim_header *header); /* accepts a zeroed one */

ws_accelsim_columns ws_accelsim_grouped_columns(const ws_accelsim_header *header);
uint32_t ws_accelsim_features(const ws_accelsim_header *header);

/* Reads the rest: CTAs, warps, instructions, into the kernel that the writer has just begun. */
bool ws_accelsim_read_body(ws_text *text, const ws_accelsim_header *header, ws_writer *writer, ws_error *err);

/* ---- kernelslist.g */

typedef struct ws_accelsim_command {
    char *path;              /* of a kernel's file; NULL for a copy to the device */
    uint64_t address, bytes; /* of a copy */
    uint64_t line;           /* in the list */
} ws_accelsim_command;

typedef struct ws_accelsim_list {
    ws_accelsim_command *commands;
    size_t count, room;
} ws_accelsim_list;

/* Reads the list at `path`; file names in it are relative to its folder. */
bool ws_accelsim_read_list(ws_accelsim_list *list, const char *path, ws_error *err);
void ws_accelsim_list_free(ws_accelsim_list *list);

/* ---- ws_import()'s formats */

bool ws_accelsim_import_list(const char *source, const char *out, const ws_import_options *options,
                             ws_error *err);
bool ws_accelsim_import_traceg(const char *source, const char *out, const ws_import_options *options,
                               ws_error *err);

#endif
