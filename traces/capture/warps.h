/* Warps out of work-items.
 *
 * A simulator that runs work-items one after the other gives each one's instructions and accesses; hardware
 * runs 32 of them in lockstep. The pcs are numbered so that every loop is contiguous and its exits follow it;
 * then the lanes that come next are always those in the deepest call at the smallest pc, and all of them go
 * together. On structured control flow this is reconvergence at the immediate post-dominator. */
#ifndef WARPSWEEP_CAPTURE_WARPS_H
#define WARPSWEEP_CAPTURE_WARPS_H

#include "warpsweep/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CAPTURE_WARP_SIZE = 32 };

/* The place of an instruction in the program; its pc is its index. */
typedef struct capture_site {
    ws_static fixed;  /* without op, space and width, which an access brings with it */
    int depth_change; /* 1 where a function with a body is called, -1 where it returns */
    /* Operands (fixed.result_values + fixed.source_values of them) that have one value throughout a launch, as
     * bits, and these values. The others' values come with each step. */
    uint32_t constants;
    uint64_t constant[WS_OPERANDS_MAX];
} capture_site;

/* One access of one work-item: at most 16 bytes, what hardware moves per lane at once. */
typedef struct capture_access {
    uint64_t address;
    uint32_t step; /* index of its instruction among the lane's pcs */
    uint8_t op, space, width_B;
} capture_access;

/* What one work-item did, in program order. Starts zeroed. */
typedef struct capture_lane {
    uint32_t *pcs;
    capture_access *accesses;
    uint64_t *values; /* of each step's operands in turn, without the constant ones */
    size_t pc_count, pc_room, access_count, access_room, value_count, value_room;
} capture_lane;

/* All abort the program when memory runs out. */
void capture_lane_step(capture_lane *lane, uint32_t pc);
/* The next operand of the instruction that was stepped last. */
void capture_lane_value(capture_lane *lane, uint64_t value);
/* An access of the instruction that is stepped next. */
void capture_lane_access(capture_lane *lane, uint64_t address, ws_memory_op op, ws_space space,
                         uint32_t width_B);
void capture_lane_clear(capture_lane *lane);
void capture_lane_free(capture_lane *lane);

/* Re-forms the warps of one work-group (`lanes` in order of their local ids, x fastest) and writes them as
 * CTA `id`. An instruction with several accesses per lane (a vector of more than 16 bytes, a memcpy) becomes
 * that many warp instructions at one pc, each with all its operands. Fails, too, when what was written does
 * not give every lane's stream back. */
bool capture_write_cta(ws_writer *writer, ws_dim3 id, const capture_site *sites, const capture_lane *lanes,
                       size_t lane_count, ws_error *err);

#ifdef __cplusplus
}
#endif
#endif
