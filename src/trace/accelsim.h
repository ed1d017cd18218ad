/* Reader of Accel-Sim's NVBit traces of tracer versions up to 5: grouped files (.traceg) and raw ones (.trace), and the
 * lists that name them (kernelslist.g, kernelslist). */
#ifndef WS_TRACE_ACCELSIM_H
#define WS_TRACE_ACCELSIM_H

#include "trace/accelsim_line.h"
#include "trace/losses.h"
#include "trace/spill.h"
#include "trace/text_source.h"

/* ---- one file */

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

ws_accelsim_columns ws_accelsim_columns_of(const ws_accelsim_header *header, bool is_raw);
uint32_t ws_accelsim_features(const ws_accelsim_header *header);

/* The warps of a CTA. */
typedef struct ws_accelsim_shape {
    uint32_t warps;
    uint32_t last_warp_lanes; /* mask of the lanes that the last one has */
} ws_accelsim_shape;

ws_accelsim_shape ws_accelsim_shape_of(const ws_kernel *kernel);

static inline uint32_t ws_accelsim_lanes(const ws_accelsim_shape *shape, uint32_t warp) {
    return warp == shape->warps - 1 ? shape->last_warp_lanes : UINT32_MAX;
}

/* Behind the header: whether instructions stand grouped by CTA and warp, or raw, in the order of their arrival. */
bool ws_accelsim_tell_raw(ws_text *text, bool *is_raw, ws_error *err);

/* Reads the rest: CTAs, warps, instructions, into the kernel that the writer has just begun. What is
 * not kept is added to `losses`. */
bool ws_accelsim_read_grouped(ws_text *text, const ws_accelsim_header *header, ws_writer *writer,
                              ws_losses *losses, ws_error *err);
bool ws_accelsim_read_raw(ws_text *text, const ws_accelsim_header *header, const ws_spill_options *spill,
                          ws_writer *writer, ws_losses *losses, ws_error *err);

/* ---- lists */

typedef struct ws_accelsim_command {
    char *path;              /* of a kernel's file; NULL for a copy to the device */
    uint64_t address, bytes; /* of a copy */
    uint64_t line;           /* in the list */
} ws_accelsim_command;

typedef struct ws_accelsim_list {
    ws_accelsim_command *commands;
    size_t count, room;
} ws_accelsim_list;

/* Reads the list at `path`; file names in it are relative to its folder. Where a file is missing, but is there packed
 * (.xz, .gz, .zst), or unpacked, that one is taken. */
bool ws_accelsim_read_list(ws_accelsim_list *list, const char *path, ws_error *err);
bool ws_accelsim_parse_list(ws_accelsim_list *list, ws_text *text, ws_error *err);
void ws_accelsim_list_free(ws_accelsim_list *list);

/* ---- ws_import()'s formats */

bool ws_accelsim_import_list(const char *source, const char *out, const ws_import_options *options,
                             ws_error *err);
bool ws_accelsim_import_file(const char *source, const char *out, const ws_import_options *options,
                             ws_error *err);

#endif
