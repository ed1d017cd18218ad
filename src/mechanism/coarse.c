/* Coarse-grained fetch (XI 5.4, 5.5), in the slot `fetch`: a read of a line makes the L1 fetch its neighbours, too,
 * while the SM's reads so far are of the coarse-grained class (parts/grain.h). Set dueling turns it off where it harms
 * (parts/duel.h). */
#include "base/array.h"
#include "mechanism/parts/duel.h"
#include "mechanism/parts/grain.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters and results */

typedef struct coarse_params {
    int64_t lines, duel_cycles, grain_window, grain_reads;
    bool on_miss_only, dueling;
} coarse_params;

static const ws_param params[] = {
    WS_INT(coarse_params, lines, "coarse.lines", "lines", 2, 1, WS_GROUP_LINES,
           "Lines of an aligned group that are read together, and fetched where they are absent: 2 or 4 (XI "
           "5.5: coarse2, coarse4), by one request to each L2 slice that has some of them. 1: nothing is "
           "fetched beyond the line asked for."),
    WS_BOOL(coarse_params, on_miss_only, "coarse.on_miss_only", false,
            "Whether the neighbours are looked up only when the read itself goes to memory (caption of XI "
            "Fig. 57). false: at every read (XI 5.4)."),
    WS_BOOL(coarse_params, dueling, "coarse.dueling", true,
            "Whether SMs duel (set dueling, XI 5.5): the first SM never fetches coarsely, the second does, "
            "the others do as the one with more thread instructions since the last comparison; before the "
            "first one, and after a tie, they do not. Of two programs on SMs of their own, the first two SMs "
            "may run different ones: then the duel compares programs, and false is the better choice."),
    WS_INT(coarse_params, duel_cycles, "coarse.duel_cycles", "cycles", 1000, 1, 1000000000,
           "Cycles after which an SM compares the two dueling SMs again (not published: our choice)."),
    WS_INT(coarse_params, grain_window, "coarse.grain_window", "accesses", 64, 0, 4096,
           "Window w, even, by which an SM's reads are classed: coarse-grained if more of them find their "
           "pair of lines among the last w/2 reads than find their line among the last w (equal capacity, XI "
           "Figs. 55 and 56; XI 5.4 does not give w). Fine-grained reads fetch nothing else. 0: all reads "
           "count as coarse-grained."),
    WS_INT(coarse_params, grain_reads, "coarse.grain_reads", "accesses", 64, 1, 1000000000,
           "Reads of an SM before its class counts; until then it fetches nothing else (our choice)."),
};

static bool validate(const void *values, ws_error *err) {
    const coarse_params *p = values;
    if (p->lines & (p->lines - 1))
        return ws_fail(err, WS_ERROR_SPEC, "coarse.lines: expected 1, 2 or 4, found %lld",
                       (long long)p->lines);
    if (p->grain_window % 2)
        return ws_fail(err, WS_ERROR_SPEC, "coarse.grain_window: expected an even number, found %lld",
                       (long long)p->grain_window);
    return true;
}

static const ws_need needs[] = {
    {.param = "coarse.duel_cycles", .of = "coarse.dueling", .value = "false", .other_than = true},
    {.param = "coarse.grain_reads", .of = "coarse.grain_window", .value = "0", .other_than = true},
};

const ws_component ws_coarse_component = {.name = "coarse",
                                          .summary = "Coarse-grained fetch",
                                          .source = "XI 5.4, 5.5",
                                          .params = params,
                                          .param_count = WS_COUNT(params),
                                          .struct_size = sizeof(coarse_params),
                                          .needs = needs,
                                          .need_count = WS_COUNT(needs),
                                          .validate = validate};

enum { READS, COARSE, FETCHED, DROPPED, USED, COUNTS };
#define LINES(name, help)                                                                                    \
    { name, WS_TYPE_INT, "lines", WS_ADDS_SUM, help }
static const ws_column columns[] = {
    [READS] = {"reads", WS_TYPE_INT, "accesses", WS_ADDS_SUM, "Reads that L1s served."},
    [COARSE] = {"coarse_reads", WS_TYPE_INT, "accesses", WS_ADDS_SUM,
                "Reads that looked for their neighbours, as their SM's class and the duel allowed."},
    [FETCHED] = LINES("fetched", "Neighbouring lines that were absent and were fetched."),
    [DROPPED] =
        LINES("dropped", "Neighbouring lines that were absent and were not fetched: no way of the set, MSHR "
                         "or place in the miss queue was free. Reads do not wait for them."),
    [USED] = LINES("used", "Fetched neighbours that a read asked for before they were replaced."),
};
WS_HAS_ROOM_FOR(columns);
static const ws_ratio ratios[] = {
    {"used_share", "", "1.0 * used / nullif(fetched, 0)",
     "Share of the fetched neighbours that a read used."},
};
const ws_table ws_coarse_table = {
    "coarse_counters", "Coarse-grained fetch", columns, WS_COUNT(columns), ratios, WS_COUNT(ratios)};

enum { GRAIN_DETECTOR, DUEL };
static const ws_structure structures[] = {
    [GRAIN_DETECTOR] =
        {"grain detector",
         "Per SM: coarse.grain_window addresses of lines, each 48 bits without the offset in a line "
         "(l1.line_B), and three 32-bit counters; nothing with coarse.grain_window 0. Our own estimate."},
    [DUEL] = {"set dueling", "Per SM: two 32-bit counters of instructions and the SM's present choice; "
                             "nothing without coarse.dueling. Our own estimate."},
};

static size_t cost(const ws_config *config, ws_cost costs[WS_COSTS_MAX]) {
    const coarse_params *p = ws_config_get(config, &ws_coarse_component);
    const ws_l1_params *l1 = ws_config_get(config, &ws_l1_component);
    costs[0] = (ws_cost){&structures[GRAIN_DETECTOR], WS_PER_SM,
                         ws_grain_bits((uint32_t)p->grain_window, (uint64_t)l1->line_B)};
    costs[1] =
        (ws_cost){&structures[DUEL], WS_PER_SM, ws_duel_bits(p->dueling ? (uint64_t)p->duel_cycles : 0)};
    return 2;
}

static bool check(const ws_config *config, ws_error *err) {
    const coarse_params *p = ws_config_get(config, &ws_coarse_component);
    const ws_gpu_params *gpu = ws_config_get(config, &ws_gpu_component);
    int64_t sms = gpu->clusters * gpu->sms_per_cluster;
    return !p->dueling || sms >= WS_DUEL_SMS_MIN ||
           ws_fail(err, WS_ERROR_SPEC,
                   "coarse.dueling: expected at least %d SMs (gpu.clusters x gpu.sms_per_cluster), found "
                   "%lld; set it to false",
                   WS_DUEL_SMS_MIN, (long long)sms);
}

/* ---- the slot */

typedef struct coarse {
    const coarse_params *params;
    ws_grain grain;
    ws_duel duel;
    uint64_t *unused; /* per way: the fetched line in it that no read has asked for yet, or WS_NO_LINE */
    uint64_t counts[COUNTS];
} coarse;

static void destroy(void *self) {
    coarse *c = self;
    if (!c) return;
    ws_grain_free(&c->grain);
    free(c->unused);
    free(c);
}

static void *create(const ws_engine *e, const ws_sm *s, const void *params_) {
    const coarse_params *p = params_;
    coarse *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->params = p;
    ws_duel_init(&c->duel, p->dueling ? (uint64_t)p->duel_cycles : 0, e, s);
    size_t ways = (size_t)s->l1.sets * s->l1.ways;
    c->unused = malloc(ways * sizeof *c->unused);
    for (size_t i = 0; c->unused && i < ways; i++) c->unused[i] = WS_NO_LINE;
    if (ws_grain_init(&c->grain, (uint32_t)p->grain_window) && c->unused) return c;
    destroy(c);
    return NULL;
}

static bool is_coarse_grained(const coarse *c) {
    const ws_grain *g = &c->grain;
    return !g->window || (g->reads >= (uint64_t)c->params->grain_reads && g->coarse > g->fine);
}

static void note_use(coarse *c, const ws_l1_read *read) {
    if (read->way == WS_NO_WAY || c->unused[read->way] != read->line) return;
    c->unused[read->way] = WS_NO_LINE;
    c->counts[USED]++;
}

static uint8_t wants(void *self, const ws_engine *e, const ws_sm *s, const ws_l1_read *read) {
    coarse *c = self;
    c->counts[READS]++;
    note_use(c, read);
    ws_grain_read(&c->grain, read->line);
    if (!is_coarse_grained(c) || !ws_duel_says(&c->duel, e, s->index)) return 0;
    if (c->params->on_miss_only && !read->missed) return 0;
    c->counts[COARSE]++;
    uint32_t lines = (uint32_t)c->params->lines, group = (1u << lines) - 1;
    return (uint8_t)(group << (read->line % WS_GROUP_LINES & ~(uint64_t)(lines - 1)));
}

static void fetched(void *self, bool sent) {
    coarse *c = self;
    c->counts[sent ? FETCHED : DROPPED]++;
}

static void arrived(void *self, uint64_t line, uint32_t way, bool fetched_, bool asked) {
    coarse *c = self;
    c->counts[USED] += fetched_ && asked;
    if (way != WS_NO_WAY) c->unused[way] = asked ? WS_NO_LINE : line;
}

static void count(void *self, const ws_engine *e, uint64_t *counts) {
    (void)e;
    const coarse *c = self;
    memcpy(counts, c->counts, sizeof c->counts);
}

static const ws_fetch_slot fetch = {.create = create,
                                    .destroy = destroy,
                                    .wants = wants,
                                    .fetched = fetched,
                                    .arrived = arrived,
                                    .count = count};

const ws_mechanism ws_mechanism_coarse = {
    .name = "coarse",
    .summary = "Coarse-grained fetch: a read fetches its line's neighbours, too",
    .source = "XI 5.4",
    .version = 7,
    .component = &ws_coarse_component,
    .table = &ws_coarse_table,
    .structures = structures,
    .structure_count = WS_COUNT(structures),
    .cost = cost,
    .check = check,
    .fetch = &fetch};
