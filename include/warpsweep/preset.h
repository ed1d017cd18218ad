/* Presets: named sets of parameter values in a JSON file, each value with its source.
 *
 *   {"name": "gtx480-wp", "summary": "..", "like": "accelsim-gtx480",
 *    "parameters": {"l1.size_B": {"value": 32768, "source": "WP tab. 2"}, ..}}
 *
 * `like` (optional) names another preset, of the same folder or of the folder of presets, whose values are set first.
 * GPUs are presets; `pkg-config --variable=gpus warpsweep` prints the folder of the installed ones. */
#ifndef WARPSWEEP_PRESET_H
#define WARPSWEEP_PRESET_H

#include "warpsweep/param.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Whether `name` is the path of a preset's file (it contains a '/' or ends in .json) rather than a preset's name. */
bool ws_preset_is_file(const char *name);
/* Writes into `name`, of `size` bytes, what a preset in the file `path` has to be called: "x" for "folder/x.json".
 * Returns false if the file's name does not end in .json; `name` is then the whole of it, "" for NULL. */
bool ws_preset_name(const char *path, char *name, size_t size);
/* Writes the path of a preset's file into `path`, of `size` bytes: that in `folder`, or `name` itself if it is a path
 * (`folder` is then ignored). An unknown name is WS_ERROR_SPEC, and the text gives the nearest name. */
bool ws_preset_find(const char *folder, const char *name, char *path, size_t size, ws_error *err);

/* Sets the parameters that the preset in the file `path` gives. Its `like` may name a preset beside it or in `folder`
 * (NULL: only beside it). The configuration is not validated. On an error it may have some of the values already: free
 * it, or apply to a copy (ws_config_copy). */
bool ws_preset_apply(ws_config *config, const char *path, const char *folder, ws_error *err);

/* Calls `visit` once for each parameter that the preset, or one that it is like, sets, with the value that takes effect
 * and the preset that gives it. */
typedef void ws_preset_visit(void *context, const char *preset, const char *parameter, const json_t *value,
                             const char *source);
bool ws_preset_walk(const char *path, const char *folder, ws_preset_visit *visit, void *context,
                    ws_error *err);

/* The summary of the preset in the file `path`. The caller frees it; NULL on error. */
char *ws_preset_summary(const char *path, ws_error *err);

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
