#include "sweep/sample.h"

#include "sweep/product.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* ---- GSL */

/* A generator of random numbers; NULL if out of memory, where GSL's own handler would abort the program. */
static gsl_rng *new_rng(unsigned long seed) {
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_set_error_handler(handler);
    if (rng) gsl_rng_set(rng, seed);
    return rng;
}

static gsl_qrng *new_sobol(unsigned dimensions) {
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    gsl_qrng *sobol = gsl_qrng_alloc(gsl_qrng_sobol, dimensions);
    gsl_set_error_handler(handler);
    return sobol;
}

/* ---- random */

static bool choose_random(const ws_spec *spec, ws_config **configs, size_t count, gsl_rng *rng, bool *chosen,
                          ws_error *err) {
    size_t *there = calloc(count, sizeof *there), *picked = calloc(spec->sampling.points, sizeof *picked);
    bool ok = (there && picked) || ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    size_t there_count = 0;
    for (size_t i = 0; ok && i < count; i++)
        if (configs[i]) there[there_count++] = i;
    if (ok) gsl_ran_choose(rng, picked, spec->sampling.points, there, there_count, sizeof *there);
    for (size_t i = 0; ok && i < spec->sampling.points; i++) chosen[picked[i]] = true;
    free(there);
    free(picked);
    return ok;
}

/* ---- sobol */

/* The first position from `i` on, cyclically, that can be chosen; there must be one. `next` links a position that can
 * be chosen to itself, and any other to a later one. */
static size_t first_free(size_t *next, size_t i, size_t count) {
    while (next[i] != i) {
        if (next[i] < count) next[i] = next[next[i]]; /* shortens the path for later searches */
        i = next[i] == count ? 0 : next[i];
    }
    return i;
}

/* The number of the combination whose cell of the unit cube contains the shifted point. */
static size_t cell_of(const ws_spec *spec, const double *point, const double *shift) {
    size_t position = 0;
    for (size_t axis = 0, dimension = 0, values; axis < spec->axis_count; dimension++) {
        axis = ws_product_group(spec, axis, &values);
        double x = point[dimension] + shift[dimension];
        size_t at = (size_t)((x - floor(x)) * (double)values);
        position = position * values + (at < values ? at : values - 1);
    }
    return position;
}

static bool count_dimensions(const ws_spec *spec, unsigned *dimensions, ws_error *err) {
    *dimensions = 0;
    for (size_t axis = 0, values; axis < spec->axis_count; ++*dimensions)
        axis = ws_product_group(spec, axis, &values);
    if (*dimensions <= WS_SOBOL_AXES_MAX) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s: $.sampling.method: expected at most %d axes with \"sobol\", found %u; use \"random\"",
                   spec->path, WS_SOBOL_AXES_MAX, *dimensions);
}

static bool choose_sobol(const ws_spec *spec, ws_config **configs, size_t count, gsl_rng *rng, bool *chosen,
                         ws_error *err) {
    unsigned dimensions;
    if (!count_dimensions(spec, &dimensions, err)) return false;
    double shift[WS_SOBOL_AXES_MAX], point[WS_SOBOL_AXES_MAX];
    for (unsigned i = 0; i < dimensions; i++) shift[i] = gsl_rng_uniform(rng);
    gsl_qrng *sobol = new_sobol(dimensions ? dimensions : 1);
    size_t *next = calloc(count, sizeof *next);
    bool ok = (sobol && next) || ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; ok && i < count; i++) next[i] = configs[i] ? i : i + 1;
    for (size_t i = 0; ok && i < spec->sampling.points; i++) {
        gsl_qrng_get(sobol, point);
        size_t at = first_free(next, cell_of(spec, point, shift), count);
        chosen[at] = true;
        next[at] = at + 1;
    }
    if (sobol) gsl_qrng_free(sobol);
    free(next);
    return ok;
}

/* ---- either method */

static bool choose(const ws_spec *spec, ws_config **configs, size_t count, bool *chosen, ws_error *err) {
    gsl_rng *rng = new_rng(spec->sampling.seed);
    if (!rng) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    bool ok = spec->sampling.method == WS_SAMPLING_RANDOM
                  ? choose_random(spec, configs, count, rng, chosen, err)
                  : choose_sobol(spec, configs, count, rng, chosen, err);
    gsl_rng_free(rng);
    return ok;
}

static bool check_points(const ws_spec *spec, ws_config **configs, size_t count, ws_error *err) {
    size_t there = 0;
    for (size_t i = 0; i < count; i++) there += configs[i] != NULL;
    if (spec->sampling.points <= there) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s: $.sampling.points: expected at most the %zu combinations that there are, found %zu",
                   spec->path, there, spec->sampling.points);
}

bool ws_sample(const ws_spec *spec, ws_config **configs, size_t count, ws_error *err) {
    if (spec->sampling.method == WS_SAMPLING_GRID) return true;
    if (!check_points(spec, configs, count, err)) return false;
    bool *chosen = calloc(count, sizeof *chosen);
    bool ok =
        chosen ? choose(spec, configs, count, chosen, err) : ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; ok && i < count; i++) {
        if (chosen[i]) continue;
        ws_config_free(configs[i]);
        configs[i] = NULL;
    }
    free(chosen);
    return ok;
}
