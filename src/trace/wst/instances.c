#include "trace/wst/instances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kernels of two programs are never the same, whatever their names. */
static int compare_kernels(const ws_kernel *x, const ws_kernel *y) {
    int order = strcmp(x->name, y->name);
    return order ? order : (x->program > y->program) - (x->program < y->program);
}

static int by_short_name_and_kernel(const void *a, const void *b) {
    const ws_kernel *x = *(ws_kernel *const *)a, *y = *(ws_kernel *const *)b;
    int order = strcmp(x->short_name, y->short_name);
    if (!order) order = compare_kernels(x, y);
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

static int by_name(const void *name, const void *launch) {
    return strcmp(name, (*(ws_kernel *const *)launch)->short_name);
}

/* Returns a new string: the short name with the next number that gives none that a kernel has already. Such kernels are
 * among the `later` launches, as they are sorted by short name. */
static char *next_name(const char *short_name, size_t *number, ws_kernel **later, size_t later_count) {
    for (char *name;; free(name)) {
        if (asprintf(&name, "%s#%zu", short_name, ++*number) < 0) return NULL;
        if (!bsearch(name, later, later_count, sizeof(*later), by_name)) return name;
    }
}

static bool rename_instance(const instance *one, const char *name) {
    for (size_t i = 0; i < one->count; i++) {
        char *copy = strdup(name);
        if (!copy) return false;
        free((char *)(uintptr_t)one->launches[i]->short_name);
        one->launches[i]->short_name = copy;
    }
    return true;
}

/* Numbers the kernels of one short name, which the first `count` of the launches have. These are sorted by short name
 * and kernel; `instances` has room for as many. */
static bool number_instances(ws_kernel **launches, size_t count, size_t all, instance *instances) {
    size_t found = 0, number = 1;
    for (size_t i = 0; i < count; i++) {
        if (i && !compare_kernels(launches[i], launches[i - 1]))
            instances[found - 1].count++;
        else
            instances[found++] = (instance){&launches[i], 1};
    }
    qsort(instances, found, sizeof *instances, by_first_launch);
    for (size_t n = 1; n < found; n++) {
        char *name = next_name(instances[0].launches[0]->short_name, &number, launches + count, all - count);
        bool ok = name && rename_instance(&instances[n], name);
        free(name);
        if (!ok) return false;
    }
    return true;
}

bool ws_tell_instances_apart(ws_kernel *kernels, size_t count) {
    ws_kernel **launches = calloc(count + 1, sizeof *launches);
    instance *instances = calloc(count + 1, sizeof *instances);
    bool ok = launches && instances;
    for (size_t i = 0; ok && i < count; i++) launches[i] = &kernels[i];
    if (ok) qsort(launches, count, sizeof *launches, by_short_name_and_kernel);
    for (size_t i = 0, end; ok && i < count; i = end) {
        for (end = i + 1; end < count && !strcmp(launches[end]->short_name, launches[i]->short_name);) end++;
        ok = number_instances(&launches[i], end - i, count - i, instances);
    }
    free(launches);
    free(instances);
    return ok;
}
