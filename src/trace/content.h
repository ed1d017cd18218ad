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
/* Lists a launch's properties as words, in the order that the digest and the file format use. */
enum { WS_KERNEL_WORDS = 12 };
void ws_kernel_words(const ws_kernel *kernel, uint64_t words[WS_KERNEL_WORDS]);
void ws_digest_kernel(ws_digest *digest, const ws_kernel *kernel);
void ws_digest_memcpy(ws_digest *digest, const ws_memcpy *copy);
/* To be called last: feeds what a trace claims to have and none of its instructions shows, as a replay depends on it.
 * Other traces' digests do not contain their features. */
void ws_digest_features(ws_digest *digest, uint32_t features, const ws_static *statics, size_t count);
/* Writes the digest of everything fed so far, as XXH128's 16 canonical bytes. */
void ws_digest_finish(ws_digest *digest, uint8_t out[16]);

/* Digest of a static instruction, one word that does not depend on how opcodes are numbered. */
uint64_t ws_static_digest(const ws_static *s, const char *opcode);
/* Feeds the operand values of one execution of an instruction that has some; `uniform` and `values` as in ws_warp. */
void ws_digest_values(ws_digest *digest, uint32_t uniform, const uint64_t *values);

/* ---- counters */

/* What the counters need to know about the current warp. */
typedef struct ws_warp_account {
    uint64_t seen, exited; /* lanes that have been active; lanes that have exited */
    bool gone;             /* true if all lanes seen so far have exited */
} ws_warp_account;

/* Adds one dynamic instruction to `counters`. `addresses` as in ws_writer_inst(). */
void ws_counters_inst(ws_counters *counters, ws_warp_account *warp, const ws_static *s, uint64_t mask,
                      const uint64_t *addresses);
void ws_counters_add(ws_counters *to, const ws_counters *from);

/* Number of distinct segments of `1 << shift` bytes that accesses of `width` bytes at `addresses` touch. */
unsigned ws_count_segments(const uint64_t *addresses, unsigned count, unsigned width, unsigned shift);

#endif
