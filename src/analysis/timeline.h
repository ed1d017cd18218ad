/* What happens over time: the columns of a period, from the counters at its beginning and its end. */
#ifndef WS_ANALYSIS_TIMELINE_H
#define WS_ANALYSIS_TIMELINE_H

#include "warpsweep/timed.h"

/* Name, unit, help and value of each column. The value is an expression of `s`, the sample at the end of the period,
 * and `d`, the counts of the period. */
#define WS_TIMELINE(X)                                                                                       \
    X(cycle, "cycles", "End of the period, from the launch", s->cycle)                                       \
    X(cycles, "cycles", "Length of the period", d->cycles)                                                   \
    X(ctas, "CTAs", "CTAs resident at the end of the period", s->ctas)                                       \
    X(warps, "warps", "Warps resident at the end of the period", s->warps)                                   \
    X(mshr_entries, "entries", "MSHR entries of the L1s in use at the end of the period", s->mshr_entries)   \
    X(sm_cycles, "SM cycles", "Cycles times SMs", d->sm_cycles)                                              \
    X(warp_cycles, "warp cycles", "Resident warps of all SMs, summed over cycles", d->warp_cycles)           \
    X(warp_instructions, "instructions", "Warp instructions issued", d->warp_instructions)                   \
    X(arithmetic_instructions, "instructions",                                                               \
      "Warp instructions issued of the classes int, fp, sfu and tensor", d->arithmetic_instructions)         \
    X(memory_waiting, "instruction cycles",                                                                  \
      "Memory instructions that are ready but not yet begun by an LSU, summed over cycles",                  \
      d->memory_waiting)                                                                                     \
    X(l1_accesses, "accesses", "Accesses to the L1s", d->l1_accesses)                                        \
    X(l1_misses, "accesses", "L1 accesses that miss, sector misses included",                                \
      d->l1_misses + d->l1_sector_misses)                                                                    \
    X(l1_retries, "cycles", "Cycles in which an access waited for a resource of its L1",                     \
      d->l1_retries_set_full + d->l1_retries_mshr_full + d->l1_retries_merge_full +                          \
          d->l1_retries_miss_queue_full)                                                                     \
    X(noc_bytes_to_memory, "B", "Bytes from SMs to L2 slices", d->noc_bytes_to_memory)                       \
    X(noc_bytes_to_sm, "B", "Bytes from L2 slices to SMs", d->noc_bytes_to_sm)                               \
    X(l2_accesses, "sectors", "Accesses to the L2", d->l2_accesses)                                          \
    X(dram_bursts, "bursts", "DRAM bursts read and written", d->dram_reads + d->dram_writes)

/* Name, unit, help and value of each ratio of a period. The value is an expression of the columns above, of SQL, and
 * of C where nullif() and min() are those of SQL, and NaN is NULL. */
#define WS_TIMELINE_RATIOS(X)                                                                                \
    X(warps_per_sm, "warps", "Mean warps that reside on an SM", 1.0 * warp_cycles / nullif(sm_cycles, 0))    \
    X(ipc_warp, "warp instructions per cycle", "Warp instructions per cycle of the whole GPU",               \
      1.0 * warp_instructions / nullif(cycles, 0))                                                           \
    X(ipc_arithmetic, "warp instructions per cycle",                                                         \
      "Arithmetic warp instructions per cycle of the whole GPU (WP Fig. 4)",                                 \
      1.0 * arithmetic_instructions / nullif(cycles, 0))                                                     \
    X(memory_waiting_per_sm, "instructions",                                                                 \
      "Mean memory instructions of an SM that are ready and wait for the LSU (WP Fig. 4)",                   \
      1.0 * memory_waiting / nullif(sm_cycles, 0))                                                           \
    X(l1_stalled, "",                                                                                        \
      "Cycles in which an L1 (a bank of it) could not take its next access, per SM and cycle, at most 1 "    \
      "(WP Fig. 4)",                                                                                         \
      min(1.0, 1.0 * l1_retries / nullif(sm_cycles, 0)))                                                     \
    X(noc_B_per_cycle, "B per cycle", "Bandwidth from the L2 to the SMs",                                    \
      1.0 * noc_bytes_to_sm / nullif(cycles, 0))                                                             \
    X(dram_bursts_per_cycle, "bursts per cycle", "Bandwidth of the DRAM",                                    \
      1.0 * dram_bursts / nullif(cycles, 0))

#define X(name, unit, help, value) +1
enum { WS_TIMELINE_COLUMNS = 0 WS_TIMELINE(X), WS_TIMELINE_RATIO_COUNT = 0 WS_TIMELINE_RATIOS(X) };
#undef X

/* Computes the values, in the order of the columns. `before`: the counters at the beginning of the period. */
void ws_timeline_values(const ws_timed_sample *sample, const ws_timed_counters *before,
                        int64_t values[WS_TIMELINE_COLUMNS]);
/* Computes the ratios of these values; NaN where one is unknown. */
void ws_timeline_ratios(const int64_t values[WS_TIMELINE_COLUMNS], double ratios[WS_TIMELINE_RATIO_COUNT]);

#endif
