/* The content of a trace, independent of how it is stored: its digest and its counters. The writer computes
 * both as it goes; the checker computes them again from what it decoded. */
#ifndef WS_TRACE_CONTENT_H
#define WS_TRACE_CONTENT_H

#include "warpsweep/trace.h"

/* ---- digest */

typedef struct ws_digest ws_digest;

ws_digest *ws_digest_new(void);
void ws_digest_free(ws_digest *digest);
void ws_digest_word(ws_digest *digest, uint64_t word);
void ws_digest_text(ws_digest *digest, const char *text);
/* A launch's properties as words, in the order in which digest and format have them. */
enum { WS_KERNEL_WORDS = 12 };
void ws_kernel_words(const ws_kernel *kernel, uint64_t words[WS_KERNEL_WORDS]);
void ws_digest_kernel(ws_digest *digest, const ws_kernel *kernel);
/* The 16 canonical bytes of all that was fed. */
void ws_digest_finish(ws_digest *digest, uint8_t out[16]);

/* A static instruction as one word that does not depend on how opcodes are numbered. */
uint64_t ws_static_digest(const ws_static *s, const char *opcode);
/* Operand values of an instruction whose static has some, as in ws_warp. */
void ws_digest_values(ws_digest *digest, uint32_t uniform, const uint64_t *values);

/* ---- counters */

/* What the counters need to know of the warp in progress. */
typedef struct ws_warp_account {
    uint64_t seen, exited; /* lanes that were active once; that left through an exit */
    bool gone;             /* all lanes seen so far had left */
} ws_warp_account;

/* Adds one dynamic instruction to `counters`. `addresses` as in ws_writer_inst(). */
void ws_counters_inst(ws_counters *counters, ws_warp_account *warp, const ws_static *s, uint64_t mask,
                      const uint64_t *addresses);
void ws_counters_add(ws_counters *to, const ws_counters *from);

/* Number of distinct `1 << shift`-byte segments that accesses of `width` bytes at `addresses` touch. */
unsigned ws_count_segments(const uint64_t *addresses, unsigned count, unsigned width, unsigned shift);

#endif
