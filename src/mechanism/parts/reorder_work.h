/* The work that a launch gives the irregular accesses reorder unit, read from the trace before the launch runs. It
 * holds what the host tells the unit with configure_iru (IRU 4): where the elements of the index array lie, and the
 * address of the access that each is used for; also the secondary array, which the unit fetches and hands out with the
 * indices.
 *
 * Each element has a *tail*: what the thread that loads it in the trace executes from then on. Whichever thread the
 * unit hands the element to executes that tail instead of its own. Reordering therefore renames threads from their
 * index load on; what they do before it, and what other threads do, stays.
 *
 * A warp asks once, as in all of IRU's kernels (Figs. 9 to 11). In a loop an element's tail would have to end where the
 * next element is loaded. But then a thread that sums up its elements, as in a product of matrix and vector, would sum
 * up others' elements, and a trace does not tell such threads from the rest. So launches in which a warp executes the
 * index load more than once run without the unit. */
#ifndef WS_MECHANISM_PARTS_REORDER_WORK_H
#define WS_MECHANISM_PARTS_REORDER_WORK_H

#include "replay/iru_table.h"
#include "warpsweep/trace.h"

enum { REORDER_ACCESS_PCS = 3 };  /* the number of accesses that a user can name */
#define REORDER_NOBODY UINT32_MAX /* no element */

typedef struct reorder_choice {
    int64_t index_pc, access_pc[REORDER_ACCESS_PCS]; /* -1: what the trace names */
    bool secondary;                                  /* whether to look for a secondary array */
    enum ws_iru_filter filter;
    uint32_t line_B;
} reorder_choice;

/* A warp that asks, with its instructions after the index load. */
typedef struct reorder_warp {
    uint32_t cta, id; /* its CTA's number in the launch; its number in the CTA */
    uint64_t asks;    /* lanes that load an index */
    uint32_t first;   /* where its elements begin in reorder_work.by_lane, the lowest lane first */
    uint32_t inst_count;
    uint32_t *static_id, *address_at; /* per instruction; address_at: its addresses' place in `address` */
    /* per instruction: the lanes that execute it; the lanes that come to it, which are the same, or if there are none,
     * those of the last instruction that had any */
    uint64_t *mask, *path;
    uint64_t *address;
} reorder_warp;

/* Elements are numbered in the order of the array. */
typedef struct reorder_element {
    uint64_t address; /* of the element itself, in bytes */
    uint32_t warp;    /* place in reorder_work.warps of the warp that loads it in the trace .. */
    uint8_t lane;     /* .. and the lane */
} reorder_element;

/* A line of the index array, and the sectors of it that hold elements. */
typedef struct reorder_line {
    uint64_t line;         /* address / line_B */
    uint32_t first, count; /* its elements: numbers first to first + count - 1 */
    uint8_t sectors;
} reorder_line;

typedef struct reorder_work {
    bool on; /* false: the launch runs without the unit, and the other fields are not to be used */
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
    uint64_t *targets; /* per element: the address of the access that it is used for, or WS_IRU_NO_TARGET */
    uint32_t *by_lane; /* per warp and asking lane (reorder_warp.first): its element in the trace */
    uint32_t element_count;
    reorder_line *lines;
    uint32_t line_count;
} reorder_work;

/* Gathers the work of the first `ctas` CTAs of a launch; each is read once. False with an error. Call
 * reorder_work_free() in either case. */
bool reorder_work_gather(reorder_work *work, ws_reader *reader, const ws_trace *trace, uint32_t kernel,
                         uint32_t ctas, const reorder_choice *choice, ws_error *err);
void reorder_work_free(reorder_work *work);

/* The place in `warps` of a warp that asks. */
uint32_t reorder_work_warp(const reorder_work *work, uint32_t cta, uint32_t id);

#endif
