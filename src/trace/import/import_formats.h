/* The formats that ws_import() reads: a line for each, which also declares the function that imports it. */
#ifndef WS_TRACE_IMPORT_IMPORT_FORMATS_H
#define WS_TRACE_IMPORT_IMPORT_FORMATS_H

#include "warpsweep/trace.h"

/* Suffixes of packed files; which packing it really is follows from the content. */
#define WS_PACKED "?(.xz|.gz|.zst)"

/* X(name, what follows it in a sentence that lists all, importing function, two patterns of file names, two beginnings
 * of the content, which tell if no pattern matches the name); NULL: none */
#define WS_IMPORT_FORMATS(X)                                                                                 \
    X("accelsim-list", ", ", ws_accelsim_import_list, "kernelslist*", NULL, "Memcpy", "kernel")              \
    X("accelsim", ", ", ws_accelsim_import_file, "*.trace?(g)" WS_PACKED, "*.tracez", "-kernel name", NULL)  \
    X("csv", " or ", ws_csv_import, "*.csv" WS_PACKED, NULL, NULL, NULL)                                     \
    X("memtrace", "", ws_memtrace_import, "*.memtrace" WS_PACKED, NULL, "MEMTRACE: ", "------------- NVBit")

/* A literal: "accelsim-list, accelsim .. or memtrace" */
#define WS_IMPORT_FORMAT_NAMED(name, after, import, name1, name2, begin1, begin2) name after

#define WS_IMPORT_FORMATS_LISTED WS_IMPORT_FORMATS(WS_IMPORT_FORMAT_NAMED)

/* Reads a source of this format and writes `out`, as ws_import() does. */
typedef bool ws_import_function(const char *source, const char *out, const ws_import_options *options,
                                ws_error *err);

#define X(name, after, import, name1, name2, begin1, begin2) ws_import_function import;
WS_IMPORT_FORMATS(X)
#undef X

#endif
