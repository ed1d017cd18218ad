/* What a launch gives the irregular accesses reorder unit to do, read from the trace before the launch runs, as the
 * host's configure_iru tells it (IRU 4): where the elements of the index array lie, and where the access goes that each
 * is used for; beside them the secondary array, which the unit fetches and hands out with the indices.
 *
 * An element takes along what the thread that loads it in the trace executes from then on, its *tail*: whichever thread
 * the unit hands the element to executes that instead of its own. Reordering therefore renames threads from their index
 * load on; what they do before it, and what other threads do, stays. A warp asks once, as in all of IRU's kernels
 * (Figs. 9 to 11). In a loop an element's tail would be what is executed until the next one is loaded; but a thread
 * that adds its elements up, as in a product of matrix and vector, would then add up others', and a trace cannot tell
 * it from one that does not. So launches in which a warp executes the index load more than once run without the unit.
 */
#ifndef WS_MECHANISM_REORDER_WORK_H
#define WS_MECHANISM_REORDER_WORK_H

#include "replay/iru_table.h"
#include "warpsweep/trace.h"

enum { REORDER_ACCESS_PCS = 3 };  /* accesses that a user can name */
#define REORDER_NOBODY UINT32_MAX /* no element */

typedef struct reorder_choice {
    int64_t index_pc, access_pc[REORDER_ACCESS_PCS]; /* -1: those that the trace names */
    bool secondary;                                  /* look for a secondary array */
    enum ws_iru_filter filter;
    uint32_t line_B;
} reorder_choice;

/* A warp that asks: its instructions from the one behind its index load on. */
typedef struct reorder_warp {
    uint32_t cta, id; /* of the launch; within the CTA */
    uint64_t asks;    /* lanes that load an index */
    uint32_t first;   /* its elements' place in reorder_work.by_lane, the lowest lane first */
    uint32_t inst_count;
    uint32_t *static_id, *address_at;
    uint64_t *mask,
        *path; /* lanes that execute it; that come by it: those of the last instruction that had any */
    uint64_t *address;
} reorder_warp;

/* Elements are numbered in the order of the array. */
typedef struct reorder_element {
    uint64_t address; /* that it is loaded from */
    uint32_t warp;    /* which asks for it in the trace */
    uint8_t lane;
} reorder_element;

/* A line of the index array, and the sectors of it that hold elements. */
typedef struct reorder_line {
    uint64_t line;
    uint32_t first, count; /* elements */
    uint8_t sectors;
} reorder_line;

typedef struct reorder_work {
    bool on; /* else the launch runs without the unit */
    uint32_t index_pc;
    enum ws_iru_filter filter; /* not AUTO */
    bool has_secondary;
    int64_t secondary_distance; /* from an index to its secondary value, in bytes */
    uint8_t secondary_B;
    /* per static instruction: loads of the secondary array, which the unit makes unnecessary */
    bool *dropped;
    bool *fed; /* per static instruction: its address follows from the index */
    reorder_warp *warps;
    uint32_t warp_count;
    reorder_element *elements;
    uint64_t *targets; /* per element: the address of its access, or WS_IRU_NO_TARGET */
    uint32_t *by_lane; /* per warp and lane that asks: the element */
    uint32_t element_count;
    reorder_line *lines;
    uint32_t line_count;
} reorder_work;

/* Of the first `ctas` CTAs of a launch, each read once. Free it in any case. */
bool reorder_work_gather(reorder_work *work, ws_reader *reader, const ws_trace *trace, uint32_t kernel,
                         uint32_t ctas, const reorder_choice *choice, ws_error *err);
void reorder_work_free(reorder_work *work);

/* The warp's place in `warps`; it asks. */
uint32_t reorder_work_warp(const reorder_work *work, uint32_t cta, uint32_t id);

#endif
