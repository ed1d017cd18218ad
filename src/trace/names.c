#include "trace/names.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

const char *ws_class_name(ws_class class_) {
    static const char *const names[] = {
#define X(upper, lower) #lower,
        WS_CLASSES(X)
#undef X
    };
    return class_ < WS_CLASS_COUNT ? names[class_] : "?";
}

const char *ws_memory_op_name(ws_memory_op op) {
    static const char *const names[] = {
#define X(upper, lower) #lower,
        WS_MEMORY_OPS(X)
#undef X
    };
    return op < WS_MEMORY_OP_COUNT ? names[op] : "?";
}

const char *ws_space_name(ws_space space) {
    static const char *const names[] = {
#define X(upper, lower) #lower,
        WS_SPACES(X)
#undef X
    };
    return space < WS_SPACE_COUNT ? names[space] : "?";
}

/* In "a::(anonymous namespace)::f<int, g<2> >", demangled without parameters, the name starts behind the last
 * "::" or space outside brackets and ends at its own '<'. */
static char *last_name(const char *text) {
    const char *start = text, *end = NULL;
    int depth = 0;
    for (const char *at = text; *at; at++) {
        bool is_operator = depth == 0 && at == start && strncmp(at, "operator", 8) == 0;
        if (is_operator) return strdup(start);
        if (*at == '<' || *at == '(') {
            if (depth++ == 0 && !end) end = at;
        } else if (*at == '>' || *at == ')') {
            depth--;
        } else if (depth == 0 && (*at == ':' || *at == ' ')) {
            start = at + 1;
            end = NULL;
        }
    }
    if (start == end || *start == '\0') return strdup(text);
    return end ? strndup(start, (size_t)(end - start)) : strdup(start);
}

char *ws_short_name(const char *name) {
    char *demangled = cplus_demangle_v3(name, DMGL_NO_OPTS); /* without parameters */
    if (!demangled) return strdup(name);
    char *result = last_name(demangled);
    free(demangled);
    return result;
}

bool ws_dim3_valid(ws_dim3 dim) {
    const uint64_t most = UINT64_C(1) << 40;
    if (!dim.x || !dim.y || !dim.z) return false;
    uint64_t plane = (uint64_t)dim.x * dim.y;
    return plane <= most && plane * dim.z / dim.z == plane && plane * dim.z <= most;
}
