/* Two traces as one: launches, static instructions, opcodes and copies of the second follow those of the first. The
 * traces' own readers decode CTAs, which are then moved to their place in the whole. */
#include "trace/content.h"
#include "trace/names.h"
#include "trace/wst/instances.h"
#include "trace/wst/trace.h"

#include <stdlib.h>

/* ---- what they must have in common */

static bool fits(const ws_trace *a, const ws_trace *b, ws_error *err) {
    bool registers = a->info.features & WS_FEATURE_REGISTERS;
    const char *what = NULL;
    char text_a[16], text_b[16];
    snprintf(text_a, sizeof text_a, "%u", a->info.warp_size);
    snprintf(text_b, sizeof text_b, "%u", b->info.warp_size);
    const char *of_a = text_a, *of_b = text_b;
    if (a->info.programs > 1 || b->info.programs > 1)
        return ws_fail(err, WS_ERROR_INTERNAL, "%s and %s: joined traces are not joined again", a->path,
                       b->path);
    if (a->info.warp_size != b->info.warp_size) {
        what = "one warp size";
    } else if (strcmp(a->info.isa, b->info.isa) != 0) {
        what = "one instruction set";
        of_a = a->info.isa, of_b = b->info.isa;
    } else if (registers != !!(b->info.features & WS_FEATURE_REGISTERS)) {
        what = "registers in both, or in none";
        of_a = registers ? "some" : "none", of_b = registers ? "none" : "some";
    }
    return !what ||
           ws_fail(err, WS_ERROR_TRACE, "%s and %s cannot run at the same time: expected %s, found %s and %s",
                   a->path, b->path, what, of_a, of_b);
}

/* ---- the index of both */

static bool join_kernels(wst_index *to, const ws_trace *from, uint32_t program) {
    for (size_t i = 0; i < from->index.kernel_count; i++) {
        ws_kernel *k = &to->kernels[to->kernel_count];
        *k = from->index.kernels[i];
        k->index = (uint32_t)++to->kernel_count;
        k->program = program;
        k->name = strdup(k->name);
        k->short_name = k->name ? ws_short_name(k->name) : NULL;
        if (!k->name || !k->short_name) return false;
    }
    return true;
}

/* Adds a program's copies. Those after its last launch go behind the last launch of both programs, so that copies after
 * the first program's last launch do not precede a launch of the second. */
static void join_copies(wst_index *to, const ws_trace *from, uint32_t launches_before, uint32_t launches,
                        uint64_t distance) {
    for (size_t i = 0; i < from->index.memcpy_count; i++) {
        ws_memcpy copy = from->index.memcpys[i];
        bool last = copy.before_kernel > from->index.kernel_count;
        copy.before_kernel = last ? launches + 1 : copy.before_kernel + launches_before;
        copy.address += distance;
        to->memcpys[to->memcpy_count++] = copy;
    }
}

static bool join_code(wst_index *to, const ws_trace *from) {
    size_t opcodes_before = to->opcode_count;
    for (size_t i = 0; i < from->index.opcode_count; i++)
        if (!(to->opcodes[to->opcode_count++] = strdup(from->index.opcodes[i]))) return false;
    for (size_t i = 0; i < from->index.static_count; i++) {
        ws_static s = from->index.statics[i];
        s.opcode += (uint32_t)opcodes_before;
        to->statics[to->static_count++] = s;
    }
    return true;
}

static bool join_index(ws_trace *t) {
    const wst_index *a = &t->part[0]->index, *b = &t->part[1]->index;
    wst_index *to = &t->index;
    size_t kernels = a->kernel_count + b->kernel_count;
    to->kernels = calloc(kernels + 1, sizeof *to->kernels);
    to->memcpys = calloc(a->memcpy_count + b->memcpy_count + 1, sizeof *to->memcpys);
    to->statics = calloc(a->static_count + b->static_count + 1, sizeof *to->statics);
    to->opcodes = calloc(a->opcode_count + b->opcode_count + 1, sizeof *to->opcodes);
    bool ok = to->kernels && to->memcpys && to->statics && to->opcodes;
    for (uint32_t p = 0; ok && p < WS_PROGRAMS_MAX; p++) {
        join_copies(to, t->part[p], (uint32_t)to->kernel_count, (uint32_t)kernels, p * WS_PROGRAM_SPACE_B);
        ok = join_kernels(to, t->part[p], p) && join_code(to, t->part[p]);
    }
    return ok && ws_tell_instances_apart(to->kernels, to->kernel_count);
}

static bool join_info(ws_trace *t) {
    const ws_trace_info *a = &t->part[0]->info, *b = &t->part[1]->info;
    t->info = (ws_trace_info){.warp_size = a->warp_size,
                              .features = a->features & b->features,
                              .kernel_count = (uint32_t)t->index.kernel_count,
                              .memcpy_count = (uint32_t)t->index.memcpy_count,
                              .static_count = (uint32_t)t->index.static_count,
                              .programs = WS_PROGRAMS_MAX,
                              .file_bytes = a->file_bytes + b->file_bytes};
    memcpy(t->info.isa, a->isa, sizeof a->isa);
    memcpy(t->info.tracer, a->tracer, sizeof a->tracer);
    ws_digest *digest = ws_digest_new();
    if (!digest) return false;
    ws_digest_text(digest, a->digest);
    ws_digest_text(digest, b->digest);
    uint8_t bytes[16];
    ws_digest_finish(digest, bytes);
    ws_digest_free(digest);
    for (int i = 0; i < 16; i++) snprintf(t->info.digest + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

ws_trace *ws_trace_join(const ws_trace *first, const ws_trace *second, ws_error *err) {
    if (!fits(first, second, err)) return NULL;
    ws_trace *t = calloc(1, sizeof *t);
    if (t) t->part[0] = first, t->part[1] = second;
    if (t && asprintf(&t->path, "%s + %s", first->path, second->path) < 0) t->path = NULL;
    if (t && t->path && join_index(t) && join_info(t)) return t;
    ws_no_memory(err);
    ws_trace_close(t);
    return NULL;
}

const ws_trace *ws_trace_of_program(const ws_trace *trace, uint32_t program) {
    return trace->part[program] ? trace->part[program] : trace;
}

/* ---- a CTA of joined traces */

bool wst_move_to_program(wst_cta *cta, const ws_trace *of, uint32_t program, uint32_t first_static,
                         ws_error *err) {
    const uint64_t distance = program * WS_PROGRAM_SPACE_B;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const ws_warp *warp = &cta->warps[w];
        uint32_t *ids = cta->static_id + (warp->static_id - cta->static_id);
        uint64_t *addresses = cta->addresses + (warp->addresses - cta->addresses);
        for (uint32_t i = 0; i < warp->inst_count; i++) {
            bool moves = ws_static_is_global_or_local(&of->index.statics[ids[i]]);
            ids[i] += first_static;
            for (uint32_t a = warp->address_at[i]; moves && a < warp->address_at[i + 1]; a++) {
                if (addresses[a] >= WS_PROGRAM_SPACE_B)
                    return ws_fail(
                        err, WS_ERROR_TRACE,
                        "%s: address 0x%llx: expected less than 0x%llx in a trace that runs beside "
                        "another",
                        of->path, (unsigned long long)addresses[a], (unsigned long long)WS_PROGRAM_SPACE_B);
                addresses[a] += distance;
            }
        }
    }
    return true;
}
