#include "sweep/grid/sample.h"

#include "base/gsl.h"
#include "base/number_set.h"

#include <gsl/gsl_qrng.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* ---- GSL */

/* A generator of random numbers; NULL if out of memory. */
static gsl_rng *new_rng(unsigned long seed) {
    ws_gsl_handler_off();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng) gsl_rng_set(rng, seed);
    return rng;
}

static gsl_qrng *new_sobol(unsigned dimensions) {
    ws_gsl_handler_off();
    return gsl_qrng_alloc(gsl_qrng_sobol, dimensions);
}

/* ---- a choice among combinations that are all looked at; without candidates, each can be chosen */

static bool can_be_chosen(const ws_candidate *candidates, size_t i) {
    return !candidates || candidates[i].config;
}

static bool choose_random(const ws_spec *spec, const ws_candidate *candidates, size_t count, gsl_rng *rng,
                          bool *chosen, ws_error *err) {
    size_t *there = calloc(count, sizeof *there), *picked = calloc(spec->sampling.points, sizeof *picked);
    bool ok = (there && picked) || ws_no_memory(err);
    size_t there_count = 0;
    for (size_t i = 0; ok && i < count; i++)
        if (can_be_chosen(candidates, i)) there[there_count++] = i;
    if (ok) gsl_ran_choose(rng, picked, spec->sampling.points, there, there_count, sizeof *there);
    for (size_t i = 0; ok && i < spec->sampling.points; i++) chosen[picked[i]] = true;
    free(there);
    free(picked);
    return ok;
}

/* The first number from `i` on, cyclically, that can be chosen; there must be one. `next` links a number that can be
 * chosen to itself, and any other to a later one. */
static size_t first_free(size_t *next, size_t i, size_t count) {
    while (next[i] != i) {
        if (next[i] < count) next[i] = next[next[i]]; /* shortens the path for later searches */
        i = next[i] == count ? 0 : next[i];
    }
    return i;
}

/* Sobol's sequence, shifted. */
typedef struct sobol {
    gsl_qrng *sequence;
    double shift[WS_SOBOL_AXES_MAX];
} sobol;

static bool count_dimensions(const ws_spec *spec, unsigned *dimensions, ws_error *err) {
    *dimensions = 0;
    for (size_t axis = 0, values; axis < spec->axis_count; ++*dimensions)
        axis = ws_product_group(spec, axis, &values);
    if (*dimensions <= WS_SOBOL_AXES_MAX) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s: $.sampling.method: expected at most %d axes with \"sobol\", found %u; use \"random\"",
                   spec->path, WS_SOBOL_AXES_MAX, *dimensions);
}

static bool start_sobol(const ws_spec *spec, gsl_rng *rng, sobol *s, ws_error *err) {
    unsigned dimensions;
    if (!count_dimensions(spec, &dimensions, err)) return false;
    for (unsigned i = 0; i < dimensions; i++) s->shift[i] = gsl_rng_uniform(rng);
    s->sequence = new_sobol(dimensions ? dimensions : 1);
    return s->sequence || ws_no_memory(err);
}

/* The position of the combination whose cell of the unit cube contains the sequence's next point. */
static uint64_t next_cell(const ws_spec *spec, sobol *s) {
    double point[WS_SOBOL_AXES_MAX];
    uint64_t position = 0;
    gsl_qrng_get(s->sequence, point);
    for (size_t axis = 0, dimension = 0, values; axis < spec->axis_count; dimension++) {
        axis = ws_product_group(spec, axis, &values);
        double x = point[dimension] + s->shift[dimension];
        size_t at = (size_t)((x - floor(x)) * (double)values);
        position = position * values + (at < values ? at : values - 1);
    }
    return position;
}

static bool choose_sobol(const ws_spec *spec, const ws_candidate *candidates, size_t count, gsl_rng *rng,
                         bool *chosen, ws_error *err) {
    sobol s;
    if (!start_sobol(spec, rng, &s, err)) return false;
    size_t *next = calloc(count, sizeof *next);
    bool ok = next || ws_no_memory(err);
    for (size_t i = 0; ok && i < count; i++) next[i] = can_be_chosen(candidates, i) ? i : i + 1;
    for (size_t i = 0; ok && i < spec->sampling.points; i++) {
        size_t at = first_free(next, next_cell(spec, &s), count);
        chosen[at] = true;
        next[at] = at + 1;
    }
    gsl_qrng_free(s.sequence);
    free(next);
    return ok;
}

static bool check_points(const ws_spec *spec, const ws_candidate *candidates, size_t count, ws_error *err) {
    size_t there = 0;
    for (size_t i = 0; i < count; i++) there += can_be_chosen(candidates, i);
    if (spec->sampling.points <= there) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s: $.sampling.points: expected at most the %zu combinations that there are, found %zu",
                   spec->path, there, spec->sampling.points);
}

/* Returns which combinations are chosen; NULL with an error. */
static bool *choose(const ws_spec *spec, const ws_candidate *candidates, size_t count, ws_error *err) {
    if (!check_points(spec, candidates, count, err)) return NULL;
    gsl_rng *rng = new_rng(spec->sampling.seed);
    bool *chosen = calloc(count, sizeof *chosen), ok = rng && chosen;
    if (!ok) ws_no_memory(err);
    ok = ok && (spec->sampling.method == WS_SAMPLING_RANDOM
                    ? choose_random(spec, candidates, count, rng, chosen, err)
                    : choose_sobol(spec, candidates, count, rng, chosen, err));
    if (rng) gsl_rng_free(rng);
    if (ok) return chosen;
    free(chosen);
    return NULL;
}

/* ---- candidates drawn from more combinations than can be looked at */

enum { DRAWN_PER_POINT = 64, DRAWN_LEAST = 1 << 12, DRAWN_MOST = WS_COMBOS_MAX / 2, TRIES_PER_DRAWN = 16 };

static uint64_t random_position(const ws_spec *spec, gsl_rng *rng) {
    uint64_t position = 0;
    for (size_t axis = 0, values; axis < spec->axis_count;) {
        axis = ws_product_group(spec, axis, &values);
        position = position * values + gsl_rng_uniform_int(rng, values);
    }
    return position;
}

/* Whether the point table is needed to know which combinations there are. */
static bool has_sql(const ws_spec *spec) {
    return spec->where || spec->derived_count;
}

static size_t count_to_draw(const ws_spec *spec) {
    size_t points = spec->sampling.points, count = spec->where ? DRAWN_PER_POINT * points : points;
    if (spec->where && count < DRAWN_LEAST) count = DRAWN_LEAST;
    return count <= DRAWN_MOST ? count : points > DRAWN_MOST ? points : DRAWN_MOST;
}

/* Draws distinct positions, in `positions`, which has room for `most`. */
static bool draw_into(const ws_spec *spec, gsl_rng *rng, sobol *s, uint64_t *positions, size_t most,
                      size_t *count, ws_error *err) {
    ws_number_set drawn = {0};
    bool ok = true, again;
    *count = 0;
    for (size_t tries = 0; ok && *count < most && tries < TRIES_PER_DRAWN * most; tries++) {
        uint64_t position = s ? next_cell(spec, s) : random_position(spec, rng);
        ok = ws_number_set_add(&drawn, position, &again) || ws_no_memory(err);
        if (ok && !again) positions[(*count)++] = position;
    }
    ws_number_set_free(&drawn);
    return ok;
}

static bool draw(const ws_spec *spec, uint64_t **positions, size_t *count, ws_error *err) {
    const size_t most = count_to_draw(spec);
    const bool random = spec->sampling.method == WS_SAMPLING_RANDOM;
    sobol s = {0};
    gsl_rng *rng = new_rng(spec->sampling.seed);
    *positions = calloc(most, sizeof **positions);
    bool ok = ((rng && *positions) || ws_no_memory(err)) && (random || start_sobol(spec, rng, &s, err)) &&
              draw_into(spec, rng, random ? NULL : &s, *positions, most, count, err);
    if (s.sequence) gsl_qrng_free(s.sequence);
    if (rng) gsl_rng_free(rng);
    if (ok) return true;
    free(*positions);
    *positions = NULL;
    return false;
}

/* ---- either */

static bool list_chosen(const ws_spec *spec, size_t all, uint64_t **positions, size_t *count, ws_error *err) {
    bool *chosen = choose(spec, NULL, all, err);
    if (!chosen) return false;
    *count = 0;
    *positions = calloc(spec->sampling.points, sizeof **positions);
    for (size_t i = 0; *positions && i < all; i++)
        if (chosen[i]) (*positions)[(*count)++] = i;
    free(chosen);
    return *positions || ws_no_memory(err);
}

bool ws_sample_positions(const ws_spec *spec, uint64_t all, uint64_t **positions, size_t *count,
                         ws_error *err) {
    const bool samples = spec->sampling.method != WS_SAMPLING_GRID;
    *positions = NULL;
    *count = (size_t)all;
    if (all > WS_COMBOS_MAX && !samples)
        return ws_fail(err, WS_ERROR_SPEC,
                       "%s: $.axes: expected at most %d combinations, or \"sampling\", found %llu",
                       spec->path, WS_COMBOS_MAX, (unsigned long long)all);
    if (all > WS_COMBOS_MAX) return draw(spec, positions, count, err);
    return !samples || has_sql(spec) || list_chosen(spec, (size_t)all, positions, count, err);
}

static void leave_out(ws_candidate *candidate) {
    ws_config_free(candidate->config);
    candidate->config = NULL;
}

/* Keeps the first candidates that there are. */
static bool keep_first(const ws_spec *spec, ws_candidate *candidates, size_t count, ws_error *err) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == spec->sampling.points) leave_out(&candidates[i]);
        kept += candidates[i].config != NULL;
    }
    if (kept == spec->sampling.points) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s: $.sampling.points: expected at most the %zu combinations that are left of %zu drawn "
                   "ones, found %zu",
                   spec->path, kept, count, spec->sampling.points);
}

bool ws_sample_keep(const ws_spec *spec, uint64_t all, ws_candidate *candidates, size_t count,
                    ws_error *err) {
    if (spec->sampling.method == WS_SAMPLING_GRID) return true;
    if (all > WS_COMBOS_MAX) return keep_first(spec, candidates, count, err);
    if (!has_sql(spec)) return true; /* chosen already */
    bool *chosen = choose(spec, candidates, count, err);
    if (!chosen) return false;
    for (size_t i = 0; i < count; i++)
        if (!chosen[i]) leave_out(&candidates[i]);
    free(chosen);
    return true;
}
