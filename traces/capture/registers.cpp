/* Registers: LLVM's values, renumbered by linear scan over their live intervals in the order of the pcs. A
 * loop's variable keeps its register from one round to the next (a phi shares it with what it merges, as far
 * as their intervals allow). Kernel arguments and constants hold none: hardware reads them from constant
 * memory. */
#include "program.h"

#include <algorithm>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>
#include <map>
#include <set>

using namespace llvm;

namespace capture {

namespace {

struct Interval {
    uint32_t start, end; /* pcs of the definition and of the last use */
};

/* Values that share a register. */
struct Web {
    std::vector<Interval> intervals;
    uint32_t reg = 0, words = 0;

    uint32_t start() const {
        return std::min_element(intervals.begin(), intervals.end(),
                                [](auto &a, auto &b) { return a.start < b.start; })
            ->start;
    }
    uint32_t end() const {
        return std::max_element(intervals.begin(), intervals.end(),
                                [](auto &a, auto &b) { return a.end < b.end; })
            ->end;
    }
    /* A value may begin where another one is read for the last time. */
    bool conflicts(const Web &other) const {
        for (const Interval &a : intervals)
            for (const Interval &b : other.intervals)
                if (a.start < b.end && b.start < a.end) return true;
        return false;
    }
};

class Registers {
  public:
    Registers(Program &program, const Function &function, bool is_kernel) : program_(program) {
        if (!is_kernel)
            for (const Argument &argument : function.args()) addValue(argument);
        for (const BasicBlock &block : function) {
            if (!program.pcs.count(block.getTerminator())) continue; /* unreachable */
            blocks_.push_back(&block);
            for (const Instruction &instruction : block)
                if (holdsRegister(instruction)) addValue(instruction);
        }
        findLiveness();
        buildIntervals(function, is_kernel);
        joinPhis();
    }

    uint32_t assign(uint32_t first) {
        std::vector<uint32_t> order;
        for (uint32_t web = 0; web < webs_.size(); web++)
            if (parent_[web] == web) order.push_back(web);
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            return std::make_pair(webs_[a].start(), a) < std::make_pair(webs_[b].start(), b);
        });
        std::vector<uint32_t> busy_until; /* by register; a register is free from its last use on */
        for (uint32_t web : order) {
            const uint32_t start = webs_[web].start();
            uint32_t reg = 0;
            while (reg < busy_until.size() && busy_until[reg] > start) reg++;
            if (reg == busy_until.size()) busy_until.push_back(0);
            busy_until[reg] = std::max(webs_[web].end(), start + 1);
            webs_[web].reg = first + reg;
        }
        return first + busy_until.size();
    }

    /* The most 32-bit registers that are live at once. */
    uint32_t pressure() const {
        std::map<uint32_t, int> change;
        for (uint32_t web = 0; web < webs_.size(); web++) {
            if (parent_[web] != web) continue;
            change[webs_[web].start()] += webs_[web].words;
            change[std::max(webs_[web].end(), webs_[web].start() + 1)] -= webs_[web].words;
        }
        int live = 0, most = 0;
        for (const auto &[pc, words] : change) most = std::max(most, live += words);
        return most;
    }

    void fillSites() {
        for (const BasicBlock *block : blocks_)
            for (const Instruction &instruction : *block) {
                auto pc = program_.pcs.find(&instruction);
                if (pc != program_.pcs.end() && !isFolded(instruction)) fillSite(instruction, pc->second);
            }
    }

  private:
    bool holdsRegister(const Instruction &instruction) const {
        return program_.pcs.count(&instruction) && !instruction.getType()->isVoidTy() &&
               !isFolded(instruction) && !isa<AllocaInst>(instruction);
    }

    void addValue(const Value &value) {
        index_[&value] = webs_.size();
        parent_.push_back(webs_.size());
        webs_.emplace_back();
        const Module &module = isa<Argument>(value) ? *cast<Argument>(value).getParent()->getParent()
                                                    : *cast<Instruction>(value).getModule();
        /* Conditions live in predicate registers, which no occupancy limit counts. */
        if (!value.getType()->isIntOrIntVectorTy(1))
            webs_.back().words = alignTo(module.getDataLayout().getTypeAllocSize(value.getType()), 4) / 4;
    }

    /* Registers that `value` stands for: its own, or those that a folded instruction is made of. */
    void collect(const Value *value, std::vector<uint32_t> &found) const {
        auto own = index_.find(value);
        if (own != index_.end()) {
            if (!is_contained(found, own->second)) found.push_back(own->second);
        } else if (const auto *instruction = dyn_cast<Instruction>(value)) {
            if (isFolded(*instruction))
                for (const Use &operand : instruction->operands()) collect(operand.get(), found);
        }
    }

    /* What an instruction that is no phi reads. */
    std::vector<uint32_t> reads(const Instruction &instruction) const {
        std::vector<uint32_t> found;
        if (program_.pcs.count(&instruction) && !isFolded(instruction))
            for (const Use &operand : instruction.operands()) collect(operand.get(), found);
        return found;
    }

    /* What the phis at the head of `to` read on the way from `from`. */
    std::vector<uint32_t> phiReads(const BasicBlock &from, const BasicBlock &to) const {
        std::vector<uint32_t> found;
        for (const PHINode &phi : to.phis()) collect(phi.getIncomingValueForBlock(&from), found);
        return found;
    }

    std::set<uint32_t> liveOut(const BasicBlock &block) const {
        std::set<uint32_t> live;
        for (const BasicBlock *next : successors(&block)) {
            auto in = live_in_.find(next);
            if (in != live_in_.end()) live.insert(in->second.begin(), in->second.end());
            for (uint32_t value : phiReads(block, *next)) live.insert(value);
        }
        return live;
    }

    void findLiveness() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const BasicBlock *block : llvm::reverse(blocks_)) {
                std::set<uint32_t> live = liveOut(*block);
                for (const Instruction &instruction : llvm::reverse(*block)) {
                    auto own = index_.find(&instruction);
                    if (own != index_.end()) live.erase(own->second);
                    if (!isa<PHINode>(instruction))
                        for (uint32_t value : reads(instruction)) live.insert(value);
                }
                if (live_in_[block] != live) {
                    live_in_[block] = std::move(live);
                    changed = true;
                }
            }
        }
    }

    uint32_t firstPc(const BasicBlock &block) const {
        for (const Instruction &instruction : block) {
            auto pc = program_.pcs.find(&instruction);
            if (pc != program_.pcs.end()) return pc->second;
        }
        llvm_unreachable("a numbered block has at least its terminator");
    }

    void extend(uint32_t value, uint32_t pc) {
        std::vector<Interval> &intervals = webs_[value].intervals;
        if (intervals.empty()) intervals.push_back({pc, pc});
        intervals[0].start = std::min(intervals[0].start, pc);
        intervals[0].end = std::max(intervals[0].end, pc);
    }

    void buildIntervals(const Function &function, bool is_kernel) {
        if (!is_kernel)
            for (const Argument &argument : function.args())
                extend(index_[&argument], firstPc(function.getEntryBlock()));
        for (const BasicBlock *block : blocks_) {
            const uint32_t first = firstPc(*block), last = program_.pcs[block->getTerminator()];
            for (uint32_t value : live_in_[block]) extend(value, first);
            for (uint32_t value : liveOut(*block)) extend(value, last);
            for (const Instruction &instruction : *block) {
                auto pc = program_.pcs.find(&instruction);
                if (pc == program_.pcs.end()) continue;
                const bool is_phi = isa<PHINode>(instruction);
                auto own = index_.find(&instruction);
                if (own != index_.end()) extend(own->second, is_phi ? first : pc->second);
                if (!is_phi)
                    for (uint32_t value : reads(instruction)) extend(value, pc->second);
            }
        }
    }

    uint32_t web(uint32_t value) const {
        while (parent_[value] != value) value = parent_[value];
        return value;
    }

    void joinPhis() {
        for (const BasicBlock *block : blocks_)
            for (const PHINode &phi : block->phis())
                for (const Use &incoming : phi.incoming_values()) {
                    auto value = index_.find(incoming.get());
                    if (value == index_.end()) continue;
                    const uint32_t a = web(index_[&phi]), b = web(value->second);
                    if (a == b || webs_[a].conflicts(webs_[b])) continue;
                    parent_[b] = a;
                    webs_[a].intervals.insert(webs_[a].intervals.end(), webs_[b].intervals.begin(),
                                              webs_[b].intervals.end());
                }
    }

    void fillSite(const Instruction &instruction, uint32_t pc) {
        ws_static &site = program_.sites[pc].fixed;
        auto own = index_.find(&instruction);
        if (own != index_.end()) site.dst[site.dst_count++] = webs_[web(own->second)].reg;
        for (uint32_t value : reads(instruction)) {
            const uint16_t reg = webs_[web(value)].reg;
            const bool known =
                std::find(site.src, site.src + site.src_count, reg) != site.src + site.src_count;
            if (!known && site.src_count < WS_SRC_MAX) site.src[site.src_count++] = reg;
        }
    }

    Program &program_;
    std::vector<const BasicBlock *> blocks_; /* reachable ones */
    std::map<const Value *, uint32_t> index_;
    std::vector<Web> webs_; /* by value; joined ones are merged into the web of their parent */
    std::vector<uint32_t> parent_;
    std::map<const BasicBlock *, std::set<uint32_t>> live_in_;
};

} // namespace

uint32_t assignRegisters(Program &program, const Function &function, bool is_kernel, uint32_t first) {
    Registers registers(program, function, is_kernel);
    const uint32_t next = registers.assign(first);
    registers.fillSites();
    program.registers_per_thread += registers.pressure();
    return next;
}

} // namespace capture
