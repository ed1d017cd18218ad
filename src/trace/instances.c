#include "trace/instances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_short_name_and_name(const void *a, const void *b) {
    const ws_kernel *x = *(ws_kernel *const *)a, *y = *(ws_kernel *const *)b;
    int order = strcmp(x->short_name, y->short_name);
    if (!order) order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

/* Launches of one kernel, in their order. */
typedef struct instance {
    ws_kernel **launches;
    size_t count;
} instance;

static int by_first_launch(const void *a, const void *b) {
    const ws_kernel *x = ((const instance *)a)->launches[0], *y = ((const instance *)b)->launches[0];
    return (x > y) - (x < y);
}

static bool number_instance(const instance *one, size_t number) {
    for (size_t i = 0; i < one->count; i++) {
        char *numbered;
        if (asprintf(&numbered, "%s#%zu", one->launches[i]->short_name, number) < 0) return false;
        free((char *)(uintptr_t)one->launches[i]->short_name);
        one->launches[i]->short_name = numbered;
    }
    return true;
}

/* Numbers the kernels of one short name. `launches` are sorted by name; `instances` has room for as many. */
static bool number_instances(ws_kernel **launches, size_t count, instance *instances) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && !strcmp(launches[i]->name, launches[i - 1]->name))
            instances[found - 1].count++;
        else
            instances[found++] = (instance){&launches[i], 1};
    }
    qsort(instances, found, sizeof *instances, by_first_launch);
    for (size_t n = 1; n < found; n++)
        if (!number_instance(&instances[n], n + 1)) return false;
    return true;
}

bool ws_tell_instances_apart(ws_kernel *kernels, size_t count) {
    ws_kernel **launches = calloc(count + 1, sizeof *launches);
    instance *instances = calloc(count + 1, sizeof *instances);
    bool ok = launches && instances;
    for (size_t i = 0; ok && i < count; i++) launches[i] = &kernels[i];
    if (ok) qsort(launches, count, sizeof *launches, by_short_name_and_name);
    for (size_t i = 0, end; ok && i < count; i = end) {
        for (end = i + 1; end < count && !strcmp(launches[end]->short_name, launches[i]->short_name);) end++;
        ok = number_instances(&launches[i], end - i, instances);
    }
    free(launches);
    free(instances);
    return ok;
}
