/* A file that lives in memory, for readers that take a path. */
#ifndef WS_FUZZ_MEMORY_FILE_H
#define WS_FUZZ_MEMORY_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Replaces the content of the file, of which there is only one; returns its path, which stays the same. */
const char *memory_file(const uint8_t *bytes, size_t size);

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
