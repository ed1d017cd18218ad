#include "values.h"

#include "base/array.h"

#include <stdio.h>

size_t values_other_than_default(const ws_param *p, char out[VALUES_MAX][32]) {
    size_t n = 0;
    if (p->type == WS_TYPE_BOOL) {
        snprintf(out[n++], 32, "%s", p->def != 0 ? "false" : "true");
    } else if (p->type == WS_TYPE_CHOICE) {
        for (int i = 0; p->choices[i] && n < VALUES_MAX; i++)
            if (i != (int)p->def) snprintf(out[n++], 32, "\"%s\"", p->choices[i]);
    } else {
        const double tries[] = {p->min, p->min + 1, p->def / 2, p->def * 2, p->def + 1, p->def - 1,
                                1,      2,          4,          16,         32,         64};
        for (size_t i = 0; i < WS_COUNT(tries); i++)
            if (tries[i] >= p->min && tries[i] <= p->max && tries[i] != p->def)
                snprintf(out[n++], 32, "%.0f", tries[i]);
    }
    return n;
}
