#include "base/array.h"
#include "cli/cells.h"
#include "cli/inputs/gaps.h"
#include "cli/inputs/kernels.h"
#include "cli/output.h"
#include "replay/tokens.h"
#include "trace/names.h"

#include <jansson.h>
#include <stdio.h>

enum { KERNELS, JSON };

static ws_counters totals_of(const ws_trace *trace, const ws_selection *chosen) {
    ws_counters totals = {0};
    for (uint32_t i = 1; i <= ws_trace_get_info(trace)->kernel_count; i++) {
        const ws_kernel *k = ws_trace_kernel(trace, i);
        if (!cli_kernels_has(chosen, k)) continue;
#define X(name, unit, help) totals.name += k->counters.name;
        WS_COUNTERS(X)
#undef X
    }
    return totals;
}

/* ---- JSON */

static void set_counters(json_t **object, const ws_counters *counters) {
#define X(name, unit, help) cli_json_set(object, #name, json_integer((json_int_t)counters->name));
    WS_COUNTERS(X)
#undef X
}

static json_t *kernel_json(const ws_kernel *k) {
    json_t *object = json_pack("{s:I, s:s, s:s, s:[I,I,I], s:[I,I,I]}", "index", (json_int_t)k->index, "name",
                               k->name, "short_name", k->short_name, "grid", (json_int_t)k->grid.x,
                               (json_int_t)k->grid.y, (json_int_t)k->grid.z, "block", (json_int_t)k->block.x,
                               (json_int_t)k->block.y, (json_int_t)k->block.z);
    set_counters(&object, &k->counters);
    cli_json_set(&object, "registers_per_thread", json_integer(k->registers_per_thread));
    cli_json_set(&object, "shared_B", json_integer(k->shared_B));
    cli_json_set(&object, "stream", json_integer((json_int_t)k->stream));
    cli_json_set(&object, "isa_version", json_integer(k->isa_version));
    return object;
}

/* A number from 2^63 on, for which a JSON integer has no room here, becomes a real. */
static json_t *number_json(uint64_t value) {
    return value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value);
}

static json_t *memcpy_json(const ws_memcpy *m) {
    return json_pack("{s:I, s:o, s:o}", "before_kernel", (json_int_t)m->before_kernel, "address",
                     number_json(m->address), "bytes", number_json(m->bytes));
}

static json_t *features_json(uint32_t features) {
    json_t *array = json_array();
    for (size_t i = 0; i < WS_FEATURE_COUNT; i++)
        if (features & ws_features[i].bit) cli_json_append(&array, json_string(ws_features[i].name));
    return array;
}

static bool print_json(const ws_trace *trace, const ws_selection *chosen, ws_error *err) {
    const ws_trace_info *info = ws_trace_get_info(trace);
    ws_counters totals = totals_of(trace, chosen);
    json_t *kernels = json_array(), *copies = json_array(), *total = json_object();
    set_counters(&total, &totals);
    for (uint32_t i = 1; i <= info->kernel_count; i++)
        if (cli_kernels_has(chosen, ws_trace_kernel(trace, i)))
            cli_json_append(&kernels, kernel_json(ws_trace_kernel(trace, i)));
    for (uint32_t i = 0; i < info->memcpy_count; i++)
        cli_json_append(&copies, memcpy_json(ws_trace_memcpy(trace, i)));
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:I, s:o, s:I, s:o, s:o, s:o}", "digest", info->digest, "isa", info->isa, "tracer",
        info->tracer, "warp_size", (json_int_t)info->warp_size, "features", features_json(info->features),
        "file_bytes", (json_int_t)info->file_bytes, "kernels", kernels, "totals", total, "memcpys", copies);
    return cli_put_trace_json(root, trace, NULL, err);
}

/* ---- text */

static const char *dim3_text(ws_dim3 d, char text[CLI_COUNT_SIZE]) {
    if (d.z > 1)
        snprintf(text, CLI_COUNT_SIZE, "%ux%ux%u", d.x, d.y, d.z);
    else if (d.y > 1)
        snprintf(text, CLI_COUNT_SIZE, "%ux%u", d.x, d.y);
    else
        snprintf(text, CLI_COUNT_SIZE, "%u", d.x);
    return text;
}

static const char *const heads[] = {"launch",    "kernel",   "grid",     "block",   "CTAs",      "warps",
                                    "warp inst", "mem inst", "requests", "sectors", "lines/inst"};

static void counter_cells(ws_listing *listing, const ws_counters *c) {
    char text[32] = "-";
    cli_count_cell(listing, c->ctas);
    cli_count_cell(listing, c->warps);
    cli_count_cell(listing, c->warp_instructions);
    cli_count_cell(listing, c->memory_instructions);
    cli_count_cell(listing, c->requests);
    cli_count_cell(listing, c->sectors);
    if (c->memory_instructions)
        snprintf(text, sizeof text, "%.2f", (double)c->requests / (double)c->memory_instructions);
    ws_listing_cell(listing, text, true);
}

static void kernel_cells(ws_listing *listing, const ws_kernel *k) {
    char text[CLI_COUNT_SIZE];
    cli_count_cell(listing, k->index);
    ws_listing_cell(listing, k->short_name, false);
    ws_listing_cell(listing, dim3_text(k->grid, text), true);
    ws_listing_cell(listing, dim3_text(k->block, text), true);
    counter_cells(listing, &k->counters);
}

/* Prints the counters that the table does not show; some only if they are not 0. */
static void print_remarks(const ws_trace_info *info, const ws_counters *c) {
    char text[CLI_COUNT_SIZE];
    printf("\nmemory instructions in the trace (any space, also without an active lane): %s\n",
           cli_count(c->trace_memory_lines, text));
    printf("lane accesses of the memory instructions: %s\n", cli_count(c->lane_accesses, text));
    if (c->meta_instructions)
        printf("instructions without a counterpart on hardware (class meta, not counted above): %s\n",
               cli_count(c->meta_instructions, text));
    printf("access widths corrected: %s\n", cli_count(c->corrected_widths, text));
    printf("instructions after an exit of all lanes: %s\n", cli_count(c->after_exit, text));
    if (info->memcpy_count) printf("copies to the device: %s\n", cli_count(info->memcpy_count, text));
}

static void print_features(const ws_trace *trace) {
    const char *before = "with ";
    uint32_t features = ws_trace_get_info(trace)->features;
    for (size_t i = 0; i < WS_FEATURE_COUNT; i++) {
        if (!(features & ws_features[i].bit)) continue;
        bool of_stores = ws_features[i].bit == WS_FEATURE_VALUES && !ws_has_operand_values(trace);
        printf("%s%s", before, of_stores ? "values that stores write" : ws_features[i].text);
        before = ", ";
    }
    if (features) fputc('\n', stdout);
}

static bool print_text(const ws_trace *trace, const ws_selection *chosen, ws_error *err) {
    const ws_trace_info *info = ws_trace_get_info(trace);
    ws_counters totals = totals_of(trace, chosen);
    char bytes[CLI_COUNT_SIZE];
    printf("%s: %s from %s, warp size %u, %s bytes, digest %s\n", ws_trace_path(trace), info->isa,
           info->tracer, info->warp_size, cli_count(info->file_bytes, bytes), info->digest);
    print_features(trace);
    fputc('\n', stdout);
    ws_listing *listing = cli_listing(heads, WS_COUNT(heads));
    if (!listing) return ws_no_memory(err);
    for (uint32_t i = 1; i <= info->kernel_count; i++)
        if (cli_kernels_has(chosen, ws_trace_kernel(trace, i)))
            kernel_cells(listing, ws_trace_kernel(trace, i));
    ws_listing_cell(listing, "", true);
    ws_listing_cell(listing, "total", false);
    ws_listing_cell(listing, "", true);
    ws_listing_cell(listing, "", true);
    counter_cells(listing, &totals);
    if (!ws_listing_close(listing)) return ws_no_memory(err);
    print_remarks(info, &totals);
    cli_print_gaps(trace, chosen, stdout);
    return true;
}

static int run(const cli_args *args, ws_error *err) {
    ws_trace *trace = ws_trace_open(args->argument[0], err);
    ws_selection *chosen = trace ? cli_kernels(args, KERNELS, trace, err) : NULL;
    if (chosen) args->option[JSON] ? print_json(trace, chosen, err) : print_text(trace, chosen, err);
    ws_selection_free(chosen);
    ws_trace_close(trace);
    return 0;
}

const cli_command cli_info = {
    .name = "info",
    .summary = "what a trace holds: its launches and their counters",
    .arguments = {{.name = "FILE.wst", .help = "a native trace"}},
    .options =
        {[KERNELS] = CLI_KERNELS_OPTION, [JSON] = {"json", 0, false, NULL, "everything, as one JSON object"}},
    .details =
        "Memory instructions are accesses to global and local memory with at least one active lane. "
        "Requests\n"
        "are the 128-byte lines, and sectors the 32-byte sectors, that they ask for after coalescing within\n"
        "the warp instruction.\n",
    .run = run,
};
