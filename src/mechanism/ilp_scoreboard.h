/* The scoreboard that the warps of an SM share (XI 4.4.2), without an SM: which instruction may be issued beside those
 * that its warp has in flight.
 *
 * An entry belongs to a result that is on its way: the register, the lanes that it is for, whether it can be read. An
 * instruction takes an entry for each register that it writes, one if it writes none, from issue to commit; each warp
 * commits in order. What finds no entry may only be issued alone. */
#ifndef WS_MECHANISM_ILP_SCOREBOARD_H
#define WS_MECHANISM_ILP_SCOREBOARD_H

#include <stdbool.h>
#include <stdint.h>

enum { ILP_WARPS_MAX = 64, ILP_ENTRIES_MAX = 128 };

enum ilp_kind { ILP_ALU, ILP_LOAD, ILP_STORE }; /* store: all that writes memory */

typedef struct ilp_inst {
    const uint16_t *regs; /* destinations first, then sources; numbered within the warp */
    uint8_t dst_count, reg_count;
    enum ilp_kind kind;
    uint64_t mask; /* active lanes */
} ilp_inst;

/* Why an instruction is not issued. */
enum ilp_wait {
    ILP_READY,
    ILP_WAITS_OPERAND,   /* it reads a register that is not computed yet */
    ILP_WAITS_OVERWRITE, /* it writes, in fewer lanes, a register that an older instruction has not committed */
    ILP_WAITS_MEMORY,    /* a store is to be the oldest; a load does not pass a store */
    ILP_WAITS_ALONE,     /* its warp has an instruction in flight that found the board full */
    ILP_WAITS_ENTRY,     /* the board is full */
};

typedef struct ilp_entry {
    uint64_t mask;
    uint16_t reg;
    uint8_t next;  /* of the younger ones of its instruction and warp; of free entries */
    bool writes;   /* it stands for a register */
    bool no_match; /* a younger instruction writes the register */
    bool readable, complete;
    bool last; /* of its instruction */
} ilp_entry;

enum { ILP_NONE = 255 };

typedef struct ilp_scoreboard {
    uint8_t size, used, free;
    ilp_entry entry[ILP_ENTRIES_MAX];
    uint8_t head[ILP_WARPS_MAX],
        tail[ILP_WARPS_MAX]; /* oldest and youngest of each warp, ILP_NONE: not in board */
    uint64_t in_store;       /* warps with a store that has not committed */
    uint64_t alone;          /* warps whose one instruction in flight has no entry, and no result yet */
} ilp_scoreboard;

void ilp_scoreboard_init(ilp_scoreboard *board, uint8_t entries);

enum ilp_wait ilp_scoreboard_wait(const ilp_scoreboard *board, unsigned warp, const ilp_inst *inst);

/* Of one that waits for nothing else: whether it need not wait for entries, of which it takes those of `dst_count`
 * destinations. */
bool ilp_scoreboard_admits(const ilp_scoreboard *board, unsigned warp, unsigned dst_count);

/* Issues an instruction that is ready. Answers what names it below: its first entry, or ILP_NONE. */
uint8_t ilp_scoreboard_issue(ilp_scoreboard *board, unsigned warp, const ilp_inst *inst);
/* Its results can be read by instructions that are issued now (bypassed, when it is not complete). */
void ilp_scoreboard_readable(ilp_scoreboard *board, unsigned warp, uint8_t inst);
/* Its results are in the scoreboard; of an instruction without entries, in the register file. */
void ilp_scoreboard_complete(ilp_scoreboard *board, unsigned warp, uint8_t inst);
/* The warp's oldest instruction gives up its entries if it is complete. */
bool ilp_scoreboard_commit(ilp_scoreboard *board, unsigned warp);

/* Whether its oldest instruction is complete. */
bool ilp_scoreboard_can_commit(const ilp_scoreboard *board, unsigned warp);

/* ---- hardware cost in bits (XI 4.4.2, 4.4.4) */

/* A tag: the number of one of the physical vector registers, and the no-match bit. */
uint64_t ilp_tag_bits(uint64_t entries, uint64_t vector_registers);
/* Data: completion, two masks, 32 bits per lane, and the next entry. */
uint64_t ilp_data_bits(uint64_t entries, uint64_t warp_size);
/* Of the warp scheduler's entries: head, tail, in board, in store. */
uint64_t ilp_scheduler_bits(uint64_t entries, uint64_t warps);

#endif
