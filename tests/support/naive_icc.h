/* A naive twin of intra-cluster coalescing: a list of all requests that were ever sent to memory and of what came back,
 * gone through from the start for each question. */
#ifndef WS_TESTS_NAIVE_ICC_H
#define WS_TESTS_NAIVE_ICC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct naive_icc naive_icc;

naive_icc *naive_icc_new(uint32_t merge_entries, uint32_t cache_lines);
void naive_icc_free(naive_icc *icc);

/* An SM reads sectors of a line. Returns 'c' if the cache has them, 'm' if the read is merged with a request in flight,
 * 's' if a request is sent and entered into the merge table, 'd' if one is sent without an entry; with 's' and 'd'
 * *request receives the request's number. */
char naive_icc_read(naive_icc *icc, unsigned sm, uint64_t line, uint8_t sectors, size_t *request);
void naive_icc_write(naive_icc *icc, uint64_t line);
/* One sector of request number `request` has come; returns the set of SMs that get it. */
uint64_t naive_icc_reply(naive_icc *icc, size_t request, uint8_t sector);

#endif
