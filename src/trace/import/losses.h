/* Counts what the lines of a source say but an import does not keep, so that the user can be told; also what it keeps
 * but may be wrong. */
#ifndef WS_TRACE_IMPORT_LOSSES_H
#define WS_TRACE_IMPORT_LOSSES_H

#include "warpsweep/trace.h"

#include <stddef.h>

typedef struct ws_losses {
    uint64_t values;    /* lines whose stored values (STORE_DATA) are not kept */
    uint64_t registers; /* lines whose register values (Val) are not kept */
    uint64_t bulk;      /* bulk copies, whose addresses are not kept */
    bool clusters;      /* CTAs run in clusters of several */
    bool mbarriers;     /* warps wait at mbarriers */
    uint64_t mixed;     /* generic accesses whose lanes are in different spaces */
    uint64_t accesses;  /* lines with addresses whose opcode is not known */
    char opcode[32];    /* the first such opcode, truncated */
    uint64_t unended;   /* number of a last line that does not end, and may be cut; 0: it ends */
} ws_losses;

/* Remembers `opcode` as the unknown one to name, unless there is one already. */
void ws_losses_opcode(ws_losses *losses, const char *opcode, size_t length);

/* Reports the losses through options->notice, where given; `path` is the file that the user named. */
void ws_losses_tell(const ws_losses *losses, const char *path, const ws_import_options *options);

#endif
