#include "replay/prepared.h"

#include "base/buffer.h"
#include "replay/coalesce.h"
#include "replay/lines.h"
#include "replay/local.h"
#include "trace/names.h"

#include <stdlib.h>

/* How the replay treats a static instruction. */
enum kind {
    KIND_PLAIN,
    KIND_SKIPPED, /* not issued */
    KIND_BARRIER,
    KIND_MEMORY,  /* makes requests */
    KIND_RETURNS, /* makes requests, and the warp waits for their values */
};

/* The arrays that the warps of a CTA point to. */
enum { REQUESTS, ADDRESSES, INSTS, INST_ADDRESSES, VALUES, RUNS, ARRAYS };

struct ws_prepared {
    const ws_trace *trace;
    uint32_t kernel;
    ws_prepared_options options;
    size_t budget_B, kept_B;

    ws_reader *reader;
    ws_coalescer coalescer;
    uint8_t *kinds;       /* per static instruction: enum kind */
    ws_local_place place; /* of the warp that is being prepared */
    ws_lines lines;
    ws_buffer line_addresses;     /* per line number: address / line_B */
    ws_buffer arrays[ARRAYS];     /* of the CTA that is being prepared */
    uint32_t cta_count, expected; /* CTAs of the kernel; only the first `expected` ones will be asked for */
    ws_prepared_cta **ctas;       /* per CTA; NULL: not kept */
};

static bool keeps(const ws_prepared *p, uint32_t what) {
    return p->options.keep & what;
}

/* ---- life */

static enum kind kind_of(const ws_static *s, bool issue_meta) {
    if (s->class_ == WS_CLASS_META && !issue_meta) return KIND_SKIPPED;
    if (s->class_ == WS_CLASS_BARRIER) return KIND_BARRIER;
    if (!ws_static_is_global_or_local(s)) return KIND_PLAIN;
    return s->op == WS_MEMORY_LOAD || s->op == WS_MEMORY_ATOMIC ? KIND_RETURNS : KIND_MEMORY;
}

ws_prepared *ws_prepared_new(const ws_trace *trace, ws_reader *reader, uint32_t kernel,
                             const ws_prepared_options *options, size_t budget_B, ws_error *err) {
    ws_prepared *p = calloc(1, sizeof *p);
    if (!p) {
        ws_no_memory(err);
        return NULL;
    }
    const ws_trace_info *info = ws_trace_get_info(trace);
    p->trace = trace;
    p->reader = reader;
    p->kernel = kernel;
    p->options = *options;
    p->budget_B = budget_B;
    p->coalescer = ws_coalescer_of((unsigned)options->coalesce.line_B, (unsigned)options->coalesce.sector_B);
    p->cta_count = p->expected = (uint32_t)ws_trace_kernel(trace, kernel)->counters.ctas;
    p->kinds = malloc((size_t)info->static_count + 1);
    p->ctas = calloc((size_t)p->cta_count + 1, sizeof *p->ctas);
    bool ok = (p->kinds && p->ctas) || ws_no_memory(err);
    if (!ok || (keeps(p, WS_WANT_VALUES) && !ws_reader_with_values(reader, err))) {
        ws_prepared_free(p);
        return NULL;
    }
    const ws_static *statics = ws_trace_statics(trace);
    for (uint32_t i = 0; i < info->static_count; i++)
        p->kinds[i] = (uint8_t)kind_of(&statics[i], options->issue_meta);
    return p;
}

void ws_prepared_free(ws_prepared *p) {
    if (!p) return;
    for (uint32_t i = 0; p->ctas && i < p->cta_count; i++) free(p->ctas[i]);
    free(p->ctas);
    free(p->kinds);
    ws_lines_free(&p->lines);
    ws_buffer_free(&p->line_addresses);
    for (int k = 0; k < ARRAYS; k++) ws_buffer_free(&p->arrays[k]);
    free(p);
}

bool ws_prepared_is(const ws_prepared *p, uint32_t kernel, const ws_prepared_options *options) {
    const ws_prepared_options *o = &p->options;
    return p->kernel == kernel && o->coalesce.line_B == options->coalesce.line_B &&
           o->coalesce.sector_B == options->coalesce.sector_B && o->issue_meta == options->issue_meta &&
           o->keep == options->keep;
}

uint32_t ws_prepared_keeps(const ws_prepared *p) {
    return p->options.keep;
}

const uint64_t *ws_prepared_line_addresses(const ws_prepared *p) {
    return (const uint64_t *)(const void *)p->line_addresses.data;
}

/* ---- local memory */

/* The place of a warp's threads among all threads of the launch. */
static ws_local_place place_of(const ws_prepared *p, const ws_cta *cta, const ws_warp *warp) {
    if (!ws_local_is_common(p->trace)) return (ws_local_place){0};
    const ws_kernel *kernel = ws_trace_kernel(p->trace, p->kernel);
    uint64_t lanes = ws_trace_get_info(p->trace)->warp_size,
             of_cta = ws_local_threads_of_cta(p->trace, kernel);
    return (ws_local_place){.first_thread = of_cta * ws_dim3_linear(kernel->grid, cta->id) + lanes * warp->id,
                            .threads = ws_local_threads(p->trace, kernel)};
}

/* What the lanes of a warp access with one instruction. */
typedef struct access {
    const ws_static *s;
    uint64_t mask;
    const uint64_t *addresses;
    unsigned lanes;
} access;

static access access_of(const ws_prepared *p, const ws_warp *warp, uint32_t i) {
    return (access){&ws_trace_statics(p->trace)[warp->static_id[i]], warp->mask[i],
                    warp->addresses + warp->address_at[i], warp->address_at[i + 1] - warp->address_at[i]};
}

static bool has_places(const ws_prepared *p, const access *a) {
    return a->s->space == WS_SPACE_LOCAL && p->place.threads;
}

static void find_places(const ws_prepared *p, const access *a, unsigned unit_B, unsigned nth,
                        uint64_t *places) {
    ws_local_place place = p->place;
    place.base = ws_local_base(unit_B);
    ws_local_addresses(&place, unit_B, nth, a->mask, a->addresses, places);
}

/* ---- preparing */

/* Appends the requests of accesses that are coalesced, and numbers their lines. */
static bool add_lines(ws_prepared *p, const uint64_t *addresses, unsigned lanes, unsigned width,
                      unsigned *total, ws_error *err) {
    ws_coalesced lines[WS_COALESCED_MAX];
    unsigned count = ws_coalesce(&p->coalescer, addresses, lanes, width, lines);
    for (unsigned i = 0; i < count; i++) {
        ws_request r = {.words = lines[i].words, .bytes = lines[i].bytes, .sectors = lines[i].sectors};
        uint32_t known = p->lines.count;
        if (!ws_lines_number(&p->lines, lines[i].line, &r.line))
            return ws_fail(err, WS_ERROR_MEMORY, "out of memory: %u lines are touched", p->lines.count);
        if (p->lines.count > known) ws_buffer_put(&p->line_addresses, &lines[i].line, sizeof lines[i].line);
        ws_buffer_put(&p->arrays[REQUESTS], &r, sizeof r);
    }
    *total += count;
    return true;
}

/* The same for local memory: the first word of all lanes is one access, the second another (as GPGPU-Sim does). */
static bool add_words(ws_prepared *p, const access *a, unsigned *total, ws_error *err) {
    uint64_t places[WS_LANES_MAX];
    unsigned words = ws_local_words(a->s->width_B), width = words > 1 ? WS_LOCAL_WORD_B : a->s->width_B;
    for (unsigned i = 0; i < words; i++) {
        find_places(p, a, WS_LOCAL_WORD_B, i, places);
        if (!add_lines(p, places, a->lanes, width, total, err)) return false;
    }
    return true;
}

/* Appends the lanes' addresses; those of local memory so that the bytes of a lane's access stay together. */
static void put_addresses(ws_prepared *p, const access *a, ws_buffer *out) {
    uint64_t places[WS_LANES_MAX];
    const uint64_t *addresses = a->addresses;
    if (has_places(p, a)) {
        unsigned width = a->s->width_B;
        find_places(p, a, width > WS_LOCAL_WORD_B ? width : WS_LOCAL_WORD_B, 0, places);
        addresses = places;
    }
    ws_buffer_put(out, addresses, a->lanes * sizeof *addresses);
}

static bool add_requests(ws_prepared *p, const access *a, ws_run *run, ws_error *err) {
    unsigned count = 0;
    if (!(has_places(p, a) ? add_words(p, a, &count, err)
                           : add_lines(p, a->addresses, a->lanes, a->s->width_B, &count, err)))
        return false;
    if (count > WS_BATCH_MAX)
        return ws_fail(
            err, WS_ERROR_TRACE,
            "instruction %s at pc 0x%x: expected at most %d lines of %lld B per warp instruction, found %u",
            ws_trace_opcode(p->trace, a->s->opcode), a->s->pc, WS_BATCH_MAX,
            (long long)p->options.coalesce.line_B, count);
    if (keeps(p, WS_WANT_LANES)) put_addresses(p, a, &p->arrays[ADDRESSES]);
    run->requests = (uint16_t)count;
    run->lanes = (uint8_t)a->lanes;
    run->op = a->s->op;
    run->local = a->s->space == WS_SPACE_LOCAL;
    return true;
}

/* Appends the runs of one warp and their requests. */
static bool prepare_runs(ws_prepared *p, const ws_warp *warp, uint32_t *run_count, ws_error *err) {
    ws_buffer *runs = &p->arrays[RUNS];
    uint32_t issues = 0, threads = 0;
    *run_count = 0;
    for (uint32_t i = 0; i < warp->inst_count; i++) {
        enum kind kind = p->kinds[warp->static_id[i]];
        if (kind == KIND_SKIPPED) continue;
        issues++;
        threads += (uint32_t)__builtin_popcountll(warp->mask[i]);
        if (kind == KIND_PLAIN || warp->mask[i] == 0) continue;
        ws_run run = {.issues = issues, .inst = warp->static_id[i], .threads = threads};
        run.flags = kind == KIND_BARRIER ? WS_RUN_BARRIER : kind == KIND_RETURNS ? WS_RUN_DELAYS : 0;
        access a = access_of(p, warp, i);
        if (kind != KIND_BARRIER && !add_requests(p, &a, &run, err)) return false;
        ws_buffer_put(runs, &run, sizeof run);
        ++*run_count;
        issues = threads = 0;
    }
    if (issues > 0) {
        ws_run rest = {.issues = issues, .threads = threads};
        ws_buffer_put(runs, &rest, sizeof rest);
        ++*run_count;
    }
    if (*run_count > 0 && !runs->failed) {
        ws_run *last = (ws_run *)(void *)(runs->data + runs->size) - 1;
        last->flags |= WS_RUN_ENDS;
    }
    return true;
}

/* Appends the instructions of one warp. */
static void prepare_insts(ws_prepared *p, const ws_warp *warp) {
    uint32_t last_issued = UINT32_MAX;
    for (uint32_t i = 0; i < warp->inst_count; i++)
        if (p->kinds[warp->static_id[i]] != KIND_SKIPPED) last_issued = i;
    for (uint32_t i = 0; i < warp->inst_count; i++) {
        bool issued = p->kinds[warp->static_id[i]] != KIND_SKIPPED, at_end = i + 1 == warp->inst_count;
        access a = access_of(p, warp, i);
        ws_inst inst = {.mask = warp->mask[i], .inst = warp->static_id[i]};
        if (issued) inst.flags |= WS_INST_ISSUED;
        if (a.s->op != WS_MEMORY_NONE) inst.flags |= WS_INST_ACCESSES;
        if (at_end || (issued && i != last_issued)) inst.flags |= WS_INST_CLOSES;
        if (keeps(p, WS_WANT_VALUES)) inst.uniform = warp->uniform[i];
        if (keeps(p, WS_WANT_ADDRESSES)) put_addresses(p, &a, &p->arrays[INST_ADDRESSES]);
        ws_buffer_put(&p->arrays[INSTS], &inst, sizeof inst);
    }
    if (keeps(p, WS_WANT_VALUES) && warp->inst_count > 0)
        ws_buffer_put(&p->arrays[VALUES], warp->values,
                      warp->value_at[warp->inst_count] * sizeof *warp->values);
}

/* Where a warp's part of each array begins, in bytes. */
typedef struct part {
    size_t at[ARRAYS];
} part;

static bool prepare_warps(ws_prepared *p, const ws_cta *cta, ws_prepared_warp *warps, part *parts,
                          ws_error *err) {
    for (int k = 0; k < ARRAYS; k++) p->arrays[k].size = 0;
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        for (int k = 0; k < ARRAYS; k++) parts[i].at[k] = p->arrays[k].size;
        warps[i].id = cta->warps[i].id;
        p->place = place_of(p, cta, &cta->warps[i]);
        if (!prepare_runs(p, &cta->warps[i], &warps[i].run_count, err)) return false;
        warps[i].inst_count = cta->warps[i].inst_count;
        if (keeps(p, WS_KEEP_INSTRUCTIONS)) prepare_insts(p, &cta->warps[i]);
    }
    bool failed = p->line_addresses.failed;
    for (int k = 0; k < ARRAYS; k++) failed |= p->arrays[k].failed;
    return !failed || ws_no_memory(err);
}

/* Copies the warps and their arrays into one allocation. The elements of all arrays but the last are multiples of 8
 * bytes long, so each array is aligned. */
static ws_prepared_cta *pack(const ws_prepared *p, const ws_prepared_warp *warps, const part *parts,
                             uint32_t warp_count) {
    size_t size = sizeof(ws_prepared_cta) + warp_count * sizeof(ws_prepared_warp), start[ARRAYS];
    for (int k = 0; k < ARRAYS; k++) {
        start[k] = size;
        size += p->arrays[k].size;
    }
    ws_prepared_cta *cta = malloc(size);
    if (!cta) return NULL;
    cta->size_B = size;
    cta->warp_count = warp_count;
    for (int k = 0; k < ARRAYS; k++)
        if (p->arrays[k].size) memcpy((char *)cta + start[k], p->arrays[k].data, p->arrays[k].size);
    for (uint32_t w = 0; w < warp_count; w++) {
        const void *array[ARRAYS];
        for (int k = 0; k < ARRAYS; k++) array[k] = (char *)cta + start[k] + parts[w].at[k];
        cta->warps[w] = warps[w];
        cta->warps[w].requests = array[REQUESTS];
        cta->warps[w].addresses = keeps(p, WS_WANT_LANES) ? array[ADDRESSES] : NULL;
        cta->warps[w].insts = keeps(p, WS_KEEP_INSTRUCTIONS) ? array[INSTS] : NULL;
        cta->warps[w].inst_addresses = keeps(p, WS_WANT_ADDRESSES) ? array[INST_ADDRESSES] : NULL;
        cta->warps[w].values = keeps(p, WS_WANT_VALUES) ? array[VALUES] : NULL;
        cta->warps[w].runs = array[RUNS];
    }
    return cta;
}

static ws_prepared_cta *prepare(ws_prepared *p, uint32_t ordinal, ws_error *err) {
    ws_cta cta;
    if (!ws_reader_cta(p->reader, p->kernel, ordinal, &cta, err)) return NULL;
    ws_prepared_warp *warps = calloc((size_t)cta.warp_count + 1, sizeof *warps);
    part *parts = calloc((size_t)cta.warp_count + 1, sizeof *parts);
    ws_prepared_cta *prepared = NULL;
    if (!warps || !parts) {
        ws_no_memory(err);
    } else if (!prepare_warps(p, &cta, warps, parts, err)) {
        ws_fail_prefix(err, "%s: launch %u, CTA (%u,%u,%u)", ws_trace_path(p->trace), p->kernel, cta.id.x,
                       cta.id.y, cta.id.z);
    } else {
        prepared = pack(p, warps, parts, cta.warp_count);
        if (!prepared) ws_no_memory(err);
    }
    free(parts);
    free(warps);
    return prepared;
}

/* ---- keeping */

void ws_prepared_expect(ws_prepared *p, uint32_t ctas) {
    p->expected = ctas;
}

static bool over_budget(const ws_prepared *p) {
    return p->kept_B + ws_lines_bytes(&p->lines) + p->line_addresses.size > p->budget_B;
}

/* A missing CTA is prepared together with those that follow it, as far as the budget goes: a block of the trace is
 * decoded from front to back, and the CTAs that dispatch asks for next lie in it. */
const ws_prepared_cta *ws_prepared_acquire(ws_prepared *p, uint32_t ordinal, ws_error *err) {
    for (uint32_t i = ordinal; i < p->cta_count && !p->ctas[i]; i++) {
        if (i > ordinal && (i >= p->expected || over_budget(p))) break;
        p->ctas[i] = prepare(p, i, err);
        if (!p->ctas[i]) return NULL;
        p->kept_B += p->ctas[i]->size_B;
    }
    return p->ctas[ordinal];
}

void ws_prepared_release(ws_prepared *p, uint32_t ordinal) {
    if (!over_budget(p)) return;
    p->kept_B -= p->ctas[ordinal]->size_B;
    free(p->ctas[ordinal]);
    p->ctas[ordinal] = NULL;
}

size_t ws_prepared_kept_B(const ws_prepared *p) {
    return p->kept_B;
}
