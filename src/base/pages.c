#include "base/pages.h"

#include <limits.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_B = 2 << 20 };

void ws_pages_keep(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most that it takes: more is still mapped, and given back */
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

/* Less than a huge page comes from the heap. More is aligned to a huge page, so that the first page can be huge,
 * too. */
void *ws_pages_new(size_t size) {
    if (size < HUGE_B) return calloc(1, size ? size : 1);
    size_t rounded = (size + HUGE_B - 1) / HUGE_B * HUGE_B;
    void *pages = rounded < size ? NULL : aligned_alloc(HUGE_B, rounded);
    if (!pages) return NULL;
    madvise(pages, rounded, MADV_HUGEPAGE); /* a hint: without it the table is only slower */
    memset(pages, 0, rounded);
    return pages;
}
