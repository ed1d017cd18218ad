/* The command `import-gpu`: makes a preset from GPGPU-Sim's options, checks that it works, and writes it. */
#include "base/stream.h"
#include "base/unfinished.h"
#include "base/words.h"
#include "cli/command.h"
#include "warpsweep/analysis.h"
#include "warpsweep/gpgpusim.h"
#include "warpsweep/preset.h"
#include "warpsweep/timed.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUT };

/* ---- the file */

static void ignore(void *context, const char *preset, const char *parameter, const json_t *value,
                   const char *source) {
    (void)context, (void)preset, (void)parameter, (void)value, (void)source;
}

static bool may_replace(const char *path, ws_error *err) {
    if (access(path, F_OK) != 0 || ws_preset_walk(path, NULL, ignore, NULL, NULL)) return true;
    return ws_fail(err, WS_ERROR_USAGE,
                   "%s: expected a GPU to replace, found another file; delete it, or choose another name",
                   path);
}

static bool print_value(FILE *file, const char *before, const char *key, const json_t *value) {
    fprintf(file, "%s\"%s\": ", before, key);
    return json_dumpf(value, file, JSON_ENCODE_ANY | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12)) == 0;
}

/* Prints a preset, with a line for each parameter. */
static bool print_preset(FILE *file, const json_t *preset) {
    const char *parameter, *before = "\n        ";
    json_t *entry;
    bool ok = print_value(file, "{\n    ", "name", json_object_get(preset, "name")) &&
              print_value(file, ",\n    ", "summary", json_object_get(preset, "summary"));
    fputs(",\n    \"parameters\": {", file);
    json_object_foreach(json_object_get(preset, "parameters"), parameter, entry) {
        ok = ok && print_value(file, before, parameter, entry);
        before = ",\n        ";
    }
    return fputs("\n    }\n}\n", file) >= 0 && ok;
}

static bool write_preset(const char *path, const json_t *preset, ws_error *err) {
    ws_unfinished unfinished;
    FILE *file = ws_unfinished_create(&unfinished, path, err);
    if (!file) return false;
    bool complete = print_preset(file, preset);
    const char *why = ws_close_written(file);
    if (!ws_unfinished_end(&unfinished, complete && !why)) why = strerror(errno);
    if (why) return ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", path, why);
    return complete || ws_no_memory(err);
}

/* ---- checking that what is written works */

/* Prints where the parameters come from of which an error says that they contradict each other. */
static void tell_sources(const json_t *preset, const char *error) {
    const char *parameter;
    json_t *entry;
    json_object_foreach(json_object_get(preset, "parameters"), parameter,
                        entry) if (ws_has_word(error, parameter))
        fprintf(stderr, "%s is from %s\n", parameter, json_string_value(json_object_get(entry, "source")));
}

static bool check(const json_t *preset, ws_error *err) {
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    const char *parameter;
    json_t *entry;
    uint32_t culprit;
    bool ok = config || ws_no_memory(err);
    json_object_foreach(json_object_get(preset, "parameters"), parameter, entry) {
        const char *source = json_string_value(json_object_get(entry, "source"));
        if (ok) ok = ws_config_set(config, parameter, json_object_get(entry, "value"), source, err);
    }
    if (ok && !ws_timed_check(NULL, config, 0, &culprit, err)) {
        tell_sources(preset, err->text);
        ok = ws_fail_prefix(err, "these options make no GPU that works (a FILE of your own, given last, can "
                                 "override them)");
    }
    ws_config_free(config);
    return ok;
}

/* ---- the command */

static void tell(void *context, const char *text) {
    (void)context;
    fprintf(stderr, "%s\n", text);
}

static int run(const cli_args *args, ws_error *err) {
    const char *path = args->option[OUTPUT];
    char name[NAME_MAX + 1];
    if (!ws_preset_name(path, name, sizeof name)) {
        ws_fail(err, WS_ERROR_USAGE, "--output: expected NAME.json, found '%s'", path);
        return 1;
    }
    if (!may_replace(path, err)) return 1;
    json_t *preset = ws_gpgpusim_preset(args->repeated, (size_t)args->repeated_count, name, tell, NULL, err);
    if (preset && check(preset, err) && write_preset(path, preset, err))
        fprintf(stderr, "%s: %zu parameters; 'warpsweep run TRACE --gpu %s' replays on it\n", path,
                json_object_size(json_object_get(preset, "parameters")), path);
    json_decref(preset);
    return 0;
}

const cli_command cli_import_gpu = {
    .name = "import-gpu",
    .summary = "turn a configuration of GPGPU-Sim or Accel-Sim into a GPU to run on",
    .arguments = {{.name = "FILE",
                   .help = "gpgpusim.config (of GPGPU-Sim 4), trace.config, files of your own; later ones "
                           "override earlier ones"}},
    .repeats = "FILE",
    .options =
        {[OUTPUT] =
             {"output", 'o', true, "NAME.json",
              "the GPU: a preset as 'warpsweep list' names them; it appears only when it is complete"}},
    .details =
        "The source of each value is the file, line and option that it comes from. Unknown options, and\n"
        "options whose value is not modelled, are listed on stderr, with what is done instead. If the\n"
        "values contradict each other, nothing is written.\n"
        "\n"
        "  warpsweep import-gpu SM7_QV100/gpgpusim.config SM7_QV100/trace.config -o my/qv100.json\n"
        "  warpsweep run TRACE --gpu my/qv100.json\n"
        "  warpsweep sweep SPEC.json --db my.db       where SPEC.json says \"gpu\": \"my/qv100.json\"\n"
        "\n"
        "trace.config has the latencies of instructions. With -network_mode 1, Booksim's configuration\n"
        "(-inter_config_file) is read from the same folder.\n",
    .run = run,
};
