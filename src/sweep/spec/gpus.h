/* What the points of a specification start from: a GPU's preset, and "base" on top of it. */
#ifndef WS_SWEEP_SPEC_GPUS_H
#define WS_SWEEP_SPEC_GPUS_H

#include "sweep/spec/spec.h"

/* Reads "gpu" and "base": all points start from one GPU, or from the defaults. */
bool ws_spec_read_gpu(ws_spec *spec, ws_error *err);

/* Reads the axis WS_GPU_AXIS: an array of GPUs, which replace the one that has been read. Appends their names to
 * `values`. */
bool ws_spec_read_gpu_axis(ws_spec *spec, const json_t *node, const char *path, json_t *values,
                           ws_error *err);

/* For values of the axis that move to an earlier place, in exchange with what is there, and that go from the end. */
void ws_spec_move_gpu(ws_spec *spec, size_t from, size_t to);
void ws_spec_cut_gpus(ws_spec *spec, size_t count);

void ws_spec_free_gpus(ws_spec *spec);

#endif
