/* Where an address lies in DRAM, from a picture of its bits as configurations of GPGPU-Sim draw it. */
#ifndef WS_TESTS_NAIVE_DRAM_H
#define WS_TESTS_NAIVE_DRAM_H

#include <stdint.h>

typedef struct naive_place {
    uint64_t row, bank, column;
} naive_place;

/* `picture`: a letter for each bit of an address within its channel, the highest first: R row, B bank, C and S column;
 * dots are for the eye. Bits above the picture count for nothing. */
naive_place naive_dram_place(const char *picture, uint64_t address);

/* The address within its channel: consecutive blocks of 256 bytes belong to consecutive channels. */
uint64_t naive_dram_address(uint64_t address, uint32_t channels);

/* Rows opened by reads of `count` addresses within a channel, each after the one before has been served. */
uint64_t naive_dram_activates(const char *picture, const uint64_t *addresses, uint32_t count);

#endif
