/* How operand collectors are laid out (ws_collecting, used by collect.c), and which layouts cannot work. */
#include "timed/sm/collect.h"

#include <string.h>

static int64_t own_collectors(const ws_core_params *core) {
    return core->fp_collectors + core->dp_collectors + core->sfu_collectors + core->memory_collectors;
}

static uint32_t lanes_of(const ws_engine *e) {
    return e->core->sub_cores ? (uint32_t)e->sm_params->schedulers : 1;
}

static uint32_t at_most(uint32_t count, uint32_t most) {
    return count < most ? count : most;
}

/* Lays out one lane for all schedulers: each unit has a latch and a register. Sets are in the order in which GPGPU-Sim
 * looks at them. */
static void lay_out_one_lane(ws_engine *e) {
    const ws_core_params *core = e->core;
    ws_collecting *l = &e->collecting;
    const struct {
        uint8_t unit;
        int64_t collectors, ports; /* ports: 0: one per unit */
    } sets[WS_COLLECTOR_SETS] = {{.collectors = core->collectors, .ports = core->collector_ports},
                                 {WS_UNIT_FP, core->fp_collectors, core->fp_ports},
                                 {WS_UNIT_DP, core->dp_collectors, core->dp_ports},
                                 {WS_UNIT_SFU, core->sfu_collectors, core->sfu_ports},
                                 {WS_UNIT_MEMORY, core->memory_collectors, 0}};
    for (unsigned u = 0; u < WS_UNIT_COUNT; u++)
        l->width[u] = (uint8_t)at_most(e->units[u], WS_SCHEDULERS_MAX);
    l->width[WS_UNIT_MEMORY] = (uint8_t)core->memory_ports;
    l->behind = (uint32_t)core->memory_ports;
    for (uint32_t set = 0, first = 0; set < WS_COLLECTOR_SETS; first += (uint32_t)sets[set++].collectors) {
        l->members[set] = (uint32_t)(((UINT64_C(1) << sets[set].collectors) - 1) << first);
        l->unit_of[set] = sets[set].unit;
        l->ports[set] = sets[set].ports ? (uint8_t)at_most((uint32_t)sets[set].ports, WS_SCHEDULERS_MAX)
                                        : l->width[sets[set].unit];
    }
}

static void lay_out_sub_cores(ws_engine *e) {
    const ws_core_params *core = e->core;
    ws_collecting *l = &e->collecting;
    memset(l->width, 1, sizeof l->width);
    l->members[0] = (1u << core->collectors) - 1;
    l->behind = (uint32_t)(core->memory_queue / core->memory_ports - 1 - core->collectors);
}

/* A warp's registers lie one bank further on than those of the warp before it. */
static void place_warps(ws_collecting *l, uint32_t banks) {
    l->bank_bits = 4 * banks;
    l->all_banks = ~UINT64_C(0) >> (64 - l->bank_bits);
    for (uint32_t warp = 0; warp < WS_SLOTS; warp++) {
        l->lane_of_warp[warp] = (uint8_t)(warp % l->lanes);
        l->slots_of[warp % l->lanes] |= UINT64_C(1) << warp;
        l->bank_shift[warp] = (uint8_t)(warp % banks * 4);
    }
}

void ws_collect_lay_out(ws_engine *e) {
    const ws_core_params *core = e->core;
    uint32_t lanes = lanes_of(e), banks = (uint32_t)core->register_banks / lanes;
    e->collecting = (ws_collecting){.used = core->collectors + own_collectors(core) > 0,
                                    .sub_cores = core->sub_cores,
                                    .buses = (uint64_t)core->result_buses,
                                    .lanes = lanes,
                                    .per_lane = (uint32_t)(core->collectors + own_collectors(core)),
                                    .steps = (uint32_t)core->bank_reads,
                                    .by_steps = ws_divisor_of((uint64_t)core->bank_reads)};
    e->register_banks = ws_divisor_of(banks ? banks : 1);
    for (unsigned u = 0; u < WS_UNIT_COUNT; u++)
        e->collecting.units_apart[u] = core->sub_cores && e->units[u] == (uint32_t)e->sm_params->schedulers;
    if (!e->collecting.used) return;
    place_warps(&e->collecting, banks);
    if (core->sub_cores)
        lay_out_sub_cores(e);
    else
        lay_out_one_lane(e);
}

/* ---- what cannot work */

static bool banks_fit(const ws_engine *e, ws_error *err) {
    int64_t lanes = lanes_of(e), banks = e->core->register_banks;
    return (banks % lanes == 0 && banks / lanes <= WS_REGISTER_BANKS_MAX) ||
           ws_fail(err, WS_ERROR_SPEC,
                   "core.register_banks: expected a multiple of %lld%s, at most %d for each, found %lld",
                   (long long)lanes, e->core->sub_cores ? " = sm.schedulers" : "", WS_REGISTER_BANKS_MAX,
                   (long long)banks);
}

static bool sub_cores_fit(const ws_engine *e, ws_error *err) {
    const ws_core_params *core = e->core;
    if (core->memory_ports != e->sm_params->schedulers)
        return ws_fail(err, WS_ERROR_SPEC,
                       "core.collectors: expects a memory port for each scheduler, found core.memory_ports = "
                       "%lld and sm.schedulers = %lld",
                       (long long)core->memory_ports, (long long)e->sm_params->schedulers);
    int64_t least = core->memory_ports * (core->collectors + 2);
    return core->memory_queue >= least ||
           ws_fail(err, WS_ERROR_SPEC,
                   "core.memory_queue: expected at least core.memory_ports x (core.collectors + 2) = %lld, "
                   "found %lld",
                   (long long)least, (long long)core->memory_queue);
}

static bool sets_fit(const ws_core_params *core, ws_error *err) {
    int64_t all = core->collectors + own_collectors(core);
    return all <= WS_COLLECTORS_MAX ||
           ws_fail(err, WS_ERROR_SPEC,
                   "core.collectors, core.fp_collectors, core.dp_collectors, core.sfu_collectors, "
                   "core.memory_collectors: expected at most %d together, found %lld",
                   WS_COLLECTORS_MAX, (long long)all);
}

/* Whether each kind of unit has collectors that its instructions may take. */
static bool one_lane_fits(const ws_engine *e, ws_error *err) {
    const ws_core_params *core = e->core;
    bool others = core->int_units || core->tensor_units || core->branch_units || core->uniform_units,
         own = (core->fp_collectors || !core->fp_units) && (core->dp_collectors || !core->dp_units) &&
               (core->sfu_collectors || !core->sfu_units) && core->memory_collectors;
    if (!core->collectors && (others || !own))
        return ws_fail(err, WS_ERROR_SPEC,
                       "core.collectors: expected some for the units that have none of their own, found 0; "
                       "FP units may have core.fp_collectors, double-precision units core.dp_collectors, "
                       "special-function units core.sfu_collectors, the load/store unit "
                       "core.memory_collectors");
    if (!sets_fit(core, err)) return false;
    int64_t least = 2 * core->memory_ports + core->collectors + core->memory_collectors;
    return core->memory_queue >= least ||
           ws_fail(err, WS_ERROR_SPEC,
                   "core.memory_queue: expected at least 2 x core.memory_ports + core.collectors + "
                   "core.memory_collectors = %lld, found %lld",
                   (long long)least, (long long)core->memory_queue);
}

bool ws_collect_fits(const ws_engine *e, ws_error *err) {
    if (!e->core->collectors && !own_collectors(e->core)) return true;
    return (e->core->sub_cores ? sub_cores_fit(e, err) : one_lane_fits(e, err)) && banks_fit(e, err);
}
