#include "naive.h"

#include <stdlib.h>
#include <string.h>

static uint32_t instance_of(const record *r, const char *level) {
    if (strcmp(level, "warp") == 0) return r->warp;
    if (strcmp(level, "cta") == 0) return r->cta;
    return strcmp(level, "sm") == 0 ? r->sm : 0;
}

naive_touch *naive_touches(const stream *s, const naive_streams *of, size_t *count) {
    naive_touch *all = calloc(s->count * 4 + 1, sizeof *all);
    *count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const record *r = &s->records[i];
        uint32_t instance = instance_of(r, of->level);
        if (of->loads && r->op != WS_MEMORY_LOAD) continue;
        if (!of->lanes) all[(*count)++] = (naive_touch){s->line_address[r->line] * of->line_B, instance};
        for (unsigned lane = 0; of->lanes && r->nth == 0 && lane < r->lanes; lane++)
            all[(*count)++] = (naive_touch){r->lane_address[lane], instance};
    }
    return all;
}
