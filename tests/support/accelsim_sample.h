/* A small Accel-Sim trace file with everything that a body may contain, and functions that import it and variants of
 * it. */
#ifndef WS_TESTS_ACCELSIM_SAMPLE_H
#define WS_TESTS_ACCELSIM_SAMPLE_H

#include "warpsweep/trace.h"

#include <stddef.h>
#include <stdint.h>

/* Two CTAs of two warps, the second warp of 8 lanes. CTA 1 has a load without active lanes, and a warp without
 * instructions; the other warps end with EXIT. */
#define HEADER                                                                                               \
    "-kernel name = _Z3addPf\n-kernel id = 7\n-grid dim = (2,1,1)\n-block dim = (40,1,1)\n-shmem = 16\n"     \
    "-nregs = 12\n-binary version = 70\n-cuda stream id = 47005056\n-shmem base_addr = 0x00007f5c00000000\n" \
    "-local mem base_addr = 0x00007f5a00000000\n-nvbit version = 1.5.3\n-accelsim tracer version = 3\n\n"    \
    "#traces format = PC mask\n\n\n\n"
#define CTA0                                                                                                 \
    "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 3\n0000 ffffffff 1 R1 MOV 0 0 \n"                \
    "0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000001000 4 \n0020 ffffffff 0 EXIT 0 0 \n\nwarp = 1\ninsts = "   \
    "3\n"                                                                                                    \
    "0000 000000ff 1 R1 MOV 0 0 \n0010 00000081 1 R2 LDG.E 1 R4 4 2 0x7f0000001080 28 \n"                    \
    "0020 000000ff 0 EXIT 0 0 \n\n#END_TB\n\n"
#define CTA1                                                                                                 \
    "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 2\n"                                             \
    "0010 00000000 1 R2 LDG.E 1 R4 4 1 0x0 0 \n0020 ffffffff 0 EXIT 0 0 \n\nwarp = 1\ninsts = "              \
    "0\n\n#END_TB\n"
#define GOOD HEADER CTA0 CTA1

/* Imports `source` to "out.wst" in the folder (folder.h). */
bool sample_import(const char *source, const ws_import_options *options, ws_error *err);

/* Imports `source` and removes "out.wst" again; fails the test unless the import succeeds and the trace passes its
 * check. The caller closes the trace. */
ws_trace *sample_import_good(const char *source, const ws_import_options *options);

/* Fails the test unless the import fails with this code and exactly this text, in which @ stands for the folder and a
 * slash, and leaves no file. */
void sample_import_fails(const char *source, const ws_import_options *options, ws_error_code code,
                         const char *text);
/* The same for WS_ERROR_TRACE. */
void sample_import_bad(const char *source, const ws_import_options *options, const char *text);

/* Fails the test unless both traces have the same digest; closes both. */
void sample_assert_same(ws_trace *a, ws_trace *b);

/* Returns `text` with the first `from` replaced by `to`; the caller frees it. */
char *sample_replace(const char *text, const char *from, const char *to);

/* Packs `text` as .xz into `out`; returns the size. */
size_t sample_pack(const char *text, uint8_t *out, size_t room);

#endif
