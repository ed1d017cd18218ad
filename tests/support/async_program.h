/* Traces with asynchronous copies, and their twins, in which loads into registers take the place of the copies: both
 * must wait alike. */
#ifndef WS_TESTS_ASYNC_PROGRAM_H
#define WS_TESTS_ASYNC_PROGRAM_H

#include "warpsweep/trace.h"

/* How a copy and a wait are written. */
enum async_form {
    ASYNC_COPIES,   /* as they are: LDGSTS, LDGDEPBAR, DEPBAR */
    ASYNC_REGISTERS /* a copy is a load into its own register, which the instruction after the wait reads */
};

/* CTAs whose warps execute a script each, words of a letter and a number: C12 copies the 128-byte line 12 (CTAs have
 * lines of their own), G closes the group of copies, W2 waits for all groups but the last two; c12, w2: the same,
 * without an active lane; L12 loads line 12, and nobody waits for it; A adds; B is a barrier. At most eight copies of a
 * warp may be in flight that no wait covers yet. `warps` is NULL-terminated; the caller closes the trace. */
ws_trace *async_script(const char *const *warps, uint32_t ctas, enum async_form form);

enum { ASYNC_WARPS_MAX = 6, ASYNC_WORDS_MAX = 60, ASYNC_TEXT_MAX = 400 };
typedef struct async_random {
    char text[ASYNC_WARPS_MAX][ASYNC_TEXT_MAX];
    const char *warps[ASYNC_WARPS_MAX + 1];
    uint32_t ctas;
    uint64_t loads; /* executions of C and L, of all CTAs */
} async_random;
/* Writes random scripts; the same seed gives the same scripts. */
void async_randomize(async_random *scripts, uint64_t seed);

#endif
