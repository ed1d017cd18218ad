/* Decodes NVIDIA's machine code (SASS, sm_35 to sm_100): opcodes from their text alone (class, memory operation, space,
 * width), and the names of registers. */
#ifndef WS_TRACE_SASS_H
#define WS_TRACE_SASS_H

#include "warpsweep/trace.h"

enum { WS_SASS_LANES = 32 };

typedef struct ws_sass {
    uint8_t class_;  /* ws_class */
    uint8_t op;      /* ws_memory_op, for instructions that have addresses */
    uint8_t space;   /* ws_space of the addresses; GENERIC where only the address decides */
    uint8_t width_B; /* bytes at each lane's address; 0: the text does not say (4 by convention) */
} ws_sass;

/* `opcode` is a dotted mnemonic, "LDG.E.64.SYS"; it needs no terminating NUL. An unknown one is
 * WS_CLASS_OTHER without a memory operation. */
ws_sass ws_sass_decode(const char *opcode, size_t length);

/* Returns the space that an instruction accesses, also where the tracer has no addresses of it: constant for LDC, LDCU
 * and ULDC; NONE for fences, cache control, and all that is not of class mem. */
ws_space ws_sass_space(const char *opcode);

/* Registers of all kinds have one range of numbers in a trace: R0 is 0, UR0 256, P0 512, UP0 520; those that are
 * constant (RZ, printed as R255, URZ, PT, UPT) are WS_REGISTER_ZERO. */

/* Parses a register's name and moves `*at` past it; false if there is none. */
bool ws_sass_parse_register(const char **at, uint16_t *number);

enum { WS_SASS_REGISTER_SIZE = 8 };
/* Writes the name; RZ for all that are constant. */
void ws_sass_register_name(uint16_t number, char *out);

#endif
