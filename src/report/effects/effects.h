/* What effects.c, points.c, grid.c, lacking.c, implied.c and surface.c share: temporary tables
 *   effect_point (k, v0 .., n, s, y)  kernel, axes' values, how many launches, a number by which to tell sets of as
 *                                     many apart, and the metric (its logarithm, except for differences)
 *   effect_name (k, name)             what each kernel is called
 *   effect_idle (idle, v0 ..), effect_implied    of implied.c
 *   effect_kernel (k, mean, total)    each kernel's mean, and its sum of squares; with a surface, that per point
 *   effect_level (axis, v, k, d)      of each level and kernel: the level's mean minus the kernel's
 *   effect_term (a, b, k, ss)         sums of squares of axis a (b = -1), or of the interaction of a and b alone;
 *                                     -1, -1: the rest
 *   effect_share (a, b, k, share)     the mean over kernels is the term's share of all their sums of squares, and their
 *                                     differences are those by which it varies with the choice of kernels
 *   effect_axis (axis, name, share)
 *   effect_span (axis, lowest, highest, k, d)   levels with the lowest and the highest mean over kernels, and each
 *                                     kernel's difference between the two */
#ifndef WS_REPORT_EFFECTS_EFFECTS_H
#define WS_REPORT_EFFECTS_EFFECTS_H

#include "store/sqlite.h"
#include "warpsweep/report.h"

enum { WS_EFFECTS_AXES_MAX = 32 }; /* that vary of their own */

typedef struct ws_effects_axis {
    char *name;      /* of the parameter, as in the specification */
    unsigned column; /* v.. */
    bool constant;   /* dropped, as it has a single value */
} ws_effects_axis;

typedef struct effects {
    ws_store *store;
    sqlite3 *db;
    const ws_effects_query *query;
    FILE *log; /* may be NULL */
    ws_effects_axis
        *axes; /* of the sweep: first `count` that vary of their own, then those that were dropped */
    unsigned count, total;
    int64_t combinations; /* of the axes' values */
    bool idle_known;      /* whether effect_idle is there */
    bool fitted;          /* the effects are those of a surface */
    int64_t implied;      /* points of which others tell (report/effects/implied.h) */
    int64_t implied_axes; /* a bit for each axis in which they differ from those */
    int64_t kernels;
    int64_t missed_percent; /* share of the rest, where a surface is fitted */
} effects;

/* Make and fill the tables; drop them, and free what `f` has found. The latter is also needed after a failure. */
bool ws_effects_find(effects *f, ws_error *err);
void ws_effects_drop(effects *f);

/* The query that ws_effects() runs: a row for each axis and pair of axes, or, with `values`, for each value. And the
 * query for a figure of the values (plots/effects.gp). Free with sqlite3_free(); NULL: out of memory. */
char *ws_effects_rows(const effects *f);
char *ws_effects_points(const effects *f);

/* Draws the values as ws_plot_effects() does, and passes on each page as ws_figure_pages() does. */
bool ws_effects_pages(const effects *f, const char *folder,
                      bool (*take)(void *context, FILE *svg, ws_error *err), void *context, ws_error *err);

/* ---- steps on the way; each is false on failure */

/* Run SQL of effects, and free it. _number puts the one number that it gives into `*value`. */
static inline bool ws_effects_run(effects *f, char *sql, ws_error *err) {
    return ws_store_run(f->store, sql, "finding effects", err);
}
static inline bool ws_effects_number(effects *f, char *sql, int64_t *value, ws_error *err) {
    return ws_store_number(f->store, sql, "finding effects", value, err);
}

/* Finds the view's axes, and fills effect_point. */
bool ws_effects_take_points(effects *f, ws_error *err);
/* Drop axes that do not vary of their own; kernels that lack some of the combinations of the others or, of a sample,
 * many points; and kernels in which the metric does not vary. Where a sweep left out points of which others tell, a
 * grid is filled with these. */
bool ws_effects_keep_grid(effects *f, ws_error *err);
bool ws_effects_keep_sample(effects *f, ws_error *err);
/* Fills the holes of a sample, too, if that makes it complete: a sweep then left out only points of which others tell.
 * If not, the surface gets the points that there are: others would not be further evidence of what it misses. */
bool ws_effects_fill_sample(effects *f, bool *complete, ws_error *err);
/* Says which kernel lacks the fewest of the combinations, and which (lacking.c). NULL if none lacks any. Free with
 * sqlite3_free(). Needs f->combinations. */
bool ws_effects_lacking(effects *f, char **text, ws_error *err);
/* Lists the axes that were dropped in the log. */
void ws_effects_tell_dropped(const effects *f);

/* Fills effect_kernel, effect_level and effect_term from a surface that is fitted to the points of each kernel (see
 * ws_effects()). */
bool ws_effects_fit_surface(effects *f, ws_error *err);

#endif
