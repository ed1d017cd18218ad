/* GPUs from configurations of GPGPU-Sim and Accel-Sim: a preset (preset.h) with the same numbers. */
#ifndef WARPSWEEP_GPGPUSIM_H
#define WARPSWEEP_GPGPUSIM_H

#include "warpsweep/error.h"

#include <jansson.h>

#include <stddef.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Called for each option that says something which the timed replay does not model, and for each that is not known;
 * `text` is complete for a user, and valid during the call. */
typedef void ws_gpgpusim_note(void *context, const char *text);

/* The preset called `name` of what `count` files of options ("-name value", gpgpusim.config and Accel-Sim's
 * trace.config; later ones win) say, each value with its file, line and option as its source. Options that no file has
 * are taken as the simulator takes them (GPGPU-Sim 4.2 and Accel-Sim, October 2024). With network_mode 1 the file of
 * -inter_config_file is read from the folder of the file that names it. `note` may be NULL. Whether the numbers make a
 * GPU that works ws_config_validate() tells. The caller releases the answer; NULL on error. */
json_t *ws_gpgpusim_preset(const char *const *paths, size_t count, const char *name, ws_gpgpusim_note *note,
                           void *context, ws_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
