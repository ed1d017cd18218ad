/* The list of mechanisms, the parameters mechanism.SLOT that turn them on, and which mechanisms exclude each other. */
#include "base/array.h"
#include "warpsweep/mechanism.h"

#include "mechanism/parts/warppool_queues.h"
#include "timed/slots.h"
#include "warpsweep/timed.h"

#include <stddef.h>
#include <string.h>

/* ---- mechanism.SLOT */

typedef struct slot_params {
    int dispatch, core, front, fetch, cluster, partition; /* indices into their choices */
} slot_params;

#define X(name, what) #name,
static const char *const dispatch_choices[] = {"none", WS_DISPATCH_MECHANISMS(X) NULL};
static const char *const core_choices[] = {"none", WS_CORE_MECHANISMS(X) NULL};
static const char *const front_choices[] = {"none", WS_FRONT_MECHANISMS(X) NULL};
static const char *const fetch_choices[] = {"none", WS_FETCH_MECHANISMS(X) NULL};
static const char *const cluster_choices[] = {"none", WS_CLUSTER_MECHANISMS(X) NULL};
static const char *const partition_choices[] = {"none", WS_PARTITION_MECHANISMS(X) NULL};
#undef X

#define X(name, what) " " #name ": " what "."
static const ws_param slot_parameters[] = {
    WS_CHOICE(slot_params, dispatch, "mechanism.dispatch", 0, dispatch_choices,
              "How SMs take CTAs." WS_DISPATCH_MECHANISMS(X)),
    WS_CHOICE(slot_params, core, "mechanism.core", 0, core_choices,
              "How the core of an SM issues and executes instructions." WS_CORE_MECHANISMS(X)),
    WS_CHOICE(slot_params, front, "mechanism.front", 0, front_choices,
              "What sits between the load/store unit and the L1 of an SM." WS_FRONT_MECHANISMS(X)),
    WS_CHOICE(slot_params, fetch, "mechanism.fetch", 0, fetch_choices,
              "What an L1 fetches beside the lines that it is asked for." WS_FETCH_MECHANISMS(X)),
    WS_CHOICE(slot_params, cluster, "mechanism.cluster", 0, cluster_choices,
              "What sits between the L1s of a cluster and its network port." WS_CLUSTER_MECHANISMS(X)),
    WS_CHOICE(slot_params, partition, "mechanism.partition", 0, partition_choices,
              "What sits in the memory partitions beside the L2." WS_PARTITION_MECHANISMS(X)),
};
#undef X

const ws_component ws_mechanism_component = {.name = "mechanism",
                                             .summary = "Mechanisms that are on, by the slot that they own",
                                             .source = "",
                                             .params = slot_parameters,
                                             .param_count = WS_COUNT(slot_parameters),
                                             .struct_size = sizeof(slot_params)};

/* ---- by name */

#define X(name, what) &ws_mechanism_##name,
static const ws_mechanism *const mechanisms[] = {WS_MECHANISMS(X) NULL};
static const ws_mechanism *const dispatch_owners[] = {NULL, WS_DISPATCH_MECHANISMS(X)};
static const ws_mechanism *const core_owners[] = {NULL, WS_CORE_MECHANISMS(X)};
static const ws_mechanism *const front_owners[] = {NULL, WS_FRONT_MECHANISMS(X)};
static const ws_mechanism *const fetch_owners[] = {NULL, WS_FETCH_MECHANISMS(X)};
static const ws_mechanism *const cluster_owners[] = {NULL, WS_CLUSTER_MECHANISMS(X)};
static const ws_mechanism *const partition_owners[] = {NULL, WS_PARTITION_MECHANISMS(X)};
#undef X

const ws_mechanism *const *ws_mechanisms(void) {
    return mechanisms;
}

const ws_mechanism *ws_mechanism_of_param(const char *name) {
    for (const ws_mechanism *const *m = mechanisms; name && *m; m++) {
        size_t prefix = strlen((*m)->name);
        if (strncmp(name, (*m)->name, prefix) == 0 && name[prefix] == '.') return *m;
    }
    return NULL;
}

const ws_param *ws_mechanism_switch(const ws_mechanism *mechanism) {
    for (const ws_param *p = slot_parameters; p < slot_parameters + WS_COUNT(slot_parameters); p++)
        for (const char *const *choice = p->choices; *choice; choice++)
            if (strcmp(*choice, mechanism->name) == 0) return p;
    return NULL;
}

static void add(ws_mechanism_set *set, const ws_mechanism *mechanism) {
    if (mechanism) set->at[set->count++] = mechanism;
}

static void add_all(ws_mechanism_set *set, const slot_params *slots) {
    add(set, dispatch_owners[slots->dispatch]);
    add(set, core_owners[slots->core]);
    add(set, front_owners[slots->front]);
    add(set, fetch_owners[slots->fetch]);
    add(set, cluster_owners[slots->cluster]);
    add(set, partition_owners[slots->partition]);
}

static bool works(const ws_mechanism *mechanism, const ws_config *config, ws_error *err) {
    return ws_mechanism_check(mechanism, err) && ws_config_has(config, &mechanism->component, 1, err) &&
           (!mechanism->check || mechanism->check(config, err));
}

/* True if the mechanism needs more of an instruction than the baseline: its data flow, mask or branch outcome. */
static bool looks_into_instructions(const ws_core_slot *core) {
    return core->wants || core->wants_masks || core->wants_branches;
}

/* Refuses such a core mechanism beside an owner of the slot `partition`: instructions that warps get from that owner
 * come without data flow, masks and branch outcomes. */
static bool go_together(const ws_mechanism_set *set, ws_error *err) {
    const ws_mechanism *core = NULL, *partition = NULL;
    for (size_t i = 0; i < set->count; i++) {
        if (set->at[i]->core) core = set->at[i];
        if (set->at[i]->partition) partition = set->at[i];
    }
    return !core || !partition || !looks_into_instructions(core->core) ||
           ws_fail(err, WS_ERROR_SPEC, "mechanism.core: expected none with mechanism.partition %s, found %s",
                   partition->name, core->name);
}

/* Reports two owners of the L1's slot. If the second one has a parameter of its own that turns this part off (not just
 * mechanism.SLOT), the error suggests to set it to none. */
static bool fail_l1(const ws_mechanism *first, const ws_mechanism *second, const ws_config *config,
                    ws_error *err) {
    const char *by_first = first->l1_by(config), *by_second = second->l1_by(config);
    bool spare = ws_mechanism_of_param(by_second);
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s, %s: expected one of them to be none: %s and %s both own the slot of the L1%s%s%s",
                   by_first, by_second, first->name, second->name, spare ? "; set " : "",
                   spare ? by_second : "", spare ? " to none to have both" : "");
}

static bool share_no_l1(const ws_mechanism_set *set, const ws_config *config, ws_error *err) {
    const ws_mechanism *owner = NULL;
    for (size_t i = 0; i < set->count; i++) {
        const ws_mechanism *m = set->at[i];
        if (!m->l1 || !m->l1_by(config)) continue;
        if (owner) return fail_l1(owner, m, config, err);
        owner = m;
    }
    return true;
}

bool ws_mechanisms_of(const ws_config *config, ws_mechanism_set *set, ws_error *err) {
    *set = (ws_mechanism_set){.count = 0};
    const slot_params *slots = ws_config_get(config, &ws_mechanism_component);
    if (slots) add_all(set, slots);
    for (size_t i = 0; i < set->count; i++)
        if (!works(set->at[i], config, err)) return false;
    return go_together(set, err) && share_no_l1(set, config, err);
}

const char *const ws_per_names[] = {
    [WS_PER_SM] = "SM", [WS_PER_CLUSTER] = "cluster", [WS_PER_PARTITION] = "partition", [WS_PER_GPU] = "GPU"};

const ws_structure ws_coalescers_structure = {
    "intra-warp coalescers", "Per SM: 256 B for each of core.coalescers beyond the first (WP tab. 1)."};

static size_t coalescer_costs(const ws_config *config, ws_cost costs[WS_COSTS_MAX]) {
    const ws_core_params *core = ws_config_get(config, &ws_core_component);
    if (core->coalescers == 1) return 0;
    costs[0] = (ws_cost){&ws_coalescers_structure, WS_PER_SM,
                         warppool_coalescer_bits((uint64_t)core->coalescers - 1)};
    return 1;
}

typedef size_t write_costs(const ws_config *config, ws_cost costs[WS_COSTS_MAX]);

/* Writes what one mechanism adds; returns the number of its structures. */
static size_t add_costs(const char *name, write_costs *cost, const ws_config *config, ws_added_cost *costs) {
    ws_cost own[WS_COSTS_MAX];
    size_t count = cost(config, own);
    for (size_t i = 0; i < count; i++) costs[i] = (ws_added_cost){name, own[i]};
    return count;
}

size_t ws_added_costs(const ws_config *config, const ws_mechanism_set *set,
                      ws_added_cost costs[WS_ADDED_COSTS_MAX]) {
    size_t all = 0;
    for (size_t i = 0; i < set->count; i++)
        if (set->at[i]->cost) all += add_costs(set->at[i]->name, set->at[i]->cost, config, costs + all);
    return all + add_costs("coalescers", coalescer_costs, config, costs + all);
}
