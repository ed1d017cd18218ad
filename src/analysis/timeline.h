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

#define X(name, unit, help, value) +1
enum { WS_TIMELINE_COLUMNS = 0 WS_TIMELINE(X) };
#undef X

/* Computes the values, in the order of the columns. `before`: the counters at the beginning of the period. */
void ws_timeline_values(const ws_timed_sample *sample, const ws_timed_counters *before,
                        int64_t values[WS_TIMELINE_COLUMNS]);

#endif
