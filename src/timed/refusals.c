/* Refusals: what cannot work, as far as the configuration and the heads of the launches tell. Checked before anything
 * is built. */
#include "timed/gpu.h"
#include "timed/sm/collect.h"
#include "timed/sm/core.h"

/* ---- configurations */

/* Of all slices together: far more than any GPU has, and its lines still fit into memory here. */
static const int64_t l2_most_B = (int64_t)4 << 30;

static bool l2_fits(const ws_engine *e, ws_error *err) {
    int64_t all_B = e->slice_count * e->l2->size_B;
    return all_B <= l2_most_B ||
           ws_fail(err, WS_ERROR_SPEC,
                   "l2.size_B: expected at most %lld B in all %u slices (dram.channels x "
                   "l2.slices_per_channel), "
                   "found %lld: lower it, or take fewer slices",
                   (long long)l2_most_B, e->slice_count, (long long)all_B);
}

static bool memory_fits(const ws_engine *e, ws_error *err) {
    uint32_t channels = e->channel_count, slices = ws_ipoly_slices(e->l2, e->dram);
    int64_t line = e->l1->line_B > e->l2->line_B ? e->l1->line_B : e->l2->line_B;
    if (e->dram->bank_B < line || e->l2->interleave_B < line)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "dram.bank_B and l2.interleave_B: expected at least a line, the larger of l1.line_B and "
            "l2.line_B = %lld, found %lld and %lld",
            (long long)line, (long long)e->dram->bank_B, (long long)e->l2->interleave_B);
    if (e->l2->lrc_entries && e->l2->lrc_entries <= e->l1->line_B / WS_TIMED_SECTOR_B)
        return ws_fail(err, WS_ERROR_SPEC,
                       "l2.lrc_entries: expected 0 or more than the %lld sectors of a line, for which there "
                       "must be room before a request comes, found %lld",
                       (long long)(e->l1->line_B / WS_TIMED_SECTOR_B), (long long)e->l2->lrc_entries);
    if (e->l2->partition == WS_PARTITION_XOR && channels & (channels - 1))
        return ws_fail(err, WS_ERROR_SPEC,
                       "l2.partition: xor expects a power of two of dram.channels, found %u", channels);
    if (e->l2->partition == WS_PARTITION_IPOLY && slices != 16 && slices != 32 && slices != 64)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "l2.partition: ipoly expects 16, 32 or 64 slices (dram.channels, to the next power of two, "
            "x l2.slices_per_channel), found %u",
            slices);
    return true;
}

/* A packet is taken from a boundary buffer once all of it is there. */
static bool network_fits(const ws_engine *e, ws_error *err) {
    uint32_t largest = ws_network_largest(e->noc, e->l1->line_B);
    if (e->gpu->sms_per_cluster % e->noc->ports_per_cluster)
        return ws_fail(err, WS_ERROR_SPEC,
                       "noc.ports_per_cluster: expected a divisor of gpu.sms_per_cluster (%lld), found %lld",
                       (long long)e->gpu->sms_per_cluster, (long long)e->noc->ports_per_cluster);
    return !e->noc->boundary_buffer || e->noc->boundary_buffer >= largest ||
           ws_fail(
               err, WS_ERROR_SPEC,
               "noc.boundary_buffer: expected 0 or at least the %u flits of the largest packet, found %lld",
               largest, (long long)e->noc->boundary_buffer);
}

/* The partition slot's owner sits behind the network, which perfect memory has none of. */
static bool memory_is_there(const ws_engine *e, ws_error *err) {
    return !e->partition_slot || !e->core->perfect_memory ||
           ws_fail(err, WS_ERROR_SPEC,
                   "core.perfect_memory: expected false with mechanism.partition, which works in the memory "
                   "partitions, found true");
}

/* Kinds of units that an SM lacks are replaced by these two (launch/stream.c). */
static bool units_fit(const ws_engine *e, ws_error *err) {
    return e->core->fp_units || e->core->int_units ||
           ws_fail(err, WS_ERROR_SPEC,
                   "core.fp_units, core.int_units: expected some of one kind, which do the other's work, "
                   "found 0 of both");
}

static bool coalescer_fits(const ws_engine *e, ws_error *err) {
    int64_t bytes = e->core->coalesce_B, line = e->l1->line_B;
    int unit = e->l1->access;
    if (bytes == 0 || (unit == WS_ACCESS_SECTOR && bytes == WS_TIMED_SECTOR_B)) return true;
    if (unit != WS_ACCESS_LINE)
        return ws_fail(err, WS_ERROR_SPEC, "core.coalesce_B: l1.access %s expects 0%s, found %lld",
                       unit == WS_ACCESS_SECTOR ? "sector" : "by_width",
                       unit == WS_ACCESS_SECTOR ? " or 32" : "", (long long)bytes);
    if (bytes >= WS_TIMED_SECTOR_B && bytes <= line && (bytes & (bytes - 1)) == 0) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "core.coalesce_B: expected 0 or a power of two of 32 to l1.line_B (%lld), found %lld",
                   (long long)line, (long long)bytes);
}

/* The CTAs of a cluster's pool (ICC 4.1) run on no other cluster, so pools do not go with launches that have SMs of
 * their own. */
static bool dispatch_reaches_own_sms(const ws_engine *e, ws_error *err) {
    bool pools =
        e->gpu->dispatch == WS_DISPATCH_DISTRIBUTED || e->gpu->dispatch == WS_DISPATCH_DISTRIBUTED_BLOCK;
    bool several = e->program_count || e->core->concurrent_launches > 1,
         own = (several && e->core->first_launch_sms) ||
               (e->core_slot && e->core_slot->steers && e->core_slot->steers(e->core_params));
    return !pools || !own ||
           ws_fail(err, WS_ERROR_SPEC,
                   "gpu.dispatch: expected two_level_rr, global_rr or greedy where launches have SMs of "
                   "their own, found %s, which binds CTAs to clusters",
                   e->gpu->dispatch == WS_DISPATCH_DISTRIBUTED ? "distributed" : "distributed_block");
}

/* The parameter that names a mechanism which works on one launch at a time, or NULL. */
static const char *works_on_one_launch(const ws_engine *e) {
    if (e->dispatch_slot) return "mechanism.dispatch";
    if (e->partition_slot) return "mechanism.partition";
    return e->core_slot && e->core_slot->wants && e->core_slot->wants(e->core_params) ? "mechanism.core"
                                                                                      : NULL;
}

/* Whether launches, or programs, can run at the same time. */
static bool sharing_fits(const ws_engine *e, ws_error *err) {
    const ws_core_params *core = e->core;
    if (!dispatch_reaches_own_sms(e, err)) return false;
    if (e->program_count && core->concurrent_launches > 1)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "core.concurrent_launches: expected 1 with two programs, whose launches each run one after "
            "another, found %lld",
            (long long)core->concurrent_launches);
    if (!e->program_count && core->concurrent_launches == 1) return true;
    if (core->first_launch_sms >= e->sm_count)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "core.first_launch_sms: expected less than the %u SMs of the GPU, so that the others have "
            "some, found %lld",
            e->sm_count, (long long)core->first_launch_sms);
    const char *one_by_one = works_on_one_launch(e);
    if (!one_by_one) return true;
    if (e->program_count)
        return ws_fail(err, WS_ERROR_SPEC,
                       "%s: expected one program with %s, which works on one launch at a time, found two",
                       ws_trace_path(e->trace), one_by_one);
    return ws_fail(
        err, WS_ERROR_SPEC,
        "core.concurrent_launches: expected 1 with %s, which works on one launch at a time, found %lld",
        one_by_one, (long long)core->concurrent_launches);
}

bool ws_engine_fits(const ws_engine *e, ws_error *err) {
    return l2_fits(e, err) && memory_fits(e, err) && network_fits(e, err) && memory_is_there(e, err) &&
           units_fit(e, err) && coalescer_fits(e, err) && ws_collect_fits(e, err) && ws_icaches_fit(e, err) &&
           sharing_fits(e, err);
}

/* ---- launches */

/* If a launch of a run does not fit, the first of them is blamed, as none of them runs without the others. */
static bool runs_fit(ws_engine *e, uint32_t last, uint32_t *culprit, ws_error *err) {
    bool fit = true;
    for (uint32_t first = 1, count; fit && first <= last; first += count) {
        count = ws_launches_from(e, first);
        e->launch_count = ws_places_for(e, count);
        e->streams.first = count > 1 ? first : 0;
        for (uint32_t i = 0; fit && i < count; i++) fit = ws_launch_fits(e, 0, first + i, err);
        if (!fit) *culprit = first;
    }
    e->launch_count = 0;
    return fit;
}

bool ws_launches_fit(ws_engine *e, uint32_t last, uint32_t *culprit, ws_error *err) {
    return e->program_count ? ws_programs_fit(e, err) : runs_fit(e, last, culprit, err);
}
