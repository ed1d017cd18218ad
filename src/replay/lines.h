/* Line numbers: the lines that a kernel touches, numbered from 0 in the order in which they are first met, so that
 * consumers can index arrays by them. Lines are looked up by groups of 64 neighbours: most accesses have neighbours,
 * and the table of groups stays small enough for the near caches. */
#ifndef WS_REPLAY_LINES_H
#define WS_REPLAY_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_line_group ws_line_group;

typedef struct ws_lines {
    ws_line_group *slots;    /* open addressing */
    size_t slot_count;       /* a power of two, or 0 */
    uint32_t (*numbers)[64]; /* per group: number + 1 of each line, 0 = none yet */
    size_t group_count, group_room;
    uint64_t last_key; /* the group looked up last */
    uint32_t last_group;
    uint32_t count; /* lines numbered so far */
} ws_lines;

/* All zero is an empty table. */
void ws_lines_free(ws_lines *lines); /* leaves an empty table */

/* Gives the number of `line` (address / line size), a new one if it is met for the first time. False if out of memory,
 * or if 32 bits do not hold the number. */
bool ws_lines_number(ws_lines *lines, uint64_t line, uint32_t *number);

size_t ws_lines_bytes(const ws_lines *lines); /* memory that the table takes */

#endif
