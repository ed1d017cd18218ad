/* A second, slow reader of Accel-Sim traces, written against the format's description and sharing no code with
 * src/trace: whole files in memory, lines cut into words, addresses kept per lane. Reads grouped and raw files. */
#ifndef WS_TESTS_ACCELSIM_TWIN_H
#define WS_TESTS_ACCELSIM_TWIN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct twin_inst {
    unsigned x, y, z, warp;
    unsigned source_line, pc, mask, width;
    int immediate;
    char opcode[64];
    int dst[4], src[8], dst_count, src_count;
    uint64_t address[32]; /* set for lanes in `mask`, if width > 0 */
} twin_inst;

typedef void twin_visitor(void *context, const twin_inst *inst);

/* Visits all instructions of a file (.xz or plain) in the file's order. Aborts on files that it does not understand. */
void twin_read(const char *path, bool raw, twin_visitor *visit, void *context);

#endif
