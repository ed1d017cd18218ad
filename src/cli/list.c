#include "cli/command.h"
#include "cli/describe.h"
#include "cli/gpus.h"

enum { JSON };

/* ---- JSON ---------------------------------------------------------------------------------------------- */

static json_t *gpus_json(const ws_preset_info *gpus, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array,
                              json_pack("{s:s, s:s}", "gpu", gpus[i].name, "summary", gpus[i].summary));
    return array;
}

static json_t *timed_json(void) {
    json_t *parameters = json_array();
    for (size_t i = 0; i < cli_gpu_component_count; i++)
        for (size_t j = 0; j < cli_gpu_components[i]->param_count; j++)
            json_array_append_new(parameters,
                                  cli_param_json(cli_gpu_components[i], &cli_gpu_components[i]->params[j]));
    return parameters;
}

static bool print_json(const ws_preset_info *gpus, size_t count, ws_error *err) {
    json_t *analyses = json_array();
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        json_array_append_new(analyses, cli_analysis_json(*a));
    json_t *root = json_pack("{s:o, s:o, s:o}", "analyses", analyses, "gpus", gpus_json(gpus, count),
                             "timed_parameters", timed_json());
    if (!root) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    json_dumpf(root, stdout, JSON_INDENT(2));
    fputc('\n', stdout);
    json_decref(root);
    return true;
}

/* ---- words --------------------------------------------------------------------------------------------- */

/* The replay's parameters are those of every analysis; the timed replay adds its own. */
static bool is_of_analysis(const ws_component *component) {
    const ws_component *components[CLI_COMPONENTS_MAX];
    size_t count;
    ws_analysis_components(ws_analyses()[0], components, &count);
    for (size_t i = 0; i < count; i++)
        if (components[i] == component) return true;
    return false;
}

static void print_text(const ws_preset_info *gpus, size_t count) {
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) {
        cli_describe_analysis(*a, stdout);
        fputs("\n\n", stdout);
    }
    fputs("replay: what every analysis stands on\n", stdout);
    cli_describe_replay(ws_analyses()[0], stdout);
    fputs("\n\nrun: the replay cycle by cycle\n", stdout);
    for (size_t i = 0; i < cli_gpu_component_count; i++)
        if (!is_of_analysis(cli_gpu_components[i])) cli_describe_component(cli_gpu_components[i], stdout);
    fputs("\nGPUs for it:\n", stdout);
    for (size_t i = 0; i < count; i++) printf("  %-22s %s\n", gpus[i].name, gpus[i].summary);
}

static int run(const cli_args *args, ws_error *err) {
    ws_preset_info *gpus;
    size_t count;
    if (!cli_gpus_list(&gpus, &count, err)) return 0;
    if (args->option[JSON])
        print_json(gpus, count, err);
    else
        print_text(gpus, count);
    ws_presets_free(gpus, count);
    return 0;
}

const cli_command cli_list = {
    .name = "list",
    .summary = "all analyses with their parameters and metrics; all GPUs",
    .options = {[JSON] = {"json", 0, false, NULL, "the same as one JSON object"}},
    .details =
        "These are the names that sweep specifications and SQL use; in SQL a parameter's '.' is a '_'.\n",
    .run = run,
};
