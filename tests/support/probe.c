#include "probe.h"

#include "folder.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- the analysis */

enum fault { NONE, REFUSE, ABORT, EXIT, HANG, EAT, MISFIT, TOGETHER };

typedef struct probe_params {
    int64_t size, variant, guilty, pause_ms;
    int fault;
} probe_params;

static const char *const faults[] = {"none", "refuse", "abort",    "exit", "hang",
                                     "eat",  "misfit", "together", NULL};
static const char *const dims[] = {"probe.size", NULL};

static const ws_param params[] = {
    WS_INT(probe_params, size, "probe.size", "lines", 1, 0, 1000000, "modulus"),
    WS_INT(probe_params, variant, "probe.variant", "", 0, 0, 1000000, "mixed into the sums"),
    WS_INT(probe_params, guilty, "probe.guilty", "lines", 0, 0, 1000000, "size with the fault, 0: any"),
    WS_INT(probe_params, pause_ms, "probe.pause_ms", "ms", 0, 0, 10000, "at the end"),
    WS_CHOICE(probe_params, fault, "probe.fault", NONE, faults, "what goes wrong"),
};

static bool validate(const void *p_, ws_error *err) {
    const probe_params *p = p_;
    if (p->variant == 13) return ws_fail(err, WS_ERROR_SPEC, "probe.variant must not be 13");
    return true;
}

static const ws_component component = {.name = "probe",
                                       .summary = "for tests",
                                       .source = "",
                                       .params = params,
                                       .param_count = 5,
                                       .struct_size = sizeof(probe_params),
                                       .validate = validate};

static const ws_column columns[] = {
    {"requests", WS_TYPE_INT, "requests", WS_ADDS_SUM, "all"},
    {"residues", WS_TYPE_INT, "", WS_ADDS_SUM, "sum of line modulo size"},
    {"order_hash", WS_TYPE_INT, "", WS_ADDS_NOT, "of the stream and the parameters"},
};
static const ws_ratio ratios[] = {
    {"mean_residue", "", "1.0 * residues / nullif(requests, 0)", "per request"}};
static const ws_table table = {"probe", "for tests", WS_ARRAY(columns), WS_ARRAY(ratios)};

static const ws_column bin_columns[] = {
    {"is_load", WS_TYPE_INT, "", WS_ADDS_KEY, "bin"},
    {"bin_requests", WS_TYPE_INT, "requests", WS_ADDS_SUM, "in the bin"},
};
static const ws_table bin_table = {"probe_bin", "for tests", WS_ARRAY(bin_columns), NULL, 0};
static const ws_table *const tables[] = {&table, &bin_table, NULL};

typedef struct probe_point {
    probe_params p;
    uint64_t residues, hash;
} probe_point;

typedef struct probe {
    uint64_t requests, loads;
    size_t count;
    probe_point points[];
} probe;

static bool guilty(const probe_params *p) {
    return p->guilty == 0 || p->guilty == p->size;
}

static _Noreturn void hang(void) {
    for (;;) pause();
}

static bool eat(ws_error *err) {
    char *bytes = NULL;
    for (size_t MiB = 16; MiB <= 4096; MiB += 16) {
        char *more = realloc(bytes, MiB << 20);
        if (!more) {
            free(bytes);
            return ws_no_memory(err);
        }
        bytes = more;
    }
    free(bytes);
    return true;
}

static bool misbehave(const probe_params *p, ws_error *err) {
    if (!guilty(p)) return true;
    switch (p->fault) {
    case REFUSE:
        return ws_fail(err, WS_ERROR_TRACE, "probe.size %d is refused", (int)p->size);
    case ABORT:
        abort();
    case EXIT:
        _exit(7);
    case HANG:
        hang();
    case EAT:
        return eat(err);
    default:
        return true;
    }
}

static void *create(const void *const *list, size_t count, const ws_stream_info *stream, ws_error *err) {
    (void)stream;
    for (size_t i = 0; i < count; i++)
        if (!misbehave(list[i], err)) return NULL;
    probe *self = calloc(1, sizeof *self + count * sizeof self->points[0]);
    if (!self) {
        ws_no_memory(err);
        return NULL;
    }
    self->count = count;
    for (size_t i = 0; i < count; i++) self->points[i].p = *(const probe_params *)list[i];
    return self;
}

static void requests(void *self_, const ws_requests *batch) {
    probe *self = self_;
    self->requests += batch->count;
    for (size_t i = 0; i < batch->count; i++) {
        uint64_t words = batch->words[i] * UINT64_C(0x9e3779b97f4a7c15);
        self->loads += batch->op[i] == WS_MEMORY_LOAD;
        for (size_t j = 0; j < self->count; j++) {
            probe_point *point = &self->points[j];
            uint64_t modulus = (uint64_t)point->p.size + 1,
                     salt = 1000 * modulus + (uint64_t)point->p.variant;
            point->residues += (words >> 40) % modulus;
            point->hash = (point->hash ^ (words + batch->warp[i] + salt)) * UINT64_C(0x100000001b3);
        }
    }
}

static bool finish(void *self_, uint32_t first_point, ws_rows *rows, ws_error *err) {
    (void)err;
    const probe *self = self_;
    for (size_t i = 0; i < self->count; i++) {
        const probe_point *point = &self->points[i];
        const struct timespec pause = {point->p.pause_ms / 1000, point->p.pause_ms % 1000 * 1000000};
        if (i == 0 && point->p.pause_ms) nanosleep(&pause, NULL);
        ws_rows_begin(rows, first_point + (uint32_t)i, 0);
        ws_rows_count(rows, self->requests);
        ws_rows_count(rows, point->residues);
        ws_rows_count(rows, point->hash >> 1);
        bool together = point->p.fault == TOGETHER && self->count > 1;
        if (together || (point->p.fault == MISFIT && guilty(&point->p))) ws_rows_int(rows, 0);
        for (int64_t load = 0; load < 2; load++) {
            ws_rows_begin(rows, first_point + (uint32_t)i, 1);
            ws_rows_int(rows, load);
            ws_rows_count(rows, load ? self->loads : self->requests - self->loads);
        }
    }
    return true;
}

static void destroy(void *self) {
    free(self);
}

const ws_analysis probe_analysis = {
    .name = "probe",
    .summary = "for tests",
    .source = "",
    .version = 1,
    .component = &component,
    .dims = dims,
    .tables = tables,
    .create = create,
    .requests = requests,
    .finish = finish,
    .destroy = destroy,
};
const ws_analysis *const probe_analyses[] = {&probe_analysis, NULL};

/* ---- traces and specifications */

static void expect(bool ok, const ws_error *err) {
    if (!ok) fail_msg("%s", err->text);
}

static void write_kernel(ws_writer *writer, const char *name, uint32_t load, uint64_t *random) {
    ws_error err = WS_NO_ERROR;
    const ws_kernel kernel = {.name = name, .grid = {4, 1, 1}, .block = {64, 1, 1}};
    expect(ws_writer_kernel(writer, &kernel, &err), &err);
    for (uint32_t cta = 0; cta < 4; cta++) {
        expect(ws_writer_cta(writer, (ws_dim3){cta, 0, 0}, &err), &err);
        for (uint32_t warp = 0; warp < 2; warp++) {
            expect(ws_writer_warp(writer, warp, &err), &err);
            for (int i = 0; i < 6; i++) {
                uint64_t addresses[32];
                for (int lane = 0; lane < 32; lane++)
                    addresses[lane] = 0x10000 + 4 * random_below(random, 1000);
                expect(ws_writer_inst(writer, load, UINT32_MAX, addresses, &err), &err);
            }
        }
    }
}

const char *probe_trace(const char *name, uint64_t seed, uint32_t kernels) {
    static const char *const names[] = {"alpha", "beta"};
    ws_error err = WS_NO_ERROR;
    const char *path = folder_path(name);
    ws_writer *writer = ws_writer_new(path, "test", "probe", 32, 0, &err);
    expect(writer != NULL, &err);
    ws_static s = {.class_ = WS_CLASS_MEM,
                   .op = WS_MEMORY_LOAD,
                   .space = WS_SPACE_GLOBAL,
                   .width_B = 4,
                   .text_width_B = 4};
    s.opcode = ws_writer_opcode(writer, "LD", 2);
    uint32_t load = ws_writer_static(writer, &s);
    for (uint32_t i = 0; i < kernels; i++) write_kernel(writer, names[i % 2], load, &seed);
    expect(ws_writer_finish(writer, &err), &err);
    ws_writer_free(writer);
    return path;
}

const char *probe_spec(const char *name, const char *traces, const char *more) {
    char text[2048];
    snprintf(text, sizeof text, "{\"name\": \"s\", \"traces\": \"%s\", \"analysis\": \"probe\"%s%s}",
             folder_path(traces), *more ? ", " : "", more);
    return folder_write_text(name, text);
}
