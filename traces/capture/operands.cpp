/* What an instruction works on: the operands whose values are traced, and the loads that feed an address. */
#include "program.h"

#include <algorithm>
#include <llvm/IR/InstrTypes.h>
#include <set>

using namespace llvm;

namespace capture {

/* ---- operands */

static bool isMemory(const Program &program, const Instruction &instruction) {
    auto pc = program.pcs.find(&instruction);
    return pc != program.pcs.end() && program.sites[pc->second].fixed.class_ == WS_CLASS_MEM;
}

/* get_global_id(0) and its like read a special register: the dimension only tells which. */
static bool readsSpecialRegister(const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && calledName(*call).startswith("get_");
}

/* In the order of LLVM, without the targets of branches and calls, and the cases of a switch. A special
 * register has the value that the instruction gives. */
static std::vector<const Value *> sourcesOf(const Program &program, const Instruction &instruction) {
    if (const auto *branch = dyn_cast<BranchInst>(&instruction))
        return branch->isConditional() ? std::vector<const Value *>{branch->getCondition()}
                                       : std::vector<const Value *>{};
    if (const auto *choice = dyn_cast<SwitchInst>(&instruction)) return {choice->getCondition()};
    if (const auto *store = dyn_cast<StoreInst>(&instruction)) return {store->getValueOperand()};
    if (readsSpecialRegister(instruction)) return {&instruction};
    std::vector<const Value *> sources;
    const auto *call = dyn_cast<CallBase>(&instruction);
    for (const Use &use : call ? call->args() : instruction.operands())
        if (!(isMemory(program, instruction) && use->getType()->isPointerTy())) sources.push_back(use.get());
    return sources;
}

void listOperands(Program &program, uint32_t pc, bool in_kernel) {
    const Instruction &instruction = *program.instructions[pc];
    capture_site &site = program.sites[pc];
    std::vector<const Value *> &operands = program.operands[pc];
    if (site.fixed.class_ == WS_CLASS_META) return;
    if (!instruction.getType()->isVoidTy() && site.depth_change <= 0) {
        operands.push_back(&instruction);
        site.fixed.result_values = 1;
    }
    for (const Value *source : sourcesOf(program, instruction)) {
        if (site.fixed.source_values == WS_SRC_MAX) break;
        if (isa<Constant>(source) || (in_kernel && isa<Argument>(source)))
            site.constants |= 1u << operands.size();
        operands.push_back(source);
        site.fixed.source_values++;
    }
}

/* ---- index loads */

/* The loads from whose values `value` is computed: through moves, conversions and arithmetic, not through a
 * choice between paths. */
static void collectLoads(const Program &program, const Value *value, std::set<uint32_t> &pcs,
                         std::set<const Value *> &seen) {
    const auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !seen.insert(value).second) return;
    if (isa<LoadInst>(instruction)) {
        pcs.insert(program.pcs.at(instruction));
    } else if (const auto *phi = dyn_cast<PHINode>(instruction)) {
        if (const Value *only = phi->hasConstantValue()) collectLoads(program, only, pcs, seen);
    } else if (const auto *select = dyn_cast<SelectInst>(instruction)) {
        collectLoads(program, select->getTrueValue(), pcs, seen);
        collectLoads(program, select->getFalseValue(), pcs, seen);
    } else if (!isMemory(program, *instruction) &&
               program.sites[program.pcs.at(instruction)].depth_change == 0) {
        for (const Use &operand : instruction->operands()) collectLoads(program, operand.get(), pcs, seen);
    }
}

void findIndexLoads(Program &program) {
    for (uint32_t pc = 0; pc < program.sites.size(); pc++) {
        const Instruction &instruction = *program.instructions[pc];
        if (!isMemory(program, instruction)) continue;
        std::set<uint32_t> loads;
        std::set<const Value *> seen;
        for (const Use &operand : instruction.operands())
            if (operand->getType()->isPointerTy() &&
                !(isa<StoreInst>(instruction) && operand.getOperandNo() == 0))
                collectLoads(program, operand.get(), loads, seen);
        ws_static &site = program.sites[pc].fixed;
        for (uint32_t load : loads)
            if (site.index_count < WS_INDEX_MAX) site.index_pc[site.index_count++] = load;
    }
}

} // namespace capture
