/* Reader of Accel-Sim's NVBit traces (tracer versions up to 6): kernel files, grouped (.traceg, .tracez) and raw
 * (.trace), and the lists that name them (kernelslist.g, kernelslist). */
#ifndef WS_TRACE_IMPORT_ACCELSIM_H
#define WS_TRACE_IMPORT_ACCELSIM_H

#include "trace/import/accelsim_line.h"
#include "trace/import/losses.h"
#include "trace/import/spill.h"
#include "trace/import/text_source.h"

/* ---- one file */

typedef struct ws_accelsim_header {
    char *name;            /* heap; kernel.name points to it */
    ws_kernel kernel;      /* the launch's properties, as far as the header gives them */
    uint32_t version;      /* of the tracer, 1 to 6; 0 for the earliest tracers, which print none */
    char version_text[16]; /* as printed, "1.2" */
    bool has_line_info;
} ws_accelsim_header;

enum { WS_ACCELSIM_VERSION_MAX = 6 };

/* Reads the header up to and including the "#traces format" line. */
bool ws_accelsim_read_header(ws_text *text, ws_accelsim_header *header, ws_error *err);
void ws_accelsim_header_free(ws_accelsim_header *header); /* accepts a zeroed header */

ws_accelsim_columns ws_accelsim_columns_of(const ws_accelsim_header *header, bool is_raw);
uint32_t ws_accelsim_features(const ws_accelsim_header *header);

/* The warps of a CTA. */
typedef struct ws_accelsim_shape {
    uint32_t warps;
    uint32_t last_warp_lanes; /* mask of the lanes that exist in the last warp */
} ws_accelsim_shape;

ws_accelsim_shape ws_accelsim_shape_of(const ws_kernel *kernel);

static inline uint32_t ws_accelsim_lanes(const ws_accelsim_shape *shape, uint32_t warp) {
    return warp == shape->warps - 1 ? shape->last_warp_lanes : UINT32_MAX;
}

/* Skips empty lines after the header and tells whether the instructions are raw, in order of arrival, or grouped by CTA
 * and warp. */
bool ws_accelsim_tell_raw(ws_text *text, bool *is_raw, ws_error *err);

/* Read the rest of the file (CTAs, warps, instructions) into the kernel that the writer has just begun. What the file
 * says but the trace does not keep is counted in `losses`. */
bool ws_accelsim_read_grouped(ws_text *text, const ws_accelsim_header *header, ws_writer *writer,
                              ws_losses *losses, ws_error *err);
bool ws_accelsim_read_raw(ws_text *text, const ws_accelsim_header *header, const ws_spill_options *spill,
                          ws_writer *writer, ws_losses *losses, ws_error *err);

/* ---- lists */

typedef struct ws_accelsim_command {
    char *path;              /* the kernel's trace file; NULL for a copy to the device */
    uint64_t address, bytes; /* of a copy */
    uint64_t line;           /* line number in the list */
} ws_accelsim_command;

typedef struct ws_accelsim_list {
    ws_accelsim_command *commands;
    size_t count, room;
} ws_accelsim_list;

/* Reads the list at `path`; file names in it are relative to its folder. A file that is missing is looked for in packed
 * form (.xz, .gz, .zst), or unpacked if the list names a packed one. */
bool ws_accelsim_read_list(ws_accelsim_list *list, const char *path, ws_error *err);
bool ws_accelsim_parse_list(ws_accelsim_list *list, ws_text *text, ws_error *err);
void ws_accelsim_list_free(ws_accelsim_list *list);

#endif
