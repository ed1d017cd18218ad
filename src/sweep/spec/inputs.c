#include "sweep/spec/inputs.h"

#include "base/utf8.h"
#include "trace/names.h"
#include "trace/twins.h"
#include "warpsweep/store.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void ws_input_kernel_key(const ws_inputs *inputs, const ws_input_kernel *kernel, char *out, size_t size) {
    const ws_trace_info *info = ws_trace_get_info(inputs->traces[kernel->trace].trace);
    snprintf(out, size, "%s/%u", info->digest, kernel->kernel->index);
}

/* ---- traces */

/* A list of traces in the making. */
typedef struct list {
    ws_input_trace *at;
    size_t count;
} list;

/* A pattern of the specification, $.KEY[I], and the list that the traces it matches go to. */
typedef struct pattern {
    const ws_spec *spec;
    const char *key, *text;
    size_t i;
    list *to;
    FILE *log; /* may be NULL */
} pattern;

static ws_input_trace *find(const list *to, int64_t id) {
    for (size_t i = 0; i < to->count; i++)
        if (to->at[i].id == id) return &to->at[i];
    return NULL;
}

/* Takes ownership of the trace and of its name, which is NULL if memory ran out. A trace that the list has already is
 * closed. */
static bool append(list *to, ws_trace *trace, char *name, ws_error *err) {
    int64_t id = ws_store_id(ws_trace_get_info(trace)->digest);
    bool ok = true;
    if (name && !find(to, id)) {
        ws_input_trace *traces = realloc(to->at, (to->count + 1) * sizeof *traces);
        if (traces) {
            to->at = traces;
            traces[to->count++] = (ws_input_trace){trace, name, id};
            return true;
        }
        ok = false;
    }
    ok = (ok && name) || ws_no_memory(err);
    ws_trace_close(trace);
    free(name);
    return ok;
}

static void close_all(ws_input_trace *traces, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ws_trace_close(traces[i].trace);
        free(traces[i].name);
    }
    free(traces);
}

static bool no_match(const pattern *p, ws_error *err) {
    char folder[512] = "the current directory";
    if (!getcwd(folder, sizeof folder)) snprintf(folder, sizeof folder, "the current directory");
    return ws_fail(
        err, WS_ERROR_IO,
        "%s: $.%s[%zu]: expected .wst files, found nothing that matches \"%.200s\" from %s; a copy of the "
        "specification may name yours",
        p->spec->path, p->key, p->i, p->text, folder);
}

/* Of two files with one digest the list keeps the one that is not damaged: exchanges it and what is given. They are one
 * file if two patterns match it. */
static void keep_the_better(const pattern *p, ws_trace **trace, char **name) {
    ws_input_trace *same = find(p->to, ws_store_id(ws_trace_get_info(*trace)->digest));
    if (!same || strcmp(ws_trace_path(same->trace), ws_trace_path(*trace)) == 0) return;
    char who[80];
    snprintf(who, sizeof who, "%s: ", p->spec->name);
    if (!ws_trace_replaces(*trace, same->trace, who, p->log)) return;
    const ws_input_trace worse = *same;
    same->trace = *trace, same->name = *name;
    *trace = worse.trace, *name = worse.name;
}

/* Fails unless the path is UTF-8, since it goes into the database. */
static bool may_be_named(const pattern *p, const char *path, ws_error *err) {
    return ws_is_utf8(path) ||
           ws_fail(err, WS_ERROR_SPEC, "%s: $.%s[%zu]: expected a path in UTF-8, found \"%s\"; rename it",
                   p->spec->path, p->key, p->i, path);
}

/* Fails if another trace has the same name: views identify traces by name, and add up launches of one kernel of one
 * trace. */
static bool may_stand_there(const pattern *p, const ws_trace *trace, const char *name, ws_error *err) {
    int64_t id = ws_store_id(ws_trace_get_info(trace)->digest);
    for (size_t k = 0; k < p->to->count; k++) {
        const ws_input_trace *other = &p->to->at[k];
        if (other->id != id && strcmp(other->name, name) == 0)
            return ws_fail(
                err, WS_ERROR_SPEC,
                "%s: $.%s[%zu]: expected traces of different names, found %s beside %s: rename one",
                p->spec->path, p->key, p->i, ws_trace_path(trace), ws_trace_path(other->trace));
    }
    return true;
}

static bool open_path(const pattern *p, const char *path, ws_error *err) {
    ws_trace *trace = may_be_named(p, path, err) ? ws_trace_open(path, err) : NULL;
    if (!trace) return false;
    char *name = ws_trace_name(path);
    if (!name || may_stand_there(p, trace, name, err)) {
        if (name) keep_the_better(p, &trace, &name);
        return append(p->to, trace, name, err);
    }
    ws_trace_close(trace);
    free(name);
    return false;
}

/* True for a file, whose name may look like a pattern (x[1].wst). */
static bool is_file(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && S_ISREG(there.st_mode);
}

static int by_path(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* As glob(), whose own order depends on the locale. */
static int find_sorted(const char *text, glob_t *found) {
    int rc = glob(text, GLOB_ERR | GLOB_NOSORT, NULL, found);
    if (rc == 0) qsort(found->gl_pathv, found->gl_pathc, sizeof *found->gl_pathv, by_path);
    return rc;
}

static bool open_pattern(const pattern *p, ws_error *err) {
    if (is_file(p->text)) return open_path(p, p->text, err);
    glob_t found = {0};
    int rc = find_sorted(p->text, &found);
    bool no_folder = rc == GLOB_ABORTED && (errno == ENOENT || errno == ENOTDIR), ok = true;
    if (rc == GLOB_NOMATCH || no_folder)
        ok = no_match(p, err);
    else if (rc != 0)
        ok = ws_fail(err, WS_ERROR_IO, "%s: $.%s[%zu]: \"%.200s\": %s", p->spec->path, p->key, p->i, p->text,
                     rc == GLOB_NOSPACE ? "out of memory" : strerror(errno));
    for (size_t j = 0; ok && j < found.gl_pathc; j++) ok = open_path(p, found.gl_pathv[j], err);
    globfree(&found);
    return ok;
}

/* ---- two programs at the same time */

/* Appends the pair of two traces, unless the list has it in either order. */
static bool join(const ws_spec *spec, const ws_input_trace *a, const ws_input_trace *b, list *pairs,
                 ws_error *err) {
    ws_trace *reverse = ws_trace_join(b->trace, a->trace, err),
             *joined = ws_trace_join(a->trace, b->trace, err);
    if (!joined || !reverse) {
        ws_trace_close(joined);
        ws_trace_close(reverse);
        return ws_fail_prefix(err, "%s: $.with", spec->path);
    }
    bool there = find(pairs, ws_store_id(ws_trace_get_info(reverse)->digest));
    ws_trace_close(reverse);
    char *name = NULL;
    if (!there && asprintf(&name, "%s+%s", a->name, b->name) >= 0) return append(pairs, joined, name, err);
    ws_trace_close(joined);
    return there || ws_no_memory(err);
}

static bool open_traces(const ws_spec *spec, ws_inputs *inputs, FILE *log, ws_error *err) {
    list first = {0}, second = {0}, pairs = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < spec->pattern_count; i++)
        ok = open_pattern(&(pattern){spec, "traces", spec->patterns[i], i, &first, log}, err);
    for (size_t i = 0; ok && i < spec->with_count; i++)
        ok = open_pattern(&(pattern){spec, "with", spec->with[i], i, &second, log}, err);
    for (size_t i = 0; ok && i < first.count; i++)
        for (size_t k = 0; ok && k < second.count; k++)
            ok = join(spec, &first.at[i], &second.at[k], &pairs, err);
    list meant = spec->with ? pairs : first;
    inputs->traces = meant.at, inputs->trace_count = meant.count;
    if (!spec->with) return ok;
    inputs->parts[0] = first.at, inputs->part_count[0] = first.count;
    inputs->parts[1] = second.at, inputs->part_count[1] = second.count;
    return ok;
}

/* ---- kernels */

static bool no_launches(const ws_spec *spec, const ws_inputs *inputs, ws_error *err) {
    char others[40] = "";
    if (inputs->trace_count > 1)
        snprintf(others, sizeof others, " and %zu other traces", inputs->trace_count - 1);
    return ws_fail(err, WS_ERROR_SPEC, "%s: expected launches, found none in %s%s", spec->path,
                   ws_trace_path(inputs->traces[0].trace), others);
}

static bool by_option(const ws_spec *spec) {
    return spec->selected_by[0] != '$';
}

/* Says if the specification names launches that no trace has: perhaps another trace is meant. */
static void tell_absent(const ws_spec *spec, const ws_inputs *inputs, FILE *log) {
    uint32_t last = 0, most = 0;
    if (by_option(spec)) return;
    for (size_t i = 0; i < spec->selection_count; i++) {
        uint32_t named = ws_selection_last(spec->selections[i]);
        if (named > last) last = named;
    }
    for (size_t i = 0; i < inputs->trace_count; i++) {
        uint32_t count = ws_trace_get_info(inputs->traces[i].trace)->kernel_count;
        if (count > most) most = count;
    }
    if (last > most)
        fprintf(log, "%s: %s names launch %u, but no trace has more than %u launch%s\n", spec->path,
                spec->selected_by, last, most, most == 1 ? "" : "es");
}

static bool selects_some(const ws_selection *selection, const ws_inputs *inputs) {
    for (size_t i = 0; i < inputs->trace_count; i++)
        for (uint32_t n = 1; n <= ws_trace_get_info(inputs->traces[i].trace)->kernel_count; n++) {
            const ws_kernel *kernel = ws_trace_kernel(inputs->traces[i].trace, n);
            if (ws_selection_has(selection, n, kernel->name, kernel->short_name)) return true;
        }
    return false;
}

/* Says which of several names no launch has, as others select some. */
static void tell_unmatched(const ws_spec *spec, const ws_inputs *inputs, FILE *log) {
    for (size_t i = 0; i < spec->selection_count; i++)
        if (ws_selection_last(spec->selections[i]) == 0 && !selects_some(spec->selections[i], inputs))
            fprintf(log, "%s: %s[%zu] selects no launch; 'warpsweep info' names them\n", spec->path,
                    spec->selected_by, i);
}

static bool select_kernels(const ws_spec *spec, ws_inputs *inputs, ws_error *err) {
    size_t total = 0;
    for (size_t i = 0; i < inputs->trace_count; i++)
        total += ws_trace_get_info(inputs->traces[i].trace)->kernel_count;
    if (total == 0) return no_launches(spec, inputs, err);
    inputs->kernels = calloc(total, sizeof *inputs->kernels);
    if (!inputs->kernels) return ws_no_memory(err);
    for (size_t i = 0; i < inputs->trace_count; i++) {
        const ws_trace *trace = inputs->traces[i].trace;
        for (uint32_t launch = 1; launch <= ws_trace_get_info(trace)->kernel_count; launch++) {
            const ws_kernel *kernel = ws_trace_kernel(trace, launch);
            if (!ws_spec_wants(spec, kernel)) continue;
            ws_input_kernel *input = &inputs->kernels[inputs->kernel_count++];
            *input = (ws_input_kernel){kernel, (uint32_t)i, 0};
            char key[64];
            ws_input_kernel_key(inputs, input, key, sizeof key);
            input->id = ws_store_id(key);
        }
    }
    if (inputs->kernel_count) return true;
    return ws_fail(err, by_option(spec) ? WS_ERROR_USAGE : WS_ERROR_SPEC,
                   "%s: %s: expected to select some of the %zu launches in %zu trace%s, found none; "
                   "'warpsweep info' names them",
                   spec->path, spec->selected_by, total, inputs->trace_count,
                   inputs->trace_count == 1 ? "" : "s");
}

ws_inputs *ws_inputs_open(const ws_spec *spec, FILE *log, ws_error *err) {
    ws_inputs *inputs = calloc(1, sizeof *inputs);
    bool ok = inputs || ws_no_memory(err);
    ok = ok && open_traces(spec, inputs, log, err) && select_kernels(spec, inputs, err);
    if (ok && log) {
        tell_absent(spec, inputs, log);
        tell_unmatched(spec, inputs, log);
    }
    if (ok) return inputs;
    ws_inputs_free(inputs);
    return NULL;
}

void ws_inputs_free(ws_inputs *inputs) {
    if (!inputs) return;
    close_all(inputs->traces, inputs->trace_count);
    for (int p = 0; p < WS_PROGRAMS_MAX; p++) close_all(inputs->parts[p], inputs->part_count[p]);
    free(inputs->kernels);
    free(inputs);
}
