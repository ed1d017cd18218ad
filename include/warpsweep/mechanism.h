/* Mechanisms: what a paper proposes to add to the GPU of the timed replay. Each is one file in src/mechanism/ with one
 * descriptor. To add one, write that file, which defines ws_mechanism_NAME, ws_NAME_component and ws_NAME_table, and
 * add a line to the lists below.
 *
 * A mechanism owns *slots* of the replay, places where it departs from the baseline: `dispatch` (which CTAs an SM
 * takes, and when their warps start), `core` (which warps issue, and how instructions execute), `front` (between the
 * load/store unit and the L1), `l1` (which reads bypass the L1; it is told what the L1 does), `fetch` (which lines of
 * an aligned group of four the L1 fetches beside the one that it is asked for), `cluster` (between the L1s of a
 * cluster and its network port), `partition` (in the memory partitions). The parameters `mechanism.dispatch`, `.core`,
 * `.front`, `.fetch`, `.cluster` and `.partition` each turn on one mechanism; by default all are "none", and the
 * replay is exactly the baseline. A mechanism owns the slot whose parameter names it, and no other, except that `l1`
 * has no parameter of its own: any mechanism can own it in addition, one at a time (ws_mechanisms_of). */
#ifndef WARPSWEEP_MECHANISM_H
#define WARPSWEEP_MECHANISM_H

#include "warpsweep/param.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* What has a structure each; a partition is one of memory. Their names: "SM", "cluster", "partition", "GPU". */
enum ws_per { WS_PER_SM, WS_PER_CLUSTER, WS_PER_PARTITION, WS_PER_GPU };
extern const char *const ws_per_names[];

/* A hardware structure that a mechanism may add, and how its bits of storage are worked out. */
typedef struct ws_structure {
    const char *name;
    const char *help; /* the formula, with the parameters' names, and its source */
} ws_structure;

typedef struct ws_cost {
    const ws_structure *structure;
    enum ws_per per;
    uint64_t bits; /* of storage in one; WS_BITS_UNBOUNDED: without a limit, so that it cannot be built */
} ws_cost;

#define WS_BITS_UNBOUNDED UINT64_MAX

enum { WS_COSTS_MAX = 8, WS_MECHANISM_COUNTS_MAX = 16 };

struct ws_dispatch_slot;
struct ws_core_slot;
struct ws_front_slot;
struct ws_l1_slot;
struct ws_fetch_slot;
struct ws_cluster_slot;
struct ws_partition_slot;

/* All members but those that say so must be there: ws_mechanism_check(). */
typedef struct ws_mechanism {
    const char *name;    /* also the prefix of its parameters and of its table */
    const char *summary; /* one line */
    const char *source;  /* document and section, or "our own" */
    uint32_t version;    /* from 1; raised when results change: points that use it are computed again */
    const ws_component *component; /* NAME.*: its parameters; the document's values are the defaults */
    /* NAME_counters: what it counts in a launch, in at most WS_MECHANISM_COUNTS_MAX integer columns; those of several
     * instances, as of launches, give their sum, or with WS_ADDS_MAX the largest */
    const ws_table *table;
    const ws_structure *structures; /* all that it may add, at most WS_COSTS_MAX; none without `cost` */
    size_t structure_count;
    /* Writes those that it adds in such a configuration; returns their number. NULL: it never adds any. */
    size_t (*cost)(const ws_config *config, ws_cost costs[WS_COSTS_MAX]);
    /* Whether it works on such a GPU; NULL: on any. The error names the parameters. */
    bool (*check)(const ws_config *config, ws_error *err);
    /* The slots that it owns; NULL for the others. */
    const struct ws_dispatch_slot *dispatch;
    const struct ws_core_slot *core;
    const struct ws_front_slot *front;
    const struct ws_l1_slot *l1;
    const struct ws_fetch_slot *fetch;
    const struct ws_cluster_slot *cluster;
    const struct ws_partition_slot *partition;
    /* If `l1` is not NULL: the name of the parameter because of which it owns that slot in such a configuration (that
     * of its other slot, or a choice of its own that can be none), or NULL if it does not. */
    const char *(*l1_by)(const ws_config *config);
} ws_mechanism;

/* Whether the descriptor is complete and consistent; ws_mechanisms_of() checks those that are on. The error,
 * WS_ERROR_INTERNAL, names the first thing that is wrong. */
bool ws_mechanism_check(const ws_mechanism *mechanism, ws_error *err);

/* ---- the mechanisms, by the slot whose parameter names them, each with its words in that parameter's help */

/* clang-format off */
#define WS_DISPATCH_MECHANISMS(X) \
    X(warpman, "warp by warp, where there is no room for a whole CTA (XI 3.4)")
#define WS_CORE_MECHANISMS(X) \
    X(ilp, "instruction-level parallelism (XI 4.4)") \
    X(scalar, "uniform vector instructions execute as scalar ones (XI 2.4)") \
    X(ccws, "cache-conscious wavefront scheduling: warps that lose locality keep others from loading (CCWS)")
#define WS_FRONT_MECHANISMS(X) \
    X(mrpb, "memory request prioritization buffer, with bypassing of the L1 (MRPB 3)") \
    X(warppool, "inter-warp coalescing (WP 3)")
#define WS_FETCH_MECHANISMS(X) \
    X(coarse, "the neighbours of a line that is read (XI 5.4)")
#define WS_CLUSTER_MECHANISMS(X) \
    X(icc, "intra-cluster coalescing with a coalesced cache (ICC 6)")
#define WS_PARTITION_MECHANISMS(X) \
    X(reorder, "the irregular accesses reorder unit (IRU 3)")
/* clang-format on */

#define WS_MECHANISMS(X)                                                                                     \
    WS_DISPATCH_MECHANISMS(X)                                                                                \
    WS_CORE_MECHANISMS(X)                                                                                    \
    WS_FRONT_MECHANISMS(X)                                                                                   \
    WS_FETCH_MECHANISMS(X)                                                                                   \
    WS_CLUSTER_MECHANISMS(X)                                                                                 \
    WS_PARTITION_MECHANISMS(X)

#define X(name, what)                                                                                        \
    extern const ws_mechanism ws_mechanism_##name;                                                           \
    extern const ws_component ws_##name##_component;                                                         \
    extern const ws_table ws_##name##_table;
WS_MECHANISMS(X)
#undef X

/* NULL-terminated, in the order of the lists. */
const ws_mechanism *const *ws_mechanisms(void);

/* The mechanism that a parameter such as "mrpb.entries" belongs to; NULL: none. */
const ws_mechanism *ws_mechanism_of_param(const char *name);

/* ---- what a configuration asks for */

/* mechanism.dispatch, mechanism.core, mechanism.front, mechanism.fetch, mechanism.cluster, mechanism.partition. */
extern const ws_component ws_mechanism_component;

/* That of these parameters which turns the mechanism on. */
const ws_param *ws_mechanism_switch(const ws_mechanism *mechanism);

enum { WS_MECHANISMS_MAX = 8 };
typedef struct ws_mechanism_set {
    const ws_mechanism *at[WS_MECHANISMS_MAX];
    size_t count;
} ws_mechanism_set;

/* The mechanisms that a configuration turns on; none if it lacks the component. False with an error that names the
 * parameters if one of them does not work there, or two cannot be on together; `set` has them all even then. */
bool ws_mechanisms_of(const ws_config *config, ws_mechanism_set *set, ws_error *err);

/* One structure that a configuration adds to the baseline's hardware. Intra-warp coalescers beyond the first
 * (core.coalescers) are listed as the mechanism "coalescers" (WP tab. 1). */
typedef struct ws_added_cost {
    const char *mechanism;
    ws_cost cost;
} ws_added_cost;
extern const ws_structure ws_coalescers_structure;
enum { WS_ADDED_COSTS_MAX = (WS_MECHANISMS_MAX + 1) * WS_COSTS_MAX };
/* Writes all of them; returns their number. */
size_t ws_added_costs(const ws_config *config, const ws_mechanism_set *set,
                      ws_added_cost costs[WS_ADDED_COSTS_MAX]);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
