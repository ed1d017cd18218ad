#include "naive.h"

#include "replay/set_index.h"

#include <stdlib.h>
#include <string.h>

static uint32_t instance_of(const record *r, const char *level) {
    if (strcmp(level, "warp") == 0) return r->warp;
    if (strcmp(level, "cta") == 0) return r->cta;
    return strcmp(level, "sm") == 0 ? r->sm : 0;
}

naive_hits naive_stack(const stream *s, const char *level, bool loads, int index, uint32_t sets,
                       uint32_t ways) {
    naive_hits result = {0};
    uint32_t *between = calloc(s->count + 1, sizeof *between);
    for (size_t i = 0; i < s->count; i++) {
        const record *r = &s->records[i];
        if (loads && r->op != WS_MEMORY_LOAD) continue;
        result.accesses++;
        uint32_t set = ws_set_of((enum ws_set_index)index, s->line_address[r->line], sets), distinct = 0;
        bool found = false;
        for (size_t k = i; k-- > 0 && !found;) {
            const record *before = &s->records[k];
            if (loads && before->op != WS_MEMORY_LOAD) continue;
            if (instance_of(before, level) != instance_of(r, level)) continue;
            if (ws_set_of((enum ws_set_index)index, s->line_address[before->line], sets) != set) continue;
            found = before->line == r->line;
            bool known = found;
            for (uint32_t d = 0; d < distinct && !known; d++) known = between[d] == before->line;
            if (!known) between[distinct++] = (uint32_t)before->line;
        }
        result.hits += found && distinct < ways;
        result.cold += !found;
    }
    free(between);
    return result;
}
