/* Reader of CSV traces, which anybody can write; ws_csv_columns() (warpsweep/trace.h) describes them. */
#ifndef WS_TRACE_IMPORT_CSV_H
#define WS_TRACE_IMPORT_CSV_H

#include "trace/import/gathered.h"

/* Reads all of `text` into `gathered`, and adds to the writer the WS_FEATURE_ bits that its columns provide. */
bool ws_csv_read(ws_text *text, ws_gathered *gathered, ws_error *err);

#endif
