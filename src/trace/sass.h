/* Decodes opcodes of NVIDIA's machine code (SASS, sm_35 to sm_100) from their text alone: class, memory operation,
 * space, width. */
#ifndef WS_TRACE_SASS_H
#define WS_TRACE_SASS_H

#include "warpsweep/trace.h"

typedef struct ws_sass {
    uint8_t class_;  /* ws_class */
    uint8_t op;      /* ws_memory_op, for instructions that have addresses */
    uint8_t space;   /* ws_space of the addresses; GENERIC where only the address decides */
    uint8_t width_B; /* bytes at each lane's address; 0: the text does not say (4 by convention) */
} ws_sass;

/* `opcode` is a dotted mnemonic, "LDG.E.64.SYS"; it needs no terminating NUL. An unknown one is
 * WS_CLASS_OTHER without a memory operation. */
ws_sass ws_sass_decode(const char *opcode, size_t length);

#endif
