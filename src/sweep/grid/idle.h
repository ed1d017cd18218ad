/* Tells of what a specification says without effect. */
#ifndef WS_SWEEP_GRID_IDLE_H
#define WS_SWEEP_GRID_IDLE_H

#include "sweep/grid/grid.h"
#include "sweep/spec/inputs.h"

#include <stdio.h>

/* Says which parameters that the specification sets or varies change nothing: those of a mechanism that none of the
 * points has, or of a choice that none of them makes; which GPUs equal others; a baseline that nothing can be
 * compared with; and a core clock that the table of energies does not go by. */
void ws_tell_idle(const ws_spec *spec, const ws_grid *grid, FILE *out);
/* Says so where the specification sets how many launches run at the same time, but in no trace any can. */
void ws_tell_one_stream(const ws_spec *spec, const ws_inputs *inputs, FILE *out);

#endif
