/* "Did you mean ..?": the candidate nearest to a misspelt name. */
#ifndef WS_BASE_NEAREST_H
#define WS_BASE_NEAREST_H

#include <stddef.h>

/* Offer candidates one by one; `best` is the nearest so far, or NULL if none is near enough. The first of equally near
 * candidates wins. */
typedef struct ws_nearest {
    const char *name;
    const char *best; /* the candidate's own pointer */
    size_t distance;
} ws_nearest;

ws_nearest ws_nearest_to(const char *name);
void ws_nearest_offer(ws_nearest *nearest, const char *candidate);

#endif
