#include "naive.h"

#include <stdlib.h>
#include <string.h>

/* An access, and the warp, CTA or SM to whose stream it belongs. */
typedef struct access {
    uint64_t address;
    uint32_t instance;
} access;

static uint32_t instance_of(const record *r, const char *level) {
    if (strcmp(level, "warp") == 0) return r->warp;
    if (strcmp(level, "cta") == 0) return r->cta;
    return strcmp(level, "sm") == 0 ? r->sm : 0;
}

static size_t list(const stream *s, const char *level, bool lanes, bool loads, uint32_t line_B, access *out) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const record *r = &s->records[i];
        if (loads && r->op != WS_MEMORY_LOAD) continue;
        if (!lanes) out[count++] = (access){s->line_address[r->line] * line_B, instance_of(r, level)};
        for (unsigned lane = 0; lanes && r->nth == 0 && lane < r->lanes; lane++)
            out[count++] = (access){r->lane_address[lane], instance_of(r, level)};
    }
    return count;
}

naive_reuse naive_locality(const stream *s, const char *level, bool lanes, bool loads, uint32_t line_B,
                           uint32_t window, uint32_t neighbourhood_B) {
    access *all = calloc(s->count * 4 + 1, sizeof *all);
    naive_reuse result = {.accesses = list(s, level, lanes, loads, line_B, all)};
    for (size_t i = 0; i < result.accesses; i++) {
        uint32_t ahead = 0;
        for (size_t k = i + 1; k < result.accesses && ahead < window; k++) {
            if (all[k].instance != all[i].instance) continue;
            ahead++;
            if (all[k].address / neighbourhood_B != all[i].address / neighbourhood_B) continue;
            result.reused++;
            break;
        }
    }
    free(all);
    return result;
}
