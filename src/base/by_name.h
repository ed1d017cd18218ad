/* The order of a folder's entries: that of their names' bytes, wherever a program runs. alphasort(), and what glob()
 * does, depend on the locale that it has set. */
#ifndef WS_BASE_BY_NAME_H
#define WS_BASE_BY_NAME_H

#include <dirent.h>
#include <string.h>

/* For scandir(). */
static inline int ws_by_name(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

#endif
