#include "trace/names.h"

#include "base/ends.h"
#include "base/utf8.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

const ws_feature ws_features[WS_FEATURE_COUNT] = {
    {WS_FEATURE_REGISTERS, "registers", "registers"},
    {WS_FEATURE_IMMEDIATES, "immediates", "immediate operands"},
    {WS_FEATURE_SOURCE_LINE, "source_line", "source lines"},
    {WS_FEATURE_VALUES, "values", "operand values"},
    {WS_FEATURE_INDEX_FLOW, "index_flow", "index loads"},
};

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

/* ---- short names
 * These are taken from the tree that the demangler builds, not from the text that it prints: the tree is about as
 * large as the mangled name, while the text spells out each repeated template argument again, and can double at each
 * level. */

enum { TREE_DEPTH_MAX = 64, MANGLED_MAX = 4096 }; /* the demangler recurses as deep as types nest */

/* The node that holds the last name: f for a::f<int>. NULL if the tree is not that of a function's name. */
static struct demangle_component *last_name(struct demangle_component *node) {
    for (int depth = 0; node && depth < TREE_DEPTH_MAX; depth++) {
        switch (node->type) {
        case DEMANGLE_COMPONENT_NAME:
        case DEMANGLE_COMPONENT_OPERATOR:
            return node;
        case DEMANGLE_COMPONENT_QUAL_NAME:
        case DEMANGLE_COMPONENT_LOCAL_NAME:
            node = node->u.s_binary.right;
            break;
        case DEMANGLE_COMPONENT_TYPED_NAME:
        case DEMANGLE_COMPONENT_TEMPLATE:
        case DEMANGLE_COMPONENT_TAGGED_NAME:
        case DEMANGLE_COMPONENT_CLONE:
        case DEMANGLE_COMPONENT_CONST_THIS:
            node = node->u.s_binary.left;
            break;
        default:
            return NULL;
        }
    }
    return NULL;
}

/* What stands behind the last of the separators `::` and ' ' outside of angle brackets, up to `end`. */
static const char *last_part(const char *name, const char *end) {
    const char *part = name;
    int depth = 0;
    for (const char *at = name; at < end; at++) {
        depth += (*at == '<') - (*at == '>');
        if (depth == 0 && (*at == ' ' || *at == ':')) part = at + 1;
    }
    return part;
}

/* The '(' before the parameters of a signature as demanglers print it, "void a::f<4>(float*, int)"; NULL if the name is
 * none. */
static const char *parameters(const char *name) {
    static const char unnamed[] = "(anonymous namespace)";
    int depth = 0;
    for (const char *at = name; *at; at++) {
        depth += (*at == '<') - (*at == '>');
        if (depth || *at != '(') continue;
        if (strncmp(at, unnamed, strlen(unnamed)) != 0) return at;
        at += strlen(unnamed) - 1;
    }
    return NULL;
}

/* Cuts the short name out of a signature: f for "void a::f<4>(float*, int)". Other names stay as they are. */
static char *name_in_signature(const char *name) {
    const char *end = parameters(name);
    bool is_signature = end && end > name && end[-1] != ' ' && name[strlen(name) - 1] == ')' &&
                        !(end[1] >= '0' && end[1] <= '9'); /* a number is no type */
    const char *part = is_signature ? last_part(name, end) : name;
    size_t length = is_signature ? strcspn(part, "<(") : 0;
    return length ? strndup(part, length) : strdup(name);
}

char *ws_short_name(const char *name) {
    void *memory = NULL;
    struct demangle_component *tree = NULL;
    if (strlen(name) <= MANGLED_MAX) tree = cplus_demangle_v3_components(name, DMGL_NO_OPTS, &memory);
    struct demangle_component *last = last_name(tree);
    size_t size;
    char *result = last ? cplus_demangle_print(DMGL_NO_OPTS, last, 0, &size) : NULL;
    free(memory);
    if (last && (!result || ws_is_utf8(result))) return result;
    free(result); /* not UTF-8: a byte count in the mangled name ends within a character */
    return name_in_signature(name);
}

bool ws_dim3_valid(ws_dim3 dim) {
    const uint64_t most = UINT64_C(1) << 40;
    if (!dim.x || !dim.y || !dim.z) return false;
    uint64_t plane = (uint64_t)dim.x * dim.y;
    return plane <= most && plane * dim.z / dim.z == plane && plane * dim.z <= most;
}

bool ws_block_valid(ws_dim3 block, uint32_t warp_size) {
    return ws_dim3_valid(block) && ws_dim3_count(block) <= (uint64_t)WS_CTA_WARPS_MAX * warp_size;
}

char *ws_trace_name(const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    return strndup(base, strlen(base) - (ws_has_suffix(base, ".wst") ? strlen(".wst") : 0));
}

bool ws_memcpy_valid(uint64_t address, uint64_t bytes) {
    return bytes <= WS_MEMCPY_MAX_B && address <= UINT64_MAX - bytes;
}
