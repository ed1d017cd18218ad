/* What the points of a specification start from: a GPU's preset, and "base" on top of it. */
#ifndef WS_SWEEP_SPEC_GPUS_H
#define WS_SWEEP_SPEC_GPUS_H

#include "sweep/spec.h"

/* "gpu" and "base": one GPU, or the defaults. */
bool ws_spec_read_gpu(ws_spec *spec, ws_error *err);

/* The axis WS_GPU_AXIS: an array of GPUs, which take the place of the one at hand. Appends their names to `values`. */
bool ws_spec_read_gpu_axis(ws_spec *spec, const json_t *node, const char *path, json_t *values,
                           ws_error *err);

void ws_spec_free_gpus(ws_spec *spec);

#endif
