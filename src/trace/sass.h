/* What an opcode of NVIDIA's machine code (SASS, sm_35 to sm_100) is and does, told by its text alone. */
#ifndef WS_TRACE_SASS_H
#define WS_TRACE_SASS_H

#include "warpsweep/trace.h"

typedef struct ws_sass {
    uint8_t class_;  /* ws_class */
    uint8_t op;      /* ws_memory_op of an instruction that has addresses */
    uint8_t space;   /* ws_space of those; GENERIC where only the address tells */
    uint8_t width_B; /* bytes at each lane's address; 0: the text does not say (4 by convention) */
} ws_sass;

/* `opcode` is a dotted mnemonic, "LDG.E.64.SYS"; it needs no terminating NUL. An unknown one is
 * WS_CLASS_OTHER without a memory operation. */
ws_sass ws_sass_decode(const char *opcode, size_t length);

#endif
