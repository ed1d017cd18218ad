/* Naive twins: slow, plain versions of what the library computes, written from the definitions, to compare with. */
#ifndef WS_TESTS_NAIVE_H
#define WS_TESTS_NAIVE_H

#include "stream.h"

/* A request: a line, and which of its bytes the instruction's lanes touch. */
typedef struct naive_request {
    uint64_t line;
    bool touched[256];
} naive_request;

/* Writes the requests of an instruction whose lanes access `width` bytes each: one for each line that is touched, in
 * ascending order of lines. Returns their number; `out` must have room for them. */
unsigned naive_coalesce(const uint64_t *addresses, unsigned lanes, unsigned width, unsigned line_B,
                        naive_request *out);
uint64_t naive_words(const naive_request *r);
unsigned naive_bytes(const naive_request *r);
unsigned naive_sectors(const naive_request *r, unsigned sector_B);

/* The replay of fidelity `order`, which looks at all warps in each step. Records requests and instructions; `line` of a
 * request is its address / line size. */
stream naive_order(const ws_trace *trace, uint32_t kernel, const ws_config *config,
                   ws_order_counters *counters);

/* Counts load requests by mapping pattern, from a map of each lane to the word that it reads. */
typedef struct naive_patterns {
    uint64_t requests, single, broadcast, consecutive, range, other, range_bounded, pattern_bits, map_bits;
} naive_patterns;
naive_patterns naive_mapping(const stream *s, const ws_trace *trace, unsigned line_B);

/* The number of executions of branch `inst` after which the lanes of its warp go on at different pcs: either lanes that
 * were active in the straight run of instructions up to it are not in its mask, or the next instructions of the lanes
 * in its mask, looked for ahead lane by lane, have different pcs. */
uint64_t naive_divergent(const stream *s, const ws_trace *trace, uint32_t inst);

/* What analysis `window` counts with windows of `size`; `config` has the component `window`. Each window gets its own
 * stream of requests, and every request looks through the whole window. */
typedef struct naive_merges {
    uint64_t requests, same_warp, same_cta, other_cta;
} naive_merges;
naive_merges naive_window(const stream *s, const ws_config *config, const ws_stream_info *info,
                          uint32_t size);

/* The streams that measures of locality look at: one of each level ("warp", "cta", "sm", "kernel"). `lanes`: accesses
 * are addresses of lanes, at most four per instruction, else lines; `loads`: of loads alone. */
typedef struct naive_streams {
    const char *level;
    bool lanes, loads;
    uint32_t line_B;
} naive_streams;

typedef struct naive_touch {
    uint64_t address;
    uint32_t instance; /* to whose stream it belongs */
} naive_touch;

/* Lists the accesses of all streams in order. The caller frees the list. */
naive_touch *naive_touches(const stream *s, const naive_streams *of, size_t *count);

/* L(window, neighbourhood), looking ahead from each access over the next `window` ones of its stream. */
typedef struct naive_reuse {
    uint64_t accesses, reused;
} naive_reuse;
naive_reuse naive_locality(const stream *s, const naive_streams *of, uint32_t window,
                           uint32_t neighbourhood_B);

/* An LRU cache of blocks of `block_B` by stack distances: looks back from each access for its block and counts the
 * distinct blocks of its set in between; fewer than `ways` are a hit, a block not found is cold. `index`: enum
 * ws_set_index. */
typedef struct naive_hits {
    uint64_t accesses, hits, cold;
} naive_hits;
naive_hits naive_stack(const stream *s, const naive_streams *of, uint32_t block_B, int index, uint32_t sets,
                       uint32_t ways);

/* An L1 for each SM (up to 8), which finds victims by the moments at which ways were used and lines arrived. Counts
 * misses, and their evictions by whose line is evicted: the same warp's, another one's of its CTA, another CTA's.
 * `missed` and `kept` receive for each record whether it is a miss, and whether it is a store that stays in the L1;
 * NULL: not wanted. */
typedef struct naive_l1 {
    int index; /* enum ws_set_index */
    uint32_t sets, ways;
    const char *replacement; /* "lru", "fifo", "plru", "random" */
    uint64_t seed;
    /* What stores and atomics do. evict: they evict the line that they hit, but stores to local memory use it, and
     * stay; allocate: they are treated as loads. */
    bool evict, allocate;
} naive_l1;
typedef struct naive_misses {
    uint64_t accesses, misses, by_type[3];
} naive_misses;
naive_misses naive_contention(const stream *s, uint32_t warps_per_cta, const naive_l1 *l1, bool *missed,
                              bool *kept);

/* Intra-cluster locality of the loads that `missed`: looks back from each over all others before it. `further` (NULL:
 * none of them) are parts of requests that count already. `window` is in steps if `time`, else in requests of the
 * cluster. */
typedef struct naive_redundant {
    uint64_t requests, data_same_sm, data_other_sm, line_same_sm, line_other_sm;
} naive_redundant;
naive_redundant naive_icl(const stream *s, const bool *missed, const bool *further, uint32_t sms_per_cluster,
                          bool time, uint64_t window);

/* The row of analysis `spatial`: CTAs are put on an SM one by one, each taking what it needs thread by thread, until a
 * resource runs out. Returns a heap string as rows_text() writes it. */
char *naive_spatial(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm);

/* What analysis `rtru` computes from the first `ctas` CTAs of a kernel, by counting instructions in the trace; the
 * means are over CTAs with at least one instruction. `meta`: instructions of class meta count. `bin`: the width of the
 * histogram's bins. `cta`: the CTA whose warps have rows; below 0: the one with the highest RTRU. */
typedef struct naive_divergence {
    uint64_t ctas, even;
    double mean, geomean, most, weighted; /* geomean: 0 when all CTAs are even */
    char *rows;                           /* all but the first, as rows_text() writes them; free it */
} naive_divergence;
naive_divergence naive_rtru(const ws_trace *trace, uint32_t kernel, uint32_t ctas, uint32_t warps_per_cta,
                            bool meta, int64_t bin, int64_t cta);
/* The RTRU of a CTA from the times of its warps. */
double naive_rtru_of(const uint64_t *times, uint32_t warps);

/* What analysis `uniform` counts, from recorded instructions in their order, with a reuse buffer of `entries` for each
 * SM (up to 16). */
typedef struct naive_redundancy {
    uint64_t warps, threads, intra, inter, candidates, both, by_value, by_token;
} naive_redundancy;
naive_redundancy naive_uniform(const stream *s, const ws_trace *trace, uint32_t pc_step, bool by_token,
                               int entries);

/* The irregular accesses reorder unit on the index load at `pc`; `config` has the component `iru`. Of pairs, [0] is
 * without the unit and [1] with it. */
typedef struct naive_iru_row {
    uint64_t requests, disabled, elements, filtered, untargeted, unlinked;
    uint64_t instructions[2], lanes[2], memory[2], l1_accesses[2], l1_misses[2], l2_accesses[2];
    uint64_t by_entry, by_timeout, by_end, steps;
    bool trouble; /* elements were merged that are used for different addresses */
} naive_iru_row;
naive_iru_row naive_iru(const stream *s, const ws_trace *trace, const ws_config *config, unsigned line_B,
                        uint32_t pc, bool filter);

#endif
