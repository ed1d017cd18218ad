/* SQL over the points of a specification: derived parameters, and the condition in "where". SQLite evaluates it in
 * memory on the table `point`: a row per candidate, a column per parameter (window.size is
 * `window_size`), and the column `gpu`. */
#ifndef WS_SWEEP_GRID_POINT_TABLE_H
#define WS_SWEEP_GRID_POINT_TABLE_H

#include "sweep/spec/product.h"

/* Sets the derived parameters of the candidates, and frees the parameters of those that the condition leaves out, with
 * NULL in their place; it is an error if none stays. Expressions may use columns, operators, deterministic functions
 * and subqueries on `point`; errors quote them. */
bool ws_point_table_apply(const ws_spec *spec, ws_candidate *candidates, size_t count, ws_error *err);

#endif
