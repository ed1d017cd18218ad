/* Presets: named sets of parameter values in a JSON file, each value with its source.
 *
 *   {"name": "gtx480-wp", "summary": "..", "like": "accelsim-gtx480",
 *    "parameters": {"l1.size_B": {"value": 32768, "source": "WP tab. 2"}, ..}}
 *
 * `like` (optional) names another preset whose values come first: of the same folder, or of the folder of presets. GPUs
 * are presets; where those that come along are installed says `pkg-config --variable=gpus warpsweep`. */
#ifndef WARPSWEEP_PRESET_H
#define WARPSWEEP_PRESET_H

#include "warpsweep/param.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Whether `name` is the path of a preset's file (it holds a '/' or ends in .json) and not the name of one. */
bool ws_preset_is_file(const char *name);
/* The file of a preset: of the folder, or `name` itself where that is a path (then `folder` is not looked at). An
 * unknown name is an error of the specification that gives the nearest one. */
bool ws_preset_find(const char *folder, const char *name, char *path, size_t size, ws_error *err);

/* Sets what the preset in the file `path` says. `folder` has presets, too, that it may be like; NULL: only those beside
 * it. The configuration is not validated. */
bool ws_preset_apply(ws_config *config, const char *path, const char *folder, ws_error *err);

/* Calls `visit` once for each parameter that the preset or one it is like sets, with the value that counts and the
 * preset that gives it. */
typedef void ws_preset_visit(void *context, const char *preset, const char *parameter, const json_t *value,
                             const char *source);
bool ws_preset_walk(const char *path, const char *folder, ws_preset_visit *visit, void *context,
                    ws_error *err);

typedef struct ws_preset_info {
    char *name, *summary;
} ws_preset_info;

/* The presets of a folder by name: every NAME.json in it. Free with ws_presets_free(). */
bool ws_presets(const char *folder, ws_preset_info **presets, size_t *count, ws_error *err);
void ws_presets_free(ws_preset_info *presets, size_t count);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
