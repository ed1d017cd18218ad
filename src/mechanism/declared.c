/* Whether a mechanism's descriptor has what the replay, the tables and the help rely on. */
#include "timed/slots.h"
#include "warpsweep/mechanism.h"

#include <stdio.h>
#include <string.h>

static bool lacks(const ws_mechanism *m, const char *what, ws_error *err) {
    return ws_fail(err, WS_ERROR_INTERNAL, "mechanism %s: expected %s, found none", m->name, what);
}

static bool check_members(const ws_mechanism *m, ws_error *err) {
    if (!m->summary || !m->source || m->version < 1)
        return lacks(m, "a summary, a source, and a version from 1 on", err);
    if (!m->component) return lacks(m, "a component", err);
    if (!m->table) return lacks(m, "a table", err);
    if (m->structure_count > WS_COSTS_MAX)
        return ws_fail(err, WS_ERROR_INTERNAL, "mechanism %s: expected at most %d structures, found %zu",
                       m->name, WS_COSTS_MAX, m->structure_count);
    return !m->cost == !m->structure_count || lacks(m, "cost and structures, or neither", err);
}

/* Parameters are NAME.*, by which ws_mechanism_of_param() finds whose they are. */
static bool check_component(const ws_mechanism *m, ws_error *err) {
    const ws_component *c = m->component;
    size_t prefix = strlen(m->name);
    if (strcmp(c->name, m->name) != 0)
        return ws_fail(err, WS_ERROR_INTERNAL, "mechanism %s: expected a component of that name, found %s",
                       m->name, c->name);
    for (const ws_param *p = c->params; p < c->params + c->param_count; p++)
        if (strncmp(p->name, m->name, prefix) != 0 || p->name[prefix] != '.')
            return ws_fail(err, WS_ERROR_INTERNAL, "mechanism %s: expected parameters %s.*, found %s",
                           m->name, m->name, p->name);
    return true;
}

static bool check_table(const ws_mechanism *m, ws_error *err) {
    const ws_table *t = m->table;
    char name[64];
    snprintf(name, sizeof name, "%s_counters", m->name);
    bool counts = strcmp(t->name, name) == 0 && t->column_count && t->column_count <= WS_MECHANISM_COUNTS_MAX;
    for (size_t i = 0; i < t->column_count; i++) {
        const ws_column *c = &t->columns[i];
        counts = counts && c->type == WS_TYPE_INT && (c->adds == WS_ADDS_SUM || c->adds == WS_ADDS_MAX);
    }
    return counts || ws_fail(err, WS_ERROR_INTERNAL,
                             "mechanism %s: expected a table %s of 1 to %d columns of WS_TYPE_INT with "
                             "WS_ADDS_SUM or _MAX, found %s",
                             m->name, name, WS_MECHANISM_COUNTS_MAX, t->name);
}

static bool check_slots(const ws_mechanism *m, ws_error *err) {
    int slots = !!m->dispatch + !!m->core + !!m->front + !!m->fetch + !!m->cluster + !!m->partition;
    if (slots != 1)
        return ws_fail(err, WS_ERROR_INTERNAL,
                       "mechanism %s: expected one slot that a parameter names, found %d", m->name, slots);
    return !m->l1 || m->l1_by || lacks(m, "l1_by beside l1", err);
}

/* The functions that the replay calls without asking whether they are there. */
static bool check_functions(const ws_mechanism *m, ws_error *err) {
#define HAS(slot, function)                                                                                  \
    if (m->slot && !m->slot->function) return lacks(m, #slot "." #function, err)
    HAS(dispatch, create);
    HAS(dispatch, destroy);
    HAS(dispatch, most_ctas);
    HAS(dispatch, room);
    HAS(dispatch, arrived);
    HAS(dispatch, ended);
    HAS(dispatch, step);
    HAS(dispatch, count);
    HAS(core, create);
    HAS(core, destroy);
    HAS(core, count);
    HAS(front, create);
    HAS(front, destroy);
    HAS(front, reorders);
    HAS(front, step);
    HAS(front, next);
    HAS(front, count);
    HAS(l1, create);
    HAS(fetch, create);
    HAS(fetch, destroy);
    HAS(fetch, wants);
    HAS(fetch, fetched);
    HAS(fetch, arrived);
    HAS(fetch, count);
    HAS(cluster, create);
    HAS(cluster, destroy);
    HAS(cluster, offer);
    HAS(cluster, deliver);
    HAS(cluster, renew);
    HAS(cluster, count);
    HAS(partition, create);
    HAS(partition, destroy);
    HAS(partition, asked);
    HAS(partition, data);
    HAS(partition, step);
    HAS(partition, count);
#undef HAS
    return true;
}

/* Functions that only work together. */
static bool check_groups(const ws_mechanism *m, ws_error *err) {
    const ws_core_slot *c = m->core;
    const ws_front_slot *f = m->front;
    if (c && (!c->share != !c->unshare || !c->steers != !c->is_for || !c->waits != !c->waits_for_all ||
              !c->inserts != !c->inserted || !c->registers != !c->fewer_registers ||
              !c->registers != !c->registers_parameter))
        return lacks(m,
                     "core: share and unshare, steers and is_for, waits and waits_for_all, inserts and "
                     "inserted, registers, fewer_registers and registers_parameter, or neither",
                     err);
    if (f && !f->share != !f->unshare) return lacks(m, "front: share and unshare, or neither", err);
    bool whole = f && f->admits && f->issued && f->blocks_returns && f->waiting && f->returned;
    bool parts = f && (f->admits || f->issued || f->blocks_returns || f->waiting || f->returned);
    return !f || (f->offer ? !parts : whole) ||
           lacks(m, "front: offer alone, or all functions of whole instructions", err);
}

bool ws_mechanism_check(const ws_mechanism *m, ws_error *err) {
    if (!m->name) return ws_fail(err, WS_ERROR_INTERNAL, "a mechanism without a name");
    return check_members(m, err) && check_component(m, err) && check_table(m, err) && check_slots(m, err) &&
           check_functions(m, err) && check_groups(m, err);
}
