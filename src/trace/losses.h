/* What lines of a text say and an import does not keep, so that its user is told. */
#ifndef WS_TRACE_LOSSES_H
#define WS_TRACE_LOSSES_H

#include "warpsweep/trace.h"

#include <stddef.h>

typedef struct ws_losses {
    uint64_t values;   /* lines whose values of registers (STORE_DATA) are not kept */
    uint64_t accesses; /* lines with addresses and an opcode that is not known */
    char opcode[32];   /* of the first, cut */
} ws_losses;

/* Keeps the first. */
void ws_losses_opcode(ws_losses *losses, const char *opcode, size_t length);

/* By options->notice; `path` is the file that the user named. */
void ws_losses_tell(const ws_losses *losses, const char *path, const ws_import_options *options);

#endif
