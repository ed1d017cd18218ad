/* The bytes of a lane's access, of up to 255 of them. */
#ifndef WS_BASE_ACCESS_H
#define WS_BASE_ACCESS_H

#include <stdint.h>

enum { WS_ACCESS_SECTORS_MAX = 9 }; /* the most sectors of 32 bytes that one access touches */

/* Address of its last byte. An access that would run past the address space ends there. */
static inline uint64_t ws_last_byte(uint64_t address, unsigned width) {
    uint64_t last = address + width - 1;
    return last < address ? UINT64_MAX : last;
}

#endif
