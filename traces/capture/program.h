/* The static side of a kernel: its LLVM instructions in the order of their pcs, with what the trace says of
 * each. */
#ifndef WARPSWEEP_CAPTURE_PROGRAM_H
#define WARPSWEEP_CAPTURE_PROGRAM_H

#include "warps.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <unordered_map>
#include <vector>

namespace capture {

struct Program {
    std::vector<const llvm::Instruction *> instructions;    /* by pc */
    std::vector<capture_site> sites;                        /* by pc; constants are found when it runs */
    std::vector<std::vector<const llvm::Value *>> operands; /* by pc; a result is the instruction itself */
    std::unordered_map<const llvm::Instruction *, uint32_t> pcs;
    std::unordered_map<const llvm::AllocaInst *, uint32_t> frame; /* offsets in a work-item's local memory */
    uint32_t frame_B = 0;
    uint32_t registers_per_thread = 0;
};

/* Numbers the instructions of `kernel`, then of the functions it calls. Debug and lifetime intrinsics have no
 * pc: they are no instructions of a machine. */
Program numberProgram(const llvm::Function &kernel, ws_writer *writer);

/* Part of numberProgram(): fills the registers of the sites of one function, numbered from `first`, and adds
 * to registers_per_thread. Returns the number after the last one. */
uint32_t assignRegisters(Program &program, const llvm::Function &function, bool is_kernel, uint32_t first);

/* Part of numberProgram(): the operands of the instruction at `pc`, and which of them are constant. */
void listOperands(Program &program, uint32_t pc, bool in_kernel);

/* Part of numberProgram(): the index loads of all sites. */
void findIndexLoads(Program &program);

/* True for instructions that only rename or address what others compute: casts without conversion,
 * getelementptr, vector element moves. Hardware folds them into their users, so they hold no register and
 * their users name the registers below them. */
bool isFolded(const llvm::Instruction &instruction);

bool isDropped(const llvm::Instruction &instruction);

/* The OpenCL name of a called function: "sqrt" of "_Z4sqrtf", "fmuladd" of "llvm.fmuladd.f32". */
llvm::StringRef calledName(const llvm::CallBase &call);

} // namespace capture
#endif
