/* The columns of CSV traces. */
#ifndef WS_TRACE_IMPORT_CSV_COLUMNS_H
#define WS_TRACE_IMPORT_CSV_COLUMNS_H

#include "warpsweep/trace.h"

enum column {
    COLUMN_KERNEL,
    COLUMN_NAME,
    COLUMN_GRID,
    COLUMN_BLOCK,
    COLUMN_REGISTERS,
    COLUMN_SHARED,
    COLUMN_CTA,
    COLUMN_WARP,
    COLUMN_THREAD,
    COLUMN_LANE,
    COLUMN_PC,
    COLUMN_OPCODE,
    COLUMN_CLASS,
    COLUMN_MASK,
    COLUMN_OP,
    COLUMN_SPACE,
    COLUMN_WIDTH,
    COLUMN_ADDRESSES,
    COLUMN_ADDRESS,
    COLUMN_DST,
    COLUMN_SRC,
    COLUMN_IMMEDIATE,
    COLUMN_LINE,
    COLUMN_COUNT
};

extern const ws_csv_column ws_csv_column_of[COLUMN_COUNT];

#endif
