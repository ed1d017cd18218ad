#include "cli/inputs/gpus.h"

#include "base/ascii.h"
#include "base/json_decode.h"
#include "base/utf8.h"
#include "cli/installed.h"
#include "cli/output.h"
#include "mechanism/matters.h"
#include "warpsweep/analysis.h"
#include "warpsweep/mechanism.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a specification cannot say is a usage error, if the command line says it. */
static bool of_command_line(ws_error *err) {
    if (err && err->code == WS_ERROR_SPEC) err->code = WS_ERROR_USAGE;
    return false;
}

/* ---- presets */

bool cli_gpus_list(ws_preset_info **gpus, size_t *count, ws_error *err) {
    char folder[PATH_MAX];
    return cli_data_folder(&cli_gpus, folder, sizeof folder, err) && ws_presets(folder, gpus, count, err);
}

/* Finds the file of a preset. */
static bool path_of(const char *gpu, char *path, size_t size, ws_error *err) {
    char folder[PATH_MAX];
    const char *in = ws_preset_is_file(gpu) ? NULL : folder;
    if (in && !cli_data_folder(&cli_gpus, folder, sizeof folder, err)) return false;
    if (ws_preset_find(in, gpu, path, size, err)) return true;
    return of_command_line(err);
}

/* ---- settings */

/* Tells whether the text is a number as 0x1f0: in hexadecimal, as traces write addresses. */
static bool is_hexadecimal(const char *text, json_int_t *value) {
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 16);
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && end > text + 2 && !*end && !errno;
}

/* Reads a value: a number or a truth value as JSON writes them, or a number in hexadecimal; anything else is a text.
 * NULL when out of memory. */
static json_t *value_of(const char *text) {
    json_int_t integer;
    if (is_hexadecimal(text, &integer)) return json_integer(integer);
    json_t *value = ws_json_decode(text, strlen(text), JSON_DECODE_ANY, NULL);
    return value || errno == ENOMEM ? value : json_string(text);
}

/* Cuts the blanks off both ends of a text. */
static char *trim(char *text) {
    while (ws_is_space(*text)) text++;
    size_t length = strlen(text);
    while (length && ws_is_space(text[length - 1])) length--;
    text[length] = 0;
    return text;
}

static bool set_one(ws_config *config, const char *option, char *setting, ws_error *err) {
    char *equals = strchr(setting, '='), place[128];
    if (equals) *equals = 0;
    const char *name = trim(setting), *text = equals ? trim(equals + 1) : "";
    if (!*name || !*text)
        return ws_fail(err, WS_ERROR_USAGE, "--%s: expected NAME=VALUE, found '%s%s%s'", option, name,
                       equals ? "=" : "", text);
    if (strcmp(name, "gpu") == 0)
        return ws_fail(err, WS_ERROR_USAGE, "--%s: expected a parameter, found 'gpu'; --gpu %s chooses a GPU",
                       option, text);
    snprintf(place, sizeof place, "--%s %s", option, name);
    json_t *value = value_of(text);
    bool ok = value ? ws_config_set_known(config, name, value, place, err) || of_command_line(err)
              : ws_is_utf8(text) ? ws_no_memory(err)
                                 : ws_fail(err, WS_ERROR_USAGE, "%s: the value is no UTF-8", place);
    json_decref(value);
    return ok;
}

static bool set_all(ws_config *config, const char *option, const char *settings, ws_error *err) {
    char *text = strdup(settings), *rest = text, *setting;
    bool ok = text || ws_no_memory(err);
    while (ok && (setting = strsep(&rest, ","))) ok = set_one(config, option, setting, err);
    free(text);
    return ok;
}

static void tell_unmet(const ws_need *need, const char *option, const char *name) {
    fprintf(stderr, "--%s %s %s: ", option, name, need->otherwise ? need->otherwise : "changes nothing");
    if (need->of) fprintf(stderr, "%s is %s%s", need->of, need->other_than ? "" : "not ", need->value);
    if (need->or_programs) fprintf(stderr, "%sone program runs", need->of ? ", and " : "");
    fputc('\n', stderr);
}

static void tell_off(const ws_mechanism *mechanism, const char *option, const char *name) {
    fprintf(stderr, "--%s %s changes nothing: the mechanism %s is off; --%s %s=%s turns it on\n", option,
            name, mechanism->name, option, ws_mechanism_switch(mechanism)->name, mechanism->name);
}

/* Tells if a setting changes nothing; otherwise the result would be taken for its effect. */
static void tell_if_idle(const ws_config *config, bool two_programs, const char *option, const char *name) {
    const ws_mechanism *mechanism = ws_mechanism_of_param(name);
    const ws_need *need = ws_config_unmet(config, name, two_programs);
    if (mechanism && !ws_mechanism_is_on(config, mechanism))
        tell_off(mechanism, option, name);
    else if (need)
        tell_unmet(need, option, name);
}

void cli_tell_idle(const ws_config *config, const cli_args *settings, bool two_programs) {
    ws_mechanism_set set;
    if (!ws_mechanisms_of(config, &set, NULL)) return; /* refusals are reported elsewhere */
    for (int i = 0; i < settings->repeated_count; i++) {
        for (const char *at = settings->repeated[i]; at; at = strchr(at, ',')) {
            char name[128];
            at += *at == ',';
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "=,"), at);
            tell_if_idle(config, two_programs, settings->command->repeats, trim(name));
        }
    }
}

/* Applies a preset. One of the user's own may be `like` one of the installation, if there is a folder of these. */
static bool apply_gpu(ws_config *config, const char *gpu, ws_error *err) {
    char path[PATH_MAX], folder[PATH_MAX];
    bool has_folder = cli_data_folder(&cli_gpus, folder, sizeof folder, NULL);
    return path_of(gpu, path, sizeof path, err) &&
           ws_preset_apply(config, path, has_folder ? folder : NULL, err);
}

ws_config *cli_gpu_config(const char *gpu, const cli_args *settings, ws_error *err) {
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    bool ok = config || ws_no_memory(err);
    if (ok && gpu) ok = apply_gpu(config, gpu, err);
    bool valid = ok && ws_config_validate(config, NULL); /* what does not fit then is in the settings */
    for (int i = 0; ok && i < settings->repeated_count; i++)
        ok = set_all(config, settings->command->repeats, settings->repeated[i], err);
    ok = ok && (ws_config_validate(config, err) || (valid && of_command_line(err)) ||
                (gpu && !settings->repeated_count && ws_fail_prefix(err, "%s", gpu)));
    if (ok) return config;
    ws_config_free(config);
    return NULL;
}

/* ---- in words */

static void print_value(void *out, const char *preset, const char *parameter, const json_t *value,
                        const char *source) {
    char *text = cli_json_line(value);
    fprintf(out, "  %-26s %-14s %s [%s]\n", parameter, text ? text : "", source, preset);
    free(text);
}

bool cli_print_gpu(const char *gpu, FILE *out, ws_error *err) {
    char path[PATH_MAX], name[NAME_MAX + 1], folder[PATH_MAX];
    const cli_args none = {0};
    ws_config *config = cli_gpu_config(gpu, &none, err);
    ws_config_free(config);
    char *summary = config && path_of(gpu, path, sizeof path, err) ? ws_preset_summary(path, err) : NULL;
    if (!summary) return false;
    ws_preset_name(path, name, sizeof name);
    fprintf(out, "GPU %s: %s\n", name, summary);
    free(summary);
    bool has_folder = cli_data_folder(&cli_gpus, folder, sizeof folder, NULL);
    return ws_preset_walk(path, has_folder ? folder : NULL, print_value, out, err);
}
