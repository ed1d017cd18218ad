/* Packs the text of a .traceg as a .tracez, as Accel-Sim 2.0's post-traces-processing does, in a simple way. */
#ifndef WS_TESTS_TRACEZ_PACK_H
#define WS_TESTS_TRACEZ_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tracez_bytes {
    uint8_t *data; /* the caller frees it */
    size_t size;
    size_t header_end, data_start, index_start; /* where the header's 0, the first warp and the index are */
} tracez_bytes;

/* `chunk`: lines per chunk, 0 for all of a warp. `dictionary`: train one from the lines; it fails the test if these are
 * too few. */
tracez_bytes tracez_pack(const char *grouped, uint32_t chunk, bool dictionary);

#endif
