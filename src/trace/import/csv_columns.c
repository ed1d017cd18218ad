#include "trace/import/csv_columns.h"

const ws_csv_column ws_csv_column_of[COLUMN_COUNT] = {
    [COLUMN_KERNEL] = {"kernel", "1", "number of the launch, ascending; they are counted anew"},
    [COLUMN_NAME] = {"name", "kernel", "name of the launch's kernel"},
    [COLUMN_GRID] = {"grid", "from the CTAs", "CTAs of the launch: '64', '64 2' or '64 2 1' (x y z)"},
    [COLUMN_BLOCK] = {"block", "from the warps", "threads of a CTA: '256', '16 16' or '16 16 1' (x y z)"},
    [COLUMN_REGISTERS] = {"registers", "0", "registers of a thread (0 = unknown)"},
    [COLUMN_SHARED] = {"shared", "0", "bytes of shared memory of a CTA"},
    [COLUMN_CTA] = {"cta", "0", "the CTA: 'x y z', or one number that counts x first"},
    [COLUMN_WARP] = {"warp", "0", "the warp in its CTA"},
    [COLUMN_THREAD] = {"thread", "", "instead of warp and lane: thread in its CTA, x first"},
    [COLUMN_LANE] = {"lane", "0", "for 'address': the lane that accesses it"},
    [COLUMN_PC] = {"pc", "0", "address of the instruction"},
    [COLUMN_OPCODE] = {"opcode", "the op", "text; SASS mnemonics tell class, op, space and width"},
    [COLUMN_CLASS] = {"class", "from the opcode",
                      "int, fp, sfu, tensor, mem, branch, barrier, exit, meta, other"},
    [COLUMN_MASK] = {"mask", "as many as addresses", "active lanes as a number, lane 0 in bit 0"},
    [COLUMN_OP] = {"op", "from the opcode, or load", "load, store, atomic or reduction"},
    [COLUMN_SPACE] = {"space", "from the opcode, or global",
                      "global, local, shared, constant, texture or generic"},
    [COLUMN_WIDTH] = {"width", "from the opcode, or 4", "bytes that each lane accesses, 1 to 128"},
    [COLUMN_ADDRESSES] = {"addresses", "none", "one per active lane, spaces between; or base+stride"},
    [COLUMN_ADDRESS] = {"address", "none", "of one lane; those of an instruction together, ascending"},
    [COLUMN_DST] = {"dst", "none", "destination registers: 'R1 R2' or '1 2'; RZ is always 0"},
    [COLUMN_SRC] = {"src", "none", "source registers"},
    [COLUMN_IMMEDIATE] = {"immediate", "0", "last immediate operand"},
    [COLUMN_LINE] = {"line", "0", "line of the source text"},
};

const ws_csv_column *ws_csv_columns(size_t *count) {
    *count = COLUMN_COUNT;
    return ws_csv_column_of;
}
