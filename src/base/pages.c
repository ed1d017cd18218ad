#include "base/pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_B = 2 << 20 };

/* Less than one huge page: the heap. Above: aligned to one, so that the first already is huge. */
void *ws_pages_new(size_t size) {
    if (size < HUGE_B) return calloc(1, size ? size : 1);
    size_t rounded = (size + HUGE_B - 1) / HUGE_B * HUGE_B;
    void *pages = rounded < size ? NULL : aligned_alloc(HUGE_B, rounded);
    if (!pages) return NULL;
    madvise(pages, rounded, MADV_HUGEPAGE); /* a wish: without it the table is only slower */
    memset(pages, 0, rounded);
    return pages;
}
