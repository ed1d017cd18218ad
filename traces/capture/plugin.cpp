/* Oclgrind plugin: writes what a program's OpenCL kernels do as a warp trace, to the file that
 * $WARPSWEEP_CAPTURE names. Oclgrind runs a plugin that is not thread-safe on one thread: work-group after
 * work-group, each work-item up to its next barrier; so the trace of a program is always the same. */
#include "program.h"

#include <llvm/IR/Module.h>
#include <map>
#include <memory>
#include <oclgrind/Context.h>
#include <oclgrind/Kernel.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/Plugin.h>
#include <oclgrind/WorkGroup.h>
#include <oclgrind/WorkItem.h>
#include <xxhash.h>

using namespace oclgrind;

namespace {

/* Buffers lie one after the other in the order of their allocation, as a device's allocator places them. */
constexpr uint64_t kGlobalBase = 0x10000000, kGlobalAlignment = 256;
constexpr uint64_t kLocalBase = 0x800000000000;
constexpr uint64_t kSharedAlignment = 16;
constexpr uint32_t kWidestAccess = 16; /* bytes that hardware moves per lane and instruction */
constexpr uint32_t kLocalWord = 4;     /* local memory is interleaved among the lanes of a warp by words */

uint64_t alignUp(uint64_t value, uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

uint64_t linear(const Size3 &id, const Size3 &size) {
    return id.x + size.x * (id.y + size.y * id.z);
}

ws_dim3 dim3(const Size3 &size) {
    return {(uint32_t)size.x, (uint32_t)size.y, (uint32_t)size.z};
}

struct PrivateVariable {
    ws_space space;
    uint64_t base; /* in the work-item's frame, or in the kernel's parameters */
};

struct WorkItemTrace {
    capture_lane lane = {};
    std::map<size_t, PrivateVariable> variables; /* by buffer of the work-item's private memory */
};

class Capture : public Plugin {
  public:
    explicit Capture(const Context *context) : Plugin(context) {
        const char *path = getenv("WARPSWEEP_CAPTURE");
        if (!path) {
            ws_fail(&error_, WS_ERROR_USAGE, "set WARPSWEEP_CAPTURE to the name of the trace to write");
            giveUp();
        }
        writer_ = ws_writer_new(path, "llvm", "oclgrind 21.10", CAPTURE_WARP_SIZE,
                                WS_FEATURE_REGISTERS | WS_FEATURE_SOURCE_LINE | WS_FEATURE_VALUES |
                                    WS_FEATURE_INDEX_FLOW,
                                &error_);
        check(writer_);
    }

    ~Capture() override {
        for (WorkItemTrace &item : items_) capture_lane_free(&item.lane);
        if (writer_) check(ws_writer_finish(writer_, &error_));
        ws_writer_free(writer_);
    }

    bool isThreadSafe() const override { return false; }

    void memoryAllocated(const Memory *memory, size_t address, size_t size, cl_mem_flags,
                         const uint8_t *data) override {
        if (memory->getAddressSpace() != AddrSpaceGlobal) return;
        const size_t buffer = memory->extractBuffer(address);
        if (buffer >= global_bases_.size()) global_bases_.resize(buffer + 1);
        global_bases_[buffer] = global_end_;
        global_end_ = alignUp(global_end_ + size, kGlobalAlignment);
        if (data) check(ws_writer_memcpy(writer_, global_bases_[buffer], size, &error_));
    }

    void hostMemoryStore(const Memory *memory, size_t address, size_t size, const uint8_t *) override {
        if (memory->getAddressSpace() == AddrSpaceGlobal)
            check(ws_writer_memcpy(writer_, globalAddress(memory, address), size, &error_));
    }

    void kernelBegin(const KernelInvocation *invocation) override {
        const Kernel *kernel = invocation->getKernel();
        auto known = programs_.find(kernel->getFunction());
        if (known == programs_.end())
            known =
                programs_
                    .emplace(kernel->getFunction(), capture::numberProgram(*kernel->getFunction(), writer_))
                    .first;
        program_ = &known->second;
        constants_known_ = false;
        groups_ = invocation->getNumGroups();
        placeShared(*kernel);
        ws_kernel launch = {};
        launch.name = kernel->getName().c_str();
        launch.grid = dim3(groups_);
        launch.block = dim3(invocation->getLocalSize());
        launch.registers_per_thread = program_->registers_per_thread;
        launch.shared_B = shared_B_;
        launch.local_base = kLocalBase;
        check(ws_writer_kernel(writer_, &launch, &error_));
    }

    void workGroupBegin(const WorkGroup *group) override {
        group_ = group;
        group_size_ = group->getGroupSize();
        items_.resize(std::max(items_.size(), group_size_.x * group_size_.y * group_size_.z));
        current_ = nullptr;
        shared_bases_.clear();
        for (const auto &[variable, base] : shared_variables_)
            shared_bases_[group->getLocalMemory()->extractBuffer(group->getLocalMemoryAddress(variable))] =
                base;
    }

    void workGroupComplete(const WorkGroup *group) override {
        std::vector<capture_lane> lanes;
        for (size_t i = 0; i < group_size_.x * group_size_.y * group_size_.z; i++)
            lanes.push_back(items_[i].lane);
        check(capture_write_cta(writer_, dim3(group->getGroupID()), program_->sites.data(), lanes.data(),
                                lanes.size(), &error_));
        for (WorkItemTrace &item : items_) {
            capture_lane_clear(&item.lane);
            item.variables.clear();
        }
        group_ = nullptr;
    }

    void instructionExecuted(const WorkItem *work_item, const llvm::Instruction *instruction,
                             const TypedValue &result) override {
        if (capture::isDropped(*instruction)) return;
        WorkItemTrace &item = traceOf(work_item);
        const uint32_t pc = pcOf(instruction);
        if (!constants_known_) findConstants(work_item);
        capture_lane_step(&item.lane, pc);
        const capture_site &site = program_->sites[pc];
        const std::vector<const llvm::Value *> &operands = program_->operands[pc];
        for (size_t i = 0; i < operands.size(); i++)
            if (!(site.constants >> i & 1))
                capture_lane_value(&item.lane, operands[i] == instruction
                                                   ? valueOf(work_item, instruction, result)
                                                   : operandOf(work_item, operands[i]));
        if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(instruction))
            item.variables[work_item->getPrivateMemory()->extractBuffer(result.getPointer())] = {
                WS_SPACE_LOCAL, program_->frame.at(variable)};
    }

    void memoryLoad(const Memory *memory, const WorkItem *item, size_t address, size_t size) override {
        access(memory, item, address, size, WS_MEMORY_LOAD);
    }
    void memoryStore(const Memory *memory, const WorkItem *item, size_t address, size_t size,
                     const uint8_t *) override {
        access(memory, item, address, size, WS_MEMORY_STORE);
    }
    /* Every atomic reads; some of them (a failed compare and exchange) do not write. */
    void memoryAtomicLoad(const Memory *memory, const WorkItem *item, AtomicOp, size_t address,
                          size_t size) override {
        const bool unused = item->getCurrentInstruction()->use_empty();
        access(memory, item, address, size, unused ? WS_MEMORY_REDUCTION : WS_MEMORY_ATOMIC);
    }

    void memoryLoad(const Memory *, const WorkGroup *, size_t, size_t) override { refuseGroupCopy(); }
    void memoryStore(const Memory *, const WorkGroup *, size_t, size_t, const uint8_t *) override {
        refuseGroupCopy();
    }

    void log(MessageType type, const char *) override {
        if (type != oclgrind::ERROR) return;
        ws_fail(&error_, WS_ERROR_TRACE, "no trace: the program has the error that Oclgrind tells above");
        giveUp();
    }

  private:
    void check(bool ok) {
        if (!ok) giveUp();
    }

    /* A plugin cannot refuse in any other way; nothing half-written stays. */
    [[noreturn]] void giveUp() {
        fprintf(stderr, "capture: %s\n", error_.text);
        ws_writer_free(writer_);
        std::_Exit(EXIT_FAILURE);
    }

    [[noreturn]] void refuseGroupCopy() {
        ws_fail(&error_, WS_ERROR_TRACE,
                "async_work_group_copy is made by a work-group, not by work-items, and cannot be traced; "
                "copy in a loop");
        giveUp();
    }

    /* Offsets of the kernel's __local variables and arguments. Oclgrind keeps them in the order of host
     * pointers, which changes from run to run; we take the order of the source, arguments last. */
    void placeShared(const Kernel &kernel) {
        shared_variables_.clear();
        shared_B_ = 0;
        std::map<const llvm::Value *, size_t> sizes;
        for (auto value = kernel.values_begin(); value != kernel.values_end(); ++value)
            if (isLocalPointer(value->first)) sizes[value->first] = value->second.size;
        auto place = [&](const llvm::Value &variable) {
            auto size = sizes.find(&variable);
            if (size == sizes.end()) return;
            shared_B_ = alignUp(shared_B_, kSharedAlignment);
            shared_variables_.emplace_back(&variable, shared_B_);
            shared_B_ += size->second;
        };
        for (const llvm::GlobalVariable &variable : kernel.getFunction()->getParent()->globals())
            place(variable);
        for (const llvm::Argument &argument : kernel.getFunction()->args()) place(argument);
    }

    static bool isLocalPointer(const llvm::Value *value) {
        const llvm::Type *type = value->getType();
        return type->isPointerTy() && type->getPointerAddressSpace() == AddrSpaceLocal;
    }

    WorkItemTrace &traceOf(const WorkItem *work_item) {
        if (work_item != current_) {
            current_ = work_item;
            current_index_ = linear(work_item->getLocalID(), group_size_);
            if (items_[current_index_].lane.pc_count == 0) placeParameters(work_item);
        }
        return items_[current_index_];
    }

    /* Structures passed by value lie in private memory here, in constant memory on hardware. */
    void placeParameters(const WorkItem *work_item) {
        uint64_t base = 0;
        for (const llvm::Argument &argument : program_->instructions[0]->getFunction()->args()) {
            if (!argument.hasByValAttr()) continue;
            const Memory *memory = work_item->getPrivateMemory();
            const size_t address = work_item->getOperand(&argument).getPointer();
            items_[current_index_].variables[memory->extractBuffer(address)] = {WS_SPACE_CONSTANT, base};
            base = alignUp(base + memory->getBuffer(address)->size, kSharedAlignment);
        }
    }

    /* Mostly the instruction after the last one. */
    uint32_t pcOf(const llvm::Instruction *instruction) {
        const std::vector<const llvm::Instruction *> &all = program_->instructions;
        if (++last_pc_ < all.size() && all[last_pc_] == instruction) return last_pc_;
        auto known = program_->pcs.find(instruction);
        if (known == program_->pcs.end()) {
            ws_fail(&error_, WS_ERROR_TRACE, "the kernel runs code that it does not call by name");
            giveUp();
        }
        return last_pc_ = known->second;
    }

    /* Operands that no work-item of the launch has another value of. */
    void findConstants(const WorkItem *work_item) {
        for (uint32_t pc = 0; pc < program_->sites.size(); pc++)
            for (size_t i = 0; i < program_->operands[pc].size(); i++)
                if (program_->sites[pc].constants >> i & 1)
                    program_->sites[pc].constant[i] = operandOf(work_item, program_->operands[pc][i]);
        constants_known_ = true;
    }

    /* A pointer that is used as a number has the same value as when it is used as a pointer. */
    uint64_t operandOf(const WorkItem *work_item, const llvm::Value *operand) const {
        if (const auto *cast = llvm::dyn_cast<llvm::PtrToIntInst>(operand)) operand = cast->getOperand(0);
        return valueOf(work_item, operand, work_item->getOperand(operand));
    }

    uint64_t valueOf(const WorkItem *work_item, const llvm::Value *operand, const TypedValue &typed) const {
        const llvm::Type *type = operand->getType();
        if (type->isPointerTy())
            return pointerValue(work_item, type->getPointerAddressSpace(), typed.getPointer());
        const size_t bytes = (size_t)typed.size * typed.num;
        uint64_t value = 0;
        if (bytes > sizeof value) return XXH3_64bits(typed.data, bytes);
        memcpy(&value, typed.data, bytes);
        const unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 64;
        return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
    }

    /* As addresses are traced; pointers to private memory are offsets in it. 0 for one to nowhere. */
    uint64_t pointerValue(const WorkItem *work_item, unsigned address_space, size_t pointer) const {
        if (address_space == AddrSpaceLocal) {
            const Memory *memory = group_->getLocalMemory();
            auto base = shared_bases_.find(memory->extractBuffer(pointer));
            return base == shared_bases_.end() ? 0 : base->second + memory->extractOffset(pointer);
        }
        if (address_space == AddrSpacePrivate) {
            const Memory *memory = work_item->getPrivateMemory();
            const auto &variables = items_[current_index_].variables;
            auto variable = variables.find(memory->extractBuffer(pointer));
            return variable == variables.end() ? 0 : variable->second.base + memory->extractOffset(pointer);
        }
        const Memory *memory = m_context->getGlobalMemory();
        return memory->extractBuffer(pointer) < global_bases_.size() ? globalAddress(memory, pointer) : 0;
    }

    uint64_t globalAddress(const Memory *memory, size_t address) const {
        return global_bases_.at(memory->extractBuffer(address)) + memory->extractOffset(address);
    }

    void access(const Memory *memory, const WorkItem *work_item, size_t address, size_t size,
                ws_memory_op op) {
        capture_lane *lane = &traceOf(work_item).lane;
        switch (memory->getAddressSpace()) {
        case AddrSpaceGlobal: {
            const bool constant = op == WS_MEMORY_LOAD && readsConstant(*work_item->getCurrentInstruction());
            split(lane, globalAddress(memory, address), size, op,
                  constant ? WS_SPACE_CONSTANT : WS_SPACE_GLOBAL);
            break;
        }
        case AddrSpaceLocal:
            split(lane, shared_bases_.at(memory->extractBuffer(address)) + memory->extractOffset(address),
                  size, op, WS_SPACE_SHARED);
            break;
        default:
            accessPrivate(memory, address, size, op);
        }
    }

    /* Oclgrind keeps __constant data in global memory. */
    static bool readsConstant(const llvm::Instruction &instruction) {
        for (const llvm::Use &operand : instruction.operands()) {
            const llvm::Type *type = operand->getType();
            if (type->isPointerTy() && type->getPointerAddressSpace() == AddrSpaceConstant) return true;
        }
        return false;
    }

    static void split(capture_lane *lane, uint64_t address, size_t size, ws_memory_op op, ws_space space) {
        for (size_t done = 0; done < size; done += kWidestAccess)
            capture_lane_access(lane, address + done, op, space,
                                std::min<size_t>(kWidestAccess, size - done));
    }

    void accessPrivate(const Memory *memory, size_t address, size_t size, ws_memory_op op) {
        WorkItemTrace &item = items_[current_index_];
        auto variable = item.variables.find(memory->extractBuffer(address));
        if (variable == item.variables.end()) {
            ws_fail(&error_, WS_ERROR_TRACE,
                    "a structure passed by value to a function that is not inlined cannot be traced");
            giveUp();
        }
        uint64_t at = variable->second.base + memory->extractOffset(address);
        if (variable->second.space == WS_SPACE_CONSTANT)
            return split(&item.lane, at, size, op, WS_SPACE_CONSTANT);
        for (size_t bytes; size > 0; at += bytes, size -= bytes) {
            bytes = std::min<size_t>(kLocalWord - at % kLocalWord, size);
            capture_lane_access(&item.lane, interleaved(at), op, WS_SPACE_LOCAL, bytes);
        }
    }

    /* Equal words of a warp's lanes are neighbours, so that the lanes' equal variables share lines. */
    uint64_t interleaved(uint64_t offset) const {
        const uint64_t items = group_size_.x * group_size_.y * group_size_.z;
        const uint64_t warps = alignUp(items, CAPTURE_WARP_SIZE) / CAPTURE_WARP_SIZE;
        const uint64_t warp =
            linear(group_->getGroupID(), groups_) * warps + current_index_ / CAPTURE_WARP_SIZE;
        const uint64_t word = warp * (program_->frame_B / kLocalWord) + offset / kLocalWord;
        return kLocalBase + (word * CAPTURE_WARP_SIZE + current_index_ % CAPTURE_WARP_SIZE) * kLocalWord +
               offset % kLocalWord;
    }

    ws_error error_ = WS_NO_ERROR;
    ws_writer *writer_ = nullptr;
    std::vector<uint64_t> global_bases_; /* by buffer */
    uint64_t global_end_ = kGlobalBase;

    std::map<const llvm::Function *, capture::Program> programs_; /* by kernel */
    capture::Program *program_ = nullptr;
    bool constants_known_ = false;
    Size3 groups_;
    std::vector<std::pair<const llvm::Value *, uint64_t>> shared_variables_;
    uint64_t shared_B_ = 0;

    const WorkGroup *group_ = nullptr;
    Size3 group_size_;
    std::map<size_t, uint64_t> shared_bases_; /* by buffer of the work-group's local memory */
    std::vector<WorkItemTrace> items_;        /* by local id, x fastest */
    const WorkItem *current_ = nullptr;
    size_t current_index_ = 0;
    uint32_t last_pc_ = 0;
};

/* Ends the trace when the program releases its context, or at its exit when it never does. */
std::unique_ptr<Capture> active;

} // namespace

extern "C" __attribute__((visibility("default"))) void initializePlugins(Context *context);
extern "C" __attribute__((visibility("default"))) void releasePlugins(Context *context);

extern "C" void initializePlugins(Context *context) {
    active = std::make_unique<Capture>(context);
    context->registerPlugin(active.get());
}

extern "C" void releasePlugins(Context *context) {
    context->unregisterPlugin(active.get());
    active.reset();
}
