#include "cli/gpus.h"

#include "base/nearest.h"
#include "cli/installed.h"
#include "warpsweep/timed.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const ws_component *const cli_gpu_components[] = {&ws_gpu_component,  &ws_sm_component,  &ws_order_component,
                                                  &ws_core_component, &ws_l1_component,  &ws_noc_component,
                                                  &ws_l2_component,   &ws_dram_component};
const size_t cli_gpu_component_count = sizeof cli_gpu_components / sizeof *cli_gpu_components;

/* ---- presets */

bool cli_gpus_list(ws_preset_info **gpus, size_t *count, ws_error *err) {
    char folder[PATH_MAX];
    return cli_data_folder(&cli_gpus, folder, sizeof folder, err) && ws_presets(folder, gpus, count, err);
}

static bool fail_unknown(const char *gpu, ws_error *err) {
    ws_preset_info *gpus;
    size_t count;
    if (!cli_gpus_list(&gpus, &count, err)) return false;
    ws_nearest nearest = ws_nearest_to(gpu);
    for (size_t i = 0; i < count; i++) ws_nearest_offer(&nearest, gpus[i].name);
    if (nearest.best)
        ws_fail(err, WS_ERROR_USAGE, "no GPU is called '%s': did you mean '%s'?", gpu, nearest.best);
    else
        ws_fail(err, WS_ERROR_USAGE, "no GPU is called '%s': 'warpsweep list' names them all", gpu);
    ws_presets_free(gpus, count);
    return false;
}

static bool is_file(const char *gpu) {
    size_t length = strlen(gpu);
    return strchr(gpu, '/') || (length > 5 && strcmp(gpu + length - 5, ".json") == 0);
}

bool cli_gpu_path(const char *gpu, char *path, size_t size, ws_error *err) {
    char folder[PATH_MAX];
    if (is_file(gpu)) return snprintf(path, size, "%s", gpu) < (int)size;
    if (!cli_data_folder(&cli_gpus, folder, sizeof folder, err)) return false;
    if (snprintf(path, size, "%s/%s.json", folder, gpu) < (int)size && access(path, R_OK) == 0) return true;
    return fail_unknown(gpu, err);
}

/* ---- settings */

/* A number or a truth value as JSON writes them; anything else is a text. */
static json_t *value_of(const char *text) {
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    return value ? value : json_string(text);
}

static bool set_one(ws_config *config, const char *option, char *setting, ws_error *err) {
    char *equals = strchr(setting, '='), place[128];
    if (!equals || equals == setting || !equals[1])
        return ws_fail(err, WS_ERROR_USAGE, "--%s: expected NAME=VALUE, found '%s'", option, setting);
    *equals = 0;
    snprintf(place, sizeof place, "--%s %s", option, setting);
    json_t *value = value_of(equals + 1);
    bool ok = value ? ws_config_set(config, setting, value, place, err)
                    : ws_fail(err, WS_ERROR_USAGE, "%s: the value is no UTF-8", place);
    json_decref(value);
    return ok;
}

static bool set_all(ws_config *config, const char *option, const char *settings, ws_error *err) {
    char *text = strdup(settings), *rest = text, *setting;
    bool ok = text || ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    while (ok && (setting = strsep(&rest, ","))) ok = set_one(config, option, setting, err);
    free(text);
    return ok;
}

ws_config *cli_gpu_config(const char *gpu, const cli_args *settings, ws_error *err) {
    char path[PATH_MAX];
    ws_config *config = ws_config_new(cli_gpu_components, cli_gpu_component_count);
    bool ok = config || ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    if (ok && gpu) ok = cli_gpu_path(gpu, path, sizeof path, err) && ws_preset_apply(config, path, err);
    for (int i = 0; ok && i < settings->repeated_count; i++)
        ok = set_all(config, settings->command->repeats, settings->repeated[i], err);
    if (ok && ws_config_validate(config, err)) return config;
    ws_config_free(config);
    return NULL;
}
