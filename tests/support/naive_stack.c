#include "naive.h"

#include "replay/set_index.h"

#include <stdlib.h>

naive_hits naive_stack(const stream *s, const naive_streams *of, uint32_t block_B, int index, uint32_t sets,
                       uint32_t ways) {
    size_t count;
    naive_touch *all = naive_touches(s, of, &count);
    uint64_t *between = calloc(count + 1, sizeof *between);
    naive_hits result = {.accesses = count};
    for (size_t i = 0; i < count; i++) {
        uint64_t block = all[i].address / block_B;
        uint32_t set = ws_set_of((enum ws_set_index)index, block, sets), distinct = 0;
        bool found = false;
        for (size_t k = i; k-- > 0 && !found;) {
            uint64_t before = all[k].address / block_B;
            if (all[k].instance != all[i].instance) continue;
            if (ws_set_of((enum ws_set_index)index, before, sets) != set) continue;
            found = before == block;
            bool known = found;
            for (uint32_t d = 0; d < distinct && !known; d++) known = between[d] == before;
            if (!known) between[distinct++] = before;
        }
        result.hits += found && distinct < ways;
        result.cold += !found;
    }
    free(between);
    free(all);
    return result;
}
