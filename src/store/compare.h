/* The view of a sweep that compares each point with its baseline: S_by_kernel twice, as `this` and as `base`, and the
 * expressions of the experiment's comparison over both, and over `swept`, the sweep's own launches. */
#ifndef WS_STORE_COMPARE_H
#define WS_STORE_COMPARE_H

#include "store/store.h"

/* The query of that view; the sweep must have a baseline, and the experiment a comparison. `id` is the sweep's. */
sqlite3_str *ws_store_comparison(const ws_store *store, const ws_sweep_row *sweep, int64_t id);

/* The query of one row: of that view's rows, how many there are, and how many have a baseline. The view itself would
 * tell by its notes alone, which are much slower to find out. */
sqlite3_str *ws_store_compared_count(const ws_store *store, const ws_sweep_row *sweep);

/* The query of the front: the settings (values of all axes) by group of kernels, and for all kernels together, with the
 * geometric mean of the benefit, the cost, and whether the setting is on the front. It is not if another setting with
 * the same values on the sweep's compared_at axes has at least its benefit at no more cost, and is better in one of the
 * two; that is unknown for settings with fewer kernels than another of these. The same for the area as the cost, if the
 * sweep's table of energies gives areas. The experiment must have a front. */
sqlite3_str *ws_store_front(const ws_store *store, const ws_sweep_row *sweep);

/* Parts of such queries. This one identifies a point: SELECT this.trace AS trace and so on, and its axes. */
void ws_store_append_this(sqlite3_str *sql, const ws_sweep_row *sweep);
/* Goes behind WITH: the table `baselines`, the rows of `relation` that others are compared with. `relation` must have
 * the columns trace, kernel, launches, launch_set, fidelity and the axes. */
void ws_store_append_baselines(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep,
                               const char *relation);
/* The rows of `relation` as `this`, each joined with its baseline as `base`, whose columns are NULL if there is
 * none. */
void ws_store_append_compared(sqlite3_str *sql, const ws_sweep_row *sweep, const char *relation);
/* The branch of a CASE for points without a baseline: a text that says so, and which of the point's values no baseline
 * has. */
void ws_store_append_no_baseline(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep);

#endif
