#include "scalar_program.h"

#include "folder.h"
#include "trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { WARP_SIZE = 32, OPS_MAX = 256 };

static void expect(bool ok, const ws_error *err) {
    if (!ok) fail_msg("%s", err->text);
}

static ws_static static_of(ws_writer *writer, const scalar_op *op, uint32_t index) {
    ws_static s = {.pc = 16 * index, .class_ = WS_CLASS_INT};
    s.opcode = ws_writer_opcode(writer, op->opcode, strlen(op->opcode));
    if (strcmp(op->opcode, "MUFU") == 0) s.class_ = WS_CLASS_SFU;
    if (strcmp(op->opcode, "LDG") == 0) {
        s.class_ = WS_CLASS_MEM;
        s.op = WS_MEMORY_LOAD;
        s.space = WS_SPACE_GLOBAL;
        s.width_B = s.text_width_B = 4;
    }
    if (op->dst) s.dst[s.dst_count++] = op->dst;
    const uint16_t sources[] = {op->a, op->b, op->c, op->d};
    for (int i = 0; i < 4; i++)
        if (sources[i]) s.src[s.src_count++] = sources[i];
    s.result_values = s.dst_count;
    s.source_values = s.src_count;
    return s;
}

ws_trace *scalar_program(const scalar_op *ops, uint32_t warps) {
    ws_error err = WS_NO_ERROR;
    ws_writer *writer = ws_writer_new(folder_path("program.wst"), "sass", "test", WARP_SIZE, 0, &err);
    expect(writer != NULL, &err);
    ws_writer_add_features(writer, WS_FEATURE_REGISTERS);
    uint32_t ids[OPS_MAX], count = 0;
    ws_static statics[OPS_MAX];
    for (; ops[count].opcode; count++) {
        uint32_t place = ops[count].again ? ops[count].again - 1 : count;
        statics[count] = static_of(writer, &ops[place], place);
        ids[count] = ws_writer_static(writer, &statics[count]);
    }
    ws_kernel kernel = {.name = "program", .grid = {1, 1, 1}, .block = {warps * WARP_SIZE, 1, 1}};
    expect(ws_writer_kernel(writer, &kernel, &err), &err);
    expect(ws_writer_cta(writer, (ws_dim3){0, 0, 0}, &err), &err);
    uint64_t addresses[WARP_SIZE], values[WS_OPERANDS_MAX];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) addresses[lane] = 0x10000;
    for (uint32_t w = 0; w < warps; w++) {
        expect(ws_writer_warp(writer, w, &err), &err);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t operands = (uint32_t)statics[i].result_values + statics[i].source_values;
            for (uint32_t v = 0; v < operands; v++) values[v] = ops[i].value;
            expect(ws_writer_inst_values(writer, ids[i], ops[i].divergent ? 0xffff : UINT32_MAX, addresses,
                                         (1u << operands) - 1, values, &err),
                   &err);
        }
    }
    expect(ws_writer_finish(writer, &err), &err);
    ws_writer_free(writer);
    return trace_written("program.wst");
}

ws_trace *scalar_copies_program(uint32_t warps) {
    scalar_op ops[2 * SCALAR_COPIES + 1] = {{0}};
    for (uint16_t i = 0; i < SCALAR_COPIES; i++) {
        uint16_t reg = (uint16_t)(i + 1);
        ops[i] = (scalar_op){.opcode = "MOV", .dst = reg};
        ops[SCALAR_COPIES + i] = (scalar_op){.opcode = "MUFU", .dst = reg, .a = reg, .divergent = true};
    }
    return scalar_program(ops, warps);
}
