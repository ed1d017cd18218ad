/* Checks that an analysis declares what everybody relies on; for analyses that a program brings along. */
#include "base/array.h"
#include "base/ascii.h"
#include "param/value.h"
#include "sweep/plan/record.h"

#include <string.h>
#include <strings.h>

static bool wrong(const ws_analysis *a, const char *of, const char *name, const char *what, ws_error *err) {
    return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: %s %s: %s", a->name, of, name, what);
}

static bool expect_plain(const ws_analysis *a, const char *of, const char *name, ws_error *err) {
    if (!name) return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: a %s without a name", a->name, of);
    return ws_is_plain_name(name, strlen(name)) ||
           wrong(a, of, name, "expected a name of letters, digits and _, from a letter on", err);
}

/* ---- parameters */

static bool is_prefixed(const ws_component *c, const char *name) {
    const size_t prefix = strlen(c->name);
    return strncmp(name, c->name, prefix) == 0 && name[prefix] == '.' &&
           ws_is_plain_name(name + prefix + 1, strlen(name + prefix + 1));
}

static double highest(const ws_param *p) {
    if (p->type != WS_TYPE_CHOICE) return p->max;
    size_t count = 0;
    while (p->choices[count]) count++;
    return (double)count - 1;
}

static bool check_param(const ws_analysis *a, const ws_param *p, ws_error *err) {
    static const char of[] = "parameter";
    if (!p->name) return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: a parameter without a name", a->name);
    if (!is_prefixed(a->component, p->name))
        return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: parameter %s: expected a name as %s.size",
                       a->name, p->name, a->component->name);
    if (!p->unit || !p->help)
        return wrong(a, of, p->name, "expected a unit (\"\" for none) and a help text", err);
    const size_t size = ws_value_size(p->type);
    if (!size) return wrong(a, of, p->name, "expected a type of parameters", err);
    if (p->offset > a->component->struct_size || size > a->component->struct_size - p->offset)
        return wrong(a, of, p->name, "expected a field within the component's struct_size", err);
    if (p->type == WS_TYPE_CHOICE && !p->choices)
        return wrong(a, of, p->name, "expected choices, found none", err);
    return (p->def >= p->min && p->def <= highest(p)) ||
           wrong(a, of, p->name, "expected a default within its bounds", err);
}

static const ws_component *of_the_replay(const ws_component *c) {
    for (uint32_t fidelity = WS_FIDELITY_ORDER; fidelity <= WS_FIDELITY_TIMED; fidelity <<= 1) {
        size_t count;
        const ws_component *const *components = ws_fidelity_components((enum ws_fidelity)fidelity, &count);
        for (size_t i = 0; i < count; i++)
            if (strcmp(components[i]->name, c->name) == 0) return components[i];
    }
    return NULL;
}

static bool check_component(const ws_analysis *a, ws_error *err) {
    const ws_component *c = a->component;
    if (!c) return true;
    if (!expect_plain(a, "component", c->name, err)) return false;
    if (of_the_replay(c)) return wrong(a, "component", c->name, "the replay has one of that name", err);
    for (size_t i = 0; i < c->param_count; i++) {
        if (!check_param(a, &c->params[i], err)) return false;
        for (size_t j = 0; j < i; j++)
            if (strcmp(c->params[i].name, c->params[j].name) == 0)
                return wrong(a, "parameter", c->params[i].name, "it is there twice", err);
    }
    return true;
}

static bool check_dims(const ws_analysis *a, ws_error *err) {
    for (const char *const *dim = a->dims; dim && *dim; dim++) {
        bool found = false;
        for (size_t i = 0; a->component && i < a->component->param_count; i++)
            found |= strcmp(a->component->params[i].name, *dim) == 0;
        if (!found) return wrong(a, "dim", *dim, "expected a parameter of its component", err);
    }
    return true;
}

/* ---- results */

static bool check_columns(const ws_analysis *a, const ws_table *t, ws_error *err) {
    if (!t->column_count) return wrong(a, "table", t->name, "expected a column, found none", err);
    for (size_t i = 0; i < t->column_count; i++) {
        const ws_column *c = &t->columns[i];
        if (!expect_plain(a, "column", c->name, err)) return false;
        if (!c->unit || !c->help)
            return wrong(a, "column", c->name, "expected a unit (\"\" for none) and a help text", err);
        if (c->type != WS_TYPE_INT && c->type != WS_TYPE_REAL && c->type != WS_TYPE_TEXT)
            return wrong(a, "column", c->name, "expected WS_TYPE_INT, _REAL or _TEXT", err);
    }
    return true;
}

static bool check_ratios(const ws_analysis *a, const ws_table *t, ws_error *err) {
    for (size_t i = 0; i < t->ratio_count; i++) {
        const ws_ratio *r = &t->ratios[i];
        if (!expect_plain(a, "ratio", r->name, err)) return false;
        if (!r->unit || !r->sql || !r->help)
            return wrong(a, "ratio", r->name, "expected a unit (\"\" for none), SQL and a help text", err);
    }
    return true;
}

static bool check_tables(const ws_analysis *a, ws_error *err) {
    if (!a->tables || !a->tables[0])
        return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: expected a table, found none", a->name);
    for (const ws_table *const *t = a->tables; *t; t++)
        if (!expect_plain(a, "table", (*t)->name, err) || !check_columns(a, *t, err) ||
            !check_ratios(a, *t, err))
            return false;
    return true;
}

static bool check_comparison(const ws_analysis *a, ws_error *err) {
    const ws_table *t = a->comparison;
    if (!t) return true;
    if (!expect_plain(a, "comparison", t->name, err)) return false;
    if (t->column_count) return wrong(a, "comparison", t->name, "expected ratios, found columns", err);
    return check_ratios(a, t, err);
}

/* Whether the view of the comparison shows it: it has the names of a kernel, too. */
static bool is_compared(const ws_table *comparison, const char *name) {
    if (strcmp(name, "trace") == 0 || strcmp(name, "kernel") == 0) return true;
    for (size_t i = 0; i < comparison->ratio_count; i++)
        if (strcmp(comparison->ratios[i].name, name) == 0) return true;
    return false;
}

static bool check_front(const ws_analysis *a, ws_error *err) {
    const ws_front *f = a->front;
    if (!f) return true;
    if (!expect_plain(a, "front", f->name, err)) return false;
    if (!a->comparison) return wrong(a, "front", f->name, "expected a comparison beside it", err);
    const char *const of_comparison[] = {f->group, f->benefit, f->cost};
    for (size_t i = 0; i < WS_COUNT(of_comparison); i++)
        if (!of_comparison[i] || !is_compared(a->comparison, of_comparison[i]))
            return wrong(a, "front", f->name,
                         "expected columns of the comparison as its group, benefit and cost", err);
    return true;
}

/* ---- other analyses */

/* Compares it with one of warpsweep's own analyses. In a database that both use, points and tables of the same name
 * would be mistaken for each other. */
static bool check_beside(const ws_analysis *a, const ws_analysis *other, ws_error *err) {
    if (a == other) return true;
    if (strcmp(a->name, other->name) == 0)
        return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: warpsweep has one of that name; choose another",
                       a->name);
    for (const ws_table *const *t = a->tables; *t; t++)
        for (const ws_table *const *of_other = other->tables; *of_other; of_other++)
            if (strcasecmp((*t)->name, (*of_other)->name) == 0)
                return ws_fail(err, WS_ERROR_INTERNAL,
                               "analysis %s: table %s: analysis %s has one of that name; choose another",
                               a->name, (*t)->name, other->name);
    return true;
}

static bool check_names(const ws_analysis *a, ws_error *err) {
    for (const ws_analysis *const *other = ws_analyses(); *other; other++)
        if (!check_beside(a, *other, err)) return false;
    for (uint32_t fidelity = WS_FIDELITY_ORDER; fidelity <= WS_FIDELITY_TIMED; fidelity <<= 1) {
        if (!ws_analysis_takes(a, (enum ws_fidelity)fidelity)) continue;
        const ws_component *components[WS_COMPONENTS_MAX];
        size_t count;
        ws_analysis_components(a, (enum ws_fidelity)fidelity, components, &count);
        const ws_experiment e = ws_experiment_of(a, components, count);
        if (!ws_experiment_check(&e, err)) return false;
    }
    return true;
}

/* ---- functions */

static bool check_functions(const ws_analysis *a, ws_error *err) {
    const char *what = NULL;
    if (!a->create)
        what = "expected create, finish and destroy; create is NULL";
    else if (!a->finish)
        what = "expected create, finish and destroy; finish is NULL";
    else if (!a->destroy)
        what = "expected create, finish and destroy; destroy is NULL";
    else if (a->sample && !a->sample_cycles)
        what = "expected sample_cycles beside sample";
    else if (a->fidelities & ~(uint32_t)(WS_FIDELITY_ORDER | WS_FIDELITY_TIMED))
        what = "expected bits of WS_FIDELITY_ in fidelities";
    else if (ws_analysis_replays(a) && !ws_analysis_takes(a, WS_FIDELITY_ORDER))
        what = "requests and instructions are of fidelity order, which it does not take";
    else if (ws_analysis_listens(a) && !ws_analysis_takes(a, WS_FIDELITY_TIMED))
        what = "access, issue, load_end, warp_end and sample are of fidelity timed, which it does not take "
               "(fidelities)";
    else if (ws_analysis_replays(a) && ws_analysis_takes(a, WS_FIDELITY_TIMED) && !ws_analysis_listens(a))
        what = "it takes fidelity timed, but has none of its functions: access, issue, load_end, warp_end, "
               "sample";
    return !what || ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: %s", a->name, what);
}

bool ws_analysis_check(const ws_analysis *a, ws_error *err) {
    if (!a->name) return ws_fail(err, WS_ERROR_INTERNAL, "an analysis without a name");
    if (!ws_is_plain_name(a->name, strlen(a->name)))
        return ws_fail(err, WS_ERROR_INTERNAL,
                       "analysis '%s': expected a name of letters, digits and _, from a letter on", a->name);
    if (!a->summary || !a->source || a->version < 1)
        return ws_fail(err, WS_ERROR_INTERNAL,
                       "analysis %s: expected a summary, a source, and a version from 1 on", a->name);
    return check_component(a, err) && check_dims(a, err) && check_tables(a, err) &&
           check_comparison(a, err) && check_front(a, err) && check_functions(a, err) && check_names(a, err);
}
