#include "cli/sweep/measures.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/json_decode.h"
#include "base/utf8.h"
#include "cli/inputs/kernels.h"
#include "cli/output.h"
#include "cli/usage.h"
#include "param/json_file.h"
#include "warpsweep/report.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *text(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* ---- the file */

static bool check_measure(const json_t *m, size_t part, size_t i, ws_error *err) {
    const char *as = text(m, "as");
    bool known = as && (strcmp(as, "share") == 0 || strcmp(as, "shares") == 0 || strcmp(as, "number") == 0 ||
                        strcmp(as, "text") == 0);
    return (known && text(m, "name") && text(m, "label") && text(m, "value")) ||
           ws_fail(
               err, WS_ERROR_SPEC,
               "$.parts[%zu].measures[%zu]: expected \"name\", \"label\", \"value\" and \"as\": \"share\", "
               "\"shares\", \"number\" or \"text\"",
               part, i);
}

static bool check(const json_t *file, ws_error *err) {
    const json_t *parts = json_object_get(file, "parts"), *part, *m;
    size_t p, i;
    if (json_array_size(parts) == 0)
        return ws_fail(err, WS_ERROR_SPEC, "$.parts: expected an array of at least one part");
    json_array_foreach(parts, p, part) {
        const json_t *sweep = json_object_get(part, "sweep");
        if (!text(sweep, "name") || !text(sweep, "analysis"))
            return ws_fail(err, WS_ERROR_SPEC, "$.parts[%zu].sweep: expected a specification without traces",
                           p);
        json_array_foreach(json_object_get(part, "measures"), i, m) {
            if (!check_measure(m, p, i, err)) return false;
        }
    }
    return true;
}

json_t *cli_measures_load(const char *sweeps, ws_error *err) {
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/characterize.json", sweeps);
    json_t *file = ws_json_load(path, NULL, err);
    if (!file) return NULL;
    if (check(file, err)) return file;
    ws_fail_prefix(err, "%s", path);
    json_decref(file);
    return NULL;
}

/* Prints a value, if there is one. */
static void print_json(const char *what, const json_t *value, FILE *out) {
    char *json = value ? cli_json_line(value) : NULL;
    if (!json) return;
    fprintf(out, "  %s ", what);
    cli_print_wrapped(json, 7, out);
    free(json);
}

void cli_measure_explain(const json_t *part, const json_t *m, FILE *out) {
    const json_t *sweep = json_object_get(part, "sweep");
    fprintf(out, "%s: a measure of characterize (\"%s\")\n  ", text(m, "name"), text(m, "label"));
    cli_print_wrapped(text(m, "value"), 2, out);
    fprintf(out, "  over the kernel's points of the sweep %s: analysis %s\n", text(sweep, "name"),
            text(sweep, "analysis"));
    print_json("base", json_object_get(sweep, "base"), out);
    print_json("axes", json_object_get(sweep, "axes"), out);
}

/* ---- queries */

static json_t *query(ws_store *store, const char *sql, ws_error *err) {
    char *rows = NULL;
    size_t size;
    FILE *out = open_memstream(&rows, &size);
    bool ok = out && ws_query(store, sql, WS_QUERY_JSON, 0, out, err);
    if (out) fclose(out);
    json_error_t why;
    json_t *array = ok ? ws_json_decode(rows, strlen(rows), 0, &why) : NULL;
    if (ok && !array && errno != ENOMEM)
        ws_fail(err, WS_ERROR_SPEC, "expected values that JSON can hold: %s, in \"%.60s ..\"", why.text, sql);
    else if (!array && err->code == WS_ERROR_NONE)
        ws_no_memory(err);
    free(rows);
    return array;
}

/* Appends to an SQL statement in the making. */
__attribute__((format(printf, 2, 3))) static void add(ws_buffer *sql, const char *format, ...) {
    va_list args;
    char *piece = NULL;
    va_start(args, format);
    int length = vasprintf(&piece, format, args);
    va_end(args);
    if (length < 0)
        sql->failed = true;
    else
        ws_buffer_put(sql, piece, (size_t)length);
    free(piece);
}

static json_t *run(ws_buffer *sql, ws_store *store, ws_error *err) {
    ws_buffer_put(sql, "", 1);
    json_t *rows = NULL;
    if (sql->failed)
        ws_no_memory(err);
    else
        rows = query(store, (const char *)sql->data, err);
    ws_buffer_free(sql);
    return rows;
}

#define POINTS_OF                                                                                            \
    "FROM sweep w JOIN sweep_point s ON s.sweep = w.id JOIN point p ON p.id = s.point "                      \
    "JOIN kernel k ON k.id = p.kernel JOIN trace t ON t.id = k.trace "

/* Reads who the kernels are: those of the first sweep. */
static json_t *read_kernels(const char *sweep, ws_store *store, ws_error *err) {
    ws_buffer sql = {0};
    add(&sql,
        "SELECT trace, kernel, count(*) AS launches, min(launch) AS first_launch, sum(ctas) AS ctas, "
        "sum(warps) AS warps, sum(warp_instructions) AS warp_instructions, "
        "sum(memory_instructions) AS memory_instructions "
        "FROM (SELECT DISTINCT t.name AS trace, k.short_name AS kernel, k.launch, k.ctas, k.warps, "
        "k.warp_instructions, k.memory_instructions " POINTS_OF
        "WHERE w.name = '%s') GROUP BY trace, kernel ORDER BY trace, first_launch",
        sweep);
    return run(&sql, store, err);
}

/* Reads each measure of a part, and the number of launches it is of. */
static json_t *read_values(const json_t *part, ws_store *store, ws_error *err) {
    ws_buffer sql = {0};
    const json_t *m;
    size_t i;
    add(&sql, "SELECT trace, kernel, min(launches) AS launches");
    json_array_foreach(json_object_get(part, "measures"), i, m) {
        const char *condition = text(m, "if"), *note = text(m, "note");
        add(&sql, ", CASE WHEN %s THEN %s END AS \"value %s\"", condition ? condition : "1", text(m, "value"),
            text(m, "name"));
        add(&sql, ", %s AS \"note %s\"", note ? note : "NULL", text(m, "name"));
    }
    add(&sql, " FROM \"%s_by_kernel\" GROUP BY trace, kernel", text(json_object_get(part, "sweep"), "name"));
    return run(&sql, store, err);
}

/* Reads why points of a part failed, and what its rows say about their unknown cells. */
static json_t *read_reasons(const json_t *part, ws_store *store, ws_error *err) {
    const json_t *sweep = json_object_get(part, "sweep");
    ws_buffer sql = {0};
    add(&sql,
        "SELECT t.name AS trace, k.short_name AS kernel, min(p.reason) AS reason, min(r.note) AS "
        "note " POINTS_OF "LEFT JOIN \"%s\" r ON r.point = p.id WHERE w.name = '%s' GROUP BY 1, 2",
        text(sweep, "analysis"), text(sweep, "name"));
    return run(&sql, store, err);
}

/* Arranges rows by trace and by kernel; takes ownership of them. NULL if `rows` is, or with an error. */
static json_t *by_kernel(json_t *rows, ws_error *err) {
    json_t *traces = rows ? json_object() : NULL, *row;
    size_t i;
    json_array_foreach(rows, i, row) {
        json_t *kernels = json_object_get(traces, text(row, "trace"));
        kernels = kernels ? json_incref(kernels) : json_object();
        cli_json_set(&kernels, text(row, "kernel"), json_incref(row));
        cli_json_set(&traces, text(row, "trace"), kernels);
    }
    if (rows && !traces) ws_no_memory(err);
    json_decref(rows);
    return traces;
}

/* The row of a kernel; NULL if there is none. */
static const json_t *row_of(const json_t *rows, const json_t *kernel) {
    return json_object_get(json_object_get(rows, text(kernel, "trace")), text(kernel, "kernel"));
}

/* ---- what is known of a kernel */

static const json_t *cell(const json_t *row, const char *kind, const json_t *measure) {
    char key[128];
    snprintf(key, sizeof key, "%s %s", kind, text(measure, "name"));
    const json_t *value = row ? json_object_get(row, key) : NULL;
    return json_is_null(value) ? NULL : value;
}

static bool put_note(json_t *kernel, const json_t *measure, const char *note) {
    return !note || json_object_set_new(json_object_get(kernel, "notes"), text(measure, "name"),
                                        json_string(note)) == 0;
}

/* A value as the result has it; shares are an object, which SQL returns as a text. NULL when out of memory. */
static json_t *value_of(const json_t *measure, const json_t *value) {
    if (!value) return json_null();
    if (strcmp(text(measure, "as"), "shares") != 0) return json_deep_copy(value);
    json_t *shares = ws_json_decode(json_string_value(value), json_string_length(value), 0, NULL);
    return shares || errno == ENOMEM ? shares : json_null();
}

/* The measure's value if it is what "as" says, else NULL. */
static const json_t *value_in(const json_t *row, const json_t *measure) {
    const json_t *value = cell(row, "value", measure);
    const char *as = text(measure, "as");
    bool is_text = strcmp(as, "text") == 0 || strcmp(as, "shares") == 0;
    return (is_text ? json_is_string(value) : json_is_number(value)) ? value : NULL;
}

/* False when out of memory. */
static bool put_measure(json_t *kernel, const json_t *measure, const json_t *row, const json_t *reasons) {
    const json_t *value = value_in(row, measure);
    const char *failed = reasons ? text(reasons, "reason") : NULL;
    const char *unknown = text(measure, "unknown"), *note = reasons ? text(reasons, "note") : NULL;
    if (json_object_set_new(json_object_get(kernel, "measures"), text(measure, "name"),
                            value_of(measure, value)) != 0)
        return false;
    if (value) {
        char partial[512];
        json_int_t of = json_integer_value(json_object_get(kernel, "launches")),
                   launches = json_integer_value(json_object_get(row, "launches"));
        snprintf(partial, sizeof partial, "of %lld of %lld launches; the others failed: %s",
                 (long long)launches, (long long)of, failed ? failed : "");
        ws_utf8_clean(partial); /* may have been cut */
        return put_note(kernel, measure,
                        failed && launches < of ? partial : json_string_value(cell(row, "note", measure)));
    }
    if (cell(row, "value", measure)) unknown = "its value is not what \"as\" says";
    return put_note(kernel, measure, failed ? failed : unknown ? unknown : note ? note : "not known");
}

static bool read_part(const json_t *part, json_t *kernels, ws_store *store, ws_error *err) {
    json_t *values = by_kernel(read_values(part, store, err), err),
           *reasons = values ? by_kernel(read_reasons(part, store, err), err) : NULL;
    json_t *kernel, *measure;
    size_t k, i;
    bool read = values && reasons, ok = read;
    json_array_foreach(kernels, k, kernel) json_array_foreach(json_object_get(part, "measures"), i, measure)
        ok = ok && put_measure(kernel, measure, row_of(values, kernel), row_of(reasons, kernel));
    if (read && !ok) ws_no_memory(err);
    json_decref(values);
    json_decref(reasons);
    return ok;
}

json_t *cli_measures_read(const json_t *file, ws_store *store, ws_error *err) {
    json_t *parts = json_object_get(file, "parts"), *part, *kernel;
    size_t i;
    const json_t *first = json_object_get(json_array_get(parts, 0), "sweep");
    json_t *kernels = read_kernels(text(first, "name"), store, err);
    bool ok = kernels != NULL;
    json_array_foreach(kernels, i, kernel) ok =
        ok && ((json_object_set_new(kernel, "measures", json_object()) == 0 &&
                json_object_set_new(kernel, "notes", json_object()) == 0) ||
               ws_no_memory(err));
    json_array_foreach(parts, i, part) ok = ok && read_part(part, kernels, store, err);
    if (ok) return kernels;
    json_decref(kernels);
    return NULL;
}

/* ---- the table */

enum { LABEL = 46, BAR = 20 };

/* The number of a note; notes are numbered in the order in which they are met. They become NULL when out of memory. */
static size_t number_of(json_t **notes, const char *note) {
    for (size_t i = 0; i < json_array_size(*notes); i++)
        if (strcmp(json_string_value(json_array_get(*notes, i)), note) == 0) return i + 1;
    cli_json_append(notes, json_string(note));
    return json_array_size(*notes);
}

static void print_bar(double share, FILE *out) {
    int filled = (int)lround(fmin(fmax(share, 0), 1) * BAR);
    fprintf(out, "  |%.*s%*s|", filled, "####################", BAR - filled, "");
}

/* Prints the shares that are not 0, in percent: "38 int, 12 fp". */
static void print_shares(const json_t *shares, FILE *out) {
    const char *name, *comma = "  ";
    const json_t *share;
    json_object_foreach((json_t *)(uintptr_t)shares, name, share) {
        double percent = 100 * json_number_value(share);
        if (percent <= 0) continue;
        if (percent < 0.5)
            fprintf(out, "%s<1 %s", comma, name);
        else
            fprintf(out, "%s%.0f %s", comma, percent, name);
        comma = ", ";
    }
}

static void print_value(const json_t *measure, const json_t *value, FILE *out) {
    const char *as = text(measure, "as");
    if (json_is_null(value)) {
        fprintf(out, "%7s", "-");
    } else if (strcmp(as, "text") == 0) {
        fprintf(out, "  %s", json_string_value(value));
    } else if (strcmp(as, "shares") == 0) {
        print_shares(value, out);
    } else if (strcmp(as, "share") == 0) {
        fprintf(out, "%7.1f %%", 100 * json_number_value(value));
        print_bar(json_number_value(value), out);
    } else {
        double full = json_number_value(json_object_get(measure, "full"));
        fprintf(out, "%7.4g", json_number_value(value));
        if (full > 0) fputs("  ", out), print_bar(json_number_value(value) / full, out);
    }
}

static void print_measure(const json_t *measure, const json_t *kernel, json_t **notes, FILE *out) {
    const char *name = text(measure, "name"), *note = text(json_object_get(kernel, "notes"), name);
    fprintf(out, "  %-*s", LABEL, text(measure, "label"));
    print_value(measure, json_object_get(json_object_get(kernel, "measures"), name), out);
    if (note) fprintf(out, " (%zu)", number_of(notes, note));
    fputc('\n', out);
}

static uint64_t count_of(const json_t *kernel, const char *name) {
    return (uint64_t)json_integer_value(json_object_get(kernel, name));
}

static void print_kernel(const json_t *file, const json_t *kernel, json_t **notes, FILE *out) {
    static const char *const counts[] = {"launches", "ctas", "warps", "warp_instructions"};
    static const char *const names[] = {"launch", "CTA", "warp", "warp instruction"};
    const json_t *part, *measure;
    char number[CLI_COUNT_SIZE];
    size_t p, i;
    fprintf(out, "%s (trace %s):", text(kernel, "kernel"), text(kernel, "trace"));
    for (size_t c = 0; c < WS_COUNT(counts); c++) {
        uint64_t count = count_of(kernel, counts[c]);
        fprintf(out, "%s %s %s%s", c ? "," : "", cli_count(count, number), names[c],
                count == 1 ? ""
                : c == 0   ? "es"
                           : "s");
    }
    /* Said in full: the mix below counts all spaces, and instructions without active lanes. */
    fprintf(out, ", %s of global or local memory\n",
            cli_count(count_of(kernel, "memory_instructions"), number));
    json_array_foreach(json_object_get(file, "parts"), p, part) {
        if (text(part, "title")) fprintf(out, " %s\n", text(part, "title"));
        json_array_foreach(json_object_get(part, "measures"), i, measure)
            print_measure(measure, kernel, notes, out);
    }
}

bool cli_measures_print(const json_t *file, const json_t *kernels, FILE *out, ws_error *err) {
    json_t *notes = json_array();
    const json_t *kernel, *note;
    size_t i;
    json_array_foreach(kernels, i, kernel) {
        if (i) fputc('\n', out);
        print_kernel(file, kernel, &notes, out);
    }
    if (!notes) return ws_no_memory(err);
    json_array_foreach(notes, i, note) {
        int indent = fprintf(out, "%s(%zu) ", i ? "" : "\n", i + 1) - !i;
        cli_print_wrapped(json_string_value(note), indent, out);
    }
    json_decref(notes);
    return true;
}
