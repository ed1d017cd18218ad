/* The scoreboard that the warps of an SM share (XI 4.4.2), without an SM: which instruction may issue while others of
 * its warp are in flight.
 *
 * An entry stands for a result that is on its way: its register, the lanes that it is for, and whether it can be read
 * yet. An instruction holds an entry for each register that it writes (one if it writes none) from issue to commit;
 * each warp commits in order. An instruction for which there are no entries may only issue alone, with nothing else of
 * its warp in flight. */
#ifndef WS_MECHANISM_PARTS_ILP_SCOREBOARD_H
#define WS_MECHANISM_PARTS_ILP_SCOREBOARD_H

#include <stdbool.h>
#include <stdint.h>

enum { ILP_WARPS_MAX = 64, ILP_ENTRIES_MAX = 128 };

enum ilp_kind { ILP_ALU, ILP_LOAD, ILP_STORE }; /* store: any instruction that writes memory */

typedef struct ilp_inst {
    const uint16_t *regs; /* destinations first, then sources; numbered within the warp */
    uint8_t dst_count, reg_count;
    enum ilp_kind kind;
    uint64_t mask; /* active lanes */
} ilp_inst;

/* Why an instruction cannot issue. */
enum ilp_wait {
    ILP_READY,
    ILP_WAITS_OPERAND,   /* it reads a register that is not computed yet */
    ILP_WAITS_OVERWRITE, /* it writes a register, but not all lanes of an older write that has not committed */
    ILP_WAITS_MEMORY,    /* a store must be its warp's oldest instruction; a load does not pass a store */
    ILP_WAITS_ALONE,     /* its warp has an instruction in flight without entries */
    ILP_WAITS_ENTRY,     /* too few entries are free */
};

typedef struct ilp_entry {
    uint64_t mask;
    uint16_t reg;
    uint8_t next;  /* the next younger entry of its warp, or the next free entry; ILP_NONE: none */
    bool writes;   /* it stands for a register; false: for an instruction without destinations */
    bool no_match; /* a younger instruction writes the register, so readers must not match this entry */
    bool readable, complete;
    bool last; /* the last entry of its instruction */
} ilp_entry;

enum { ILP_NONE = 255 };

typedef struct ilp_scoreboard {
    uint8_t size, used, free;
    ilp_entry entry[ILP_ENTRIES_MAX];
    uint8_t head[ILP_WARPS_MAX],
        tail[ILP_WARPS_MAX]; /* oldest and youngest entry of each warp; head ILP_NONE: it has none */
    uint64_t in_store;       /* set of warps with a store that has not committed */
    uint64_t alone;          /* set of warps whose only instruction in flight has no entry, no result yet */
} ilp_scoreboard;

void ilp_scoreboard_init(ilp_scoreboard *board, uint8_t entries);

enum ilp_wait ilp_scoreboard_wait(const ilp_scoreboard *board, unsigned warp, const ilp_inst *inst);

/* For an instruction that waits for nothing but perhaps entries (ILP_READY or ILP_WAITS_ENTRY), with `dst_count`
 * destinations: true if it can issue, because entries are free or its warp has nothing in flight. */
bool ilp_scoreboard_admits(const ilp_scoreboard *board, unsigned warp, unsigned dst_count);

/* Issues an instruction that is ready. Returns its name for the functions below: its first entry; ILP_NONE: it has no
 * entry and is alone in flight. */
uint8_t ilp_scoreboard_issue(ilp_scoreboard *board, unsigned warp, const ilp_inst *inst);
/* Instructions that issue from now on can read its results (through the bypass, if it is not complete). */
void ilp_scoreboard_readable(ilp_scoreboard *board, unsigned warp, uint8_t inst);
/* Its results have reached the scoreboard; for an instruction without entries, the register file. */
void ilp_scoreboard_complete(ilp_scoreboard *board, unsigned warp, uint8_t inst);
/* Commits the warp's oldest instruction if it is complete, which frees its entries. Returns whether it did. */
bool ilp_scoreboard_commit(ilp_scoreboard *board, unsigned warp);

/* True if the warp's oldest instruction is complete. */
bool ilp_scoreboard_can_commit(const ilp_scoreboard *board, unsigned warp);

/* ---- hardware cost in bits (XI 4.4.2, 4.4.4) */

/* Tag part: per entry the number of a physical vector register and the no-match bit. */
uint64_t ilp_tag_bits(uint64_t entries, uint64_t vector_registers);
/* Data part: per entry the completion bit, two masks, 32 bits per lane, and the next entry's number. */
uint64_t ilp_data_bits(uint64_t entries, uint64_t warp_size);
/* Added to the warp scheduler, per warp: head, tail, and the bits "in board" and "in store". */
uint64_t ilp_scheduler_bits(uint64_t entries, uint64_t warps);

#endif
