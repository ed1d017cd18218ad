/* Replay: a kernel's warps on a parametrised GPU. Fidelity `order` decides only which warp goes next, without
 * latencies; it feeds analyses with the requests that reach each SM's L1, in the order in which they reach it. */
#ifndef WARPSWEEP_REPLAY_H
#define WARPSWEEP_REPLAY_H

#include "warpsweep/param.h"
#include "warpsweep/trace.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever the streams of any launch in fidelity `order` change; part of the key of every stored result. */
enum { WS_ORDER_VERSION = 2 };

/* ---- parameters */

enum ws_dispatch {
    WS_DISPATCH_TWO_LEVEL_RR,
    WS_DISPATCH_GLOBAL_RR,
    WS_DISPATCH_GREEDY,
    WS_DISPATCH_DISTRIBUTED,
    WS_DISPATCH_DISTRIBUTED_BLOCK,
};
enum ws_scheduler { WS_SCHEDULER_LRR, WS_SCHEDULER_GTO, WS_SCHEDULER_TWO_LEVEL, WS_SCHEDULER_SWL };
enum ws_set_index { WS_INDEX_LINEAR, WS_INDEX_FERMI_HASH, WS_INDEX_XOR, WS_INDEX_IPOLY }; /* of caches */

enum { WS_CLUSTERS_MAX = 1024, WS_SMS_MAX = 4096 /* of all clusters together */ };
typedef struct ws_gpu_params {
    int64_t clusters, sms_per_cluster;
    int dispatch; /* enum ws_dispatch */
} ws_gpu_params;

/* The most warp slots, and CTA slots, of an SM: a set of them fits a 64-bit word. */
enum { WS_SLOTS = 64 };

typedef struct ws_sm_params {
    int64_t threads, warps, ctas, registers, shared_B; /* residency limits */
    int64_t register_unit; /* a thread is allocated a multiple of it; 0 counts as 1 */
    bool oversized_ctas;   /* a CTA that needs more registers or shared memory than there are takes all */
    int64_t schedulers;
    int scheduler; /* enum ws_scheduler; fidelity `order` has lrr and gto */
} ws_sm_params;

typedef struct ws_coalesce_params {
    int64_t line_B, sector_B;
} ws_coalesce_params;

typedef struct ws_order_params {
    int64_t load_delay_issues;
    bool issue_meta;
} ws_order_params;

typedef struct ws_limit_params {
    int64_t ctas, warp_instructions; /* of each launch; 0: all */
} ws_limit_params;

extern const ws_component ws_gpu_component, ws_sm_component, ws_coalesce_component, ws_order_component,
    ws_limit_component;

/* How closely a replay follows the hardware. Bits, so that an analysis can name those that it takes. */
enum ws_fidelity {
    WS_FIDELITY_ORDER = 1u << 0, /* which warp goes next, without latencies: ws_replay_order() */
    WS_FIDELITY_TIMED = 1u << 1, /* cycle by cycle: warpsweep/timed.h */
};

/* ---- occupancy */

typedef struct ws_occupancy {
    uint32_t ctas_per_sm; /* 0: the CTA does not fit */
    uint32_t warps_per_cta;
    const char *limit; /* what allows the fewest CTAs: "threads", "warps", "ctas", "registers", "shared_B" */
    /* What there is room for when warps are counted by themselves, not as whole CTAs: */
    uint32_t warp_room; /* warps, by threads, warps and registers */
    uint32_t cta_room;  /* CTAs, by CTA slots and shared memory */
} ws_occupancy;

ws_occupancy ws_occupancy_of(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm);

/* ---- the request stream */

/* A batch of requests in the order in which they leave the coalescers: parallel arrays, so that an analysis touches
 * only what it needs. Warps and CTAs are numbered within the kernel: a warp's number is cta * warps_per_cta + its id
 * in the CTA. The arrays are valid during the call only.
 *
 * Behind an address of local memory each thread has words of its own: word i of thread t, of all T threads of the
 * launch (CTAs as whole warps), is word i * T + t of a place where no global memory is. An access of several words
 * requests the lines of one word after another. The addresses of lanes are such places, too, but units as wide as the
 * access take the place of words, so that its bytes stay together; there, accesses of different widths do not meet. */
typedef struct ws_requests {
    size_t count;
    /* line number: dense from 0, per kernel; a later batch may have higher ones. Only tells lines apart: what has which
     * number depends on what was replayed before, so that results must not. */
    const uint32_t *line;
    const uint32_t *warp;
    const uint32_t *cta;
    const uint16_t *sm;       /* 0 .. SMs - 1; cluster = sm / sms_per_cluster */
    const uint8_t *slot;      /* warp slot of the SM, below WS_SLOTS; the CTA's slot = slot / warps_per_cta */
    const uint8_t *op;        /* ws_memory_op */
    const bool *local;        /* to local memory */
    const uint32_t *inst;     /* static instruction */
    const uint64_t *words;    /* 4-byte words of the line that the lanes touch, bit 0 the lowest */
    const uint16_t *bytes;    /* distinct bytes of the line that the lanes touch */
    const uint8_t *sectors;   /* number of sectors among them */
    const uint16_t *nth, *of; /* request nth (from 0) of the `of` requests of its warp instruction */
    const uint8_t *lanes;     /* active lanes of that instruction: its lane accesses */
    const uint64_t *step;     /* of the replay, from 0; never decreasing */
    const uint64_t *line_address; /* per line *number*: the line's address / line_B */
    /* WS_WANT_LANES, else NULL: per request, the addresses of its instruction's active lanes (`lanes` of them,
     * the lowest lane first); the same for all requests of an instruction. */
    const uint64_t *const *lane_address;
} ws_requests;

/* ---- the instruction stream */

/* A batch of warp instructions in the order in which they issue: those of all classes, and those without an active
 * lane, too. What is the same at each execution (class, pc, opcode, registers, space, width ..) is in the static
 * instruction. Instructions that are not issued (class meta, unless order.issue_meta) are included for the sake of data
 * flow: right before the next instruction that their warp issues, or after its last one. */
typedef struct ws_instructions {
    size_t count;
    const uint32_t *inst; /* static instruction */
    const uint64_t *mask; /* active lanes */
    const bool *issued;
    const uint32_t *warp, *cta; /* these four as in ws_requests */
    const uint16_t *sm;
    const uint8_t *slot;
    /* WS_WANT_ADDRESSES, else NULL: per instruction of any memory space, the addresses of its active lanes, the lowest
     * lane first; without meaning if its static instruction has no `op`. */
    const uint64_t *const *address;
    /* WS_WANT_VALUES and in the trace, else NULL: operands that are the same in all active lanes, and their values, as
     * in ws_warp. */
    const uint16_t *uniform;
    const uint64_t *const *values; /* per instruction: one per bit of `uniform`, the lowest first */
} ws_instructions;

/* What batches carry only on request, because it costs time and memory. */
enum {
    WS_WANT_LANES = 1u << 0,     /* lane_address of requests */
    WS_WANT_ADDRESSES = 1u << 1, /* address of instructions */
    WS_WANT_VALUES = 1u << 2,    /* uniform, values of instructions; NULL where the trace has none */
};

/* What the replay counted. */
typedef struct ws_order_counters {
    uint64_t steps;               /* up to the one in which the last warp issued */
    uint64_t warp_instructions;   /* those issued: of meta-instructions, only with order.issue_meta */
    uint64_t memory_instructions; /* those of them that made requests */
    uint64_t requests;
    uint64_t thread_instructions; /* active lanes of the warp instructions */
    uint64_t ctas;                /* CTAs that ran; fewer than the launch has: limits cut the replay */
} ws_order_counters;

/* What is known of a stream before it starts: ws_stream_info_of() in warpsweep/analysis.h. */
typedef struct ws_stream_info {
    const ws_trace *trace;
    const ws_kernel *kernel;
    uint32_t sms, sms_per_cluster, warps_per_cta;
    uint32_t line_B, sector_B;
    uint32_t access_B;      /* what an access to the L1 fetches, a line or a sector; 0 in fidelity `order` */
    const ws_sm_params *sm; /* limits of an SM */
    const ws_order_counters *counters;     /* final once the stream has ended; NULL = unknown */
    const struct ws_timed_counters *timed; /* the same in fidelity `timed`; NULL in `order` */
    const struct ws_timed *gpu;            /* in fidelity `timed`: what it runs on; NULL in `order` */
} ws_stream_info;

/* A consumer of the streams; NULL for those that it does not take. If any consumer takes instructions, a request comes
 * after its instruction. */
typedef struct ws_tap {
    void *context;
    void (*requests)(void *context, const ws_requests *batch);
    void (*instructions)(void *context, const ws_instructions *batch);
} ws_tap;

/* Replays kernels of one trace, and keeps what replays of the same kernel share: its instructions, coalesced
 * once (the *prepared stream*). It holds the stream of one kernel under one set of coalescing parameters at a
 * time; asking for another drops it. So call it kernel by kernel, and within a kernel by coalescing
 * parameters. For one thread. */
typedef struct ws_replayer ws_replayer;

/* `budget_B` bounds what is kept besides the CTAs in flight; 0 = 256 MiB. `trace` must outlive the replayer. NULL with
 * an error. */
ws_replayer *ws_replayer_new(const ws_trace *trace, size_t budget_B, ws_error *err);
void ws_replayer_free(ws_replayer *replayer);

/* Sets what the batches of the following replays carry (WS_WANT_ bits); initially nothing. */
void ws_replayer_want(ws_replayer *replayer, uint32_t wants);

/* False with the reason if a replay of the kernel would be refused. Reads no instructions. */
bool ws_replay_order_check(const ws_trace *trace, uint32_t index, const ws_config *config, ws_error *err);

/* Replays kernel `index` (from 1) in fidelity `order` and feeds every tap with the same batches, of at most
 * WS_BATCH_MAX requests or instructions; no warp instruction is split between batches, and one that makes more requests
 * is WS_ERROR_TRACE. `config` has the components above (ws_fidelity_components() of warpsweep/analysis.h); `counters`
 * may be NULL. Deterministic, whatever was replayed before: only line numbers may differ. */
enum { WS_BATCH_MAX = 1024 };
bool ws_replay_order(ws_replayer *replayer, uint32_t index, const ws_config *config, const ws_tap *taps,
                     size_t tap_count, ws_order_counters *counters, ws_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
