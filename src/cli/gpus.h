/* GPUs to run on: presets and settings. */
#ifndef WS_CLI_GPUS_H
#define WS_CLI_GPUS_H

#include "cli/command.h"
#include "warpsweep/preset.h"

#include <stdio.h>

/* Lists all presets of this installation. Free with ws_presets_free(). */
bool cli_gpus_list(ws_preset_info **gpus, size_t *count, ws_error *err);

/* Finds the file of a preset. `gpu` is its name, or a file (its name contains a '/' or ends in .json). */
bool cli_gpu_path(const char *gpu, char *path, size_t size, ws_error *err);

/* Makes the configuration of `gpu` (NULL: the defaults), changed by the settings that were given with a repeatable
 * option, each "NAME=VALUE,NAME=VALUE ..". Validated. The caller frees it. */
ws_config *cli_gpu_config(const char *gpu, const cli_args *settings, ws_error *err);

/* Prints what a GPU is, and each of its parameters with its source; `gpu` is as above. What `run --gpu` would refuse is
 * an error. */
bool cli_print_gpu(const char *gpu, FILE *out, ws_error *err);

/* Says which of the settings change nothing in the configuration; `two_programs`: two programs run with it, not one. */
void cli_tell_idle(const ws_config *config, const cli_args *settings, bool two_programs);

#endif
