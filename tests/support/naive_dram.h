/* A naive twin of the address mapping and the row buffers of DRAM: takes an address apart bit by bit, by a picture of
 * its bits such as configurations of GPGPU-Sim have. */
#ifndef WS_TESTS_NAIVE_DRAM_H
#define WS_TESTS_NAIVE_DRAM_H

#include <stdint.h>

typedef struct naive_place {
    uint64_t row, bank, column;
} naive_place;

/* `picture`: a letter for each bit of an address within its channel, the highest first: R row, B bank, C and S column;
 * dots mean nothing. Bits above the picture are ignored. */
naive_place naive_dram_place(const char *picture, uint64_t address);

/* The address within its channel: consecutive blocks of 256 bytes belong to consecutive channels. */
uint64_t naive_dram_address(uint64_t address, uint32_t channels);

/* What reads of `count` addresses within a channel do to the rows, each issued after the one before was served: rows
 * opened, and reads that did not find their row. Each bank's row is row 0 at first, although it has to be opened. */
typedef struct naive_rows {
    uint64_t opened, missed;
} naive_rows;

naive_rows naive_dram_rows(const char *picture, const uint64_t *addresses, uint32_t count);

#endif
