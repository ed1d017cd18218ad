/* What the help of a structure says about its bits, against what they depend on. */
#include "../support/values.h"
#include "base/array.h"
#include "warpsweep/analysis.h"
#include "warpsweep/mechanism.h"

#include <ctype.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_component *const *components;
static size_t component_count;

static ws_config *new_config(void) {
    ws_config *config = ws_config_new(components, component_count);
    assert_non_null(config);
    return config;
}

/* False for a value that the parameter does not take. */
static bool set(ws_config *config, const ws_param *p, const char *value) {
    json_t *json = json_loads(value, JSON_DECODE_ANY, NULL);
    assert_non_null(json);
    bool done = ws_config_set(config, p->name, json, "", NULL);
    json_decref(json);
    return done;
}

/* Returns the cost of a structure in this configuration; of one that it lacks, 0 bits. */
static ws_cost cost_of(const ws_mechanism *m, const ws_structure *structure, const ws_config *config) {
    ws_cost costs[WS_COSTS_MAX];
    size_t count = m->cost(config, costs);
    assert_true(count <= m->structure_count);
    for (size_t i = 0; i < count; i++) {
        assert_true(costs[i].structure >= m->structures &&
                    costs[i].structure < m->structures + m->structure_count);
        if (costs[i].structure == structure) return costs[i];
    }
    return (ws_cost){.structure = structure};
}

/* True if `text` has the word, which may be followed by a point that ends the sentence. */
static bool has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length) {
        char next = at[length];
        if (next != '_' && !isalnum((unsigned char)next) && (at == text || at[-1] == ' ' || at[-1] == '('))
            return true;
    }
    return false;
}

/* Returns whether another value of the parameter changes the cost of a structure of this base. */
static bool changes(const ws_mechanism *m, const ws_structure *structure, const ws_config *base,
                    const ws_param *p) {
    char values[VALUES_MAX][32];
    size_t count = values_other_than_default(p, values);
    ws_cost before = cost_of(m, structure, base);
    bool changed = false;
    for (size_t i = 0; i < count && !changed; i++) {
        ws_config *config = ws_config_copy(base);
        ws_cost after = set(config, p, values[i]) ? cost_of(m, structure, config) : before;
        changed = after.bits != before.bits || (after.bits && after.per != before.per);
        ws_config_free(config);
    }
    return changed;
}

/* Writes configurations to start from: the defaults, and each other value of a choice of the mechanism's own. */
static size_t bases_of(const ws_mechanism *m, ws_config **bases, size_t most) {
    size_t count = 0;
    bases[count++] = new_config();
    for (size_t i = 0; i < m->component->param_count; i++) {
        const ws_param *p = &m->component->params[i];
        char values[VALUES_MAX][32];
        bool chooses = p->type == WS_TYPE_CHOICE || p->type == WS_TYPE_BOOL;
        size_t others = chooses ? values_other_than_default(p, values) : 0;
        for (size_t v = 0; v < others; v++) {
            assert_true(count < most);
            bases[count] = new_config();
            assert_true(set(bases[count++], p, values[v]));
        }
    }
    return count;
}

static void expect_names(const ws_mechanism *m, const ws_structure *structure) {
    ws_config *bases[32];
    size_t base_count = bases_of(m, bases, WS_COUNT(bases));
    for (size_t c = 0; c < component_count; c++) {
        for (size_t i = 0; i < components[c]->param_count; i++) {
            const ws_param *p = &components[c]->params[i];
            bool depends = false;
            for (size_t b = 0; b < base_count && !depends; b++) depends = changes(m, structure, bases[b], p);
            if (depends != has_word(structure->help, p->name))
                fail_msg("%s, %s: %s %s", m->name, structure->name, p->name,
                         depends ? "matters, which the help does not say" : "does not matter");
        }
    }
    for (size_t b = 0; b < base_count; b++) ws_config_free(bases[b]);
}

/* Each help names those parameters that the structure's bits depend on, and no others. */
static void helps_name_what_matters(void **state) {
    (void)state;
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) {
        assert_true((*m)->structure_count <= WS_COSTS_MAX);
        for (size_t i = 0; i < (*m)->structure_count; i++) {
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal((*m)->structures[i].name, (*m)->structures[j].name);
            expect_names(*m, &(*m)->structures[i]);
        }
    }
}

/* A help has no name of a parameter that there is not. */
static void names_are_of_parameters(void **state) {
    (void)state;
    ws_config *config = new_config();
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++)
        for (size_t i = 0; i < (*m)->structure_count; i++)
            for (const char *at = (*m)->structures[i].help; *at; at++) {
                char name[64];
                if (!islower((unsigned char)at[0]) || at[1] != '.' || !islower((unsigned char)at[2]))
                    continue;
                const char *from = at;
                while (from > (*m)->structures[i].help && isalnum((unsigned char)from[-1])) from--;
                size_t length =
                    strspn(from, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
                snprintf(name, sizeof name, "%.*s", (int)length, from);
                if (name[length - 1] == '.') name[length - 1] = 0;
                if (!ws_config_param(config, name)) fail_msg("%s: %s is no parameter", (*m)->name, name);
            }
    ws_config_free(config);
}

int main(void) {
    components = ws_fidelity_components(WS_FIDELITY_TIMED, &component_count);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helps_name_what_matters),
        cmocka_unit_test(names_are_of_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
