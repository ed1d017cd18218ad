#include "sweep/grid/idle.h"

#include "base/array.h"
#include "mechanism/matters.h"
#include "sweep/grid/baselines.h"
#include "warpsweep/timed.h"

#include <string.h>

/* True if no point has the mechanism. */
static bool is_off(const ws_grid *grid, const ws_mechanism *mechanism) {
    size_t combo = 0;
    while (combo < grid->count && !ws_mechanism_is_on(grid->combos[combo].config, mechanism)) combo++;
    return combo == grid->count;
}

/* What the parameter lacks in all points; NULL if there is a point in which it lacks nothing. */
static const ws_need *unmet(const ws_grid *grid, const char *name, bool two_programs) {
    const ws_need *need = NULL;
    for (size_t combo = 0; combo < grid->count; combo++)
        if (!(need = ws_config_unmet(grid->combos[combo].config, name, two_programs))) return NULL;
    return need;
}

static void tell_unmet(const ws_need *need, FILE *out) {
    if (need->instead) fprintf(out, "in this fidelity the parameters of %s count instead", need->instead);
    if (need->of)
        fprintf(out, "%s %s %s", need->other_than ? "all points have" : "no point has", need->of,
                need->value);
    if (need->or_programs)
        fprintf(out, "%sno program runs beside another (\"with\")", need->of ? ", and " : "");
}

/* Tells if the parameter means another thing in some of the points: their results must not be taken for its effect. */
static void tell_if_other(const ws_spec *spec, const ws_grid *grid, const char *key, const char *name,
                          FILE *out) {
    const ws_need *other = NULL;
    size_t count = 0;
    for (size_t combo = 0; combo < grid->count; combo++) {
        const ws_need *need = ws_config_unmet(grid->combos[combo].config, name, spec->with);
        if (!need || !need->otherwise) continue;
        other = need;
        count++;
    }
    if (other)
        fprintf(out, "%s: $.%s['%s'] %s, in %zu of %zu combinations: those with %s%s %s\n", spec->name, key,
                name, other->otherwise, count, grid->count, other->of, other->other_than ? "" : " other than",
                other->value);
}

/* Whether only a replay in fidelity `order` depends on the parameter: an analysis without one asks how many CTAs fit an
 * SM, at most. */
static bool is_of_replay(const char *name) {
    static const char *const prefixes[] = {"gpu.", "order.", "limit.", "sm.scheduler"};
    size_t i = 0;
    while (i < WS_COUNT(prefixes) && strncmp(name, prefixes[i], strlen(prefixes[i])) != 0) i++;
    return i < WS_COUNT(prefixes);
}

static void tell_if_idle(const ws_spec *spec, const ws_grid *grid, const char *key, const char *name,
                         FILE *out) {
    if (ws_preparing_is_stopped(spec->preparing)) return;
    const ws_mechanism *mechanism = ws_mechanism_of_param(name);
    const ws_need *need = unmet(grid, name, spec->with);
    bool off = mechanism && is_off(grid, mechanism), unreplayed = spec->fidelity == WS_FIDELITY_ORDER &&
                                                                  !ws_analysis_replays(spec->analysis) &&
                                                                  is_of_replay(name);
    if (!off && !need && !unreplayed) {
        tell_if_other(spec, grid, key, name, out);
        return;
    }
    fprintf(out, "%s: $.%s['%s'] %s: ", spec->name, key, name,
            !off && need && need->otherwise ? need->otherwise : "changes nothing");
    if (unreplayed)
        fprintf(out, "the analysis %s needs no replay", spec->analysis->name);
    else if (off)
        fprintf(out, "no point has the mechanism %s", mechanism->name);
    else
        tell_unmet(need, out);
    fputc('\n', out);
}

static void tell_alike(const ws_spec *spec, const ws_grid *grid, FILE *out) {
    for (size_t i = 0; i < grid->alike_count; i++) {
        const ws_alike *a = &grid->alike[i];
        fprintf(
            out,
            "%s: GPU %s equals %s in all that the analysis %s reads, at %zu combination%s: stored once, as "
            "%s\n",
            spec->name, a->gpu, a->as, spec->analysis->name, a->count, a->count == 1 ? "" : "s", a->as);
    }
}

/* Tells if there is a baseline that nothing is compared with, or none of the points is. */
static void tell_if_uncompared(const ws_spec *spec, const ws_grid *grid, FILE *out) {
    const ws_table *comparison = spec->analysis->comparison;
    if (!comparison && json_object_get(spec->root, "baseline"))
        fprintf(out, "%s: $.baseline changes nothing: the analysis %s does not compare points\n", spec->name,
                spec->analysis->name);
    if (comparison && !ws_grid_has_baseline(spec, grid))
        fprintf(out,
                "%s: no point is the baseline that others are compared with, so that %s_%s will have no "
                "ratios: expected one that $.axes, $.where and $.sampling keep\n",
                spec->name, spec->name, comparison->name);
}

/* Whether the configuration names a core clock, and it is another than the table of energies has. */
static bool has_other_clock(const ws_spec *spec, const ws_combo *combo, double *MHz) {
    const ws_dram_params *dram = ws_config_get(combo->config, &ws_dram_component);
    *MHz = dram ? dram->core_MHz : 0;
    double ratio = *MHz * 1e6 / spec->energy->clock_Hz.value;
    return *MHz > 0 && (ratio < 0.99 || ratio > 1.01);
}

static void tell_clocks(const ws_spec *spec, const ws_grid *grid, FILE *out) {
    double MHz, first = 0;
    size_t count = 0;
    for (size_t combo = 0; spec->energy && combo < grid->count; combo++)
        if (has_other_clock(spec, &grid->combos[combo], &MHz) && count++ == 0) first = MHz;
    if (count)
        fprintf(
            out,
            "%s: seconds and joules go by the clock of $.energy, %g MHz, but dram.core_MHz is another in %zu "
            "of %zu combinations, such as %g MHz: a table \"like\" this one can have that clock "
            "('warpsweep help energy')\n",
            spec->name, spec->energy->clock_Hz.value / 1e6, count, grid->count, first);
}

/* ---- traces of one stream */

void ws_tell_one_stream(const ws_spec *spec, const ws_inputs *inputs, FILE *out) {
    static const char name[] = "core.concurrent_launches";
    bool set = json_object_get(json_object_get(spec->root, "base"), name) != NULL;
    for (size_t a = 0; a < spec->axis_count; a++) set = set || strcmp(spec->axes[a].name, name) == 0;
    if (!set || spec->with) return;
    for (size_t i = 0; i < inputs->trace_count; i++)
        if (ws_trace_one_stream_from(inputs->traces[i].trace) > 1) return;
    fprintf(out, "%s: %s changes nothing: all launches of a trace are of one stream\n", spec->name, name);
}

void ws_tell_idle(const ws_spec *spec, const ws_grid *grid, FILE *out) {
    json_t *base = json_object_get(spec->root, "base"), *value;
    const char *name;
    json_object_foreach(base, name, value) tell_if_idle(spec, grid, "base", name, out);
    for (size_t a = 0; a < spec->axis_count; a++) tell_if_idle(spec, grid, "axes", spec->axes[a].name, out);
    for (size_t d = 0; d < spec->derived_count; d++)
        tell_if_idle(spec, grid, "derived", spec->derived[d].name, out);
    tell_alike(spec, grid, out);
    tell_if_uncompared(spec, grid, out);
    tell_clocks(spec, grid, out);
}
