/* Uniform-vector execution (XI 2.4), in the slot `core`: arithmetic whose sources are the same in all lanes, and all
 * lanes active, executes as one scalar operation, and the scheduler goes on in the next cycle. */
#include "mechanism/scalar_unit.h"
#include "timed/engine.h"

#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- parameters and results */

typedef struct scalar_params {
    int copy; /* enum scalar_copy */
} scalar_params;

static const char *const copy_names[] = {[SCALAR_COPY_SOURCE] = "source", [SCALAR_COPY_ANY] = "any", NULL};

static const ws_param params[] = {
    WS_CHOICE(scalar_params, copy, "scalar.copy", SCALAR_COPY_SOURCE, copy_names,
              "Before which writes by a part of the lanes a copy instruction gives the value of a uniform "
              "register to all its lanes. source: to a uniform register that the instruction reads, too (XI "
              "2.4.1). any: to every uniform register, as its other lanes would lose their value."),
};

const ws_component ws_scalar_component = {.name = "scalar",
                                          .summary = "Uniform vector instructions as scalar ones",
                                          .source = "XI 2.4",
                                          .params = params,
                                          .param_count = COUNT(params),
                                          .struct_size = sizeof(scalar_params)};

enum { CONVERTED, COPIES, COUNTS };
#define INSTRUCTIONS(name, help)                                                                             \
    { name, WS_TYPE_INT, "warp instructions", WS_ADDS_SUM, help }
static const ws_column columns[] = {
    [CONVERTED] =
        INSTRUCTIONS("converted", "Uniform vector instructions that executed as scalar ones (XI 2.4.1)."),
    [COPIES] = INSTRUCTIONS("copies", "Copy instructions that were inserted (XI 2.4.1, Fig. 7)."),
};
const ws_table ws_scalar_table = {
    "scalar_counters", "Uniform-vector execution", columns, COUNT(columns), NULL, 0};

/* One token for each vector register of the SM. */
static size_t cost(const ws_config *config, ws_cost costs[WS_COSTS_MAX]) {
    enum { WARP_SIZE = 32 };
    const ws_sm_params *sm = ws_config_get(config, &ws_sm_component);
    costs[0] = (ws_cost){"token file", "SM", (uint64_t)sm->registers / WARP_SIZE};
    return 1;
}

/* ---- the slot */

typedef struct scalar {
    ws_tokens *tokens; /* made by the first SM, for all */
    bool owns_tokens;
    scalar_unit unit;
    uint64_t counts[COUNTS];
} scalar;

static bool takes(const void *p, const ws_trace *trace, ws_error *err) {
    (void)p;
    return ws_trace_get_info(trace)->features & WS_FEATURE_REGISTERS ||
           ws_fail(err, WS_ERROR_TRACE, "mechanism.core: %s has no registers, which scalar follows",
                   ws_trace_path(trace));
}

static uint32_t wants(const void *p) {
    (void)p;
    return WS_WANT_ADDRESSES;
}

static void destroy(void *self) {
    scalar *c = self;
    if (!c) return;
    scalar_unit_free(&c->unit);
    if (c->owns_tokens) ws_tokens_free(c->tokens);
    free(c);
}

static void *create(const ws_engine *e, uint32_t sm, const void *params_) {
    (void)sm;
    const scalar_params *p = params_;
    const scalar *first = e->sms[0].core;
    scalar *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->owns_tokens = !first;
    c->tokens = first ? first->tokens : ws_tokens_new(e->trace);
    if (c->tokens &&
        scalar_unit_init(&c->unit, c->tokens, ws_trace_statics(e->trace), (enum scalar_copy)p->copy))
        return c;
    destroy(c);
    return NULL;
}

static void warp_started(void *self, const ws_engine *e, unsigned warp, const ws_timed_warp *content) {
    (void)e;
    scalar_unit_start(&((scalar *)self)->unit, warp, content->flow);
}

static bool inserts(void *self, const ws_engine *e, const ws_sm *s, unsigned warp, ws_issue *how) {
    (void)e, (void)s, (void)how;
    scalar *c = self;
    bool copies = scalar_unit_copies(&c->unit, warp);
    c->counts[COPIES] += copies;
    return copies;
}

static void issued(void *self, ws_engine *e, ws_sm *s, unsigned warp, const ws_timed_inst *inst,
                   ws_issue *how) {
    (void)e, (void)s, (void)inst;
    scalar *c = self;
    if (!scalar_unit_issue(&c->unit, warp)) return;
    c->counts[CONVERTED]++;
    how->unit_cycles = how->issue_cycles = 1;
}

static void count(const void *self, uint64_t *counts) {
    const scalar *c = self;
    for (int i = 0; i < COUNTS; i++) counts[i] += c->counts[i];
}

static const ws_core_slot core = {.takes = takes,
                                  .wants = wants,
                                  .create = create,
                                  .destroy = destroy,
                                  .warp_started = warp_started,
                                  .inserts = inserts,
                                  .issued = issued,
                                  .count = count};

const ws_mechanism ws_mechanism_scalar = {.name = "scalar",
                                          .summary = "Uniform vector instructions execute as scalar ones",
                                          .source = "XI 2.4",
                                          .component = &ws_scalar_component,
                                          .table = &ws_scalar_table,
                                          .cost = cost,
                                          .core = &core};
