/* GPUs to run on: presets and settings. */
#ifndef WS_CLI_INPUTS_GPUS_H
#define WS_CLI_INPUTS_GPUS_H

#include "cli/command.h"
#include "warpsweep/preset.h"

#include <stdio.h>

/* Lists all presets of this installation. Free with ws_presets_free(). */
bool cli_gpus_list(ws_preset_info **gpus, size_t *count, ws_error *err);

/* Makes the configuration of `gpu`, the name of a preset, or a file (its name contains a '/' or ends in .json); NULL:
 * the defaults. The settings, of a repeatable option, each "NAME=VALUE,NAME=VALUE ..", change it. Validated. The caller
 * frees it. */
ws_config *cli_gpu_config(const char *gpu, const cli_args *settings, ws_error *err);

/* Prints what a GPU is, and each of its parameters with its source; `gpu` is as above. What `run --gpu` would refuse is
 * an error. */
bool cli_print_gpu(const char *gpu, FILE *out, ws_error *err);

/* Says which of the settings change nothing in the configuration; `two_programs`: two programs run with it, not one. */
void cli_tell_idle(const ws_config *config, const cli_args *settings, bool two_programs);

#endif
