/* Traces made up for tests, through the writer of the native format. All functions need folder_setup(); the caller
 * closes the traces. */
#ifndef WS_TESTS_GENERATE_H
#define WS_TESTS_GENERATE_H

#include "warpsweep/trace.h"

/* Two kernels of random instructions: all classes, ops, spaces and widths, masks that are full, partial and empty,
 * streams 0 and 1, barriers, warps that are missing or empty; addresses that are coalesced, broadcast, strided, random,
 * unaligned. Even seeds have registers, operand values and index loads. Same seed, same trace. */
ws_trace *generate_random(uint64_t seed, uint32_t warp_size);

/* The same, with a kernel for each of `streams`, which end with 0, in that stream. */
ws_trace *generate_streams(uint64_t seed, uint32_t warp_size, const uint64_t *streams);

/* One kernel in which every warp executes the same instruction `insts` times with all lanes active. The trace has
 * registers, those of `instruction`, unless it is `without_registers`. */
typedef struct generate_plan {
    uint32_t warp_size, ctas, warps_per_cta, insts;
    ws_static instruction;    /* `opcode` is ignored */
    const char *opcode, *isa; /* isa NULL: "test" */
    uint64_t (*address)(uint32_t cta, uint32_t warp, uint32_t inst,
                        uint32_t lane); /* NULL without addresses */
    bool without_registers;
    uint64_t copy_address, copy_B; /* a copy to the device before a launch; 0 B: none */
    uint32_t copy_before;          /* the launch after the copy, from 0 */
    uint32_t more_launches;        /* after the first; the CTA numbers that `address` gets go on in them */
    uint32_t more_shared_B;        /* shared memory of their CTAs; those of the first launch take none */
    /* [1 + more_launches], or NULL: each launch's stream, CTAs, warps per CTA and instructions; NULL: stream 0, and as
     * above */
    const struct generate_launch {
        uint64_t stream;
        uint32_t ctas, warps, insts;
    } * launches;
} generate_plan;
ws_trace *generate_planned(const generate_plan *plan);

/* A plan for 4-byte loads by 32 lanes. */
generate_plan generate_loads(uint32_t ctas, uint32_t warps_per_cta, uint32_t insts,
                             uint64_t (*address)(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane));

/* Addresses for plans: all accesses go to the words of one line; or those of each instruction to a line of its own, in
 * CTAs of up to 8 warps of up to 64 instructions. */
uint64_t generate_one_line(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane);
uint64_t generate_a_line_each(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane);

/* One kernel whose warps do different amounts of work. It has `parts` parts with barriers between them; in each part a
 * warp executes work(cta, warp, part) instructions, each of which depends on the one before. They are additions or, if
 * `address` is given, loads from address(cta, warp, i, lane), where i counts the warp's loads from 0. */
typedef struct generate_work {
    uint32_t ctas, warps_per_cta, registers_per_thread, shared_B, parts;
    uint32_t (*work)(uint32_t cta, uint32_t warp, uint32_t part);
    uint64_t (*address)(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane);
} generate_work;
ws_trace *generate_worked(const generate_work *plan);

/* A trace with registers, of one CTA. Each warp executes its script, words of a letter and the number of a 128-byte
 * line: L12 loads line 12 (lane i word i), S12 stores to it, A12 adds to it atomically, W12 loads it into a register
 * that the warp's next W reads and therefore waits for, O12 loads it with lane i at word 31 - i, D12 loads from lines
 * 12, 12 + 32, 12 + 64 .., one lane from each; B is a barrier. `warps` is NULL-terminated. Only a W waits for data: a
 * warp may reach a barrier, or its end, while its loads are in flight. */
ws_trace *generate_script(const char *const *warps);

/* One instruction of a warp. */
typedef struct generate_inst {
    uint32_t pc;
    uint64_t mask;
    /* i int, f fp, d double, u sfu, t tensor, o other, h load from shared memory, k from constant memory, p from local
     * memory, l load, g load of scope GPU, y load of scope SYS, s store, q store to local memory, a atomic, e atomic in
     * shared memory, m memory barrier, b barrier, j jump, c call, r return (of SASS), C call, R return (of llvm), x
     * exit; 0: the warp has ended */
    char kind;
    uint16_t dst, a, b; /* registers: dst is written, a and b are read; 0: none */
    uint32_t line;      /* 128-byte line that it accesses, lane i word i */
} generate_inst;
/* A trace with registers, of one CTA; each warp executes its own instructions. `warps` is NULL-terminated. */
ws_trace *generate_code(const char *isa, const generate_inst *const *warps);
/* The same with `ctas` CTAs; `warps` has those of CTA 0, then those of CTA 1 .., the same number for each. */
ws_trace *generate_coded_ctas(const char *isa, uint32_t ctas, const generate_inst *const *warps);
/* The same CTA once for each of these versions of the ISA, in launches of their own. `versions` ends with 0. */
ws_trace *generate_coded_versions(const char *isa, const uint32_t *versions,
                                  const generate_inst *const *warps);

#endif
