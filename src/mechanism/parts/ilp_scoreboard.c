#include "mechanism/parts/ilp_scoreboard.h"

#include "base/bits.h"

#include <string.h>

void ilp_scoreboard_init(ilp_scoreboard *b, uint8_t entries) {
    *b = (ilp_scoreboard){.size = entries};
    memset(b->head, ILP_NONE, sizeof b->head);
    for (uint8_t i = 0; i < entries; i++) b->entry[i].next = i + 1;
}

/* ---- what may issue */

/* The entry of the warp's youngest definition of a register; NULL: the value is in the register file. */
static const ilp_entry *definition(const ilp_scoreboard *b, unsigned warp, uint16_t reg) {
    for (uint8_t i = b->head[warp]; i != ILP_NONE; i = b->entry[i].next) {
        const ilp_entry *e = &b->entry[i];
        if (e->writes && e->reg == reg && !e->no_match) return e;
    }
    return NULL;
}

static unsigned entries_for(unsigned dst_count) {
    return dst_count ? dst_count : 1;
}

static bool has_room(const ilp_scoreboard *b, unsigned dst_count) {
    return b->used + entries_for(dst_count) <= b->size;
}

static bool operands_are_readable(const ilp_scoreboard *b, unsigned warp, const ilp_inst *inst) {
    for (unsigned r = inst->dst_count; r < inst->reg_count; r++) {
        const ilp_entry *e = definition(b, warp, inst->regs[r]);
        if (e && !e->readable) return false;
    }
    return true;
}

/* True if no register would get its value from two entries: a write to some of the lanes must wait until older values
 * of the other lanes are in the register file. */
static bool covers_what_it_overwrites(const ilp_scoreboard *b, unsigned warp, const ilp_inst *inst) {
    for (unsigned r = 0; r < inst->dst_count; r++) {
        const ilp_entry *e = definition(b, warp, inst->regs[r]);
        if (e && e->mask & ~inst->mask) return false;
    }
    return true;
}

/* True if the warp has nothing in flight. */
static bool is_idle(const ilp_scoreboard *b, unsigned warp) {
    return b->head[warp] == ILP_NONE && !(b->alone & ws_bit(warp));
}

enum ilp_wait ilp_scoreboard_wait(const ilp_scoreboard *b, unsigned warp, const ilp_inst *inst) {
    if (is_idle(b, warp)) return ILP_READY;
    if (b->alone & ws_bit(warp)) return ILP_WAITS_ALONE;
    if (!operands_are_readable(b, warp, inst)) return ILP_WAITS_OPERAND;
    if (!covers_what_it_overwrites(b, warp, inst)) return ILP_WAITS_OVERWRITE;
    if (inst->kind == ILP_STORE || (inst->kind == ILP_LOAD && b->in_store & ws_bit(warp)))
        return ILP_WAITS_MEMORY;
    return has_room(b, inst->dst_count) ? ILP_READY : ILP_WAITS_ENTRY;
}

bool ilp_scoreboard_admits(const ilp_scoreboard *b, unsigned warp, unsigned dst_count) {
    return has_room(b, dst_count) || is_idle(b, warp);
}

/* ---- issue, completion, commit */

static uint8_t take_entry(ilp_scoreboard *b, unsigned warp) {
    uint8_t at = b->free;
    b->free = b->entry[at].next;
    b->used++;
    if (b->head[warp] == ILP_NONE)
        b->head[warp] = at;
    else
        b->entry[b->tail[warp]].next = at;
    b->tail[warp] = at;
    return at;
}

static void hide_older_definitions(ilp_scoreboard *b, unsigned warp, const ilp_inst *inst) {
    for (uint8_t i = b->head[warp]; i != ILP_NONE; i = b->entry[i].next)
        for (unsigned r = 0; r < inst->dst_count; r++)
            if (b->entry[i].reg == inst->regs[r]) b->entry[i].no_match = true;
}

uint8_t ilp_scoreboard_issue(ilp_scoreboard *b, unsigned warp, const ilp_inst *inst) {
    if (!has_room(b, inst->dst_count)) {
        b->alone |= ws_bit(warp);
        return ILP_NONE;
    }
    hide_older_definitions(b, warp, inst);
    uint8_t first = ILP_NONE;
    for (unsigned i = 0, count = entries_for(inst->dst_count); i < count; i++) {
        uint8_t at = take_entry(b, warp);
        if (i == 0) first = at;
        b->entry[at] = (ilp_entry){.mask = inst->mask,
                                   .reg = inst->dst_count ? inst->regs[i] : 0,
                                   .next = ILP_NONE,
                                   .writes = inst->dst_count > 0,
                                   .last = i + 1 == count};
    }
    if (inst->kind == ILP_STORE) b->in_store |= ws_bit(warp);
    return first;
}

static void mark(ilp_scoreboard *b, uint8_t inst, bool complete) {
    for (uint8_t i = inst;; i = b->entry[i].next) {
        b->entry[i].readable = true;
        b->entry[i].complete |= complete;
        if (b->entry[i].last) return;
    }
}

void ilp_scoreboard_readable(ilp_scoreboard *b, unsigned warp, uint8_t inst) {
    if (inst == ILP_NONE)
        b->alone &= ~ws_bit(warp);
    else
        mark(b, inst, false);
}

void ilp_scoreboard_complete(ilp_scoreboard *b, unsigned warp, uint8_t inst) {
    if (inst == ILP_NONE)
        b->alone &= ~ws_bit(warp);
    else
        mark(b, inst, true);
}

bool ilp_scoreboard_can_commit(const ilp_scoreboard *b, unsigned warp) {
    return b->head[warp] != ILP_NONE && b->entry[b->head[warp]].complete;
}

bool ilp_scoreboard_commit(ilp_scoreboard *b, unsigned warp) {
    if (!ilp_scoreboard_can_commit(b, warp)) return false;
    b->in_store &= ~ws_bit(warp); /* a store issues only as the oldest, so this is it */
    for (bool last = false; !last;) {
        uint8_t at = b->head[warp];
        ilp_entry *e = &b->entry[at];
        last = e->last;
        b->head[warp] = e->next;
        e->next = b->free;
        b->free = at;
        b->used--;
    }
    return true;
}

/* ---- cost */

uint64_t ilp_tag_bits(uint64_t entries, uint64_t vector_registers) {
    return entries * (ws_bits_for(vector_registers) + 1);
}

uint64_t ilp_data_bits(uint64_t entries, uint64_t warp_size) {
    return entries * (1 + 2 * warp_size + 32 * warp_size + ws_bits_for(entries));
}

uint64_t ilp_scheduler_bits(uint64_t entries, uint64_t warps) {
    return entries ? warps * (2 * ws_bits_for(entries) + 2) : 0;
}
