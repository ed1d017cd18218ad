#include "naive.h"

#include <stdlib.h>

naive_reuse naive_locality(const stream *s, const naive_streams *of, uint32_t window,
                           uint32_t neighbourhood_B) {
    size_t count;
    naive_touch *all = naive_touches(s, of, &count);
    naive_reuse result = {.accesses = count};
    for (size_t i = 0; i < count; i++) {
        uint32_t ahead = 0;
        for (size_t k = i + 1; k < count && ahead < window; k++) {
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
