/* Turns configurations of GPGPU-Sim and Accel-Sim into presets (preset.h) with the same numbers. */
#ifndef WARPSWEEP_GPGPUSIM_H
#define WARPSWEEP_GPGPUSIM_H

#include "warpsweep/error.h"

#include <jansson.h>

#include <stddef.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Called for each option whose value the timed replay does not model, and for each unknown option. `text` is a complete
 * message for a user; it is valid only during the call. */
typedef void ws_gpgpusim_note(void *context, const char *text);

/* Makes a preset called `name` from `count` files of options ("-name value": gpgpusim.config, then Accel-Sim's
 * trace.config; later files override earlier ones). The source of each value is the file, line and option that it comes
 * from. Options that no file sets have the simulator's defaults (GPGPU-Sim 4.2 and Accel-Sim of October 2024). With
 * network_mode 1, the file named by -inter_config_file is read from the folder of one of these files. `note` may be
 * NULL. The values are not validated: ws_config_validate() does that. The caller releases the result; NULL on error. */
json_t *ws_gpgpusim_preset(const char *const *paths, size_t count, const char *name, ws_gpgpusim_note *note,
                           void *context, ws_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
