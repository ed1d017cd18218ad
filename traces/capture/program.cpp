#include "program.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <set>
#include <string>

using namespace llvm;

namespace capture {

/* ---- what an instruction is ------------------------------------------------------------------------- */

StringRef calledName(const CallBase &call) {
    const Function *function = call.getCalledFunction();
    if (!function) return "?";
    StringRef name = function->getName();
    if (name.consume_front("llvm.")) return name.split('.').first;
    size_t length;
    StringRef mangled = name;
    if (mangled.consume_front("_Z") && !mangled.consumeInteger(10, length) && length <= mangled.size())
        return mangled.take_front(length);
    return name;
}

static bool entersFunction(const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration();
}

bool isDropped(const Instruction &instruction) {
    if (isa<DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd()) return true;
    const auto *call = dyn_cast<IntrinsicInst>(&instruction);
    return call && (call->getIntrinsicID() == Intrinsic::assume ||
                    call->getIntrinsicID() == Intrinsic::experimental_noalias_scope_decl);
}

/* Casts between number formats are instructions of their own on hardware; the others keep bits. */
static bool convertsNumbers(const CastInst &cast) {
    return cast.getOpcode() != Instruction::BitCast &&
           (cast.getSrcTy()->isFPOrFPVectorTy() || cast.getDestTy()->isFPOrFPVectorTy());
}

bool isFolded(const Instruction &instruction) {
    if (const auto *cast = dyn_cast<CastInst>(&instruction)) return !convertsNumbers(*cast);
    if (const auto *call = dyn_cast<CallBase>(&instruction)) return calledName(*call).startswith("as_");
    return isa<GetElementPtrInst, FreezeInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst,
               ExtractValueInst, InsertValueInst>(instruction);
}

static ws_class classOfCall(const CallBase &call) {
    static const StringSet<> sfu = {"sqrt",  "rsqrt", "cbrt",  "sin",   "cos",  "tan",   "sincos", "sinpi",
                                    "cospi", "tanpi", "asin",  "acos",  "atan", "atan2", "asinpi", "acospi",
                                    "sinh",  "cosh",  "tanh",  "exp",   "exp2", "exp10", "expm1",  "log",
                                    "log2",  "log10", "log1p", "pow",   "pown", "powr",  "rootn",  "hypot",
                                    "erf",   "erfc",  "recip", "divide"};
    static const StringSet<> fences = {"mem_fence", "read_mem_fence", "write_mem_fence", "printf",
                                       "prefetch"};
    StringRef name = calledName(call);
    if (entersFunction(call)) return WS_CLASS_BRANCH;
    if (name == "barrier" || name == "work_group_barrier") return WS_CLASS_BARRIER;
    for (const char *prefix : {"atomic_", "atom_", "vload", "vstore", "mem", "read_image", "write_image"})
        if (name.startswith(prefix) && !fences.contains(name)) return WS_CLASS_MEM;
    if (fences.contains(name)) return WS_CLASS_OTHER;
    if (!name.consume_front("native_")) name.consume_front("half_");
    if (sfu.contains(name)) return WS_CLASS_SFU;
    return call.getType()->isFPOrFPVectorTy() ? WS_CLASS_FP : WS_CLASS_INT;
}

static ws_class classOf(const Instruction &instruction, bool in_kernel) {
    if (isFolded(instruction) || isa<PHINode, AllocaInst>(instruction)) return WS_CLASS_META;
    if (const auto *call = dyn_cast<CallBase>(&instruction)) return classOfCall(*call);
    switch (instruction.getOpcode()) {
    case Instruction::Load:
    case Instruction::Store:
        return WS_CLASS_MEM;
    case Instruction::Br:
    case Instruction::Switch:
        return WS_CLASS_BRANCH;
    case Instruction::Ret:
        return in_kernel ? WS_CLASS_EXIT : WS_CLASS_BRANCH;
    case Instruction::FDiv:
    case Instruction::FRem:
        return WS_CLASS_SFU;
    case Instruction::FCmp:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
        return WS_CLASS_FP;
    default:
        return instruction.getType()->isFPOrFPVectorTy() ? WS_CLASS_FP : WS_CLASS_INT;
    }
}

/* "f32", "v4i32"; "" for what is no number. */
static std::string typeText(const Type *type) {
    if (const auto *vector = dyn_cast<FixedVectorType>(type))
        return "v" + std::to_string(vector->getNumElements()) + typeText(vector->getElementType());
    if (type->isIntegerTy()) return "i" + std::to_string(type->getIntegerBitWidth());
    if (type->isFloatingPointTy()) return "f" + std::to_string(type->getPrimitiveSizeInBits().getFixedSize());
    return "";
}

/* LLVM's name of the operation, then the type it works on: "load.f32", "icmp.i32", "call:fmuladd.f32",
 * "br.cond". */
static std::string opcodeText(const Instruction &instruction) {
    if (const auto *branch = dyn_cast<BranchInst>(&instruction))
        return branch->isConditional() ? "br.cond" : "br";
    std::string text = instruction.getOpcodeName();
    if (const auto *call = dyn_cast<CallBase>(&instruction)) text += ":" + calledName(*call).str();
    const bool by_operand = isa<StoreInst, CmpInst>(instruction);
    std::string type = typeText(by_operand ? instruction.getOperand(0)->getType() : instruction.getType());
    return type.empty() ? text : text + "." + type;
}

/* ---- pcs -------------------------------------------------------------------------------------------- */

/* Blocks in a topological order in which every loop is contiguous and its exits follow it: a reverse
 * post-order of a walk that, on entering a loop, first visits what comes after it. */
class BlockOrder {
  public:
    explicit BlockOrder(Function &function) : tree_(function), loops_(tree_) {
        visit(function.getEntryBlock());
    }
    std::vector<const BasicBlock *> blocks() const { return {post_order_.rbegin(), post_order_.rend()}; }

  private:
    void visit(const BasicBlock &block) {
        if (!seen_.insert(&block).second) return;
        if (const Loop *loop = loops_.isLoopHeader(&block) ? loops_.getLoopFor(&block) : nullptr) {
            SmallVector<BasicBlock *, 8> exits;
            loop->getExitBlocks(exits);
            for (const BasicBlock *exit : llvm::reverse(exits)) visit(*exit);
        }
        SmallVector<const BasicBlock *, 8> next(successors(&block));
        for (const BasicBlock *successor : llvm::reverse(next)) visit(*successor);
        post_order_.push_back(&block);
    }

    DominatorTree tree_;
    LoopInfo loops_;
    std::set<const BasicBlock *> seen_;
    std::vector<const BasicBlock *> post_order_;
};

static void numberFunction(Program &program, const Function &function, bool is_kernel, ws_writer *writer) {
    const DataLayout &layout = function.getParent()->getDataLayout();
    for (const BasicBlock *block : BlockOrder(const_cast<Function &>(function)).blocks()) {
        for (const Instruction &instruction : *block) {
            if (isDropped(instruction)) continue;
            const uint32_t pc = program.sites.size();
            program.pcs[&instruction] = pc;
            program.instructions.push_back(&instruction);
            const std::string opcode = opcodeText(instruction);
            capture_site site = {};
            site.fixed.pc = pc;
            site.fixed.opcode = ws_writer_opcode(writer, opcode.data(), opcode.size());
            site.fixed.class_ = classOf(instruction, is_kernel);
            if (const DebugLoc &location = instruction.getDebugLoc())
                site.fixed.source_line = location.getLine();
            site.depth_change = entersFunction(instruction) ? 1 : isa<ReturnInst>(instruction) ? -1 : 0;
            program.sites.push_back(site);
            program.operands.emplace_back();
            listOperands(program, pc, is_kernel);
            if (const auto *local = dyn_cast<AllocaInst>(&instruction)) {
                program.frame[local] = program.frame_B;
                program.frame_B += alignTo(layout.getTypeAllocSize(local->getAllocatedType()), 16);
            }
        }
    }
}

static void collectFunctions(const Function &function, std::vector<const Function *> &found) {
    if (is_contained(found, &function)) return;
    found.push_back(&function);
    for (const BasicBlock &block : function)
        for (const Instruction &instruction : block)
            if (entersFunction(instruction))
                collectFunctions(*cast<CallBase>(instruction).getCalledFunction(), found);
}

Program numberProgram(const Function &kernel, ws_writer *writer) {
    Program program;
    std::vector<const Function *> functions;
    collectFunctions(kernel, functions);
    uint32_t next_register = 0;
    for (const Function *function : functions) {
        const bool is_kernel = function == &kernel;
        numberFunction(program, *function, is_kernel, writer);
        next_register = assignRegisters(program, *function, is_kernel, next_register);
    }
    findIndexLoads(program);
    return program;
}

} // namespace capture
